import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from exchanges import NOW, PROMPT, a_query, answer_in, failure_in, requested
from hostile_bodies import assert_reads, hostile_responses
from hypothesis import given, settings

from brand_visibility.adapters.platforms.adapter import Asking
from brand_visibility.adapters.platforms.hunyuan_native import ADAPTER
from brand_visibility.adapters.platforms.tencent_signature import (
    Credential,
    SignedCall,
    authorization,
)
from brand_visibility.adapters.platforms.wire import WireResponse
from brand_visibility.domain.errors import InputError
from brand_visibility.domain.outcomes import Answer, Reason, SearchEvidence, Source, Usage
from tests.builders import a_platform

BASE_URL = "https://hunyuan.tencentcloudapi.com/"
KEY = "AKIDcanary0123456789:secret-canary-0123456789"


def body(**response: Any) -> bytes:
    return json.dumps({"Response": {"RequestId": "req-9"} | response}, ensure_ascii=False).encode()


def answered(text: object = "戴森。", finish_reason: str = "stop", **more: Any) -> bytes:
    choice = {"Message": {"Role": "assistant", "Content": text}, "FinishReason": finish_reason}
    usage = {"PromptTokens": 12, "CompletionTokens": 34, "TotalTokens": 46}
    return body(**{"Id": "c-1", "Note": "", "Choices": [choice], "Usage": usage} | more)


def refused(code: object, message: str = "") -> bytes:
    return body(Error={"Code": code, "Message": message})


SEARCHED = answered(
    "戴森[^1](1)。",
    SearchInfo={
        "SearchResults": [
            {"Index": 1, "Title": "吸尘器", "Url": "https://a.example/1"},
            {"Index": 3, "Title": "", "Url": "https://b.example/3"},
        ]
    },
)


def test_a_request_asks_the_prompt_of_the_platforms_model() -> None:
    platform = replace(a_platform(), parameters={"EnableEnhancement": True})
    request = requested(ADAPTER, platform, base_url=BASE_URL, key=KEY)
    assert (request.method, request.url) == ("POST", BASE_URL)
    assert json.loads(request.body) == {
        "EnableEnhancement": True,
        "Model": "model-1",
        "Messages": [{"Role": "user", "Content": PROMPT}],
        "Stream": False,
    }


def test_a_request_carries_tencents_headers() -> None:
    headers = dict(requested(ADAPTER, base_url=BASE_URL).headers)
    assert headers == {
        "Content-Type": "application/json; charset=utf-8",
        "Host": "hunyuan.tencentcloudapi.com",
        "X-TC-Action": "ChatCompletions",
        "X-TC-Version": "2023-09-01",
        "X-TC-Timestamp": str(int(NOW.timestamp())),
    }


def test_the_signature_covers_the_body_and_the_headers_as_they_are_sent() -> None:
    request = requested(ADAPTER, base_url=BASE_URL, key=KEY)
    signed = {name: request.headers[name] for name in ("Content-Type", "Host", "X-TC-Action")}
    timestamp = int(request.headers["X-TC-Timestamp"])
    call = SignedCall("hunyuan", timestamp, signed, request.body)
    credential = Credential("AKIDcanary0123456789", "secret-canary-0123456789")
    assert request.headers["Authorization"] == authorization(call, credential)


def test_the_time_of_the_call_is_signed() -> None:
    def signed_at(seconds: int) -> str:
        now = NOW + timedelta(seconds=seconds)
        asking = Asking(a_query(), a_platform(), BASE_URL, now, KEY)
        return ADAPTER.build(asking).headers["Authorization"]

    assert "/2026-11-29/hunyuan/" in signed_at(-1)
    assert "/2026-11-30/hunyuan/" in signed_at(0)
    assert signed_at(0) != signed_at(1)


def test_the_secret_is_neither_sent_nor_shown() -> None:
    request = requested(ADAPTER, base_url=BASE_URL, key=KEY)
    assert "secret-canary" not in str(dict(request.headers)) + request.body.decode()
    assert "canary" not in repr(request)


