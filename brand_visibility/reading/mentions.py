"""What is read from an answer, as values.

How it is found belongs to `finding` and the modules it calls.
"""

from dataclasses import dataclass
from enum import StrEnum

from brand_visibility.domain.catalog import AliasPolicy
from brand_visibility.domain.outcomes import Source


class Zone(StrEnum):
    """Where in the answer a mention stands."""

    TEXT = "text"
    LINK_TEXT = "link_text"
    HEADING = "heading"
    LIST_HEAD = "list_head"
    TABLE_CELL = "table_cell"


class Suppression(StrEnum):
    """Why something that looks like a brand does not count.

    `DECOY` is part of a longer everyday expression, `CASE` is not written in the case the
    alias asks for, `NO_CONTEXT` has nothing near it that says the brand is meant,
    `COMPOUND_ONLY` never counts alone, `ABSENCE` says that nothing is known of the brand.
    """

    DECOY = "decoy"
    CASE = "case"
    NO_CONTEXT = "no_context"
    COMPOUND_ONLY = "compound_only"
    ABSENCE = "absence"


@dataclass(frozen=True, slots=True)
class Mention:
    """One place in an answer that names a brand, or only seems to.

    Offsets count code points of the raw answer: `text[start_offset:end_offset]` is
    `surface`. `suppressed_reason` is None for a mention that counts.
    """

    brand_id: str
    alias: str
    alias_policy: AliasPolicy
    surface: str
    start_offset: int
    end_offset: int
    zone: Zone
    suppressed_reason: Suppression | None = None

    @property
    def is_suppressed(self) -> bool:
        """Whether it was found but does not count."""
        return self.suppressed_reason is not None


@dataclass(frozen=True, slots=True)
class AnswerContext:
    """What is known of an answer besides its text.

    `topic_ids` are those of the question: a guarded alias of one of their brands needs no
    further sign that the brand is meant. `sources` are the pages that the platform named.
    """

    topic_ids: frozenset[str] = frozenset()
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Mentions:
    """What was found in one answer, each part in the order of the text.

    Mentions of one tenant never overlap, except that brands that share an alias share
    its place.
    """

    mentions: tuple[Mention, ...] = ()
    suppressed: tuple[Mention, ...] = ()
