"""When a platform wants to be asked again, read from headers and wording.

In order: `retry-after-ms`, `Retry-After` (seconds or HTTP date), the reset times of
exhausted rate limits, "try again in …". Whether to wait that long belongs to
`domain.retry`.
"""

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_UNITS_S = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_DURATION = re.compile(r"(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+")
_WORDING = re.compile(
    r"try again (?:after|in) (\d+(?:\.\d+)?) ?(ms|milliseconds?|seconds?|s|minutes?|m)\b", re.I
)
_SCOPES = ("-requests", "-tokens", "")
# A number of seconds beyond this is a moment since 1970, not a wait.
_EPOCH_FROM_S = 1e9
_EPOCH_FROM_MS = 1e12


def named_wait(headers: Mapping[str, str], message: str, now: datetime) -> float | None:
    """Return the seconds the platform asks to wait, None when it names no future time.

    Header names are in lower case, `now` is aware. Never raises: a header that can't be
    read names nothing.
    """
    candidates = (
        _scaled(headers.get("retry-after-ms", ""), 0.001),
        _retry_after(headers.get("retry-after", ""), now),
        _reset(headers, now),
        _worded(message),
    )
    return next((wait for wait in candidates if wait is not None and wait > 0), None)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _scaled(text: str, factor: float) -> float | None:
    number = _number(text)
    return None if number is None else number * factor


def _retry_after(text: str, now: datetime) -> float | None:
    seconds = _number(text)
    return _until_date(text, now) if seconds is None else seconds


def _until_date(text: str, now: datetime) -> float | None:
    try:
        date = parsedate_to_datetime(text)
        return ((date if date.tzinfo else date.replace(tzinfo=UTC)) - now).total_seconds()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def _reset(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the longest reset among the limits that are used up."""
    resets = [
        _reset_time(headers.get(f"x-ratelimit-reset{scope}", ""), now)
        for scope in _SCOPES
        if _number(headers.get(f"x-ratelimit-remaining{scope}", "")) == 0
    ]
    return max((wait for wait in resets if wait is not None), default=None)


def _reset_time(text: str, now: datetime) -> float | None:
    number = _number(text)
    if number is None:
        return _duration(text)
    if number >= _EPOCH_FROM_MS:
        return number / 1000 - now.timestamp()
    return number - now.timestamp() if number >= _EPOCH_FROM_S else number


def _duration(text: str) -> float | None:
    """Read a duration such as "6m0s" or "20ms"."""
    if not _DURATION.fullmatch(text):
        return None
    return _finite(sum(float(number) * _UNITS_S[unit] for number, unit in _PART.findall(text)))


def _worded(message: str) -> float | None:
    match = _WORDING.search(message)
    if match is None:
        return None
    unit = match[2].lower()
    name = "ms" if unit.startswith(("ms", "milli")) else unit[0]
    return _finite(float(match[1]) * _UNITS_S[name])


def _finite(seconds: float) -> float | None:
    return seconds if math.isfinite(seconds) else None
