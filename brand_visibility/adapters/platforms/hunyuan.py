"""Tencent Hunyuan through its door in OpenAI's protocol.

Its own: the catalog's parameters may hold `enable_enhancement` (it may search),
`force_search_enhancement` (it must), `citation` (markers in the text) and `search_info` (name
the pages). Errors carry the native door's codes or OpenAI's. A filter ends an answer with
`sensitive`.

Searching is certain when pages are named. Without them it is unknown: pages are only named
when the request asked for them, and the request is not seen here.

Sources: cloud.tencent.com, documents 1729/111007, 1729/101837 and 1729/112210.
"""

from brand_visibility.adapters.platforms import bodies, hunyuan_native
from brand_visibility.adapters.platforms.chat import (
    Dialect,
    Findings,
    Json,
    chat_adapter,
    pages_found,
)
from brand_visibility.adapters.platforms.verdicts import Row, Table
from brand_visibility.domain.outcomes import Reason

_CREDENTIAL = r"invalid_api_key|authentication_error|invalid_authentication(_error)?"

VERDICTS: Table = (
    *hunyuan_native.VERDICTS,
    Row(Reason.BLOCKED, codes=r"content_filter|sensitive"),
    Row(Reason.QUOTA_EXHAUSTED, codes=r"insufficient_quota"),
    Row(Reason.UNAUTHORIZED, codes=_CREDENTIAL),
    Row(Reason.RATE_LIMITED, codes=r"rate_limit(_exceeded|_error)"),
)


def _findings(content: Json, _choice: Json) -> Findings:
    search = bodies.mapping(content.get("search_info"))
    return pages_found(search.get("search_results"), index="index")


ADAPTER = chat_adapter(
    Dialect(verdicts=VERDICTS, findings=_findings),
    base_url="https://api.hunyuan.cloud.tencent.com/v1",
    hosts=("api.hunyuan.cloud.tencent.com",),
)
