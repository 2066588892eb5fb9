"""What written answers are about: for each prompt of a catalog its language and brands.

Built once from a catalog; how answers are worded belongs to `written`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from brand_visibility.domain.catalog import Brand, Catalog, Question, QuestionKind
from brand_visibility.domain.planning import render_prompt
from brand_visibility.simulator.names import NameIndex, choose_asides, choose_surfaces
from brand_visibility.simulator.phrases import CHINESE, ENGLISH, Phrasebook


@dataclass(frozen=True, slots=True)
class Subject:
    """What a prompt is about: the brands of its topics, in the catalog's order."""

    is_chinese: bool
    brand_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Repertoire:
    """All that a writer of answers needs to know.

    `surfaces` are the ways to write each brand, none for a brand that can't be written
    without doubt. `asides` are decoys. `subjects` are found by the exact prompt.
    """

    platform_ids: tuple[str, ...]
    brands_by_topic: Mapping[str, tuple[str, ...]]
    subjects: Mapping[str, Subject]
    surfaces: Mapping[str, tuple[str, ...]]
    domains: Mapping[str, tuple[str, ...]]
    asides: tuple[str, ...]
    chinese: Phrasebook = CHINESE
    english: Phrasebook = ENGLISH

    def subject(self, prompt: str) -> Subject:
        """Return what the prompt is about: no brand when the catalog does not ask it."""
        known = self.subjects.get(prompt.strip())
        return known or Subject(is_chinese=_has_han(prompt), brand_ids=())


def build_repertoire(catalog: Catalog) -> Repertoire:
    """Return the repertoire of a catalog, of all prompts that it can ask."""
    names = NameIndex(catalog)
    return Repertoire(
        platform_ids=tuple(platform.platform_id for platform in catalog.platforms),
        brands_by_topic=_brands_by_topic(catalog),
        subjects=_subjects(catalog),
        surfaces=choose_surfaces(catalog, names),
        domains={brand.brand_id: brand.domains for brand in catalog.brands},
        asides=choose_asides(catalog, names),
        chinese=CHINESE.without_names(names),
        english=ENGLISH.without_names(names),
    )


def empty_repertoire() -> Repertoire:
    """Return the repertoire of no catalog: every answer names no brand."""
    return Repertoire(
        platform_ids=(), brands_by_topic={}, subjects={}, surfaces={}, domains={}, asides=()
    )


def _brands_by_topic(catalog: Catalog) -> dict[str, tuple[str, ...]]:
    brands: dict[str, list[str]] = {}
    for brand in catalog.brands:
        for topic_id in brand.topic_ids:
            brands.setdefault(topic_id, []).append(brand.brand_id)
    return {topic_id: tuple(brand_ids) for topic_id, brand_ids in brands.items()}


def _subjects(catalog: Catalog) -> dict[str, Subject]:
    brands_by_topic = _brands_by_topic(catalog)
    subjects: dict[str, Subject] = {}
    for prompt, question in _prompts(catalog):
        about = brands_by_topic.get(question.topic_id, ())
        known = subjects.get(prompt)
        if known is None:
            is_chinese = question.language.startswith("zh")
            subjects[prompt] = Subject(is_chinese, about)
        elif known.brand_ids is not about:
            # One text asked in two topics is about the brands of both.
            united = dict.fromkeys((*known.brand_ids, *about))
            subjects[prompt] = Subject(known.is_chinese, tuple(united))
    return subjects


def _prompts(catalog: Catalog) -> Iterator[tuple[str, Question]]:
    names = {brand.brand_id: brand.name for brand in catalog.brands}
    by_topic: dict[str, list[Brand]] = {}
    for brand in catalog.brands:
        for topic_id in brand.topic_ids:
            by_topic.setdefault(topic_id, []).append(brand)
    for question in catalog.questions:
        brands = by_topic.get(question.topic_id, [])
        # A question that names no brand has the same text for all of them.
        asked_for = brands[:1] if question.kind is QuestionKind.NON_BRAND else brands
        for brand in asked_for:
            prompt = render_prompt(question, brand, names)
            if prompt is not None:
                yield prompt.strip(), question


def _has_han(text: str) -> bool:
    return any("\u4e00" <= character <= "\u9fff" for character in text)
