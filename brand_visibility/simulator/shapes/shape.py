"""What a shape is: how requests of one manner are read, and answers and errors written.

A shape decides nothing. Which call gets an answer and which an error belongs to `faults`,
the time that it takes to `acting`.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

import orjson

from brand_visibility.simulator.faults import CallKey
from brand_visibility.simulator.pages import Page

_BYTES_PER_TOKEN = 3
REFUSAL = "I can't help with that."


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it arrived at `at`, in seconds since 1970. Header names have any case."""

    headers: Mapping[str, str]
    body: bytes
    at: float


@dataclass(frozen=True, slots=True)
class Question:
    """What a request asks.

    `may_search` is whether the platform may look something up for it, `shows_pages`
    whether it then names the pages. `needs_tool` is a request that is answered with the
    call of a tool, after which the client is to ask again.
    """

    prompt: str
    may_search: bool = True
    shows_pages: bool = True
    needs_tool: bool = False


class Ending(StrEnum):
    """How an answer ends: whole, cut by its length, declined by the model, or filtered."""

    WHOLE = "whole"
    CUT = "cut"
    REFUSED = "refused"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class Given:
    """What a call is given. `created` is in seconds since 1970, `pages` are what was found."""

    key: CallKey
    question: Question
    created: int
    text: str
    pages: tuple[Page, ...] = ()
    ending: Ending = Ending.WHOLE

    @property
    def call_id(self) -> str:
        """The id of the call: the same call has the same id for every client."""
        return call_id(self.key)

    @property
    def model(self) -> str:
        """The model that the platform says it answered with."""
        return f"simulated-{self.key.platform_id}"

    @property
    def shown_pages(self) -> tuple[Page, ...]:
        """The pages that the answer names."""
        return self.pages if self.question.shows_pages else ()

    @property
    def asked_tokens(self) -> int:
        """How many tokens the prompt has."""
        return count_tokens(self.question.prompt)

    @property
    def written_tokens(self) -> int:
        """How many tokens the answer has."""
        written = {Ending.REFUSED: REFUSAL, Ending.BLOCKED: ""}
        return count_tokens(written.get(self.ending, self.text))


class Trouble(StrEnum):
    """Why a call gets an error in place of an answer."""

    RATE_LIMITED = "rate_limited"
    UNKNOWN_RATE_LIMIT = "unknown_rate_limit"
    NO_QUOTA = "no_quota"
    SERVER_FAULT = "server_fault"
    UNDER_SUCCESS = "under_success"
    BAD_REQUEST = "bad_request"
    UNKNOWN_QUESTION = "unknown_question"


@dataclass(frozen=True, slots=True)
class Problem:
    """An error to report, at a time in seconds since 1970.

    `wait_s` is the time to wait where the trouble passes. `detail` comes before the
    platform's own words.
    """

    trouble: Trouble
    request_id: str
    at: float
    wait_s: float = 0.0
    detail: str = ""

    @property
    def whole_wait_s(self) -> int:
        """The wait in whole seconds and never none, as headers demand."""
        return max(1, math.ceil(self.wait_s))

    def worded(self, message: str) -> str:
        """Return the message for people."""
        return f"{self.detail} {message}".strip()


@dataclass(frozen=True, slots=True)
class Reply:
    """One HTTP response. It is JSON unless it is cut."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


class Shape(Protocol):
    """One manner of speaking. Every method is a pure function of its values.

    `read` returns the platform's error in place of a question for a request that it does not
    take. `id_header` names the header with the id of a
    call, None where only bodies have it. `starts_early` is whether status and headers go out
    before the answer is known, with blank lines until it is.
    """

    @property
    def id_header(self) -> str | None: ...

    @property
    def starts_early(self) -> bool: ...

    def read(self, asked: Asked, request_id: str) -> Question | Reply: ...

    def answer(self, given: Given) -> Reply: ...

    def error(self, problem: Problem) -> Reply: ...


def json_reply(
    content: object, *, status: int = 200, headers: Mapping[str, str] | None = None
) -> Reply:
    """Return content as a reply."""
    return Reply(status, orjson.dumps(content), headers or {})


def call_id(key: CallKey) -> str:
    """Return the id of a call: the same call has the same id for every client."""
    return f"{int(key.uniform('id') * 2**53):014x}"


def count_tokens(text: str) -> int:
    """Return roughly how many tokens a text has."""
    return math.ceil(len(text.encode()) / _BYTES_PER_TOKEN)
