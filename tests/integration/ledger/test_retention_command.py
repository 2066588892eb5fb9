"""`brand-visibility retention` on a real ledger."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from click.testing import CliRunner, Result

from brand_visibility.adapters.ledger.plans import PlanStore
from brand_visibility.commands.retention import retention
from brand_visibility.domain.errors import InputError
from tests.builders import a_plan

ZONE = "Pacific/Kiritimati"


@pytest.fixture
def today() -> date:
    return datetime.now(UTC).astimezone(ZoneInfo(ZONE)).date()


@pytest.fixture
def days(database_url: str, today: date) -> list[date]:
    """Days that are planned: today and the three before, the oldest first."""
    found = [today - timedelta(days=age) for age in (3, 2, 1, 0)]
    for day in found:
        PlanStore(database_url).freeze(a_plan(day=day), [], None)
    return found


def run(*options: str, database_url: str | None = None, home: Path | None = None) -> Result:
    environment = {
        "BRAND_VISIBILITY_DATABASE_URL": database_url,
        "BRAND_VISIBILITY_TIMEZONE": ZONE,
        "BRAND_VISIBILITY_HOME": str(home) if home else None,
    }
    return CliRunner().invoke(retention, list(options), env=environment)


@pytest.mark.parametrize(("keep", "left"), [(1, 1), (2, 2), (4, 4), (400, 4)])
def test_the_last_days_are_kept_and_the_dropped_ones_are_named(
    database_url: str, days: list[date], keep: int, left: int
) -> None:
    result = run("--keep-days", str(keep), database_url=database_url)

    dropped = days[: len(days) - left]
    expected = [f"dropped {day}" for day in dropped] or [
        f"nothing to drop: the ledger holds no day before {days[-1] - timedelta(days=keep - 1)}"
    ]
    assert (result.exit_code, result.output.splitlines()) == (0, expected)
    plans = PlanStore(database_url)
    held = {day: len(plans.query_ids(day, "deepseek")) > 0 for day in days}
    assert held == {day: day not in dropped for day in days}


@pytest.mark.parametrize("options", [(), ("--keep-days", "0"), ("--keep-days", "-1")])
def test_today_cannot_be_asked_for(
    database_url: str, days: list[date], options: tuple[str, ...]
) -> None:
    result = run(*options, database_url=database_url)

    assert result.exit_code == 2
    assert "--keep-days" in result.output
    assert all(PlanStore(database_url).query_ids(day, "deepseek") for day in days)


def test_without_any_database_none_is_made(tmp_path: Path) -> None:
    result = run("--keep-days", "3", home=tmp_path)

    assert isinstance(result.exception, InputError)
    assert "expected one of an earlier night" in str(result.exception)
    assert list(tmp_path.iterdir()) == []
