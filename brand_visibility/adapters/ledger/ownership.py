"""Who may write a shard: one process at a time, and only through the session it owns it by.

The owner's session holds an advisory lock and makes all the shard's writes: when the
session ends the lock is free, and what its owner still wants to write is refused. What is
written belongs to `shards`.
"""

import contextlib
from collections.abc import AsyncIterator

import psycopg

from brand_visibility.adapters.ledger.connection import (
    plain_url,
    release_locks,
    translated_errors,
)
from brand_visibility.adapters.ledger.shards import Shard, ShardJournal
from brand_visibility.domain.errors import ShardBusyError


@contextlib.asynccontextmanager
async def own_shard(
    database_url: str, shard: Shard, *, patience_s: float = 0.0
) -> AsyncIterator[ShardJournal]:
    """Own the shard for the time of the block.

    Waits up to `patience_s` seconds for an earlier owner. Raises ShardBusyError when it
    is still at work then, and LedgerUnavailableError when the database is away.
    """
    with translated_errors():
        session = await psycopg.AsyncConnection.connect(plain_url(database_url), autocommit=True)
        async with session:
            await _lock(session, shard, patience_s)
            try:
                yield ShardJournal(session, shard)
            finally:
                await release_locks(session)


async def _lock(session: psycopg.AsyncConnection, shard: Shard, patience_s: float) -> None:
    try:
        await session.execute(
            "SELECT set_config('lock_timeout', %s, false)",
            (f"{max(1, round(patience_s * 1000))}ms",),
        )
        await session.execute("SELECT pg_advisory_lock(%s)", (shard.lock_key,))
        await session.execute("SET lock_timeout = 0")
    except psycopg.errors.LockNotAvailable:
        raise ShardBusyError(
            f"shard {shard.index + 1} of {shard.count} of {shard.platform_id} on"
            f" {shard.plan_date} is still being collected by another process"
        ) from None
