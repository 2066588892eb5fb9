"""Simulators in threads of their own, and a client for them."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest

from brand_visibility.simulator.recorded import RecordedAnswers
from brand_visibility.simulator.settings import PlatformBehaviour, SimulatorSettings
from brand_visibility.simulator.simulator import Simulator
from brand_visibility.simulator.source import AnswerSource

Start = Callable[..., Simulator]

RECORDED = RecordedAnswers({f"q{number}": [f"answer {number}"] for number in range(500)})


@pytest.fixture
def start() -> Iterator[Start]:
    """Start a simulator of this behaviour; it stops when the test ends."""
    with ExitStack() as started:

        def begin(
            behaviour: PlatformBehaviour | None = None,
            source: AnswerSource = RECORDED,
            *,
            seed: int = 3,
            clock: Callable[[], float] | None = None,
        ) -> Simulator:
            settings = SimulatorSettings(behaviour=behaviour or PlatformBehaviour(), seed=seed)
            optional: dict[str, Any] = {} if clock is None else {"clock": clock}
            return started.enter_context(Simulator(settings, source, **optional))

        yield begin


@pytest.fixture
def client() -> Iterator[httpx.Client]:
    with httpx.Client(timeout=5, trust_env=False) as client:
        yield client
