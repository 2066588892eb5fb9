"""How the ledger's slots are translated to the clock of the process that sends."""

import asyncio
from collections.abc import Callable, Mapping
from typing import cast

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brand_visibility.adapters.ledger.pace import PACE_MARGIN, ClockOffset, LedgerPace
from tests.virtual_time import VirtualClock, run_virtually

RATE = 200.0
INTERVAL_S = (1 + PACE_MARGIN) / RATE
PROMPT_S = 0.001


class Answer:
    def __init__(self, *row: float) -> None:
        self._row = row

    async def fetchone(self) -> tuple[float, ...]:
        return self._row


class Database:
    """A ledger of one account whose clock and ways there and back are the test's."""

    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock
        self.ahead_s = 1_000_000.0
        self.way_there_s = self.way_back_s = PROMPT_S
        self.next_at = 0.0

    @property
    def now(self) -> float:
        return self._clock.monotonic() + self.ahead_s

    async def execute(self, _statement: str, values: Mapping[str, float]) -> Answer:
        await asyncio.sleep(self.way_there_s)
        answer = Answer(self.now)
        if values:
            self.next_at = max(self.next_at, self.now + values["lead_s"]) + values["block_s"]
            answer = Answer(self.now, self.next_at)
        await asyncio.sleep(self.way_back_s)
        return answer


def a_pace(database: Database, clock: VirtualClock) -> LedgerPace:
    return LedgerPace(
        cast(psycopg.AsyncConnection, database),
        clock,
        platform_id="deepseek",
        account_id="main",
        rate_per_second=RATE,
    )


def late_answer(database: Database) -> None:
    database.way_back_s = 0.2


def very_late_answer(database: Database) -> None:
    database.way_back_s = 5.0


def late_question(database: Database) -> None:
    database.way_there_s = 0.2


@pytest.mark.parametrize("disturb", [late_answer, very_late_answer, late_question])
def test_slots_do_not_move_with_what_the_network_delays(
    disturb: Callable[[Database], None],
) -> None:
    async def main() -> None:
        clock = VirtualClock()
        database = Database(clock)
        pace = a_pace(database, clock)
        # Far enough ahead for the blocks to follow each other whatever is late.
        await pace.reserve(4_000)
        before = await pace.reserve(3)
        disturb(database)
        during = await pace.reserve(3)
        assert [*before, *during] == pytest.approx(
            [before[0] + position * INTERVAL_S for position in range(6)], abs=1e-6
        )

    run_virtually(main())


def test_a_slot_that_passed_on_the_way_back_is_seen_to_have_passed() -> None:
    async def main() -> None:
        clock = VirtualClock()
        database = Database(clock)
        pace = a_pace(database, clock)
        await pace.reserve(1)
        await asyncio.sleep(1)
        late_answer(database)
        slots = await pace.reserve(2)
        assert clock.monotonic() - slots[0] == pytest.approx(0.18, abs=0.002)

    run_virtually(main())


def test_a_late_first_answer_does_not_move_the_first_block() -> None:
    async def main() -> None:
        clock = VirtualClock()
        database = Database(clock)
        late_answer(database)
        reservation = asyncio.ensure_future(a_pace(database, clock).reserve(1))
        await asyncio.sleep(0.1)
        database.way_back_s = PROMPT_S
        (slot,) = await reservation
        assert slot == pytest.approx(database.next_at - INTERVAL_S - database.ahead_s, abs=0.002)

    run_virtually(main())


@pytest.mark.parametrize("step_s", [-3_600.0, -0.5, -0.01, 0.01, 0.5, 3_600.0])
def test_a_database_clock_that_is_set_is_followed_at_once(step_s: float) -> None:
    async def main() -> None:
        clock = VirtualClock()
        database = Database(clock)
        pace = a_pace(database, clock)
        await pace.reserve(1)
        database.ahead_s += step_s
        database.next_at = 0.0
        (slot,) = await pace.reserve(1)
        assert slot == pytest.approx(database.next_at - INTERVAL_S - database.ahead_s, abs=0.002)

    run_virtually(main())


def test_clocks_that_drift_apart_are_followed_within_half_a_minute() -> None:
    offset = ClockOffset()
    seen = [
        offset.note(at * 0.9999, asked=at - 1, answered=at)
        for at in (float(second) for second in range(600))
    ]
    assert seen[-1] == pytest.approx(599 * 0.0001, abs=30.5 * 0.0001)


@pytest.mark.parametrize(("later_s", "is_known"), [(30.0, True), (30.1, False)])
def test_an_answer_is_remembered_for_half_a_minute(later_s: float, is_known: bool) -> None:
    offset = ClockOffset()
    assert not offset.is_known(0.0)
    offset.note(0.0, asked=-1.0, answered=0.0)
    assert offset.is_known(later_s) is is_known


WAYS = st.lists(
    st.tuples(st.floats(0, 2), st.floats(0, 2), st.floats(0, 5)), min_size=1, max_size=60
)


@given(WAYS)
def test_the_offset_is_the_promptest_answer_of_the_last_half_minute(
    ways: list[tuple[float, float, float]],
) -> None:
    offset, now = ClockOffset(), 0.0
    backs: list[tuple[float, float]] = []
    for there, back, pause in ways:
        answered = now + there + back
        backs.append((answered, back))
        found = offset.note(now + there - 7.0, asked=now, answered=answered)
        promptest = min(way for at, way in backs if at >= answered - 30.0)
        assert found - 7.0 == pytest.approx(promptest, abs=1e-9)
        now = answered + pause
