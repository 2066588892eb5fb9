"""The gazetteer: every spelling of every alias and decoy, ready to be sought at once.

Deciding which of the places found count belongs to `candidates` and `policy`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import ahocorasick_rs

from brand_visibility.domain.catalog import Alias, AliasPolicy, Brand
from brand_visibility.domain.planning import identify
from brand_visibility.reading.citations import Owners
from brand_visibility.reading.common_words import COMMON_WORDS
from brand_visibility.reading.context import Context, compile_context
from brand_visibility.reading.default_decoys import DEFAULT_DECOYS
from brand_visibility.reading.mentions import Mention
from brand_visibility.reading.spellings import Spelling, cased_name, folded_name, spellings

# 3M, not 3m: a number with a unit's letter reads as a quantity in any other case.
_QUANTITY = re.compile(r"\d+[A-Za-z]")

# Shorter names run into too many other words: iPhone15 yes, SAP15 no.
_SHORTEST_BEFORE_DIGIT = 4
_SHORTEST_BEFORE_YEAR = 3
_SHORTEST_PLURAL = 3
_SHORTEST_BESIDE_NAME = 4


@dataclass(frozen=True, slots=True)
class Name:
    """One alias of one brand, with what its rules need worked out once.

    `cased` is the alias folded in everything but its case, `context` its context words.
    A name that needs its case takes no plural either: Apples are fruit. One that `may_shout`
    needs none where everything is written in capitals; a common word always does.
    """

    brand: Brand
    alias: Alias
    cased: str
    context: Context
    needs_case: bool
    may_shout: bool
    is_quantity: bool


@dataclass(frozen=True, slots=True)
class Target:
    """A name in one of its spellings. One that `is_plain` asks nothing of its place."""

    name: Name
    spelling: Spelling
    is_plain: bool


@dataclass(frozen=True, slots=True)
class Pattern:
    """One folded text that is sought, for every name and decoy that is spelled so.

    `decoy_for` holds the tenants for whose brands it is a decoy; None stands for all.
    Only where an edge is a letter or digit does a letter or digit beside it make the
    pattern a part of another word, unless it `takes` what stands there. `takes_name` says
    whether it counts beside another name without anything between.
    """

    targets: tuple[Target, ...]
    decoy_for: frozenset[str | None]
    guards_left: bool
    guards_right: bool
    starts_with_digit: bool
    takes_digit: bool
    takes_year: bool
    takes_plural: bool
    takes_name: bool


class Gazetteer:
    """All that is read for. Immutable; pickles as its brands and decoys.

    `hash` is the same in every process and changes with anything that can change a
    reading. `find` returns (pattern, start, end) for every place, overlapping ones too.
    `owners` tells whose pages are whose.
    """

    __slots__ = ("_tenant_ids", "brands", "decoys", "find", "hash", "owners", "patterns")

    def __init__(self, brands: tuple[Brand, ...], decoys: tuple[str, ...]) -> None:
        self.brands = brands
        self.decoys = decoys
        self.hash = _hash(brands, decoys)
        self.owners = Owners(brands)
        self._tenant_ids = {brand.brand_id: brand.tenant_id for brand in brands}
        sought = _collect(brands, decoys)
        self.patterns = tuple(_pattern(text, found) for text, found in sought.items())
        automaton = ahocorasick_rs.AhoCorasick(list(sought))
        self.find: Callable[..., list[tuple[int, int, int]]] = automaton.find_matches_as_indexes

    def tenant_of(self, brand_id: str) -> str:
        """Return whose brand it is. Raises KeyError for one that is not read for."""
        return self._tenant_ids[brand_id]

    def by_tenant(
        self, mentions: Sequence[Mention], suppressed: Sequence[Mention] = ()
    ) -> dict[str, tuple[list[Mention], list[Mention]]]:
        """Return what was found for each tenant that has any of it, in its order."""
        parted: dict[str, tuple[list[Mention], list[Mention]]] = {}
        for part, found in enumerate((mentions, suppressed)):
            for mention in found:
                tenant_id = self.tenant_of(mention.brand_id)
                parted.setdefault(tenant_id, ([], []))[part].append(mention)
        return parted

    def __reduce__(self) -> tuple[object, ...]:
        return Gazetteer, (self.brands, self.decoys)


def build_gazetteer(brands: Iterable[Brand], decoys: Iterable[str] = ()) -> Gazetteer:
    """Return the gazetteer of these brands and of decoys that hold for all of them.

    A brand's own decoys hold for the brands of its tenant, `DEFAULT_DECOYS` for everyone's.
    """
    return Gazetteer(tuple(brands), tuple(decoys))


@dataclass(slots=True)
class _Found:
    targets: list[Target] = field(default_factory=list)
    decoy_for: set[str | None] = field(default_factory=set)


def _collect(brands: tuple[Brand, ...], decoys: tuple[str, ...]) -> dict[str, _Found]:
    sought: dict[str, _Found] = {}
    for brand in brands:
        for alias in brand.aliases:
            name = _name(brand, alias)
            for spelling in spellings(alias.text):
                target = Target(name, spelling, is_plain=_is_plain(name, spelling))
                sought.setdefault(spelling.text, _Found()).targets.append(target)
    for tenant_id, decoy in _decoys(brands, decoys):
        for spelling in spellings(decoy):
            sought.setdefault(spelling.text, _Found()).decoy_for.add(tenant_id)
    return sought


def _decoys(brands: tuple[Brand, ...], decoys: tuple[str, ...]) -> Iterator[tuple[str | None, str]]:
    for decoy in (*DEFAULT_DECOYS, *decoys):
        yield None, decoy
    for brand in brands:
        for decoy in brand.decoys:
            yield brand.tenant_id, decoy


def _name(brand: Brand, alias: Alias) -> Name:
    cased = cased_name(alias.text)
    is_quantity = _QUANTITY.fullmatch(cased) is not None
    context = (folded_name(word) for word in alias.context_any)
    return Name(
        brand,
        alias,
        cased,
        context=compile_context(tuple(word for word in context if word is not None)),
        needs_case=alias.is_case_sensitive or is_quantity,
        may_shout=not is_quantity and cased.lower() not in COMMON_WORDS,
        is_quantity=is_quantity,
    )


def _is_plain(name: Name, spelling: Spelling) -> bool:
    return not (name.needs_case or name.is_quantity or spelling.seams or spelling.needs_capital)


def _is_word(character: str) -> bool:
    return character.isascii() and character.isalnum()


def _pattern(text: str, found: _Found) -> Pattern:
    ends_with_letter = _is_word(text[-1]) and text[-1].isalpha()
    return Pattern(
        tuple(found.targets),
        frozenset(found.decoy_for),
        guards_left=_is_word(text[0]),
        guards_right=_is_word(text[-1]),
        starts_with_digit=text[0].isdecimal(),
        takes_digit=ends_with_letter and len(text) >= _SHORTEST_BEFORE_DIGIT,
        takes_year=ends_with_letter and len(text) >= _SHORTEST_BEFORE_YEAR,
        takes_plural=ends_with_letter and len(text) >= _SHORTEST_PLURAL,
        takes_name=len(text) >= _SHORTEST_BESIDE_NAME
        and any(target.name.alias.policy is AliasPolicy.SAFE for target in found.targets),
    )


def _hash(brands: tuple[Brand, ...], decoys: tuple[str, ...]) -> str:
    described = sorted(
        identify(
            brand.brand_id,
            brand.tenant_id,
            *(identify(part) for part in sorted(brand.topic_ids)),
            "aliases",
            *(_describe(alias) for alias in brand.aliases),
            "decoys",
            *sorted(brand.decoys),
            "domains",
            *sorted(brand.domains),
        )
        for brand in brands
    )
    return identify(*described, "decoys", *sorted({*DEFAULT_DECOYS, *decoys}))


def _describe(alias: Alias) -> str:
    return identify(
        alias.text, alias.policy, alias.is_case_sensitive, *sorted(set(alias.context_any))
    )
