"""The deadline: a sensor that notices a missed morning and a job that says so.

The sensor only looks and asks for a run; Dagster starts one run for each day, whatever
the number of ticks, because the run's key is the day.
"""

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta

import dagster as dg

from assets.failures import as_dagster_failure
from brand_visibility.domain.night import NightTimes
from resources.alerts import AlertsResource
from resources.ledger import LedgerResource

ALERT_JOB = "deadline_alert"
DEADLINE_SENSOR = "deadline"


class MissedDeadline(dg.Config):
    """What the alert says. `missing` are partition keys as the UI shows them."""

    plan_date: str
    deadline_at: str
    missing: list[str]


@dg.op(retry_policy=dg.RetryPolicy(max_retries=3, delay=5, backoff=dg.Backoff.EXPONENTIAL))
def send_deadline_alert(
    context: dg.OpExecutionContext, config: MissedDeadline, alerts: AlertsResource
) -> None:
    """Tell every channel that a day's figures are not there in time."""
    title = f"{config.plan_date} is not published by its deadline"
    text = (
        f"Owed by {config.deadline_at}. Missing: {', '.join(config.missing)}."
        " Look at that day's runs, then backfill the missing partitions."
    )
    # The run's own log is the channel that needs no configuration.
    context.log.error(f"{title}. {text}")
    with as_dagster_failure():
        sent_to = alerts.channels().send(key=f"deadline:{config.plan_date}", title=title, text=text)
    context.log.info(f"alert sent to {', '.join(['log', *sent_to])}")


@dg.job(name=ALERT_JOB, executor_def=dg.in_process_executor)
def deadline_alert() -> None:
    """Tell every channel that a day's figures are not there in time."""
    send_deadline_alert()


def build_deadline_sensor(
    *,
    times: NightTimes,
    platform_ids: Sequence[str],
    daily_assets: Sequence[str],
    lookback_days: int,
    now: Callable[[], datetime],
) -> dg.SensorDefinition:
    """Return the sensor. `daily_assets` are those with one partition a day."""

    @dg.sensor(
        name=DEADLINE_SENSOR,
        job=deadline_alert,
        default_status=dg.DefaultSensorStatus.RUNNING,
        minimum_interval_seconds=30,
        description="Raises one alert for each day whose figures are not there by the deadline.",
    )
    def deadline(context: dg.SensorEvaluationContext, ledger: LedgerResource) -> dg.SensorResult:
        moment = now()
        installed_on = times.today(ledger.plans().installed_on())
        owed = owed_days(times, moment, lookback_days=lookback_days, installed_on=installed_on)
        missing = missing_partitions(context.instance, owed, platform_ids, daily_assets)
        return dg.SensorResult(
            run_requests=[_request(times, day, keys) for day, keys in missing.items()],
            skip_reason=None if missing else f"every day owed by {moment:%F %R} UTC is there",
        )

    return deadline


def owed_days(
    times: NightTimes, now: datetime, *, lookback_days: int, installed_on: date
) -> list[date]:
    """Return the days whose deadline has passed, oldest first.

    A sensor that was down over a deadline still sees the day, `lookback_days` back. Days
    before the installation were never promised.
    """
    today = times.today(now)
    days = [today - timedelta(days=back) for back in range(lookback_days, -1, -1)]
    return [day for day in days if day >= installed_on and now >= times.deadline(day)]


def missing_partitions(
    instance: dg.DagsterInstance,
    days: Sequence[date],
    platform_ids: Sequence[str],
    daily_assets: Sequence[str],
) -> dict[date, list[str]]:
    """Return each day's partitions that are not there, days without any left out."""
    answers = instance.get_materialized_partitions(dg.AssetKey("raw_answers"))
    figures = {
        name: instance.get_materialized_partitions(dg.AssetKey(name)) for name in daily_assets
    }
    missing: dict[date, list[str]] = {}
    for day in days:
        keys = [
            f"raw_answers {day}|{name}" for name in platform_ids if f"{day}|{name}" not in answers
        ]
        keys += [f"{name} {day}" for name, there in figures.items() if str(day) not in there]
        if keys:
            missing[day] = keys
    return missing


def _request(times: NightTimes, day: date, missing: list[str]) -> dg.RunRequest:
    config = MissedDeadline(
        plan_date=day.isoformat(),
        deadline_at=f"{times.deadline(day):%F %R %Z}",
        missing=missing,
    )
    return dg.RunRequest(
        run_key=f"sla:{day}",
        run_config=dg.RunConfig(ops={"send_deadline_alert": config}),
        tags={"brand-visibility/deadline": day.isoformat()},
    )
