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
    BLOCKED = "blocked"
    EMPTY = "empty"
    TRUNCATED = "truncated"
    MALFORMED = "malformed"
    CUT_OFF = "cut_off"
    OVER_BUDGET = "over_budget"


# The platform did its work and its result is that there is none: the model declined, or a
# filter of the platform stepped in. Counted apart from what failed.
RESULTS = frozenset({Reason.REFUSED, Reason.BLOCKED})


class QueryState(StrEnum):
    """Where a query stands in the ledger."""

    PENDING = "pending"
    RUNNING = "running"
    ANSWERED = "answered"
    FAILED = "failed"


class SearchEvidence(StrEnum):
    """Whether the platform looked anything up for an answer, as far as it said."""

    SEARCHED = "searched"
    NOT_SEARCHED = "not_searched"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Source:
    """A page that the platform named for an answer.

    `position` counts from 1 in the platform's own order: markers in the text mean it.
    `is_cited` is True when the platform itself ties the page to a passage of the answer.
    """

    position: int
    url: str
    title: str | None = None
    is_cited: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """What one answer used, None where the platform did not say.

    Tokens, and searches. Reasoning tokens are part of the completion's, cached tokens part
    of the prompt's.
    """

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None
    cached_tokens: int | None = None
    search_count: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What the platform said. `model` is the model as the platform reported it.

    `raw_body` is the whole body that the text was read from, the last one when an answer
    took several calls.
    """

    text: str
    model: str | None = None
    finish_reason: str | None = None
    usage: Usage = field(default_factory=Usage)
    request_id: str | None = None
    search: SearchEvidence = SearchEvidence.UNKNOWN
    sources: tuple[Source, ...] = ()
    raw_body: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an attempt brought no answer.

    `retry_after_s` is the wait the platform itself named. `detail` is for people: it
    holds no prompt, no answer and no key. `is_recognised` is False for a refusal of the
    rate that the platform's table does not know; `asks_to_slow_down` is True when the
    platform wants a lower rate, not only a wait. `usage` is what was used although no
    answer came.
    """

    reason: Reason
    detail: str = ""
    http_status: int | None = None
    retry_after_s: float | None = None
    is_recognised: bool = True
    asks_to_slow_down: bool = False
    usage: Usage = field(default_factory=Usage)


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
