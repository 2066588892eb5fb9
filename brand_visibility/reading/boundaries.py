"""Boundaries: whether a found place is a word of its own or part of another word.

Only letters and digits of ASCII join: Chinese has no spaces to tell words apart, so
there the longest name and the decoys decide (see `resolution`).
"""

import re
import string
from collections.abc import Container, Iterable, Sequence
from enum import Enum, auto

from brand_visibility.reading.gazetteer import Pattern
from brand_visibility.reading.page import Page

_WORD = frozenset(string.ascii_lowercase + string.digits)
_DIGITS = frozenset(string.digits)

# What was taken out between two letters and yet ends a word: citations, a zero-width
# space, a footnote. Emphasis and soft hyphens do not.
_ENDS_A_WORD = ("[", "【", ":contentReference", "\ue200", "\u200b", "<su")
_WRAPPERS = ("*", "_", "~", "<")


_VARIANT = r"(?:Ultra|Pro|Max|Plus|Mini|Lite|Turbo|Air|SE|FE)"
# The FindX7 of OPPOFindX7, the K70Pro of RedmiK70Pro; not the Motors of TeslaMotors, nor
# the KO2 of KIMIKO2, which no small letter parts from the name.
_MODEL = re.compile(
    r"(?:(?<=[a-z])|(?![A-Z]{2}))(?:[A-Z][a-z]+)?[A-Z]{1,2}\d{1,4}"
    rf"[A-Za-z]?{_VARIANT}{{0,2}}(?![A-Za-z0-9])"
)
_LONGEST_MODEL = 40
_VARIANTS = re.compile(rf"{_VARIANT}{{1,2}}(?![A-Za-z0-9])", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d(?![a-z0-9])")


class Fit(Enum):
    """How a place stands in its surroundings."""

    APART = auto()
    PLURAL = auto()
    WITHIN = auto()


def find_joints(
    page: Page, places: Iterable[tuple[int, int, int]], patterns: Sequence[Pattern]
) -> set[int]:
    """Return where one name ends and the next begins, shown by a capital: KimiDeepSeek."""
    starts: set[int] = set()
    ends: set[int] = set()
    for index, start, end in places:
        if patterns[index].takes_name:
            starts.add(start)
            ends.add(end)
    return {joint for joint in starts & ends if _is_seam(page.viewed(joint - 1, joint + 1))}


def _is_seam(characters: str) -> bool:
    return characters[:-1].islower() and characters[-1:].isupper()


def fit(page: Page, start: int, end: int, pattern: Pattern, joints: Container[int]) -> Fit:
    """Return how the folded range `[start, end)` stands among its neighbours."""
    if not (pattern.guards_left or pattern.guards_right):
        return Fit.APART
    text = page.folded
    is_left_open = not pattern.guards_left or start in joints or _opens(text, start, pattern)
    right = Fit.APART if end in joints else _right(page, end, pattern)
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


def _right(page: Page, end: int, pattern: Pattern) -> Fit:
    text = page.folded
    if not pattern.guards_right or end == len(text):
        return Fit.APART
    after = text[end]
    if after == "_":
        return Fit.WITHIN if _is_identifier(text, end, 1) else Fit.APART
    if after == "." and text[end - 1] in _DIGITS:
        return Fit.WITHIN if text[end + 1 : end + 2] in _DIGITS else Fit.APART
    if after not in _WORD or _goes_with_a_name(page, end, pattern):
        return Fit.APART
    if pattern.takes_plural and after == "s" and text[end + 1 : end + 2] not in _WORD:
        return Fit.PLURAL
    return Fit.WITHIN


def _goes_with_a_name(page: Page, end: int, pattern: Pattern) -> bool:
    """Whether the letter or digit at `end` begins a model, a variant or a year."""
    text = page.folded
    if text[end] in _DIGITS:
        return pattern.takes_digit or (pattern.takes_year and _YEAR.match(text, end) is not None)
    if text[end - 1] in _DIGITS:
        return _VARIANTS.match(text, end) is not None
    if not pattern.takes_digit:
        return False
    beside = page.viewed(end - 1, min(len(text), end + _LONGEST_MODEL))
    return _MODEL.match(beside, 1) is not None


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
