import json
import unicodedata
from dataclasses import replace

import pytest
from exchanges import NOW, PROMPT, answer_in, completion, error, failure_in, requested
from hypothesis import example, given, settings
from hypothesis import strategies as st

from brand_visibility.adapters.platforms.openai_compatible import ADAPTER
from brand_visibility.adapters.platforms.wire import WireResponse
from brand_visibility.domain.outcomes import Answer, Reason, Usage
from tests.builders import a_platform

KEY = "sk-canary-0123456789"


def test_a_request_asks_the_prompt_of_the_platforms_model() -> None:
    platform = replace(a_platform(), parameters={"temperature": 0.5})
    request = requested(platform=platform, key=KEY)
    assert (request.method, request.url) == (
        "POST",
        "https://api.example.com/v1/chat/completions",
    )
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert json.loads(request.body) == {
        "temperature": 0.5,
        "model": "model-1",
        "messages": [{"role": "user", "content": PROMPT}],
        "stream": False,
    }


def test_without_a_key_there_is_no_authorisation() -> None:
    request = requested(platform=a_platform(), base_url="http://127.0.0.1/v1/", key=None)
    assert "Authorization" not in request.headers
    assert request.url == "http://127.0.0.1/v1/chat/completions"


def test_parameters_of_the_catalog_cannot_change_what_is_asked() -> None:
    platform = replace(a_platform(), parameters={"model": "x", "messages": [], "stream": True})
    request = requested(platform=platform, base_url="https://x", key=None)
    body = json.loads(request.body)
    assert (body["model"], body["stream"]) == ("model-1", False)
    assert body["messages"][0]["content"] == PROMPT


def test_neither_key_nor_prompt_shows_in_a_requests_repr() -> None:
    request = requested(platform=a_platform(), base_url="https://x", key=KEY)
    assert KEY not in repr(request)
    assert PROMPT not in repr(request)


def test_an_answer_is_read_with_everything_the_platform_said() -> None:
    body = completion(
        "  Dyson,\n戴森。 ", usage={"prompt_tokens": 12, "completion_tokens": 34, "extra": 1}
    )
    assert answer_in(body, x_request_id="req-7") == Answer(
        text="  Dyson,\n戴森。 ",
        model="m-1",
        finish_reason="stop",
        usage=Usage(12, 34),
        request_id="req-7",
        raw_body=body,
    )


def test_the_bodys_own_id_stands_in_for_a_missing_header() -> None:
    assert answer_in(completion()).request_id == "chatcmpl-1"


@pytest.mark.parametrize("prefix", [b"\n\n", b"\r\n \t\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"])
def test_blank_lines_in_front_of_the_body_are_skipped(prefix: bytes) -> None:
    assert answer_in(prefix + completion() + b"\n").text == "Dyson."


def test_a_text_in_parts_is_put_together() -> None:
    parts = [{"type": "text", "text": "Dy"}, {"type": "image"}, {"type": "text", "text": "son"}, 1]
    assert answer_in(completion(parts)).text == "Dyson"


def test_an_answer_without_a_finish_reason_is_an_answer() -> None:
    assert answer_in(completion(finish_reason=None)).finish_reason is None


@pytest.mark.parametrize(
    "usage",
    [None, 3, [], {"prompt_tokens": "12"}, {"prompt_tokens": -1}, {"prompt_tokens": True},
     {"prompt_tokens": 1.5}, {"prompt_tokens": 2**63}],
)  # fmt: skip
def test_a_usage_that_makes_no_sense_is_unknown(usage: object) -> None:
    assert answer_in(completion(usage=usage)).usage == Usage(None, None)


NO_ANSWERS = [
    (completion(None), Reason.EMPTY),
    (completion(""), Reason.EMPTY),
    (completion(" \n"), Reason.EMPTY),
    (completion(None, finish_reason="tool_calls"), Reason.EMPTY),
    (completion(42), Reason.EMPTY),
    (completion(None, message={"refusal": "I can't help."}), Reason.REFUSED),
    (completion("Half", message={"refusal": "I can't."}), Reason.REFUSED),
    (completion("Hal", finish_reason="content_filter"), Reason.BLOCKED),
    (completion("", finish_reason="sensitive"), Reason.BLOCKED),
    (completion("Cut sho", finish_reason="length"), Reason.TRUNCATED),
    (completion("", finish_reason="length"), Reason.TRUNCATED),
    (completion("", finish_reason="error"), Reason.SERVER_FAULT),
    (completion("x", finish_reason="insufficient_system_resource"), Reason.SERVER_FAULT),
    (completion("x", finish_reason="network_error"), Reason.SERVER_FAULT),
    (b"", Reason.MALFORMED),
    (b"<html>busy</html>", Reason.MALFORMED),
    (b'data: {"choices": []}', Reason.MALFORMED),
    (b"null", Reason.MALFORMED),
    (b"[]", Reason.MALFORMED),
    (b"{}", Reason.MALFORMED),
    (b'{"choices": []}', Reason.MALFORMED),
    (b'{"choices": [null]}', Reason.MALFORMED),
    (b'{"choices": [{"message": nu', Reason.MALFORMED),
    (b"\xff\xfe", Reason.MALFORMED),
    (b'{"choices": [{}]}', Reason.EMPTY),
]


