"""Dropping days from a real ledger, and the days that must not be dropped."""

import asyncio
from datetime import date, timedelta

import psycopg
import pytest
from budgeted_days import a_budgeted_plan, freeze, spends

from brand_visibility.adapters.ledger.connection import connect
from brand_visibility.adapters.ledger.days import DayInUseError, drop_day, drop_days_before
from brand_visibility.adapters.ledger.ownership import own_shard
from brand_visibility.adapters.ledger.plans import PlanStore
from brand_visibility.adapters.ledger.shards import Shard, ShardJournal
from brand_visibility.domain.errors import InputError, PlanError
from tests.builders import DAY, a_plan

TODAY = DAY + timedelta(days=3)


def plan_days(database_url: str, *days: date) -> None:
    for day in days:
        PlanStore(database_url).freeze(a_plan(day=day), [], None)


def planned_counts(database_url: str, table: str) -> dict[date, int]:
    with psycopg.connect(database_url) as session:
        rows = session.execute(
            f"SELECT plan_date, count(*) FROM ledger.{table} GROUP BY plan_date"
        ).fetchall()
    return dict(rows)


def partitions(database_url: str, day: date) -> int:
    with psycopg.connect(database_url) as session:
        row = session.execute(
            "SELECT count(*) FROM pg_class WHERE relname LIKE %s AND relkind = 'r'",
            (f"%\\_{day:%Y%m%d}",),
        ).fetchone()
    assert row is not None
    return int(row[0])


def test_days_before_the_first_kept_one_are_dropped_and_their_plans_stay(
    database_url: str,
) -> None:
    days = [DAY + timedelta(days=number) for number in range(4)]
    plan_days(database_url, *days)

    dropped = drop_days_before(database_url, days[2], today=TODAY)

    assert dropped == days[:2]
    assert [partitions(database_url, day) for day in days] == [0, 0, 4, 4]
    assert set(planned_counts(database_url, "query")) == set(days[2:])
    assert set(planned_counts(database_url, "plan")) == set(days)
    assert drop_days_before(database_url, days[2], today=TODAY) == []


def test_what_a_dropped_day_cost_stays(database_url: str) -> None:
    freeze(database_url, a_budgeted_plan({"acme": 1.0, "beta": 1.0}))

    drop_days_before(database_url, TODAY, today=TODAY)

    assert set(spends(database_url)) == {"acme", "beta"}


@pytest.mark.parametrize("table", ["task", "answer"])
def test_a_day_that_was_dropped_in_part_is_dropped_whole_the_next_time(
    database_url: str, table: str
) -> None:
    plan_days(database_url, DAY)
    with psycopg.connect(database_url) as session:
        session.execute(f"DROP TABLE ledger.{table}_{DAY:%Y%m%d}, ledger.query_{DAY:%Y%m%d}")

    assert drop_days_before(database_url, TODAY, today=TODAY) == [DAY]
    assert partitions(database_url, DAY) == 0


def test_a_dropped_day_is_not_collected_again(database_url: str) -> None:
    plan_days(database_url, DAY)
    drop_days_before(database_url, TODAY, today=TODAY)

    async def recover() -> None:
        async with own_shard(database_url, Shard(DAY, "deepseek", 0, 1)) as journal:
            await journal.recover()

    with pytest.raises(PlanError, match="was dropped from the ledger"):
        asyncio.run(recover())
    with pytest.raises(PlanError, match="the day was dropped"):
        PlanStore(database_url).require_whole(DAY, "deepseek")


@pytest.mark.parametrize(
    ("day", "is_refused"),
    [(TODAY - timedelta(days=1), False), (TODAY, True), (TODAY + timedelta(days=1), True)],
    ids=["yesterday", "today", "tomorrow"],
)
def test_a_day_that_is_not_over_is_not_dropped(
    database_url: str, day: date, *, is_refused: bool
) -> None:
    plan_days(database_url, day)
    with connect(database_url) as session:
        if is_refused:
            with pytest.raises(InputError, match=f"found {day}; expected a day before today"):
                drop_day(session, day, today=TODAY)
        else:
            drop_day(session, day, today=TODAY)

    assert partitions(database_url, day) == (4 if is_refused else 0)


def test_a_day_with_a_living_owner_is_not_dropped_until_it_leaves(database_url: str) -> None:
    plan_days(database_url, DAY)

    async def own() -> int:
        async with own_shard(database_url, Shard(DAY, "deepseek", 1, 4)) as journal:
            found = await journal.recover()
            in_use = pytest.raises(DayInUseError, match=f"{DAY} is being collected")
            with connect(database_url) as session, in_use:
                drop_day(session, DAY, today=TODAY)
            await ask_one(journal, found.pending[0].query.query_id)
            return len(found.pending)

    async def ask_one(journal: ShardJournal, query_id: str) -> None:
        await journal.mark_running([query_id], "main")

    assert asyncio.run(own()) > 0
    assert planned_counts(database_url, "query")[DAY] == len(a_plan().queries)

    assert drop_days_before(database_url, TODAY, today=TODAY) == [DAY]


def test_two_owners_of_one_day_do_not_hold_each_other_up(database_url: str) -> None:
    plan_days(database_url, DAY)

    async def own(index: int) -> int:
        async with own_shard(database_url, Shard(DAY, "deepseek", index, 2)) as journal:
            return len((await asyncio.wait_for(journal.recover(), 10)).pending)

    async def both() -> list[int]:
        async with own_shard(database_url, Shard(DAY, "deepseek", 0, 2)) as journal:
            first = len((await journal.recover()).pending)
            return [first, await own(1)]

    assert sum(asyncio.run(both())) == len(a_plan().queries)


def test_a_day_that_is_being_read_is_left_alone_and_the_next_attempt_succeeds(
    database_url: str,
) -> None:
    plan_days(database_url, DAY)
    with psycopg.connect(database_url) as reader:
        reader.execute("SELECT count(*) FROM ledger.query")
        with pytest.raises(DayInUseError, match="is being read"):
            drop_days_before(database_url, TODAY, today=TODAY)

    assert drop_days_before(database_url, TODAY, today=TODAY) == [DAY]


def test_planning_a_day_does_not_wait_for_those_who_write_another(database_url: str) -> None:
    plan_days(database_url, DAY)
    impatient = f"{database_url}{'&' if '?' in database_url else '?'}options=-clock_timeout%3D500"
    with psycopg.connect(database_url) as writer:
        writer.execute("UPDATE ledger.query SET detail = 'being written'")

        plan_days(impatient, DAY + timedelta(days=1))

        assert partitions(database_url, DAY + timedelta(days=1)) == 4
    assert set(planned_counts(database_url, "query")) == {DAY, DAY + timedelta(days=1)}
