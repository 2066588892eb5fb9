"""How a simulated platform behaves, as values that are checked when they are made.

What the platform answers belongs to the answer sources (`written`, `recorded`).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from brand_visibility.domain.errors import InputError


class FaultKind(StrEnum):
    """What can be wrong with a call that kept every limit.

    `RATE_LIMITED` is an error with the time to wait where the platform names one,
    `UNKNOWN_RATE_LIMITED` a 429 with a code that nobody knows, `EXHAUSTED_QUOTA` the error
    that no wait cures, `SERVER_FAULT` one of the platform's. `HANG` keeps silent and drops
    the connection, `DRIP` sends blank lines before the answer, `DISCONNECT` drops the
    connection at once. `BLOCKED` is an answer that a filter kept back, by an error where the
    platform does so. The rest come with status 200: `MALFORMED` is broken JSON,
    `ERROR_IN_200` an error inside a success, `EMPTY` an answer without text, `REFUSED` one
    with a refusal (a sentence like any other where the platform has no field for it),
    `TRUNCATED` one cut by its length, `HUGE` one of many megabytes.
    """

    RATE_LIMITED = "rate_limited"
    SERVER_FAULT = "server_fault"
    HANG = "hang"
    DRIP = "drip"
    MALFORMED = "malformed"
    ERROR_IN_200 = "error_in_200"
    EMPTY = "empty"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    DISCONNECT = "disconnect"
    HUGE = "huge"
    EXHAUSTED_QUOTA = "exhausted_quota"
    # New kinds come last: the draw of a call's fault goes through them in this order.
    BLOCKED = "blocked"
    UNKNOWN_RATE_LIMITED = "unknown_rate_limited"


class Personality(StrEnum):
    """Whose manner a platform's chat completions have.

    Other endpoints tell by their path. `PLAIN` is a gateway that adds nothing.
    """

    OPENAI = "openai"
    DEEPSEEK = "deepseek"
    DOUBAO = "doubao"
    HUNYUAN = "hunyuan"
    KIMI = "kimi"
    PERPLEXITY = "perplexity"
    PLAIN = "plain"
    QWEN = "qwen"
    ZHIPU = "zhipu"


@dataclass(frozen=True, slots=True)
class Latency:
    """Lognormal seconds from the request to the answer. A median of 0 answers at once."""

    median_s: float = 0.0
    p99_s: float = 0.0

    def __post_init__(self) -> None:
        for name, value in (("median_s", self.median_s), ("p99_s", self.p99_s)):
            if not (math.isfinite(value) and value >= 0):
                raise InputError(f"latency {name}: found {value}; expected 0 or more seconds")
        if self.p99_s < self.median_s:
            raise InputError(
                f"latency p99_s: found {self.p99_s}; expected at least the median, {self.median_s}"
            )


@dataclass(frozen=True, slots=True)
class PlatformBehaviour:
    """One platform's pace, limits, faults and manner.

    `rate_limit` is the number of sends in any sliding second, `max_concurrency` the calls
    in flight; None sets no limit. `faults` gives each kind its share of the calls, 0 to 1
    in sum. A hanging call is dropped after `hang_s`; a dripping one sends a blank line
    every `drip_every_s` for `drip_s`, then its answer; so does, until its answer is ready, a
    platform whose responses start early. `search_share` of the calls find pages, where the
    request lets them search. With `tencent_secret_key` the native endpoint of Hunyuan checks
    signatures in full.
    """

    latency: Latency = field(default_factory=Latency)
    rate_limit: int | None = None
    max_concurrency: int | None = None
    faults: Mapping[FaultKind, float] = field(default_factory=dict)
    hang_s: float = 5.0
    drip_s: float = 120.0
    drip_every_s: float = 1.0
    huge_bytes: int = 32_000_000
    retry_after_s: int = 1
    personality: Personality = Personality.OPENAI
    search_share: float = 0.0
    tencent_secret_key: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for name in ("rate_limit", "max_concurrency"):
            limit = getattr(self, name)
            if limit is not None and limit < 1:
                raise InputError(f"{name}: found {limit}; expected 1 or more")
        for name in ("hang_s", "drip_s", "huge_bytes", "retry_after_s"):
            if getattr(self, name) < 0:
                raise InputError(f"{name}: found {getattr(self, name)}; expected 0 or more")
        if not self.drip_every_s > 0:
            raise InputError(f"drip_every_s: found {self.drip_every_s}; expected more than 0")
        if not 0 <= self.search_share <= 1:
            raise InputError(f"search_share: found {self.search_share}; expected 0 to 1")
        self._check_faults()

    def _check_faults(self) -> None:
        for kind, rate in self.faults.items():
            if not 0 <= rate <= 1:
                raise InputError(f"fault {kind}: found a rate of {rate}; expected 0 to 1")
        # Shares such as 0.7 + 0.2 + 0.1 exceed 1 by a rounding error.
        total = sum(self.faults.values())
        if total > 1 + 1e-9:
            raise InputError(f"faults: found rates of {total:g} in sum; expected at most 1")


@dataclass(frozen=True, slots=True)
class SimulatorSettings:
    """All platforms of one simulator.

    `behaviour` holds for every platform that `by_platform` does not name. The same `seed`
    meets every client with the same faults, latencies and answers.
    """

    behaviour: PlatformBehaviour = field(default_factory=PlatformBehaviour)
    by_platform: Mapping[str, PlatformBehaviour] = field(default_factory=dict)
    seed: int = 0

    def behaviour_of(self, platform_id: str) -> PlatformBehaviour:
        """Return how this platform behaves."""
        return self.by_platform.get(platform_id, self.behaviour)
