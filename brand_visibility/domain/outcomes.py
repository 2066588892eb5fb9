"""What became of an attempt and of a query.

An outcome is an `Answer` or a `Failure`; there is no third thing and no exception.
Reading an outcome off an HTTP response belongs to the platform adapters.
"""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class Reason(StrEnum):
    """Why there is no answer."""

    RATE_LIMITED = "rate_limited"
    QUOTA_EXHAUSTED = "quota_exhausted"
    UNAUTHORIZED = "unauthorized"
    TIMED_OUT = "timed_out"
    SERVER_FAULT = "server_fault"
    CONNECTION_LOST = "connection_lost"
    UNREACHABLE = "unreachable"
    REJECTED = "rejected"
    REFUSED = "refused"
    EMPTY = "empty"
    TRUNCATED = "truncated"
    MALFORMED = "malformed"
    CUT_OFF = "cut_off"
    OVER_BUDGET = "over_budget"


class QueryState(StrEnum):
    """Where a query stands in the ledger."""

    PENDING = "pending"
    RUNNING = "running"
    ANSWERED = "answered"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one answer, None where the platform did not say."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What the platform said. `model` is the model as the platform reported it."""

    text: str
    model: str | None = None
    finish_reason: str | None = None
    usage: Usage = field(default_factory=Usage)
    request_id: str | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an attempt brought no answer.

    `retry_after_s` is the wait the platform itself named. `detail` is for people: it
    holds no prompt, no answer and no key.
    """

    reason: Reason
    detail: str = ""
    http_status: int | None = None
    retry_after_s: float | None = None


Outcome = Answer | Failure


@dataclass(frozen=True, slots=True)
class Attempt:
    """One call for a query, as it happened.

    `wait_s` is the wait decided after it, None when no further attempt follows.
    """

    query_id: str
    number: int
    account_id: str
    sent_at: datetime
    latency_ms: int
    outcome: Outcome
    wait_s: float | None = None
