"""The same partition collected by two runs at once."""

import pytest

from brand_visibility.simulator.settings import Latency, PlatformBehaviour
from tests.faults.conftest import Ground, a_quick_platform, sends, simulated, totals

pytestmark = pytest.mark.integration


def test_two_runs_of_a_partition_at_once_ask_once_and_publish_once(ground: Ground) -> None:
    rate = 50
    strict = PlatformBehaviour(latency=Latency(0.1, 0.3), rate_limit=rate)
    with simulated(strict) as simulator:
        both = [
            ground.start(simulator, a_quick_platform(rate=rate), index=index, count=2)
            for _run in range(2)
            for index in range(2)
        ]
        results = [process.succeed() for process in both]
        stats = totals(simulator)

    asked = sorted(
        int(str(result["sentence"]).split("asked ")[1].split(",")[0]) for result in results
    )
    assert asked[:2] == [0, 0]
    assert sum(asked) == ground.planned
    assert stats["sends"] == ground.planned
    assert stats["violations"] == 0
    assert ground.audit().is_whole
    assert ground.maybe_paid() == 0
    assert sends(simulator) == ground.planned
