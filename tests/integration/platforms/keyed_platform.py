"""A platform on loopback that looks at keys: who asked what, and what each key gets."""

import contextlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODEL = "model-1"


@dataclass(frozen=True)
class Asked:
    """One request: whose key, the prompt, and the headers as they came."""

    key: str
    prompt: str
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Reply:
    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass
class KeyedPlatform:
    url: str = ""
    calls: list[Asked] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def calls_with(self, key: str) -> int:
        return sum(call.key == key for call in self.calls)


def answer(text: str = "Dyson.") -> Reply:
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 5, "completion_tokens": 5}
    return Reply(200, json.dumps({"model": MODEL, "choices": [choice], "usage": usage}).encode())


def error(status: int, code: str, message: str = "", **headers: str) -> Reply:
    body = json.dumps({"error": {"code": code, "type": code, "message": message}})
    return Reply(status, body.encode(), headers)


def _prompt(body: dict[str, Any]) -> str:
    # Tencent's own API writes the names of fields in capitals.
    fields = {name.lower(): value for name, value in body.items()}
    message = {name.lower(): value for name, value in fields["messages"][0].items()}
    return str(message["content"])


@contextlib.contextmanager
def serving(reply_to: Callable[[KeyedPlatform, Asked], Reply]) -> Iterator[KeyedPlatform]:
    """Serve chat completions; `reply_to` sees what was asked before, this call included."""
    state = KeyedPlatform()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            key = self.headers.get("Authorization", "").removeprefix("Bearer ")
            asked = Asked(key, _prompt(body), dict(self.headers))
            with state.lock:
                state.calls.append(asked)
                reply = reply_to(state, asked)
            self.send_response(reply.status)
            for name, value in {"Content-Length": str(len(reply.body)), **reply.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(reply.body)

        def log_message(self, *_: object) -> None:
            """Say nothing: the test's own output is searched for keys."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        state.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        try:
            yield state
        finally:
            server.shutdown()
            thread.join()
