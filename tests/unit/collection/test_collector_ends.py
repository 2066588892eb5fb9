"""How a collection ends: deadline, stop, accounts that stop, errors."""

import asyncio

import pytest
from engine_world import (
    Reply,
    Send,
    StrictJournal,
    World,
    after,
    always,
    an_account,
    failing,
    first_then,
    queries,
)

from brand_visibility.collection.engine_settings import EngineSettings
from brand_visibility.domain.outcomes import Answer, QueryState, Reason
from tests.virtual_time import VirtualClock, run_virtually


def in_seconds(seconds: float) -> float:
    return VirtualClock().monotonic() + seconds


def test_the_deadline_cuts_off_what_has_no_outcome() -> None:
    async def main() -> None:
        world = World(accounts=[an_account(rate=10)], deadline=in_seconds(5.05))
        summary = await world.collector.run(queries(200))
        assert summary.answered == len(world.sender.sends) == 50
        assert summary.failed == {Reason.CUT_OFF: 150}
        assert (summary.cut_off, summary.left, summary.was_stopped) == (150, 0, False)
        assert set(world.journal.given_up.values()) == {Reason.CUT_OFF}

    run_virtually(main())


def test_calls_in_flight_at_the_deadline_still_bring_their_answers() -> None:
    async def main() -> None:
        world = World(always(Reply(latency_s=50.0)), deadline=in_seconds(3.0))
        summary = await world.collector.run(queries(20))
        assert summary.answered == 20
        assert world.elapsed > 50

    run_virtually(main())


@pytest.mark.parametrize(
    ("named_s", "outcome"),
    [(8.0, {Reason.SERVER_FAULT: 5}), (5.0, {})],
    ids=["due-after-the-deadline", "due-before-it"],
)
def test_no_retry_is_planned_past_the_deadline(named_s: float, outcome: dict[Reason, int]) -> None:
    async def main() -> None:
        script = first_then(failing(Reason.SERVER_FAULT, retry_after_s=named_s))
        world = World(script, deadline=in_seconds(8.0))
        summary = await world.collector.run(queries(5))
        assert summary.failed == outcome
        assert world.elapsed < 8.0

    run_virtually(main())


def test_a_retry_that_waits_at_the_deadline_is_cut_off() -> None:
    async def main() -> None:
        script = first_then(failing(Reason.SERVER_FAULT, retry_after_s=6.0))
        world = World(script, accounts=[an_account(rate=1)], deadline=in_seconds(8.0))
        summary = await world.collector.run(queries(7))
        # The first retry gets its slot at 7.14 s, the second one would at 8.16 s.
        assert summary.answered == 1
        assert summary.failed == {Reason.CUT_OFF: 1, Reason.SERVER_FAULT: 5}
        assert max(world.times()) < world.started + 8.0

    run_virtually(main())


def test_a_deadline_that_has_passed_sends_nothing() -> None:
    async def main() -> None:
        world = World(deadline=in_seconds(0.0))
        summary = await world.collector.run(queries(5))
        assert summary.failed == {Reason.CUT_OFF: 5}
        assert world.sender.sends == []

    run_virtually(main())


def test_a_stop_drains_what_is_in_flight_and_leaves_the_rest_to_resume() -> None:
    async def main() -> None:
        world = World(always(Reply(latency_s=2.0)), accounts=[an_account(rate=10)])
        stopping = asyncio.create_task(after(5.05, world.collector.request_stop))
        summary = await world.collector.run(queries(200))
        await stopping
        assert summary.was_stopped
        assert summary.answered == len(world.sender.sends) == 50
        assert (summary.failed, summary.left) == ({}, 150)
        assert world.elapsed == pytest.approx(7.05, abs=0.1)
        assert world.journal.given_up == {}

    run_virtually(main())


def test_a_stop_waits_no_longer_than_the_drain_time() -> None:
    async def main() -> None:
        world = World(
            lambda send: Reply(latency_s=1.0 if send.query_id == "q0" else 500.0),
            settings=EngineSettings(drain_s=10.0),
        )
        stopping = asyncio.create_task(after(0.5, world.collector.request_stop))
        summary = await world.collector.run(queries(5))
        await stopping
        assert (summary.answered, summary.left) == (1, 4)
        assert world.elapsed == pytest.approx(10.5, abs=0.1)
        assert world.sender.in_flight == 0

    run_virtually(main())


def test_a_retry_found_while_draining_stays_pending() -> None:
    async def main() -> None:
        world = World(always(failing(Reason.TIMED_OUT)))
        stopping = asyncio.create_task(after(0.1, world.collector.request_stop))
        summary = await world.collector.run(queries(1))
        await stopping
        assert summary.left == 1
        assert world.journal.states == {"q0": QueryState.PENDING}

    run_virtually(main())


