"""Tencent's signature TC3-HMAC-SHA256: its form, its time and, with a secret, its truth."""

import hashlib
import hmac
import re
from collections.abc import Mapping
from datetime import UTC, datetime

_MOST_SKEW_S = 300
_SERVICE = "hunyuan"
_ALGORITHM = "TC3-HMAC-SHA256"
_AUTHORIZATION = re.compile(
    r"TC3-HMAC-SHA256 Credential=(?P<secret_id>[^/\s]+)/(?P<date>\d{4}-\d\d-\d\d)/"
    rf"{_SERVICE}/tc3_request, ?SignedHeaders=(?P<signed>[a-z0-9;-]+), ?"
    r"Signature=(?P<signature>[0-9a-f]{64})"
)
_ALWAYS_SIGNED = {"content-type", "host"}

MALFORMED = "AuthFailure.InvalidAuthorization"
EXPIRED = "AuthFailure.SignatureExpire"
FALSE = "AuthFailure.SignatureFailure"


def fault_of(
    headers: Mapping[str, str], body: bytes, at: float, secret_key: str | None
) -> str | None:
    """Return the code of what is wrong with a request's signature, None when it is right.

    `headers` are found in any case, `at` is in seconds since 1970. Without the secret the
    signature itself can't be checked, only its form and its time.
    """
    parts = _AUTHORIZATION.fullmatch(headers.get("Authorization", ""))
    stamp = headers.get("X-TC-Timestamp", "")
    if parts is None or not re.fullmatch(r"\d{1,11}", stamp):
        return MALFORMED
    if abs(at - int(stamp)) > _MOST_SKEW_S:
        return EXPIRED
    if parts["date"] != datetime.fromtimestamp(int(stamp), UTC).strftime("%Y-%m-%d"):
        return MALFORMED
    signed = parts["signed"].split(";")
    if not set(signed) >= _ALWAYS_SIGNED or signed != sorted(signed):
        return MALFORMED
    if secret_key is None:
        return None
    canonical = _canonical(headers, signed, body)
    due = _signature(secret_key, stamp, parts["date"], canonical)
    return None if hmac.compare_digest(due, parts["signature"]) else FALSE


def _canonical(headers: Mapping[str, str], signed: list[str], body: bytes) -> str:
    """Return the request as it is signed: the path is always the root, whatever it was."""
    lines = "".join(f"{name}:{headers.get(name, '').strip().lower()}\n" for name in signed)
    return f"POST\n/\n\n{lines}\n{';'.join(signed)}\n{hashlib.sha256(body).hexdigest()}"


def _signature(secret_key: str, stamp: str, date: str, canonical: str) -> str:
    hashed = hashlib.sha256(canonical.encode()).hexdigest()
    text = f"{_ALGORITHM}\n{stamp}\n{date}/{_SERVICE}/tc3_request\n{hashed}"
    key = f"TC3{secret_key}".encode()
    for part in (date, _SERVICE, "tc3_request"):
        key = hmac.digest(key, part.encode(), "sha256")
    return hmac.new(key, text.encode(), "sha256").hexdigest()
