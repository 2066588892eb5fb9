"""Plans in the ledger: frozen once, found again however often the day is planned."""

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

import psycopg
import pyarrow as pa
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from brand_visibility.adapters.lake.schemas import PLAN_FORECASTS, QUERY_PLAN
from brand_visibility.adapters.ledger.budgets import open_spends
from brand_visibility.adapters.ledger.connection import connect, translated_errors
from brand_visibility.adapters.ledger.costs import (
    price_column,
    price_fields,
    read_price,
    tariff_column,
)
from brand_visibility.adapters.ledger.days import prepare_day
from brand_visibility.domain.catalog import Price
from brand_visibility.domain.errors import PlanError
from brand_visibility.domain.feasibility import Verdict
from brand_visibility.domain.outcomes import RESULTS
from brand_visibility.domain.planning import API_CHANNEL, Plan


@dataclass(frozen=True, slots=True)
class StoredPlan:
    """A platform's day as it was frozen. Cost in US dollars; None without a known price."""

    plan_date: date
    platform_id: str
    catalog_version: str
    task_count: int
    query_count: int
    expected_cost_usd: float | None
    verdicts: tuple[Verdict, ...]
    planned_at: datetime
    price: Price | None = None

    def forecasts(self) -> pa.Table:
        """Return the plan's forecast, a row for each account, as a table of `PLAN_FORECASTS`."""
        rows = [
            {
                "plan_date": self.plan_date,
                "catalog_version": self.catalog_version,
                "planned_at": self.planned_at,
                "task_count": self.task_count,
                "platform_query_count": self.query_count,
                "expected_cost_usd": self.expected_cost_usd,
                "is_feasible": verdict.is_feasible,
                **dataclasses.asdict(verdict),
                **price_fields(self.price),
            }
            for verdict in self.verdicts
        ]
        return pa.Table.from_pylist(rows, schema=PLAN_FORECASTS.schema)


@dataclass(frozen=True, slots=True)
class Progress:
    """How many of a platform's queries stand in each state."""

    platform_id: str
    planned: int
    answered: int
    refused_or_blocked: int
    failed: int

    @property
    def done(self) -> int:
        """Queries with an outcome."""
        return self.answered + self.refused_or_blocked + self.failed


class PlanStore:
    """Plans of all days and platforms."""

    def __init__(self, database_url: str) -> None:
        self._database_url = database_url

    def freeze(
        self, plan: Plan, verdicts: Sequence[Verdict], expected_cost_usd: float | None
    ) -> StoredPlan:
        """Store the plan unless the day has one, and return the stored one.

        A day is planned once: a catalog changed after that applies to the next day.
        """
        with connect(self._database_url) as session, session.transaction():
            prepare_day(session, plan.plan_date)
            if self._insert_plan(session, plan, verdicts, expected_cost_usd):
                _copy_tasks(session, plan)
                _copy_queries(session, plan)
                open_spends(session, plan)
            return _read_plan(session, plan.plan_date, plan.platform_id)

    def read(self, plan_date: date, platform_id: str) -> StoredPlan:
        """Return the stored plan. Raises PlanError when the day was not planned."""
        with connect(self._database_url) as session:
            return _read_plan(session, plan_date, platform_id)

    def tasks(self, plan_date: date, platform_id: str) -> pa.Table:
        """Return the day's tasks as a table of `QUERY_PLAN`."""
        with connect(self._database_url) as session, session.cursor(row_factory=dict_row) as cursor:
            rows = cursor.execute(_TASKS, (plan_date, platform_id)).fetchall()
        return pa.Table.from_pylist(rows, schema=QUERY_PLAN.schema)

    def progress(self, plan_date: date) -> list[Progress]:
        """Return the progress of every platform of the night, in order of platform."""
        with connect(self._database_url) as session:
            results = sorted(RESULTS)
            rows = session.execute(_PROGRESS, (results, results, plan_date)).fetchall()
        return [Progress(*row) for row in rows]

    def query_ids(self, plan_date: date, platform_id: str) -> frozenset[str]:
        """Return the ids of every query planned for a platform's day."""
        with connect(self._database_url) as session:
            rows = session.execute(
                "SELECT query_id FROM ledger.query WHERE plan_date = %s AND platform_id = %s",
                (plan_date, platform_id),
            ).fetchall()
        return frozenset(row[0] for row in rows)

    def missing(self, plan_date: date, platform_id: str) -> int:
        """Return how many of a platform's queries have no answer."""
        with connect(self._database_url) as session:
            row = session.execute(
                "SELECT count(*) FROM ledger.query"
                " WHERE plan_date = %s AND platform_id = %s AND state <> 'answered'",
                (plan_date, platform_id),
            ).fetchone()
        return int(row[0]) if row else 0

    def require_whole(self, plan_date: date, platform_id: str) -> StoredPlan:
        """Return the stored plan whose queries are all still in the ledger.

        Raises PlanError when the day was not planned, or when its queries were dropped
        since: collecting would then replace what is published by nothing.
        """
        stored = self.read(plan_date, platform_id)
        held = len(self.query_ids(plan_date, platform_id))
        if held != stored.query_count:
            raise PlanError(
                f"the ledger holds {held} of the {stored.query_count} queries that were planned"
                f" for {platform_id} on {plan_date}: the day was dropped from it, and what is"
                f" published of it stays as it is"
            )
        return stored

    def maybe_paid(self, plan_date: date, platform_id: str) -> int:
        """Return how often a query was asked again after its process had died."""
        with connect(self._database_url) as session:
            row = session.execute(
                "SELECT coalesce(sum(maybe_paid_count), 0) FROM ledger.query"
                " WHERE plan_date = %s AND platform_id = %s",
                (plan_date, platform_id),
            ).fetchone()
        return int(row[0]) if row else 0

    def installed_on(self) -> datetime:
        """Return when this ledger was created."""
        with connect(self._database_url) as session:
            row = session.execute("SELECT installed_at FROM ledger.installation").fetchone()
        if row is None:
            raise PlanError("ledger.installation is empty; one row is expected")
        installed_at: datetime = row[0]
        return installed_at

    @staticmethod
    def _insert_plan(
        session: psycopg.Connection,
        plan: Plan,
        verdicts: Sequence[Verdict],
        expected_cost_usd: float | None,
    ) -> bool:
        cursor = session.execute(
            "INSERT INTO ledger.plan (plan_date, platform_id, catalog_version, task_count,"
            " query_count, expected_cost_usd, verdicts, tenant_weights, tariff,"
            " price, is_budgeted) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
            " ON CONFLICT DO NOTHING",
            (
                plan.plan_date,
                plan.platform_id,
                plan.catalog_version,
                len(plan.tasks),
                len(plan.queries),
                expected_cost_usd,
                Jsonb([dataclasses.asdict(verdict) for verdict in verdicts]),
                Jsonb({tenant.tenant_id: tenant.weight for tenant in plan.tenants}),
                tariff_column(plan),
                price_column(plan),
                plan.is_budgeted,
            ),
        )
        return cursor.rowcount == 1