def test_what_was_staged_and_never_sent_is_pending_again_after_a_stop() -> None:
    async def main() -> None:
        accounts = [an_account(rate=40, concurrency=200)]
        world = World(always(Reply(latency_s=2.0)), accounts=accounts)
        stopping = asyncio.create_task(after(5.01, world.collector.request_stop))
        summary = await world.collector.run(queries(800))
        await stopping
        assert world.journal.released
        assert not set(world.journal.released) & set(world.sent_ids())
        states = set(world.journal.states.values())
        assert states == {QueryState.ANSWERED, QueryState.PENDING}
        assert summary.left == 800 - len(world.sender.sends)

    run_virtually(main())


def test_what_was_sent_and_broken_off_stays_running_since_it_may_be_paid_for() -> None:
    async def main() -> None:
        world = World(
            always(Reply(latency_s=500.0)),
            accounts=[an_account(rate=40)],
            settings=EngineSettings(drain_s=10.0),
        )
        stopping = asyncio.create_task(after(1.01, world.collector.request_stop))
        await world.collector.run(queries(800))
        await stopping
        running = {name for name, state in world.journal.states.items() if state == "running"}
        assert running == set(world.sent_ids())
        assert world.journal.released

    run_virtually(main())


def test_what_was_being_marked_when_the_collection_was_cancelled_is_pending_again() -> None:
    async def main() -> None:
        journal = StrictJournal(VirtualClock(), latency_s=0.5)
        world = World(journal=journal)
        running = asyncio.create_task(world.collector.run(queries(10)))
        # A call of the database that is broken off may have been committed all the same.
        await asyncio.sleep(0.25)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert journal.released == sorted(f"q{number}" for number in range(5))

    run_virtually(main())


def test_a_staged_query_that_waits_for_an_open_breaker_is_released_too() -> None:
    async def main() -> None:
        world = World(always(failing(Reason.SERVER_FAULT)), accounts=[an_account(rate=40)])
        stopping = asyncio.create_task(after(20.0, world.collector.request_stop))
        await world.collector.run(queries(400))
        await stopping
        assert world.journal.released
        assert QueryState.RUNNING not in world.journal.states.values()

    run_virtually(main())


def test_nothing_is_released_when_every_query_has_its_outcome() -> None:
    async def main() -> None:
        for deadline in (None, in_seconds(1.0)):
            world = World(deadline=deadline)
            await world.collector.run(queries(60))
            assert world.journal.released == []

    run_virtually(main())


def test_a_journal_that_cannot_release_is_an_error() -> None:
    async def main() -> None:
        journal = StrictJournal(VirtualClock(), breaks_when=lambda journal, call: call == "release")
        world = World(journal=journal)
        stopping = asyncio.create_task(after(1.01, world.collector.request_stop))
        with pytest.raises(ConnectionError):
            await world.collector.run(queries(100))
        await stopping

    run_virtually(main())


def test_a_stop_before_the_start_sends_nothing() -> None:
    async def main() -> None:
        world = World()
        world.collector.request_stop()
        summary = await world.collector.run(queries(5))
        assert (summary.was_stopped, summary.left) == (True, 5)
        assert world.sender.sends == []

    run_virtually(main())


@pytest.mark.parametrize("reason", [Reason.QUOTA_EXHAUSTED, Reason.UNAUTHORIZED])
def test_an_account_that_stops_leaves_its_work_to_the_others(reason: Reason) -> None:
    async def main() -> None:
        def script(send: Send) -> Reply:
            return failing(reason) if send.account_id == "poor" else Reply()

        world = World(script, accounts=[an_account("poor"), an_account("rich")])
        summary = await world.collector.run(queries(100))
        assert (summary.answered, summary.failed) == (100, {})
        # Calls that were in flight when the first refusal came, and no more.
        assert len(world.times("poor")) <= 5

    run_virtually(main())


@pytest.mark.parametrize("reason", [Reason.QUOTA_EXHAUSTED, Reason.UNAUTHORIZED])
def test_without_any_account_left_the_rest_is_given_up_at_once(reason: Reason) -> None:
    async def main() -> None:
        world = World(always(failing(reason)), accounts=[an_account("a"), an_account("b")])
        summary = await world.collector.run(queries(100))
        assert summary.failed == {reason: 100}
        assert summary.attempts == len(world.sender.sends) <= 10
        assert len(world.journal.given_up) >= 90
        assert world.elapsed < 2

    run_virtually(main())


def test_a_collection_without_an_account_is_an_error_at_once() -> None:
    async def main() -> None:
        with pytest.raises(ValueError, match="accounts: found none"):
            World(accounts=[])

    run_virtually(main())


