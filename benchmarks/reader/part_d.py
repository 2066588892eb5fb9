"""Part d: finds in real answers, held against what a person said of them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.common.table import Bound, Target, markdown, target_table
from benchmarks.reader.collected import CollectedAnswer, load_answers
from benchmarks.reader.gazetteers import case_gazetteer, real_answer_gazetteer
from benchmarks.reader.reviews import Outcome, draw, load_reviews, read_again, to_line
from brand_visibility.reading.gazetteer import Gazetteer, build_gazetteer
from brand_visibility.reading.lint import lint_aliases, take_advice
from brand_visibility.reading.reader import read_answer

_DRAWN_MENTIONS = 100
_DRAWN_SUPPRESSED = 60
_HEAD = ("", "found as", "in all answers", "judged", "the brand", "not the brand", "share right")


@dataclass(frozen=True, slots=True)
class _Language:
    title: str
    code: str
    gazetteer: Gazetteer


def _languages() -> tuple[_Language, ...]:
    return (
        _Language("2,415 English answers, 51 brands", "en", real_answer_gazetteer()),
        _Language("700 Chinese answers, 150 brands", "zh", case_gazetteer()),
    )


def draw_samples(data: Path) -> str:
    """Return the lines of a sample of both languages, for a person to judge."""
    return "\n".join(
        to_line(review)
        for language in _languages()
        for review in draw(
            load_answers(data, language.code),
            language.gazetteer,
            mentions=_DRAWN_MENTIONS,
            suppressed=_DRAWN_SUPPRESSED,
        )
    )


def measure_part(data: Path) -> str:
    """Read the judged answers again and return the part's section."""
    sections, targets = [], []
    for language in _languages():
        answers = load_answers(data, language.code)
        outcomes = read_again(load_reviews(language.code), answers, language.gazetteer)
        sections += _sections(language, answers, outcomes)
        targets.append(_target(language, outcomes))
    return "\n\n".join([*sections, target_table(targets)])


def _sections(
    language: _Language, answers: Sequence[CollectedAnswer], outcomes: Sequence[Outcome]
) -> list[str]:
    counts = _counts(answers, language.gazetteer)
    advised = read_again(
        [one.review for one in outcomes], answers, _with_advice(answers, language.gazetteer)
    )
    return [
        f"### {language.title}",
        markdown(_HEAD, [*_mention_rows(outcomes, counts), *_suppressed_rows(outcomes, counts)]),
        f"{_recall(outcomes, counts)} {_after_advice(advised)}",
        "Where the person disagrees:",
        markdown(("the person", "why", "the place"), _disagreements(outcomes)),
    ]


def _counts(answers: Iterable[CollectedAnswer], gazetteer: Gazetteer) -> Counter[str]:
    counts: Counter[str] = Counter()
    for answer in answers:
        reading = read_answer(answer.text, gazetteer)
        counts["mention"] += len(reading.mentions)
        counts.update(str(one.suppressed_reason) for one in reading.suppressed)
    return counts


def _mention_rows(outcomes: Sequence[Outcome], counts: Counter[str]) -> list[list[str]]:
    return [_row("counts", "mention", outcomes, counts, is_brand_right=True)]


def _suppressed_rows(outcomes: Sequence[Outcome], counts: Counter[str]) -> list[list[str]]:
    reasons = {one.review.found_as for one in outcomes} - {"mention"}
    return [
        _row("does not count", reason, outcomes, counts, is_brand_right=False)
        for reason in sorted(reasons)
    ]


def _row(
    title: str,
    found_as: str,
    outcomes: Sequence[Outcome],
    counts: Counter[str],
    *,
    is_brand_right: bool,
) -> list[str]:
    judged = [one.review for one in outcomes if one.review.found_as == found_as]
    brands = sum(review.is_brand is True for review in judged)
    right = brands if is_brand_right else len(judged) - brands
    return [
        title,
        found_as,
        f"{counts[found_as]:,}",
        f"{len(judged)}",
        f"{brands}",
        f"{len(judged) - brands}",
        f"{right / len(judged):.2f}",
    ]


def _recall(outcomes: Sequence[Outcome], counts: Counter[str]) -> str:
    """Return the recall among what is written like a name, projected from the samples."""
    named = {
        found_as: count * _share_of_brands(outcomes, found_as) for found_as, count in counts.items()
    }
    found, all_named = named["mention"], sum(named.values())
    return (
        f"Projected on all places that are written like one of the names, {all_named:,.0f} name the"
        f" brand and {found:,.0f} of them are found: recall {found / all_named:.2f}."
    )


def _share_of_brands(outcomes: Sequence[Outcome], found_as: str) -> float:
    judged = [one.review for one in outcomes if one.review.found_as == found_as]
    return sum(review.is_brand is True for review in judged) / len(judged) if judged else 0.0


def _with_advice(answers: Iterable[CollectedAnswer], gazetteer: Gazetteer) -> Gazetteer:
    findings = lint_aliases(gazetteer, [answer.text for answer in answers])
    return build_gazetteer(take_advice(gazetteer.brands, findings), gazetteer.decoys)


def _after_advice(outcomes: Sequence[Outcome]) -> str:
    drawn = [one for one in outcomes if one.review.was_mention]
    kept = [one for one in drawn if one.is_mention]
    right = sum(one.review.is_brand is True for one in kept)
    lost = sum(one.review.is_brand is True for one in drawn) - right
    return (
        "With all advice that the lint gives on the same answers, and nobody looking at it,"
        f" {len(kept)} of the {len(drawn)} judged mentions remain, {right} of them right"
        f" ({right / len(kept):.2f}), and {lost} right ones are lost."
    )


def _disagreements(outcomes: Iterable[Outcome]) -> list[list[str]]:
    return [
        [
            "no brand" if one.is_mention else f"{one.review.brand_id}",
            one.review.why,
            _short(one.review.excerpt),
        ]
        for one in outcomes
        if not one.is_right
    ]


def _short(excerpt: str) -> str:
    at = excerpt.index("[[")
    return f"…{' '.join(excerpt[max(0, at - 30) : at + 50].split())}…".replace("`", "")


def _target(language: _Language, outcomes: Sequence[Outcome]) -> Target:
    counted = [one for one in outcomes if one.review.was_mention and one.is_mention]
    right = sum(one.is_right for one in counted)
    return Target(
        f"{language.title}: precision", right / len(counted), Bound.AT_LEAST, 0.95, digits=2
    )
