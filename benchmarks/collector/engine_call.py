"""What an engine process is told and what it reports, as values that travel as JSON.

The process itself is `engine_run`.
"""

import json
from dataclasses import asdict, dataclass, field

from benchmarks.collector.scenario import PLATFORM_ID


@dataclass(frozen=True, slots=True)
class EngineCall:
    """What one engine process is to do. `retry` overrides fields of `RetrySettings`."""

    database_url: str
    base_url: str
    rate: float
    concurrency: int
    platform_id: str = PLATFORM_ID
    shard: int = 0
    shards: int = 1
    retry: dict[str, float] = field(default_factory=dict)
    profile: str | None = None

    def to_json(self) -> str:
        """Return it as one argument of a command."""
        return json.dumps(asdict(self))


@dataclass(frozen=True, slots=True)
class EngineReport:
    """What it came to.

    `import_cpu_s` and `asking_cpu_s` are CPU seconds before and within the engine,
    `slot_delay_s` the mean seconds from a reserved slot to the send in it.
    """

    asked: int
    answered: int
    failed: dict[str, int]
    attempts: int
    wall_s: float
    import_cpu_s: float
    asking_cpu_s: float
    recover_s: float
    slots: int
    slot_delay_s: float


def read_report(output: str) -> EngineReport:
    """Return the report that an engine process printed as its last line.

    Raises RuntimeError with what it said when it is none.
    """
    lines = output.strip().splitlines()
    try:
        return EngineReport(**json.loads(lines[-1]))
    except (IndexError, TypeError, ValueError) as error:
        raise RuntimeError(f"the engine reported nothing; it said: {output[-2000:]}") from error
