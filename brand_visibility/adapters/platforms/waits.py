"""When a platform wants to be asked again, read from headers and wording.

In order: `retry-after-ms`, `Retry-After` (seconds or HTTP date), the reset times of
exhausted rate limits, "try again in …". A time in the body's own fields is its adapter's to
find. Whether to wait that long belongs to `domain.retry`.
"""

import math
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_UNITS_S = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_DURATION = re.compile(r"(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+")
_RETRY = r"(?:try again|retry) (?:after|in) "
_WORDED_DURATION = re.compile(rf"{_RETRY}({_DURATION.pattern})\b", re.I)
_WORDING = re.compile(
    rf"{_RETRY}(\d+(?:\.\d+)?) ?(milliseconds?|ms|seconds?|s|minutes?|m|hours?|h)\b", re.I
)
# What is left of a limit, and when it is full again.
_LIMITS = (
    *(
        (f"x-ratelimit-remaining{scope}", f"x-ratelimit-reset{scope}")
        for scope in ("-requests", "-tokens", "")
    ),
    *(
        (f"anthropic-ratelimit-{scope}-remaining", f"anthropic-ratelimit-{scope}-reset")
        for scope in ("requests", "tokens", "input-tokens", "output-tokens")
    ),
)
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


def duration_s(text: object) -> float | None:
    """Return the seconds of a duration such as "6m0s", "20ms" or "46.5s", None for no such."""
    if not isinstance(text, str) or not _DURATION.fullmatch(text):
        return None
    return _finite(sum(float(number) * _UNITS_S[unit] for number, unit in _PART.findall(text)))


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
    return _until(parsedate_to_datetime, text, now) if seconds is None else seconds


def _until(read: Callable[[str], datetime], text: str, now: datetime) -> float | None:
    """Return the seconds until a moment; one without a zone is in UTC."""
    try:
        moment = read(text)
        return ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - now).total_seconds()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def _reset(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the longest reset among the limits that are used up."""
    resets = [
        _reset_time(headers.get(reset, ""), now)
        for remaining, reset in _LIMITS
        if _number(headers.get(remaining, "")) == 0
    ]
    return max((wait for wait in resets if wait is not None), default=None)


def _reset_time(text: str, now: datetime) -> float | None:
    number = _number(text)
    if number is None:
        wait_s = duration_s(text)
        return _until(datetime.fromisoformat, text.upper(), now) if wait_s is None else wait_s
    if number >= _EPOCH_FROM_MS:
        return number / 1000 - now.timestamp()
    return number - now.timestamp() if number >= _EPOCH_FROM_S else number


def _worded(message: str) -> float | None:
    whole = _WORDED_DURATION.search(message)
    if whole is not None:
        return duration_s(whole[1].lower())
    match = _WORDING.search(message)
    if match is None:
        return None
    unit = match[2].lower()
    name = "ms" if unit.startswith(("ms", "milli")) else unit[0]
    return _finite(float(match[1]) * _UNITS_S[name])


def _finite(seconds: float) -> float | None:
    return seconds if math.isfinite(seconds) else None
