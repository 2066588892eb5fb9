"""Boundaries: whether a found place is a word of its own or part of another word.

Only letters and digits of ASCII join: Chinese has no spaces to tell words apart, so
there the longest name and the decoys decide (see `resolution`).
"""

import string
from enum import Enum, auto

from brand_visibility.reading.gazetteer import Pattern
from brand_visibility.reading.page import Page

_WORD = frozenset(string.ascii_lowercase + string.digits)
_DIGITS = frozenset(string.digits)

# What was taken out between two letters and yet ends a word: citations, a zero-width
# space, a footnote. Emphasis and soft hyphens do not.
_ENDS_A_WORD = ("[", "【", ":contentReference", "\ue200", "\u200b", "<su")
_WRAPPERS = ("*", "_", "~", "<")


class Fit(Enum):
    """How a place stands in its surroundings."""

    APART = auto()
    PLURAL = auto()
    WITHIN = auto()


def fit(page: Page, start: int, end: int, pattern: Pattern) -> Fit:
    """Return how the folded range `[start, end)` stands among its neighbours."""
    text = page.folded
    is_left_open = not pattern.guards_left or _opens(text, start, pattern)
    right = _right(text, end, pattern)
    if is_left_open and right is not Fit.WITHIN:
        return right
    if page.is_verbatim:
        return Fit.WITHIN
    before, after = page.gap(start), page.gap(end)
    if _is_wrapped(before, after):
        return Fit.APART
    if not (is_left_open or _ends_a_word(before)):
        return Fit.WITHIN
    if right is Fit.WITHIN:
        return Fit.APART if _ends_a_word(after) else Fit.WITHIN
    return right


def _opens(text: str, start: int, pattern: Pattern) -> bool:
    if not start:
        return True
    before = text[start - 1]
    if before in _WORD or (before == "_" and _is_identifier(text, start - 1, -1)):
        return False
    # The 3M of 1.3M is a part of a number.
    is_decimal = pattern.starts_with_digit and before == "."
    return not (is_decimal and start > 1 and text[start - 2] in _DIGITS)


def _right(text: str, end: int, pattern: Pattern) -> Fit:
    if not pattern.guards_right or end == len(text):
        return Fit.APART
    after = text[end]
    if after == "_":
        return Fit.WITHIN if _is_identifier(text, end, 1) else Fit.APART
    if after == "." and text[end - 1] in _DIGITS:
        return Fit.WITHIN if text[end + 1 : end + 2] in _DIGITS else Fit.APART
    if after not in _WORD:
        return Fit.APART
    if pattern.takes_digit and after in _DIGITS:
        return Fit.APART
    if pattern.takes_plural and after == "s" and text[end + 1 : end + 2] not in _WORD:
        return Fit.PLURAL
    return Fit.WITHIN


def _is_identifier(text: str, position: int, step: int) -> bool:
    """Whether the underscore here joins letters, as in `tesla_model`."""
    while 0 <= position < len(text) and text[position] == "_":
        position += step
    return 0 <= position < len(text) and text[position] in _WORD


def _ends_a_word(gap: str) -> bool:
    return any(mark in gap for mark in _ENDS_A_WORD)


def _is_wrapped(before: str, after: str) -> bool:
    """Whether emphasis begins and ends with the name: `**Nike**Air`."""
    return before.startswith(_WRAPPERS) and after.startswith(_WRAPPERS)
