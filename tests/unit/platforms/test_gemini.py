import json
from dataclasses import replace
from typing import Any

import pytest
from exchanges import PROMPT, answer_in, failure_in, requested
from hostile_bodies import assert_reads, hostile_responses
from hypothesis import example, given, settings

from brand_visibility.adapters.platforms.gemini import ADAPTER, BASE_URL
from brand_visibility.adapters.platforms.wire import WireResponse
from brand_visibility.domain.outcomes import (
    Answer,
    Failure,
    Reason,
    SearchEvidence,
    Source,
    Usage,
)
from tests.builders import a_platform

KEY = "AIza-canary-0123456789"
SEARCH = [{"google_search": {}}]
REDIRECT = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/"
DAY_QUOTA = "GenerateRequestsPerDayPerProjectPerModel-FreeTier"
MINUTE_QUOTA = "GenerateContentInputTokensPerModelPerMinute-FreeTier"

Fields = dict[str, Any]


def generated(*texts: object, finish_reason: object = "STOP", **more: Any) -> bytes:
    parts = [{"text": text} if isinstance(text, str) else text for text in texts]
    candidate: Fields = {
        "content": {"role": "model", "parts": parts},
        "finishReason": finish_reason,
        "index": 0,
    }
    candidate |= more.pop("candidate", {})
    body = {"candidates": [candidate], "modelVersion": "gemini-x", "responseId": "resp-1"}
    return json.dumps(body | more).encode()


def grounding(*domains: str, queries: object = ("best vacuum",), cited: object = ()) -> Fields:
    chunks = [{"web": {"uri": REDIRECT + domain, "title": domain}} for domain in domains]
    supports = [{"segment": {"text": "Dyson"}, "groundingChunkIndices": cited}]
    return {
        "groundingMetadata": {
            "webSearchQueries": queries,
            "groundingChunks": chunks,
            "groundingSupports": supports,
        }
    }


