"""Which fault a call meets and how long it takes: pure functions of the call.

A call is a prompt's n-th attempt at a platform, so that every client that asks the same
prompts meets the same faults, whatever its order and pace. Acting a fault out belongs to
`acting`.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist

from brand_visibility.simulator.chance import Chance
from brand_visibility.simulator.settings import FaultKind, Latency, PlatformBehaviour

_STANDARD_NORMAL = NormalDist()
_Z_99 = _STANDARD_NORMAL.inv_cdf(0.99)


@dataclass(frozen=True, slots=True)
class CallKey:
    """What a call's fate depends on. The prompt's attempts are counted from 1."""

    seed: int
    platform_id: str
    prompt: str
    attempt: int

    def uniform(self, name: str) -> float:
        """Return this call's number of this name, 0 ≤ u < 1."""
        return Chance(name, self.seed, self.platform_id, self.prompt, self.attempt).uniform()


@dataclass(frozen=True, slots=True)
class Call:
    """One admitted send and its fate.

    `answer_number` counts from 0 the answers begun for the prompt before this call: it
    makes repeats differ, and a retry after a fault not. `is_interim` is a call after which
    the client is to ask again before it gets the answer.
    """

    key: CallKey
    answer_number: int
    fault: FaultKind | None
    latency_s: float
    is_interim: bool = False

    @property
    def is_answered(self) -> bool:
        """Whether a patient client gets the prompt's answer whole."""
        return self.is_sound and not self.is_interim

    @property
    def is_sound(self) -> bool:
        """Whether a patient client gets whole what it asked for."""
        return self.fault in (None, FaultKind.DRIP)


def choose_fault(behaviour: PlatformBehaviour, key: CallKey) -> FaultKind | None:
    """Return the fault that this call meets, None for a sound answer."""
    drawn = key.uniform("fault")
    reached = 0.0
    for kind in FaultKind:
        reached += behaviour.faults.get(kind, 0.0)
        if drawn < reached:
            return kind
    return None


def choose_latency_s(latency: Latency, key: CallKey) -> float:
    """Return the seconds this call takes when nothing goes wrong."""
    if latency.median_s == 0:
        return 0.0
    sigma = math.log(latency.p99_s / latency.median_s) / _Z_99
    # The inverse is not defined at 0, which one draw in 2**53 is.
    deviation = _STANDARD_NORMAL.inv_cdf(max(key.uniform("latency"), 2**-53))
    return latency.median_s * math.exp(sigma * deviation)
