import hashlib
import hmac
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brand_visibility.adapters.platforms.tencent_signature import (
    Credential,
    SignedCall,
    authorization,
    canonical_request,
    read_credential,
    string_to_sign,
)
from brand_visibility.domain.errors import InputError

# The worked example of Tencent's page on signature v3, whose key is none.
EXAMPLE = SignedCall(
    service="cvm",
    timestamp=1551113065,
    headers={
        "Content-Type": "application/json; charset=utf-8",
        "Host": "cvm.tencentcloudapi.com",
    },
    body=rb'{"Limit": 1, "Filters": [{"Values": ["\u672a\u547d\u540d"], "Name": "instance-name"}]}',
)
EXAMPLE_KEY = Credential("AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE", "Gu5t9xGARNpq86cd98joQYCN3EXAMPLE")


def test_the_worked_example_has_its_published_canonical_request() -> None:
    assert canonical_request(EXAMPLE) == (
        "POST\n/\n\n"
        "content-type:application/json; charset=utf-8\nhost:cvm.tencentcloudapi.com\n\n"
        "content-type;host\n"
        "35e9c5b0e3ae67532d3c9f17ead6c90222632e5b1ff7f6e89887f1398934f064"
    )


def test_the_worked_example_has_its_published_string_to_sign() -> None:
    assert string_to_sign(EXAMPLE) == (
        "TC3-HMAC-SHA256\n1551113065\n2019-02-25/cvm/tc3_request\n"
        "5ffe6a04c0664d6b969fab9a13bdab201d63ee709638e2749d62a09ca18d7031"
    )


def test_the_worked_example_has_its_published_signature() -> None:
    assert authorization(EXAMPLE, EXAMPLE_KEY) == (
        "TC3-HMAC-SHA256"
        " Credential=AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE/2019-02-25/cvm/tc3_request,"
        " SignedHeaders=content-type;host,"
        " Signature=72e494ea809ad7a8c8f7a4507b9bddcbaa8e581f516e8da2f66e2c5a96525168"
    )


def test_a_signed_action_is_in_lower_case_and_in_order() -> None:
    call = replace(EXAMPLE, headers={"X-TC-Action": " DescribeInstances ", **EXAMPLE.headers})
    assert canonical_request(call).splitlines()[3:8] == [
        "content-type:application/json; charset=utf-8",
        "host:cvm.tencentcloudapi.com",
        "x-tc-action:describeinstances",
        "",
        "content-type;host;x-tc-action",
    ]
    assert string_to_sign(call).endswith(
        "7019a55be8395899b900fb5564e4200d984910f34794a27cb3fb7d10ff6a1e84"
    )


@pytest.mark.parametrize(
    ("timestamp", "date"),
    [
        (1551139199, "2019-02-25"),
        (1551139200, "2019-02-26"),
        # A leap day, and a moment that is tomorrow in Shanghai.
        (1709164799, "2024-02-28"),
        (1709164800, "2024-02-29"),
        (1709222400, "2024-02-29"),
    ],
)
def test_the_scope_is_the_day_in_utc(timestamp: int, date: str) -> None:
    call = replace(EXAMPLE, timestamp=timestamp)
    assert string_to_sign(call).splitlines()[1:3] == [str(timestamp), f"{date}/cvm/tc3_request"]
    assert f"/{date}/cvm/tc3_request," in authorization(call, EXAMPLE_KEY)


def rederived(body: bytes, secret_key: str) -> str:
    """Sign the example's call with another body, written out step by step."""
    canonical = (
        b"POST\n/\n\ncontent-type:application/json; charset=utf-8\n"
        b"host:cvm.tencentcloudapi.com\n\ncontent-type;host\n"
        + hashlib.sha256(body).hexdigest().encode()
    )
    to_sign = (
        b"TC3-HMAC-SHA256\n1551113065\n2019-02-25/cvm/tc3_request\n"
        + hashlib.sha256(canonical).hexdigest().encode()
    )
    date = hmac.new(b"TC3" + secret_key.encode(), b"2019-02-25", hashlib.sha256).digest()
    service = hmac.new(date, b"cvm", hashlib.sha256).digest()
    signing = hmac.new(service, b"tc3_request", hashlib.sha256).digest()
    return hmac.new(signing, to_sign, hashlib.sha256).hexdigest()


@given(body=st.binary(max_size=100), secret_key=st.text(min_size=1, max_size=40))
def test_any_body_and_key_are_signed_as_published(body: bytes, secret_key: str) -> None:
    signed = authorization(replace(EXAMPLE, body=body), Credential("AKID", secret_key))
    assert signed.endswith(f"Signature={rederived(body, secret_key)}")


@given(st.data())
def test_a_changed_byte_of_the_body_changes_the_signature(data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(EXAMPLE.body) - 1))
    changed = bytearray(EXAMPLE.body)
    changed[place] ^= data.draw(st.integers(1, 255))
    assert authorization(replace(EXAMPLE, body=bytes(changed)), EXAMPLE_KEY) != authorization(
        EXAMPLE, EXAMPLE_KEY
    )


@pytest.mark.parametrize(
    "call",
    [
        replace(EXAMPLE, service="hunyuan"),
        replace(EXAMPLE, timestamp=EXAMPLE.timestamp + 1),
        replace(EXAMPLE, headers={**EXAMPLE.headers, "Host": "hunyuan.tencentcloudapi.com"}),
    ],
)
def test_everything_else_that_is_signed_changes_the_signature(call: SignedCall) -> None:
    before, after = (authorization(one, EXAMPLE_KEY)[-64:] for one in (EXAMPLE, call))
    assert before != after


def test_a_key_is_read_up_to_its_first_colon() -> None:
    assert read_credential("AKID1:secret:2") == Credential("AKID1", "secret:2")


@pytest.mark.parametrize("key", ["AKIDcanary", "canary:", ":canary"])
def test_a_key_without_two_parts_is_an_error_that_does_not_show_it(key: str) -> None:
    with pytest.raises(InputError, match=r"expected SecretId:SecretKey") as raised:
        read_credential(key)
    assert "canary" not in str(raised.value)


def test_neither_half_of_a_key_nor_the_body_is_shown() -> None:
    assert repr(EXAMPLE_KEY) == "Credential()"
    assert "instance-name" not in repr(EXAMPLE)


@given(st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=20, max_size=40))
def test_the_secret_is_no_part_of_what_is_sent(secret_key: str) -> None:
    assert secret_key not in authorization(EXAMPLE, Credential("AKID", secret_key))
