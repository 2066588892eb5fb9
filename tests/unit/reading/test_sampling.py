"""The sample of stances: a law of the ids, whatever the order and the batches."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brand_visibility.reading.sampling import Candidate, Sampled, Stratum, draw_sample
from brand_visibility.reading.stances import Stance

STANCES = st.sampled_from(list(Stance))


def candidate(number: int, stance: Stance = Stance.NEUTRAL, brand_id: str = "dyson") -> Candidate:
    return Candidate(f"q{number}", "gpt", "api", "acme", brand_id, stance, "2")


def a_day(count: int, stance: Stance = Stance.NEUTRAL) -> list[Candidate]:
    return [candidate(number, stance) for number in range(count)]


def draw(day: list[Candidate], *, rate: float = 0.05, at_most: int = 1_000) -> tuple[Sampled, ...]:
    return draw_sample(day, random_rate=rate, at_most=at_most)


@settings(max_examples=60)
@given(
    st.lists(STANCES, max_size=80),
    st.randoms(use_true_random=False),
    st.sampled_from([0.0, 0.05, 0.5, 1.0]),
    st.integers(1, 90),
)
def test_order_has_no_say_and_the_bound_holds(
    stances: list[Stance], rng: random.Random, rate: float, at_most: int
) -> None:
    day = [candidate(number, stance) for number, stance in enumerate(stances)]
    shuffled = rng.sample(day, len(day))

    drawn = draw(day, rate=rate, at_most=at_most)

    assert drawn == draw(shuffled, rate=rate, at_most=at_most)
    assert len(drawn) <= at_most
    assert len({one.candidate for one in drawn}) == len(drawn)


@settings(max_examples=60)
@given(st.lists(STANCES, max_size=80), st.integers(0, 80), st.sampled_from([0.05, 0.5]))
def test_batches_drawn_apart_make_the_sample_of_the_whole(
    stances: list[Stance], cut: int, rate: float
) -> None:
    day = [candidate(number, stance) for number, stance in enumerate(stances)]

    apart = [*draw(day[:cut], rate=rate), *draw(day[cut:], rate=rate)]

    assert sorted(apart, key=lambda one: one.candidate.query_id) == list(draw(day, rate=rate))


@pytest.mark.parametrize(
    ("stance", "because"),
    [(Stance.NEGATIVE, Stratum.NEGATIVE), (Stance.UNJUDGED, Stratum.CONFLICT)],
)
def test_all_that_is_negative_or_in_conflict_is_drawn(stance: Stance, because: Stratum) -> None:
    drawn = draw(a_day(200, stance), rate=0.0)

    assert [one.candidate for one in drawn] == sorted(
        a_day(200, stance), key=lambda one: one.query_id
    )
    assert {(one.because, one.sampling_rate) for one in drawn} == {(because, 1.0)}


@pytest.mark.parametrize("stance", [Stance.RECOMMENDED, Stance.NEUTRAL, Stance.ABSENT])
def test_a_share_of_the_rest_is_drawn_at_its_rate(stance: Stance) -> None:
    drawn = draw(a_day(20_000, stance), at_most=20_000)

    # Four standard deviations around 1,000.
    assert 1_000 - 124 < len(drawn) < 1_000 + 124
    assert {(one.because, one.sampling_rate) for one in drawn} == {(Stratum.RANDOM, 0.05)}


def test_a_rate_of_one_draws_all_and_of_nought_none_of_the_rest() -> None:
    assert len(draw(a_day(50), rate=1.0)) == 50
    assert draw(a_day(50), rate=0.0) == ()


def test_each_brand_of_an_answer_has_a_lot_of_its_own() -> None:
    brands = [candidate(1, brand_id=f"brand-{number}") for number in range(400)]

    assert 0 < len(draw(brands, rate=0.5)) < 400


def test_a_larger_rate_only_adds() -> None:
    small = {one.candidate for one in draw(a_day(2_000), rate=0.05)}
    large = {one.candidate for one in draw(a_day(2_000), rate=0.2)}

    assert small < large


def test_above_the_bound_every_stratum_is_thinned_alike_and_says_so() -> None:
    day = [
        *(candidate(number, Stance.NEGATIVE) for number in range(600)),
        *(candidate(number, Stance.UNJUDGED) for number in range(600, 900)),
        *(candidate(number) for number in range(900, 1_200)),
    ]

    drawn = draw(day, rate=1.0, at_most=120)

    assert Counter(one.because for one in drawn) == {
        Stratum.NEGATIVE: 60,
        Stratum.CONFLICT: 30,
        Stratum.RANDOM: 30,
    }
    assert {one.sampling_rate for one in drawn} == {0.1}


def test_what_rounding_leaves_of_the_bound_is_used() -> None:
    day = [candidate(1, Stance.NEGATIVE), candidate(2, Stance.UNJUDGED), candidate(3)]

    drawn = draw(day, rate=1.0, at_most=2)

    assert [one.because for one in drawn] == [Stratum.NEGATIVE, Stratum.CONFLICT]


def test_thinning_takes_no_look_at_what_the_rules_say() -> None:
    day = [candidate(number, Stance.NEGATIVE) for number in range(100)]
    turned = [replace(one, stance=Stance.UNJUDGED) for one in day]

    assert [one.candidate.query_id for one in draw(day, at_most=10)] == [
        one.candidate.query_id for one in draw(turned, at_most=10)
    ]
