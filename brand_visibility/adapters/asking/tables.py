"""The three files of `ask`: their columns and what becomes a row.

Costs are left out: they are counted by the price that a day's plan was frozen with.

Every question of the file is one row, in `answers` or in `failures`. Names and meanings
are those of the lake's datasets; how files are written belongs to `folder`.
"""

import dataclasses
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pyarrow as pa

from brand_visibility.adapters.asking.memory_journal import MemoryJournal
from brand_visibility.adapters.asking.question_file import FileQuestion
from brand_visibility.adapters.lake import schemas
from brand_visibility.domain.outcomes import Answer, Attempt, Failure, Reason
from brand_visibility.domain.planning import identify

Row = dict[str, Any]

_QUESTION = pa.field(
    "question_id", pa.string(), metadata={"description": "Id of the question, else its line."}
)
_ASKED_MODEL = pa.field(
    "asked_model", pa.string(), metadata={"description": "Model that was asked for."}
)


def _schema(dataset: schemas.Dataset, *left_out: str) -> pa.Schema:
    """Return the question's columns and a dataset's own, without those of a catalog."""
    absent = {"plan_date", "query_id", "platform_id", "channel", "prompt_id", "repeat", *left_out}
    kept = [column for column in dataset.schema if column.name not in absent]
    return pa.schema([_QUESTION, _ASKED_MODEL, *kept])


_COSTS = ("cost_usd", "is_cost_estimated")

ANSWERS = _schema(schemas.RAW_ANSWERS, "is_late", *_COSTS)
FAILURES = _schema(schemas.FAILURES)
ATTEMPTS = _schema(schemas.ATTEMPTS, *_COSTS)


def query_id_of(question: FileQuestion) -> str:
    """Return the query that serves a question: questions of one text share it."""
    return identify(question.prompt)


def answer_row(question: FileQuestion, asked_model: str, attempt: Attempt, count: int) -> Row:
    """Return the row of an answered question."""
    answer = attempt.outcome
    if not isinstance(answer, Answer):
        raise TypeError(f"attempt {attempt.number} of {attempt.query_id} brought no answer")
    return {
        "question_id": question.question_id,
        "asked_model": asked_model,
        "account_id": attempt.account_id,
        "prompt": question.prompt,
        "text": answer.text,
        "model": answer.model,
        "finish_reason": answer.finish_reason,
        **dataclasses.asdict(answer.usage),
        "search": answer.search.value,
        "sources": [dataclasses.asdict(source) for source in answer.sources],
        "request_id": answer.request_id,
        "attempt_count": count,
        "sent_at": attempt.sent_at,
        "answered_at": _ended_at(attempt),
        "latency_ms": attempt.latency_ms,
        "raw_body": answer.raw_body,
    }


def failure_row(
    question: FileQuestion, asked_model: str, journal: MemoryJournal, now: datetime
) -> Row:
    """Return the row of a question without an answer."""
    query_id = query_id_of(question)
    attempts = journal.attempts_of(query_id)
    last = attempts[-1] if attempts else None
    failure = _failure(last, journal.given_up(query_id))
    return {
        "question_id": question.question_id,
        "asked_model": asked_model,
        "prompt": question.prompt,
        "reason": failure.reason.value,
        "detail": failure.detail,
        "http_status": failure.http_status,
        "attempt_count": len(attempts),
        "failed_at": _ended_at(last) if last else now,
    }


def attempt_rows(question: FileQuestion, asked_model: str, journal: MemoryJournal) -> Iterator[Row]:
    """Yield a row for each call that was made for a question."""
    for attempt in journal.attempts_of(query_id_of(question)):
        failure = attempt.outcome if isinstance(attempt.outcome, Failure) else None
        yield {
            "question_id": question.question_id,
            "asked_model": asked_model,
            "account_id": attempt.account_id,
            "attempt_number": attempt.number,
            "sent_at": attempt.sent_at,
            "latency_ms": attempt.latency_ms,
            "is_answered": failure is None,
            "reason": failure.reason.value if failure else None,
            "http_status": failure.http_status if failure else None,
            "wait_s": attempt.wait_s,
        }


def _failure(last: Attempt | None, given_up: Reason | None) -> Failure:
    """Return why there is no answer; a run that was stopped cuts its queries off."""
    if given_up is not None:
        return Failure(given_up, "given up without a further call")
    if last is None or last.wait_s is not None or isinstance(last.outcome, Answer):
        return Failure(Reason.CUT_OFF, "the run was stopped before it was answered")
    return last.outcome


def _ended_at(attempt: Attempt) -> datetime:
    return attempt.sent_at + timedelta(milliseconds=attempt.latency_ms)
