"""The Dagster UI on this machine: code server, webserver and daemon over one database."""

import contextlib
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import dagster as dg
import yaml

from brand_visibility.domain.errors import InputError
from brand_visibility.launcher.place import Place
from brand_visibility.launcher.processes import Family

_HOST = "127.0.0.1"
_START_PATIENCE_S = 120.0
_RUN_PATIENCE_S = 30.0
_POLL_S = 0.2

# Below the range that the system gives to clients, so that none can sit on the port.
_CODE_SERVER_PORTS = range(20_000, 30_000)

_UNENDED = [dg.DagsterRunStatus.STARTING, dg.DagsterRunStatus.STARTED]


_STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _StopRequested(BaseException):
    """A signal asked to stop."""


def serve_ui(place: Place, port: int, *, on_ready: Callable[[str], None]) -> None:
    """Start everything, tell `on_ready` the page's address, then serve until a signal.

    Raises ProcessEndedError when a process ends by itself. No process is left behind, and
    running runs are cancelled.
    """
    with Family(place.settings.home / "logs", place.environment) as family:
        with _stopped_by_signal():
            workspace = _start_code_server(place, family)
            family.start(
                "webserver",
                [*_module("dagster_webserver"), "-h", _HOST, "-p", str(port), "-w", workspace],
            )
            _wait_for_port(family, port)
            family.start("daemon", [*_module("dagster._daemon"), "run", "-w", workspace])
            on_ready(f"http://{_HOST}:{port}")
            family.watch()
        _cancel_runs()


def _module(name: str) -> list[str]:
    return [sys.executable, "-m", name]


def _start_code_server(place: Place, family: Family) -> str:
    port = _free_port()
    family.start(
        "code-server",
        [
            *_module("dagster"),
            *("code-server", "start", "-h", _HOST, "-p", str(port)),
            *("-m", "brand_visibility.definitions", "--location-name", "brand_visibility"),
        ],
    )
    _wait_for_port(family, port)
    return str(_write_workspace(place, port))


def _write_workspace(place: Place, port: int) -> Path:
    location = {"host": _HOST, "port": port, "location_name": "brand_visibility"}
    path = place.settings.home / "dagster" / "workspace.yaml"
    path.write_text(yaml.safe_dump({"load_from": [{"grpc_server": location}]}), encoding="utf-8")
    return path


def require_free_port(port: int) -> None:
    """Raise InputError when nothing can be served on this port."""
    try:
        with socket.create_server((_HOST, port)):
            return
    except OSError as error:
        raise InputError(
            f"port {port}: found it taken ({error.strerror}); expected a free one, for example"
            f" `make ui PORT={port + 1}`"
        ) from error


def _free_port() -> int:
    for port in _CODE_SERVER_PORTS:
        try:
            with socket.create_server((_HOST, port)):
                return port
        except OSError:
            continue
    raise InputError(f"found no free port in {_CODE_SERVER_PORTS}; the code server needs one")


def _wait_for_port(family: Family, port: int) -> None:
    give_up_at = time.monotonic() + _START_PATIENCE_S
    while time.monotonic() < give_up_at:
        family.check()
        with contextlib.suppress(OSError), socket.create_connection((_HOST, port), timeout=1):
            return
        time.sleep(_POLL_S)
    raise InputError(f"port {port}: nothing answered within {_START_PATIENCE_S:.0f} s")


@contextlib.contextmanager
def _stopped_by_signal() -> Iterator[None]:
    """End the block quietly on a signal, and be deaf to more of them while tidying up."""

    def stop(_number: int, _frame: object) -> None:
        for number in _STOPPING:
            signal.signal(number, signal.SIG_IGN)
        raise _StopRequested

    for number in _STOPPING:
        signal.signal(number, stop)
    with contextlib.suppress(_StopRequested):
        yield


def _cancel_runs() -> None:
    """Cancel what is running, while the code server that works on it is still there."""
    with dg.DagsterInstance.get() as instance:
        wanted = dg.RunsFilter(statuses=_UNENDED)
        for run in instance.get_runs(filters=wanted):
            instance.run_launcher.terminate(run.run_id)
        give_up_at = time.monotonic() + _RUN_PATIENCE_S
        while instance.get_runs(filters=wanted, limit=1) and time.monotonic() < give_up_at:
            time.sleep(_POLL_S)
