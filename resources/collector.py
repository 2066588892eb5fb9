"""The door to collecting: a platform's settings, keys and limits behind one method."""

import os
from collections.abc import Callable
from datetime import date

import dagster as dg

from brand_visibility.adapters.ledger.shards import Shard
from brand_visibility.adapters.platforms.registry import base_url_of, is_simulated, keys_of
from brand_visibility.adapters.publication import DayCount, close_day
from brand_visibility.adapters.shard_collection import ShardCollector
from brand_visibility.adapters.shard_report import ShardReport
from brand_visibility.adapters.shard_watching import log_notice
from brand_visibility.collection.notices import Notice
from brand_visibility.domain.catalog import Platform
from brand_visibility.domain.errors import PlanError
from resources.catalog import CatalogResource
from resources.lake import LakeResource
from resources.ledger import LedgerResource
from resources.night import NightResource

ALLOW_LATE_TAG = "brand-visibility/allow-late"


class CollectorResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """Collects shards and closes days. Keys are read from the environment by name."""

    catalog: dg.ResourceDependency[CatalogResource]
    ledger: dg.ResourceDependency[LedgerResource]
    lake: dg.ResourceDependency[LakeResource]
    night: dg.ResourceDependency[NightResource]

    def collect(
        self,
        plan_date: date,
        platform_id: str,
        *,
        shard_index: int,
        shard_count: int,
        allow_late: bool,
        heartbeat: Callable[[str], None],
        notice: Callable[[Notice], None] = log_notice,
        run_id: str = "",
    ) -> ShardReport:
        """Ask what a shard is missing, and publish its files. `run_id` is for operators.

        `notice` is told what people must know; it may take its time.

        Raises PlanError when the day was never planned, is no longer in the ledger, or is
        over and asking for it now was not allowed.
        """
        self.ledger.plans().require_whole(plan_date, platform_id)
        platform = self.catalog.load_platform(platform_id)
        self._refuse_late(plan_date, platform, allow_late=allow_late)
        collector = ShardCollector(
            database_url=self.ledger.database_url,
            lake=self.lake.open(),
            outcomes=self.ledger.outcomes(),
            platform=platform,
            keys=keys_of(platform, os.environ),
            base_url=base_url_of(platform, os.environ),
            run_id=run_id,
        )
        return collector.collect(
            Shard(plan_date, platform_id, shard_index, shard_count),
            cut_off=self.night.times.cut_off(plan_date, self.night.now()),
            heartbeat=heartbeat,
            notice=notice,
        )

    def close(self, plan_date: date, platform_id: str, *, shard_count: int) -> DayCount:
        """Hold a platform's published day against its plan.

        Raises IncompleteError when they do not add up.
        """
        plans = self.ledger.plans()
        return close_day(
            self.lake.open(),
            [Shard(plan_date, platform_id, index, shard_count) for index in range(shard_count)],
            planned=plans.read(plan_date, platform_id).query_count,
            maybe_paid=plans.maybe_paid(plan_date, platform_id),
        )

    def _refuse_late(self, plan_date: date, platform: Platform, *, allow_late: bool) -> None:
        today = self.night.times.today(self.night.now())
        if plan_date >= today or allow_late or is_simulated(platform):
            return
        missing = self.ledger.plans().missing(plan_date, platform.platform_id)
        if missing:
            raise PlanError(
                f"{plan_date} is over in {self.night.timezone} and {missing} answers of"
                f" {platform.platform_id} are missing: what a platform says today is not what it"
                f" said then. To ask all the same, and have the answers marked as late, add the"
                f" tag {ALLOW_LATE_TAG} to the run or the backfill"
            )
