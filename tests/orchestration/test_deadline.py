"""The deadline sensor and its alert, on a real Dagster instance."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import dagster as dg
import pytest

from brand_visibility.automation.deadline import (
    build_deadline_sensor,
    deadline_alert,
    missing_partitions,
    owed_days,
)
from brand_visibility.domain.night import NightTimes
from resources.alerts import AlertsResource
from resources.ledger import LedgerResource
from resources.night import NightResource
from tests.webhooks import Webhook

TIMES = NightTimes(ZoneInfo("Asia/Shanghai"), cut_off_at=time(7, 30), deadline_at=time(8, 0))
TODAY = date(2026, 11, 30)
EIGHT = datetime(2026, 11, 30, 0, 0, tzinfo=UTC)
A_SECOND = timedelta(seconds=1)
PLATFORMS = ("deepseek", "gpt")
FIGURES = ("out_visibility_daily",)


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as instance:
        yield instance


def materialise(instance: dg.DagsterInstance, asset: str, *partitions: str) -> None:
    for partition in partitions:
        instance.report_runless_asset_event(
            dg.AssetMaterialization(asset_key=asset, partition=partition)
        )


def everything_of(instance: dg.DagsterInstance, day: date) -> None:
    materialise(instance, "raw_answers", *(f"{day}|{name}" for name in PLATFORMS))
    materialise(instance, "out_visibility_daily", str(day))


def evaluate(instance: dg.DagsterInstance, database_url: str, *, now: datetime) -> dg.SensorResult:
    sensor = build_deadline_sensor(
        times=TIMES,
        platform_ids=PLATFORMS,
        daily_assets=FIGURES,
        lookback_days=3,
        now=lambda: now,
    )
    night = NightResource(timezone="Asia/Shanghai", cut_off_at="07:30", deadline_at="08:00")
    resources = {"ledger": LedgerResource(database_url=database_url, night=night)}
    with dg.build_sensor_context(instance=instance, resources=resources) as context:
        result = sensor(context)
    assert isinstance(result, dg.SensorResult)
    return result


@pytest.mark.parametrize(
    ("now", "owed"),
    [
        (EIGHT - A_SECOND, [date(2026, 11, 28), date(2026, 11, 29)]),
        (EIGHT, [date(2026, 11, 28), date(2026, 11, 29), TODAY]),
    ],
    ids=["a second before eight", "at eight"],
)
def test_a_day_is_owed_from_its_deadline_on(now: datetime, owed: list[date]) -> None:
    assert owed_days(TIMES, now, lookback_days=2, installed_on=date(2026, 1, 1)) == owed


def test_a_sensor_that_was_down_over_the_deadline_still_sees_the_day() -> None:
    noon_two_days_later = EIGHT + timedelta(days=2, hours=4)

    assert TODAY in owed_days(
        TIMES, noon_two_days_later, lookback_days=3, installed_on=date(2026, 1, 1)
    )


def test_days_before_the_installation_were_never_promised() -> None:
    assert owed_days(TIMES, EIGHT, lookback_days=3, installed_on=TODAY) == [TODAY]


def test_a_day_with_every_partition_is_not_missed(instance: dg.DagsterInstance) -> None:
    everything_of(instance, TODAY)

    assert missing_partitions(instance, [TODAY], PLATFORMS, FIGURES) == {}


def test_what_is_missing_is_named_as_the_ui_names_it(instance: dg.DagsterInstance) -> None:
    materialise(instance, "raw_answers", f"{TODAY}|gpt", "2026-11-29|deepseek")

    assert missing_partitions(instance, [TODAY], PLATFORMS, FIGURES) == {
        TODAY: [f"raw_answers {TODAY}|deepseek", f"out_visibility_daily {TODAY}"]
    }


def test_before_the_deadline_nothing_is_asked_for(
    instance: dg.DagsterInstance, database_url: str
) -> None:
    # The ledger of this test is installed after TODAY's deadline or on a later day.
    result = evaluate(instance, database_url, now=EIGHT - A_SECOND)

    assert not result.run_requests
    assert result.skip_reason is not None


def test_a_missed_day_asks_for_one_alert_however_often_it_is_looked_at(
    instance: dg.DagsterInstance, database_url: str
) -> None:
    # The ledger is installed now; noon is far from any deadline, at whatever hour this runs.
    tomorrow = (datetime.now(TIMES.zone) + timedelta(days=1)).replace(hour=12)

    first = evaluate(instance, database_url, now=tomorrow)
    second = evaluate(instance, database_url, now=tomorrow + timedelta(minutes=5))

    keys = [request.run_key for request in first.run_requests or []]
    assert keys
    assert keys == [request.run_key for request in second.run_requests or []]
    assert all(key and key.startswith("sla:") for key in keys)


def test_the_sensor_is_on_without_anybody_turning_it_on() -> None:
    sensor = build_deadline_sensor(
        times=TIMES,
        platform_ids=PLATFORMS,
        daily_assets=FIGURES,
        lookback_days=3,
        now=lambda: EIGHT,
    )

    assert sensor.default_status is dg.DefaultSensorStatus.RUNNING


def run_alert(instance: dg.DagsterInstance, *, webhook_url_env: str) -> dg.ExecuteInProcessResult:
    config = {
        "plan_date": "2026-11-30",
        "deadline_at": "2026-11-30 08:00 CST",
        "missing": ["raw_answers 2026-11-30|gpt"],
    }
    return deadline_alert.execute_in_process(
        instance=instance,
        run_config={"ops": {"send_deadline_alert": {"config": config}}},
        resources={"alerts": AlertsResource(webhook_url_env=webhook_url_env)},
    )


def test_the_alert_reaches_the_webhook_and_the_runs_log(
    instance: dg.DagsterInstance,
    webhook: Webhook,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TEST_ALERT_WEBHOOK", webhook.url)

    result = run_alert(instance, webhook_url_env="TEST_ALERT_WEBHOOK")

    (alert,) = webhook.received
    assert alert["key"] == "deadline:2026-11-30"
    assert "raw_answers 2026-11-30|gpt" in alert["text"]
    messages = [entry.user_message for entry in instance.all_logs(result.run_id)]
    assert any("is not published by its deadline" in message for message in messages)


def test_without_a_webhook_the_alert_is_in_the_runs_log(instance: dg.DagsterInstance) -> None:
    result = run_alert(instance, webhook_url_env="TEST_ALERT_WEBHOOK_THAT_NOBODY_SET")

    messages = [entry.user_message for entry in instance.all_logs(result.run_id)]
    assert result.success
    assert "alert sent to log" in messages
