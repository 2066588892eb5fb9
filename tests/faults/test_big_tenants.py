"""A tenant a hundred times as big as the others, on real processes that share an account."""

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from brand_visibility.adapters.ledger.migrate import migrate
from brand_visibility.adapters.ledger.plans import PlanStore
from brand_visibility.domain.catalog import (
    Account,
    AccountLimits,
    Brand,
    Catalog,
    Platform,
    Question,
    Tenant,
    Topic,
)
from brand_visibility.domain.planning import Plan, build_plan
from brand_visibility.simulator.settings import Latency, PlatformBehaviour
from tests.builders import DAY, a_catalog
from tests.faults.conftest import (
    PLATFORM,
    Ground,
    a_quick_platform,
    simulated,
    wait_until,
)

pytestmark = [pytest.mark.integration, pytest.mark.slow_fault]

SMALL = 30
QUESTIONS = 12
BIG = "big"
RATE = 60.0
SHARDS = 2
STEADY = PlatformBehaviour(latency=Latency(0.1, 0.2))

# The big tenant has its turn among 31, and among fewer once others are done: six percent of
# all the turns, as counted. A block of slots is taken a quarter of a second ahead by each
# of the two processes, and they begin that far apart in either run.
SHARE = 0.10
TOLERANCE_S = 0.5


def a_crowd(sizes: dict[str, int]) -> Catalog:
    """Return tenants with so many questions each, none of which they share."""
    return dataclasses.replace(
        a_catalog(),
        tenants=tuple(Tenant(name, name.capitalize()) for name in sizes),
        topics=tuple(Topic(name, name.capitalize()) for name in sizes),
        brands=tuple(Brand(f"{name}-brand", name, name, (), (name,)) for name in sizes),
        questions=tuple(
            Question(f"{name}-{number}", name, f"Which {name} number {number} is best?")
            for name, size in sizes.items()
            for number in range(size)
        ),
    )


def plan_of(sizes: dict[str, int]) -> Plan:
    return build_plan(a_crowd(sizes), plan_date=DAY, platform_id=PLATFORM)


def a_shared_platform() -> Platform:
    account = Account("main", AccountLimits(RATE, concurrency=60))
    return dataclasses.replace(a_quick_platform(), accounts=(account,), shards_at_once=SHARDS)


@contextmanager
def ground_of(database_url: str, folder: Path, plan: Plan) -> Iterator[Ground]:
    folder.mkdir()
    PlanStore(database_url).freeze(plan, [], None)
    ground = Ground(database_url, folder, plan)
    try:
        yield ground
    finally:
        ground.clear()


def answered(ground: Ground) -> dict[str, int]:
    """Return how many answers each tenant has."""
    return dict(
        ground.rows(  # type: ignore[arg-type]
            "SELECT tenant_ids[1], count(*) FROM ledger.query WHERE state = 'answered' GROUP BY 1"
        )
    )


def finish_times(ground: Ground) -> dict[str, float]:
    """Return when each small tenant had its last answer, in seconds from the first send."""
    return dict(
        ground.rows(  # type: ignore[arg-type]
            "SELECT tenant_ids[1],"
            " extract(epoch FROM max(sent_at) - (SELECT min(sent_at) FROM ledger.attempt))::float8"
            " FROM ledger.attempt JOIN ledger.query USING (plan_date, query_id)"
            " WHERE tenant_ids[1] <> %s GROUP BY 1",
            BIG,
        )
    )


def collect_the_small(ground: Ground, small: dict[str, int]) -> dict[str, float]:
    """Collect until every small tenant has all its answers; return when each had them."""

    def are_done() -> bool:
        counts = answered(ground)
        return all(counts.get(name, 0) == size for name, size in small.items())

    with simulated(STEADY) as simulator:
        for index in range(SHARDS):
            ground.start(simulator, a_shared_platform(), index=index, count=SHARDS)
        wait_until(are_done, "every answer of the small tenants")
        return finish_times(ground)


def test_small_tenants_finish_as_if_the_big_one_were_not_there(
    database_url: str, empty_database_url: str, tmp_path: Path
) -> None:
    small = {f"small{number}": QUESTIONS for number in range(SMALL)}
    migrate(empty_database_url)
    with ground_of(database_url, tmp_path / "alone", plan_of(small)) as ground:
        alone = collect_the_small(ground, small)
    crowd = plan_of({BIG: 100 * QUESTIONS, **small})
    with ground_of(empty_database_url, tmp_path / "crowded", crowd) as ground:
        crowded = collect_the_small(ground, small)
        big_answers = answered(ground)[BIG]

    assert alone.keys() == crowded.keys() == small.keys()
    late = {
        name: (alone[name], crowded[name])
        for name in small
        if crowded[name] > (1 + SHARE) * alone[name] + TOLERANCE_S
    }
    assert late == {}
    # The account was the bottleneck, or the big tenant would have cost nobody anything.
    assert max(alone.values()) >= 0.9 * SMALL * QUESTIONS / RATE
    # It had its own share meanwhile, and no more than what is in flight beyond.
    assert QUESTIONS // 2 <= big_answers <= 2 * QUESTIONS + 60
