"""One process that sends nothing, as fast as the shared pace lets it, and notes when.

`python -m benchmarks.collector.pace_run '<json>'` prints the monotonic times of its sends,
which are comparable between processes of one machine.
"""

import asyncio
import json
import sys
from array import array
from dataclasses import asdict, dataclass

from benchmarks.collector.scenario import PLATFORM_ID
from brand_visibility.adapters.ledger.pace import LedgerPace, pace_session
from brand_visibility.collection.clock import AsyncioClock
from brand_visibility.collection.engine_settings import EngineSettings
from brand_visibility.collection.pacing import PacedGate


@dataclass(frozen=True, slots=True)
class PaceCall:
    """Whose rate is shared, and from when to when, in monotonic seconds."""

    database_url: str
    rate: float
    begins: float
    ends: float

    def to_json(self) -> str:
        """Return it as one argument of a command."""
        return json.dumps(asdict(self))


async def sends(call: PaceCall) -> "array[float]":
    """Pass the gate again and again until the end, and return the times of passing."""
    clock, passed = AsyncioClock(), array("d")
    async with pace_session(call.database_url) as session:
        source = LedgerPace(
            session,
            clock,
            platform_id=PLATFORM_ID,
            account_id="main",
            rate_per_second=call.rate,
        )
        # The same block as the engine reserves.
        block = max(1, round(call.rate * EngineSettings().block_s))
        gate = PacedGate(source, clock, rate=call.rate, block=block)
        await clock.sleep(call.begins - clock.monotonic())
        while clock.monotonic() < call.ends:
            await gate.admit(block)
            passed.append(clock.monotonic())
        await gate.close()
    return passed


if __name__ == "__main__":
    print(json.dumps(asyncio.run(sends(PaceCall(**json.loads(sys.argv[1])))).tolist()))
