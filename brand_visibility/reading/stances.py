"""Stances: what an answer thinks of each brand that it names.

A stance is read from cues that can be pointed at. Where they contradict each other and
no rule says which counts, the brand stays unjudged; that is never neutral.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import count

from brand_visibility.reading.absence import find_absences
from brand_visibility.reading.attribution import Rule, Signal, read_line
from brand_visibility.reading.clauses import Group, Line, group_places, read_lines
from brand_visibility.reading.mentions import Mention, Mentions, Suppression
from brand_visibility.reading.ownership import Ownership
from brand_visibility.reading.page import Page


class Stance(StrEnum):
    """How an answer stands to a brand.

    `ABSENT`: it says that it knows nothing of it. `UNJUDGED`: it says for and against,
    and neither counts more.
    """

    RECOMMENDED = "recommended"
    NEUTRAL = "neutral"
    NEGATIVE = "negative"
    ABSENT = "absent"
    UNJUDGED = "unjudged"


@dataclass(frozen=True, slots=True)
class Cue:
    """Words of the answer that speak for a brand (`weight` above 0) or against it.

    `text` is the raw answer's `[start_offset, end_offset)`; `mention_offset` is where the
    mention stands that they speak of.
    """

    text: str
    start_offset: int
    end_offset: int
    weight: int
    rule: Rule
    mention_offset: int


@dataclass(frozen=True, slots=True)
class BrandStance:
    """The stance to one brand, with its cues, those that decided first."""

    brand_id: str
    stance: Stance
    cues: tuple[Cue, ...] = ()


# With so many times as many qualities on one side, the other is an aside.
_MAJORITY = 3
_QUALITY, _MILD = 2, 1


def judge_stances(page: Page, found: Mentions) -> tuple[BrandStance, ...]:
    """Return the stance to every brand that a page's reading mentions or calls unknown.

    Brands stand in the order of their first mention, absent ones last. Never raises,
    whatever the text; takes time in proportion to its length.
    """
    judged = _judge_mentioned(page, found.mentions) if found.mentions else []
    named = {stance.brand_id for stance in judged}
    return *judged, *_absent(page, found.suppressed, named)


def _judge_mentioned(page: Page, mentions: Sequence[Mention]) -> list[BrandStance]:
    cues: dict[str, list[tuple[Signal, Cue]]] = {mention.brand_id: [] for mention in mentions}
    for signal in _read_signals(page, mentions):
        for mention, cue in _cues(page, mentions, signal):
            cues[mention.brand_id].append((signal, cue))
    return [_judge(brand_id, found) for brand_id, found in cues.items()]


def _read_signals(page: Page, mentions: Sequence[Mention]) -> Iterator[Signal]:
    text = page.folded
    places = [page.folded_range(m.start_offset, m.end_offset) for m in mentions]
    groups = group_places(text, places)
    numbers = count()
    ownership = Ownership()
    introduction: Signal | None = None
    for line in read_lines(text, groups):
        owner = ownership.enter(line)
        if line.groups and ownership.is_head and owner is not None and introduction is not None:
            yield _introduced(owner, introduction)
        if owner is not None or line.groups:
            yield from read_line(page, line, numbers, owner=owner, is_foreign=ownership.is_foreign)
        elif line.start > groups[-1].start:
            # Nothing below belongs to a brand.
            return
        elif (introduction is not None or _may_introduce(line)) and (
            not ownership.is_listing or line.marks
        ):
            introduction = _introduction(page, line)


def _may_introduce(line: Line) -> bool:
    """Whether a line is written like one that begins a list."""
    written = line.text[line.start : line.end].strip()
    return written[-1] == ":" or written[0] == "#"


def _introduction(page: Page, line: Line) -> Signal | None:
    """Return the verdict that a line without a brand gives on the list it begins."""
    if not _may_introduce(line):
        return None
    said = read_line(page, line, count(), owner=Group(line.start, line.start, []))
    verdicts = [signal for signal in said if signal.weight >= _QUALITY or signal.weight <= -3]
    return verdicts[-1] if len({signal.weight > 0 for signal in verdicts}) == 1 else None


def _introduced(head: Group, introduction: Signal) -> Signal:
    weight = _QUALITY if introduction.weight > 0 else -_QUALITY
    return Signal(head, weight, introduction.start, introduction.end, Rule.LIST_INTRO, -1)


def _cues(page: Page, mentions: Sequence[Mention], signal: Signal) -> Iterator[tuple[Mention, Cue]]:
    raw = page.raw_range(signal.start, signal.end)
    if raw is None:
        return
    for index in signal.group.mentions:
        mention = mentions[index]
        yield (
            mention,
            Cue(page.raw[raw[0] : raw[1]], *raw, signal.weight, signal.rule, mention.start_offset),
        )


def _judge(brand_id: str, found: Sequence[tuple[Signal, Cue]]) -> BrandStance:
    if not found:
        return BrandStance(brand_id, Stance.NEUTRAL)
    cues = _settle_concessions(found)
    return BrandStance(brand_id, _weigh([cue.weight for cue in cues]), _deciding_first(cues))


def _settle_concessions(found: Sequence[tuple[Signal, Cue]]) -> list[Cue]:
    """Drop what a sentence only concedes (though it is dear, …) where it goes on to judge."""
    judging = {
        signal.sentence
        for signal, _ in found
        if not signal.is_conceded and abs(signal.weight) >= _QUALITY
    }
    cues: list[Cue] = []
    for signal, cue in found:
        if not signal.is_conceded:
            cues.append(cue)
        elif signal.sentence not in judging:
            cues.append(_mild(cue))
    return cues


def _mild(cue: Cue) -> Cue:
    weight = _MILD if cue.weight > 0 else -_MILD
    return Cue(cue.text, cue.start_offset, cue.end_offset, weight, cue.rule, cue.mention_offset)


def _weigh(weights: Sequence[int]) -> Stance:
    """Return the stance of all cues: the heaviest decide, then a clear majority of them.

    Mild blame alone is no stance against a brand.
    """
    praise = [weight for weight in weights if weight > 0]
    blame = [-weight for weight in weights if weight < 0]
    best, worst = max(praise, default=0), max(blame, default=0)
    if best > worst:
        return Stance.RECOMMENDED
    if worst > best:
        return Stance.NEGATIVE if worst > _MILD else Stance.NEUTRAL
    if not best:
        return Stance.NEUTRAL
    if best != _QUALITY:
        return Stance.UNJUDGED
    return _majority(praise.count(_QUALITY), blame.count(_QUALITY))


def _majority(praise: int, blame: int) -> Stance:
    if praise >= _MAJORITY * blame:
        return Stance.RECOMMENDED
    return Stance.NEGATIVE if blame >= _MAJORITY * praise else Stance.UNJUDGED


def _deciding_first(cues: Iterable[Cue]) -> tuple[Cue, ...]:
    return tuple(sorted(cues, key=lambda cue: -abs(cue.weight)))


def _absent(page: Page, suppressed: Sequence[Mention], named: set[str]) -> Iterator[BrandStance]:
    unknown = [
        mention
        for mention in suppressed
        if mention.suppressed_reason is Suppression.ABSENCE and mention.brand_id not in named
    ]
    if not unknown:
        return
    absences = find_absences(page.folded)
    firsts = {mention.brand_id: mention for mention in reversed(unknown)}
    for brand_id in dict.fromkeys(mention.brand_id for mention in unknown):
        cue = _absence_cue(page, firsts[brand_id], absences)
        yield BrandStance(brand_id, Stance.ABSENT, (cue,))


def _absence_cue(page: Page, mention: Mention, absences: Sequence[tuple[int, int]]) -> Cue:
    start, end = page.folded_range(mention.start_offset, mention.end_offset)
    around = next((place for place in absences if place[0] <= start and end <= place[1]), None)
    raw = None if around is None else page.raw_range(*around)
    first, last = raw or (mention.start_offset, mention.end_offset)
    return Cue(page.raw[first:last], first, last, 0, Rule.ABSENCE, mention.start_offset)
