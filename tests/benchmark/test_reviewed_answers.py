"""What a person said of finds in real answers, as a regression of the reader.

The excerpts hold most of it wherever the tests run; the answers themselves hold all of it
where they are at hand beside the repository.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.reader.collected import CollectedAnswer, load_answers
from benchmarks.reader.gazetteers import case_gazetteer, real_answer_gazetteer
from benchmarks.reader.reviews import Outcome, Review, draw, load_reviews, read_again, to_line
from brand_visibility.domain.catalog import Alias, AliasPolicy, Brand
from brand_visibility.reading.gazetteer import Gazetteer, build_gazetteer

_DATA = Path(__file__).parents[3] / "shared" / "data"
_GAZETTEERS: dict[str, Callable[[], Gazetteer]] = {
    "en": real_answer_gazetteer,
    "zh": case_gazetteer,
}
# Of 160 English and 114 Chinese places. An excerpt holds less to tell a name by.
_MOST_FAULTS = {"en": 17, "zh": 2}
_MOST_FAULTS_IN_EXCERPTS = {"en": 19, "zh": 2}


def _faults(outcomes: list[Outcome]) -> list[str]:
    return [f"{one.review.why}: {one.review.excerpt}" for one in outcomes if not one.is_right]


def _in_excerpt(number: int, review: Review) -> tuple[Review, CollectedAnswer]:
    """Return the review as one of its own excerpt, and that excerpt."""
    start = review.excerpt.index("[[")
    text = review.excerpt.replace(f"[[{review.surface}]]", review.surface, 1)
    return replace(review, line=number, start=start), CollectedAnswer(review.source, number, text)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_excerpts_are_read_as_a_person_reads_them(language: str) -> None:
    pairs = [_in_excerpt(number, one) for number, one in enumerate(load_reviews(language))]

    outcomes = read_again(
        [review for review, _ in pairs],
        [excerpt for _, excerpt in pairs],
        _GAZETTEERS[language](),
    )

    assert len(_faults(outcomes)) <= _MOST_FAULTS_IN_EXCERPTS[language], _faults(outcomes)


@pytest.mark.skipif(
    not _DATA.is_dir(), reason="the collected answers (../shared/data) are not at hand"
)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_answers_are_read_as_a_person_reads_them(language: str) -> None:
    outcomes = read_again(
        load_reviews(language), load_answers(_DATA, language), _GAZETTEERS[language]()
    )

    assert len(_faults(outcomes)) <= _MOST_FAULTS[language], _faults(outcomes)


@pytest.mark.parametrize(("language", "mentions"), [("en", 100), ("zh", 72)])
def test_every_place_of_the_sample_was_judged_with_a_reason(language: str, mentions: int) -> None:
    reviews = load_reviews(language)

    assert sum(review.was_mention for review in reviews) == mentions
    assert all(review.is_brand is not None and review.why for review in reviews)
    assert all(f"[[{review.surface}]]" in review.excerpt for review in reviews)


@pytest.fixture(scope="module")
def fruit() -> Gazetteer:
    guarded = Alias("Apple", AliasPolicy.GUARDED, is_case_sensitive=True, context_any=("Mac",))
    brand = Brand("apple", "t", "Apple", (guarded, Alias("iPhone")), ())
    return build_gazetteer([brand], ["Apple pie"])


def _answers(*texts: str) -> list[CollectedAnswer]:
    return [CollectedAnswer("file", line, text) for line, text in enumerate(texts)]


def test_a_sample_is_drawn_evenly_from_every_reason_and_always_the_same(fruit: Gazetteer) -> None:
    answers = _answers(*["An apple."] * 9, *["An Apple."] * 9, "Apple pie", *["An iPhone."] * 9)

    drawn = draw(answers, fruit, mentions=4, suppressed=7)
    again = draw(answers, fruit, mentions=4, suppressed=7)

    found = [one.found_as for one in drawn]
    assert drawn == again
    assert {reason: found.count(reason) for reason in found} == {
        "mention": 4,
        "decoy": 1,
        "case": 3,
        "no_context": 3,
    }
    assert all(one.is_brand is None for one in drawn)


def test_a_small_sample_is_all_there_is(fruit: Gazetteer) -> None:
    drawn = draw(_answers("An iPhone.", "An apple."), fruit, mentions=100, suppressed=100)

    assert [(one.line, one.surface, one.excerpt) for one in drawn] == [
        (0, "iPhone", "An [[iPhone]]."),
        (1, "apple", "An [[apple]]."),
    ]


@pytest.mark.parametrize(
    ("text", "is_brand", "is_right"),
    [
        ("Buy an iPhone now", True, True),
        ("Buy an iPhone now", False, False),
        ("Buy an apple pie", False, True),
        ("Buy an apple pie", True, False),
    ],
)
def test_a_judgement_is_met_or_missed(
    fruit: Gazetteer, text: str, *, is_brand: bool, is_right: bool
) -> None:
    (drawn,) = draw(_answers(text), fruit, mentions=1, suppressed=1)

    (outcome,) = read_again([replace(drawn, is_brand=is_brand)], _answers(text), fruit)

    assert outcome.is_right is is_right


def test_a_review_is_written_as_one_line_that_can_be_read(fruit: Gazetteer) -> None:
    (drawn,) = draw(_answers("两部 iPhone\n不错"), fruit, mentions=1, suppressed=0)

    assert "\n" not in to_line(drawn)
    assert '"excerpt": "两部 [[iPhone]]\\n不错"' in to_line(drawn)
