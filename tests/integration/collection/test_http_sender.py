"""The sender over real connections: what each thing on the wire becomes."""

import asyncio
import gzip
import json
import logging
import socket
import time
from dataclasses import replace
from datetime import date

import httpx
import pytest
from raw_server import Call, RawServer, Script, response, saying, serving

from brand_visibility.adapters.platforms.http import HttpSender
from brand_visibility.domain.outcomes import Answer, Failure, Outcome, Reason
from brand_visibility.domain.planning import Query
from tests.builders import a_platform

CANARY = "sk-canary-0123456789abcdef"
PROMPT = "Which vacuum cleaner is best for thick carpets?"
MAIN = a_platform().accounts[0]
QUERY = Query("q", date(2026, 11, 30), "deepseek", "api", "p", PROMPT, 0, 0, 0)
ANSWER = json.dumps(
    {"model": "m", "choices": [{"message": {"content": "Dyson."}, "finish_reason": "stop"}]}
).encode()


async def no_further_call() -> None:
    raise AssertionError("an answer that takes one call wants another")


def a_sender(url: str, *, timeout_s: float = 5.0, max_body_bytes: int = 100_000) -> HttpSender:
    platform = replace(a_platform(), attempt_timeout_s=timeout_s)
    return HttpSender(platform, {"main": CANARY}, url, max_body_bytes=max_body_bytes)


async def ask(script: Script, *, calls: int = 1, **options: float) -> tuple[RawServer, Outcome]:
    async with serving(script) as server, a_sender(server.url, **options) as sender:  # type: ignore[arg-type]
        for _ in range(calls):
            outcome = await sender.send(QUERY, MAIN, no_further_call)
        return server, outcome


def failed(script: Script, **options: float) -> Failure:
    _, outcome = asyncio.run(ask(script, **options))
    assert isinstance(outcome, Failure)
    return outcome


def test_an_answer_comes_back_and_the_key_went_in_the_header_only() -> None:
    server, outcome = asyncio.run(ask(saying(response(ANSWER))))
    assert isinstance(outcome, Answer)
    assert outcome.text == "Dyson."
    (call,) = server.calls
    assert call.head.startswith("POST /v1/chat/completions HTTP/1.1")
    assert f"authorization: bearer {CANARY}".lower() in call.head.lower()
    assert CANARY.encode() not in call.body
    assert json.loads(call.body)["messages"] == [{"role": "user", "content": PROMPT}]


def test_a_connection_is_kept_for_the_next_call() -> None:
    server, _ = asyncio.run(ask(saying(response(ANSWER)), calls=5))
    assert (len(server.calls), server.connections) == (5, 1)


def test_a_cookie_is_not_carried_into_the_next_call() -> None:
    setting = saying(response(ANSWER, "200 OK", "Set-Cookie: session=abc; Path=/"))
    server, _ = asyncio.run(ask(setting, calls=2))
    assert "cookie" not in server.calls[1].head.lower()


def test_no_pool_limit_delays_a_call() -> None:
    everyone_is_here = asyncio.Event()
    arrived: list[int] = []

    async def gather(call: Call, writer: asyncio.StreamWriter) -> None:
        arrived.append(call.connection)
        if len(arrived) == 300:
            everyone_is_here.set()
        await everyone_is_here.wait()
        writer.write(response(ANSWER))

    async def main() -> list[Outcome]:
        async with serving(gather) as server, a_sender(server.url, timeout_s=30) as sender:
            return await asyncio.gather(
                *(sender.send(QUERY, MAIN, no_further_call) for _ in range(300))
            )

    assert all(isinstance(outcome, Answer) for outcome in asyncio.run(main()))


def test_a_compressed_answer_is_read() -> None:
    packed = saying(response(gzip.compress(ANSWER), "200 OK", "Content-Encoding: gzip"))
    _, outcome = asyncio.run(ask(packed))
    assert isinstance(outcome, Answer)


WIRE = [
    ("closed-unanswered", saying(b"", then_close=True), Reason.CONNECTION_LOST),
    (
        "closed-within-the-body",
        saying(response(ANSWER)[:-10], then_close=True),
        Reason.CONNECTION_LOST,
    ),
    (
        "closed-within-the-head",
        saying(b"HTTP/1.1 200 OK\r\nContent-", then_close=True),
        Reason.CONNECTION_LOST,
    ),
    ("no-http", saying(b"SSH-2.0-OpenSSH_9.6\r\n\r\n", then_close=True), Reason.MALFORMED),
    (
        "broken-gzip",
        saying(response(b"no gzip", "200 OK", "Content-Encoding: gzip")),
        Reason.MALFORMED,
    ),
    ("broken-json", saying(response(ANSWER[:-5])), Reason.MALFORMED),
    ("too-large", saying(response(b" " * 100_001)), Reason.MALFORMED),
    (
        "too-large-once-unpacked",
        saying(response(gzip.compress(b" " * 5_000_000), "200 OK", "Content-Encoding: gzip")),
        Reason.MALFORMED,
    ),
    (
        "redirect",
        saying(response(b"", "302 Found", "Location: http://127.0.0.1:1/elsewhere")),
        Reason.REJECTED,
    ),
    ("rate-limit", saying(response(b"", "429 Too Many", "Retry-After: 3")), Reason.RATE_LIMITED),
    ("unavailable", saying(response(b"busy", "503 Unavailable")), Reason.SERVER_FAULT),
]


