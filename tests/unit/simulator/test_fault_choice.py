import dataclasses
from collections import Counter
from statistics import median, quantiles

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brand_visibility.simulator.faults import Call, CallKey, choose_fault, choose_latency_s
from brand_visibility.simulator.settings import FaultKind, Latency, PlatformBehaviour

SOME = PlatformBehaviour(faults={FaultKind.RATE_LIMITED: 0.2, FaultKind.HANG: 0.1})
KEY = CallKey(seed=7, platform_id="deepseek", prompt="推荐一款手机", attempt=1)
CALLS = 4000


def keys(count: int) -> list[CallKey]:
    return [dataclasses.replace(KEY, prompt=f"question {number}") for number in range(count)]


@given(prompt=st.text(st.characters(exclude_categories=["Cs"])), attempt=st.integers(1, 9))
def test_the_same_call_always_meets_the_same_fate(prompt: str, attempt: int) -> None:
    fates = {
        (choose_fault(SOME, key), choose_latency_s(Latency(0.2, 2.0), key))
        for key in (CallKey(7, "deepseek", prompt, attempt) for _ in range(2))
    }
    assert len(fates) == 1


@pytest.mark.parametrize(
    "other",
    [{"seed": 8}, {"platform_id": "kimi"}, {"prompt": "推荐一台电视"}, {"attempt": 2}],
    ids=lambda other: next(iter(other)),
)
def test_every_coordinate_of_a_call_changes_its_draw(other: dict[str, object]) -> None:
    changed = dataclasses.replace(KEY, **other)  # type: ignore[arg-type]
    assert changed.uniform("fault") != KEY.uniform("fault")


def test_faults_come_as_often_as_their_rates_say() -> None:
    met = Counter(choose_fault(SOME, key) for key in keys(CALLS))
    # Four standard deviations of a binomial count.
    assert met[FaultKind.RATE_LIMITED] == pytest.approx(0.2 * CALLS, abs=4 * (CALLS * 0.16) ** 0.5)
    assert met[FaultKind.HANG] == pytest.approx(0.1 * CALLS, abs=4 * (CALLS * 0.09) ** 0.5)
    assert set(met) == {None, FaultKind.RATE_LIMITED, FaultKind.HANG}


@pytest.mark.parametrize("kind", FaultKind)
def test_a_rate_of_one_meets_every_call_and_a_rate_of_zero_none(kind: FaultKind) -> None:
    always = PlatformBehaviour(faults={kind: 1.0})
    never = PlatformBehaviour(faults={kind: 0.0})
    assert {choose_fault(always, key) for key in keys(50)} == {kind}
    assert {choose_fault(never, key) for key in keys(50)} == {None}


@pytest.mark.parametrize("kind", [None, *FaultKind])
def test_only_a_sound_or_a_dripping_call_is_answered(kind: FaultKind | None) -> None:
    call = Call(key=KEY, answer_number=0, fault=kind, latency_s=0.0)
    assert call.is_answered is (kind in (None, FaultKind.DRIP))


def test_latencies_have_the_median_and_the_99th_percentile_they_were_given() -> None:
    taken = [choose_latency_s(Latency(median_s=0.2, p99_s=2.0), key) for key in keys(CALLS)]
    assert median(taken) == pytest.approx(0.2, rel=0.1)
    assert quantiles(taken, n=100)[98] == pytest.approx(2.0, rel=0.3)


def test_a_median_of_zero_takes_no_time() -> None:
    assert choose_latency_s(Latency(median_s=0.0, p99_s=2.0), KEY) == 0.0


def test_equal_median_and_percentile_give_a_constant() -> None:
    taken = {round(choose_latency_s(Latency(0.5, 0.5), key), 9) for key in keys(20)}
    assert taken == {0.5}
