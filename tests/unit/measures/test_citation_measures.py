"""On whose pages answers lean, and for which answers that can be known."""

import math
from typing import Any

import pandas as pd
import pytest
from small_days import Day, Row, answer, frame, measured_schema, mention, task

from brand_visibility.adapters.lake.schemas import (
    CORE_CITATIONS,
    OUT_CITATION_DAILY,
    OUT_SOURCE_DOMAIN_DAILY,
)
from brand_visibility.measures import source_domains
from brand_visibility.measures.citations import citation_daily
from brand_visibility.measures.source_domains import source_domain_daily

OWN, RIVAL, OTHER = "https://acme.com/a", "https://bolt.com/b", "https://news.example/c"
OWNERS = {OWN: ["acme"], RIVAL: ["bolt"]}


def page(of: Row, url: str = OWN, role: str = "cited", **changes: Any) -> Row:
    row = {
        "plan_date": of["plan_date"],
        "query_id": of["query_id"],
        "url": url,
        "registrable_domain": url.split("/")[2],
        "role": role,
        "owner_brand_ids": OWNERS.get(url, []),
    }
    return row | changes


def day_of(*searches: str) -> Day:
    """Return a day of two brands and one answer to each of several questions."""
    prompts = [f"p{number}" for number in range(len(searches))]
    return Day(
        [task(brand, prompt) for prompt in prompts for brand in ("acme", "bolt")],
        [answer(prompt, search=one) for prompt, one in zip(prompts, searches, strict=True)],
    )


def measured(day: Day, pages: list[Row]) -> pd.DataFrame:
    return citation_daily(*day.frames(), frame(CORE_CITATIONS, pages))


def row_of(day: Day, pages: list[Row], brand: str = "acme") -> Any:
    rows = measured(day, pages).to_dict("records")
    (row,) = [row for row in rows if row["brand_id"] == brand]
    return row


@pytest.mark.parametrize(
    ("search", "role", "is_observed"),
    [
        ("searched", None, 1),
        ("unknown", None, 0),
        ("unknown", "retrieved", 1),
        ("unknown", "inline", 1),
        # Only a name in the text, and an address written from memory.
        ("unknown", "inferred", 0),
        ("not_searched", "inline", 0),
    ],
)
def test_retrieval_is_observed_where_the_platform_says_so_or_pages_show_it(
    search: str, role: str | None, is_observed: float
) -> None:
    day = day_of(search)

    row = row_of(day, [page(day.answers[0], role=role)] if role else [])

    assert row["retrieval_observed_rate"] == is_observed
    assert row["observed_answer_count"] == is_observed


def test_an_answer_without_observed_retrieval_is_no_answer_that_does_not_cite() -> None:
    day = day_of("searched", "unknown", "not_searched")

    row = row_of(day, [page(day.answers[0])])

    assert (row["answer_count"], row["observed_answer_count"]) == (3, 1)
    assert row["own_cited_rate"] == 1


def test_pages_are_the_brands_own_its_competitors_or_others() -> None:
    day = day_of("searched", "searched", "searched", "searched")
    pages = [
        *(page(day.answers[0], url) for url in (OWN, RIVAL, OTHER, f"{OTHER}/2")),
        page(day.answers[1], RIVAL),
    ]

    own, rival = row_of(day, pages), row_of(day, pages, "bolt")

    assert [own[f"{who}_cited_rate"] for who in ("own", "competitor", "other")] == [0.25, 0.5, 0.25]
    assert (rival["own_cited_rate"], rival["competitor_cited_rate"]) == (0.5, 0.25)
    assert own["citing_answer_count"] == 2
    assert own["own_url_rate"] == (0.25 + 0) / 2
    assert own["competitor_url_rate"] == (0.25 + 1) / 2
    assert own["other_url_rate"] == (0.5 + 0) / 2


