"""Queries that were marked running and never sent: pending again, free, and not paid for."""

import psycopg
from budgeted_days import a_budgeted_plan, freeze, ids_for, own, spends

from brand_visibility.adapters.ledger.plans import PlanStore
from brand_visibility.adapters.ledger.shards import Recovered, ShardJournal
from tests.builders import DAY, an_attempt


def states(database_url: str) -> dict[str, str]:
    with psycopg.connect(database_url) as session:
        rows = session.execute("SELECT query_id, state FROM ledger.query").fetchall()
    return dict(rows)


def recover(database_url: str) -> Recovered:
    return own(database_url, lambda journal: journal.recover())


def test_a_released_query_is_pending_and_what_is_in_flight_stays_running(
    database_url: str,
) -> None:
    plan = freeze(database_url, a_budgeted_plan({"acme": None, "beta": None}))
    flying, staged, *_ = [query.query_id for query in plan.queries]

    async def ask(journal: ShardJournal) -> None:
        await journal.mark_running([flying, staged], "main")
        await journal.release([staged])

    own(database_url, ask)

    assert (states(database_url)[flying], states(database_url)[staged]) == ("running", "pending")
    assert recover(database_url).maybe_paid == 1
    assert PlanStore(database_url).maybe_paid(DAY, "deepseek") == 1


def test_what_is_kept_back_for_a_released_query_is_free_again(database_url: str) -> None:
    plan = freeze(database_url, a_budgeted_plan({"acme": 100.0, "beta": 100.0}))
    shared = ids_for(plan, "acme", "beta")[:3]

    async def ask(journal: ShardJournal) -> None:
        await journal.mark_running(shared, "main")
        assert all(spends(database_url)[name].reserved_usd > 0 for name in ("acme", "beta"))
        await journal.release(shared)

    own(database_url, ask)

    assert all(spends(database_url)[name].reserved_usd == 0 for name in ("acme", "beta"))
    assert all(spends(database_url)[name].settled_usd == 0 for name in ("acme", "beta"))
    assert recover(database_url).maybe_paid == 0


def test_a_query_that_has_its_answer_is_not_released(database_url: str) -> None:
    plan = freeze(database_url, a_budgeted_plan({"acme": None, "beta": None}))
    query_id = plan.queries[0].query_id

    async def ask(journal: ShardJournal) -> None:
        await journal.mark_running([query_id], "main")
        await journal.record([an_attempt(query_id)])
        await journal.release([query_id])

    own(database_url, ask)

    assert states(database_url)[query_id] == "answered"
