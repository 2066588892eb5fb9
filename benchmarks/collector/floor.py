"""What a perfect client would need: a simulation of events, without a clock or a network.

It sends evenly at the limit, prefers what is due again, and has no cost of its own. The
faults are those that the simulated platform would choose for the same calls.
"""

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.collector.scenario import PLATFORM_ID, Scenario, queries
from brand_visibility.simulator.faults import CallKey, choose_fault, choose_latency_s
from brand_visibility.simulator.settings import FaultKind

# Seconds to wait after a fault.
Rule = Callable[[FaultKind], float]
ALWAYS_S = 1.0
AFTER_SERVER_FAULT_S = 30.0


@dataclass(frozen=True, slots=True)
class Floor:
    """The least that the scenario can take: `wall_s` from the first send to the last answer."""

    wall_s: float
    sends: int
    faults: dict[FaultKind, int]


def one_second(_: FaultKind) -> float:
    """Wait a second after every fault."""
    return ALWAYS_S


def thirty_seconds_after_server_fault(kind: FaultKind) -> float:
    """Wait as this project does: 30 s after a 5xx, else what the platform names."""
    return AFTER_SERVER_FAULT_S if kind is FaultKind.SERVER_FAULT else ALWAYS_S


def floor_of(scenario: Scenario, rule: Rule, *, rate: float | None = None) -> Floor:
    """Return what the scenario's questions need, in the order in which they are asked.

    `rate` in sends a second overrides the platform's limit.
    """
    limit = rate or scenario.behaviour.rate_limit
    if limit is None:
        raise ValueError("rate: found no limit; expected one, the floor follows from it")
    prompts = [query.prompt for query in queries(scenario.questions)]
    return _Simulation(scenario, rule, prompts).run(1 / limit)


class _Simulation:
    def __init__(self, scenario: Scenario, rule: Rule, prompts: Sequence[str]) -> None:
        self._scenario = scenario
        self._rule = rule
        self._prompts = prompts
        self._deferred: list[tuple[float, int, int]] = []
        self._faults: dict[FaultKind, int] = {}
        self._last_answer = 0.0

    def run(self, interval_s: float) -> Floor:
        fresh, now, sends = 0, 0.0, 0
        while fresh < len(self._prompts) or self._deferred:
            if self._deferred and (fresh == len(self._prompts) or self._deferred[0][0] <= now):
                due, number, attempt = heapq.heappop(self._deferred)
                now = max(now, due)
            else:
                number, attempt = fresh, 1
                fresh += 1
            self._send(number, attempt, now)
            sends += 1
            now += interval_s
        return Floor(self._last_answer, sends, self._faults)

    def _send(self, number: int, attempt: int, now: float) -> None:
        behaviour = self._scenario.behaviour
        key = CallKey(self._scenario.seed, PLATFORM_ID, self._prompts[number], attempt)
        fault = choose_fault(behaviour, key)
        if fault is None:
            self._last_answer = max(
                self._last_answer, now + choose_latency_s(behaviour.latency, key)
            )
            return
        self._faults[fault] = self._faults.get(fault, 0) + 1
        failed = now + self._seconds_until_failure(fault, key)
        heapq.heappush(self._deferred, (failed + self._rule(fault), number, attempt + 1))

    def _seconds_until_failure(self, fault: FaultKind, key: CallKey) -> float:
        behaviour = self._scenario.behaviour
        if fault is FaultKind.RATE_LIMITED:
            return 0.0
        if fault is FaultKind.HANG:
            return behaviour.hang_s
        return choose_latency_s(behaviour.latency, key)
