"""A shard whose account is refused for a reason that nobody knows: who is told, and how."""

import asyncio
import gc
import logging
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from raw_server import response, saying, serving

from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.ledger.outcomes import OutcomeStore
from brand_visibility.adapters.ledger.plans import PlanStore
from brand_visibility.adapters.ledger.shards import Shard
from brand_visibility.adapters.shard_collection import ShardCollector
from brand_visibility.adapters.shard_report import ShardReport
from brand_visibility.collection.notices import Notice
from tests.builders import DAY, a_plan, a_platform

REFUSED = saying(response(b'{"error": {"code": "e4711", "message": "no"}}', "429 Too Many"))


@pytest.fixture(autouse=True)
def untuned_garbage_collection() -> Iterator[None]:
    """Undo what a collecting process sets for all of its life."""
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)
    gc.unfreeze()


@pytest.fixture
def refusing_url() -> Iterator[str]:
    """The URL of a platform that refuses every call, served in a thread of its own."""
    started, urls = threading.Event(), list[str]()
    loop = asyncio.new_event_loop()
    ended = asyncio.Event()

    async def serve() -> None:
        async with serving(REFUSED) as server:
            urls.append(server.url)
            started.set()
            await ended.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    started.wait(10)
    yield urls[0]
    loop.call_soon_threadsafe(ended.set)
    thread.join()
    loop.close()


def collect(
    database_url: str, folder: Path, base_url: str, notice: Callable[[Notice], None]
) -> ShardReport:
    PlanStore(database_url).freeze(a_plan(questions=30), [], None)
    collector = ShardCollector(
        database_url=database_url,
        lake=Lake(folder),
        outcomes=OutcomeStore(database_url, ZoneInfo("Asia/Shanghai")),
        platform=a_platform(concurrency=4),
        keys={},
        base_url=base_url,
    )
    return collector.collect(
        Shard(DAY, "deepseek", 0, 1),
        cut_off=datetime.now(UTC) + timedelta(seconds=2),
        heartbeat=lambda _: None,
        notice=notice,
    )


def test_an_account_that_rests_for_them_is_told_once_and_beside_the_collection(
    database_url: str, tmp_path: Path, refusing_url: str
) -> None:
    told: list[tuple[Notice, bool]] = []

    def hear(notice: Notice) -> None:
        told.append((notice, threading.current_thread() is threading.main_thread()))

    report = collect(database_url, tmp_path, refusing_url, hear)

    ((notice, is_in_the_loop),) = told
    assert (notice.platform_id, notice.account_id) == ("deepseek", "main")
    assert not is_in_the_loop
    # Three in a row, and what was in flight with the third.
    assert 3 <= report.summary.attempts <= 3 + 4
    assert report.summary.lanes[0].refused_since is not None
    assert report.summary.left == 0


def test_telling_people_never_breaks_the_collection(
    database_url: str, tmp_path: Path, refusing_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(notice: Notice) -> None:
        raise ZeroDivisionError("a bug of whoever tells people")

    with caplog.at_level(logging.WARNING):
        report = collect(database_url, tmp_path, refusing_url, fail)

    assert report.summary.left == 0
    assert "a notice about main was not delivered" in caplog.text
