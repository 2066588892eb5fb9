"""How often judge and rules agree."""

from brand_visibility.measures.agreement import Agreement, Opinion, agreement
from brand_visibility.measures.intervals import wilson_interval


def opinions(rule: str, judged: str | None, count: int, *, verified: bool = True) -> list[Opinion]:
    return [Opinion(rule, judged, is_verified=verified)] * count


def test_each_class_of_the_rules_is_counted_by_itself() -> None:
    found = agreement(
        [
            *opinions("negative", "negative", 8),
            *opinions("negative", "neutral", 2),
            *opinions("neutral", "recommended", 1),
        ]
    )

    assert found == (
        Agreement("negative", 10, 10, 8, 0),
        Agreement("neutral", 1, 1, 0, 0),
    )
    assert found[0].rate == 0.8
    assert found[0].interval == wilson_interval(8, 10)


def test_what_is_unverified_or_not_judged_is_counted_and_no_agreement() -> None:
    (found,) = agreement(
        [
            *opinions("negative", "negative", 3),
            *opinions("negative", "negative", 4, verified=False),
            *opinions("negative", None, 5, verified=False),
        ]
    )

    assert found == Agreement("negative", 12, 3, 3, 4)
    assert found.rate == 1.0


def test_without_a_verified_judgement_nothing_is_known() -> None:
    (found,) = agreement(opinions("neutral", None, 2, verified=False))

    assert (found.rate, found.interval) == (None, None)


def test_nothing_sampled_is_no_class() -> None:
    assert agreement([]) == ()
