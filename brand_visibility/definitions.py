"""The composition root: settings and platforms in, Dagster's definitions out.

Everything is plugged together here and nowhere else. Loading it reads `platforms.yaml`,
since the platforms are partitions; the rest of the catalog is read when a plan is made.
"""

import warnings
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import dagster as dg

from assets.checks import build_checks
from assets.out_day_report import build_out_day_report
from assets.out_figures import FIGURE_NAMES, build_out_figures
from assets.out_manifest import build_out_manifest
from assets.partitions import build_partitions
from assets.query_plan import build_query_plan
from assets.raw_answers import build_raw_answers
from assets.reading import build_reading
from assets.stance_judgements import (
    JUDGING_GROUP,
    build_stance_judgements,
    build_stance_judgements_check,
)
from brand_visibility.adapters.catalog.loader import load_judge, load_platforms
from brand_visibility.adapters.settings import (
    ALERT_WEBHOOK_URL,
    DATABASE_URL,
    Settings,
    read_settings,
)
from brand_visibility.automation.deadline import build_deadline_sensor, deadline_alert
from brand_visibility.automation.jobs import build_executor, build_figures_job, build_night_job
from brand_visibility.automation.schedules import build_night_schedule
from brand_visibility.domain.catalog import Platform
from brand_visibility.domain.night import NightTimes
from resources.alerts import AlertsResource
from resources.catalog import CatalogResource
from resources.collector import CollectorResource
from resources.judge import JudgeResource
from resources.lake import LakeResource
from resources.ledger import LedgerResource
from resources.night import NightResource


@dg.definitions
def defs() -> dg.Definitions:
    """The deployment that the environment describes."""
    # One release of Dagster is pinned, so that what it calls beta cannot change here. For the
    # whole process: its loader copies the sensors after this has returned, and warns again.
    warnings.simplefilter("ignore", dg.BetaWarning)
    warnings.simplefilter("ignore", dg.PreviewWarning)
    return build_definitions()


def build_definitions(
    *,
    settings: Settings | None = None,
    platforms: tuple[Platform, ...] | None = None,
    judge: Platform | None = None,
    resources: Mapping[str, Any] | None = None,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> dg.Definitions:
    """Return a deployment's definitions; every argument overrides what it is built from.

    `platforms` and `judge` override the catalog's together.
    """
    settings = settings or read_settings()
    if platforms is None:
        platforms, judge = load_platforms(settings.catalog), load_judge(settings.catalog)
    platform_ids = tuple(platform.platform_id for platform in platforms)
    partitions = build_partitions(
        start_date=settings.start_date, timezone=settings.timezone, platform_ids=platform_ids
    )
    publication = [build_out_day_report(partitions), build_out_manifest(partitions)]
    has_judge = judge is not None
    shards_at_once = {platform.platform_id: platform.shards_at_once for platform in platforms}
    night_job = build_night_job(partitions, shards_at_once)
    return dg.Definitions(
        assets=[
            build_query_plan(partitions),
            build_raw_answers(partitions, settings.shard_count),
            build_reading(partitions),
            build_out_figures(partitions),
            *publication,
            *([build_stance_judgements(partitions)] if has_judge else []),
        ],
        asset_checks=[
            *build_checks(partitions),
            *([build_stance_judgements_check(partitions)] if has_judge else []),
        ],
        jobs=[night_job, build_figures_job(), deadline_alert],
        schedules=[build_night_schedule(night_job, starts_at=settings.night_starts_at)],
        sensors=[
            dg.AutomationConditionSensorDefinition(
                "figures_follow_answers",
                target=dg.AssetSelection.groups("figures", *[JUDGING_GROUP] * has_judge),
                default_status=dg.DefaultSensorStatus.RUNNING,
                minimum_interval_seconds=30,
                description="Makes the day's figures when every platform has been read, and has the"
                " catalog's judge asked, if there is one.",
            ),
            build_deadline_sensor(
                times=_times(settings),
                platform_ids=platform_ids,
                daily_assets=(
                    *FIGURE_NAMES,
                    *(asset.key.to_user_string() for asset in publication),
                ),
                lookback_days=settings.deadline_lookback_days,
                now=now,
            ),
        ],
        executor=build_executor(max(shards_at_once.values())),
        resources={**_build_resources(settings), **(resources or {})},
    )


def _times(settings: Settings) -> NightTimes:
    return NightTimes(settings.zone, settings.cut_off_at, settings.deadline_at)


def _build_resources(settings: Settings) -> dict[str, Any]:
    night = NightResource(
        timezone=settings.timezone,
        cut_off_at=f"{settings.cut_off_at:%H:%M}",
        deadline_at=f"{settings.deadline_at:%H:%M}",
    )
    # By name even when it is known here: the UI shows what a resource is configured with.
    ledger = LedgerResource(database_url=dg.EnvVar(DATABASE_URL), night=night)
    lake = LakeResource(
        root=str(settings.lake_root.resolve()),
        report_root=str(settings.report_root.resolve()),
    )
    catalog = CatalogResource(directory=str(settings.catalog.resolve()))
    return {
        "alerts": AlertsResource(webhook_url_env=ALERT_WEBHOOK_URL),
        "catalog": catalog,
        "collector": CollectorResource(catalog=catalog, ledger=ledger, lake=lake, night=night),
        "judge": JudgeResource(
            catalog=catalog,
            ledger=ledger,
            lake=lake,
            random_rate=settings.judge_random_rate,
            most_per_day=settings.judge_most_per_day,
        ),
        "lake": lake,
        "ledger": ledger,
        "night": night,
    }
