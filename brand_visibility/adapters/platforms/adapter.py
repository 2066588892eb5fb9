"""What every platform's adapter is made of: pure functions over values, and its addresses.

An adapter builds the request of a call and reads its response. Sending belongs to `http`,
which platform has which adapter to `registry`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from brand_visibility.adapters.platforms.wire import WireRequest, WireResponse
from brand_visibility.domain.catalog import Platform
from brand_visibility.domain.outcomes import (
    Failure,
    Outcome,
    SearchEvidence,
    Source,
    Usage,
)
from brand_visibility.domain.planning import Query


@dataclass(frozen=True, slots=True)
class Continuation:
    """An answer that takes one more call, such as one after a search.

    `messages` are added to the conversation in the next call, in the platform's own shape.
    `text`, `usage`, `sources` and `search` are what this call brought already.
    """

    messages: tuple[Mapping[str, Any], ...]
    text: str = ""
    usage: Usage = field(default_factory=Usage)
    sources: tuple[Source, ...] = ()
    search: SearchEvidence = SearchEvidence.UNKNOWN

    def after(self, earlier: "Continuation | None") -> "Continuation":
        """Return this one with what the calls before it brought."""
        if earlier is None:
            return self
        return Continuation(
            messages=(*earlier.messages, *self.messages),
            text=earlier.text + self.text,
            usage=add_usage(earlier.usage, self.usage),
            sources=join_sources(earlier.sources, self.sources),
            search=strongest(earlier.search, self.search),
        )

    def finish(self, outcome: Outcome) -> Outcome:
        """Return the outcome of the last call with what the calls before it brought."""
        usage = add_usage(self.usage, outcome.usage)
        if isinstance(outcome, Failure):
            return replace(outcome, usage=usage)
        return replace(
            outcome,
            text=self.text + outcome.text,
            usage=usage,
            sources=join_sources(self.sources, outcome.sources),
            search=strongest(self.search, outcome.search),
        )


@dataclass(frozen=True, slots=True)
class Asking:
    """One call to build: what is asked, of whom, where, with which key and when.

    `earlier` is what the calls before it brought, None for the first call.
    """

    query: Query
    platform: Platform
    base_url: str
    now: datetime
    key: str | None = field(default=None, repr=False)
    earlier: Continuation | None = None


@dataclass(frozen=True, slots=True)
class Adapter:
    """How a kind of platform is spoken to. Both functions are pure; `parse` never raises.

    `base_url` is where it is asked unless the catalog says otherwise, None when only the
    catalog can say. `hosts` are those that its keys may be sent to. `price_provider` is
    the platform's name in the `genai-prices` package. `key_form` names the parts of a key
    that has several, with `:` between them.
    """

    build: Callable[[Asking], WireRequest]
    parse: Callable[[WireResponse, datetime], Outcome | Continuation]
    base_url: str | None = None
    hosts: tuple[str, ...] = ()
    price_provider: str | None = None
    key_form: str | None = None


def add_usage(first: Usage, second: Usage) -> Usage:
    """Return what two calls used together; a figure that only one named is that one's."""
    return Usage(
        _sum(first.prompt_tokens, second.prompt_tokens),
        _sum(first.completion_tokens, second.completion_tokens),
        _sum(first.reasoning_tokens, second.reasoning_tokens),
        _sum(first.cached_tokens, second.cached_tokens),
        _sum(first.search_count, second.search_count),
    )


def _sum(first: int | None, second: int | None) -> int | None:
    return second if first is None else first if second is None else first + second


def join_sources(first: tuple[Source, ...], second: tuple[Source, ...]) -> tuple[Source, ...]:
    """Return the sources of two calls, the second's numbered on after the first's."""
    last = max((source.position for source in first), default=0)
    return (*first, *(replace(source, position=last + source.position) for source in second))


def strongest(first: SearchEvidence, second: SearchEvidence) -> SearchEvidence:
    """Return what two calls say together: one that searched did, and unknown says nothing."""
    if SearchEvidence.SEARCHED in (first, second):
        return SearchEvidence.SEARCHED
    return second if first is SearchEvidence.UNKNOWN else first
