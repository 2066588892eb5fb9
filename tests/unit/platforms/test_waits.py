from datetime import timedelta
from email.utils import format_datetime

import pytest
from exchanges import NOW

from brand_visibility.adapters.platforms.waits import duration_s, named_wait


def at(seconds: float) -> str:
    return format_datetime(NOW + timedelta(seconds=seconds), usegmt=True)


def epoch(seconds: float) -> str:
    return str(int(NOW.timestamp() + seconds))


def limits(scope: str, remaining: str, reset: str) -> dict[str, str]:
    return {f"x-ratelimit-remaining{scope}": remaining, f"x-ratelimit-reset{scope}": reset}


def moment(seconds: float) -> str:
    return (NOW + timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z")


def full_again(scope: str, reset: str, *, remaining: str = "0") -> dict[str, str]:
    limit = f"anthropic-ratelimit-{scope}"
    return {f"{limit}-remaining": remaining, f"{limit}-reset": reset}


HEADERS = [
    ({"retry-after": "7"}, 7.0),
    ({"retry-after": "0.5"}, 0.5),
    ({"retry-after": " 7 "}, 7.0),
    ({"retry-after": at(90)}, 90.0),
    ({"retry-after": at(0)}, None),
    ({"retry-after": at(-90)}, None),
    ({"retry-after": "Mon, 30 Nov 2026 00:00:05"}, 5.0),
    ({"retry-after": "0"}, None),
    ({"retry-after": "-1"}, None),
    ({"retry-after": "soon"}, None),
    ({"retry-after": "nan"}, None),
    ({"retry-after": "inf"}, None),
    ({"retry-after": ""}, None),
    ({"retry-after-ms": "250"}, 0.25),
    ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
    ({"retry-after-ms": "x", "retry-after": "9"}, 9.0),
    (limits("-requests", "0", "6m0s"), 360.0),
    (limits("-requests", "0", "20ms"), 0.02),
    (limits("-requests", "0", "1h2m3.5s"), 3723.5),
    (limits("-requests", "0", "12"), 12.0),
    (limits("-requests", "0", epoch(45)), 45.0),
    (limits("-requests", "0", epoch(45) + "000"), 45.0),
    (limits("-requests", "0", epoch(-45)), None),
    (limits("-requests", "1", "6m0s"), None),
    (limits("-requests", "", "6m0s"), None),
    (limits("-requests", "0", "later"), None),
    (limits("-requests", "0", "9" * 400 + "s"), None),
    (limits("-tokens", "0", "8s"), 8.0),
    (limits("", "0", "8s"), 8.0),
    (limits("-requests", "0", "3s") | limits("-tokens", "0", "8s"), 8.0),
    (limits("-requests", "0", "3s") | limits("-tokens", "5", "8s"), 3.0),
    ({"retry-after": "2"} | limits("-requests", "0", "6m0s"), 2.0),
    (limits("-requests", "0", "0s"), None),
    (limits("-requests", "0", moment(45)), 45.0),
    (full_again("requests", moment(30)), 30.0),
    (full_again("tokens", moment(30)), 30.0),
    (full_again("input-tokens", moment(30)), 30.0),
    (full_again("output-tokens", moment(30)), 30.0),
    (full_again("requests", moment(0.5)), 0.5),
    (full_again("requests", moment(0)), None),
    (full_again("requests", moment(-1)), None),
    (full_again("requests", "2026-11-30t00:00:30z"), 30.0),
    (full_again("requests", "2026-11-30T08:00:30+08:00"), 30.0),
    (full_again("requests", "2026-11-30T00:00:30"), 30.0),
    (full_again("requests", "2026-11-30T00:00:30.123456789Z"), 30.123456),
    (full_again("requests", "2026-11-30T00:00:60Z"), None),
    (full_again("requests", "2026-13-30T00:00:00Z"), None),
    (full_again("requests", "0001-01-01T00:00:00+23:59"), None),
    (full_again("requests", "99999-01-01T00:00:00Z"), None),
    (full_again("requests", moment(30), remaining="1"), None),
    (full_again("requests", moment(30), remaining=""), None),
    (full_again("requests", moment(3)) | full_again("input-tokens", moment(8)), 8.0),
    (full_again("requests", moment(3))
     | full_again("input-tokens", moment(8), remaining="5"), 3.0),
    ({"retry-after": "2"} | full_again("requests", moment(30)), 2.0),
    ({"retry-after": "0"} | full_again("requests", moment(30)), 30.0),
    ({}, None),
]  # fmt: skip


@pytest.mark.parametrize(("headers", "wait_s"), HEADERS)
def test_the_wait_is_read_from_the_headers(headers: dict[str, str], wait_s: float | None) -> None:
    assert named_wait(headers, "", NOW) == (None if wait_s is None else pytest.approx(wait_s))


@pytest.mark.parametrize(
    ("message", "wait_s"),
    [
        ("max organization concurrency: 1, please try again after 1 seconds", 1.0),
        ("Please try again in 6ms.", 0.006),
        ("Please try again in 1.5s.", 1.5),
        ("Try again in 2 minutes", 120.0),
        ("Please try again in 250 milliseconds", 0.25),
        ("Please try again in 1m26.4s.", 86.4),
        ("Please try again in 1h2m.", 3720.0),
        ("Try again in 3 hours", 10_800.0),
        ("Please retry in 46.837s.", 46.837),
        ("Please retry after 5 seconds.", 5.0),
        ("Please retry in 0s.", None),
        ("Please retry in 5 years", None),
        ("Please retry in 5mm", None),
        ("Please try again in a while", None),
        ("Please try again after " + "9" * 400 + " s", None),
        ("", None),
    ],
)
def test_without_headers_the_wording_names_the_wait(message: str, wait_s: float | None) -> None:
    assert named_wait({}, message, NOW) == (None if wait_s is None else pytest.approx(wait_s))


def test_a_header_goes_before_the_wording() -> None:
    assert named_wait({"retry-after": "4"}, "try again in 9s", NOW) == 4.0


def test_a_reset_in_the_farthest_future_is_still_a_number_of_seconds() -> None:
    wait_s = named_wait(full_again("requests", "9999-12-31T23:59:59-23:59"), "", NOW)
    assert wait_s is not None
    assert 2.5e11 < wait_s < 2.6e11


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("46s", 46.0),
        ("0s", 0.0),
        ("20ms", 0.02),
        ("1d2h3m4.5s", 93_784.5),
        ("46", None),
        ("s", None),
        ("-46s", None),
        ("46 s", None),
        ("46s later", None),
        ("9" * 400 + "s", None),
        ("", None),
        (46, None),
        (None, None),
    ],
)
def test_a_duration_is_read_whole_or_not_at_all(text: object, seconds: float | None) -> None:
    assert duration_s(text) == (None if seconds is None else pytest.approx(seconds))
