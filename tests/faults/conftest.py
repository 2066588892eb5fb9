"""The ground that faults are tried on: a frozen plan, a platform, and shards' processes."""

import contextlib
import dataclasses
import itertools
import json
import multiprocessing
import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import psycopg
import pytest

from brand_visibility.adapters.embedded_postgres import embedded_postgres
from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.ledger.heartbeat import Heartbeat
from brand_visibility.adapters.ledger.migrate import migrate
from brand_visibility.adapters.ledger.plans import PlanStore
from brand_visibility.adapters.ledger.shards import Shard
from brand_visibility.adapters.publication import PlanAudit, audit_against_plan
from brand_visibility.domain.catalog import Platform, RetrySettings
from brand_visibility.domain.planning import Plan
from brand_visibility.simulator.repertoire import empty_repertoire
from brand_visibility.simulator.settings import PlatformBehaviour, SimulatorSettings
from brand_visibility.simulator.simulator import Simulator
from brand_visibility.simulator.written import MentionOdds, WrittenAnswers
from tests.builders import DAY, a_plan, a_platform
from tests.faults import shard_process
from tests.faults.restartable_postgres import Server
from tests.faults.shard_process import Order

PLATFORM = "deepseek"
CONCURRENCY = 8
QUICK_RETRIES = RetrySettings(
    timeout_base_s=0.1, timeout_jitter_s=0.1, server_fault_s=0.1, rate_limit_base_s=0.1
)
# A process that was stopped counts as gone soon, and one on a busy machine does not.
BEATS = Heartbeat(every_s=0.3, stale_after_s=3.0)

# One server that has imported everything: a shard's process then starts at once.
_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload([shard_process.__name__])

_numbers = itertools.count(1)


def wait_until(is_true: Callable[[], bool], what: str, *, patience_s: float = 60) -> None:
    """Return when the condition holds, or fail the test saying what was expected."""
    give_up_at = time.monotonic() + patience_s
    while not is_true():
        if time.monotonic() > give_up_at:
            pytest.fail(f"expected within {patience_s:g} s: {what}")
        time.sleep(0.01)


@dataclass(frozen=True)
class ShardProcess:
    """A shard's process and what it was ordered to do."""

    order: Order
    process: ForkServerProcess

    def result(self, *, patience_s: float = 90) -> dict[str, object]:
        """Wait for its end and return what it came to."""
        self.process.join(patience_s)
        assert self.process.exitcode == 0, f"ended with {self.process.exitcode}"
        found: dict[str, object] = json.loads(self.order.result_path.read_text("utf-8"))
        return found

    def succeed(self, *, patience_s: float = 90) -> dict[str, object]:
        """Wait for its end, which must be a success, and return what it came to."""
        result = self.result(patience_s=patience_s)
        assert result["error"] is None, result
        return result

    def signal(self, number: signal.Signals) -> None:
        assert self.process.pid is not None
        os.kill(self.process.pid, number)

    def kill(self) -> None:
        """Kill it, stopped or not, and wait until it is gone."""
        self.process.kill()
        self.process.join()

    @property
    def is_held(self) -> bool:
        return self.order.held_path.exists()