@pytest.mark.parametrize(("script", "reason"), [row[1:] for row in WIRE], ids=[r[0] for r in WIRE])
def test_what_goes_wrong_on_the_wire_has_its_reason(script: Script, reason: Reason) -> None:
    assert failed(script).reason is reason


def test_the_largest_allowed_body_is_read() -> None:
    padded = ANSWER + b" " * (100_000 - len(ANSWER))
    _, outcome = asyncio.run(ask(saying(response(padded))))
    assert isinstance(outcome, Answer)


def test_an_endless_body_is_left_at_the_limit() -> None:
    written = 0

    async def flood(call: Call, writer: asyncio.StreamWriter) -> None:
        nonlocal written
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while not writer.is_closing():
            writer.write(b"2710\r\n" + b" " * 10_000 + b"\r\n")
            written += 10_000
            await writer.drain()

    assert failed(flood).reason is Reason.MALFORMED
    # What the buffers of both sides hold may have been written, and no more.
    assert written < 20_000_000


def test_a_wait_that_the_platform_names_is_read() -> None:
    failure = failed(saying(response(b"", "429 Too Many", "Retry-After: 3")))
    assert failure.retry_after_s == 3.0


def test_blank_lines_that_keep_the_connection_alive_do_not_extend_the_limit() -> None:
    async def drip(call: Call, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while not writer.is_closing():
            writer.write(b"1\r\n\n\r\n")
            await writer.drain()
            await asyncio.sleep(0.02)

    started = time.monotonic()
    assert failed(drip, timeout_s=0.3).reason is Reason.TIMED_OUT
    assert 0.3 <= time.monotonic() - started < 2.0


def test_silence_ends_at_the_limit() -> None:
    async def hang(call: Call, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(60)

    failure = failed(hang, timeout_s=0.2)
    assert (failure.reason, failure.detail) == (Reason.TIMED_OUT, "no whole answer within 0.2 s")


def test_a_late_but_whole_answer_within_the_limit_counts() -> None:
    async def late(call: Call, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in range(5):
            writer.write(b"1\r\n\n\r\n")
            await asyncio.sleep(0.02)
        writer.write(f"{len(ANSWER):x}\r\n".encode() + ANSWER + b"\r\n0\r\n\r\n")

    _, outcome = asyncio.run(ask(late))
    assert isinstance(outcome, Answer)


def send_to(url: str) -> Outcome:
    async def main() -> Outcome:
        async with a_sender(url) as sender:
            return await sender.send(QUERY, MAIN, no_further_call)

    return asyncio.run(main())


def test_a_closed_port_is_unreachable() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        outcome = send_to(f"http://127.0.0.1:{unused.getsockname()[1]}/v1")
    assert isinstance(outcome, Failure)
    assert outcome.reason is Reason.UNREACHABLE


def test_a_server_without_tls_is_unreachable_over_https() -> None:
    heard: list[bytes] = []

    async def talk_plainly(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.read(10_000))
        writer.write(response(ANSWER))
        writer.close()

    async def main() -> Outcome:
        server = await asyncio.start_server(talk_plainly, "127.0.0.1", 0)
        url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        async with server, a_sender(url) as sender:
            return await sender.send(QUERY, MAIN, no_further_call)

    outcome = asyncio.run(main())
    assert isinstance(outcome, Failure)
    assert outcome.reason is Reason.UNREACHABLE
    assert heard
    assert CANARY.encode() not in b"".join(heard), "the key must not travel in the clear"


def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    _, outcome = asyncio.run(ask(saying(response(ANSWER))))
    assert isinstance(outcome, Answer)


def test_what_a_platform_quotes_of_key_and_prompt_is_not_in_the_detail() -> None:
    message = f"Key {CANARY} may not ask {PROMPT!r}"
    body = json.dumps({"error": {"code": "forbidden", "message": message}}).encode()
    failure = failed(saying(response(body, "403 Forbidden")))
    assert failure.detail == "forbidden: Key … may not ask '…'"


def test_the_key_is_in_no_repr_log_or_failure(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    scripts = [saying(response(ANSWER)), *(script for _, script, _ in WIRE)]
    for script in scripts:
        server, outcome = asyncio.run(ask(script))
        assert CANARY not in repr(outcome)
        assert any(CANARY in call.head for call in server.calls)
    assert caplog.records, "otherwise nothing was looked at"
    assert all(CANARY not in repr(vars(record)) for record in caplog.records)
    assert CANARY not in repr(a_sender("http://127.0.0.1:1/v1"))


def test_a_bug_is_not_hidden_as_an_outcome() -> None:
    def broken(request: httpx.Request) -> httpx.Response:
        raise ZeroDivisionError("a bug")

    async def main() -> None:
        transport = httpx.MockTransport(broken)
        platform = a_platform()
        async with HttpSender(platform, {}, "http://127.0.0.1/v1", transport=transport) as sender:
            await sender.send(QUERY, MAIN, no_further_call)

    with pytest.raises(ZeroDivisionError):
        asyncio.run(main())


def test_a_sender_outside_its_block_says_so() -> None:
    sender = a_sender("http://127.0.0.1:1/v1")
    with pytest.raises(RuntimeError, match="async with"):
        asyncio.run(sender.send(QUERY, MAIN, no_further_call))
