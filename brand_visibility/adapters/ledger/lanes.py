"""How many shards of a platform are collected at once, over all runs and hosts.

Dagster's tag limits keep the usual order; this is the hard bound behind them, since an
account's concurrency is divided by the number of shards at once.
"""

import contextlib
import zlib
from collections.abc import AsyncIterator

import psycopg

from brand_visibility.adapters.ledger.connection import (
    plain_url,
    release_locks,
    translated_errors,
)
from brand_visibility.collection.ports import Clock

_POLL_S = 0.5
_LANE_LOCK_SPACE = 721_531


@contextlib.asynccontextmanager
async def shard_lane(
    database_url: str, clock: Clock, *, platform_id: str, lanes: int
) -> AsyncIterator[int]:
    """Hold one of the platform's lanes for the time of the block, waiting for a free one."""
    with translated_errors():
        session = await psycopg.AsyncConnection.connect(plain_url(database_url), autocommit=True)
        async with session:
            while (lane := await _take_any(session, platform_id, lanes)) is None:
                await clock.sleep(_POLL_S)
            try:
                yield lane
            finally:
                await release_locks(session)


async def _take_any(session: psycopg.AsyncConnection, platform_id: str, lanes: int) -> int | None:
    for lane in range(lanes):
        key = zlib.crc32(f"lane {platform_id} {lane}".encode()) - 2**31
        cursor = await session.execute(
            "SELECT pg_try_advisory_lock(%s, %s)", (_LANE_LOCK_SPACE, key)
        )
        row = await cursor.fetchone()
        if row is not None and row[0]:
            return lane
    return None
