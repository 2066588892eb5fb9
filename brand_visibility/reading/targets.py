"""Targets: of which brand a cue speaks.

A verdict looks ahead to its object, a quality back to its subject; a clause that names
nobody goes on about the last one, or about the owner of the line.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from brand_visibility.reading.clauses import Clause, Group
from brand_visibility.reading.cues.kinds import WEIGHTS, Kind
from brand_visibility.reading.cues.marks import Mark
from brand_visibility.reading.page import Page

_OBJECT_KINDS = frozenset({Kind.ENDORSE, Kind.REJECT, Kind.CONSIDER})
_QUALITIES = frozenset({Kind.PRAISE, Kind.BLAME, Kind.MERIT, Kind.QUIBBLE})
_VERDICT = 3
_LATIN_REACH, _CHINESE_REACH = 30, 12
_SUBJECT_REACH = 80

# What may follow a verdict that looks back at its brand: avoid it, 推荐给新手.
_LOOKS_BACK = re.compile(
    r"[\s\"')\]]*(?:$|:|(?:it|them|this|that|these|for|to|if|when|in|as|at|unless|by|here"
    r"|because|due|and|or|using it|buying it)\b|[给它其这该了的买选]|购买|入手|使用|考虑|大家|指数)"
)
_MODEL_ONLY = re.compile(r"[a-z0-9 +'\")\]-]{0,4}(?: ?[a-z]{0,8}\d[\w+-]{0,8}){0,3}[\s\"'了吧]*$")
_ABOUT = re.compile(r"(?: [a-z]+)?(?: (?:about|against|with|over|of))?(?: (?:the|its))?\s?")
_TAKES_UP = re.compile(
    r"[\s\"'(]*(?:(?:and|also|but|however|overall|plus),? )?"
    r"(?:(?:it|its|it's|they|their|they're|this|these|the (?:brand|company|app))\b"
    r"|[它其该此]|这[款个家些]|产品|整体)"
)
_OTHER_SUBJECT = re.compile(r"\s*而(?!且)")
_WORD = re.compile(r"\s*(?:and |so |the )?([^\W_]+)")


@dataclass(slots=True)
class Topic:
    """What a clause that names nobody is about.

    A faint one comes from another sentence and has to be taken up, by "it" or a verdict.
    """

    group: Group | None
    is_faint: bool = False


def is_near(text: str, start: int, end: int) -> bool:
    """Whether a word that ends at `start` reaches as far as `end`."""
    reach = _LATIN_REACH if text[start - 1].isascii() else _CHINESE_REACH
    return end - start <= reach


def _nearest(groups: Sequence[Group], start: int, end: int) -> tuple[Group | None, Group | None]:
    """Return the groups next to a place, in front of it and behind it, that are not shielded."""
    before = None
    for group in groups:
        if group.is_shielded:
            continue
        if group.start >= end:
            return before, group
        if group.end <= start:
            before = group
    return before, None


class Targets:
    """Finds targets in the clauses of one sentence, which are entered and left in order."""

    def __init__(self, page: Page, topic: Topic) -> None:
        self._page = page
        self._text = page.folded
        self._topic = topic
        self._is_first = True

    def enter(self, clause: Clause) -> None:
        """Take up the topic if the clause does so."""
        if clause.opener is Kind.OTHERWISE:
            self._topic.group = None
        if self._topic.is_faint and _TAKES_UP.match(self._text, clause.start, clause.end):
            self._topic.is_faint = False

    def leave(self, clause: Clause) -> None:
        """Make what the clause was about the topic of the next."""
        self._is_first = False
        for group in clause.groups:
            if not group.is_shielded:
                self._topic.group, self._topic.is_faint = group, False
                return
        if clause.groups:
            self._topic.group = None

    def target(self, clause: Clause, mark: Mark) -> Group | None:
        """Return the group that a cue with a weight speaks of, if any."""
        kind, start, end = mark
        before, after = _nearest(clause.groups, start, end)
        if after is not None and not self._is_said_of(clause, mark, after):
            after = None
        if kind in _OBJECT_KINDS:
            if after is not None:
                return after
            if not _LOOKS_BACK.match(self._text, end, clause.end):
                return None
        if before is not None:
            return before if start - before.end <= _SUBJECT_REACH else None
        return after or self._behind_than(clause, mark) or self.inherited(clause, mark)

    def _is_said_of(self, clause: Clause, mark: Mark, after: Group) -> bool:
        """Whether a cue can speak of what follows it: a quality only of what ends the clause.

        "Excellent cushioning from Hoka" praises Hoka, "best Hoka forums" does not.
        """
        if not is_near(self._text, mark[2], after.start):
            return False
        if mark[0] is Kind.CONSIDER:
            return self._text[after.end : after.end + 1] != "的"
        if mark[0] not in _QUALITIES:
            return True
        if mark[0] is Kind.BLAME and _ABOUT.fullmatch(self._text, mark[2], after.start):
            return True
        return _MODEL_ONLY.match(self._text, after.end, clause.end) is not None

    def _behind_than(self, clause: Clause, mark: Mark) -> Group | None:
        """Return what stands behind "than" where nothing stands before: nothing is better."""
        is_turned = any(kind is Kind.NOT and end <= mark[1] for kind, _, end in clause.marks)
        if not is_turned or WEIGHTS[mark[0]] < 0:
            return None
        return next(
            (group for group in clause.groups if group.is_shielded and group.start >= mark[2]), None
        )

    def inherited(self, clause: Clause, mark: Mark) -> Group | None:
        """Return what a clause that names nobody goes on about, if the cue may be said of it."""
        topic = self._topic
        if topic.group is None or clause.groups:
            return None
        if topic.is_faint and abs(WEIGHTS.get(mark[0], 0)) < _VERDICT:
            return None
        return None if self._names_another(clause) else topic.group

    def _names_another(self, clause: Clause) -> bool:
        """Whether a clause seems to be about someone whose name is not known."""
        if _OTHER_SUBJECT.match(self._text, clause.start - 1, clause.end):
            return True
        word = _WORD.match(self._text, clause.start, clause.end)
        if word is None or self._is_first or word[1] == "i":
            return False
        return self._page.viewed(*word.span(1))[0].isupper()
