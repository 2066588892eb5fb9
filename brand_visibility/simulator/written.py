"""Answers that the simulator writes itself, and whose truth it therefore knows.

Every brand of a prompt's topics is mentioned by chance, with a known probability and
independently of the others. The prompt is never echoed, so that the truth holds for
questions that name a brand too.
"""

from collections.abc import Mapping, Sequence

from brand_visibility.simulator.chance import Chance
from brand_visibility.simulator.phrases import Phrasebook
from brand_visibility.simulator.repertoire import Repertoire
from brand_visibility.simulator.source import Truth

_LISTED_AT_MOST = 8
_NEUTRAL_ADDRESSES = (
    "https://www.example.com/reviews/2391",
    "https://example.org/guides/how-to-choose?page=2",
    "https://example.net/forum/thread-88172.html",
)


class MentionOdds:
    """The true probability that an answer of a platform mentions a brand.

    `given` (platform → brand → probability) comes first; the rest follows from the seed:
    a brand's fame, the same everywhere, and each platform's taste. Few brands are likely
    and many are not, 0.03 to 0.93.
    """

    def __init__(self, seed: int, given: Mapping[str, Mapping[str, float]] | None = None) -> None:
        self._seed = seed
        self._given = given or {}

    def of(self, platform_id: str, brand_id: str) -> float:
        """Return the probability, 0 to 1."""
        given = self._given.get(platform_id, {}).get(brand_id)
        if given is not None:
            return given
        fame = Chance("fame", self._seed, brand_id).uniform()
        taste = Chance("taste", self._seed, platform_id, brand_id).uniform()
        return round(0.03 + 0.9 * (0.7 * fame + 0.3 * taste) ** 2, 3)


class WrittenAnswers:
    """Writes answers about a repertoire's brands from `odds`, the same for the same seed."""

    def __init__(self, repertoire: Repertoire, *, seed: int, odds: MentionOdds) -> None:
        self._repertoire = repertoire
        self._seed = seed
        self._odds = odds
        self._known_odds: dict[tuple[str, str], float] = {}
        self._domains = tuple(
            domain for domains in repertoire.domains.values() for domain in domains
        )

    def answer(self, platform_id: str, prompt: str, number: int) -> str:
        """Return the prompt's `number`-th answer, a general one for an unknown prompt."""
        subject = self._repertoire.subject(prompt)
        chance = Chance("answer", self._seed, platform_id, prompt, number)
        mentioned = self._draw(platform_id, subject.brand_ids, chance)
        chinese, english = self._repertoire.chinese, self._repertoire.english
        draft = _Draft(self._repertoire, chinese if subject.is_chinese else english, chance)
        return draft.write(mentioned)

    def truth(self, platform_id: str) -> Truth:
        """Return topic → brand → probability, 0 for a brand that can't be written."""
        return {
            topic_id: {brand_id: self._probability(platform_id, brand_id) for brand_id in brands}
            for topic_id, brands in self._repertoire.brands_by_topic.items()
        }

    def platform_ids(self) -> tuple[str, ...]:
        return self._repertoire.platform_ids

    def domains(self) -> tuple[str, ...]:
        return self._domains

    def _probability(self, platform_id: str, brand_id: str) -> float:
        key = platform_id, brand_id
        if key not in self._known_odds:
            can_be_written = bool(self._repertoire.surfaces.get(brand_id))
            self._known_odds[key] = self._odds.of(*key) if can_be_written else 0.0
        return self._known_odds[key]

    def _draw(self, platform_id: str, brand_ids: Sequence[str], chance: Chance) -> list[str]:
        """Return the brands to mention, likely ones rather at the front."""
        drawn: dict[str, float] = {}
        for brand_id in brand_ids:
            probability = self._probability(platform_id, brand_id)
            if chance.happens(f"mention {brand_id}", probability):
                drawn[brand_id] = chance.uniform(f"place {brand_id}") ** (1 / probability)
        return sorted(drawn, key=lambda brand_id: -drawn[brand_id])


