"""Owning a shard of a real ledger and writing its journal."""

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import psycopg
import pytest

from brand_visibility.adapters.ledger.connection import LedgerUnavailableError
from brand_visibility.adapters.ledger.outcomes import OutcomeStore
from brand_visibility.adapters.ledger.ownership import own_shard
from brand_visibility.adapters.ledger.plans import PlanStore
from brand_visibility.adapters.ledger.shards import Shard, ShardJournal
from brand_visibility.domain.errors import ShardBusyError
from brand_visibility.domain.outcomes import Reason
from brand_visibility.domain.planning import Plan
from tests.builders import DAY, a_failure, a_plan, an_answer, an_attempt

SHARD = Shard(DAY, "deepseek", index=0, count=1)
SHANGHAI = ZoneInfo("Asia/Shanghai")


@pytest.fixture
def plan(database_url: str) -> Plan:
    plan = a_plan()
    PlanStore(database_url).freeze(plan, [], None)
    return plan


@pytest.fixture
def outcomes(database_url: str) -> OutcomeStore:
    return OutcomeStore(database_url, SHANGHAI)


def own(database_url: str, use: Callable[[ShardJournal], Awaitable[None]]) -> None:
    async def run() -> None:
        async with own_shard(database_url, SHARD) as journal:
            await use(journal)

    asyncio.run(run())


def pending_ids(database_url: str, shard: Shard = SHARD) -> list[str]:
    async def run() -> list[str]:
        async with own_shard(database_url, shard) as journal:
            return [item.query.query_id for item in (await journal.recover()).pending]

    return asyncio.run(run())


def test_shards_share_a_plan_without_overlap_or_gap(database_url: str, plan: Plan) -> None:
    shards = [pending_ids(database_url, Shard(DAY, "deepseek", k, 4)) for k in range(4)]

    found = [query_id for shard in shards for query_id in shard]
    assert sorted(found) == sorted(query.query_id for query in plan.queries)


def test_core_brands_and_first_repeats_come_first(database_url: str, plan: Plan) -> None:
    by_id = {query.query_id: query for query in plan.queries}

    order = [(-by_id[name].priority, by_id[name].repeat) for name in pending_ids(database_url)]

    assert order == sorted(order)


def test_an_answer_and_its_state_are_kept_together(
    database_url: str, plan: Plan, outcomes: OutcomeStore
) -> None:
    query = plan.queries[0]
    text = "戴森 is fine\0 \ud800 ok"

    async def use(journal: ShardJournal) -> None:
        await journal.mark_running([query.query_id], "main")
        await journal.record([an_attempt(query.query_id, an_answer(text))])

    own(database_url, use)

    (row,) = outcomes.answers(SHARD).to_pylist()
    assert row["text"].startswith("戴森 is fine\0 ")
    assert (row["query_id"], row["attempt_count"], row["model"]) == (query.query_id, 1, "model-1")
    assert query.query_id not in pending_ids(database_url)


@pytest.mark.parametrize(
    ("sent_at", "is_late"),
    [
        (datetime(2026, 11, 30, 15, 59, 59, tzinfo=UTC), False),
        (datetime(2026, 11, 30, 16, 0, 0, tzinfo=UTC), True),
    ],
    ids=["a second before midnight in Shanghai", "at midnight in Shanghai"],
)
def test_an_answer_asked_on_a_later_local_day_is_late(
    database_url: str, plan: Plan, outcomes: OutcomeStore, sent_at: datetime, *, is_late: bool
) -> None:
    attempt = dataclasses.replace(an_attempt(plan.queries[0].query_id), sent_at=sent_at)

    own(database_url, lambda journal: journal.record([attempt]))

    assert outcomes.answers(SHARD)["is_late"].to_pylist() == [is_late]


@pytest.mark.parametrize(
    ("wait_s", "is_pending"), [(30.0, True), (None, False)], ids=["retry follows", "last one"]
)
def test_a_failed_attempt_leaves_the_query_as_its_wait_says(
    database_url: str, plan: Plan, wait_s: float | None, *, is_pending: bool
) -> None:
    query_id = plan.queries[0].query_id
    failure = a_failure(Reason.REJECTED, 400)

    own(
        database_url,
        lambda journal: journal.record([an_attempt(query_id, failure, wait_s=wait_s)]),
    )

    assert (query_id in pending_ids(database_url)) is is_pending


def test_two_attempts_of_a_query_in_one_group_end_with_the_last(
    database_url: str, plan: Plan, outcomes: OutcomeStore
) -> None:
    query_id = plan.queries[0].query_id
    group = [
        an_attempt(query_id, a_failure(), number=1, wait_s=1.0),
        an_attempt(query_id, an_answer(), number=2),
    ]

    own(database_url, lambda journal: journal.record(group))

    assert [row["attempt_number"] for row in outcomes.attempts(SHARD).to_pylist()] == [1, 2]
    assert outcomes.answers(SHARD)["attempt_count"].to_pylist() == [2]


