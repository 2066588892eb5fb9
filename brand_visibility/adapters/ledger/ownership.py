"""Who may write a shard: one process at a time, and only through the session it owns it by.

The owner's session holds an advisory lock and makes all the shard's writes: when the
session ends the lock is free, and what its owner still wants to write is refused. An owner
that falls silent is ended by whoever waits for its shard. What is written belongs to
`shards`.
"""

import asyncio
import contextlib
import os
import socket
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass

import psycopg

from brand_visibility.adapters.ledger.connection import (
    LedgerUnavailableError,
    plain_url,
    release_locks,
    translated_errors,
)
from brand_visibility.adapters.ledger.daily_caps import Grant, grant_day
from brand_visibility.adapters.ledger.heartbeat import DEFAULT_HEARTBEAT, Heartbeat, beating
from brand_visibility.adapters.ledger.shard_counts import hold_count
from brand_visibility.adapters.ledger.shards import Shard, ShardJournal
from brand_visibility.collection.clock import AsyncioClock
from brand_visibility.collection.ports import Clock
from brand_visibility.domain.errors import ShardBusyError

# How long one statement waits for the lock before the owner's heartbeat is looked at.
_LOOK_EVERY_S = 1.0


class ShardTakenError(LedgerUnavailableError):
    """Another process took the shard over, and may have finished it since."""


@dataclass(slots=True)
class Tenure:
    """What a process remembers of its hold on a shard, from one session to the next.

    `is_open` from taking the shard until leaving it: after a session that broke its row
    must still be there, or somebody else has been there meanwhile.
    """

    is_open: bool = False


class OwnedShard(ShardJournal):
    """A shard's journal, and the proof that this process may write it."""

    async def confirm(self) -> None:
        """Beat. Raises ShardTakenError when this process owns the shard no more."""
        async with self._transaction():
            cursor = await self._session.execute(_BEAT, _scope(self._shard))
        if cursor.rowcount != 1:
            raise ShardTakenError(f"{_title(self._shard)} has another owner by now")

    async def grant_day(self, account_id: str, *, cap: int, lanes: int, wanted: int) -> Grant:
        """Return what the shard may send of an account's `cap` for the day; call it once.

        At most `wanted` sends are granted, for the time of the ownership. Call it after
        `recover`. All shards of the day together never get more than the cap.
        """
        async with self._transaction():
            return await grant_day(
                self._session, self._shard, account_id, cap=cap, lanes=lanes, wanted=wanted
            )


@contextlib.asynccontextmanager
async def own_shard(
    database_url: str,
    shard: Shard,
    *,
    patience_s: float = 0.0,
    heartbeat: Heartbeat = DEFAULT_HEARTBEAT,
    run_id: str = "",
    clock: Clock | None = None,
    lost: asyncio.Event | None = None,
    tenure: Tenure | None = None,
) -> AsyncIterator[OwnedShard]:
    """Own the shard for the time of the block, and set `lost` when that ends earlier.

    Ends an earlier owner whose heartbeat is stale, and waits up to `patience_s` seconds
    for a living one, or for those of shards of another count. Raises ShardBusyError when
    such a one is still at work then, and
    LedgerUnavailableError when the database is away. `run_id` is shown to operators. With
    the `tenure` of an earlier session that broke, raises ShardTakenError when another
    process owned the shard since.
    """
    clock = clock or AsyncioClock()
    lost = lost or asyncio.Event()
    tenure = tenure or Tenure()
    with translated_errors():
        session = await psycopg.AsyncConnection.connect(plain_url(database_url), autocommit=True)
        async with session:
            who = {"host": socket.gethostname(), "pid": os.getpid(), "run_id": run_id}
            claim = _Claim(session, shard, who, tenure)
            await _take(claim, heartbeat, clock, patience_s)
            owned = OwnedShard(session, shard)
            try:
                async with beating(owned.confirm, clock, heartbeat, lost):
                    yield owned
            finally:
                await _leave(claim)


@dataclass(frozen=True, slots=True)
class _Claim:
    """A process that wants a shard, through a session of its own."""

    session: psycopg.AsyncConnection
    shard: Shard
    who: Mapping[str, object]
    tenure: Tenure


