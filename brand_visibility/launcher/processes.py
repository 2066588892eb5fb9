"""Child processes that are started together and end together."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil

from brand_visibility.domain.errors import PermanentError

_POLL_S = 0.2


class ProcessEndedError(PermanentError):
    """A process that should have gone on has ended. Its log is named in the message."""


@dataclass(frozen=True, slots=True)
class Child:
    """A started process and the file of its output."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path


class Family:
    """Processes that are watched together; leaving the block ends them and theirs.

    Each gets a session of its own, so that Ctrl-C reaches only this process, which then
    stops them in order: the last started first.
    """

    def __init__(
        self, log_folder: Path, environment: Mapping[str, str], *, patience_s: float = 15.0
    ) -> None:
        self._log_folder = log_folder
        self._environment = dict(environment)
        self._patience_s = patience_s
        self._children: list[Child] = []

    def __enter__(self) -> Self:
        self._log_folder.mkdir(parents=True, exist_ok=True)
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for child in reversed(self._children):
            _end(child.process, self._patience_s)

    def start(self, name: str, command: Sequence[str]) -> Child:
        """Start a process; its output goes to `<name>.log`."""
        log = self._log_folder / f"{name}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                command,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        child = Child(name, process, log)
        self._children.append(child)
        return child

    def check(self) -> None:
        """Raise ProcessEndedError when a process has ended by itself."""
        for child in self._children:
            code = child.process.poll()
            if code is not None:
                raise ProcessEndedError(
                    f"{child.name} ended with code {code}; its last words are in {child.log}"
                )

    def watch(self) -> None:
        """Wait until a signal interrupts, or raise when a process ends by itself."""
        while True:
            self.check()
            time.sleep(_POLL_S)


def _end(leader: subprocess.Popen[bytes], patience_s: float) -> None:
    """End a process and every descendant: ask first, then insist."""
    family = _descendants(leader.pid)
    for member in family:
        _signal(member, signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        leader.wait(patience_s)
    # The leader is this process's own child: only Popen may collect it.
    others = [member for member in family if member.pid != leader.pid]
    _, alive = psutil.wait_procs(others, timeout=patience_s)
    # What was born meanwhile belongs to it as well.
    for member in {*alive, *_session_members(leader.pid)}:
        _signal(member, signal.SIGKILL)
    psutil.wait_procs(alive, timeout=patience_s)
    leader.wait()


def _descendants(pid: int) -> list[psutil.Process]:
    try:
        parent = psutil.Process(pid)
        return [parent, *parent.children(recursive=True)]
    except psutil.NoSuchProcess:
        return _session_members(pid)


def _session_members(pid: int) -> list[psutil.Process]:
    # A started process leads a session: its orphans can still be told by it.
    members = []
    for process in psutil.process_iter():
        try:
            if os.getsid(process.pid) == pid:
                members.append(process)
        except (ProcessLookupError, PermissionError):
            continue
    return members


def _signal(process: psutil.Process, number: signal.Signals) -> None:
    try:
        process.send_signal(number)
    except psutil.NoSuchProcess:
        return
