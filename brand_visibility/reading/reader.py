"""The reader: everything that is read from one answer.

Each part has modules of its own: mentions (`finding`), `ranks`, `stances`, `citations`.
Reading is pure: the same text, gazetteer and context give the same reading, whatever else
is read before or beside it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from brand_visibility.reading.citations import Citation, find_citations
from brand_visibility.reading.finding import find_mentions
from brand_visibility.reading.gazetteer import Gazetteer
from brand_visibility.reading.lists import find_lists, may_rank
from brand_visibility.reading.mentions import AnswerContext, Mention, Mentions
from brand_visibility.reading.page import Page
from brand_visibility.reading.ranks import Ranking, rank_brands
from brand_visibility.reading.stances import BrandStance, judge_stances


@dataclass(frozen=True, slots=True)
class Reading:
    """All that was read from one answer.

    `mentions` count, `suppressed` ones only look like it and say why they do not; both are
    in the order of the text. `rankings` holds one for each tenant that has a mention, by
    tenant id; `stances` are of mentioned brands and of those said to be unknown.
    """

    mentions: tuple[Mention, ...]
    suppressed: tuple[Mention, ...]
    rankings: dict[str, Ranking]
    stances: tuple[BrandStance, ...]
    citations: tuple[Citation, ...]


_NOTHING_KNOWN = AnswerContext()


def read_answer(
    text: str, gazetteer: Gazetteer, context: AnswerContext = _NOTHING_KNOWN
) -> Reading:
    """Return what an answer says of the gazetteer's brands.

    Never raises, whatever the text. Takes time in proportion to its length.
    """
    page = Page(text)
    found = find_mentions(page, gazetteer, context)
    return Reading(
        mentions=found.mentions,
        suppressed=found.suppressed,
        rankings=_rankings(text, found.mentions, gazetteer),
        stances=tuple(_stances(page, found, gazetteer)),
        citations=find_citations(text, page.view, context.sources, gazetteer.owners),
    )


def read_mentions(
    text: str, gazetteer: Gazetteer, context: AnswerContext = _NOTHING_KNOWN
) -> Mentions:
    """Return only the mentions of an answer, at a fraction of a whole reading's cost."""
    return find_mentions(Page(text), gazetteer, context)


def _rankings(text: str, mentions: Sequence[Mention], gazetteer: Gazetteer) -> dict[str, Ranking]:
    by_tenant = gazetteer.by_tenant(mentions)
    places = [mention.start_offset for mention in mentions]
    lists = find_lists(text) if may_rank(text, places) else []
    return {
        tenant_id: rank_brands(text, found, lists) for tenant_id, (found, _) in by_tenant.items()
    }


def _stances(page: Page, found: Mentions, gazetteer: Gazetteer) -> Iterator[BrandStance]:
    # Tenants are kept apart: a competitor that only another one watches changes nothing.
    for mentions, suppressed in gazetteer.by_tenant(found.mentions, found.suppressed).values():
        yield from judge_stances(page, Mentions(tuple(mentions), tuple(suppressed)))
