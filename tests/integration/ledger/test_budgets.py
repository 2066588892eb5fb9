"""Reserving, settling and releasing costs in a real ledger, by one owner and by many."""

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import psycopg
import pytest
from budgeted_days import SHARD, a_budgeted_plan, freeze, ids_for, own, spends, worst_cost

from brand_visibility.adapters.ledger.shards import Shard, ShardJournal
from brand_visibility.domain.outcomes import Answer, Outcome, Reason, Usage
from tests.builders import DAY, a_failure, an_answer, an_attempt

RICH = {"acme": 100.0, "beta": 100.0}
ZERO = Decimal(0)
# 12 prompt and 34 completion tokens at 1 and 2 dollars a million.
USED = Decimal("0.000080")


def states(database_url: str) -> dict[str, str]:
    with psycopg.connect(database_url) as session:
        rows = session.execute("SELECT query_id, state FROM ledger.query").fetchall()
    return dict(rows)


def test_a_days_budgets_are_frozen_with_its_plan(database_url: str) -> None:
    freeze(database_url, a_budgeted_plan({"acme": 0.25, "beta": None}))
    freeze(database_url, a_budgeted_plan({"acme": 9.0, "beta": 9.0}))

    found = {name: spend.budget_usd for name, spend in spends(database_url).items()}

    assert found == {"acme": Decimal("0.25"), "beta": None}


def test_without_a_budget_costs_are_counted_and_nothing_is_reserved(database_url: str) -> None:
    plan = freeze(database_url, a_budgeted_plan({"acme": None, "beta": None}))
    query_id = plan.queries[0].query_id

    async def ask(journal: ShardJournal) -> None:
        assert list(await journal.mark_running([query_id], "main")) == []
        await journal.record([an_attempt(query_id)])

    own(database_url, ask)

    assert spends(database_url) == {}
    with psycopg.connect(database_url) as session:
        costs = session.execute("SELECT cost_usd FROM ledger.attempt").fetchall()
        worst = session.execute("SELECT count(worst_cost_usd) FROM ledger.query").fetchone()
    assert costs == [(USED,)]
    assert worst == (0,)


def test_a_query_of_two_tenants_is_reserved_and_settled_in_equal_parts(database_url: str) -> None:
    plan = freeze(database_url, a_budgeted_plan(RICH))
    query_id = ids_for(plan, "acme", "beta")[0]
    reserved = worst_cost(plan, query_id)

    async def ask(journal: ShardJournal) -> None:
        await journal.mark_running([query_id], "main")
        halfway = spends(database_url)
        assert halfway["acme"].reserved_usd + halfway["beta"].reserved_usd == reserved
        assert halfway["acme"].left_usd == 100 - halfway["acme"].reserved_usd
        await journal.record([an_attempt(query_id, an_answer())])

    own(database_url, ask)

    for spend in spends(database_url).values():
        assert (spend.reserved_usd, spend.settled_usd) == (ZERO, USED / 2)
        assert spend.estimated_usd == ZERO


@pytest.mark.parametrize(
    ("outcome", "share", "is_estimated"),
    [
        (an_answer(), "used", False),
        (Answer("fine"), "worst", True),
        (a_failure(Reason.SERVER_FAULT, 500), "nothing", False),
        (a_failure(Reason.RATE_LIMITED, 429), "nothing", False),
        (a_failure(Reason.CONNECTION_LOST), "worst", True),
        (a_failure(Reason.REFUSED, 200), "worst", True),
    ],
    ids=["answer", "answer without usage", "server fault", "rate limited", "lost", "refused"],
)
def test_what_an_attempt_cost_replaces_what_was_reserved_for_it(
    database_url: str, outcome: Outcome, share: str, *, is_estimated: bool
) -> None:
    plan = freeze(database_url, a_budgeted_plan(RICH))
    query_id = ids_for(plan, "acme")[0]
    cost = {"used": USED, "worst": worst_cost(plan, query_id), "nothing": ZERO}[share]

    async def ask(journal: ShardJournal) -> None:
        await journal.mark_running([query_id], "main")
        await journal.record([an_attempt(query_id, outcome, wait_s=1.0)])

    own(database_url, ask)

    spend = spends(database_url)["acme"]
    assert (spend.reserved_usd, spend.settled_usd) == (ZERO, cost)
    assert spend.estimated_usd == (cost if is_estimated else ZERO)
    with psycopg.connect(database_url) as session:
        kept = session.execute("SELECT cost_usd, is_cost_estimated FROM ledger.attempt").fetchone()
    assert kept == (cost, is_estimated)


