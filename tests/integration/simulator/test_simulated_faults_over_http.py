import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from brand_visibility.simulator.settings import FaultKind, Latency, PlatformBehaviour
from brand_visibility.simulator.simulator import Simulator

Start = Callable[..., Simulator]


def always(kind: FaultKind, **settings: Any) -> PlatformBehaviour:
    return PlatformBehaviour(faults={kind: 1.0}, **settings)


def ask(client: httpx.Client, simulator: Simulator, question: str = "q1") -> httpx.Response:
    message = {"role": "user", "content": question}
    url = f"{simulator.url_of('kimi')}/chat/completions"
    return client.post(url, json={"model": "any", "messages": [message]})


def counts(simulator: Simulator) -> dict[str, Any]:
    total = simulator.stats()["total"]
    assert isinstance(total, dict)
    return total


def choice(response: httpx.Response) -> dict[str, Any]:
    choices: list[dict[str, Any]] = response.json()["choices"]
    assert len(choices) == 1
    return choices[0]


def test_a_sound_call_is_answered(start: Start, client: httpx.Client) -> None:
    simulator = start()
    response = ask(client, simulator)
    assert response.status_code == 200
    assert choice(response)["message"]["content"] == "answer 1"
    assert choice(response)["finish_reason"] == "stop"
    assert response.json()["model"] == "simulated-kimi"
    assert response.json()["id"] == f"chatcmpl-{response.headers['x-request-id']}"
    assert counts(simulator)["answered"] == 1


def test_a_path_without_a_platform_is_the_default_platform(
    start: Start, client: httpx.Client
) -> None:
    simulator = start()
    message = {"role": "user", "content": "q1"}
    response = client.post(f"{simulator.url}/v1/chat/completions", json={"messages": [message]})
    assert response.json()["model"] == "simulated-simulator"


@pytest.mark.parametrize(
    ("kind", "status", "code", "retry_after"),
    [
        (FaultKind.RATE_LIMITED, 429, "rate_limit_exceeded", "1"),
        (FaultKind.EXHAUSTED_QUOTA, 429, "insufficient_quota", None),
        (FaultKind.SERVER_FAULT, 500, None, None),
        (FaultKind.ERROR_IN_200, 200, 502, None),
    ],
)
def test_a_fault_that_the_platform_names_is_an_error_object(
    start: Start,
    client: httpx.Client,
    kind: FaultKind,
    status: int,
    code: str | int | None,
    retry_after: str | None,
) -> None:
    simulator = start(always(kind))
    response = ask(client, simulator)
    assert (response.status_code, response.json()["error"]["code"]) == (status, code)
    assert response.headers.get("retry-after") == retry_after
    assert counts(simulator)["faults"] == {kind.value: 1}
    assert (counts(simulator)["answered"], counts(simulator)["violations"]) == (0, 0)


def test_a_malformed_answer_is_no_json(start: Start, client: httpx.Client) -> None:
    response = ask(client, start(always(FaultKind.MALFORMED)))
    assert response.status_code == 200
    with pytest.raises(ValueError):
        response.json()


@pytest.mark.parametrize(
    ("kind", "content", "refusal", "finish_reason"),
    [
        (FaultKind.EMPTY, "", None, "stop"),
        (FaultKind.REFUSED, None, "I can't help with that.", "stop"),
        (FaultKind.TRUNCATED, "answ", None, "length"),
    ],
)
def test_an_answer_without_its_text_is_well_formed(
    start: Start,
    client: httpx.Client,
    kind: FaultKind,
    content: str | None,
    refusal: str | None,
    finish_reason: str,
) -> None:
    answered = choice(ask(client, start(always(kind))))
    assert answered["message"] == {"role": "assistant", "content": content, "refusal": refusal}
    assert answered["finish_reason"] == finish_reason


