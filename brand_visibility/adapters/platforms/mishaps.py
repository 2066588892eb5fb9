"""What an exception of the HTTP client means: never sent, lost, or not HTTP at all.

Details name the exception only. Its text may hold headers, and with them the key.
"""

import aiohttp
import httpx

from brand_visibility.domain.outcomes import Failure, Reason

# The first row with a matching class decides. aiohttp's own exceptions tell more than
# httpx's: a connection lost while waiting is a `ConnectTimeout` there.
_ROWS: tuple[tuple[tuple[type[Exception], ...], Reason], ...] = (
    ((aiohttp.ClientConnectorError, aiohttp.InvalidURL), Reason.UNREACHABLE),
    ((aiohttp.ServerTimeoutError,), Reason.TIMED_OUT),
    ((aiohttp.ClientConnectionError, aiohttp.ClientPayloadError), Reason.CONNECTION_LOST),
    ((aiohttp.ClientResponseError,), Reason.MALFORMED),
    (
        (httpx.ConnectError, httpx.ConnectTimeout, httpx.UnsupportedProtocol, httpx.InvalidURL),
        Reason.UNREACHABLE,
    ),
    ((httpx.TimeoutException,), Reason.TIMED_OUT),
    ((httpx.DecodingError,), Reason.MALFORMED),
)


def failure_of(error: Exception) -> Failure:
    """Return the failure that an exception of httpx or aiohttp stands for."""
    cause = error.__cause__
    origin = cause if isinstance(cause, aiohttp.ClientError) else error
    return Failure(_reason_of(origin), _describe(origin))


def _reason_of(error: Exception) -> Reason:
    for kinds, reason in _ROWS:
        if isinstance(error, kinds):
            return reason
    # Anything else happened on an open connection: the call may have been answered.
    return Reason.CONNECTION_LOST


def _describe(error: Exception) -> str:
    # Not every connector error of aiohttp has the system error that it promises.
    system = getattr(error, "os_error", error)
    reason = system.strerror if isinstance(system, OSError) else None
    return f"{type(error).__name__}: {reason}" if reason else type(error).__name__