def test_every_attempt_of_a_query_is_reserved_and_settled_by_itself(database_url: str) -> None:
    plan = freeze(database_url, a_budgeted_plan(RICH))
    query_id = ids_for(plan, "acme")[0]

    async def ask(journal: ShardJournal) -> None:
        for number, outcome in enumerate([a_failure(Reason.MALFORMED), an_answer()], 1):
            wait_s = 1.0 if number == 1 else None
            await journal.mark_running([query_id], "main")
            await journal.record([an_attempt(query_id, outcome, number=number, wait_s=wait_s)])

    own(database_url, ask)

    assert spends(database_url)["acme"].settled_usd == worst_cost(plan, query_id) + USED


def test_an_attempt_that_is_recorded_again_is_paid_once(database_url: str) -> None:
    plan = freeze(database_url, a_budgeted_plan(RICH))
    query_id = ids_for(plan, "acme")[0]

    async def ask(journal: ShardJournal) -> None:
        await journal.mark_running([query_id], "main")
        await journal.mark_running([query_id], "main")
        await journal.record([an_attempt(query_id)])
        await journal.record([an_attempt(query_id)])

    own(database_url, ask)

    spend = spends(database_url)["acme"]
    assert (spend.reserved_usd, spend.settled_usd) == (ZERO, USED)


def test_a_query_is_refused_only_when_none_of_its_tenants_can_pay(database_url: str) -> None:
    # One query's worst case is just above 0.002 dollars.
    plan = freeze(database_url, a_budgeted_plan({"acme": 0.001, "beta": 0.005}))
    own_of_acme, shared = ids_for(plan, "acme")[0], ids_for(plan, "acme", "beta")[:3]

    async def ask(journal: ShardJournal) -> list[str]:
        return list(await journal.mark_running([own_of_acme, *shared], "main"))

    refused = own(database_url, ask)

    assert refused == [own_of_acme, shared[2]]
    assert {states(database_url)[name] for name in refused} == {"pending"}
    assert {states(database_url)[name] for name in shared[:2]} == {"running"}
    assert spends(database_url)["acme"].reserved_usd == ZERO


def test_what_is_refused_is_given_up_as_over_budget(database_url: str) -> None:
    plan = freeze(database_url, a_budgeted_plan({"acme": 0.001, "beta": 0.001}))
    asked = [query.query_id for query in plan.queries]

    async def ask(journal: ShardJournal) -> None:
        refused = await journal.mark_running(asked, "main")
        await journal.give_up(refused, Reason.OVER_BUDGET)

    own(database_url, ask)

    with psycopg.connect(database_url) as session:
        rows = session.execute("SELECT DISTINCT state, reason, detail FROM ledger.query").fetchall()
    assert rows == [
        ("failed", "over_budget", "the day's budget of every tenant that it serves is used up")
    ]


def test_what_was_reserved_and_never_sent_is_released_when_it_is_given_up(
    database_url: str,
) -> None:
    plan = freeze(database_url, a_budgeted_plan(RICH))
    asked = ids_for(plan, "acme")

    async def ask(journal: ShardJournal) -> None:
        await journal.mark_running(asked, "main")
        await journal.give_up(asked, Reason.CUT_OFF)

    own(database_url, ask)

    spend = spends(database_url)["acme"]
    assert (spend.reserved_usd, spend.settled_usd) == (ZERO, ZERO)


def test_what_a_dead_owner_was_asking_is_settled_at_its_estimate_once(database_url: str) -> None:
    plan = freeze(database_url, a_budgeted_plan(RICH))
    asked = ids_for(plan, "acme")
    own(database_url, lambda journal: journal.mark_running(asked, "main"))

    recovered = [own(database_url, lambda journal: journal.recover()) for _ in range(2)]

    worst = sum(worst_cost(plan, query_id) for query_id in asked)
    spend = spends(database_url)["acme"]
    assert [found.maybe_paid for found in recovered] == [len(asked), 0]
    assert (spend.reserved_usd, spend.settled_usd, spend.estimated_usd) == (ZERO, worst, worst)


