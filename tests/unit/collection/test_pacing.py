import asyncio
import itertools
import random
from collections.abc import Callable, Sequence

import pytest
from engine_world import SPACING, busiest
from hypothesis import given, settings
from hypothesis import strategies as st

from brand_visibility.collection.pacing import (
    DEFAULT_JITTER,
    GuardRing,
    LocalPace,
    PacedGate,
    window,
)
from brand_visibility.collection.ports import PaceSource
from tests.virtual_time import VirtualClock, run_virtually

RATES = [0.1, 0.5, 1.0, 2.5, 7.0, 20.0, 200.0, 2000.0]


class LateClock(VirtualClock):
    """A clock of a busy machine: it wakes a sleeper up to so many seconds late."""

    def __init__(self, lateness: Callable[[], float]) -> None:
        self._lateness = lateness

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds + self._lateness())


class ListedPace:
    """Hands out the listed slots and remembers how many were asked for."""

    def __init__(self, slots: Sequence[float], latency_s: float = 0.0) -> None:
        self._slots = iter(slots)
        self._latency_s = latency_s
        self.asked: list[int] = []

    async def reserve(self, count: int) -> Sequence[float]:
        self.asked.append(count)
        await asyncio.sleep(self._latency_s)
        return list(itertools.islice(self._slots, count))


async def admissions(
    gate: PacedGate, clock: VirtualClock, count: int, *, work_s: float = 0.0
) -> list[float]:
    times = []
    for left in range(count, 0, -1):
        await gate.admit(left)
        times.append(clock.monotonic())
        if work_s:
            await asyncio.sleep(work_s)
    await gate.close()
    return times


def a_gate(
    source: PaceSource, clock: VirtualClock, *, rate: float, block: int | None = None
) -> PacedGate:
    return PacedGate(source, clock, rate=rate, block=block or max(1, round(rate / 4)))


@pytest.mark.parametrize(
    ("rate", "expected"),
    [(200.0, (200, 1.0)), (1.0, (1, 1.0)), (2.5, (2, 0.8)), (0.5, (1, 2.0)), (0.99, (1, 1 / 0.99))],
)
def test_a_rate_is_a_number_of_sends_in_a_window(rate: float, expected: tuple[int, float]) -> None:
    sends, seconds = window(rate)
    assert (sends, seconds) == (expected[0], pytest.approx(expected[1]))


def test_local_slots_are_spaced_a_little_wider_than_the_limit() -> None:
    async def main() -> None:
        clock = VirtualClock()
        pace = LocalPace(10, clock, jitter=0.02)
        now = clock.monotonic()
        slots = [*await pace.reserve(2), *await pace.reserve(1)]
        assert slots == pytest.approx([now, now + 0.102, now + 0.204])

    run_virtually(main())


def test_local_slots_of_the_past_are_gone_after_idleness() -> None:
    async def main() -> None:
        clock = VirtualClock()
        pace = LocalPace(10, clock, jitter=0.0)
        await pace.reserve(1)
        await asyncio.sleep(5)
        now = clock.monotonic()
        assert await pace.reserve(2) == pytest.approx([now, now + 0.1])

    run_virtually(main())


@pytest.mark.parametrize(
    ("sent", "now", "expected"),
    [
        ([0.0], 0.5, 0.0),
        ([0.0, 0.5], 0.9, 0.11),
        ([0.0, 0.5], 1.0, 0.01),
        ([0.0, 0.5], 1.01, 0.0),
        ([0.0, 0.5, 1.01], 1.02, 0.49),
    ],
)
def test_the_guard_rests_until_the_oldest_of_n_sends_is_old_enough(
    sent: list[float], now: float, expected: float
) -> None:
    guard = GuardRing(2, jitter=0.02)
    for moment in sent:
        guard.note(moment)
    assert guard.delay(now) == pytest.approx(expected)


def test_the_guard_of_a_slow_rate_keeps_its_sends_apart() -> None:
    guard = GuardRing(0.5, jitter=0.02)
    guard.note(0.0)
    assert guard.delay(2.0) == pytest.approx(0.02)
    assert guard.delay(2.02) == 0.0


@pytest.mark.parametrize("rate", RATES)
def test_the_pace_uses_98_percent_of_the_rate_and_never_more(rate: float) -> None:
    async def main() -> None:
        clock = VirtualClock()
        count = max(10, round(rate * 4))
        times = await admissions(a_gate(LocalPace(rate, clock), clock, rate=rate), clock, count)
        sends, seconds = window(rate)
        assert busiest(times, seconds) <= sends
        assert (count - 1) / (times[-1] - times[0]) == pytest.approx(rate / SPACING, rel=1e-6)

    run_virtually(main())


