"""Attribution: what the cues of a line weigh for the brands they speak of.

Negation, comparison, doubt and concession are read here, each within its clause. Of
whom a cue speaks is in `targets`, how the cues of a brand add up in `stances`.
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from brand_visibility.reading.clauses import Clause, Group, Line, Sentence
from brand_visibility.reading.cues.kinds import COMPARISONS, CUES, DENIED, WEIGHTS, Kind
from brand_visibility.reading.cues.marks import Mark
from brand_visibility.reading.page import Page
from brand_visibility.reading.targets import Targets, Topic, is_near


class Rule(StrEnum):
    """Which rule read a cue."""

    VERDICT = "verdict"
    QUALITY = "quality"
    MILD = "mild"
    NEGATED = "negated"
    COMPARISON = "comparison"
    REPORTED = "reported"
    LIST_INTRO = "list_intro"
    ABSENCE = "absence"


class Signal(NamedTuple):
    """A cue at the folded range `[start, end)`, said of one group. Below 0 is against it."""

    group: Group
    weight: int
    start: int
    end: int
    rule: Rule
    sentence: int = 0
    is_conceded: bool = False


_CHANGING = frozenset({Kind.SLIGHT, Kind.REMEDY})
_SILENCING = frozenset({Kind.DOUBT, Kind.PAST})
# What has to stand in a sentence without a brand to make any difference.
_TELLING = CUES | {Kind.OTHERWISE}
_VERDICT = 3
_RULES = {3: Rule.VERDICT, 2: Rule.QUALITY, 1: Rule.MILD}
# A turned cue says less than its opposite: "not bad" is mild praise.
_NEGATED = {3: -3, 2: -2, 1: -2, -1: 1, -2: 1, -3: 1}

_NEGATION_REACH = 30
_SHORT, _SHORT_REACH = frozenset("不别无勿"), 2
_FILLER = ("", "the", "a", "an", "its", "其", "于", "起", "了")
_MODEL_REACH = 10
_COMPARED = ("与", "和", "跟", "同")

# If it were so, all that the sentence says is not so.
_UNREAL = re.compile(r"(?<!you )\b(?:were|weren't|had been)\b|\b(?:it|they|[a-z]+ only) had\b")


def read_line(
    page: Page,
    line: Line,
    numbers: Iterator[int],
    *,
    owner: Group | None,
    is_foreign: bool = False,
) -> list[Signal]:
    """Return the signals of one line. `numbers` tells its sentences from all others.

    In a foreign line, which is about something else, a brand is left with its sentence.
    """
    signals: list[Signal] = []
    if CUES.isdisjoint([mark[0] for mark in line.marks]):
        return signals
    is_bound = owner is not None or is_foreign
    topic = Topic(owner)
    for sentence in line.sentences():
        if is_bound:
            topic = Topic(owner)
        if _may_matter(sentence, topic, is_bound=is_bound):
            signals += _SentenceReader(page, sentence, topic, next(numbers)).read()
        topic.is_faint = owner is None
    return signals


def _may_matter(sentence: Sentence, topic: Topic, *, is_bound: bool) -> bool:
    """Whether a sentence may say something of a brand, or change what the next is about."""
    if not sentence.groups:
        return topic.group is not None and not _TELLING.isdisjoint(sentence.kinds)
    return not (is_bound and CUES.isdisjoint(sentence.kinds))


class _SentenceReader:
    """Reads one sentence; `topic` ends as what its last clause was about."""

    def __init__(self, page: Page, sentence: Sentence, topic: Topic, number: int) -> None:
        self._page = page
        self._text = page.folded
        self._sentence = sentence
        self._targets = Targets(page, topic)
        self._number = number
        self._is_question = Kind.QUESTION in sentence.kinds
        self._is_open = not _SILENCING.isdisjoint(sentence.kinds)
        self._is_unreal = False

    def read(self) -> list[Signal]:
        signals: list[Signal] = []
        for clause in self._sentence.clauses():
            if clause.groups:
                self._shield(clause)
            self._targets.enter(clause)
            if not self._is_unsaid(clause) and clause.marks:
                signals += self._read_clause(clause)
            self._targets.leave(clause)
        return signals

    def _is_unsaid(self, clause: Clause) -> bool:
        if clause.opener is Kind.IF:
            self._is_unreal |= bool(_UNREAL.search(self._text, clause.start, clause.end))
            return True
        if self._is_unreal or self._is_question:
            return True
        return self._is_open and any(kind in _SILENCING for kind, _, _ in clause.marks)

    def _shield(self, clause: Clause) -> None:
        for kind, start, end in clause.marks:
            if kind is Kind.SHIELD or (kind is Kind.NOT and self._text[start] == "没"):
                for group in clause.groups:
                    group.is_shielded |= self._is_compared(group, start, end)

    def _is_compared(self, group: Group, start: int, end: int) -> bool:
        """Whether a group stands directly behind a mark, or as in 与 A 相比 before it."""
        if group.start >= end:
            return self._text[end : group.start].strip() in _FILLER
        before = self._text[max(0, group.start - 2) : group.start].rstrip()
        return (
            group.end <= start and start - group.end <= _MODEL_REACH and before.endswith(_COMPARED)
        )

    def _read_clause(self, clause: Clause) -> Iterator[Signal]:
        negations: list[Mark] = []
        changes: dict[Kind, int] = {}
        for mark in clause.marks:
            kind = mark[0]
            if kind is Kind.NOT:
                negations.append(mark)
            elif kind in _CHANGING:
                changes[kind] = mark[2]
            elif kind in COMPARISONS:
                yield from self._compare(clause, mark, self._turning(negations, mark))
                negations.clear()
            elif kind in WEIGHTS:
                signal = self._weigh(clause, mark, self._turning(negations, mark))
                if changes and signal is not None:
                    signal = self._changed(signal, changes, mark)
                if signal is not None:
                    yield signal
                negations.clear()

    def _changed(self, signal: Signal, changes: dict[Kind, int], mark: Mark) -> Signal | None:
        """Return the signal as what stands before it leaves it: a bit slow, fixes crashes."""
        near = {kind for kind, end in changes.items() if is_near(self._text, end, mark[1])}
        if Kind.REMEDY in near and signal.weight < 0:
            return None
        if Kind.SLIGHT in near:
            return signal._replace(weight=1 if signal.weight > 0 else -1, rule=Rule.MILD)
        return signal

    def _turning(self, negations: Sequence[Mark], mark: Mark) -> list[Mark]:
        """Return the negations that reach the cue: a 不 only what follows directly."""
        return [
            negation
            for negation in negations
            if mark[1] - negation[2] <= self._negation_reach(negation)
        ]

    def _negation_reach(self, negation: Mark) -> int:
        if self._text[negation[1]].isascii():
            return _NEGATION_REACH
        return _SHORT_REACH if self._text[negation[1] : negation[2]] in _SHORT else 8

    def _weigh(self, clause: Clause, mark: Mark, negations: Sequence[Mark]) -> Signal | None:
        kind, start, end = mark
        if kind is Kind.CONSIDER and Kind.ACCEPT in self._sentence.kinds:
            return None
        weight = WEIGHTS[kind]
        target = self._targets.target(clause, mark)
        if target is None:
            return None
        if negations and self._is_surpassed(clause, mark, target):
            weight, start = _VERDICT, negations[0][1]
        elif negations:
            start = negations[0][1]
            weight = _NEGATED[weight] if len(negations) % 2 else weight
        rule = Rule.NEGATED if negations else _RULES[abs(weight)]
        return self._signal(clause, target, weight, (start, end), rule)

    def _is_surpassed(self, clause: Clause, mark: Mark, target: Group) -> bool:
        """Whether nothing is better than the target: it is what follows the "than"."""
        return target.is_shielded and target.start >= mark[2] and WEIGHTS[mark[0]] > 0

    def _compare(self, clause: Clause, mark: Mark, negations: Sequence[Mark]) -> Iterator[Signal]:
        kind, start, end = mark
        left, right = (DENIED if negations else COMPARISONS)[kind]
        before = [group for group in clause.groups if group.end <= start]
        subject = before[-1] if before else self._targets.inherited(clause, mark)
        if negations and not before:
            # Nothing comes close to X: nobody in particular is denied to.
            subject, right = None, _VERDICT
        place = (negations[0][1] if negations else start, end)
        if left and subject is not None and not subject.is_shielded:
            yield self._signal(clause, subject, left, place, Rule.COMPARISON)
        beaten = next((group for group in clause.groups if group.start >= end), None)
        if beaten is not None:
            if right:
                yield self._signal(clause, beaten, right, place, Rule.COMPARISON)
            beaten.is_shielded = True

    def _signal(
        self, clause: Clause, group: Group, weight: int, place: tuple[int, int], rule: Rule
    ) -> Signal:
        if Kind.REPORT in self._sentence.kinds:
            rule = Rule.REPORTED
        is_conceded = clause.opener is Kind.CONCEDE
        return Signal(group, weight, *place, rule, self._number, is_conceded)
