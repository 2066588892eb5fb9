from datetime import timedelta
from email.utils import format_datetime

import pytest
from exchanges import NOW

from brand_visibility.adapters.platforms.waits import named_wait


def at(seconds: float) -> str:
    return format_datetime(NOW + timedelta(seconds=seconds), usegmt=True)


def epoch(seconds: float) -> str:
    return str(int(NOW.timestamp() + seconds))


def limits(scope: str, remaining: str, reset: str) -> dict[str, str]:
    return {f"x-ratelimit-remaining{scope}": remaining, f"x-ratelimit-reset{scope}": reset}


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
        ("Please try again in a while", None),
        ("Please try again after " + "9" * 400 + " s", None),
        ("", None),
    ],
)
def test_without_headers_the_wording_names_the_wait(message: str, wait_s: float | None) -> None:
    assert named_wait({}, message, NOW) == (None if wait_s is None else pytest.approx(wait_s))


def test_a_header_goes_before_the_wording() -> None:
    assert named_wait({"retry-after": "4"}, "try again in 9s", NOW) == 4.0