def test_what_a_dead_owner_was_asking_is_pending_again_and_counted(
    database_url: str, plan: Plan
) -> None:
    asked = [query.query_id for query in plan.queries[:3]]
    own(database_url, lambda journal: journal.mark_running(asked, "main"))

    async def recover() -> tuple[int, int]:
        async with own_shard(database_url, SHARD) as journal:
            recovered = await journal.recover()
            return recovered.maybe_paid, len(recovered.pending)

    assert asyncio.run(recover()) == (3, len(plan.queries))
    assert asyncio.run(recover()) == (0, len(plan.queries))


@pytest.mark.parametrize(
    ("reason", "is_asked_again"),
    [
        (Reason.TIMED_OUT, True),
        (Reason.CUT_OFF, True),
        (Reason.QUOTA_EXHAUSTED, True),
        (Reason.REJECTED, False),
        (Reason.REFUSED, False),
        (Reason.BLOCKED, False),
    ],
)
def test_collecting_a_shard_again_asks_what_asking_can_mend(
    database_url: str, plan: Plan, reason: Reason, *, is_asked_again: bool
) -> None:
    query_id = plan.queries[0].query_id
    own(database_url, lambda journal: journal.record([an_attempt(query_id, a_failure(reason))]))

    assert (query_id in pending_ids(database_url)) is is_asked_again


def test_a_query_that_failed_for_good_begins_its_retries_anew_and_keeps_its_numbering(
    database_url: str, plan: Plan
) -> None:
    failed, waiting = plan.queries[0].query_id, plan.queries[1].query_id

    async def fail(journal: ShardJournal) -> None:
        await journal.record([an_attempt(failed, a_failure(), number=n, wait_s=1) for n in (1, 2)])
        await journal.record([an_attempt(failed, a_failure(), number=3)])
        await journal.record([an_attempt(waiting, a_failure(), number=1, wait_s=1)])

    own(database_url, fail)

    async def counts() -> dict[str, tuple[int, int]]:
        async with own_shard(database_url, SHARD) as journal:
            return {
                item.query.query_id: (item.attempts_made, item.retries_made)
                for item in (await journal.recover()).pending
            }

    found = asyncio.run(counts())
    assert found[failed] == (3, 0)
    assert found[waiting] == (1, 1)


def test_what_is_given_up_is_a_failure_with_its_reason(
    database_url: str, plan: Plan, outcomes: OutcomeStore
) -> None:
    asked = [query.query_id for query in plan.queries]

    async def use(journal: ShardJournal) -> None:
        await journal.record([an_attempt(asked[0])])
        await journal.give_up(asked, Reason.CUT_OFF)

    own(database_url, use)

    failures = outcomes.failures(SHARD)
    assert set(failures["reason"].to_pylist()) == {"cut_off"}
    assert failures.num_rows + outcomes.answers(SHARD).num_rows == len(asked)


def test_an_owned_shard_is_refused_to_another(database_url: str, plan: Plan) -> None:
    async def run() -> None:
        async with own_shard(database_url, SHARD):
            with pytest.raises(ShardBusyError, match="shard 1 of 1 of deepseek"):
                async with own_shard(database_url, SHARD):
                    pytest.fail("two owners at once")

    asyncio.run(run())


def test_a_patient_owner_gets_the_shard_when_the_first_leaves(
    database_url: str, plan: Plan
) -> None:
    order = []

    async def first(is_owned: asyncio.Event) -> None:
        async with own_shard(database_url, SHARD):
            is_owned.set()
            await asyncio.sleep(0.2)
            order.append("first leaves")

    async def second(is_owned: asyncio.Event) -> None:
        await is_owned.wait()
        async with own_shard(database_url, SHARD, patience_s=10):
            order.append("second owns")

    async def run() -> None:
        is_owned = asyncio.Event()
        await asyncio.gather(first(is_owned), second(is_owned))

    asyncio.run(run())
    assert order == ["first leaves", "second owns"]


def test_an_owner_whose_session_was_ended_can_write_nothing(
    database_url: str, plan: Plan, outcomes: OutcomeStore
) -> None:
    async def use(journal: ShardJournal) -> None:
        with psycopg.connect(database_url, autocommit=True) as other:
            other.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        await journal.record([an_attempt(plan.queries[0].query_id)])

    with pytest.raises(LedgerUnavailableError):
        own(database_url, use)
    assert outcomes.answers(SHARD).num_rows == 0
