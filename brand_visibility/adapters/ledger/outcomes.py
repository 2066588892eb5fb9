"""What the ledger knows of a day, as tables of the lake's datasets.

The ledger holds an answer until its shard is published; this module is that way out.
"""

from collections.abc import Sequence
from datetime import tzinfo
from typing import Any

import psycopg
import pyarrow as pa
from psycopg.rows import dict_row

from brand_visibility.adapters.lake.schemas import ATTEMPTS, FAILURES, RAW_ANSWERS
from brand_visibility.adapters.ledger.connection import connect
from brand_visibility.adapters.ledger.shards import SHARD_SCOPE, Shard

Row = dict[str, Any]

# Unpacked answers are many times larger than packed ones: few of them at once as objects.
_ROWS_AT_ONCE = 1_000

_ANSWERS = f"""
SELECT query.plan_date, query_id, platform_id, channel, answer.account_id, prompt_id, prompt,
       repeat, text_zstd, text_bytes, model, finish_reason, search, sources, prompt_tokens,
       completion_tokens, reasoning_tokens, cached_tokens, search_count, request_id,
       attempt_count, answer.sent_at, answer.latency_ms,
       answer.sent_at + answer.latency_ms * interval '1 millisecond' AS answered_at,
       cost_usd, is_cost_estimated, raw_zstd, raw_bytes
FROM ledger.answer
JOIN ledger.query USING (plan_date, query_id)
LEFT JOIN (SELECT plan_date, query_id, attempt_number AS attempt_count, cost_usd,
                  is_cost_estimated
           FROM ledger.attempt) AS answered USING (plan_date, query_id, attempt_count)
WHERE {SHARD_SCOPE}
ORDER BY prompt_id, repeat
"""  # noqa: S608 - constant text

_FAILURES = f"""
SELECT plan_date, query_id, platform_id, channel, prompt_id, prompt, repeat, reason,
       coalesce(detail, '') AS detail, http_status, attempt_count, updated_at AS failed_at
FROM ledger.query
WHERE {SHARD_SCOPE} AND state = 'failed'
ORDER BY prompt_id, repeat
"""  # noqa: S608 - constant text

_ATTEMPTS = f"""
SELECT attempt.plan_date, query_id, platform_id, attempt.account_id, attempt_number, sent_at,
       latency_ms, attempt.reason IS NULL AS is_answered, attempt.reason,
       attempt.http_status, wait_s, cost_usd, is_cost_estimated
FROM ledger.attempt JOIN ledger.query USING (plan_date, query_id)
WHERE {SHARD_SCOPE}
ORDER BY sent_at, query_id, attempt_number
"""  # noqa: S608 - constant text


class OutcomeStore:
    """Answers, failures and attempts, shard by shard.

    `zone` decides on which local day an answer came.
    """

    def __init__(self, database_url: str, zone: tzinfo) -> None:
        self._database_url = database_url
        self._zone = zone

    def answers(self, shard: Shard) -> pa.Table:
        """Return the shard's answers as a table of `RAW_ANSWERS`."""
        rows = self._rows(_ANSWERS, shard)
        parts = [
            pa.Table.from_pylist(self._unpacked(rows[at : at + _ROWS_AT_ONCE]), RAW_ANSWERS.schema)
            for at in range(0, len(rows), _ROWS_AT_ONCE)
        ]
        return pa.concat_tables(parts) if parts else RAW_ANSWERS.schema.empty_table()

    def _unpacked(self, rows: Sequence[Row]) -> list[Row]:
        return [
            {
                **row,
                "text": _unpack(row["text_zstd"], row["text_bytes"]).decode("utf-8", "replace"),
                "raw_body": row["raw_zstd"] and _unpack(row["raw_zstd"], row["raw_bytes"]),
                "is_late": row["sent_at"].astimezone(self._zone).date() > row["plan_date"],
            }
            for row in rows
        ]

    def failures(self, shard: Shard) -> pa.Table:
        """Return the shard's failed queries as a table of `FAILURES`."""
        return pa.Table.from_pylist(self._rows(_FAILURES, shard), schema=FAILURES.schema)

    def attempts(self, shard: Shard) -> pa.Table:
        """Return the shard's calls as a table of `ATTEMPTS`."""
        return pa.Table.from_pylist(self._rows(_ATTEMPTS, shard), schema=ATTEMPTS.schema)

    def _rows(self, statement: str, shard: Shard) -> list[Row]:
        scope = (shard.plan_date, shard.platform_id, shard.count, shard.index)
        with connect(self._database_url) as session:
            return _fetch(session, statement, scope)


def _unpack(packed: bytes, size: int) -> bytes:
    content: bytes = pa.decompress(packed, decompressed_size=size, codec="zstd", asbytes=True)
    return content


def _fetch(session: psycopg.Connection, statement: str, scope: tuple[object, ...]) -> list[Row]:
    with session.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(statement, scope).fetchall()
