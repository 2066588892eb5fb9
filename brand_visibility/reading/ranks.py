"""Ranks: at which place of a list an answer names a brand.

Which lines make a list belongs to `lists`. A place in a list and the order in which
brands are first mentioned are two measures and never fill in for each other.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple

from brand_visibility.reading.heads import is_question, is_section, is_step
from brand_visibility.reading.item_markers import RankSource
from brand_visibility.reading.items import Item, head_of
from brand_visibility.reading.lists import ItemList, find_lists, may_rank
from brand_visibility.reading.mentions import Mention

_FEWEST_BRAND_HEADS = 2
_LEAST_SHARE_OF_HEADS = 0.4
_WITH_SECTIONS = frozenset({RankSource.HEADING, RankSource.BOLD})


@dataclass(frozen=True, slots=True)
class Rank:
    """A brand's place in one list of an answer.

    `rank` counts the items of the list from 1 to `list_length`: competitors that are not
    watched count, a brand's further items do not. A countdown is counted from its end, and
    a table that prints ranks in their order. `printed_number` is the number in front of
    the item, None where there is none. `start_offset` is the item's place in the raw
    answer. `list_index` counts the lists that rank brands, from 0, by where they start.
    """

    brand_id: str
    rank: int
    list_length: int
    printed_number: int | None
    rank_source: RankSource
    start_offset: int
    list_index: int

    @property
    def is_primary(self) -> bool:
        """Whether this is the answer's own ranking: the first list that counts."""
        return self.list_index == 0


@dataclass(frozen=True, slots=True)
class Ranking:
    """All ranks of an answer, and its brands in the order of their first mention.

    A brand has one rank in a list, its best, however many items it owns. A brand that is
    mentioned outside the heads of items has an order and no rank.
    """

    ranks: tuple[Rank, ...] = ()
    order_of_mention: tuple[str, ...] = ()


class _Place(NamedTuple):
    item: Item
    brand_ids: tuple[str, ...]


def rank_brands(
    text: str, mentions: Iterable[Mention], lists: Sequence[ItemList] | None = None
) -> Ranking:
    """Return the ranks of the brands that an answer mentions.

    Args:
        text: The raw answer.
        mentions: What was read from it, of one tenant, so that no tenant's ranks depend
            on what another one watches. What is suppressed does not count.
        lists: What `find_lists` found in the text, where it is read for several tenants;
            by default they are sought here.

    Never raises, whatever the text. Takes time in proportion to its length.
    """
    counted = sorted(
        (mention for mention in mentions if not mention.is_suppressed),
        key=lambda mention: (mention.start_offset, mention.brand_id),
    )
    order = tuple(dict.fromkeys(mention.brand_id for mention in counted))
    if len(counted) < _FEWEST_BRAND_HEADS:
        return Ranking(order_of_mention=order)
    if lists is None:
        places = [mention.start_offset for mention in counted]
        lists = find_lists(text) if may_rank(text, places) else []
    return Ranking(tuple(_ranks(text, counted, lists)), order)


def _ranks(text: str, mentions: Sequence[Mention], lists: Sequence[ItemList]) -> Iterator[Rank]:
    starts = [mention.start_offset for mention in mentions]
    index = 0
    for found in lists:
        if len(found.items) < _FEWEST_BRAND_HEADS or not _has_brands(found, starts):
            continue
        places = _places(text, found, mentions, starts)
        source = _source(found, places)
        if source is None:
            continue
        ranked = _without_repeats(_best_first(places, source))
        if len(ranked) > 1:
            yield from _rows(ranked, source, index)
            index += 1


def _has_brands(found: ItemList, starts: Sequence[int]) -> bool:
    """Whether enough mentions stand between a list's ends: in most lists there is none."""
    first = bisect_left(starts, found.first.start)
    return bisect_left(starts, found.items[-1].end, first) - first >= _FEWEST_BRAND_HEADS


def _places(
    text: str, found: ItemList, mentions: Sequence[Mention], starts: Sequence[int]
) -> list[_Place]:
    places = [_Place(item, _owners(text, item, mentions, starts)) for item in found.items]
    if found.first.source not in _WITH_SECTIONS:
        return places
    return [
        place
        for place in places
        if place.brand_ids or not is_section(text, head_of(text, place.item))
    ]


def _owners(
    text: str, item: Item, mentions: Sequence[Mention], starts: Sequence[int]
) -> tuple[str, ...]:
    """Return the brand that stands first in an item's head; brands share a shared name."""
    index = bisect_left(starts, item.body)
    if index == len(starts) or starts[index] >= item.end:
        return ()
    head = begin, end = head_of(text, item)
    index = bisect_left(starts, begin, index)
    if index == len(starts) or starts[index] >= end:
        return ()
    start = starts[index]
    if is_question(text, head) or is_step(text, begin, start):
        return ()
    together = takewhile(lambda i: starts[i] == start, range(index, len(starts)))
    return tuple(mentions[i].brand_id for i in together)


def _source(found: ItemList, places: Sequence[_Place]) -> RankSource | None:
    """Return what kind of ranking a list is, None when it is none."""
    owned = sum(1 for place in places if place.brand_ids)
    if owned < _FEWEST_BRAND_HEADS or owned < _LEAST_SHARE_OF_HEADS * len(places):
        return None
    source = found.first.source
    if source is RankSource.TABLE or not found.is_descending:
        return source
    # Numbers that go down and never reach 1 leave open what the places are.
    is_whole = found.items[-1].number == 1
    return RankSource.COUNTDOWN if is_whole else None


def _best_first(places: list[_Place], source: RankSource) -> list[_Place]:
    if source is RankSource.COUNTDOWN:
        return places[::-1]
    numbers = [place.item.number or 0 for place in places]
    if source is RankSource.TABLE and sorted(numbers) == list(range(1, len(places) + 1)):
        return sorted(places, key=lambda place: place.item.number or 0)
    return places


def _without_repeats(places: Iterable[_Place]) -> list[_Place]:
    """Leave out the items of brands that have a better place in the same list."""
    ranked: list[_Place] = []
    placed: set[str] = set()
    for place in places:
        if not place.brand_ids or not placed.issuperset(place.brand_ids):
            ranked.append(place)
            placed.update(place.brand_ids)
    return ranked


def _rows(places: Sequence[_Place], source: RankSource, list_index: int) -> Iterator[Rank]:
    placed: set[str] = set()
    for rank, place in enumerate(places, start=1):
        item = place.item
        for brand_id in place.brand_ids:
            if brand_id not in placed:
                placed.add(brand_id)
                yield Rank(brand_id, rank, len(places), item.number, source, item.start, list_index)
