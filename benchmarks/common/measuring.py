"""What a process costs: CPU of it and its children, and the most memory they held.

Everything is seen from outside, so that every client is measured in the same way.
"""

import os
import subprocess
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

_EVERY_S = 0.25
_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Cost:
    """User and system CPU seconds, peak resident megabytes, exit code, and what was said."""

    cpu_s: float
    peak_mb: float
    exit_code: int
    output: str
    timed_out: bool = False


def measure(
    command: Sequence[str],
    *,
    limit_s: float,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Cost:
    """Run a command to its end, at most `limit_s` seconds, and return its cost."""
    process = subprocess.Popen(
        list(command),
        env=dict(environment) if environment is not None else None,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    memory = _Memory(process.pid)
    alarm = threading.Timer(limit_s, process.kill)
    reader = _Reader(process)
    for thread in (memory, alarm, reader):
        thread.start()
    _, status, usage = os.wait4(process.pid, 0)
    was_late = not alarm.is_alive()
    alarm.cancel()
    memory.ended.set()
    reader.join()
    process.returncode = os.waitstatus_to_exitcode(status)
    cpu_s = usage.ru_utime + usage.ru_stime
    return Cost(cpu_s, memory.peak / _MEGABYTE, process.returncode, reader.text, was_late)


def cpu_of_tree(process_id: int) -> float:
    """Return the CPU seconds of a process, its children and those that have ended."""
    root = psutil.Process(process_id)
    return sum(_cpu(process) for process in [root, *root.children(recursive=True)])


def _cpu(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    return times.user + times.system + times.children_user + times.children_system


class _Memory(threading.Thread):
    """Looks some times a second: a peak that lasts shorter goes unseen."""

    def __init__(self, process_id: int) -> None:
        super().__init__(daemon=True)
        self.ended = threading.Event()
        self.peak = 0
        self._process_id = process_id

    def run(self) -> None:
        try:
            root = psutil.Process(self._process_id)
            while not self.ended.wait(_EVERY_S):
                family = [root, *root.children(recursive=True)]
                self.peak = max(self.peak, sum(_resident(process) for process in family))
        except psutil.NoSuchProcess:
            return


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.NoSuchProcess:
        return 0


class _Reader(threading.Thread):
    """Reads what the process says, so that a full pipe never holds it up."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        super().__init__(daemon=True)
        self._process = process
        self.text = ""

    def run(self) -> None:
        if self._process.stdout is not None:
            with self._process.stdout as pipe:
                self.text = pipe.read().decode("utf-8", "replace")
