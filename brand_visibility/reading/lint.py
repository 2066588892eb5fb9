"""The alias lint: aliases that would fire on ordinary text, with proof and advice.

A few bad aliases make nearly all false mentions. What an alias does is seen on collected
answers; the advice is for a person to take, and `take_advice` shows what it would change.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from brand_visibility.domain.catalog import Alias, AliasPolicy, Brand
from brand_visibility.reading.common_words import COMMON_WORDS
from brand_visibility.reading.folding import fold
from brand_visibility.reading.gazetteer import Gazetteer
from brand_visibility.reading.mentions import Mention
from brand_visibility.reading.reader import read_mentions

_SAMPLES = 3
_SAMPLE_REACH = 24
_LONGEST_CONTINUATION = 2


class Rule(StrEnum):
    """What is wrong with an alias.

    `TOO_SHORT` runs into everything, `COMMON_WORD` is an everyday English word,
    `WRITTEN_SMALL` is often written in small letters, as words are and names are not,
    `FIRES_OFTEN` is found in many answers that name no other brand, `RUNS_ON` is mostly
    a part of the same longer expression.
    """

    TOO_SHORT = "too_short"
    COMMON_WORD = "common_word"
    WRITTEN_SMALL = "written_small"
    FIRES_OFTEN = "fires_often"
    RUNS_ON = "runs_on"


@dataclass(frozen=True, slots=True)
class LintSettings:
    """From when on something is worth a person's look. Shares are of an alias's mentions.

    `often_rate` is the share of all answers in which an alias that stands `alone_share`
    of the time alone is found too often to be a brand.
    """

    least_mentions: int = 3
    small_share: float = 0.2
    often_rate: float = 0.01
    alone_share: float = 0.9
    runs_on_share: float = 0.3


@dataclass(frozen=True, slots=True)
class Finding:
    """One doubt about one alias.

    `mention_count` and `answer_count` are what the alias brought of `read_count` answers;
    `samples` are places where it stands; `suggested` is the alias as it should be, and
    `suggested_decoys` are expressions in front of which it should be silent.
    """

    brand_id: str
    alias: str
    rule: Rule
    mention_count: int
    answer_count: int
    read_count: int
    samples: tuple[str, ...]
    suggested: Alias
    suggested_decoys: tuple[str, ...] = ()

    @property
    def hit_rate(self) -> float:
        """Share of the answers in which the alias is found; 0 when none was read."""
        return self.answer_count / self.read_count if self.read_count else 0.0


def lint_aliases(
    gazetteer: Gazetteer, answers: Iterable[str], settings: LintSettings | None = None
) -> list[Finding]:
    """Return what is doubtful about the aliases of a gazetteer, as seen on these answers.

    Without answers only spelling speaks. Aliases that are guarded already, or never count
    alone, are left in peace.
    """
    uses, read_count = _observe(gazetteer, answers)
    found: list[Finding] = []
    for brand in gazetteer.brands:
        for alias in brand.aliases:
            if alias.policy is AliasPolicy.SAFE:
                use = uses.get((brand.brand_id, alias.text), _Use())
                found += _judge(brand, alias, use, read_count, settings or LintSettings())
    return sorted(found, key=lambda one: (-one.answer_count, one.brand_id, one.alias, one.rule))


def take_advice(brands: Sequence[Brand], findings: Iterable[Finding]) -> tuple[Brand, ...]:
    """Return the brands with every suggestion taken."""
    suggested: dict[tuple[str, str], Alias] = {}
    decoys: dict[str, list[str]] = {}
    for one in findings:
        key = one.brand_id, one.alias
        suggested[key] = _stricter(suggested.get(key, one.suggested), one.suggested)
        decoys.setdefault(one.brand_id, []).extend(one.suggested_decoys)
    return tuple(
        replace(
            brand,
            aliases=tuple(
                suggested.get((brand.brand_id, alias.text), alias) for alias in brand.aliases
            ),
            decoys=tuple(dict.fromkeys([*brand.decoys, *decoys.get(brand.brand_id, ())])),
        )
        for brand in brands
    )


def _stricter(first: Alias, second: Alias) -> Alias:
    policies = [AliasPolicy.SAFE, AliasPolicy.GUARDED, AliasPolicy.COMPOUND_ONLY]
    return replace(
        first,
        policy=max(first.policy, second.policy, key=policies.index),
        is_case_sensitive=first.is_case_sensitive or second.is_case_sensitive,
    )


@dataclass(slots=True)
class _Use:
    """How collected answers use one alias. `continuations` are of those that stand alone."""

    mentions: int = 0
    answers: int = 0
    small: int = 0
    alone: int = 0
    continuations: Counter[str] = field(default_factory=Counter)
    samples: list[str] = field(default_factory=list)


def _observe(
    gazetteer: Gazetteer, answers: Iterable[str]
) -> tuple[dict[tuple[str, str], _Use], int]:
    uses: dict[tuple[str, str], _Use] = {}
    count = 0
    for text in answers:
        count += 1
        mentions = read_mentions(text, gazetteer).mentions
        are_alone = len({mention.brand_id for mention in mentions}) == 1
        for key in {(mention.brand_id, mention.alias) for mention in mentions}:
            uses.setdefault(key, _Use()).answers += 1
        for mention in mentions:
            use = uses[mention.brand_id, mention.alias]
            _note(use, text, mention, is_alone=are_alone)
    return uses, count


def _note(use: _Use, text: str, mention: Mention, *, is_alone: bool) -> None:
    use.mentions += 1
    use.small += mention.surface.islower()
    use.alone += is_alone
    if is_alone:
        use.continuations.update(_continuations(text, mention))
        if len(use.samples) < _SAMPLES:
            use.samples.append(_sample(text, mention))


def _continuations(text: str, mention: Mention) -> list[str]:
    """Return the Chinese expressions that the mention begins, one and two characters longer."""
    if mention.surface.isascii():
        return []
    following = text[mention.end_offset : mention.end_offset + _LONGEST_CONTINUATION]
    grown = [following[:length] for length in range(1, len(following) + 1)]
    return [mention.surface + more for more in grown if all(map(_is_ideograph, more))]


def _is_ideograph(character: str) -> bool:
    return "\u4e00" <= character <= "\u9fff"


def _sample(text: str, mention: Mention) -> str:
    before = text[max(0, mention.start_offset - _SAMPLE_REACH) : mention.start_offset]
    after = text[mention.end_offset : mention.end_offset + _SAMPLE_REACH]
    return " ".join(f"{before}[{mention.surface}]{after}".split())


def _judge(
    brand: Brand, alias: Alias, use: _Use, read_count: int, settings: LintSettings
) -> list[Finding]:
    guarded = replace(alias, policy=AliasPolicy.GUARDED)
    rules: list[tuple[Rule, Alias, tuple[str, ...]]] = []
    if _is_too_short(alias):
        rules.append((Rule.TOO_SHORT, guarded, ()))
    if not alias.is_case_sensitive and fold(alias.text)[0] in COMMON_WORDS:
        rules.append((Rule.COMMON_WORD, replace(guarded, is_case_sensitive=True), ()))
    if _is_written_small(alias, use, settings):
        rules.append((Rule.WRITTEN_SMALL, replace(guarded, is_case_sensitive=True), ()))
    if _fires_often(use, read_count, settings):
        rules.append((Rule.FIRES_OFTEN, guarded, ()))
    if longer := _runs_on(use, settings):
        rules.append((Rule.RUNS_ON, alias, longer))
    return [
        Finding(
            brand_id=brand.brand_id,
            alias=alias.text,
            rule=rule,
            mention_count=use.mentions,
            answer_count=use.answers,
            read_count=read_count,
            samples=tuple(use.samples),
            suggested=suggested,
            suggested_decoys=decoys,
        )
        for rule, suggested, decoys in rules
    ]


def _is_too_short(alias: Alias) -> bool:
    letters = alias.text.strip()
    return len(letters) == 1 or (
        len(letters) == 2
        and letters.isascii()
        and letters.isalpha()
        and not alias.is_case_sensitive
    )


def _is_written_small(alias: Alias, use: _Use, settings: LintSettings) -> bool:
    if alias.is_case_sensitive or alias.text.islower() or not alias.text.isascii():
        return False
    return use.small >= max(settings.least_mentions, settings.small_share * use.mentions)


def _fires_often(use: _Use, read_count: int, settings: LintSettings) -> bool:
    return (
        use.mentions >= settings.least_mentions
        and use.answers >= settings.often_rate * read_count
        and use.alone >= settings.alone_share * use.mentions
    )


def _runs_on(use: _Use, settings: LintSettings) -> tuple[str, ...]:
    """Return the longer expressions that many of the mentions are a part of."""
    least = max(settings.least_mentions, settings.runs_on_share * use.mentions)
    common = {text for text, count in use.continuations.items() if count >= least}
    # Of 美的享 and 美的享受 the longer says more, where it is as common.
    return tuple(
        sorted(
            text
            for text in common
            if not any(
                other != text
                and other.startswith(text)
                and use.continuations[other] == use.continuations[text]
                for other in common
            )
        )
    )
