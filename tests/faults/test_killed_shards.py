"""A shard's process killed with -9 at every point of its life.

What is held before the kill is what a real process would leave there: database locks and
the simulator hold it, so that the product needs no hook.
"""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import psycopg
import pytest
from _pytest.mark import ParameterSet

from brand_visibility.adapters.lake.schemas import FAILURES, RAW_ANSWERS
from brand_visibility.adapters.ledger.shards import Shard
from brand_visibility.simulator.settings import Latency, PlatformBehaviour
from brand_visibility.simulator.simulator import Simulator
from tests.faults.conftest import (
    CONCURRENCY,
    Ground,
    ShardProcess,
    a_quick_platform,
    sends,
    simulated,
    totals,
    wait_until,
)
from tests.faults.shard_process import AFTER_LAST_FILE, BEFORE_FIRST_FILE, BETWEEN_FILES

pytestmark = pytest.mark.integration

SHARDS = 2
ANSWERS_AFTER_A_WHILE = PlatformBehaviour(latency=Latency(0.3, 0.3))


# One before, one during and one after the calls; the rest is for the whole tier.
QUICK = frozenset({"marked running, not sent", "calls in flight", "between two files"})


@dataclass(frozen=True)
class Point:
    """A point at which the process is killed: what holds it there, and how to see it."""

    name: str
    is_reached: Callable[[Ground, Simulator, ShardProcess], bool]
    hold: Callable[[Ground], contextlib.AbstractContextManager[None]]
    hold_at: str = ""


def free(_ground: Ground) -> contextlib.AbstractContextManager[None]:
    return contextlib.nullcontext()


def locked(table: str) -> Callable[[Ground], contextlib.AbstractContextManager[None]]:
    return lambda ground: ground.table_locked(table)


@contextlib.contextmanager
def owned_by_the_test(ground: Ground) -> Iterator[None]:
    key = Shard(ground.plan.plan_date, ground.platform_id, 0, SHARDS).lock_key
    with psycopg.connect(ground.database_url, autocommit=True) as session:
        session.execute("SELECT pg_advisory_lock(%s)", (key,))
        yield


def waits_for_the_shard(ground: Ground, _simulator: Simulator, _process: ShardProcess) -> bool:
    return bool(
        ground.rows("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted LIMIT 1")
    )


def owns_and_has_read_nothing(ground: Ground, simulator: Simulator, _process: ShardProcess) -> bool:
    return ground.owners() == 1 and sends(simulator) == 0


def has_marked_and_not_sent(ground: Ground, simulator: Simulator, _process: ShardProcess) -> bool:
    return ground.states(count=SHARDS)["running"] > 0 and sends(simulator) == 0


def has_calls_in_flight(ground: Ground, simulator: Simulator, _process: ShardProcess) -> bool:
    return ground.states(count=SHARDS)["answered"] > 0 and sends(simulator) > 8


def is_answered_and_not_recorded(
    ground: Ground, simulator: Simulator, _process: ShardProcess
) -> bool:
    return totals(simulator)["answered"] > 0 and not ground.states(count=SHARDS)["answered"]


def is_recorded_and_not_published(
    ground: Ground, _simulator: Simulator, process: ShardProcess
) -> bool:
    return process.is_held and not ground.lake.files(RAW_ANSWERS, ground.partition)


def is_between_two_files(ground: Ground, _simulator: Simulator, process: ShardProcess) -> bool:
    answers = ground.lake.files(RAW_ANSWERS, ground.partition)
    return process.is_held and bool(answers) and not ground.lake.files(FAILURES, ground.partition)


def is_published_and_owned(ground: Ground, _simulator: Simulator, process: ShardProcess) -> bool:
    return process.is_held and ground.owners() == 1


POINTS = (
    Point("planned, waiting for the shard", waits_for_the_shard, owned_by_the_test),
    Point("owned, nothing read yet", owns_and_has_read_nothing, locked("query")),
    Point("marked running, not sent", has_marked_and_not_sent, locked("account_pace")),
    Point("calls in flight", has_calls_in_flight, free),
    Point("answered, not recorded", is_answered_and_not_recorded, locked("answer")),
    Point("recorded, not published", is_recorded_and_not_published, free, BEFORE_FIRST_FILE),
    Point("between two files", is_between_two_files, free, BETWEEN_FILES),
    Point("published, still owned", is_published_and_owned, free, AFTER_LAST_FILE),
)


def with_speed(point: Point) -> ParameterSet:
    marks = () if point.name in QUICK else pytest.mark.slow_fault
    return pytest.param(point, id=point.name, marks=marks)


@pytest.mark.parametrize("point", [with_speed(point) for point in POINTS])
def test_a_shard_killed_at_any_point_loses_no_answer_and_publishes_none_twice(
    ground: Ground, point: Point
) -> None:
    platform = a_quick_platform()
    with simulated(ANSWERS_AFTER_A_WHILE) as simulator:
        with point.hold(ground):
            victim = ground.start(simulator, platform, count=SHARDS, hold_at=point.hold_at)
            wait_until(lambda: point.is_reached(ground, simulator, victim), point.name)
            victim.kill()
        answered_before = ground.states(count=SHARDS)["answered"]
        sent_before = sends(simulator)

        # While the dead shard lies there, the other one is collected as ever.
        other = ground.start(simulator, platform, index=1, count=SHARDS)
        other.succeed()
        assert ground.states(index=1, count=SHARDS).keys() == {"answered"}
        assert ground.states(count=SHARDS)["answered"] == answered_before

        ground.start(simulator, platform, count=SHARDS).succeed()
        extra = sends(simulator) - ground.planned

    audit = ground.audit()
    assert audit.is_whole, audit.sentence()
    assert audit.answers == ground.planned
    # Repeated calls are counted, and no more of them than had no record: those in flight,
    # and as many that had ended and waited for their commit.
    assert extra <= sent_before - answered_before <= ground.maybe_paid() <= 2 * CONCURRENCY
    assert list(ground.lake_root.rglob("*.tmp")) == []
    assert ground.owners() == 0
