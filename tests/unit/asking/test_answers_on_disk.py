import asyncio
import dataclasses
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from brand_visibility.adapters.asking.folder import AnswerFolder, Earlier
from brand_visibility.adapters.asking.memory_journal import MemoryJournal
from brand_visibility.adapters.asking.question_file import FileQuestion
from brand_visibility.adapters.asking.report import busiest_second
from brand_visibility.adapters.asking.tables import (
    ANSWERS,
    ATTEMPTS,
    FAILURES,
    Row,
    answer_row,
    attempt_rows,
    failure_row,
    query_id_of,
)
from brand_visibility.domain.errors import InputError
from brand_visibility.domain.outcomes import Attempt, Reason, SearchEvidence, Source
from tests.builders import SENT_AT, a_failure, an_answer, an_attempt

NOW = datetime(2026, 12, 1, tzinfo=UTC)
QUESTION = FileQuestion("q7", "Which vacuum is best?", 7)
QUERY_ID = query_id_of(QUESTION)
PROMPTS = frozenset({QUESTION.prompt})


def a_journal(*attempts: Attempt, given_up: Reason | None = None) -> MemoryJournal:
    async def main() -> MemoryJournal:
        journal = MemoryJournal()
        await journal.mark_running([QUERY_ID], "main")
        await journal.record(attempts)
        if given_up is not None:
            await journal.give_up([QUERY_ID], given_up)
        return journal

    return asyncio.run(main())


def an_answer_row() -> Row:
    answer = dataclasses.replace(
        an_answer("Dyson\x00 戴森"),
        search=SearchEvidence.SEARCHED,
        sources=(Source(1, "https://a.example", "A"), Source(2, "https://b.example")),
        raw_body=b'{"text": "\xff\x00"}',
    )
    return answer_row(QUESTION, "m", an_attempt(QUERY_ID, answer), 2)


def earlier_in(folder: AnswerFolder, prompts: Iterable[str] = PROMPTS) -> Earlier:
    return folder.read_earlier(asked_model="m", prompts=frozenset(prompts))


def test_an_answer_row_has_every_column_of_its_file() -> None:
    row = an_answer_row()
    assert list(row) == ANSWERS.names
    assert row["answered_at"] - row["sent_at"] == timedelta(milliseconds=250)
    assert (row["question_id"], row["attempt_count"], row["prompt_tokens"]) == ("q7", 2, 12)
    assert (row["search"], row["sources"][1]["title"]) == ("searched", None)


def test_a_failure_row_has_the_last_reason() -> None:
    journal = a_journal(
        an_attempt(QUERY_ID, a_failure(Reason.TIMED_OUT), wait_s=1.0),
        an_attempt(QUERY_ID, a_failure(Reason.REJECTED, 400), number=2),
    )
    row = failure_row(QUESTION, "m", journal, NOW)
    assert list(row) == FAILURES.names
    assert (row["reason"], row["http_status"], row["attempt_count"]) == ("rejected", 400, 2)
    assert row["failed_at"] == SENT_AT + timedelta(milliseconds=250)


@pytest.mark.parametrize(
    ("journal", "reason", "attempts"),
    [
        (a_journal(), "cut_off", 0),
        (a_journal(an_attempt(QUERY_ID, a_failure(), wait_s=1.0)), "cut_off", 1),
        (a_journal(given_up=Reason.UNAUTHORIZED), "unauthorized", 0),
        (
            a_journal(
                an_attempt(QUERY_ID, a_failure(), wait_s=1.0), given_up=Reason.QUOTA_EXHAUSTED
            ),
            "quota_exhausted",
            1,
        ),
    ],
    ids=["never-asked", "stopped-before-its-retry", "given-up", "given-up-after-a-call"],
)
def test_a_question_without_an_outcome_of_its_own_says_why(
    journal: MemoryJournal, reason: str, attempts: int
) -> None:
    row = failure_row(QUESTION, "m", journal, NOW)
    assert (row["reason"], row["attempt_count"]) == (reason, attempts)
    assert row["detail"]


