"""The sender over HTTP: one call within its wall-clock limit, every mishap an outcome.

httpx's interface on aiohttp's connections: httpx's own pool collapses beyond some
hundred calls in flight. What a response means belongs to the adapters, what an exception
means to `mishaps`.
"""

import asyncio
import ssl
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from types import TracebackType
from typing import Self

import aiohttp
import httpx
from httpx_aiohttp import AiohttpTransport

from brand_visibility.adapters.platforms.adapter import Adapter, Asking, Continuation
from brand_visibility.adapters.platforms.mishaps import failure_of
from brand_visibility.adapters.platforms.redaction import without_key
from brand_visibility.adapters.platforms.registry import adapter_of
from brand_visibility.adapters.platforms.texts import redact
from brand_visibility.adapters.platforms.wire import WireRequest, WireResponse
from brand_visibility.collection.ports import NextSlot
from brand_visibility.domain.catalog import Account, Platform
from brand_visibility.domain.outcomes import Failure, Outcome, Reason
from brand_visibility.domain.planning import Query

# An answer has some kilobytes; a page of many megabytes is no answer but a danger.
MAX_BODY_BYTES = 8_000_000

# A search takes two calls, an answer in pieces a few: one that goes on and on has no end.
MAX_CALLS = 4

# Platforms close idle connections after a minute or more; closing first loses no call.
_KEEP_ALIVE_S = 30.0


class HttpSender:
    """Asks one platform. `keys` holds the secrets by account id; accounts may lack one.

    An async context manager. `observe` is told the status and the headers of every
    response. `adapter` replaces the platform's own, and `transport` the network, in tests.
    """

    def __init__(
        self,
        platform: Platform,
        keys: Mapping[str, str],
        base_url: str,
        *,
        max_body_bytes: int = MAX_BODY_BYTES,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        observe: Callable[[int, Mapping[str, str]], None] | None = None,
        adapter: Adapter | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._platform = platform
        self._adapter = adapter or adapter_of(platform)
        self._keys = dict(keys)
        self._base_url = base_url
        self._max_body_bytes = max_body_bytes
        self._now = now
        self._observe = observe
        self._transport = transport
        self._client: httpx.AsyncClient | None = None

    def __repr__(self) -> str:
        return f"HttpSender({self._platform.platform_id})"

    async def __aenter__(self) -> Self:
        self._client = _open_client(self._transport)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._client is not None:
            await self._client.aclose()

    async def send(self, query: Query, account: Account, next_slot: NextSlot) -> Outcome:
        """Ask a query once, within the platform's wall-clock limit of an attempt."""
        key = self._keys.get(account.account_id)
        asking = Asking(query, self._platform, self._base_url, self._now(), key)
        outcome = await self._exchange(asking, next_slot)
        if isinstance(outcome, Failure):
            return replace(outcome, detail=redact(outcome.detail, key=key, prompt=query.prompt))
        return without_key(outcome, key) if key else outcome

    async def _exchange(self, asking: Asking, next_slot: NextSlot) -> Outcome:
        limit_s = self._platform.attempt_timeout_s
        try:
            # Wall clock: bytes that keep a connection alive would reset a read timeout.
            async with asyncio.timeout(limit_s) as limit:
                return await self._converse(asking, next_slot)
        except (httpx.HTTPError, httpx.InvalidURL, aiohttp.ClientError) as error:
            return failure_of(error)
        except TimeoutError:
            if not limit.expired():
                raise
            return Failure(Reason.TIMED_OUT, f"no whole answer within {limit_s:g} s")

    async def _converse(self, asking: Asking, next_slot: NextSlot) -> Outcome:
        """Call until the answer is whole."""
        earlier: Continuation | None = None
        for _ in range(MAX_CALLS):
            if earlier is not None:
                await next_slot()
                asking = replace(asking, now=self._now(), earlier=earlier)
            read = await self._ask(asking)
            if not isinstance(read, Continuation):
                return read if earlier is None else earlier.finish(read)
            earlier = read.after(earlier)
        endless = Failure(Reason.MALFORMED, f"no whole answer after {MAX_CALLS} calls")
        return endless if earlier is None else earlier.finish(endless)

    async def _ask(self, asking: Asking) -> Outcome | Continuation:
        response = await self._call(self._adapter.build(asking))
        if isinstance(response, Failure):
            return response
        return self._adapter.parse(response, self._now())

    async def _call(self, request: WireRequest) -> WireResponse | Failure:
        if self._client is None:
            raise RuntimeError("the sender is used outside its `async with` block")
        asked = httpx.Request(
            request.method, _parsed(request.url), headers=request.headers, content=request.body
        )
        response = await self._client.send(asked, stream=True)
        try:
            body = await self._read(response)
        finally:
            await response.aclose()
        if body is None:
            detail = f"a body of more than {self._max_body_bytes} bytes"
            return Failure(Reason.MALFORMED, detail, response.status_code)
        headers = dict(response.headers)
        if self._observe is not None:
            self._observe(response.status_code, headers)
        return WireResponse(response.status_code, headers, body)

    async def _read(self, response: httpx.Response) -> bytes | None:
        """Return the body, or None when it is larger than it may be."""
        body = bytearray()
        async for chunk in response.aiter_bytes():
            body += chunk
            if len(body) > self._max_body_bytes:
                return None
        return bytes(body)


# Every call of a platform has the same URL, and parsing one costs a tenth of a call.
_parsed = lru_cache(maxsize=16)(httpx.URL)


def _open_client(transport: httpx.AsyncBaseTransport | None) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        transport=transport or _network(),
        timeout=None,  # noqa: S113 - the limit is wall clock, around the whole call
        follow_redirects=False,
        trust_env=False,
        # Its own jar would carry one call's cookies into the next.
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
    )


def _network() -> AiohttpTransport:
    secure = ssl.create_default_context()

    def connect() -> aiohttp.ClientSession:
        return aiohttp.ClientSession(
            # The engine bounds what is in flight; a pool limit would only delay sends.
            connector=aiohttp.TCPConnector(limit=0, ssl=secure, keepalive_timeout=_KEEP_ALIVE_S),
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=None),
            trust_env=False,
        )

    return AiohttpTransport(verify=secure, trust_env=False, client=connect)
