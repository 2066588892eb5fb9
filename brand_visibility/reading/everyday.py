"""Everyday use: where a guarded name reads as an ordinary word, whoever is named beside it.

What else a name needs to count belongs to `policy`.
"""

import re

from brand_visibility.reading.candidates import Candidate
from brand_visibility.reading.page import Page

_FOOD = re.compile(
    r"(?:[吃喝削啃嚼咬榨切摘][了过着]?[一两三几半]?[个颗块口杯些点只片]?"
    r"|\b(?:eat|eats|eating|ate|eaten|peel|bite)(?: (?:a|an|the|some|into|of)){0,2} )\Z"
)
_FOOD_REACH = 20
# A company's market share is eaten too.
_NO_FOOD = re.compile("的(?:市场|份额|蛋糕|订单|用户|红利)")
_HEADING = re.compile(r"[ >]{0,9}#{1,6} ")
_WORD = re.compile(r"[^\W\d_]{4,}")
_GOES_ON = re.compile(r" (?!(?:vs|versus|and|or)\b)[a-z]")
_LONGEST_HEADING = 200
_FEWEST_WORDS = 3


def is_everyday(page: Page, candidate: Candidate) -> bool:
    """Whether a name is eaten or drunk, or a word of a heading in capitals.

    Such a heading goes on after it and has a capital in every longer word: "Zoom In on
    What Your Customers Say".
    """
    text, start = page.folded, candidate.start
    if _FOOD.search(text, max(0, start - _FOOD_REACH), start):
        return _NO_FOOD.match(text, candidate.end) is None
    return _GOES_ON.match(text, candidate.end) is not None and _is_in_title(page, candidate)


def _is_in_title(page: Page, candidate: Candidate) -> bool:
    text = page.folded
    earliest = max(0, candidate.start - _LONGEST_HEADING)
    first = max(earliest, text.rfind("\n", earliest, candidate.start) + 1)
    if not _HEADING.match(text, first):
        return False
    stop = text.find("\n", candidate.end, candidate.end + _LONGEST_HEADING)
    last = min(len(text), candidate.end + _LONGEST_HEADING) if stop < 0 else stop
    words = _WORD.findall(page.viewed(first, last))
    return len(words) >= _FEWEST_WORDS and all(word[0].isupper() for word in words)
