"""Where calls arrive: each is admitted or refused, counted, and given its fault.

Pure but for its own counts: times are handed in and nothing waits. HTTP belongs to
`server`.
"""

from dataclasses import dataclass
from types import TracebackType
from typing import Self

from brand_visibility.simulator.faults import Call, CallKey, choose_fault, choose_latency_s
from brand_visibility.simulator.settings import PlatformBehaviour, SimulatorSettings
from brand_visibility.simulator.tally import PromptRecord, Tally, Traffic, add_up
from brand_visibility.simulator.window import RateWindow


@dataclass(frozen=True, slots=True)
class Denial:
    """A send refused because it broke a limit. `wait_s` is the time until it would not."""

    message: str
    wait_s: float


class Floor:
    """All desks of one simulator, opened as their platforms are first called."""

    def __init__(self, settings: SimulatorSettings) -> None:
        self._settings = settings
        self._desks: dict[str, Desk] = {}
        self._traffic = Traffic()

    def desk(self, platform_id: str) -> "Desk":
        """Return the desk of this platform."""
        desk = self._desks.get(platform_id)
        if desk is None:
            behaviour = self._settings.behaviour_of(platform_id)
            seed = self._settings.seed
            desk = Desk(platform_id, behaviour, seed=seed, floor_traffic=self._traffic)
            self._desks[platform_id] = desk
        return desk

    def platform_ids(self) -> list[str]:
        """Return the platforms called so far, in order of their ids."""
        return sorted(self._desks)

    def stats(self) -> dict[str, object]:
        """Return the counts of all platforms together and of each."""
        desks = [self._desks[platform_id] for platform_id in self.platform_ids()]
        return {
            "total": add_up([desk.tally for desk in desks]) | self._traffic.as_counts(),
            "platforms": {desk.platform_id: desk.stats() for desk in desks},
        }

    def reset(self) -> None:
        """Forget every count and attempt, so that the next client meets the same faults."""
        self._traffic.reset()
        for desk in self._desks.values():
            desk.reset()


class Desk:
    """One platform's reception. `floor_traffic` is what all platforms see together."""

    def __init__(
        self,
        platform_id: str,
        behaviour: PlatformBehaviour,
        *,
        seed: int,
        floor_traffic: Traffic,
    ) -> None:
        self.platform_id = platform_id
        self.behaviour = behaviour
        self.tally = Tally()
        self.traffics = (Traffic(), floor_traffic)
        self._seed = seed
        self._window = RateWindow(behaviour.rate_limit) if behaviour.rate_limit else None

    def arrive(self, at: float) -> "Visit | Denial":
        """Count a send at this monotonic time and admit it, or say which limit it broke."""
        self.tally.sends += 1
        for traffic in self.traffics:
            traffic.busiest.note(at)
        return self._break_of_rate(at) or self._break_of_concurrency() or Visit(self)

    def stats(self) -> dict[str, object]:
        """Return the platform's counts."""
        return self.tally.as_counts() | self.traffics[0].as_counts()

    def reset(self) -> None:
        """Forget every count and attempt. The limits keep what they know."""
        self.tally = Tally()
        self.traffics[0].reset()

    def call(self, prompt: str, record: PromptRecord, *, is_interim: bool) -> Call:
        """Return what becomes of the prompt's next attempt."""
        record.attempts += 1
        key = CallKey(self._seed, self.platform_id, prompt, record.attempts)
        call = Call(
            key=key,
            answer_number=record.answers_begun,
            fault=choose_fault(self.behaviour, key),
            latency_s=choose_latency_s(self.behaviour.latency, key),
            is_interim=is_interim,
        )
        record.answers_begun += call.is_answered
        return call

    def _break_of_rate(self, at: float) -> Denial | None:
        if self._window is None or self._window.admit(at):
            return None
        self.tally.violations += 1
        limit = self.behaviour.rate_limit
        return Denial(f"Rate limit reached: {limit} requests a second.", self._window.wait_s(at))

    def _break_of_concurrency(self) -> Denial | None:
        limit = self.behaviour.max_concurrency
        if limit is None or self.traffics[0].in_flight < limit:
            return None
        self.tally.concurrency_violations += 1
        return Denial(f"Concurrency limit reached: {limit} requests at once.", 1.0)


class Visit:
    """One admitted send, in flight from `with` to its end.

    It keeps the tally it began with: after a reset its end counts nowhere.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._record: PromptRecord | None = None
        self.tally = desk.tally

    def __enter__(self) -> Self:
        for traffic in self._desk.traffics:
            traffic.entered()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for traffic in self._desk.traffics:
            traffic.left()

    def begin(self, prompt: str, *, is_interim: bool = False) -> Call:
        """Count an attempt of this prompt and return what becomes of it."""
        self._record = self.tally.record(prompt)
        call = self._desk.call(prompt, self._record, is_interim=is_interim)
        if call.fault is not None:
            self.tally.faults[call.fault] += 1
        return call

    def answered(self) -> None:
        """Count the answer, written whole, of the call that was begun."""
        if self._record is None:
            raise RuntimeError("the visit was answered before it began a call")
        self.tally.note_answer(self._record)
