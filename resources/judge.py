"""The door to the judge of stances: a day's sample asked through the collector."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date

import dagster as dg
import pyarrow as pa

from brand_visibility.adapters.catalog.published_prices import published_price
from brand_visibility.adapters.judging.judgements import JudgementFile, open_rows, read_judgements
from brand_visibility.adapters.judging.plan import build_judge_plan
from brand_visibility.adapters.judging.sample_files import Row, SampleRules, sample_of_day
from brand_visibility.adapters.ledger.shards import Shard
from brand_visibility.adapters.platforms.registry import base_url_of, keys_of
from brand_visibility.adapters.shard_collection import ShardCollector
from brand_visibility.adapters.shard_report import ShardReport
from brand_visibility.adapters.shard_watching import log_notice
from brand_visibility.collection.notices import Notice
from brand_visibility.domain.catalog import Catalog, Platform
from brand_visibility.domain.errors import PlanError
from brand_visibility.domain.feasibility import expected_cost_usd
from resources.catalog import CatalogResource
from resources.lake import LakeResource
from resources.ledger import LedgerResource


@dataclass(frozen=True, slots=True)
class JudgedDay:
    """A day's judgements as stored; `report` is None where nothing was left to ask."""

    judgements: pa.Table
    report: ShardReport | None = None


class JudgeResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """Asks the catalog's judge. What is sampled of a day's stances is a deployment's choice."""

    catalog: dg.ResourceDependency[CatalogResource]
    ledger: dg.ResourceDependency[LedgerResource]
    lake: dg.ResourceDependency[LakeResource]
    random_rate: float
    most_per_day: int

    def judge_day(
        self,
        plan_date: date,
        *,
        heartbeat: Callable[[str], None],
        notice: Callable[[Notice], None] = log_notice,
        run_id: str = "",
    ) -> JudgedDay:
        """Ask what is missing of a day's sample, drawn when this is first called.

        What an answer says of a brand is the same tomorrow: any day may be judged at any
        time, and no cut-off ends it. Raises PlanError when the catalog has no judge, or
        when the ledger has dropped a day of which something is still to be asked.
        """
        catalog = self.catalog.load()
        judge = _judge_of(catalog)
        lake = self.lake.open()
        rules = SampleRules(self.random_rate, self.most_per_day)
        sample = sample_of_day(lake, plan_date, catalog, judge, rules)
        if not open_rows(sample, judge):
            return JudgedDay(read_judgements(lake, plan_date))
        self._plan(plan_date, catalog, judge, sample)
        collector = ShardCollector(
            database_url=self.ledger.database_url,
            lake=lake,
            outcomes=self.ledger.outcomes(),
            platform=judge,
            keys=keys_of(judge, os.environ),
            base_url=base_url_of(judge, os.environ),
            run_id=run_id,
            publish=JudgementFile(sample),
        )
        shard = Shard(plan_date, judge.platform_id, index=0, count=1)
        report = collector.collect(shard, cut_off=None, heartbeat=heartbeat, notice=notice)
        return JudgedDay(read_judgements(lake, plan_date), report)

    def _plan(self, plan_date: date, catalog: Catalog, judge: Platform, sample: list[Row]) -> None:
        plans = self.ledger.plans()
        plan = build_judge_plan(catalog, judge, plan_date, sample, published_price)
        plans.freeze(plan, (), expected_cost_usd(plan, judge))
        plans.require_whole(plan_date, judge.platform_id)


def _judge_of(catalog: Catalog) -> Platform:
    if catalog.judge is None:
        raise PlanError("platforms.yaml: found no platform with purpose: judge; one is expected")
    # One step asks it, so that all of its accounts' limits are that step's.
    return replace(catalog.judge, shards_at_once=1)
