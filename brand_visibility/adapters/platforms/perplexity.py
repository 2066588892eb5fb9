"""Perplexity's chat completions, whose models search by themselves.

Its own are the pages it read, as whole results and as bare addresses (the results are
preferred: they have titles); the number of its searches in the usage; and status 401 for
an account without credit. Searched when a page or a search is named, otherwise unknown: a
search may have found nothing.

Sources: docs.perplexity.ai, rate limits and usage tiers, and llms-full.txt;
perplexity.mintlify.app, API reference.
"""

from dataclasses import replace

from brand_visibility.adapters.platforms import bodies
from brand_visibility.adapters.platforms.chat import (
    Dialect,
    Findings,
    Json,
    chat_adapter,
    usage_of,
)
from brand_visibility.adapters.platforms.verdicts import Row, Table
from brand_visibility.domain.outcomes import Reason, SearchEvidence, Usage

VERDICTS: Table = (
    Row(Reason.BLOCKED, codes=r"content_filter"),
    Row(Reason.QUOTA_EXHAUSTED, codes=r"insufficient_(quota|credits?)"),
    Row(Reason.QUOTA_EXHAUSTED, statuses={401}, wording=r"quota|credit|billing|balance"),
    Row(Reason.RATE_LIMITED, codes=r"(\w+_)?rate_limit(_\w+)?"),
)


def _usage(content: Json) -> Usage:
    said = bodies.mapping(content.get("usage"))
    usage = usage_of(content)
    reasoning = bodies.count(said.get("reasoning_tokens"))
    return replace(
        usage,
        reasoning_tokens=usage.reasoning_tokens if reasoning is None else reasoning,
        search_count=bodies.count(said.get("num_search_queries")),
    )


def _findings(content: Json, _: Json) -> Findings:
    results = bodies.sources(content.get("search_results"))
    sources = results or bodies.sources(content.get("citations"))
    has_searched = bool(sources or _usage(content).search_count)
    return Findings(
        SearchEvidence.SEARCHED if has_searched else SearchEvidence.UNKNOWN,
        sources,
    )


ADAPTER = chat_adapter(
    Dialect(verdicts=VERDICTS, usage=_usage, findings=_findings),
    base_url="https://api.perplexity.ai",
    hosts=("api.perplexity.ai",),
    price_provider="perplexity",
)
