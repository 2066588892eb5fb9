"""Qwen through DashScope's door in OpenAI's protocol.

Its own: `insufficient_quota` is the tokens of a minute, not money, and limits are enforced
by the second. The catalog's parameters may hold `enable_search` and `search_options`. This
door names no pages, nor whether it searched: `qwen_native` does.

Sources: help.aliyun.com, model-studio: rate limit, error codes, web search.
"""

from brand_visibility.adapters.platforms.chat import Dialect, chat_adapter
from brand_visibility.adapters.platforms.verdicts import Row, Table
from brand_visibility.domain.outcomes import Reason

HOSTS = ("dashscope.aliyuncs.com",)

# Every limit of DashScope recovers within a minute.
_RECOVERY_S = 60.0

_QUOTA = r"arrearage|allocationquota\.freetieronly|(pre|post)paidbilloverdue|commoditynotpurchased"
_RATE = r"throttling(\..+)?|insufficient_quota|limit_?requests"

VERDICTS: Table = (
    Row(Reason.BLOCKED, codes=r"data_?inspection_?failed"),
    Row(Reason.QUOTA_EXHAUSTED, wording=r"free allocated quota exceeded"),
    Row(Reason.QUOTA_EXHAUSTED, codes=_QUOTA),
    Row(
        Reason.RATE_LIMITED,
        wording=r"request rate increased too quickly",
        pause_s=_RECOVERY_S,
        slows_down=True,
    ),
    Row(
        Reason.RATE_LIMITED,
        codes=r"throttling\.burstrate|limit_burst_rate",
        pause_s=_RECOVERY_S,
        slows_down=True,
    ),
    Row(Reason.RATE_LIMITED, codes=_RATE),
    Row(Reason.RATE_LIMITED, wording=r"requests rate limit exceeded"),
    Row(Reason.UNAUTHORIZED, codes=r"invalid_?api_?key"),
)

ADAPTER = chat_adapter(
    Dialect(verdicts=VERDICTS),
    base_url="https://dashscope.aliyuncs.com/compatible-mode/v1",
    hosts=HOSTS,
)