@settings(max_examples=40, deadline=None)
@given(
    rate=st.sampled_from([0.5, 1.0, 2.5, 7.0, 40.0, 200.0]),
    worst_s=st.sampled_from([0.001, 0.005, 0.02, 0.3]),
    seed=st.integers(0, 2**32),
)
def test_no_window_exceeds_the_limit_however_late_the_machine_wakes(
    rate: float, worst_s: float, seed: int
) -> None:
    rng = random.Random(seed)

    async def main() -> None:
        clock = LateClock(lambda: rng.uniform(0, worst_s) if rng.random() < 0.3 else 0.0)
        gate = a_gate(LocalPace(rate, clock), clock, rate=rate)
        times = await admissions(gate, clock, 300, work_s=rng.choice([0.0, 0.0005]))
        sends, seconds = window(rate)
        assert busiest(times, seconds) <= sends

    run_virtually(main())


@settings(max_examples=25, deadline=None)
@given(processes=st.integers(2, 4), seed=st.integers(0, 2**32))
def test_processes_that_share_slots_hold_the_limit_together(processes: int, seed: int) -> None:
    rng = random.Random(seed)
    rate = 100.0

    async def main() -> None:
        shared = LocalPace(rate, VirtualClock())
        clock = LateClock(lambda: rng.uniform(0, 0.03) if rng.random() < 0.2 else 0.0)
        gates = [a_gate(shared, clock, rate=rate) for _ in range(processes)]
        times = await asyncio.gather(*(admissions(gate, clock, 200) for gate in gates))
        assert busiest(list(itertools.chain.from_iterable(times))) <= rate

    run_virtually(main())


def test_a_slot_that_the_process_is_late_for_is_given_up() -> None:
    async def main() -> None:
        clock = VirtualClock()
        now = clock.monotonic()
        # A slot keeps for half of what a window's slots are spaced wider than their limit.
        keeps_s = DEFAULT_JITTER / 2
        missed, kept = now - keeps_s - 0.001, now - keeps_s + 0.001
        gate = a_gate(ListedPace([missed, kept, now + 1]), clock, rate=10, block=3)
        assert await admissions(gate, clock, 2) == pytest.approx([now, now + 1])

    run_virtually(main())


@pytest.mark.parametrize(("is_wanted", "next_at"), [(False, 1.5), (True, 2 + DEFAULT_JITTER / 2)])
def test_a_slot_that_nobody_wants_when_it_comes_counts_as_no_send(
    is_wanted: bool, next_at: float
) -> None:
    async def main() -> None:
        clock = VirtualClock()
        now = clock.monotonic()
        slots = ListedPace([now + 1.0, now + 1.5])
        gate = a_gate(slots, clock, rate=1, block=2)
        assert await gate.admit(2, lambda: is_wanted) is is_wanted
        assert await gate.admit(1)
        assert clock.monotonic() - now == pytest.approx(next_at)
        await gate.close()

    run_virtually(main())


def test_a_stall_is_not_caught_up_in_a_burst() -> None:
    async def main() -> None:
        clock = VirtualClock()
        gate = a_gate(LocalPace(100, clock), clock, rate=100)
        before = await admissions(gate, clock, 50)
        await asyncio.sleep(3)
        after = await admissions(gate, clock, 50)
        assert after[-1] - after[0] == pytest.approx(before[-1] - before[0])

    run_virtually(main())


def test_the_next_block_is_reserved_before_the_current_one_is_used_up() -> None:
    async def main() -> None:
        clock = VirtualClock()
        start = clock.monotonic() + 0.1
        slots = [start + 0.1 * index for index in range(12)]
        source = ListedPace(slots, latency_s=0.1)
        times = await admissions(a_gate(source, clock, rate=20, block=4), clock, 12)
        assert times == pytest.approx(slots)
        assert source.asked == [4, 4, 4]

    run_virtually(main())


def test_no_more_slots_are_reserved_than_sends_are_in_sight() -> None:
    async def main() -> None:
        clock = VirtualClock()
        source = ListedPace([clock.monotonic() + index for index in range(20)])
        gate = a_gate(source, clock, rate=1, block=10)
        await admissions(gate, clock, 3)
        assert source.asked == [3]

    run_virtually(main())


def test_closing_ends_a_reservation_that_is_under_way() -> None:
    async def main() -> None:
        clock = VirtualClock()
        gate = a_gate(ListedPace([0.0], latency_s=3600), clock, rate=1)
        waiting = asyncio.create_task(gate.admit())
        await asyncio.sleep(1)
        waiting.cancel()
        await gate.close()
        assert waiting.cancelled()
        assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []

    run_virtually(main())


def test_an_error_of_the_source_reaches_the_sender() -> None:
    class BrokenPace:
        async def reserve(self, count: int) -> Sequence[float]:
            raise ConnectionError("no database")

    async def main() -> None:
        gate = a_gate(BrokenPace(), VirtualClock(), rate=1)
        with pytest.raises(ConnectionError, match="no database"):
            await gate.admit()
        await gate.close()

    run_virtually(main())
