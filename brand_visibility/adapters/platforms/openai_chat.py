"""OpenAI's chat completions.

Its own are the codes of used-up money under status 429, which no wait cures, and
`slow_down`, which wants a lower rate. A model that searches ties pages to the text as
annotations. Such a page proves that the model searched; nothing proves that it did not: a
search may go uncited, and what the request allowed does not show in the response. Hence
searched with an annotation, unknown without.

Sources: help.openai.com articles 5955604 and 6614457; developers.openai.com, rate limits and
web search; learn.microsoft.com, Dev Proxy, openai-insufficient-quota.
"""

from collections.abc import Iterable
from dataclasses import replace

from brand_visibility.adapters.platforms import bodies
from brand_visibility.adapters.platforms.chat import Dialect, Findings, Json, chat_adapter
from brand_visibility.adapters.platforms.verdicts import Row, Table
from brand_visibility.domain.outcomes import Reason, SearchEvidence, Source

BASE_URL = "https://api.openai.com/v1"
HOSTS = ("api.openai.com",)
PRICE_PROVIDER = "openai"

# Its limits count by the minute: less would meet the same one again.
_SLOW_DOWN_PAUSE_S = 60.0
_QUOTA = (
    r"insufficient_quota|credit_balance_exhausted|(organization|project)_spend_limit_exceeded"
    r"|organization_usage_limit_exceeded"
)

VERDICTS: Table = (
    Row(Reason.BLOCKED, codes=r"content_filter|content_policy_violation"),
    Row(Reason.QUOTA_EXHAUSTED, codes=_QUOTA),
    # Status 503 in its older form.
    Row(Reason.RATE_LIMITED, codes=r"slow_down", pause_s=_SLOW_DOWN_PAUSE_S, slows_down=True),
    Row(Reason.SERVER_FAULT, codes=r"server_is_overloaded"),
    Row(Reason.RATE_LIMITED, codes=r"rate_limit_exceeded"),
)


def cited_sources(citations: Iterable[Json]) -> tuple[Source, ...]:
    """Return the pages that citations name, each once, in the order of their first mention."""
    pages: dict[str, Json] = {}
    for citation in citations:
        pages.setdefault(bodies.text(citation.get("url")), citation)
    pages.pop("", None)
    return tuple(replace(page, is_cited=True) for page in bodies.sources(list(pages.values())))


def _findings(_: Json, choice: Json) -> Findings:
    message = bodies.mapping(choice.get("message"))
    annotations = bodies.mappings(message.get("annotations"))
    sources = cited_sources(
        bodies.mapping(annotation.get("url_citation")) for annotation in annotations
    )
    return Findings(SearchEvidence.SEARCHED if sources else SearchEvidence.UNKNOWN, sources)


ADAPTER = chat_adapter(
    Dialect(verdicts=VERDICTS, findings=_findings),
    base_url=BASE_URL,
    hosts=HOSTS,
    price_provider=PRICE_PROVIDER,
)
