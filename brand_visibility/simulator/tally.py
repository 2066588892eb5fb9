"""What a platform has seen: counts of calls, and what became of each prompt.

Counting only; admitting and refusing belong to `desk`.
"""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from brand_visibility.simulator.settings import FaultKind
from brand_visibility.simulator.window import BusiestSecond

_SUMMED = (
    "sends",
    "answered",
    "interim",
    "violations",
    "concurrency_violations",
    "bad_requests",
    "unknown_questions",
    "abandoned",
    "distinct_prompts",
    "answered_prompts",
    "duplicates",
)


@dataclass(slots=True)
class Traffic:
    """How dense the calls came: the busiest second and the calls in flight."""

    busiest: BusiestSecond = field(default_factory=BusiestSecond)
    in_flight: int = 0
    in_flight_max: int = 0

    def entered(self) -> None:
        """Count a call that is now in flight."""
        self.in_flight += 1
        self.in_flight_max = max(self.in_flight_max, self.in_flight)

    def left(self) -> None:
        """Count a call that is no longer in flight."""
        self.in_flight -= 1

    def reset(self) -> None:
        """Forget the extremes. Calls in flight stay in flight."""
        self.busiest = BusiestSecond()
        self.in_flight_max = self.in_flight

    def as_counts(self) -> dict[str, object]:
        """Return the figures by name."""
        return {"busiest_second": self.busiest.most, "in_flight_max": self.in_flight_max}


@dataclass(slots=True)
class PromptRecord:
    """One prompt's attempts, the answers begun for it and those it received whole."""

    attempts: int = 0
    answers_begun: int = 0
    answered: int = 0


@dataclass(slots=True)
class Tally:
    """The counts of one platform since the start or the last reset.

    `answered` are sound answers written whole, `interim` calls after which the client is to
    ask again for one. `duplicates` are prompts answered more than
    once: wanted for a question with repeats, otherwise asked in vain. `abandoned` are calls
    whose client left, or that were in flight when the simulator stopped.
    """

    sends: int = 0
    answered: int = 0
    interim: int = 0
    violations: int = 0
    concurrency_violations: int = 0
    bad_requests: int = 0
    unknown_questions: int = 0
    abandoned: int = 0
    answered_prompts: int = 0
    duplicates: int = 0
    faults: Counter[FaultKind] = field(default_factory=Counter)
    _prompts: dict[bytes, PromptRecord] = field(default_factory=dict)

    @property
    def distinct_prompts(self) -> int:
        """How many different prompts were asked."""
        return len(self._prompts)

    def record(self, prompt: str) -> PromptRecord:
        """Return the record of this prompt, a new one when it was never asked."""
        # A digest in place of the text: nights of long prompts must not fill the memory.
        key = hashlib.blake2b(prompt.encode(), digest_size=16).digest()
        return self._prompts.setdefault(key, PromptRecord())

    def note_answer(self, record: PromptRecord) -> None:
        """Count a sound answer that was written whole."""
        self.answered += 1
        record.answered += 1
        self.answered_prompts += record.answered == 1
        self.duplicates += record.answered == 2

    def as_counts(self) -> dict[str, object]:
        """Return every count by name, faults by kind."""
        return add_up([self])


def add_up(tallies: Sequence[Tally]) -> dict[str, object]:
    """Return the counts of several platforms together."""
    counts: dict[str, object] = {
        name: sum(getattr(tally, name) for tally in tallies) for name in _SUMMED
    }
    faults: Counter[FaultKind] = Counter()
    for tally in tallies:
        faults.update(tally.faults)
    counts["faults"] = {kind.value: faults[kind] for kind in FaultKind if faults[kind]}
    return counts
