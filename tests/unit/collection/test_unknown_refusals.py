"""Refusals that no table knows: the pause, and what people are told of it."""

import asyncio
import dataclasses
import itertools
from collections.abc import Callable
from datetime import timedelta

import pytest
from engine_world import Reply, Send, World, after, an_account, queries

from brand_visibility.collection.breaker import BreakerState
from brand_visibility.collection.lane import LaneState
from brand_visibility.collection.notices import Notice, NoticeBoard
from brand_visibility.collection.summary import Summary
from brand_visibility.collection.unknown_refusals import UnknownRefusals, UnknownRefusalSettings
from brand_visibility.domain.outcomes import Answer, Failure, Outcome, Reason
from tests.virtual_time import MIDNIGHT, run_virtually

UNKNOWN = Failure(Reason.RATE_LIMITED, is_recognised=False)
KNOWN = Failure(Reason.RATE_LIMITED)
ANSWER = Answer("fine")


def noted(*outcomes: Outcome, at: float = 100.0) -> UnknownRefusals:
    refusals = UnknownRefusals(UnknownRefusalSettings())
    for outcome in outcomes:
        refusals.note(outcome, at, at)
    return refusals


@pytest.mark.parametrize(
    ("outcomes", "paused_until"),
    [
        ([UNKNOWN] * 2, None),
        ([UNKNOWN] * 3, 160.0),
        ([UNKNOWN, UNKNOWN, Failure(Reason.TIMED_OUT), KNOWN, UNKNOWN], 160.0),
        ([KNOWN] * 9, None),
        ([Failure(Reason.SERVER_FAULT, is_recognised=False)] * 9, None),
    ],
    ids=["two", "three", "other-failures-between-them", "known-ones", "no-refusals"],
)
def test_three_unknown_refusals_in_a_row_pause_the_account(
    outcomes: list[Outcome], paused_until: float | None
) -> None:
    refusals = noted(*outcomes)
    assert refusals.paused_until(100.0) == paused_until
    assert (refusals.since is not None) is (paused_until is not None)


@pytest.mark.parametrize("said", [ANSWER, Failure(Reason.REFUSED), Failure(Reason.BLOCKED)])
def test_whatever_the_platform_says_ends_the_row(said: Outcome) -> None:
    refusals = noted(UNKNOWN, UNKNOWN, said, at=100.0)
    for _ in range(2):
        refusals.note(UNKNOWN, 200.0, 200.0)
    assert refusals.paused_until(200.0) is None
    refusals.note(UNKNOWN, 200.0, 200.0)
    assert refusals.paused_until(200.0) == 260.0
    assert refusals.since == 200.0


@pytest.mark.parametrize(("later_s", "is_paused"), [(59.9, False), (60.0, True)])
def test_an_answer_of_the_last_minute_keeps_the_account_going(
    later_s: float, is_paused: bool
) -> None:
    refusals = noted(ANSWER, at=100.0)
    now = 100.0 + later_s
    for at in (120.0, 130.0, now):
        refusals.note(UNKNOWN, at, at)
    assert (refusals.paused_until(now) is not None) is is_paused
    assert refusals.since == (120.0 if is_paused else None)


@pytest.mark.parametrize(("now", "until"), [(159.9, 160.0), (160.0, None)])
def test_the_pause_lasts_a_minute(now: float, until: float | None) -> None:
    assert noted(*[UNKNOWN] * 3).paused_until(now) == until


@pytest.mark.parametrize(("sent_at", "until"), [(99.9, 160.0), (160.0, 221.0)])
def test_after_the_pause_one_more_is_enough_unless_it_was_under_way(
    sent_at: float, until: float
) -> None:
    refusals = noted(*[UNKNOWN] * 3)
    refusals.note(UNKNOWN, sent_at, 161.0)
    assert (refusals.paused_until(161.0) or 160.0) == until
    assert refusals.since == 100.0


def test_an_answer_under_way_ends_the_pause() -> None:
    refusals = noted(*[UNKNOWN] * 3)
    refusals.note(ANSWER, 99.0, 110.0)
    assert (refusals.paused_until(110.0), refusals.since) == (None, None)


def refusing(account_id: str, start: float, end: float) -> Callable[[Send], Reply]:
    """Return a platform that refuses an account between two times, and nobody knows why."""

    def script(send: Send) -> Reply:
        is_refused = send.account_id == account_id and start <= send.at - 1000.0 < end
        return Reply(UNKNOWN if is_refused else ANSWER)

    return script


def test_an_account_that_is_refused_rests_by_the_minute_and_the_others_go_on() -> None:
    async def main() -> None:
        accounts = [an_account("refused", rate=2), an_account("well", rate=2)]
        world = World(refusing("refused", 0.0, 150.0), accounts=accounts)
        summary = await world.collector.run(queries(700))
        assert summary.answered == 700
        times = world.times("refused")
        gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
        # Two pauses and a third one, until it is answered again.
        assert [gap for gap in gaps if gap > 30] == pytest.approx([60, 60, 60], abs=1.0)
        assert len([at for at in times if at < world.started + 150]) <= 10
        gaps = [later - earlier for earlier, later in itertools.pairwise(world.times("well"))]
        assert max(gaps) < 1.0

    run_virtually(main())


def test_a_row_of_them_is_told_once_an_episode() -> None:
    async def main() -> None:
        told: list[Notice] = []
        board = NoticeBoard("deepseek", told.append)
        world = World(
            refusing("main", 10.0, 130.0), accounts=[an_account(rate=2)], on_progress=board.hear
        )
        await world.collector.run(queries(300))
        (notice,) = told
        assert (notice.platform_id, notice.account_id) == ("deepseek", "main")
        first_refusal = MIDNIGHT + timedelta(seconds=world.started + 10.0)
        assert timedelta(0) <= notice.since - first_refusal < timedelta(seconds=2)
        assert world.collector.lanes()[0].refused_since is None

    run_virtually(main())


def a_summary(refused: bool) -> Summary:
    lane = LaneState("main", BreakerState.CLOSED, 2.0, 2.0, 0, 20)
    since = MIDNIGHT if refused else None
    lanes = (dataclasses.replace(lane, refused_since=since),)
    return Summary(asked=1, answered=0, failed={}, attempts=0, lanes=lanes)


def test_an_episode_after_an_answer_is_a_new_one() -> None:
    told: list[Notice] = []
    board = NoticeBoard("deepseek", told.append)
    counts = []
    for refused in (False, True, True, False, True):
        board.hear(a_summary(refused))
        counts.append(len(told))
    assert counts == [0, 1, 1, 1, 2]


def test_a_stop_during_the_pause_ends_at_once() -> None:
    async def main() -> None:
        world = World(refusing("main", 0.0, 1e6))
        stopping = asyncio.create_task(after(20.0, world.collector.request_stop))
        summary = await world.collector.run(queries(100))
        await stopping
        assert summary.was_stopped
        assert summary.lanes[0].refused_since is not None
        assert world.elapsed == pytest.approx(20, abs=1)

    run_virtually(main())
