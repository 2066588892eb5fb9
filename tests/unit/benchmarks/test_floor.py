"""The perfect client: what it needs follows from the limit, the faults and the rule."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.collector.floor import (
    floor_of,
    one_second,
    thirty_seconds_after_server_fault,
)
from benchmarks.collector.scenario import PLATFORM_ID, Scenario, queries, strict_scenario
from brand_visibility.simulator.faults import CallKey, choose_fault
from brand_visibility.simulator.settings import FaultKind, Latency, PlatformBehaviour


def a_scenario(
    questions: int = 10,
    *,
    rate: int | None = 10,
    faults: dict[FaultKind, float] | None = None,
    latency_s: float = 2.0,
) -> Scenario:
    latency = Latency(latency_s, latency_s)
    return Scenario(questions, PlatformBehaviour(latency, rate_limit=rate, faults=faults or {}))


def test_without_faults_the_last_answer_follows_the_last_send() -> None:
    floor = floor_of(a_scenario(questions=11), one_second)

    assert floor.sends == 11
    assert floor.faults == {}
    # Eleven sends, a tenth of a second apart, then two seconds for the last answer.
    assert floor.wall_s == pytest.approx(1.0 + 2.0)


def test_every_fault_costs_one_more_send() -> None:
    floor = floor_of(strict_scenario(500), one_second)

    assert sum(floor.faults.values()) > 0
    assert floor.sends == 500 + sum(floor.faults.values())


def test_the_faults_are_those_that_the_platform_chooses() -> None:
    scenario = strict_scenario(500)
    prompts = [query.prompt for query in queries(500)]
    first = [
        choose_fault(scenario.behaviour, CallKey(scenario.seed, PLATFORM_ID, prompt, 1))
        for prompt in prompts
    ]
    failed = {kind: first.count(kind) for kind in set(first) if kind is not None}

    floor = floor_of(scenario, one_second)

    for kind, count in failed.items():
        assert floor.faults[kind] >= count


def test_a_longer_wait_after_a_fault_never_shortens_the_night() -> None:
    scenario = strict_scenario(500)

    short = floor_of(scenario, one_second)
    long = floor_of(scenario, thirty_seconds_after_server_fault)

    assert long.sends == short.sends
    assert long.wall_s >= short.wall_s


@pytest.mark.parametrize(
    ("kind", "own_rule_s"),
    [
        (FaultKind.RATE_LIMITED, 1.0),
        (FaultKind.HANG, 1.0),
        (FaultKind.SERVER_FAULT, 30.0),
    ],
)
def test_only_a_server_fault_is_waited_for_longer(kind: FaultKind, own_rule_s: float) -> None:
    assert one_second(kind) == 1.0
    assert thirty_seconds_after_server_fault(kind) == own_rule_s


def test_a_hang_delays_its_retry_by_its_whole_length() -> None:
    # A single question whose first call hangs, found by looking at seeds.
    hanging = {FaultKind.HANG: 0.5}
    scenario = a_scenario(questions=1, faults=hanging, latency_s=0.0)
    seeds = (replace(scenario, seed=seed) for seed in range(100))
    hung_once = next(one for one in seeds if floor_of(one, one_second).sends == 2)

    floor = floor_of(hung_once, one_second)

    assert floor.wall_s == pytest.approx(scenario.behaviour.hang_s + 1.0)


def test_a_platform_without_a_limit_has_no_floor() -> None:
    with pytest.raises(ValueError, match="rate: found no limit"):
        floor_of(a_scenario(rate=None), one_second)


# A busy machine may take long for what is quick: how long is no part of the law.
@settings(deadline=None, max_examples=50)
@given(questions=st.integers(1, 60), rate=st.integers(1, 50))
def test_no_client_is_faster_than_the_limit(questions: int, rate: int) -> None:
    faults = {FaultKind.RATE_LIMITED: 0.3}

    floor = floor_of(a_scenario(questions=questions, rate=rate, faults=faults), one_second)

    assert floor.sends >= questions
    # A refusal at the very end is followed by a send, so the last send is an answered one.
    assert floor.wall_s >= (floor.sends - 1) / rate
