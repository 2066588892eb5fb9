"""One shard collected in a process of its own: the real parts, put together for a test.

A test gives an order and gets a process that it may kill, stop or starve. Where a database
lock or the simulator can't hold a process at the point a test is about, its lake does.
"""

import ctypes
import json
import os
import resource
import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pyarrow as pa

from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.lake.schemas import ATTEMPTS, FAILURES, RAW_ANSWERS, Dataset
from brand_visibility.adapters.ledger.heartbeat import Heartbeat
from brand_visibility.adapters.ledger.outcomes import OutcomeStore
from brand_visibility.adapters.ledger.shards import Shard
from brand_visibility.adapters.shard_collection import ShardCollector
from brand_visibility.collection.clock import AsyncioClock
from brand_visibility.domain.catalog import Platform
from brand_visibility.domain.errors import BrandVisibilityError

# Points of a publication at which a lake can hold its process.
BEFORE_FIRST_FILE = "before the first file"
BETWEEN_FILES = "between two files"
AFTER_LAST_FILE = "after the last file"
BEFORE_RENAMING = "before renaming"


@dataclass(frozen=True)
class Order:
    """What a shard's process is to do. `wall_jumps` are seconds its wall clock jumps by.

    `cut_off` is when asking ends, None when it takes its time.
    """

    database_url: str
    lake_root: Path
    base_url: str
    platform: Platform
    shard: Shard
    result_path: Path
    heartbeat: Heartbeat
    hold_at: str = ""
    wall_jumps: tuple[float, ...] = ()
    cut_off: datetime | None = None

    @property
    def held_path(self) -> Path:
        """The file that appears when the process has come to `hold_at`."""
        return self.result_path.with_suffix(".held")


def collect(order: Order) -> None:
    """Collect the shard and write what it came to; run in a process of its own."""
    _die_with_the_tests()
    started = time.monotonic()
    result: dict[str, object] = {"error": None, "sentence": ""}
    try:
        report = _collector(order).collect(
            order.shard, cut_off=order.cut_off, heartbeat=lambda _: None
        )
        result["sentence"], result["outages"] = report.sentence(), report.outages
    except (BrandVisibilityError, OSError) as error:
        result["error"] = type(error).__name__
        result["sentence"] = str(error)
    result["elapsed_s"] = time.monotonic() - started
    result["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    order.result_path.write_text(json.dumps(result), encoding="utf-8")


def _collector(order: Order) -> ShardCollector:
    return ShardCollector(
        database_url=order.database_url,
        lake=HoldingLake(order),
        outcomes=OutcomeStore(order.database_url, ZoneInfo("Asia/Shanghai")),
        platform=order.platform,
        keys={},
        base_url=order.base_url,
        owner_heartbeat=order.heartbeat,
        clock=JumpingClock(order.wall_jumps),
    )


class HoldingLake(Lake):
    """A lake that holds its process at one point of a publication."""

    def __init__(self, order: Order) -> None:
        super().__init__(order.lake_root)
        self._order = order

    def write(
        self,
        dataset: Dataset,
        partition: Mapping[str, str],
        table: pa.Table,
        *,
        name: str,
        before_it_appears: Callable[[], None] = lambda: None,
    ) -> Path:
        def confirm_and_stop() -> None:
            before_it_appears()
            if self._order.hold_at == BEFORE_RENAMING:
                self._order.held_path.touch()
                os.kill(os.getpid(), signal.SIGSTOP)
                # The signal takes its time to reach this thread.
                time.sleep(1.0)

        if dataset is RAW_ANSWERS:
            self._hold(BEFORE_FIRST_FILE)
        if dataset is FAILURES:
            self._hold(BETWEEN_FILES)
        path = super().write(
            dataset, partition, table, name=name, before_it_appears=confirm_and_stop
        )
        if dataset is ATTEMPTS:
            self._hold(AFTER_LAST_FILE)
        return path

    def _hold(self, point: str) -> None:
        if self._order.hold_at == point:
            self._order.held_path.touch()
            time.sleep(600)


class JumpingClock(AsyncioClock):
    """The machine's clock, whose wall time jumps to each of the offsets for half a second."""

    def __init__(self, jumps: tuple[float, ...]) -> None:
        self._jumps = jumps
        self._started = self.monotonic()

    def now(self) -> datetime:
        passed = round((self.monotonic() - self._started) / 0.5)
        offset = self._jumps[passed % len(self._jumps)] if self._jumps else 0.0
        return super().now() + timedelta(seconds=offset)


def _die_with_the_tests() -> None:
    # A killed test session must not leave a stopped or held process behind.
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
