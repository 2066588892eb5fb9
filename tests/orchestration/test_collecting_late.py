"""Asking for a day that is over: refused for a real platform unless a person says so."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest
import yaml

from brand_visibility.adapters.ledger.plans import PlanStore
from brand_visibility.domain.errors import PlanError
from resources.catalog import CatalogResource
from resources.collector import ALLOW_LATE_TAG, CollectorResource
from resources.lake import LakeResource
from resources.ledger import LedgerResource
from resources.night import NightResource
from tests.builders import a_plan

YESTERDAY, TODAY = date(2026, 11, 29), date(2026, 11, 30)
NOON = datetime(2026, 11, 30, 4, 0, tzinfo=UTC)


class NightAtNoon(NightResource):
    """The night's times, at noon of the 30th in Shanghai."""

    def now(self) -> datetime:
        return NOON


# Port 1 refuses at once: whatever is asked fails without leaving the machine.
UNREACHABLE = {"adapter": "openai_compatible", "base_url": "http://127.0.0.1:1/v1"}


def a_collector(tmp_path: Path, database_url: str, adapter: dict[str, str]) -> CollectorResource:
    platform = {
        "platform_id": "deepseek",
        "model": "any",
        "accounts": [{"account_id": "main", "rate_per_second": 500, "concurrency": 50}],
        "retry": {"max_retries": 0},
        **adapter,
    }
    document = yaml.safe_dump({"platforms": [platform]})
    (tmp_path / "platforms.yaml").write_text(document, encoding="utf-8")
    night = NightAtNoon(timezone="Asia/Shanghai", cut_off_at="07:30", deadline_at="08:00")
    return CollectorResource(
        catalog=CatalogResource(directory=str(tmp_path)),
        ledger=LedgerResource(database_url=database_url, night=night),
        lake=LakeResource(root=str(tmp_path / "lake"), report_root=str(tmp_path / "reports")),
        night=night,
    )


def collect(collector: CollectorResource, day: date, *, allow_late: bool = False) -> dict[str, int]:
    report = collector.collect(
        day,
        "deepseek",
        shard_index=0,
        shard_count=1,
        allow_late=allow_late,
        heartbeat=lambda _: None,
    )
    return {str(reason): count for reason, count in report.summary.failed.items()}


@pytest.fixture
def asked(database_url: str) -> int:
    # Too few to open the breaker, which would wait for a platform that is down.
    plans = PlanStore(database_url)
    for day in (YESTERDAY, TODAY):
        plans.freeze(a_plan(questions=4, day=day), [], None)
    return len(a_plan(questions=4).queries)


def test_a_day_that_is_over_is_refused_and_the_message_names_the_tag(
    tmp_path: Path, database_url: str, asked: int
) -> None:
    collector = a_collector(tmp_path, database_url, UNREACHABLE)

    with pytest.raises(PlanError, match=f"2026-11-29 is over .* {asked} answers .*") as refused:
        collect(collector, YESTERDAY)

    assert ALLOW_LATE_TAG in str(refused.value)


@pytest.mark.parametrize(
    ("day", "allow_late"), [(TODAY, False), (YESTERDAY, True)], ids=["today", "with the tag"]
)
def test_today_and_a_day_that_a_person_allows_are_asked(
    tmp_path: Path, database_url: str, asked: int, day: date, *, allow_late: bool
) -> None:
    collector = a_collector(tmp_path, database_url, UNREACHABLE)

    assert collect(collector, day, allow_late=allow_late) == {"unreachable": asked}
    assert collector.close(day, "deepseek", shard_count=1).failures == asked


def test_a_simulated_platform_may_be_asked_for_any_day(
    tmp_path: Path, database_url: str, asked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAND_VISIBILITY_SIMULATOR_URL", "http://127.0.0.1:1")
    collector = a_collector(tmp_path, database_url, {"adapter": "simulator"})

    assert collect(collector, YESTERDAY) == {"unreachable": asked}


def test_a_platform_that_left_the_catalog_is_said_by_name(
    tmp_path: Path, database_url: str, asked: int
) -> None:
    collector = a_collector(tmp_path, database_url, UNREACHABLE)
    text = (tmp_path / "platforms.yaml").read_text().replace("deepseek", "kimi")
    (tmp_path / "platforms.yaml").write_text(text)

    with pytest.raises(PlanError, match="found no platform deepseek"):
        collect(collector, TODAY)
