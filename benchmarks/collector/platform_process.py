"""Starting the simulated platform in its own process, and what it saw of a client.

In one process with a client it would share the client's loop and CPU, and bunch arrivals.
"""

import contextlib
import json
import subprocess
import sys
import urllib.request
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.collector.scenario import PLATFORM_ID, Scenario, to_json

_PATIENCE_S = 10


@dataclass(frozen=True, slots=True)
class Counts:
    """What a platform counted. `paid_twice` are prompts that were answered more than once."""

    sends: int
    violations: int
    busiest_second: int
    paid_twice: int


@dataclass(frozen=True, slots=True)
class Seen:
    """A client from the platform's side. Seconds from the first send to the last answer."""

    wall_s: float
    counts: Counts


@dataclass(frozen=True, slots=True)
class PlatformProcess:
    """A platform that runs. `url` is its address without a path."""

    url: str
    process_id: int

    @property
    def base_url(self) -> str:
        """The base of an OpenAI-compatible client."""
        return self.base_url_of(PLATFORM_ID)

    def base_url_of(self, platform_id: str) -> str:
        """Return the base of a client of another of its platforms."""
        return f"{self.url}/{platform_id}/v1"

    def seen(self) -> Seen:
        """Return what the platform saw since it started. Ask once, after the client ended."""
        times = _get(f"{self.url}/times")
        first, last = times["first_arrival"], times["last_answer"]
        counts = _counts(_get(f"{self.url}/stats")["total"])
        return Seen(max(0.0, last - first), counts)

    def counts_by_platform(self) -> dict[str, Counts]:
        """Return what each platform counted since the start."""
        platforms = _get(f"{self.url}/stats")["platforms"]
        return {name: _counts(counted) for name, counted in platforms.items()}


@contextlib.contextmanager
def platform(scenario: Scenario) -> Iterator[PlatformProcess]:
    """Run the scenario's platform for the time of the block."""
    module = "benchmarks.collector.strict_platform"
    process = subprocess.Popen(
        [sys.executable, "-m", module, to_json(scenario)], stdout=subprocess.PIPE, text=True
    )
    try:
        yield PlatformProcess(_address(process), process.pid)
    finally:
        process.terminate()
        process.wait(_PATIENCE_S)


def busiest(times: Sequence[float], window_s: float = 1.0) -> int:
    """Return the most sends that any sliding window held. Times need no order."""
    recent: deque[float] = deque()
    most = 0
    for at in sorted(times):
        recent.append(at)
        while at - recent[0] >= window_s:
            recent.popleft()
        most = max(most, len(recent))
    return most


def _counts(counted: dict[str, int]) -> Counts:
    return Counts(
        sends=counted["sends"],
        violations=counted["violations"] + counted["concurrency_violations"],
        busiest_second=counted["busiest_second"],
        paid_twice=counted["duplicates"],
    )


def _address(process: subprocess.Popen[str]) -> str:
    line = process.stdout.readline() if process.stdout else ""
    if not line.startswith("http"):
        raise RuntimeError("the simulated platform ended before it served")
    return line.strip()


def _get(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=_PATIENCE_S) as response:
        return json.load(response)