def test_a_page_of_two_brands_is_each_ones_own_and_no_competitors() -> None:
    day = day_of("searched")
    pages = [page(day.answers[0], owner_brand_ids=["acme", "bolt"])]

    for brand in ("acme", "bolt"):
        row = row_of(day, pages, brand)
        assert (row["own_url_rate"], row["competitor_url_rate"]) == (1, 0)


def test_a_page_of_a_brand_that_the_tenant_does_not_track_here_is_anothers() -> None:
    day = day_of("searched")

    row = row_of(day, [page(day.answers[0], owner_brand_ids=["chic"])])

    assert (row["competitor_cited_rate"], row["other_cited_rate"]) == (0, 1)


def test_a_page_counts_once_in_an_answer() -> None:
    day = day_of("searched")

    row = row_of(day, [page(day.answers[0]), page(day.answers[0]), page(day.answers[0], OTHER)])

    assert row["own_url_rate"] == 0.5


def test_a_ghost_citation_leans_on_the_brand_without_naming_it() -> None:
    day = day_of("searched", "searched", "searched")
    day.mentions = [mention(day.answers[0]), mention(day.answers[1], is_suppressed=True)]

    row = row_of(day, [page(one) for one in day.answers[:2]])

    assert (row["own_citing_answer_count"], row["ghost_citation_rate"]) == (2, 0.5)


def test_without_observed_answers_rates_are_unknown_and_counts_0() -> None:
    row = row_of(day_of("unknown"), [])

    assert row["retrieval_observed_rate"] == 0
    assert math.isnan(row["own_cited_rate"])
    assert math.isnan(row["ghost_citation_rate"])
    assert (row["citing_answer_count"], row["own_citing_question_count"]) == (0, 0)


def test_shares_sum_to_1_and_the_order_of_rows_changes_nothing() -> None:
    day = day_of("searched", "searched", "unknown")
    pages = [page(one, url) for one in day.answers for url in (OWN, RIVAL, OTHER)][:7]

    rows = measured(day, pages)

    turned = Day(day.tasks[::-1], day.answers[::-1])
    pd.testing.assert_frame_equal(rows, measured(turned, pages[::-1]))
    shares = rows[["own_url_rate", "competitor_url_rate", "other_url_rate"]].sum(axis=1)
    assert shares.tolist() == pytest.approx([1, 1])
    wanted = measured_schema(OUT_CITATION_DAILY).names
    assert list(rows) == wanted


def domains(day: Day, pages: list[Row]) -> pd.DataFrame:
    plan, answers, _ = day.frames()
    return source_domain_daily(plan, answers, frame(CORE_CITATIONS, pages))


def test_domains_come_by_the_answers_that_lean_on_them_with_their_owners() -> None:
    day = day_of("searched", "searched", "searched", "unknown")
    pages = [
        *(page(one, OTHER) for one in day.answers[:2]),
        page(day.answers[0], f"{OTHER}/2"),
        page(day.answers[1], OWN),
    ]

    rows = domains(day, pages)

    assert rows["registrable_domain"].tolist() == ["news.example", "acme.com"]
    assert rows["owner_brand_ids"].tolist() == [[], ["acme"]]
    assert rows["citing_answer_count"].tolist() == [2, 1]
    assert rows["url_count"].tolist() == [3, 1]
    assert rows["observed_answer_count"].tolist() == [3, 3]
    assert rows["citing_rate"].tolist() == pytest.approx([2 / 3, 1 / 3])
    assert (rows["citing_rate_low"] < rows["citing_rate"]).all()
    wanted = measured_schema(OUT_SOURCE_DOMAIN_DAILY).names
    assert list(rows) == wanted


def test_no_more_domains_than_anybody_reads_are_kept() -> None:
    day = day_of("searched")
    urls = [f"https://n{number}.example/" for number in range(source_domains.TOP_DOMAINS + 1)]

    rows = domains(day, [page(day.answers[0], url) for url in urls])

    assert len(rows) == source_domains.TOP_DOMAINS


def test_a_day_without_pages_has_no_domains() -> None:
    assert domains(day_of("searched"), []).empty
