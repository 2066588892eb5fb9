import ssl

import aiohttp
import httpx
import pytest
from aiohttp.client_reqrep import ConnectionKey
from yarl import URL

from brand_visibility.adapters.platforms.mishaps import failure_of
from brand_visibility.domain.outcomes import Reason

REFUSED = ConnectionRefusedError(111, "Connection refused")
DOOR = ConnectionKey("api.example.com", 443, True, True, None, None, None)
CANARY = "sk-canary-0123456789"


def a_response_error() -> aiohttp.ClientResponseError:
    headers = {"Authorization": f"Bearer {CANARY}"}
    asked = aiohttp.RequestInfo(URL("https://api.example.com"), "POST", headers)  # type: ignore[arg-type]
    return aiohttp.ClientResponseError(asked, (), message="bad status line")


MISHAPS = [
    (aiohttp.ClientConnectorError(DOOR, REFUSED), Reason.UNREACHABLE),
    (aiohttp.ClientConnectorDNSError(DOOR, OSError(-2, "Name unknown")), Reason.UNREACHABLE),
    (
        aiohttp.ClientConnectorCertificateError(DOOR, ssl.SSLCertVerificationError("expired")),
        Reason.UNREACHABLE,
    ),
    (aiohttp.ServerDisconnectedError(), Reason.CONNECTION_LOST),
    (aiohttp.ClientOSError(104, "Connection reset by peer"), Reason.CONNECTION_LOST),
    (aiohttp.ClientConnectionResetError("closing transport"), Reason.CONNECTION_LOST),
    (aiohttp.ClientPayloadError("not enough data"), Reason.CONNECTION_LOST),
    (aiohttp.SocketTimeoutError(), Reason.TIMED_OUT),
    (a_response_error(), Reason.MALFORMED),
    (httpx.ConnectError("refused"), Reason.UNREACHABLE),
    (httpx.ConnectTimeout("slow"), Reason.UNREACHABLE),
    (httpx.UnsupportedProtocol("gopher"), Reason.UNREACHABLE),
    (httpx.ReadTimeout("slow"), Reason.TIMED_OUT),
    (httpx.ReadError("reset"), Reason.CONNECTION_LOST),
    (httpx.WriteError("reset"), Reason.CONNECTION_LOST),
    (httpx.RemoteProtocolError("closed"), Reason.CONNECTION_LOST),
    (httpx.DecodingError("not gzip"), Reason.MALFORMED),
]


@pytest.mark.parametrize(("error", "reason"), MISHAPS, ids=lambda value: type(value).__name__)
def test_a_mishap_is_never_sent_or_lost_or_no_http(error: Exception, reason: Reason) -> None:
    failure = failure_of(error)
    assert failure.reason is reason
    assert failure.http_status is None
    assert type(error).__name__ in failure.detail


@pytest.mark.parametrize(
    ("cause", "reason"),
    [
        (aiohttp.ServerDisconnectedError(), Reason.CONNECTION_LOST),
        (aiohttp.ClientConnectorError(DOOR, REFUSED), Reason.UNREACHABLE),
        (None, Reason.UNREACHABLE),
    ],
)
def test_the_cause_tells_more_than_the_exception_around_it(
    cause: Exception | None, reason: Reason
) -> None:
    error = httpx.ConnectTimeout("as the transport reports a dropped connection")
    error.__cause__ = cause
    assert failure_of(error).reason is reason


def test_a_detail_says_what_the_system_said_and_no_header() -> None:
    assert failure_of(aiohttp.ClientConnectorError(DOOR, REFUSED)).detail.endswith(
        "Connection refused"
    )
    assert CANARY not in failure_of(a_response_error()).detail
    assert CANARY in repr(a_response_error()), "otherwise there is nothing to guard against"
