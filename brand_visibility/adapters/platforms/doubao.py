"""Doubao, in Volcengine Ark's chat completions.

Its own: dotted error codes, and a model that may be an endpoint's id (`ep-…`). Chat
completions search nothing and name no pages; `doubao_responses` does.

Sources: volcengine.com, documents 82379/1299023 and 82379/1099476.
"""

from brand_visibility.adapters.platforms.chat import Dialect, chat_adapter
from brand_visibility.adapters.platforms.verdicts import Row, Table
from brand_visibility.domain.outcomes import Reason

BASE_URL = "https://ark.cn-beijing.volces.com/api/v3"
HOSTS = ("ark.cn-beijing.volces.com",)

_CONTENT = (
    r"(input|output)?(text|image|video|audio)?sensitivecontentdetected(\..+)?"
    r"|(input|output)(text|image)riskdetection(\..+)?"
)
_QUOTA = (
    r"accountoverdue(error)?|operationdenied\.serviceoverdue"
    r"|(setlimit|quota)exceeded(\..+)?"
)
# The account may not use this model: another account of the platform may.
_ACCESS = r"modelnotopen|invalidendpointormodel(\..+)?|operationdenied\.servicenotopen"
_RATE = (
    r"ratelimitexceeded(\..+)?|inflightbatchsizeexceeded"
    r"|(account|(api|model)account[rti]pm)ratelimitexceeded"
)

VERDICTS: Table = (
    Row(Reason.BLOCKED, codes=_CONTENT),
    Row(Reason.QUOTA_EXHAUSTED, codes=_QUOTA),
    Row(Reason.UNAUTHORIZED, codes=_ACCESS),
    # Not too many calls but too sudden a growth of them.
    Row(Reason.RATE_LIMITED, codes=r"requestbursttoofast", slows_down=True),
    Row(Reason.RATE_LIMITED, codes=_RATE),
    Row(Reason.SERVER_FAULT, codes=r"serveroverloaded|modelloadingerror|internalserviceerror"),
)

ADAPTER = chat_adapter(Dialect(verdicts=VERDICTS), base_url=BASE_URL, hosts=HOSTS)
