"""A server that says exactly the bytes a test wants, whether they are HTTP or not."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

Script = Callable[["Call", asyncio.StreamWriter], Awaitable[None]]


@dataclass(frozen=True)
class Call:
    """One request as it arrived; `connection` numbers the connections from 1."""

    connection: int
    head: str
    body: bytes


@dataclass
class RawServer:
    url: str = ""
    calls: list[Call] = field(default_factory=list)
    connections: int = 0


@contextlib.asynccontextmanager
async def serving(script: Script) -> AsyncIterator[RawServer]:
    state = RawServer()
    tasks: list[asyncio.Task[None]] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        state.connections += 1
        connection = state.connections
        if (task := asyncio.current_task()) is not None:
            tasks.append(task)
        # A script may hang for good: the end of the block cancels it, and says nothing.
        with contextlib.suppress(
            asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError
        ):
            while not writer.is_closing():
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                call = Call(connection, head, await reader.readexactly(_length(head)))
                state.calls.append(call)
                await script(call, writer)
                await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    state.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    try:
        yield state
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _length(head: str) -> int:
    for line in head.lower().splitlines():
        if line.startswith("content-length:"):
            return int(line.partition(":")[2])
    return 0


def response(body: bytes, status: str = "200 OK", *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def saying(data: bytes, *, then_close: bool = False) -> Script:
    async def script(call: Call, writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        if then_close:
            await writer.drain()
            writer.close()

    return script
