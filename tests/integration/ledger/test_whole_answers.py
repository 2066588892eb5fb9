"""All that an answer brought goes into the ledger, and comes out of it unchanged."""

from datetime import UTC

import psycopg
import pytest
from budgeted_days import SHARD, freeze, own

from brand_visibility.adapters.lake.schemas import RAW_ANSWERS
from brand_visibility.adapters.ledger.outcomes import OutcomeStore
from brand_visibility.domain.outcomes import Answer, SearchEvidence, Source, Usage
from tests.builders import a_plan, an_attempt

BODY = b'{"id": "\xff\x00", "text": "\xe6\x88\xb4\xe6\xa3\xae"}' * 50
WHOLE = Answer(
    "fine",
    usage=Usage(12, 34, reasoning_tokens=20, cached_tokens=8, search_count=2),
    search=SearchEvidence.SEARCHED,
    sources=(
        Source(1, "https://a.example/戴森?q=1,2", "A {title}", is_cited=True),
        Source(3, "https://b.example"),
    ),
    raw_body=BODY,
)


def keep(database_url: str, *answers: Answer) -> list[dict[str, object]]:
    """Record answers and return the rows of the lake that become of them, in their order."""
    plan = freeze(database_url, a_plan())
    ids = [query.query_id for query in plan.queries[: len(answers)]]
    attempts = [an_attempt(*pair) for pair in zip(ids, answers, strict=True)]
    own(database_url, lambda journal: journal.record(attempts))
    table = OutcomeStore(database_url, UTC).answers(SHARD)
    assert table.schema.equals(RAW_ANSWERS.schema)
    by_id = {row["query_id"]: row for row in table.to_pylist()}
    return [by_id[query_id] for query_id in ids]


def test_an_answer_keeps_its_sources_its_usage_and_its_whole_body(database_url: str) -> None:
    (row,) = keep(database_url, WHOLE)

    assert row["raw_body"] == BODY
    assert row["search"] == "searched"
    assert row["sources"] == [
        {
            "position": 1,
            "url": "https://a.example/戴森?q=1,2",
            "title": "A {title}",
            "is_cited": True,
        },
        {"position": 3, "url": "https://b.example", "title": None, "is_cited": False},
    ]
    used = ("prompt_tokens", "completion_tokens", "reasoning_tokens", "cached_tokens")
    assert [row[name] for name in (*used, "search_count")] == [12, 34, 20, 8, 2]


def test_what_a_platform_did_not_say_is_unknown_and_never_zero(database_url: str) -> None:
    bare, whole = keep(database_url, Answer("bare"), WHOLE)

    assert (bare["search"], bare["sources"], bare["raw_body"]) == ("unknown", [], None)
    assert (bare["reasoning_tokens"], bare["cached_tokens"], bare["search_count"]) == (None,) * 3
    assert whole["raw_body"] == BODY


@pytest.mark.parametrize(
    ("written", "kept"), [("a\0b", "ab"), ("a\ud800b", "a?b"), ("a\\u0000b", "a\\u0000b")]
)
def test_a_source_that_no_database_can_hold_is_cleaned(
    database_url: str, written: str, kept: str
) -> None:
    (row,) = keep(database_url, Answer("fine", sources=(Source(1, written, written),)))

    assert row["sources"] == [{"position": 1, "url": kept, "title": kept, "is_cited": False}]


def test_an_answer_of_an_earlier_version_has_no_body(database_url: str) -> None:
    keep(database_url, WHOLE)
    with psycopg.connect(database_url) as session:
        session.execute(
            "UPDATE ledger.answer SET raw_zstd = DEFAULT, raw_bytes = DEFAULT, search = DEFAULT,"
            " sources = DEFAULT"
        )

    (row,) = OutcomeStore(database_url, UTC).answers(SHARD).to_pylist()

    assert (row["text"], row["raw_body"]) == ("fine", None)
    assert (row["search"], row["sources"]) == ("unknown", [])
