import orjson
import pytest
from multidict import CIMultiDict

from brand_visibility.simulator.settings import PlatformBehaviour
from brand_visibility.simulator.shapes import tc3
from brand_visibility.simulator.shapes.registry import Endpoint, shape_of
from brand_visibility.simulator.shapes.shape import Asked, Question, Reply
from tests.unit.simulator.shape_calls import NOW, content_of

SECRET = "obviously-not-a-secret"
BODY = orjson.dumps({"Model": "m", "Messages": [{"Role": "user", "Content": "q"}]})
DATE = "2026-11-30"
# Computed with openssl by the published steps, apart from the code under test.
SIGNATURE = "db232c4199a9527803841b069ce9fef7060a085690eb220f0f652f708dee98c9"


def authorization(
    *, date: str = DATE, service: str = "hunyuan", signed: str = "content-type;host"
) -> str:
    credential = f"Credential=AKIDexample/{date}/{service}/tc3_request"
    return f"TC3-HMAC-SHA256 {credential}, SignedHeaders={signed}, Signature={SIGNATURE}"


def headers(**changed: str) -> CIMultiDict[str]:
    named = {
        "Authorization": authorization(),
        "Content-Type": "application/json",
        "Host": "hunyuan.example.com",
        "X-TC-Action": "ChatCompletions",
        "X-TC-Version": "2023-09-01",
        "X-TC-Timestamp": str(NOW),
    }
    return CIMultiDict(named | {name.replace("_", "-"): text for name, text in changed.items()})


def read(
    sent: CIMultiDict[str], *, at: float = NOW, secret: str | None = None, body: bytes = BODY
) -> Question | Reply:
    behaviour = PlatformBehaviour(tencent_secret_key=secret)
    return shape_of(Endpoint.ACTION, behaviour).read(Asked(sent, body, at), "refused-1")


def code_of(reply: Question | Reply) -> str:
    assert isinstance(reply, Reply)
    code: str = content_of(reply)["Response"]["Error"]["Code"]
    return code


@pytest.mark.parametrize("secret", [None, SECRET], ids=["unchecked", "checked"])
def test_a_signed_request_is_read(secret: str | None) -> None:
    question = read(headers(), secret=secret)
    assert question == Question("q", shows_pages=False)


@pytest.mark.parametrize(("skew_s", "is_read"), [(300, True), (-300, True), (301, False)])
def test_a_signature_lasts_five_minutes_either_way(skew_s: int, is_read: bool) -> None:
    reply = read(headers(), at=NOW + skew_s)
    assert isinstance(reply, Question) is is_read
    if not is_read:
        assert code_of(reply) == "AuthFailure.SignatureExpire"


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(headers(Authorization=""), id="none"),
        pytest.param(headers(Authorization="Bearer key"), id="another scheme"),
        pytest.param(headers(Authorization=authorization(service="cvm")), id="another service"),
        pytest.param(headers(Authorization=authorization(date="2026-11-29")), id="another day"),
        pytest.param(headers(Authorization=authorization(signed="host")), id="too little signed"),
        pytest.param(
            headers(Authorization=authorization(signed="host;content-type")), id="unsorted"
        ),
        pytest.param(headers(X_TC_Timestamp="soon"), id="no time"),
    ],
)
def test_a_signature_that_is_none_is_told_from_an_old_one(sent: CIMultiDict[str]) -> None:
    assert code_of(read(sent)) == tc3.MALFORMED


@pytest.mark.parametrize(
    ("sent", "secret", "body"),
    [
        pytest.param(headers(), "another", BODY, id="another key"),
        pytest.param(headers(), SECRET, BODY + b" ", id="another body"),
        pytest.param(headers(Host="elsewhere.example.com"), SECRET, BODY, id="another host"),
    ],
)
def test_with_the_secret_a_false_signature_is_found(
    sent: CIMultiDict[str], secret: str, body: bytes
) -> None:
    assert code_of(read(sent, secret=secret, body=body)) == tc3.FALSE


@pytest.mark.parametrize(
    ("changed", "body"),
    [
        ({"X_TC_Action": "ChatTranslations"}, BODY),
        ({"X_TC_Version": "2020-01-01"}, BODY),
        ({}, b"{}"),
    ],
)
def test_a_signed_request_for_something_else_is_refused(
    changed: dict[str, str], body: bytes
) -> None:
    assert code_of(read(headers(**changed), body=body)) == "InvalidParameter"
