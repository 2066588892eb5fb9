"""Under which circumstances figures were measured: machine, date, versions, load."""

import os
import platform
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import psutil


class Circumstances:
    """Begun before measuring; `sentence` says it all after."""

    def __init__(self, command: str, libraries: Sequence[str]) -> None:
        self._command = command
        self._libraries = tuple(libraries)
        self._load_before = os.getloadavg()[0]
        self._began = datetime.now(UTC)

    def sentence(self) -> str:
        """Return the paragraph that stands under a part's tables."""
        libraries = ", ".join(f"{name} {version(name)}" for name in self._libraries)
        return (
            f"`{self._command}` at {self._began:%Y-%m-%d %H:%M} UTC on commit `{_commit()}`;"
            f" {_processor()}, {psutil.cpu_count()} cores,"
            f" {psutil.virtual_memory().total / 2**30:.0f} GiB, Linux {platform.release()},"
            f" Python {platform.python_version()}, {libraries}. Load average"
            f" {self._load_before:.1f} at the start, {os.getloadavg()[0]:.1f} at the end"
            " (the benchmark's own processes are part of the latter)."
        )


def _commit() -> str:
    asked = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    )
    return asked.stdout.strip() or "unknown"


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()