def test_every_call_is_a_row() -> None:
    journal = a_journal(
        an_attempt(QUERY_ID, a_failure(Reason.TIMED_OUT), wait_s=12.5),
        an_attempt(QUERY_ID, number=2),
    )
    first, second = attempt_rows(QUESTION, "m", journal)
    assert list(first) == ATTEMPTS.names
    assert (first["reason"], first["wait_s"], first["is_answered"]) == ("timed_out", 12.5, False)
    assert (second["attempt_number"], second["reason"], second["is_answered"]) == (2, None, True)


def test_what_is_written_is_read_back_unchanged(tmp_path: Path) -> None:
    folder = AnswerFolder(tmp_path / "new" / "out")
    folder.prepare()
    attempts = list(attempt_rows(QUESTION, "m", a_journal(an_attempt(QUERY_ID, wait_s=0.1))))
    folder.write(answers=[an_answer_row()], failures=[], attempts=attempts)
    earlier = earlier_in(folder)
    assert earlier.answers == {QUESTION.prompt: an_answer_row()}
    assert earlier.attempts == attempts
    assert sorted(path.name for path in (tmp_path / "new" / "out").iterdir()) == [
        "answers.parquet",
        "attempts.parquet",
        "failures.parquet",
    ]


def test_many_rows_keep_their_order_and_types(tmp_path: Path) -> None:
    folder = AnswerFolder(tmp_path)
    rows = [
        an_answer_row() | {"question_id": str(number), "raw_body": b"x" * (number % 7)}
        for number in range(1_234)
    ]
    folder.write(answers=rows, failures=[], attempts=[])
    table = pq.ParquetFile(tmp_path / "answers.parquet").read()
    assert table.schema == ANSWERS
    assert table.column("question_id").to_pylist() == [str(number) for number in range(1_234)]
    assert table.column("raw_body").to_pylist() == [row["raw_body"] for row in rows]
    assert pq.ParquetFile(tmp_path / "failures.parquet").read().schema == FAILURES


def test_an_empty_folder_has_nothing_earlier(tmp_path: Path) -> None:
    assert earlier_in(AnswerFolder(tmp_path)) == Earlier({}, [])


@pytest.mark.parametrize(
    ("changed", "prompts"),
    [({"asked_model": "other"}, PROMPTS), ({}, frozenset({"Another question?"}))],
    ids=["another-model", "another-question"],
)
def test_answers_that_would_be_dropped_are_an_error(
    tmp_path: Path, changed: Row, prompts: frozenset[str]
) -> None:
    folder = AnswerFolder(tmp_path)
    folder.write(answers=[an_answer_row() | changed], failures=[], attempts=[])
    with pytest.raises(InputError, match=r"found 1 answers of another model.*--overwrite"):
        earlier_in(folder, prompts)


def test_a_file_of_another_kind_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "answers.parquet"
    path.write_text("no parquet")
    with pytest.raises(InputError, match="no Parquet file"):
        earlier_in(AnswerFolder(tmp_path))
    AnswerFolder(tmp_path).write(answers=[], failures=[], attempts=[])
    (tmp_path / "failures.parquet").rename(path)
    with pytest.raises(InputError, match=r"columns .* of another kind"):
        earlier_in(AnswerFolder(tmp_path))


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"--out .*expected a folder"):
        AnswerFolder(tmp_path / "file").prepare()


@pytest.mark.parametrize(
    ("offsets", "expected"),
    [([], 0), ([0.0], 1), ([0.0, 0.5, 0.999], 3), ([0.0, 0.5, 1.0], 2), ([3.0, 0.0, 2.5, 2.2], 3)],
)
def test_the_busiest_second_starts_at_any_send(offsets: list[float], expected: int) -> None:
    rows = [{"sent_at": SENT_AT + timedelta(seconds=offset)} for offset in offsets]
    assert busiest_second(rows) == expected