class _Draft:
    """One answer in the making: its language, its chance and the ways to lay it out."""

    def __init__(self, repertoire: Repertoire, phrases: Phrasebook, chance: Chance) -> None:
        self._repertoire = repertoire
        self._phrases = phrases
        self._chance = chance

    def write(self, brand_ids: Sequence[str]) -> str:
        phrases = self._phrases
        blocks = [
            self._one("opening", phrases.openings),
            *self._brands(brand_ids),
            self._one("advice", phrases.advice),
            self._aside(),
            self._sources(brand_ids),
            self._one("closing", phrases.closings),
        ]
        return "\n\n".join(block for block in blocks if block)

    def _one(self, name: str, options: Sequence[str]) -> str:
        return self._chance.pick(name, options) if options else ""

    def _brands(self, brand_ids: Sequence[str]) -> list[str]:
        items = [self._surface(brand_id) for brand_id in brand_ids]
        if not items:
            return [self._one("more advice", self._phrases.advice)]
        layouts = (self._numbered, self._headed, self._bulleted, self._in_prose)
        layout = self._chance.pick("layout", layouts) if len(items) > 1 else self._in_prose
        return [layout(items[:_LISTED_AT_MOST]), self._others(items[_LISTED_AT_MOST:])]

    def _surface(self, brand_id: str) -> str:
        return self._chance.pick(f"surface {brand_id}", self._repertoire.surfaces[brand_id])

    def _remarked(self, item: str, *, is_bold: bool = False) -> str:
        remark = self._one(f"remark {item}", self._phrases.remarks)
        name = f"**{item}**" if is_bold else item
        return f"{name}{self._phrases.colon}{remark}{self._phrases.stop}" if remark else name

    def _numbered(self, items: Sequence[str]) -> str:
        lines = (self._remarked(item, is_bold=True) for item in items)
        return "\n".join(f"{place}. {line}" for place, line in enumerate(lines, start=1))

    def _headed(self, items: Sequence[str]) -> str:
        heading = self._one("heading", self._phrases.headings)
        lines = (f"{place}. {self._remarked(item)}" for place, item in enumerate(items, start=1))
        return "\n".join([f"## {heading}\n", *lines] if heading else lines)

    def _bulleted(self, items: Sequence[str]) -> str:
        return "\n".join(f"- {self._remarked(item, is_bold=True)}" for item in items)

    def _in_prose(self, items: Sequence[str]) -> str:
        space = "" if self._phrases.stop == "。" else " "
        return space.join(self._remarked(item) for item in items)

    def _others(self, items: Sequence[str]) -> str:
        lead = self._one("others lead", self._phrases.others_leads)
        if not items:
            return ""
        named = self._phrases.comma.join(items)
        return f"{lead}{self._phrases.colon}{named}{self._phrases.stop}" if lead else named

    def _aside(self) -> str:
        asides, leads = self._repertoire.asides, self._phrases.aside_leads
        if not (asides and leads and self._chance.happens("has aside", 0.2)):
            return ""
        decoy = self._one("aside", asides)
        return f"{self._one('aside lead', leads)}{self._phrases.colon}{decoy}{self._phrases.stop}"

    def _sources(self, brand_ids: Sequence[str]) -> str:
        leads = self._phrases.source_leads
        if not (leads and self._chance.happens("has sources", 0.35)):
            return ""
        own = [
            f"https://www.{domain}/"
            for brand_id in brand_ids[:2]
            for domain in self._repertoire.domains.get(brand_id, ())[:1]
        ]
        addresses = [*own, self._one("address", _NEUTRAL_ADDRESSES)]
        lines = [f"- {address}" for address in addresses]
        return "\n".join(
            [f"{self._one('source lead', leads)}{self._phrases.colon.strip()}", *lines]
        )
