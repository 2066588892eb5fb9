"""Zhipu's (BigModel's) chat completions.

Its own are business codes in the body, which decide whatever the status says: an account
in arrears comes under 429 as a refusal of the rate does. The pages that a search found
stand in a list of their own; without one it can't be told whether the model searched, since
what the request allowed does not show in the response.

Sources: docs.z.ai, API reference, error codes; genkit pull request 6259.
"""

from brand_visibility.adapters.platforms.chat import (
    Dialect,
    Findings,
    Json,
    chat_adapter,
    pages_found,
)
from brand_visibility.adapters.platforms.verdicts import Row, Table
from brand_visibility.domain.outcomes import Reason

VERDICTS: Table = (
    Row(Reason.BLOCKED, codes=r"1301"),
    Row(Reason.QUOTA_EXHAUSTED, codes=r"1113"),
    # The account is locked.
    Row(Reason.UNAUTHORIZED, codes=r"1112|1121"),
    Row(Reason.SERVER_FAULT, codes=r"1234"),
    # Calls in flight, calls a minute, and the platform's own load.
    Row(Reason.RATE_LIMITED, codes=r"1302|1303|1305"),
)


def _findings(content: Json, _: Json) -> Findings:
    return pages_found(content.get("web_search"), url="link")


ADAPTER = chat_adapter(
    Dialect(verdicts=VERDICTS, findings=_findings),
    base_url="https://open.bigmodel.cn/api/paas/v4",
    hosts=("open.bigmodel.cn",),
    price_provider="zhipuai",
)
