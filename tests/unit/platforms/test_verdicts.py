import pytest
from exchanges import error, failure_in

from brand_visibility.domain.outcomes import Reason

# status, code, type, message, reason
VERDICTS = [
    # OpenAI
    (429, "rate_limit_exceeded", "requests", "Slow down", Reason.RATE_LIMITED),
    (429, "slow_down", None, "", Reason.RATE_LIMITED),
    (503, "slow_down", None, "", Reason.RATE_LIMITED),
    (503, "server_is_overloaded", None, "", Reason.SERVER_FAULT),
    (429, "insufficient_quota", "insufficient_quota", "You exceeded", Reason.QUOTA_EXHAUSTED),
    (429, None, "insufficient_quota", "", Reason.QUOTA_EXHAUSTED),
    (429, "credit_balance_exhausted", "insufficient_quota", "", Reason.QUOTA_EXHAUSTED),
    (429, "organization_spend_limit_exceeded", None, "", Reason.QUOTA_EXHAUSTED),
    (429, "project_spend_limit_exceeded", None, "", Reason.QUOTA_EXHAUSTED),
    (429, "organization_usage_limit_exceeded", None, "", Reason.QUOTA_EXHAUSTED),
    (401, "invalid_api_key", "invalid_request_error", "", Reason.UNAUTHORIZED),
    (400, "invalid_api_key", None, "", Reason.UNAUTHORIZED),
    (400, "content_policy_violation", None, "", Reason.BLOCKED),
    # DeepSeek
    (402, None, None, "Insufficient Balance", Reason.QUOTA_EXHAUSTED),
    (422, None, None, "Invalid Parameters", Reason.REJECTED),
    # Doubao
    (429, "RateLimitExceeded.EndpointTPMExceeded", "TooManyRequests", "", Reason.RATE_LIMITED),
    (403, "AccountOverdueError", None, "", Reason.QUOTA_EXHAUSTED),
    (429, "SetLimitExceeded", None, "", Reason.QUOTA_EXHAUSTED),
    (400, "SensitiveContentDetected.Severe", None, "", Reason.BLOCKED),
    (400, "InputTextRiskDetection", None, "", Reason.BLOCKED),
    (400, "OutputTextSensitiveContentDetected", None, "", Reason.BLOCKED),
    (404, "ModelNotOpen", None, "", Reason.REJECTED),
    # Qwen
    (429, "Throttling.RateQuota", None, "", Reason.RATE_LIMITED),
    (429, "Throttling.AllocationQuota", None, "", Reason.RATE_LIMITED),
    (429, "insufficient_quota", None, "see https://help.aliyun.com/x", Reason.RATE_LIMITED),
    (403, "AllocationQuota.FreeTierOnly", None, "Free allocated quota exceeded.",
     Reason.QUOTA_EXHAUSTED),
    (400, "DataInspectionFailed", None, "", Reason.BLOCKED),
    (400, "data_inspection_failed", None, "", Reason.BLOCKED),
    (400, "Arrearage", None, "", Reason.QUOTA_EXHAUSTED),
    # Kimi
    (429, None, "rate_limit_reached_error", "", Reason.RATE_LIMITED),
    (429, None, "engine_overloaded_error", "", Reason.SERVER_FAULT),
    (429, None, "exceeded_current_quota_error", "", Reason.QUOTA_EXHAUSTED),
    (400, None, "content_filter", "", Reason.BLOCKED),
    # Zhipu
    (429, "1302", None, "", Reason.RATE_LIMITED),
    (429, 1305, None, "", Reason.RATE_LIMITED),
    (429, "1113", None, "", Reason.QUOTA_EXHAUSTED),
    (400, "1301", None, "", Reason.BLOCKED),
    (500, "1234", None, "", Reason.SERVER_FAULT),
    # Hunyuan
    (200, "RequestLimitExceeded", None, "", Reason.RATE_LIMITED),
    (200, "AuthFailure.SignatureExpire", None, "", Reason.UNAUTHORIZED),
    # Unknown words: the status decides.
    (301, None, None, "", Reason.REJECTED),
    (308, None, None, "", Reason.REJECTED),
    (400, "new", None, "", Reason.REJECTED),
    (401, "new", None, "", Reason.UNAUTHORIZED),
    (402, "new", None, "", Reason.QUOTA_EXHAUSTED),
    (403, "new", None, "", Reason.UNAUTHORIZED),
    (404, "new", None, "", Reason.REJECTED),
    (408, "new", None, "", Reason.TIMED_OUT),
    (409, "new", None, "", Reason.REJECTED),
    (413, "new", None, "", Reason.REJECTED),
    (428, "new", None, "", Reason.REJECTED),
    (429, "new", None, "", Reason.RATE_LIMITED),
    (430, "new", None, "", Reason.REJECTED),
    (499, "new", None, "", Reason.REJECTED),
    (500, "new", None, "", Reason.SERVER_FAULT),
    (503, "new", None, "", Reason.SERVER_FAULT),
    (504, "new", None, "", Reason.TIMED_OUT),
    (529, "new", None, "", Reason.SERVER_FAULT),
    (599, "new", None, "", Reason.SERVER_FAULT),
]  # fmt: skip


@pytest.mark.parametrize(("status", "code", "kind", "message", "reason"), VERDICTS)
def test_a_refusal_has_its_reason(
    status: int, code: object, kind: str | None, message: str, reason: Reason
) -> None:
    assert failure_in(error(code, kind=kind, message=message), status).reason is reason


@pytest.mark.parametrize(
    ("status", "reason"),
    [(302, Reason.REJECTED), (403, Reason.UNAUTHORIZED), (502, Reason.SERVER_FAULT)],
)
@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"null"])
def test_without_a_readable_body_the_status_decides(
    status: int, reason: Reason, body: bytes
) -> None:
    assert failure_in(body, status).reason is reason


@pytest.mark.parametrize("status", [100, 199, 600, 999])
def test_a_status_that_http_does_not_know_is_malformed(status: int) -> None:
    assert failure_in(b"", status).reason is Reason.MALFORMED
