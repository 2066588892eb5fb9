"""Shards of an account with limits, collected side by side from a strict platform."""

import dataclasses
import gc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.ledger.outcomes import OutcomeStore
from brand_visibility.adapters.ledger.plans import PlanStore
from brand_visibility.adapters.ledger.shards import Shard
from brand_visibility.adapters.shard_collection import ShardCollector
from brand_visibility.domain.catalog import AccountLimits, Platform
from brand_visibility.simulator.repertoire import empty_repertoire
from brand_visibility.simulator.settings import PlatformBehaviour, SimulatorSettings
from brand_visibility.simulator.simulator import Simulator
from brand_visibility.simulator.written import MentionOdds, WrittenAnswers
from tests.builders import DAY, a_plan, a_platform

SHARDS = 3


@pytest.fixture
def simulator() -> Iterator[Simulator]:
    settings = SimulatorSettings(PlatformBehaviour(), seed=11)
    answers = WrittenAnswers(empty_repertoire(), seed=1, odds=MentionOdds(1))
    with Simulator(settings, answers) as simulator:
        yield simulator


@pytest.fixture(autouse=True)
def untuned_garbage_collection() -> Iterator[None]:
    """Undo what a collecting process sets for all of its life."""
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)
    gc.unfreeze()


def a_capped_platform(queries_per_day: int) -> Platform:
    platform = a_platform(rate=200)
    limits = AccountLimits(200, 8, queries_per_day=queries_per_day)
    account = dataclasses.replace(platform.accounts[0], limits=limits)
    return dataclasses.replace(platform, accounts=(account,), shards_at_once=2)


@pytest.mark.parametrize(("cap", "sends"), [(10, 10), (1_000, 34)])
def test_all_shards_and_all_their_runs_together_keep_the_day_of_an_account(
    database_url: str, tmp_path: Path, simulator: Simulator, cap: int, sends: int
) -> None:
    plan = a_plan(questions=30)
    assert len(plan.queries) == 34
    PlanStore(database_url).freeze(plan, [], None)
    collector = ShardCollector(
        database_url=database_url,
        lake=Lake(tmp_path),
        outcomes=OutcomeStore(database_url, ZoneInfo("Asia/Shanghai")),
        platform=a_capped_platform(cap),
        keys={},
        base_url=simulator.url_of("deepseek"),
    )

    def collect(index: int) -> None:
        collector.collect(
            Shard(DAY, "deepseek", index, SHARDS), cut_off=None, heartbeat=lambda _: None
        )

    # A second run takes up what the first one's shards left each other.
    for _ in range(2):
        with ThreadPoolExecutor(SHARDS) as threads:
            list(threads.map(collect, range(SHARDS)))

    assert simulator.stats()["total"]["sends"] == sends  # type: ignore[index]
