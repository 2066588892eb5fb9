"""What a refusal means: one ordered table from status, code and wording to a reason.

Add a vendor's code as data, with the first matching row deciding. How long to wait
afterwards belongs to `domain.retry`.
"""

import re
from collections.abc import Container
from dataclasses import dataclass

from brand_visibility.domain.outcomes import Reason


@dataclass(frozen=True, slots=True)
class ErrorReport:
    """An error object as a platform wrote it; empty texts where it said nothing."""

    code: str = ""
    kind: str = ""
    message: str = ""

    def __str__(self) -> str:
        return ": ".join(part for part in (self.code or self.kind, self.message) if part)


@dataclass(frozen=True, slots=True)
class _Row:
    reason: Reason
    codes: str | None = None
    wording: str | None = None
    statuses: Container[int] | None = None

    def matches(self, status: int, report: ErrorReport) -> bool:
        return (
            (self.statuses is None or status in self.statuses)
            and (self.codes is None or self._names(report.code) or self._names(report.kind))
            and (self.wording is None or bool(re.search(self.wording, report.message, re.I)))
        )

    def _names(self, code: str) -> bool:
        return bool(re.fullmatch(self.codes or "", code, re.I))


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

_ROWS = (
    _Row(Reason.REFUSED, codes=_CONTENT),
    _Row(Reason.QUOTA_EXHAUSTED, wording=r"free allocated quota"),
    # DashScope calls its tokens a minute `insufficient_quota`; its help pages tell.
    _Row(Reason.RATE_LIMITED, codes=r"insufficient_quota", wording=r"aliyun|alibabacloud"),
    _Row(Reason.QUOTA_EXHAUSTED, codes=_QUOTA),
    _Row(Reason.UNAUTHORIZED, codes=_CREDENTIAL),
    _Row(Reason.SERVER_FAULT, codes=_OVERLOAD),
    _Row(Reason.RATE_LIMITED, codes=_RATE),
    _Row(Reason.UNAUTHORIZED, statuses={401, 403}),
    _Row(Reason.QUOTA_EXHAUSTED, statuses={402}),
    _Row(Reason.TIMED_OUT, statuses={408, 504}),
    _Row(Reason.RATE_LIMITED, statuses={429}),
    # An error object under a status of success: a gateway speaks for a failed platform.
    _Row(Reason.SERVER_FAULT, statuses=range(200, 300)),
    _Row(Reason.SERVER_FAULT, statuses=range(500, 600)),
    _Row(Reason.REJECTED, statuses=range(300, 500)),
)


def judge_error(status: int, report: ErrorReport) -> Reason:
    """Return the reason of a response that reports an error."""
    for row in _ROWS:
        if row.matches(status, report):
            return row.reason
    return Reason.MALFORMED
