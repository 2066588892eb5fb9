"""One query's story, read from the ledger alone."""

import dataclasses
from dataclasses import dataclass
from datetime import date, datetime

from psycopg.rows import class_row

from brand_visibility.adapters.ledger.connection import connect


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call for a query; `reason` is None for an answer."""

    number: int
    account_id: str
    sent_at: datetime
    latency_ms: int
    reason: str | None
    http_status: int | None
    wait_s: float | None


@dataclass(frozen=True, slots=True)
class QueryStatus:
    """One query's story. `next_attempt_at` is set while a retry waits."""

    query_id: str
    plan_date: date
    platform_id: str
    prompt_id: str
    repeat: int
    state: str
    reason: str | None
    detail: str | None
    account_id: str | None
    attempt_count: int
    maybe_paid_count: int
    next_attempt_at: datetime | None
    updated_at: datetime
    calls: tuple[CallRecord, ...] = ()


def find_query(database_url: str, query_id: str) -> QueryStatus | None:
    """Return one query's story, or None for an id that the ledger doesn't hold."""
    scope = {"query_id": query_id}
    with connect(database_url) as session:
        found = session.cursor(row_factory=class_row(QueryStatus)).execute(_QUERY, scope).fetchone()
        if found is None:
            return None
        calls = session.cursor(row_factory=class_row(CallRecord)).execute(_QUERY_CALLS, scope)
        return dataclasses.replace(found, calls=tuple(calls.fetchall()))


_QUERY = """
SELECT query_id, plan_date, platform_id, prompt_id, repeat, state, reason, detail, account_id,
       attempt_count, maybe_paid_count, next_attempt_at, updated_at
FROM ledger.query
WHERE query_id = %(query_id)s
"""

_QUERY_CALLS = """
SELECT attempt_number AS number, account_id, sent_at, latency_ms, reason, http_status, wait_s
FROM ledger.attempt
WHERE query_id = %(query_id)s
ORDER BY attempt_number
"""
