"""Any gateway or server that speaks OpenAI's chat completions, and this project's simulator.

Its table knows the codes of many platforms, since a gateway passes them on. A platform of
its own meaning has its own file.
"""

from brand_visibility.adapters.platforms.chat import Dialect, chat_adapter
from brand_visibility.adapters.platforms.verdicts import Row, Table
from brand_visibility.domain.outcomes import Reason

_CONTENT = (
    r"content_filter|content_policy_violation|data_?inspection_?failed"
    r"|sensitivecontentdetected.*|(input|output)(text|image).*(risk|sensitive).*|1301"
)
_QUOTA = (
    r"insufficient_quota|credit_balance_exhausted|.*spend_limit_(exceeded|reached)"
    r"|organization_usage_limit_exceeded|billing_hard_limit_reached|billing_error"
    r"|exceeded_current_quota_error|accountoverdue(error)?|arrearage|setlimitexceeded"
    r"|insufficient_balance|1112|1113|1121"
)
_CREDENTIAL = (
    r"invalid_api_key|invalidapikey|authfailure.*|unauthorizedoperation.*"
    r"|authentication_error|invalid_authentication_error"
)
_OVERLOAD = r"server_is_overloaded|overloaded_error|engine_overloaded_error|1234"
_RATE = (
    r"rate_limit(_exceeded|_error|_reached_error)|ratelimitexceeded.*|slow_down"
    r"|(request)?limitexceeded.*|throttling.*|1302|1303|1305"
)

VERDICTS: Table = (
    Row(Reason.BLOCKED, codes=_CONTENT),
    Row(Reason.QUOTA_EXHAUSTED, wording=r"free allocated quota"),
    # DashScope calls its tokens a minute `insufficient_quota`; its help pages tell.
    Row(Reason.RATE_LIMITED, codes=r"insufficient_quota", wording=r"aliyun|alibabacloud"),
    Row(Reason.QUOTA_EXHAUSTED, codes=_QUOTA),
    Row(Reason.UNAUTHORIZED, codes=_CREDENTIAL),
    Row(Reason.SERVER_FAULT, codes=_OVERLOAD),
    Row(Reason.RATE_LIMITED, codes=_RATE),
)

ADAPTER = chat_adapter(Dialect(verdicts=VERDICTS))
