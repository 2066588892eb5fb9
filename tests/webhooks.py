"""A real receiver of webhooks on loopback."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread


@dataclass(frozen=True)
class Webhook:
    """Where to post, and the bodies that were posted there."""

    url: str
    received: list[dict[str, str]] = field(default_factory=list)


@contextmanager
def receiving() -> Iterator[Webhook]:
    received: list[dict[str, str]] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            received.append(json.loads(body))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *arguments: object) -> None:
            return

    server = HTTPServer(("127.0.0.1", 0), Receiver)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield Webhook(f"http://127.0.0.1:{server.server_port}/hook", received)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