# A judge's plan promises nothing: it asks without a task.
IS_OF_THE_NIGHT = "(plan.task_count > 0 OR plan.query_count = 0)"

_TASKS = """
SELECT task.plan_date, task_id, tenant_id, brand_id, question_id, topic_id, question_kind,
       task.platform_id, task.channel, task.prompt_id, prompts.prompt, repeats, catalog_version
FROM ledger.task
JOIN ledger.plan USING (plan_date, platform_id)
JOIN (SELECT DISTINCT plan_date, platform_id, prompt_id, prompt
      FROM ledger.query WHERE repeat = 0) AS prompts
     USING (plan_date, platform_id, prompt_id)
WHERE task.plan_date = %s AND task.platform_id = %s
ORDER BY tenant_id, brand_id, question_id
"""

_PROGRESS = f"""
SELECT platform_id,
       plan.query_count,
       count(query_id) FILTER (WHERE state = 'answered'),
       count(query_id) FILTER (WHERE state = 'failed' AND reason = ANY(%s)),
       count(query_id) FILTER (WHERE state = 'failed' AND reason <> ALL(%s))
FROM ledger.plan LEFT JOIN ledger.query USING (plan_date, platform_id)
WHERE plan_date = %s AND {IS_OF_THE_NIGHT}
GROUP BY platform_id, plan.query_count
ORDER BY platform_id
"""  # noqa: S608 - constant text


def _read_plan(session: psycopg.Connection, plan_date: date, platform_id: str) -> StoredPlan:
    with session.cursor(row_factory=dict_row) as cursor:
        row = cursor.execute(
            "SELECT plan_date, platform_id, catalog_version, task_count, query_count,"
            " expected_cost_usd, verdicts, planned_at, price FROM ledger.plan"
            " WHERE plan_date = %s AND platform_id = %s",
            (plan_date, platform_id),
        ).fetchone()
    if row is None:
        raise PlanError(
            f"no plan of {plan_date} for platform {platform_id}; materialise query_plan first"
        )
    verdicts = tuple(Verdict(**verdict) for verdict in row["verdicts"])
    return StoredPlan(**{**row, "verdicts": verdicts, "price": read_price(row["price"])})


def _copy_tasks(session: psycopg.Connection, plan: Plan) -> None:
    _copy(
        session,
        "COPY ledger.task (plan_date, task_id, tenant_id, brand_id, question_id, topic_id,"
        " question_kind, platform_id, channel, prompt_id, repeats) FROM STDIN",
        (
            (
                task.plan_date,
                task.task_id,
                task.tenant_id,
                task.brand_id,
                task.question_id,
                task.topic_id,
                task.kind.value,
                task.platform_id,
                API_CHANNEL,
                task.prompt_id,
                task.repeats,
            )
            for task in plan.tasks
        ),
    )


def _copy_queries(session: psycopg.Connection, plan: Plan) -> None:
    # What one call costs at most is looked up where it is reserved.
    tariff = plan.tariff if plan.is_budgeted else None
    _copy(
        session,
        "COPY ledger.query (plan_date, query_id, platform_id, channel, prompt_id, prompt,"
        " repeat, priority, shard_key, tenant_ids, worst_cost_usd) FROM STDIN",
        (
            (
                query.plan_date,
                query.query_id,
                query.platform_id,
                query.channel,
                query.prompt_id,
                query.prompt,
                query.repeat,
                query.priority,
                query.shard_key,
                list(query.tenant_ids),
                tariff.worst_cost_usd(query.prompt) if tariff else None,
            )
            for query in plan.queries
        ),
    )


def _copy(session: psycopg.Connection, statement: str, rows: Iterable[tuple[object, ...]]) -> None:
    with translated_errors(), session.cursor() as cursor, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)