async def _take(claim: _Claim, heartbeat: Heartbeat, clock: Clock, patience_s: float) -> None:
    session, shard = claim.session, claim.shard
    give_up_at = clock.monotonic() + patience_s
    await hold_count(session, shard, clock, heartbeat=heartbeat, give_up_at=give_up_at)
    while not await _take_within(claim, min(_LOOK_EVERY_S, give_up_at - clock.monotonic())):
        await session.execute(
            _END_STALE_OWNER, {**_scope(shard), "stale_after_s": heartbeat.stale_after_s}
        )
        if clock.monotonic() >= give_up_at:
            raise ShardBusyError(f"{_title(shard)} is still being collected by another process")
    claim.tenure.is_open = True


async def _take_within(claim: _Claim, seconds: float) -> bool:
    if claim.tenure.is_open:
        await _confirm_nobody_came(claim)
    await claim.session.execute(
        "SELECT set_config('lock_timeout', %s, false)", (f"{max(1, round(seconds * 1000))}ms",)
    )
    try:
        await claim.session.execute(_TAKE, {**_scope(claim.shard), **claim.who})
    except psycopg.errors.LockNotAvailable:
        return False
    await claim.session.execute("SET lock_timeout = 0")
    return True


async def _confirm_nobody_came(claim: _Claim) -> None:
    """Raise ShardTakenError unless the shard's last owner was this process."""
    cursor = await claim.session.execute(_LAST_OWNER, {**_scope(claim.shard), **claim.who})
    if await cursor.fetchone() is None:
        raise ShardTakenError(f"{_title(claim.shard)} was taken over by another process")


async def _leave(claim: _Claim) -> None:
    # A session that is broken leaves its row: it shows who fell silent, and when.
    with contextlib.suppress(psycopg.Error):
        await claim.session.execute(_LEAVE, _scope(claim.shard))
        claim.tenure.is_open = False
    await release_locks(claim.session)


def _scope(shard: Shard) -> dict[str, object]:
    return {
        "plan_date": shard.plan_date,
        "platform_id": shard.platform_id,
        "shard_index": shard.index,
        "shard_count": shard.count,
        "lock_key": shard.lock_key,
    }


def _title(shard: Shard) -> str:
    return f"shard {shard.index + 1} of {shard.count} of {shard.platform_id} on {shard.plan_date}"


_ROW = (
    "plan_date = %(plan_date)s AND platform_id = %(platform_id)s"
    " AND shard_index = %(shard_index)s AND shard_count = %(shard_count)s"
)

# One statement: a process that is stopped at any point either holds no lock, or holds it
# with a heartbeat that grows stale.
_TAKE = """
WITH held AS MATERIALIZED (SELECT pg_advisory_lock(%(lock_key)s))
INSERT INTO ledger.shard_owner (plan_date, platform_id, shard_index, shard_count, host, pid,
                                backend_pid, run_id, owned_at, heartbeat_at)
SELECT %(plan_date)s, %(platform_id)s, %(shard_index)s, %(shard_count)s, %(host)s, %(pid)s,
       pg_backend_pid(), %(run_id)s, clock_timestamp(), clock_timestamp()
FROM held
ON CONFLICT (plan_date, platform_id, shard_index, shard_count) DO UPDATE
SET host = excluded.host, pid = excluded.pid, backend_pid = excluded.backend_pid,
    run_id = excluded.run_id, owned_at = excluded.owned_at, heartbeat_at = excluded.heartbeat_at
"""

_LAST_OWNER = f"""
SELECT FROM ledger.shard_owner
WHERE {_ROW} AND host = %(host)s AND pid = %(pid)s AND run_id = %(run_id)s
"""

_BEAT = f"""
UPDATE ledger.shard_owner SET heartbeat_at = clock_timestamp()
WHERE {_ROW} AND backend_pid = pg_backend_pid()
"""  # noqa: S608 - constant text

# Only the session that holds this very lock is ended: the row alone may be an old one
# whose backend's number serves somebody else by now.
_END_STALE_OWNER = f"""
SELECT pg_terminate_backend(backend_pid)
FROM ledger.shard_owner
WHERE {_ROW}
  AND heartbeat_at < clock_timestamp() - make_interval(secs => %(stale_after_s)s)
  AND EXISTS (
      SELECT FROM pg_locks
      WHERE pid = backend_pid AND granted AND locktype = 'advisory' AND objsubid = 1
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (classid::bigint << 32) + objid::bigint = %(lock_key)s)
"""  # noqa: S608 - constant text

_LEAVE = f"DELETE FROM ledger.shard_owner WHERE {_ROW} AND backend_pid = pg_backend_pid()"  # noqa: S608
