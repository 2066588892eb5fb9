import gc
import json
import logging
import socket
import threading
import time

import httpx
import pytest

from brand_visibility.domain.errors import InputError
from brand_visibility.simulator.recorded import RecordedAnswers
from brand_visibility.simulator.settings import FaultKind, PlatformBehaviour, SimulatorSettings
from brand_visibility.simulator.simulator import Simulator

SOURCE = RecordedAnswers({"q": ["a"]})
BODY = {"messages": [{"role": "user", "content": "q"}]}


def a_simulator(behaviour: PlatformBehaviour | None = None, *, port: int = 0) -> Simulator:
    settings = SimulatorSettings(behaviour=behaviour or PlatformBehaviour())
    return Simulator(settings, SOURCE, port=port)


def hold_a_call(simulator: Simulator, outcomes: list[str]) -> threading.Thread:
    def call() -> None:
        try:
            httpx.post(f"{simulator.url_of('kimi')}/chat/completions", json=BODY, timeout=30)
            outcomes.append("answered")
        except httpx.TransportError:
            outcomes.append("dropped")

    caller = threading.Thread(target=call)
    caller.start()
    return caller


def wait_for_a_call(simulator: Simulator) -> None:
    deadline = time.monotonic() + 5
    while simulator.stats()["total"]["in_flight_max"] == 0:  # type: ignore[index]
        assert time.monotonic() < deadline, "no call arrived within 5 s"
        time.sleep(0.01)


@pytest.mark.parametrize("kind", [FaultKind.HANG, FaultKind.DRIP], ids=lambda kind: kind.value)
def test_it_stops_at_once_and_leaves_nothing_behind_with_a_call_in_flight(
    kind: FaultKind, caplog: pytest.LogCaptureFixture
) -> None:
    before = set(threading.enumerate())
    outcomes: list[str] = []
    behaviour = PlatformBehaviour(faults={kind: 1.0}, hang_s=600, drip_s=600)
    with caplog.at_level(logging.WARNING):
        with a_simulator(behaviour) as simulator:
            caller = hold_a_call(simulator, outcomes)
            wait_for_a_call(simulator)
            stopping_at = time.monotonic()
        assert time.monotonic() - stopping_at < 3
        caller.join(timeout=5)
        gc.collect()
    assert outcomes == ["dropped"]
    assert simulator.stats()["total"]["abandoned"] == 1  # type: ignore[index]
    assert set(threading.enumerate()) == before
    assert caplog.messages == []


def test_it_stops_while_a_client_reads_nothing_of_a_huge_answer() -> None:
    behaviour = PlatformBehaviour(faults={FaultKind.HUGE: 1.0}, huge_bytes=2**40)
    with socket.socket() as silent:
        with a_simulator(behaviour) as simulator:
            silent.connect(("127.0.0.1", int(simulator.url.rpartition(":")[2])))
            body = json.dumps(BODY).encode()
            head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}"
            silent.sendall(head.encode() + b"\r\n\r\n" + body)
            wait_for_a_call(simulator)
            stopping_at = time.monotonic()
        assert time.monotonic() - stopping_at < 3
        gc.collect()
    assert simulator.stats()["total"]["abandoned"] == 1  # type: ignore[index]


def test_its_port_is_free_again_afterwards() -> None:
    with a_simulator() as simulator:
        httpx.post(f"{simulator.url}/v1/chat/completions", json=BODY).raise_for_status()
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{simulator.url}/health")
    port = int(simulator.url.rpartition(":")[2])
    with a_simulator(port=port) as again:
        assert again.url == simulator.url
        assert httpx.get(f"{again.url}/health").json() == {"status": "ok"}


def test_a_taken_port_is_an_input_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=f"127.0.0.1:{port}"), a_simulator(port=port):
            pass


@pytest.mark.parametrize("port", [-1, 65_536])
def test_an_impossible_port_is_an_input_error(port: int) -> None:
    with pytest.raises(InputError, match=str(port)), a_simulator(port=port):
        pass


def test_the_counts_can_be_read_and_reset_while_it_runs_and_read_afterwards() -> None:
    with a_simulator() as simulator:
        for _ in range(2):
            httpx.post(f"{simulator.url}/v1/chat/completions", json=BODY).raise_for_status()
            simulator.reset()
        httpx.post(f"{simulator.url}/v1/chat/completions", json=BODY).raise_for_status()
        during = simulator.stats()
    assert during["total"]["sends"] == 1  # type: ignore[index]
    assert simulator.stats() == during


def test_two_simulators_run_side_by_side() -> None:
    with a_simulator() as first, a_simulator() as second:
        assert first.url != second.url
        httpx.post(f"{first.url}/v1/chat/completions", json=BODY).raise_for_status()
        assert second.stats()["platforms"] == {}


def test_an_error_inside_the_block_still_stops_it() -> None:
    simulator = a_simulator()
    with pytest.raises(KeyError), simulator:
        raise KeyError
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{simulator.url}/health")
