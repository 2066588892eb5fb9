import asyncio
from collections.abc import Sequence

import pytest
from engine_world import StrictJournal, a_query

from brand_visibility.collection.committing import Committer, Ended, SerialJournal
from brand_visibility.collection.ports import Pending
from brand_visibility.collection.queue import Queued, Rank
from brand_visibility.domain.outcomes import QueryState, Reason
from tests.builders import an_attempt
from tests.virtual_time import VirtualClock, run_virtually


def ended(query_id: str) -> Ended:
    pending = Pending(a_query(query_id))
    return Ended(
        an_attempt(query_id), Queued(Rank(is_optional=False, level=0), 0.0, 0, pending), 0.0
    )


class Desk:
    """A committer at work, and what it acknowledged."""

    def __init__(self, journal: StrictJournal, *, size: int = 3) -> None:
        self.acknowledged: list[str] = []
        self.journal = journal
        self.committer = Committer(
            journal, journal.clock, self._acknowledge, every_s=0.5, group_size=size
        )
        self.work = asyncio.create_task(self.committer.run())

    def _acknowledge(self, group: Sequence[Ended]) -> None:
        self.acknowledged += [one.attempt.query_id for one in group]

    async def add(self, *names: str) -> None:
        await self.journal.mark_running(names, "main")
        for name in names:
            self.committer.add(ended(name))


def test_results_are_committed_half_a_second_after_the_first() -> None:
    async def main() -> None:
        desk = Desk(StrictJournal(VirtualClock(), latency_s=0.0))
        await asyncio.sleep(10)
        await desk.add("a")
        await asyncio.sleep(0.3)
        await desk.add("b")
        await asyncio.sleep(0.19)
        assert desk.acknowledged == []
        await asyncio.sleep(0.02)
        assert desk.acknowledged == ["a", "b"]
        assert [size for _, size in desk.journal.groups] == [2]

    run_virtually(main())


def test_a_full_group_is_committed_at_once() -> None:
    async def main() -> None:
        desk = Desk(StrictJournal(VirtualClock(), latency_s=0.0))
        await desk.add("a", "b", "c")
        await asyncio.sleep(0.01)
        assert desk.acknowledged == ["a", "b", "c"]

    run_virtually(main())


def test_nothing_is_acknowledged_before_its_commit() -> None:
    async def main() -> None:
        journal = StrictJournal(VirtualClock(), latency_s=0.2)
        desk = Desk(journal)
        await desk.add("a", "b", "c")
        await asyncio.sleep(0.19)
        assert desk.acknowledged == []
        await asyncio.sleep(0.02)
        assert desk.acknowledged == ["a", "b", "c"]

    run_virtually(main())


def test_a_slow_journal_gets_groups_and_not_single_results() -> None:
    async def main() -> None:
        desk = Desk(StrictJournal(VirtualClock(), latency_s=0.05), size=100)
        for number in range(40):
            desk.journal.states[f"q{number}"] = QueryState.RUNNING
            desk.committer.add(ended(f"q{number}"))
            await asyncio.sleep(0.05)
        desk.committer.close()
        await desk.work
        await desk.committer.flush()
        assert len(desk.acknowledged) == 40
        assert len(desk.journal.groups) <= 6

    run_virtually(main())


def test_a_failed_group_can_be_committed_again() -> None:
    async def main() -> None:
        broken = True
        journal = StrictJournal(
            VirtualClock(), breaks_when=lambda journal, call: broken and call == "record"
        )
        desk = Desk(journal)
        await desk.add("a", "b", "c")
        with pytest.raises(ConnectionError):
            await desk.work
        assert desk.acknowledged == []
        broken = False
        await desk.committer.flush()
        assert desk.acknowledged == ["a", "b", "c"]

    run_virtually(main())


def test_closing_commits_what_waits() -> None:
    async def main() -> None:
        desk = Desk(StrictJournal(VirtualClock(), latency_s=0.0))
        await desk.add("a")
        desk.committer.close()
        await desk.work
        assert desk.acknowledged == ["a"]

    run_virtually(main())


def test_calls_of_a_serial_journal_take_turns() -> None:
    async def main() -> None:
        journal = SerialJournal(StrictJournal(VirtualClock(), latency_s=0.1))
        await journal.mark_running(["a", "b"], "main")
        await asyncio.gather(
            journal.mark_running(["c"], "main"),
            journal.record([an_attempt("a")]),
            journal.give_up(["b"], Reason.CUT_OFF),
        )
        assert asyncio.get_running_loop().time() == pytest.approx(1000.4)

    run_virtually(main())
