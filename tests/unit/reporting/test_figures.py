import pytest

from brand_visibility.reporting import figures


@pytest.mark.parametrize(
    ("rate", "expected"),
    [
        (None, "–"),
        (0.0, "0 %"),
        (1e-9, "<1 %"),
        (0.0049, "<1 %"),
        (0.005, "<1 %"),
        (0.0051, "1 %"),
        (0.42, "42 %"),
        (0.994, "99 %"),
        (0.995, ">99 %"),
        (0.9999, ">99 %"),
        (1.0, "100 %"),
    ],
)
def test_a_rate_reads_as_all_or_nothing_only_when_it_is(rate: float | None, expected: str) -> None:
    assert figures.percent(rate) == expected


@pytest.mark.parametrize(
    ("rate", "expected"),
    [(0.0, "0.0 %"), (0.0004, "<0.1 %"), (0.026, "2.6 %"), (0.9996, ">99.9 %"), (1.0, "100.0 %")],
)
def test_a_rate_with_a_decimal_keeps_the_same_promise(rate: float, expected: str) -> None:
    assert figures.percent(rate, 1) == expected


@pytest.mark.parametrize(
    ("low", "high", "decimals"),
    [(0.0, 0.0047, 1), (0.1, 0.1499, 1), (0.1, 0.1501, 0), (0.31, 0.54, 0), (None, None, 0)],
)
def test_a_narrow_interval_earns_a_decimal(
    low: float | None, high: float | None, decimals: int
) -> None:
    assert figures.decimals_for(low, high) == decimals


@pytest.mark.parametrize(
    ("rate", "expected"),
    [
        (None, "–"),
        (0.0, "0.0 %"),
        (1 / 150_000, "<0.1 %"),
        (0.29, "29.0 %"),
        (0.9889, "98.8 %"),
        (149_999 / 150_000, "99.9 %"),
        (1.0, "100.0 %"),
    ],
)
def test_a_coverage_is_rounded_down_so_that_one_missing_answer_shows(
    rate: float | None, expected: str
) -> None:
    assert figures.coverage(rate) == expected


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0.31, 0.54, "[31–54]"), (0.0, 1.0, "[0–100]"), (None, None, ""), (0.1, None, "")],
)
def test_an_interval_is_written_in_whole_per_cent(
    low: float | None, high: float | None, expected: str
) -> None:
    assert figures.interval(low, high) == expected


def test_an_interval_can_be_written_with_a_decimal() -> None:
    assert figures.interval(0.0, 0.0047, 1) == "[0.0–0.5]"


def test_counts_have_separators() -> None:
    assert figures.count(150_000) == "150,000"


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("non_brand", "questions that name no brand"),
        ("brand", "questions that name the brand"),
        ("comparison", "questions that compare two brands"),
        ("some_later_kind", "some later kind"),
    ],
)
def test_every_kind_of_question_has_words(kind: str, expected: str) -> None:
    assert figures.kind_phrase(kind) == expected
