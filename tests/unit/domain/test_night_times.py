"""The times of a night."""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

import pytest

from brand_visibility.domain.night import NightTimes

SHANGHAI = NightTimes(ZoneInfo("Asia/Shanghai"), cut_off_at=time(7, 30), deadline_at=time(8, 0))
BERLIN = NightTimes(ZoneInfo("Europe/Berlin"), cut_off_at=time(7, 30), deadline_at=time(8, 0))
DAY = date(2026, 11, 30)


def utc(day: int, hour: int, minute: int = 0, second: int = 0) -> datetime:
    return datetime(2026, 11, day, hour, minute, second, tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "day"),
    [(utc(29, 15, 59, 59), date(2026, 11, 29)), (utc(29, 16), DAY)],
    ids=["a second before midnight", "midnight"],
)
def test_the_day_changes_at_local_midnight(now: datetime, day: date) -> None:
    assert SHANGHAI.today(now) == day


def test_the_deadline_is_local_wall_time() -> None:
    assert SHANGHAI.deadline(DAY) == utc(30, 0)


@pytest.mark.parametrize(
    ("day", "hours_after_midnight"),
    [(date(2026, 3, 29), 7), (date(2026, 10, 25), 9), (date(2026, 11, 30), 8)],
    ids=["spring", "autumn", "any other day"],
)
def test_the_deadline_stays_at_eight_when_clocks_change(
    day: date, hours_after_midnight: int
) -> None:
    midnight = datetime.combine(day, time(0), BERLIN.zone)

    passed = BERLIN.deadline(day).timestamp() - midnight.timestamp()

    assert passed == hours_after_midnight * 3_600
    assert BERLIN.deadline(day).hour == 8


@pytest.mark.parametrize(
    ("now", "is_cut"),
    [(utc(29, 23, 29, 59), True), (utc(29, 23, 30), False), (utc(30, 11), False)],
    ids=["a second before the cut-off", "at the cut-off", "in the evening"],
)
def test_only_a_run_that_begins_before_the_cut_off_is_cut(now: datetime, *, is_cut: bool) -> None:
    assert (SHANGHAI.cut_off(DAY, now) is not None) is is_cut


def test_the_time_left_ends_at_the_cut_off_and_later_at_the_days_end() -> None:
    assert SHANGHAI.available_s(DAY, utc(29, 16, 5)) == 7 * 3_600 + 25 * 60
    assert SHANGHAI.available_s(DAY, utc(30, 11)) == 5 * 3_600
    assert SHANGHAI.available_s(DAY, utc(30, 15, 59, 59)) == 1.0


def test_a_run_for_a_day_that_is_over_has_a_whole_day() -> None:
    assert SHANGHAI.available_s(DAY, utc(30, 16)) == 24 * 3_600


def test_the_night_of_a_clock_change_has_the_seconds_that_pass() -> None:
    midnight = datetime(2026, 3, 28, 23, tzinfo=UTC)

    assert BERLIN.available_s(date(2026, 3, 29), midnight) == 6.5 * 3_600


@pytest.mark.parametrize(
    ("now", "is_over"),
    [(utc(30, 15, 59, 59), False), (utc(30, 16), True)],
    ids=["a second before its midnight", "its midnight"],
)
def test_a_day_is_over_at_the_local_midnight_that_ends_it(now: datetime, *, is_over: bool) -> None:
    assert SHANGHAI.is_over(DAY, now) is is_over
