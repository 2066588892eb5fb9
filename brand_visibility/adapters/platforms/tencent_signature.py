"""Tencent Cloud's signature of a call, TC3-HMAC-SHA256: from all that is sent to one header.

Every product of theirs is called by POST to `/`, signed this way. What is asked belongs to
the platform's own file; the time is given.

Source: cloud.tencent.com, document 213/30654, signature v3.
"""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from brand_visibility.domain.errors import InputError

_ALGORITHM = "TC3-HMAC-SHA256"
_TERMINATION = "tc3_request"


@dataclass(frozen=True, slots=True)
class Credential:
    """The two halves of an account's key. Neither is shown."""

    secret_id: str = field(repr=False)
    secret_key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SignedCall:
    """What of a call its signature covers: the product, the moment, headers and whole body.

    `timestamp` is in seconds since 1970. `headers` are those that are signed: Content-Type
    and Host at least, as they are sent.
    """

    service: str
    timestamp: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)


def read_credential(key: str) -> Credential:
    """Return the halves of `SecretId:SecretKey`. Raises InputError, which shows neither."""
    secret_id, _, secret_key = key.partition(":")
    if not secret_id or not secret_key:
        raise InputError(
            f"found a key of {len(key)} characters without two parts around a `:` (not shown);"
            f" expected SecretId:SecretKey"
        )
    return Credential(secret_id, secret_key)


def authorization(call: SignedCall, credential: Credential) -> str:
    """Return the value of the Authorization header."""
    signature = hmac.digest(
        _signing_key(call, credential), string_to_sign(call).encode(), "sha256"
    ).hex()
    return (
        f"{_ALGORITHM} Credential={credential.secret_id}/{_scope(call)},"
        f" SignedHeaders={_names(call)}, Signature={signature}"
    )


def canonical_request(call: SignedCall) -> str:
    """Return the call in the one form that both sides hash."""
    headers = "".join(f"{name}:{value}\n" for name, value in _canonical_headers(call))
    return "\n".join(
        ("POST", "/", "", headers, _names(call), hashlib.sha256(call.body).hexdigest())
    )


def string_to_sign(call: SignedCall) -> str:
    """Return what the signature is taken of."""
    request = hashlib.sha256(canonical_request(call).encode()).hexdigest()
    return "\n".join((_ALGORITHM, str(call.timestamp), _scope(call), request))


def _canonical_headers(call: SignedCall) -> list[tuple[str, str]]:
    return sorted((name.lower(), value.strip().lower()) for name, value in call.headers.items())


def _names(call: SignedCall) -> str:
    return ";".join(name for name, _ in _canonical_headers(call))


def _scope(call: SignedCall) -> str:
    return f"{_date(call)}/{call.service}/{_TERMINATION}"


def _date(call: SignedCall) -> str:
    # The day of the timestamp in UTC: a local date fails for the hours in which they differ.
    return datetime.fromtimestamp(call.timestamp, UTC).date().isoformat()


def _signing_key(call: SignedCall, credential: Credential) -> bytes:
    key = f"TC3{credential.secret_key}".encode()
    for part in (_date(call), call.service, _TERMINATION):
        key = hmac.digest(key, part.encode(), "sha256")
    return key
