"""Finding: from a page to its mentions.

The order of the steps is the method: see the whole page, find every place that is
written like a name or a decoy, ask each alias's policy, and only then let the longest
win. A long name that fails must not swallow a short one that stands.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from brand_visibility.reading.absence import find_absences, is_absent
from brand_visibility.reading.candidates import Candidate, Found, find_candidates
from brand_visibility.reading.everyday import is_everyday
from brand_visibility.reading.gazetteer import Gazetteer
from brand_visibility.reading.mentions import AnswerContext, Mention, Mentions, Suppression
from brand_visibility.reading.page import Page
from brand_visibility.reading.policy import company, objection
from brand_visibility.reading.resolution import resolve, split_by_decoys
from brand_visibility.reading.view import Range
from brand_visibility.reading.zones import ZoneFinder

_Verdict = tuple[Candidate, Suppression | None]


def find_mentions(page: Page, gazetteer: Gazetteer, context: AnswerContext) -> Mentions:
    """Return every mention in a page, and what looked like one and why it is none.

    Never raises, whatever the text. Takes time in proportion to its length.
    """
    found = find_candidates(page, gazetteer)
    if not found:
        return Mentions()
    absences = find_absences(page.folded)
    verdicts = [verdict for tenant in found for verdict in _judge(page, tenant, absences, context)]
    verdicts.sort(key=lambda verdict: (verdict[0].raw, verdict[0].name.brand.brand_id))
    mentions = list(_mentions(page, verdicts))
    return Mentions(
        tuple(mention for mention in mentions if not mention.is_suppressed),
        tuple(mention for mention in mentions if mention.is_suppressed),
    )


def _judge(
    page: Page, found: Found, absences: Sequence[Range], context: AnswerContext
) -> list[_Verdict]:
    free, covered = split_by_decoys(found.candidates, found.decoys)
    verdicts = [(candidate, objection(page, candidate)) for candidate in free]
    verdicts = _rescue(page, verdicts, found.decoys, absences, context)
    standing = resolve(
        [candidate for candidate, reason in verdicts if reason is None], found.decoys
    )
    # What was accepted and yet does not stand lost its place to a decoy.
    objected = [(candidate, reason or Suppression.DECOY) for candidate, reason in verdicts]
    objected += [(candidate, Suppression.DECOY) for candidate in covered]
    return [
        *((candidate, _absence(page, candidate, absences)) for candidate in standing),
        *_remaining(objected, standing),
    ]


def _rescue(
    page: Page,
    verdicts: list[_Verdict],
    decoys: Sequence[Range],
    absences: Sequence[Range],
    context: AnswerContext,
) -> list[_Verdict]:
    """Accept guarded candidates in the company of what is named or asked beyond doubt."""
    if all(reason is not Suppression.NO_CONTEXT for _, reason in verdicts):
        return verdicts
    accepted = [candidate for candidate, reason in verdicts if reason is None]
    named = company(
        [
            candidate
            for candidate in resolve(accepted, decoys)
            if not is_absent(page.folded, (candidate.start, candidate.end), absences)
        ],
        context.topic_ids,
    )
    return [
        (candidate, None)
        if reason is Suppression.NO_CONTEXT
        and named.vouches_for(candidate.name.brand)
        and not is_everyday(page, candidate)
        else (candidate, reason)
        for candidate, reason in verdicts
    ]


def _absence(page: Page, candidate: Candidate, absences: Sequence[Range]) -> Suppression | None:
    is_unknown = is_absent(page.folded, (candidate.start, candidate.end), absences)
    return Suppression.ABSENCE if is_unknown else None


def _remaining(
    objected: Sequence[tuple[Candidate, Suppression]], standing: Sequence[Candidate]
) -> Iterator[_Verdict]:
    """Yield the objections whose place nothing else takes, each place once."""
    ends = [candidate.end for candidate in standing]
    reasons: dict[int, Suppression] = {}
    losing: list[Candidate] = []
    for candidate, reason in objected:
        index = bisect_left(ends, candidate.start + 1)
        if index == len(ends) or standing[index].start >= candidate.end:
            losing.append(candidate)
            reasons[id(candidate)] = reason
    for candidate in resolve(losing, ()):
        yield candidate, reasons[id(candidate)]


def _mentions(page: Page, verdicts: Sequence[_Verdict]) -> Iterator[Mention]:
    zones = ZoneFinder(page)
    for candidate, reason in verdicts:
        name = candidate.name
        yield Mention(
            brand_id=name.brand.brand_id,
            alias=name.alias.text,
            alias_policy=name.alias.policy,
            surface=candidate.surface,
            start_offset=candidate.raw[0],
            end_offset=candidate.raw[1],
            zone=zones.zone(candidate.raw[0]),
            suppressed_reason=reason,
        )
