"""Citation markers: which of the platform's sources each of them means.

Where they stand is found with the view; they are no part of what a reader reads.
"""

import re
from collections.abc import Iterator

# A marker of a whole page of numbers is no marker.
_MOST_NUMBERS = 50

_RANGE = re.compile(r"(\d{1,4})\s?[–-]\s?(\d{1,4})|(\d{1,4})")
_INDEX = re.compile(r"\{index=(\d{1,4})\}|oaicite:(\d{1,4})")
_TURN = re.compile(r"turn\d{1,4}[a-z]{1,20}(\d{1,4})")
_LENTICULAR = re.compile(r"【(?:\d{1,4}:)?(\d{1,4})")


def positions_of(marker: str) -> tuple[int, ...]:
    """Return the positions, from 1, of the sources that a marker means; none when unknown.

    `[1][2]`, `[^1^]`, `[1,3-5]`, `[citation:3]`, `[cite: 8, 9]`, `[web:3]` and `【4:2†source】`
    count from 1; `:contentReference[oaicite:3]{index=3}` and `turn0search3` count from 0.
    """
    return tuple(dict.fromkeys(_positions(marker)))[:_MOST_NUMBERS]


def _positions(marker: str) -> Iterator[int]:
    if marker.startswith(":"):
        found = _INDEX.search(marker)
        if found is not None:
            yield int(found[1] or found[2]) + 1
    elif marker.startswith("\ue200"):
        yield from (int(index) + 1 for index in _TURN.findall(marker))
    elif marker.startswith("【"):
        named = _LENTICULAR.match(marker)
        if named is not None:
            yield int(named[1])
    else:
        for found in _RANGE.finditer(marker):
            yield from _numbers(found)


def _numbers(found: re.Match[str]) -> range:
    if found[3] is not None:
        return range(int(found[3]), int(found[3]) + 1)
    first, last = int(found[1]), int(found[2])
    return range(first, min(last, first + _MOST_NUMBERS) + 1) if first <= last else range(0)
