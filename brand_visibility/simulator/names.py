"""Which watched names a text holds, judged so strictly that it never misses one.

It serves to keep names out of texts and to choose how a brand is written. Finding mentions
in answers belongs to `reading`, which is exact where this is only careful.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence

from brand_visibility.domain.catalog import Alias, AliasPolicy, Brand, Catalog

_DOTTED = re.compile(r"[A-Za-z0-9]\.[A-Za-z]{2,}")
_SEPARATORS = frozenset("-‐‑–—_'’`´·")


class NameIndex:
    """All names and aliases of a catalog, whatever their policy."""

    def __init__(self, catalog: Catalog) -> None:
        self._brands: dict[str, set[str]] = {}
        for brand in catalog.brands:
            for name in (brand.name, *(alias.text for alias in brand.aliases)):
                self._brands.setdefault(squash(name), set()).add(brand.brand_id)
        self._brands.pop("", None)
        self._longest = max(map(len, self._brands), default=0)

    def names_in(self, text: str) -> Mapping[str, set[str]]:
        """Return the brands of every squashed name that the text holds."""
        letters, is_inside = _squashed(text)
        found: dict[str, set[str]] = {}
        for start in range(len(letters)):
            if is_inside[start]:
                continue
            for end in range(start + 1, min(start + self._longest, len(letters)) + 1):
                brands = self._brands.get(letters[start:end])
                if brands and _may_end(letters, is_inside, end):
                    found.setdefault(letters[start:end], set()).update(brands)
        return found

    def is_free_of_names(self, text: str) -> bool:
        """Whether the text holds no watched name at all."""
        return not self.names_in(text)


def squash(text: str) -> str:
    """Return the text without case, accents, width, spaces and hyphens."""
    return _squashed(text)[0]


def _squashed(text: str) -> tuple[str, list[bool]]:
    """Return the squashed text and, for each of its edges, whether it lies in a Latin word."""
    letters: list[str] = []
    is_inside: list[bool] = []
    follows_letter = False
    for character in unicodedata.normalize("NFKD", text).casefold():
        if unicodedata.combining(character):
            continue
        if character.isspace() or character in _SEPARATORS:
            follows_letter = False
            continue
        is_letter = character.isascii() and character.isalnum()
        letters.append(character)
        is_inside.append(follows_letter and is_letter)
        follows_letter = is_letter
    return "".join(letters), [*is_inside, False]


def _may_end(letters: str, is_inside: list[bool], end: int) -> bool:
    if not is_inside[end] or letters[end].isdigit():
        return True
    return letters[end] == "s" and not is_inside[end + 1]


def choose_surfaces(catalog: Catalog, names: NameIndex) -> dict[str, tuple[str, ...]]:
    """Return how each brand may be written: found by a reader, and found as nothing else.

    A brand that cannot be written so has no surface.
    """
    decoys = {squash(decoy) for decoy in _all_decoys(catalog)}
    kin: dict[str, set[str]] = {}
    for brand in catalog.brands:
        kin.setdefault(brand.tenant_id, set()).add(brand.brand_id)
    return {
        brand.brand_id: _surfaces(brand, names, decoys, kin[brand.tenant_id])
        for brand in catalog.brands
    }


def choose_asides(catalog: Catalog, names: NameIndex) -> tuple[str, ...]:
    """Return the decoys that an answer may hold without mentioning any brand.

    A decoy of the catalog protects all brands; a brand's own is not relied on for others.
    """
    asides = set(catalog.decoys)
    for brand in catalog.brands:
        for decoy in brand.decoys:
            held = set().union(*names.names_in(decoy).values())
            if held <= {brand.brand_id}:
                asides.add(decoy)
    # A decoy that is itself a name would be no decoy.
    return tuple(sorted(decoy for decoy in asides if squash(decoy) not in names.names_in(decoy)))


def _all_decoys(catalog: Catalog) -> list[str]:
    return [*catalog.decoys, *(decoy for brand in catalog.brands for decoy in brand.decoys)]


def _surfaces(brand: Brand, names: NameIndex, decoys: set[str], kin: set[str]) -> tuple[str, ...]:
    safe = [
        alias.text
        for alias in brand.aliases
        if alias.policy is AliasPolicy.SAFE and squash(alias.text) not in decoys
    ]
    clear = [text for text in safe if not _others_in(text, brand, names)]
    longest = [text for text in safe if _is_longest(text, _others_in(text, brand, names), kin)]
    choices = (_undotted(clear), clear, longest, _guarded_surfaces(brand, names))
    return tuple(next((choice for choice in choices if choice), ()))


def _is_longest(text: str, others: Mapping[str, set[str]], kin: set[str]) -> bool:
    """Whether a reader takes the text before the shorter names inside it.

    Every tenant is read for on its own: the text covers only names of its own tenant.
    """
    return squash(text) not in others and all(brands <= kin for brands in others.values())


def _undotted(texts: Sequence[str]) -> list[str]:
    # "monday.com" may be an address to a reader, and no mention.
    return [text for text in texts if not _DOTTED.search(text)]


def _others_in(text: str, brand: Brand, names: NameIndex) -> dict[str, set[str]]:
    """Return the names in the text that stand for another brand, with those brands."""
    return {
        name: brands for name, brands in names.names_in(text).items() if brands - {brand.brand_id}
    }


def _guarded_surfaces(brand: Brand, names: NameIndex) -> list[str]:
    texts = [
        _beside(alias, alias.context_any[0])
        for alias in brand.aliases
        if alias.policy is AliasPolicy.GUARDED and alias.context_any
    ]
    return [text for text in texts if not _others_in(text, brand, names)]


def _beside(alias: Alias, context: str) -> str:
    is_latin = alias.text[-1:].isascii() and context[:1].isascii()
    return f"{alias.text} {context}" if is_latin else f"{alias.text}{context}"
