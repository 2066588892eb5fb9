"""What a shard may send of an account's day, so that all shards together keep its limit.

A shard is granted its part when it starts. What it leaves is free again when it ends, for
the shards that start later; a shard that had too little is collected again for the rest.
"""

import zlib
from dataclasses import dataclass

import psycopg

from brand_visibility.adapters.ledger.shards import Shard

_MOST = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Grant:
    """Sends of one account and day. `limit` includes those that were `sent` already."""

    limit: int
    sent: int


async def grant_day(
    session: psycopg.AsyncConnection,
    shard: Shard,
    account_id: str,
    *,
    cap: int,
    lanes: int,
    wanted: int,
) -> Grant:
    """Grant the shard its part of `cap`, for as long as the session lives.

    Divides what nobody else was granted by the lanes that have no part yet, and gives at
    most the `wanted` sends. Call inside a transaction of the session that owns the shard,
    once for an account.
    """
    key = _key(shard, account_id, shard.index)
    # Two shards must not be granted the same part: it is seen once it is locked.
    await session.execute("SELECT pg_advisory_xact_lock(%s)", (_turn(shard, account_id),))
    # In this order: whoever ends between the two is counted with all of its part.
    granted = await _granted(session, shard, account_id)
    granted.pop(shard.index, None)
    sent = await _sent(session, shard, account_id)
    own = sent.pop(shard.index, 0)
    free = min(cap, _MOST) - own - sum((sent | granted).values())
    part = min(wanted, -(-max(0, free) // max(1, lanes - len(granted))))
    await session.execute("SELECT pg_advisory_lock(%s, %s)", (key, own + part))
    return Grant(own + part, own)


async def _granted(
    session: psycopg.AsyncConnection, shard: Shard, account_id: str
) -> dict[int, int]:
    """Return the limits of living shards by shard index."""
    indexes = {_key(shard, account_id, index): index for index in range(shard.count)}
    cursor = await session.execute(_GRANTED, (list(indexes),))
    return {indexes[key]: limit for key, limit in await cursor.fetchall()}


async def _sent(session: psycopg.AsyncConnection, shard: Shard, account_id: str) -> dict[int, int]:
    """Return what was sent of each shard, and what a dead process may have sent."""
    scope = {
        "plan_date": shard.plan_date,
        "platform_id": shard.platform_id,
        "account_id": account_id,
        "count": shard.count,
    }
    cursor = await session.execute(_SENT, scope)
    return dict(await cursor.fetchall())


def _name(shard: Shard, account_id: str) -> str:
    return f"daily cap {shard.plan_date} {shard.platform_id} {account_id}"


def _turn(shard: Shard, account_id: str) -> int:
    return zlib.crc32(_name(shard, account_id).encode()) + 2**34


def _key(shard: Shard, account_id: str, index: int) -> int:
    return zlib.crc32(f"{_name(shard, account_id)} {index}/{shard.count}".encode()) - 2**31


# The limit is the lock's second key: it lasts as long as its holder, and needs no row. Keys
# are signed in the call that locks and unsigned in the view of locks.
_GRANTED = """
SELECT given.key, held.objid::bigint
FROM pg_locks AS held
JOIN unnest(%s::bigint[]) AS given (key) ON held.classid::bigint = given.key & 4294967295
WHERE held.granted AND held.locktype = 'advisory' AND held.objsubid = 2
  AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""

_SENT = """
SELECT shard_index, sum(sends)::bigint
FROM (
    SELECT query.shard_key %% %(count)s AS shard_index, count(*) AS sends
    FROM ledger.attempt JOIN ledger.query USING (plan_date, query_id)
    WHERE plan_date = %(plan_date)s AND platform_id = %(platform_id)s
      AND attempt.account_id = %(account_id)s
    GROUP BY 1
    UNION ALL
    SELECT shard_key %% %(count)s, sum(maybe_paid_count + (state = 'running')::integer)
    FROM ledger.query
    WHERE plan_date = %(plan_date)s AND platform_id = %(platform_id)s
      AND account_id = %(account_id)s
    GROUP BY 1
) AS of_shard
GROUP BY shard_index
"""
