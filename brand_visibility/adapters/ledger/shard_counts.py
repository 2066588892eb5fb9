"""In how many shards a platform's day is cut: one count at a time, over all runs and hosts.

Shards of different counts share queries, so their owners exclude each other. Who owns which
shard of a count belongs to `ownership`.
"""

import zlib

import psycopg

from brand_visibility.adapters.ledger.heartbeat import Heartbeat
from brand_visibility.adapters.ledger.shards import Shard
from brand_visibility.collection.ports import Clock
from brand_visibility.domain.errors import ShardBusyError

_LOOK_EVERY_S = 1.0


async def hold_count(
    session: psycopg.AsyncConnection,
    shard: Shard,
    clock: Clock,
    *,
    heartbeat: Heartbeat,
    give_up_at: float,
) -> None:
    """Keep other counts out for as long as the session lives.

    Ends sessions of another count that fell silent, and waits for living ones until the
    monotonic time `give_up_at`. Raises ShardBusyError when one lives still.
    """
    while (other := await _try(session, shard)) is not None:
        silent = {**_scope(shard), "stale_after_s": heartbeat.stale_after_s}
        await session.execute(_END_SILENT, silent)
        if clock.monotonic() >= give_up_at:
            raise ShardBusyError(
                f"{shard.platform_id} on {shard.plan_date} is being collected in {other} shards"
                f" by another process; expected the same count as here, {shard.count}:"
                " set it alike, or wait until the other has ended"
            )
        await clock.sleep(min(_LOOK_EVERY_S, max(0.0, give_up_at - clock.monotonic())))


async def _try(session: psycopg.AsyncConnection, shard: Shard) -> int | None:
    """Hold the count, or return another one that is held."""
    async with session.transaction():
        # Two counts must not look at the same time, and both find nothing.
        await session.execute("SELECT pg_advisory_xact_lock(%(turn)s)", _scope(shard))
        cursor = await session.execute(_OTHER, _scope(shard))
        row = await cursor.fetchone()
        if row is None:
            await session.execute(
                "SELECT pg_advisory_lock_shared(%(day)s, %(count)s)", _scope(shard)
            )
    return None if row is None else int(row[0])


def _scope(shard: Shard) -> dict[str, object]:
    key = zlib.crc32(f"shard count {shard.plan_date} {shard.platform_id}".encode())
    return {"day": key - 2**31, "turn": key + 2**33, "count": shard.count}


# The count is the lock's second key: whoever holds it lives, and needs no row. Keys are
# signed in the call that locks and unsigned in the view of locks.
_HELD = """
held.granted AND held.locktype = 'advisory' AND held.objsubid = 2
  AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND held.classid::bigint = %(day)s::bigint & 4294967295 AND held.objid::bigint <> %(count)s
"""

_OTHER = f"SELECT held.objid::bigint FROM pg_locks AS held WHERE {_HELD} LIMIT 1"  # noqa: S608

# An owner beats through this session: its last statement is its last sign of life.
_END_SILENT = f"""
SELECT pg_terminate_backend(holder.pid)
FROM pg_locks AS held JOIN pg_stat_activity AS holder ON holder.pid = held.pid
WHERE holder.state_change < clock_timestamp() - make_interval(secs => %(stale_after_s)s)
  AND {_HELD}
"""  # noqa: S608 - constant text