@pytest.mark.parametrize(("body", "reason"), NO_ANSWERS)
def test_a_200_without_an_answer_has_its_reason(body: bytes, reason: Reason) -> None:
    failure = failure_in(body)
    assert (failure.reason, failure.http_status) == (reason, 200)
    assert failure.detail


def test_an_empty_refusal_is_no_refusal() -> None:
    assert answer_in(completion("Dyson.", message={"refusal": ""})).text == "Dyson."
    assert answer_in(completion("Dyson.", message={"refusal": None})).text == "Dyson."


ERRORS_IN_200 = [
    (error(502, message="upstream"), Reason.SERVER_FAULT),
    (error("503"), Reason.SERVER_FAULT),
    (error(429), Reason.RATE_LIMITED),
    (error(400), Reason.REJECTED),
    (error(504), Reason.TIMED_OUT),
    (error("rate_limit_exceeded"), Reason.RATE_LIMITED),
    (error("something_new", message="?"), Reason.SERVER_FAULT),
    (b'{"error": "it broke"}', Reason.SERVER_FAULT),
    (completion("x", choice={"error": {"code": 429}}), Reason.RATE_LIMITED),
    (completion("x", error={"code": "content_filter"}), Reason.BLOCKED),
]


@pytest.mark.parametrize(("body", "reason"), ERRORS_IN_200)
def test_an_error_inside_a_200_is_a_failure(body: bytes, reason: Reason) -> None:
    assert failure_in(body).reason is reason


def test_an_error_field_that_says_nothing_is_no_error() -> None:
    assert answer_in(completion("Dyson.", error=None)).text == "Dyson."
    assert answer_in(completion("Dyson.", error={})).text == "Dyson."


def test_a_wait_is_read_for_a_refusal() -> None:
    assert failure_in(error("rate_limit_exceeded"), 429, retry_after="7").retry_after_s == 7.0
    assert failure_in(error(), 503, retry_after="3").retry_after_s == 3.0
    assert failure_in(error(), 429).retry_after_s is None


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        (error("bad_model", kind="invalid", message="No such model"), "bad_model: No such model"),
        (error(None, kind="invalid_request_error"), "invalid_request_error"),
        (b'{"code": "InvalidParameter", "message": "bad"}', "InvalidParameter: bad"),
        (b'{"detail": "Not Found"}', "Not Found"),
        (b"<html>", "HTTP 404"),
        (b"", "HTTP 404"),
        (error("x", message="a\r\nb\x00\x1b[31mc\u202ed"), "x: a b [31mc d"),
    ],
)
def test_a_detail_is_one_short_line_of_what_was_said(body: bytes, detail: str) -> None:
    assert failure_in(body, 404).detail == detail


def test_a_detail_has_a_bound() -> None:
    assert len(failure_in(error("x", message="y" * 100_000), 400).detail) == 200


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "error": JSON,
        "id": JSON,
        "model": JSON,
        "usage": JSON,
        "code": JSON,
        "message": JSON,
        "choices": JSON
        | st.lists(
            st.fixed_dictionaries(
                {}, optional={"message": JSON, "finish_reason": JSON, "error": JSON}
            )
        ),
    },
)
BODIES = st.binary(max_size=200) | FIELDS.map(lambda fields: json.dumps(fields).encode())
HEADERS = st.dictionaries(
    st.sampled_from(
        [
            "retry-after",
            "retry-after-ms",
            "x-request-id",
            "x-ratelimit-remaining-tokens",
            "x-ratelimit-reset-tokens",
        ]
    ),
    st.text() | st.sampled_from(["0", "nan", "1e999", "Fri, 31 Dec 9999 23:59:59 GMT"]),
)


@settings(max_examples=300, deadline=None)
@given(status=st.integers(100, 599), headers=HEADERS, body=BODIES)
@example(200, {}, b'{"choices":' + b'[{"message":{"content":' * 300)
@example(200, {}, b"[" * 5_000)
@example(200, {}, completion([{"text": [{"text": "x"}]}]))
@example(400, {"retry-after": "Mon, 99 Foo 99999 99:99:99"}, b"\x00")
def test_no_bytes_make_the_adapter_raise(status: int, headers: dict[str, str], body: bytes) -> None:
    outcome = ADAPTER.parse(WireResponse(status, headers, body), NOW)
    if isinstance(outcome, Answer):
        assert status < 300
        assert outcome.text.strip()
        shown = [outcome.model, outcome.finish_reason, outcome.request_id]
    else:
        assert outcome.http_status == status
        assert outcome.retry_after_s is None or 0 < outcome.retry_after_s < float("inf")
        shown = [outcome.detail]
    for text in filter(None, shown):
        assert len(text) <= 200
        assert not any(unicodedata.category(character) == "Cc" for character in text)
