"""DeepSeek's chat completions.

Its own are a limit on calls in flight instead of a rate, with a refusal at once above it;
blank lines that keep a connection alive in front of the body, under a status that says
nothing yet; cached tokens under a name of their own; and an answer that stops for want of
resources. Its API has no search. What the model thought stands apart from what it says and
is no part of the text.

Sources: api-docs.deepseek.com, rate limit and error codes; docs.rs, ds-api.
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

# A place is free again as soon as any answer in flight has ended.
_BUSY_PAUSE_S = 2.0

VERDICTS: Table = (
    Row(Reason.BLOCKED, codes=r"content_filter"),
    Row(Reason.QUOTA_EXHAUSTED, wording=r"insufficient balance"),
    Row(
        Reason.RATE_LIMITED,
        statuses={429},
        codes=r"rate_limit\w*|concurrency\w*",
        pause_s=_BUSY_PAUSE_S,
    ),
    Row(
        Reason.RATE_LIMITED,
        statuses={429},
        wording=r"rate limit|concurren|too (quickly|fast|many)",
        pause_s=_BUSY_PAUSE_S,
    ),
)


def _usage(content: Json) -> Usage:
    said = bodies.mapping(content.get("usage"))
    cached = bodies.count(said.get("prompt_cache_hit_tokens"))
    usage = usage_of(content)
    return usage if cached is None else replace(usage, cached_tokens=cached)


def _findings(_: Json, __: Json) -> Findings:
    return Findings(SearchEvidence.NOT_SEARCHED)


ADAPTER = chat_adapter(
    Dialect(verdicts=VERDICTS, usage=_usage, findings=_findings),
    base_url="https://api.deepseek.com",
    hosts=("api.deepseek.com",),
    price_provider="deepseek",
)
