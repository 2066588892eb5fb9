"""What is asked, and of which platform: the same for every client.

The figures of a platform and the questions live here; starting the platform belongs to
`platform_process`, what a perfect client would need to `floor`.
"""

import json
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path

from brand_visibility.domain.planning import (
    API_CHANNEL,
    SHARD_KEYS,
    Plan,
    Query,
    identify,
)
from brand_visibility.simulator.settings import (
    FaultKind,
    Latency,
    Personality,
    PlatformBehaviour,
)

PLATFORM_ID = "strict"
MODEL = "bench"
# Fixed, so that the ledger asks in the same order on every day of measuring.
PLAN_DATE = date(2026, 11, 30)

STRICT_FAULTS = {
    FaultKind.RATE_LIMITED: 0.02,
    FaultKind.SERVER_FAULT: 0.01,
    FaultKind.HANG: 0.005,
}


@dataclass(frozen=True, slots=True)
class Scenario:
    """A platform's behaviour and how many questions it is asked."""

    questions: int
    behaviour: PlatformBehaviour
    seed: int = 0


def strict_scenario(questions: int = 3_000, *, speed: float = 1.0, rate: int = 200) -> Scenario:
    """Return the strict platform. With `speed` every wait of its is so many times shorter."""
    behaviour = PlatformBehaviour(
        latency=Latency(median_s=0.2 / speed, p99_s=2.0 / speed),
        rate_limit=rate,
        faults=STRICT_FAULTS,
        hang_s=5.0 / speed,
        retry_after_s=1,
    )
    return Scenario(questions, behaviour)


def slow_scenario(questions: int, *, latency_s: float = 5.0) -> Scenario:
    """Return a platform without limit or fault that takes the same time for every answer."""
    return Scenario(questions, PlatformBehaviour(Latency(latency_s, latency_s)))


def queries(count: int, *, platform_id: str = PLATFORM_ID) -> list[Query]:
    """Return distinct queries in the order in which the ledger hands them out."""
    made = (_query(_prompt(number), platform_id) for number in range(count))
    return sorted(made, key=lambda query: query.query_id)


def plan_of(asked: list[Query], *, platform_id: str = PLATFORM_ID) -> Plan:
    """Return a day's plan of these queries, without the tasks that they serve."""
    return Plan(PLAN_DATE, platform_id, "benchmark", (), tuple(asked))


def write_questions(path: Path, asked: list[Query]) -> None:
    """Write one JSON object a line: `id` and `question`."""
    lines = (json.dumps({"id": query.query_id, "question": query.prompt}) for query in asked)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def to_json(scenario: Scenario) -> str:
    """Return the platform of a scenario as a line of text for another process."""
    return json.dumps({"seed": scenario.seed, "behaviour": asdict(scenario.behaviour)})


def behaviour_from(described: dict[str, object]) -> PlatformBehaviour:
    """Return a behaviour as `to_json` wrote it."""
    stored = _Stored(**described)  # type: ignore[arg-type]
    return PlatformBehaviour(
        latency=Latency(**stored.latency),
        rate_limit=stored.rate_limit,
        max_concurrency=stored.max_concurrency,
        faults={FaultKind(kind): share for kind, share in stored.faults.items()},
        hang_s=stored.hang_s,
        drip_s=stored.drip_s,
        drip_every_s=stored.drip_every_s,
        huge_bytes=stored.huge_bytes,
        retry_after_s=stored.retry_after_s,
        personality=Personality(stored.personality),
        search_share=stored.search_share,
        tencent_secret_key=stored.tencent_secret_key,
    )


@dataclass(frozen=True, slots=True)
class _Stored:
    latency: dict[str, float]
    rate_limit: int | None
    max_concurrency: int | None
    hang_s: float
    drip_s: float
    drip_every_s: float
    huge_bytes: int
    retry_after_s: int
    personality: str
    search_share: float
    tencent_secret_key: str | None
    faults: dict[str, float] = field(default_factory=dict)


def _prompt(number: int) -> str:
    return (
        f"Question {number}: which product of this kind would you recommend to a household of"
        " four with a budget in the middle, which brands are worth a look, and why?"
    )


def _query(prompt: str, platform_id: str) -> Query:
    prompt_id = identify(prompt)
    return Query(
        query_id=identify(PLAN_DATE, platform_id, API_CHANNEL, prompt, 0),
        plan_date=PLAN_DATE,
        platform_id=platform_id,
        channel=API_CHANNEL,
        prompt_id=prompt_id,
        prompt=prompt,
        repeat=0,
        priority=0,
        shard_key=int(prompt_id[:8], 16) % SHARD_KEYS,
    )