def test_answers_in_flight_are_kept_when_the_last_account_stops() -> None:
    async def main() -> None:
        def script(send: Send) -> Reply:
            return failing(Reason.QUOTA_EXHAUSTED) if send.query_id == "q3" else Reply(latency_s=5)

        world = World(script)
        summary = await world.collector.run(queries(50))
        assert summary.answered == len(world.sender.sends) - 1
        assert summary.answered + summary.failed_count == 50

    run_virtually(main())


def test_an_account_stopped_while_draining_fails_no_query_that_another_could_ask() -> None:
    async def main() -> None:
        def script(send: Send) -> Reply:
            return failing(Reason.QUOTA_EXHAUSTED) if send.account_id == "poor" else Reply()

        world = World(script, accounts=[an_account("poor"), an_account("rich")])
        stopping = asyncio.create_task(after(0.01, world.collector.request_stop))
        summary = await world.collector.run(queries(10))
        await stopping
        assert summary.failed == {}
        assert len(world.times("poor")) == 1

    run_virtually(main())


def test_a_journal_that_cannot_record_stops_the_engine_and_loses_nothing() -> None:
    async def main() -> None:
        clock = VirtualClock()
        failures = iter([True])
        journal = StrictJournal(
            clock, breaks_when=lambda journal, call: call == "record" and next(failures, False)
        )
        world = World(journal=journal, accounts=[an_account(rate=10)])
        with pytest.raises(ConnectionError, match="went away"):
            await world.collector.run(queries(100))
        # The last commit succeeded: whatever was sent is recorded.
        assert len(journal.attempts) == len(world.sender.sends) < 20
        assert journal.given_up == {}

    run_virtually(main())


def test_a_journal_that_is_gone_for_good_stops_the_engine_with_its_error() -> None:
    async def main() -> None:
        clock = VirtualClock()
        journal = StrictJournal(clock, breaks_when=lambda journal, call: call == "record")
        world = World(journal=journal)
        with pytest.raises(ConnectionError, match="went away"):
            await world.collector.run(queries(100))
        assert world.elapsed < 5
        assert world.sender.in_flight == 0

    run_virtually(main())


def test_nothing_is_sent_that_could_not_be_marked_running() -> None:
    async def main() -> None:
        journal = StrictJournal(
            VirtualClock(), breaks_when=lambda journal, call: call == "mark_running"
        )
        world = World(journal=journal)
        with pytest.raises(ConnectionError):
            await world.collector.run(queries(100))
        assert world.sender.sends == []

    run_virtually(main())


def test_a_journal_that_cannot_give_up_is_an_error() -> None:
    async def main() -> None:
        journal = StrictJournal(VirtualClock(), breaks_when=lambda journal, call: call == "give_up")
        world = World(journal=journal, deadline=in_seconds(1.0))
        with pytest.raises(ConnectionError):
            await world.collector.run(queries(100))

    run_virtually(main())


def test_a_sender_that_raises_is_a_bug_and_other_answers_are_kept() -> None:
    async def main() -> None:
        def script(send: Send) -> Reply:
            return Reply(ZeroDivisionError("a bug")) if send.query_id == "q5" else Reply()

        world = World(script)
        with pytest.raises(ZeroDivisionError, match="a bug"):
            await world.collector.run(queries(100))
        answered = [one for one in world.journal.attempts if isinstance(one.outcome, Answer)]
        assert len(answered) == len(world.sender.sends) - 1

    run_virtually(main())


def test_a_pace_source_that_fails_stops_the_engine_with_its_error() -> None:
    class BrokenPace:
        async def reserve(self, count: int) -> list[float]:
            raise ConnectionError("no database")

    async def main() -> None:
        world = World(pace=lambda account: BrokenPace())
        with pytest.raises(ConnectionError, match="no database"):
            await world.collector.run(queries(3))

    run_virtually(main())


def test_a_cancelled_collection_commits_what_had_ended() -> None:
    async def main() -> None:
        world = World(accounts=[an_account(rate=10)])
        running = asyncio.create_task(world.collector.run(queries(100)))
        await asyncio.sleep(3.3)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        ended = [at for at in world.times() if at + 0.2 <= world.clock.monotonic() - 0.01]
        assert len(world.journal.attempts) >= len(ended)
        assert world.sender.in_flight == 0

    run_virtually(main())


def test_no_task_outlives_the_collection() -> None:
    async def main() -> None:
        for ending in (None, in_seconds(0.5)):
            world = World(first_then(failing(Reason.EMPTY)), deadline=ending)
            await world.collector.run(queries(40))
            await asyncio.sleep(0)
            assert asyncio.all_tasks() == {asyncio.current_task()}

    run_virtually(main())