def test_weights_and_tenants_come_back_with_what_is_pending(database_url: str) -> None:
    plan = freeze(database_url, a_budgeted_plan(RICH))

    pending = own(database_url, lambda journal: journal.recover()).pending

    found = {item.query.query_id: item for item in pending}
    assert {name: item.query for name, item in found.items()} == {
        query.query_id: query for query in plan.queries
    }
    assert found[ids_for(plan, "acme", "beta")[0]].tenant_weights == (2.0, 1.0)
    assert found[ids_for(plan, "beta")[0]].tenant_weights == (1.0,)


async def _ask_all(journal: ShardJournal, seed: int) -> None:
    """Ask a shard's queries in blocks, as an engine would, with answers of any length."""
    rng = random.Random(seed)
    waiting = [item.query.query_id for item in (await journal.recover()).pending]
    rng.shuffle(waiting)
    while waiting:
        block, waiting = waiting[:7], waiting[7:]
        refused = set(await journal.mark_running(block, "main"))
        sent = [query_id for query_id in block if query_id not in refused]
        usages = [Usage(rng.randrange(1, 20), rng.randrange(1, 1_000)) for _ in sent]
        if sent:
            await journal.record(
                [
                    an_attempt(query_id, Answer("fine", usage=usage))
                    for query_id, usage in zip(sent, usages, strict=True)
                ]
            )
        if refused:
            await journal.give_up(sorted(refused), Reason.OVER_BUDGET)


def _watch(database_url: str) -> Iterator[Decimal]:
    """Yield how far below its budget the closest tenant is, whenever asked."""
    with psycopg.connect(database_url, autocommit=True) as session:
        while True:
            row = session.execute(
                "SELECT min(budget_usd - reserved_usd - settled_usd) FROM ledger.spend"
            ).fetchone()
            assert row is not None
            yield row[0]


def test_many_owners_at_once_never_spend_more_than_there_is_and_every_cent_is_accounted_for(
    database_url: str,
) -> None:
    budgets = {"acme": 0.15, "beta": 0.08}
    plan = freeze(database_url, a_budgeted_plan(budgets, questions=400))
    shards = [Shard(DAY, "deepseek", index, 4) for index in range(4)]

    with ThreadPoolExecutor(4) as pool:
        owners = [
            pool.submit(own, database_url, lambda journal, n=n: _ask_all(journal, n), shard)
            for n, shard in enumerate(shards)
        ]
        watch = _watch(database_url)
        closest = [next(watch) for _ in range(1_000) if not all(one.done() for one in owners)]
        for owner in owners:
            owner.result(timeout=60)

    found = spends(database_url)
    assert min(closest) >= 0
    for spend in found.values():
        assert spend.reserved_usd == ZERO
        assert spend.budget_usd is not None
        # It stops for want of money, not long before.
        assert ZERO <= spend.budget_usd - spend.settled_usd < Decimal("0.0025")
    with psycopg.connect(database_url) as session:
        row = session.execute(
            "SELECT sum(cost_usd), count(*) FILTER (WHERE is_cost_estimated),"
            " (SELECT sum(prompt_tokens + 2 * completion_tokens) FROM ledger.answer)"
            " FROM ledger.attempt"
        ).fetchone()
    assert row is not None
    cost, estimated, millionths = row
    assert sum(spend.settled_usd for spend in found.values()) == cost == millionths / 10**6
    assert estimated == 0
    ended = list(states(database_url).values())
    assert set(ended) == {"answered", "failed"}
    assert len(ended) == len(plan.queries)


def test_a_plan_of_the_first_version_is_collected_after_the_migration(database_url: str) -> None:
    plan = freeze(database_url, a_budgeted_plan(RICH))
    with psycopg.connect(database_url) as session:
        session.execute(
            "UPDATE ledger.plan SET tenant_weights = DEFAULT, tariff = DEFAULT, price = DEFAULT,"
            " is_budgeted = DEFAULT"
        )
        session.execute("UPDATE ledger.query SET tenant_ids = DEFAULT, worst_cost_usd = DEFAULT")

    async def ask(journal: ShardJournal) -> None:
        (first, *_) = (await journal.recover()).pending
        assert (first.query.tenant_ids, first.tenant_weights) == ((), ())
        await journal.mark_running([first.query.query_id], "main")
        await journal.record([an_attempt(first.query.query_id)])

    own(database_url, ask, SHARD)

    assert list(states(database_url).values()).count("answered") == 1
    assert len(plan.queries) > 1