def test_a_malformed_key_is_an_error_that_does_not_show_it() -> None:
    with pytest.raises(InputError) as raised:
        requested(ADAPTER, base_url=BASE_URL, key="canary-without-a-colon")
    assert "canary" not in str(raised.value)


def test_a_region_is_a_header_and_no_part_of_the_body() -> None:
    platform = replace(a_platform(), parameters={"Region": "ap-guangzhou"})
    request = requested(ADAPTER, platform, base_url=BASE_URL)
    assert request.headers["X-TC-Region"] == "ap-guangzhou"
    assert "Region" not in json.loads(request.body)


@pytest.mark.parametrize("region", [7, "", "ap guangzhou", "ap\r\nX-Evil: 1"])
def test_a_region_that_is_no_name_is_an_error(region: object) -> None:
    platform = replace(a_platform(), parameters={"Region": region})
    with pytest.raises(InputError, match=r"deepseek: parameters\.Region: found .*; expected"):
        requested(ADAPTER, platform, base_url=BASE_URL)


def test_parameters_of_the_catalog_cannot_change_what_is_asked() -> None:
    platform = replace(a_platform(), parameters={"Model": "x", "Messages": [], "Stream": True})
    asked = json.loads(requested(ADAPTER, platform, base_url=BASE_URL).body)
    assert (asked["Model"], asked["Stream"]) == ("model-1", False)
    assert asked["Messages"][0]["Content"] == PROMPT


def test_an_answer_is_read_with_everything_the_platform_said() -> None:
    assert answer_in(answered(), adapter=ADAPTER) == Answer(
        text="戴森。",
        finish_reason="stop",
        usage=Usage(12, 34),
        request_id="req-9",
        raw_body=answered(),
    )


def test_named_pages_are_the_sources_of_a_search_under_their_own_numbers() -> None:
    answer = answer_in(SEARCHED, adapter=ADAPTER)
    assert answer.search is SearchEvidence.SEARCHED
    assert answer.sources == (
        Source(1, "https://a.example/1", "吸尘器"),
        Source(3, "https://b.example/3"),
    )


@pytest.mark.parametrize(
    ("indexes", "positions"),
    [
        ([1, 2, 3], [1, 2, 3]),
        ([3, 1, 7], [1, 3, 7]),
        # Numbers that do not tell the pages apart: they count as they stand.
        ([2, 2, 3], [1, 2, 3]),
        ([0, 1, 2], [1, 2, 3]),
        ([5, None, 7], [1, 2, 3]),
        ([5, "6", 7], [1, 2, 3]),
        ([5, 6, 10_000], [5, 6, 10_000]),
        ([5, 6, 10_001], [1, 2, 3]),
    ],
)
def test_pages_count_by_their_own_numbers_or_as_they_stand(
    indexes: list[object], positions: list[int]
) -> None:
    pages = [{"Index": index, "Url": f"https://a.example/{index}"} for index in indexes]
    answer = answer_in(answered(SearchInfo={"SearchResults": pages}), adapter=ADAPTER)
    assert [source.position for source in answer.sources] == positions


@pytest.mark.parametrize("search_info", [None, {}, {"SearchResults": None}, {"SearchResults": []}])
def test_without_named_pages_a_search_is_unknown(search_info: object) -> None:
    answer = answer_in(answered(SearchInfo=search_info), adapter=ADAPTER)
    assert (answer.search, answer.sources) == (SearchEvidence.UNKNOWN, ())