@pytest.mark.parametrize(
    "behaviour",
    [always(FaultKind.DISCONNECT), always(FaultKind.HANG, hang_s=0.05)],
    ids=["disconnect", "hang"],
)
def test_a_dropped_connection_brings_not_one_byte_and_is_no_error_of_the_server(
    start: Start,
    client: httpx.Client,
    behaviour: PlatformBehaviour,
    caplog: pytest.LogCaptureFixture,
) -> None:
    simulator = start(behaviour)
    with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
        ask(client, simulator)
    assert counts(simulator)["abandoned"] == 0
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


def test_a_hanging_call_outlasts_an_impatient_client(start: Start, client: httpx.Client) -> None:
    simulator = start(always(FaultKind.HANG, hang_s=60))
    client.timeout = httpx.Timeout(0.2)
    with pytest.raises(httpx.ReadTimeout):
        ask(client, simulator)
    assert counts(simulator)["faults"] == {"hang": 1}


def test_a_client_that_left_is_no_longer_in_flight(start: Start, client: httpx.Client) -> None:
    simulator = start(always(FaultKind.HANG, hang_s=60, max_concurrency=1))
    client.timeout = httpx.Timeout(0.2)
    for question in ("q1", "q2"):
        with pytest.raises(httpx.ReadTimeout):
            ask(client, simulator, question)
        wait_until(lambda: counts(simulator)["abandoned"] == counts(simulator)["sends"])
    assert counts(simulator)["concurrency_violations"] == 0


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 5
    while not holds():
        assert time.monotonic() < deadline, "it did not come true within 5 s"
        time.sleep(0.01)


def test_a_dripping_answer_sends_blank_lines_first(start: Start, client: httpx.Client) -> None:
    simulator = start(always(FaultKind.DRIP, drip_s=0.2, drip_every_s=0.05))
    response = ask(client, simulator)
    assert response.content.startswith(b"\n\n\n\n{")
    assert choice(response)["message"]["content"] == "answer 1"
    assert (counts(simulator)["answered"], counts(simulator)["faults"]) == (1, {"drip": 1})


def test_dripping_never_trips_a_read_timeout(start: Start, client: httpx.Client) -> None:
    simulator = start(always(FaultKind.DRIP, drip_s=0.8, drip_every_s=0.05))
    client.timeout = httpx.Timeout(0.4)
    assert ask(client, simulator).status_code == 200


def test_a_huge_answer_is_json_of_its_size(start: Start, client: httpx.Client) -> None:
    response = ask(client, start(always(FaultKind.HUGE, huge_bytes=1_000_001)))
    assert len(choice(response)["message"]["content"]) == 1_000_001


def test_a_client_may_leave_a_huge_answer_early(start: Start, client: httpx.Client) -> None:
    simulator = start(always(FaultKind.HUGE, huge_bytes=500_000_000))
    message = {"role": "user", "content": "q1"}
    url = f"{simulator.url_of('kimi')}/chat/completions"
    with client.stream("POST", url, json={"messages": [message]}) as response:
        assert len(next(response.iter_bytes())) > 0
    wait_until(lambda: counts(simulator)["abandoned"] == 1)


def test_an_answer_takes_its_time(start: Start, client: httpx.Client) -> None:
    simulator = start(PlatformBehaviour(latency=Latency(0.2, 0.2)))
    began = time.monotonic()
    ask(client, simulator)
    assert time.monotonic() - began >= 0.2


@pytest.mark.parametrize(
    ("path", "body", "status", "code", "counted"),
    [
        ("kimi/v1/chat/completions", {"messages": []}, 400, "invalid_request", "bad_requests"),
        (
            "kimi/v1/chat/completions",
            {"messages": [{"role": "user", "content": "never recorded"}]},
            400,
            "unknown_question",
            "unknown_questions",
        ),
        ("No%20Platform/v1/chat/completions", {}, 404, "unknown_platform", None),
    ],
)
def test_a_request_that_cannot_be_served_says_why(
    start: Start,
    client: httpx.Client,
    path: str,
    body: dict[str, object],
    status: int,
    code: str,
    counted: str | None,
) -> None:
    simulator = start()
    response = client.post(f"{simulator.url}/{path}", json=body)
    assert (response.status_code, response.json()["error"]["code"]) == (status, code)
    if counted is not None:
        assert counts(simulator)[counted] == 1