@dataclass
class Ground:
    """A plan in a ledger of its own, a lake, and the processes that collect it."""

    database_url: str
    folder: Path
    plan: Plan
    processes: list[ShardProcess] = field(default_factory=list)

    @property
    def lake_root(self) -> Path:
        return self.folder / "lake"

    @property
    def lake(self) -> Lake:
        return Lake(self.lake_root)

    @property
    def planned(self) -> int:
        return len(self.plan.queries)

    @property
    def platform_id(self) -> str:
        return self.plan.platform_id

    @property
    def partition(self) -> dict[str, str]:
        return {"date": DAY.isoformat(), "platform": self.platform_id}

    def start(
        self,
        simulator: Simulator,
        platform: Platform,
        *,
        index: int = 0,
        count: int = 1,
        hold_at: str = "",
        wall_jumps: tuple[float, ...] = (),
        cut_off: datetime | None = None,
    ) -> ShardProcess:
        """Start a process that collects one of `count` shards."""
        order = Order(
            database_url=self.database_url,
            lake_root=self.lake_root,
            base_url=simulator.url_of(self.platform_id),
            platform=platform,
            shard=Shard(DAY, self.platform_id, index, count),
            result_path=self.folder / f"result-{next(_numbers)}.json",
            heartbeat=BEATS,
            hold_at=hold_at,
            wall_jumps=wall_jumps,
            cut_off=cut_off,
        )
        process = _FORKS.Process(target=shard_process.collect, args=(order,))
        process.start()
        started = ShardProcess(order, process)
        self.processes.append(started)
        return started

    def clear(self) -> None:
        """Leave no process behind."""
        for started in self.processes:
            if started.process.is_alive():
                started.kill()
            started.process.close()

    def rows(self, statement: str, *values: object) -> list[tuple[object, ...]]:
        with psycopg.connect(self.database_url, autocommit=True) as session:
            return session.execute(statement, values).fetchall()

    def states(self, *, index: int = 0, count: int = 1) -> Counter[str]:
        """Return how many of a shard's queries stand in each state."""
        return Counter(
            dict(
                self.rows(  # type: ignore[arg-type]
                    "SELECT state, count(*) FROM ledger.query"
                    " WHERE platform_id = %s AND shard_key %% %s = %s GROUP BY state",
                    self.platform_id,
                    count,
                    index,
                )
            )
        )

    def owners(self) -> int:
        return len(self.rows("SELECT FROM ledger.shard_owner"))

    def maybe_paid(self) -> int:
        return PlanStore(self.database_url).maybe_paid(DAY, self.platform_id)

    def audit(self) -> PlanAudit:
        """Hold what is published against the plan."""
        ids = frozenset(query.query_id for query in self.plan.queries)
        return audit_against_plan(self.lake, self.partition, ids)

    def attempt_reasons(self) -> Counter[str]:
        """Return how many calls ended for each reason, "" for an answer."""
        return Counter(
            reason or ""  # type: ignore[misc]
            for (reason,) in self.rows("SELECT reason FROM ledger.attempt")
        )

    @contextlib.contextmanager
    def table_locked(self, table: str) -> Iterator[None]:
        """Let everyone read a table of the ledger and nobody write it."""
        with psycopg.connect(self.database_url) as session:
            session.execute(f"LOCK TABLE ledger.{table} IN EXCLUSIVE MODE")  # type: ignore[arg-type]
            yield


def a_quick_platform(
    platform_id: str = PLATFORM, *, rate: float = 100, timeout_s: float = 5.0
) -> Platform:
    return dataclasses.replace(
        a_platform(platform_id, rate=rate, concurrency=CONCURRENCY),
        attempt_timeout_s=timeout_s,
        retry=QUICK_RETRIES,
        shards_at_once=1,
    )


def simulated(behaviour: PlatformBehaviour | None = None, **named: PlatformBehaviour) -> Simulator:
    """Return a simulator to enter; `named` platforms behave otherwise."""
    settings = SimulatorSettings(behaviour or PlatformBehaviour(), by_platform=named, seed=11)
    return Simulator(settings, WrittenAnswers(empty_repertoire(), seed=1, odds=MentionOdds(1)))


def sends(simulator: Simulator) -> int:
    return totals(simulator)["sends"]


def totals(simulator: Simulator) -> dict[str, int]:
    return simulator.stats()["total"]  # type: ignore[return-value]


@pytest.fixture
def ground(database_url: str, tmp_path: Path) -> Iterator[Ground]:
    """A plan of 34 queries for one platform."""
    plan = a_plan(questions=30)
    PlanStore(database_url).freeze(plan, [], None)
    ground = Ground(database_url, tmp_path, plan)
    try:
        yield ground
    finally:
        ground.clear()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A database server of the test's own, with an empty ledger."""
    data = tmp_path / "postgres" / "data"
    with embedded_postgres(data) as url:
        migrate(url)
        yield Server(url, data.resolve())