ERRORS = [
    ("RequestLimitExceeded", Reason.RATE_LIMITED),
    ("RequestLimitExceeded.UinLimitExceeded", Reason.RATE_LIMITED),
    ("LimitExceeded", Reason.RATE_LIMITED),
    ("FailedOperation.EngineServerLimitExceeded", Reason.RATE_LIMITED),
    ("AuthFailure", Reason.UNAUTHORIZED),
    ("AuthFailure.SignatureExpire", Reason.UNAUTHORIZED),
    ("AuthFailure.SecretIdNotFound", Reason.UNAUTHORIZED),
    ("UnauthorizedOperation", Reason.UNAUTHORIZED),
    ("FailedOperation.ServiceNotActivated", Reason.UNAUTHORIZED),
    ("FailedOperation.ServiceStop", Reason.UNAUTHORIZED),
    ("FailedOperation.ServiceStopArrears", Reason.QUOTA_EXHAUSTED),
    ("FailedOperation.ResourcePackExhausted", Reason.QUOTA_EXHAUSTED),
    ("FailedOperation.FreeResourcePackExhausted", Reason.QUOTA_EXHAUSTED),
    ("InvalidParameter", Reason.REJECTED),
    ("InvalidParameterValue.Model", Reason.REJECTED),
    ("MissingParameter", Reason.REJECTED),
    ("UnsupportedOperation", Reason.REJECTED),
    ("OperationDenied.TextIllegalDetected", Reason.BLOCKED),
    ("InternalError", Reason.SERVER_FAULT),
    ("FailedOperation.EngineServerError", Reason.SERVER_FAULT),
    ("FailedOperation.EngineRequestTimeout", Reason.TIMED_OUT),
    # Unknown words under a status of success: the platform speaks, so it has failed.
    ("FailedOperation", Reason.SERVER_FAULT),
    ("Something.New", Reason.SERVER_FAULT),
]


@pytest.mark.parametrize("status", [200, 500])
@pytest.mark.parametrize(("code", "reason"), ERRORS)
def test_an_error_decides_whatever_the_status_is(code: str, reason: Reason, status: int) -> None:
    failure = failure_in(refused(code, "why"), status, adapter=ADAPTER)
    assert (failure.reason, failure.detail) == (reason, f"{code}: why")
    assert failure.is_recognised


@pytest.mark.parametrize(
    ("code", "reason"),
    [(4000, Reason.SERVER_FAULT), (4001, Reason.TIMED_OUT), ("4001", Reason.TIMED_OUT)],
)
def test_an_error_after_the_call_was_taken_on_is_tried_again(code: object, reason: Reason) -> None:
    failure = failure_in(body(ErrorMsg={"Code": code, "Msg": "engine"}), adapter=ADAPTER)
    assert (failure.reason, failure.detail) == (reason, f"{code}: engine")


def test_an_error_goes_before_an_answer() -> None:
    failure = failure_in(answered(Error={"Code": "InternalError"}), adapter=ADAPTER)
    assert failure.reason is Reason.SERVER_FAULT


@pytest.mark.parametrize("nothing", [None, {}, ""])
def test_an_error_field_that_says_nothing_is_no_error(nothing: object) -> None:
    assert answer_in(answered(Error=nothing, ErrorMsg=nothing), adapter=ADAPTER).text == "戴森。"


def test_a_429_that_no_row_names_is_not_recognised() -> None:
    failure = failure_in(refused("Something.New"), 429, adapter=ADAPTER, retry_after="7")
    assert (failure.reason, failure.is_recognised) == (Reason.RATE_LIMITED, False)
    assert failure.retry_after_s == 7.0


NO_ANSWERS = [
    (answered("", "sensitive"), Reason.BLOCKED),
    (answered("戴", "sensitive"), Reason.BLOCKED),
    (answered("戴", "length"), Reason.TRUNCATED),
    (answered(""), Reason.EMPTY),
    (answered(None), Reason.EMPTY),
    (body(Choices=[]), Reason.MALFORMED),
    (body(), Reason.MALFORMED),
    (b'{"Response": []}', Reason.MALFORMED),
    (b"<html>", Reason.MALFORMED),
    (b"", Reason.MALFORMED),
]


@pytest.mark.parametrize(("content", "reason"), NO_ANSWERS)
def test_a_200_without_an_answer_has_its_reason(content: bytes, reason: Reason) -> None:
    failure = failure_in(content, adapter=ADAPTER)
    assert (failure.reason, failure.http_status) == (reason, 200)


def test_a_filtered_answer_still_counts_what_it_used() -> None:
    assert failure_in(answered("", "sensitive"), adapter=ADAPTER).usage == Usage(12, 34)


@settings(max_examples=60, deadline=None)
@given(hostile_responses(SEARCHED, refused("InternalError"), body(ErrorMsg={"Code": 4000})))
def test_no_bytes_make_the_adapter_raise(response: WireResponse) -> None:
    assert_reads(ADAPTER, response)
