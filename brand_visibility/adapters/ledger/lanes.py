"""How many shards of a platform are collected at once, over all runs and hosts.

Dagster's tag limits keep the usual order; this is the hard bound behind them, since an
account's concurrency is divided by the number of shards at once.
"""

import asyncio
import contextlib
import zlib
from collections.abc import AsyncIterator

import psycopg

from brand_visibility.adapters.ledger.connection import (
    plain_url,
    release_locks,
    translated_errors,
)
from brand_visibility.adapters.ledger.heartbeat import DEFAULT_HEARTBEAT, Heartbeat, beating
from brand_visibility.collection.ports import Clock

_POLL_S = 0.5
_LANE_LOCK_SPACE = 721_531


@contextlib.asynccontextmanager
async def shard_lane(
    database_url: str,
    clock: Clock,
    *,
    platform_id: str,
    lanes: int,
    heartbeat: Heartbeat = DEFAULT_HEARTBEAT,
    lost: asyncio.Event | None = None,
) -> AsyncIterator[int]:
    """Hold one of the platform's lanes for the time of the block, waiting for a free one.

    Ends a holder that fell silent, and sets `lost` when this one is ended so.
    """
    with translated_errors():
        session = await psycopg.AsyncConnection.connect(plain_url(database_url), autocommit=True)
        async with session:
            lane = await _wait_for_lane(session, clock, _keys(platform_id, lanes), heartbeat)
            try:
                async with beating(
                    lambda: _beat(session), clock, heartbeat, lost or asyncio.Event()
                ):
                    yield lane
            finally:
                await release_locks(session)


def _keys(platform_id: str, lanes: int) -> list[int]:
    return [zlib.crc32(f"lane {platform_id} {lane}".encode()) - 2**31 for lane in range(lanes)]


async def _wait_for_lane(
    session: psycopg.AsyncConnection, clock: Clock, keys: list[int], heartbeat: Heartbeat
) -> int:
    while (lane := await _take_any(session, keys)) is None:
        await session.execute(_END_SILENT, (heartbeat.stale_after_s, _LANE_LOCK_SPACE, keys))
        await clock.sleep(_POLL_S)
    return lane


async def _take_any(session: psycopg.AsyncConnection, keys: list[int]) -> int | None:
    for lane, key in enumerate(keys):
        cursor = await session.execute(
            "SELECT pg_try_advisory_lock(%s, %s)", (_LANE_LOCK_SPACE, key)
        )
        row = await cursor.fetchone()
        if row is not None and row[0]:
            return lane
    return None


async def _beat(session: psycopg.AsyncConnection) -> None:
    with translated_errors():
        await session.execute("SELECT")


# A lane has no row: its session's last statement is its heartbeat. The keys are signed in
# the call that locks and unsigned in the view of locks.
_END_SILENT = """
SELECT pg_terminate_backend(holder.pid)
FROM pg_locks AS held JOIN pg_stat_activity AS holder ON holder.pid = held.pid
WHERE holder.state_change < clock_timestamp() - make_interval(secs => %s)
  AND held.granted AND held.locktype = 'advisory' AND held.objsubid = 2
  AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND held.classid::bigint = %s
  AND held.objid::bigint IN (SELECT key & 4294967295 FROM unnest(%s::bigint[]) AS key)
"""
