"""How a figure is written, in the terminal and on the page alike.

Rounding lives here and nowhere else, so that two places cannot round apart.
"""

import math

from brand_visibility.reporting.plain_text import shortened

UNKNOWN = "–"
SMALL_SAMPLE_MARK = "*"

_LONGEST_PHRASE = 60

# An interval of less than five points would hide in whole per cent, or read [0–0].
_NARROW = 0.05

_KINDS = {
    "non_brand": "questions that name no brand",
    "brand": "questions that name the brand",
    "comparison": "questions that compare two brands",
}


def count(value: int) -> str:
    """Write a whole number with separators: `7,412`."""
    return f"{value:,}"


def percent(rate: float | None, decimals: int = 0) -> str:
    """Write a rate as per cent; an unknown one as `–`.

    What is neither nothing nor everything never reads `0 %` or `100 %`.
    """
    if rate is None:
        return UNKNOWN
    written = f"{rate * 100:.{decimals}f}"
    step = 10.0**-decimals
    if rate > 0 and float(written) == 0:
        return f"<{step:g} %"
    if rate < 1 and float(written) == 100:
        return f">{100 - step:g} %"
    return f"{written} %"


def coverage(rate: float | None) -> str:
    """Write a coverage with one decimal, rounded down: one answer missing shows."""
    if rate is None:
        return UNKNOWN
    if 0 < rate < 0.001:
        return "<0.1 %"
    # The nudge keeps 0.29 from reading 28.9 % through its binary fraction.
    return f"{math.floor(rate * 1000 + 1e-9) / 10:.1f} %"


def interval(low: float | None, high: float | None, decimals: int = 0) -> str:
    """Write both bounds in per cent: `[31–54]`; unknown ones as nothing."""
    if low is None or high is None:
        return ""
    return f"[{low * 100:.{decimals}f}–{high * 100:.{decimals}f}]"


def decimals_for(low: float | None, high: float | None) -> int:
    """Return the decimals that an estimate earns: one when its interval is narrow."""
    if low is None or high is None or high - low >= _NARROW:
        return 0
    return 1


def phrase(identifier: str) -> str:
    """Write a reason or another word of the vocabulary for people: `timed out`."""
    return shortened(identifier.replace("_", " "), _LONGEST_PHRASE)


def kind_phrase(question_kind: str) -> str:
    """Write what a kind of question is about."""
    return _KINDS.get(question_kind, phrase(question_kind))
