"""The engine's own figures. Those of an account's adaptive limits are `lane`'s."""

from dataclasses import dataclass, field

from brand_visibility.collection.lane import LaneSettings
from brand_visibility.collection.pacing import DEFAULT_JITTER


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """Figures of the engine that follow from the machine, not from a platform.

    `jitter` is the spread of the way to the platform, in seconds for a second's window.
    `block_s` is how much sending is reserved and marked running at a time. `drain_s`
    bounds the wait for calls in flight after a stop or an error. `lane` holds the figures
    of the accounts' adaptive limits.
    """

    jitter: float = DEFAULT_JITTER
    block_s: float = 0.25
    commit_every_s: float = 0.5
    commit_size: int = 200
    drain_s: float = 30.0
    lane: LaneSettings = field(default_factory=LaneSettings)