def quota(*quota_ids: str) -> Fields:
    violations = [{"quotaMetric": "m", "quotaId": quota_id} for quota_id in quota_ids]
    return {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": violations}


def delay(text: object) -> Fields:
    return {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": text}


def because(reason: str) -> Fields:
    return {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason}


def error(status: int, name: str, text: str = "", *details: object) -> bytes:
    described: Fields = {"code": status, "message": text, "status": name}
    if details:
        described["details"] = list(details)
    return json.dumps({"error": described}).encode()


def refused(*details: object, text: str = "You exceeded your current quota") -> Failure:
    body = error(429, "RESOURCE_EXHAUSTED", text, *details)
    return failure_in(body, 429, adapter=ADAPTER)


def read_answer(*texts: object, **more: Any) -> Answer:
    return answer_in(generated(*texts, **more), adapter=ADAPTER)


def test_a_request_asks_the_prompt_with_the_key_in_a_header_only() -> None:
    request = requested(ADAPTER, base_url=f"{BASE_URL}/", key=KEY)
    assert (request.method, request.url) == (
        "POST",
        "https://generativelanguage.googleapis.com/v1beta/models/model-1:generateContent",
    )
    assert request.headers["x-goog-api-key"] == KEY
    assert json.loads(request.body) == {"contents": [{"role": "user", "parts": [{"text": PROMPT}]}]}


def test_without_a_key_no_header_holds_one() -> None:
    assert "x-goog-api-key" not in requested(ADAPTER).headers


@pytest.mark.parametrize(
    ("model", "quoted"),
    [
        ("gemini-2.5-pro", "gemini-2.5-pro"),
        ("tuned/model", "tuned%2Fmodel"),
        ("../files", "..%2Ffiles"),
        ("a?key=b#c", "a%3Fkey%3Db%23c"),
        ("模型 1", "%E6%A8%A1%E5%9E%8B%201"),
        ("50%", "50%25"),
    ],
)
def test_a_models_name_cannot_change_the_url(model: str, quoted: str) -> None:
    request = requested(ADAPTER, replace(a_platform(), model=model), base_url="https://g.example")
    assert request.url == f"https://g.example/models/{quoted}:generateContent"


def test_the_catalogs_parameters_bring_the_search_and_cannot_change_what_is_asked() -> None:
    parameters = {"tools": SEARCH, "contents": [], "model": "models/other"}
    body = json.loads(requested(ADAPTER, replace(a_platform(), parameters=parameters)).body)
    assert body == {
        "tools": SEARCH,
        "contents": [{"role": "user", "parts": [{"text": PROMPT}]}],
    }


def test_an_answer_without_search_is_read_with_everything_the_platform_said() -> None:
    body = generated(
        {"text": "They ask for vacuums.", "thought": True},
        "Dyson,\n",
        {"text": "戴森。", "thought": False, "thoughtSignature": "S"},
        usageMetadata={
            "promptTokenCount": 12,
            "candidatesTokenCount": 30,
            "thoughtsTokenCount": 4,
            "cachedContentTokenCount": 5,
            "totalTokenCount": 46,
        },
    )
    assert answer_in(body, adapter=ADAPTER) == Answer(
        text="Dyson,\n戴森。",
        model="gemini-x",
        finish_reason="STOP",
        usage=Usage(12, 34, 4, 5),
        request_id="resp-1",
        search=SearchEvidence.NOT_SEARCHED,
        raw_body=body,
    )


def test_an_answer_after_a_search_names_its_pages_by_their_redirects() -> None:
    answer = read_answer(
        "Dyson.",
        candidate=grounding("a.example", "b.example", queries=["x", "y"], cited=[1]),
        usageMetadata={"promptTokenCount": 10, "toolUsePromptTokenCount": 90},
    )
    assert answer.search is SearchEvidence.SEARCHED
    assert answer.usage == Usage(100, search_count=2)
    assert answer.sources == (
        Source(1, REDIRECT + "a.example", "a.example"),
        Source(2, REDIRECT + "b.example", "b.example", is_cited=True),
    )


def test_a_chunk_that_is_no_page_keeps_its_number() -> None:
    chunks = [{"retrievedContext": {"uri": "gs://x"}}, {"web": {"uri": REDIRECT}}, None]
    metadata = {"groundingMetadata": {"groundingChunks": chunks}}
    assert read_answer("Dyson.", candidate=metadata).sources == (Source(2, REDIRECT),)


@pytest.mark.parametrize("cited", [None, 3, "0", [None, "0", -1, True, 0.0, 7]])
def test_an_index_that_makes_no_sense_cites_nothing(cited: object) -> None:
    answer = read_answer("Dyson.", candidate=grounding("a.example", cited=cited))
    assert [source.is_cited for source in answer.sources] == [False]


# grounding metadata, usage, evidence, searches
EVIDENCE = [
    (None, {}, SearchEvidence.NOT_SEARCHED, None),
    ({}, {}, SearchEvidence.NOT_SEARCHED, None),
    ({"webSearchQueries": []}, {}, SearchEvidence.NOT_SEARCHED, 0),
    ({"webSearchQueries": ["x"]}, {}, SearchEvidence.SEARCHED, 1),
    ({"webSearchQueries": ["x", "y"]}, {}, SearchEvidence.SEARCHED, 2),
    ({"groundingChunks": [{"web": {}}]}, {}, SearchEvidence.SEARCHED, None),
    ({}, {"toolUsePromptTokenCount": 9}, SearchEvidence.UNKNOWN, None),
    ({}, {"toolUsePromptTokenCount": 0}, SearchEvidence.NOT_SEARCHED, None),
]


@pytest.mark.parametrize(("metadata", "usage", "search", "count"), EVIDENCE)
def test_an_answer_says_whether_it_was_searched_for(
    metadata: object, usage: Fields, search: SearchEvidence, count: int | None
) -> None:
    candidate = {"groundingMetadata": metadata}
    answer = read_answer("Dyson.", candidate=candidate, usageMetadata=usage)
    assert (answer.search, answer.usage.search_count) == (search, count)


@pytest.mark.parametrize(
    ("usage", "completion"),
    [
        ({"candidatesTokenCount": 3, "thoughtsTokenCount": 4}, 7),
        ({"candidatesTokenCount": 3}, 3),
        ({"thoughtsTokenCount": 4}, 4),
        ({"candidatesTokenCount": "3"}, None),
        ({"candidatesTokenCount": 2**63 - 1, "thoughtsTokenCount": 1}, None),
        (None, None),
    ],
)
def test_thoughts_are_part_of_the_completion(usage: object, completion: int | None) -> None:
    assert read_answer("Dyson.", usageMetadata=usage).usage.completion_tokens == completion


def without_candidates(**more: Any) -> bytes:
    return json.dumps({"modelVersion": "gemini-x"} | more).encode()


NO_ANSWERS = [
    (without_candidates(promptFeedback={"blockReason": "SAFETY"}), Reason.BLOCKED),
    (without_candidates(promptFeedback={"blockReason": "OTHER"}, candidates=[]), Reason.BLOCKED),
    (without_candidates(promptFeedback={}), Reason.MALFORMED),
    (without_candidates(), Reason.MALFORMED),
    (without_candidates(candidates=[None]), Reason.MALFORMED),
    (generated(finish_reason="SAFETY"), Reason.BLOCKED),
    (generated("Half", finish_reason="SAFETY"), Reason.BLOCKED),
    (generated(finish_reason="RECITATION"), Reason.BLOCKED),
    (generated(finish_reason="PROHIBITED_CONTENT"), Reason.BLOCKED),
    (generated(finish_reason="BLOCKLIST"), Reason.BLOCKED),
    (generated(finish_reason="SPII"), Reason.BLOCKED),
    (generated("Cut sho", finish_reason="MAX_TOKENS"), Reason.TRUNCATED),
    (generated(finish_reason="MAX_TOKENS"), Reason.TRUNCATED),
    (generated("Half", finish_reason="OTHER"), Reason.MALFORMED),
    (generated(finish_reason="OTHER"), Reason.MALFORMED),
    (generated(finish_reason="MALFORMED_FUNCTION_CALL"), Reason.MALFORMED),
    (generated("Half", finish_reason="UNEXPECTED_TOOL_CALL"), Reason.MALFORMED),
    (generated(), Reason.EMPTY),
    (generated(" \n"), Reason.EMPTY),
    (generated({"text": "Dyson", "thought": True}), Reason.EMPTY),
    (generated(candidate={"content": {}}), Reason.EMPTY),
    (generated(candidate={"content": None}, finish_reason=None), Reason.EMPTY),
    (generated(finish_reason="LANGUAGE"), Reason.EMPTY),
    (b"", Reason.MALFORMED),
    (b"null", Reason.MALFORMED),
    (b"[]", Reason.MALFORMED),
    (b"{}", Reason.MALFORMED),
    (b"<html>busy</html>", Reason.MALFORMED),
    (generated("Dyson.")[:-9], Reason.MALFORMED),
]


@pytest.mark.parametrize(("body", "reason"), NO_ANSWERS)
def test_a_200_without_an_answer_has_its_reason(body: bytes, reason: Reason) -> None:
    failure = failure_in(body, adapter=ADAPTER)
    assert (failure.reason, failure.http_status) == (reason, 200)
    assert failure.detail


def test_a_blocked_prompt_keeps_what_it_used() -> None:
    body = without_candidates(
        promptFeedback={"blockReason": "SAFETY"}, usageMetadata={"promptTokenCount": 8}
    )
    failure = failure_in(body, adapter=ADAPTER)
    assert (failure.detail, failure.usage) == ("blockReason SAFETY", Usage(8))


# status, name, message, details, reason
ERRORS = [
    (429, "RESOURCE_EXHAUSTED", "", [quota(MINUTE_QUOTA)], Reason.RATE_LIMITED),
    (429, "RESOURCE_EXHAUSTED", "", [quota(MINUTE_QUOTA), delay("46s")], Reason.RATE_LIMITED),
    (429, "RESOURCE_EXHAUSTED", "", [delay("46s")], Reason.RATE_LIMITED),
    (429, "RESOURCE_EXHAUSTED", "", [quota(DAY_QUOTA)], Reason.QUOTA_EXHAUSTED),
    (429, "RESOURCE_EXHAUSTED", "", [quota(DAY_QUOTA), delay("46s")], Reason.QUOTA_EXHAUSTED),
    (429, "RESOURCE_EXHAUSTED", "", [quota(MINUTE_QUOTA, DAY_QUOTA)], Reason.QUOTA_EXHAUSTED),
    (429, "RESOURCE_EXHAUSTED", "Quota exceeded for metric: m, limit: 0",
     [quota(MINUTE_QUOTA), delay("46s")], Reason.QUOTA_EXHAUSTED),
    (429, "RESOURCE_EXHAUSTED", "metric: m, limit: 0, model: x", [delay("46s")],
     Reason.QUOTA_EXHAUSTED),
    (429, "RESOURCE_EXHAUSTED", "metric: m, limit: 0.5", [delay("46s")], Reason.RATE_LIMITED),
    (429, "RESOURCE_EXHAUSTED", "metric: m, limit: 10", [delay("46s")], Reason.RATE_LIMITED),
    (503, "UNAVAILABLE", "The model is overloaded.", [], Reason.SERVER_FAULT),
    (504, "DEADLINE_EXCEEDED", "", [], Reason.TIMED_OUT),
    (500, "INTERNAL", "", [], Reason.SERVER_FAULT),
    (400, "FAILED_PRECONDITION", "Enable billing.", [], Reason.QUOTA_EXHAUSTED),
    (400, "FAILED_PRECONDITION", "", [because("BILLING")], Reason.QUOTA_EXHAUSTED),
    (400, "INVALID_ARGUMENT", "", [because("API_KEY_INVALID")], Reason.UNAUTHORIZED),
    (400, "INVALID_ARGUMENT", "", [], Reason.REJECTED),
    (401, "UNAUTHENTICATED", "", [], Reason.UNAUTHORIZED),
    (403, "PERMISSION_DENIED", "", [], Reason.UNAUTHORIZED),
    (404, "NOT_FOUND", "", [], Reason.REJECTED),
]  # fmt: skip


@pytest.mark.parametrize(("status", "name", "text", "details", "reason"), ERRORS)
def test_an_error_has_its_reason(
    status: int, name: str, text: str, details: list[Fields], reason: Reason
) -> None:
    failure = failure_in(error(status, name, text, *details), status, adapter=ADAPTER)
    assert (failure.reason, failure.http_status) == (reason, status)
    assert failure.is_recognised


@pytest.mark.parametrize(("status", "reason"), [(503, Reason.SERVER_FAULT), (400, Reason.REJECTED)])
def test_an_error_inside_a_200_means_its_own_code(status: int, reason: Reason) -> None:
    assert failure_in(error(status, "NEW"), adapter=ADAPTER).reason is reason


@pytest.mark.parametrize("details", [[], [None], [quota()], [quota("Unheard")], [delay("soon")]])
def test_a_429_that_explains_nothing_is_not_recognised(details: list[object]) -> None:
    failure = refused(*details)
    assert (failure.reason, failure.is_recognised) == (Reason.RATE_LIMITED, False)
    assert failure.retry_after_s is None


@pytest.mark.parametrize(
    ("text", "wait_s"),
    [
        ("46s", 46.0),
        ("46.837s", 46.837),
        ("0.5s", 0.5),
        ("0s", None),
        ("-3s", None),
        ("", None),
        (46, None),
        ({"seconds": 46}, None),
        ("9" * 400 + "s", None),
    ],
)
def test_the_wait_is_the_delay_in_the_details(text: object, wait_s: float | None) -> None:
    assert refused(quota(MINUTE_QUOTA), delay(text)).retry_after_s == wait_s


def test_of_several_delays_the_longest_counts() -> None:
    assert refused(quota(MINUTE_QUOTA), delay("4s"), delay("9s")).retry_after_s == 9.0


def test_without_a_delay_the_wording_names_the_wait() -> None:
    failure = refused(quota(MINUTE_QUOTA), text="Please retry in 12.5s.")
    assert (failure.retry_after_s, failure.is_recognised) == (12.5, True)


def test_a_server_fault_keeps_the_delay_it_names() -> None:
    failure = failure_in(error(503, "UNAVAILABLE", "", delay("30s")), 503, adapter=ADAPTER)
    assert (failure.reason, failure.retry_after_s) == (Reason.SERVER_FAULT, 30.0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("3599s", Reason.RATE_LIMITED),
        ("3600s", Reason.QUOTA_EXHAUSTED),
        ("41000.5s", Reason.QUOTA_EXHAUSTED),
    ],
)
def test_a_delay_of_hours_stops_the_account(text: str, reason: Reason) -> None:
    assert refused(quota(MINUTE_QUOTA), delay(text)).reason is reason


def test_the_detail_names_the_quota_and_what_was_said() -> None:
    failure = refused(quota(MINUTE_QUOTA), text="Slow down.")
    assert failure.detail == f"{MINUTE_QUOTA}: Slow down."
    assert refused(text="Slow down.").detail == "RESOURCE_EXHAUSTED: Slow down."


def test_the_key_may_go_to_the_platforms_own_host_only() -> None:
    assert ADAPTER.hosts == ("generativelanguage.googleapis.com",)
    assert ADAPTER.base_url == BASE_URL


GOOD = generated(
    {"text": "Hm.", "thought": True},
    "Dyson.",
    candidate=grounding("a.example", "b.example", cited=[0]),
    promptFeedback={"blockReason": "X"},
    usageMetadata={"promptTokenCount": 1, "candidatesTokenCount": 2, "thoughtsTokenCount": 3},
)
REFUSED = error(429, "RESOURCE_EXHAUSTED", "x", quota(DAY_QUOTA), delay("46s"), because("x"))


@settings(max_examples=200, deadline=None)
@given(response=hostile_responses(GOOD, REFUSED))
@example(WireResponse(200, {}, b"[" * 5_000))
@example(WireResponse(429, {}, error(429, "x", "", quota(*["x" * 500] * 500))))
def test_no_bytes_make_the_adapter_raise(response: WireResponse) -> None:
    assert_reads(ADAPTER, response)
