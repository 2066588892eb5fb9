"""Every adapter over real HTTP against a platform of its kind, simulated from its documents."""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta

import httpx
import pytest
from httpx_aiohttp import AiohttpTransport

from brand_visibility.adapters.platforms.http import HttpSender
from brand_visibility.adapters.platforms.registry import ADAPTERS, SIMULATOR
from brand_visibility.domain.outcomes import Answer, Failure, Outcome, Reason, SearchEvidence
from brand_visibility.domain.planning import Query
from brand_visibility.simulator.faults import CallKey, choose_fault
from brand_visibility.simulator.recorded import RecordedAnswers
from brand_visibility.simulator.settings import (
    FaultKind,
    Personality,
    PlatformBehaviour,
    SimulatorSettings,
)
from brand_visibility.simulator.simulator import Simulator
from tests.builders import a_platform

PROMPT = "推荐一款手机"
TEXT = "可以看看小米。"
REFUSAL = "I can't help with that."
SECRET = "obviously-not-a-secret"
KEYS = {"main": f"AKIDexample:{SECRET}"}
WAIT_S = 3
MAX_BODY_BYTES = 100_000

SEARCHES = "searches"
"""A pseudo fault: no fault, and something is found for every call."""


@dataclass(frozen=True, slots=True)
class Kind:
    """An adapter, whom it speaks to, and what its platform does otherwise than most.

    `wait_s` is the wait that a refused rate names, `found` and `not_found` what an answer
    says of its search. `reasons` are those that differ from the usual ones; None is an
    answer.
    """

    personality: Personality = Personality.OPENAI
    parameters: Mapping[str, object] = field(default_factory=dict)
    wait_s: float | None = None
    found: SearchEvidence = SearchEvidence.SEARCHED
    not_found: SearchEvidence = SearchEvidence.UNKNOWN
    has_sources: bool = True
    has_model: bool = True
    reasons: Mapping[FaultKind, Reason | None] = field(default_factory=dict)


WEB_SEARCH = {"tools": [{"type": "web_search"}]}
UNKNOWN, NOT_SEARCHED = SearchEvidence.UNKNOWN, SearchEvidence.NOT_SEARCHED
HAS_A_FIELD: Mapping[FaultKind, Reason | None] = {FaultKind.REFUSED: Reason.REFUSED}

KINDS: Mapping[str, Kind] = {
    "openai_compatible": Kind(Personality.PLAIN, wait_s=WAIT_S, found=UNKNOWN, has_sources=False),
    "openai_chat": Kind(wait_s=WAIT_S, reasons=HAS_A_FIELD),
    "openai_responses": Kind(
        parameters=WEB_SEARCH, wait_s=WAIT_S, not_found=NOT_SEARCHED, reasons=HAS_A_FIELD
    ),
    "anthropic": Kind(
        parameters={"tools": [{"type": "web_search_20250305", "name": "web_search"}]},
        wait_s=WAIT_S,
        not_found=NOT_SEARCHED,
        # Its search was refused for its rate, inside a success.
        reasons={**HAS_A_FIELD, FaultKind.ERROR_IN_200: Reason.RATE_LIMITED},
    ),
    "gemini": Kind(
        parameters={"tools": [{"google_search": {}}]}, wait_s=WAIT_S, not_found=NOT_SEARCHED
    ),
    # A key without credit can't be told from a wrong one: both stop the account.
    "perplexity": Kind(
        Personality.PERPLEXITY, reasons={FaultKind.EXHAUSTED_QUOTA: Reason.UNAUTHORIZED}
    ),
    "deepseek": Kind(
        Personality.DEEPSEEK,
        # It names no wait; this is the adapter's own for a limit of calls in flight.
        wait_s=2.0,
        found=NOT_SEARCHED,
        not_found=NOT_SEARCHED,
        has_sources=False,
    ),
    "kimi": Kind(
        Personality.KIMI,
        parameters={"tools": [{"type": "builtin_function", "function": {"name": "$web_search"}}]},
        wait_s=WAIT_S,
        not_found=SearchEvidence.SEARCHED,
        has_sources=False,
    ),
    "zhipu": Kind(Personality.ZHIPU, parameters=WEB_SEARCH),
    "hunyuan": Kind(
        Personality.HUNYUAN, parameters={"enable_enhancement": True, "search_info": True}
    ),
    "hunyuan_native": Kind(
        parameters={"EnableEnhancement": True, "SearchInfo": True},
        has_model=False,
        reasons={FaultKind.ERROR_IN_200: Reason.TIMED_OUT},
    ),
    "doubao": Kind(Personality.DOUBAO, found=UNKNOWN, has_sources=False),
    "doubao_responses": Kind(
        Personality.DOUBAO, parameters=WEB_SEARCH, not_found=NOT_SEARCHED, reasons=HAS_A_FIELD
    ),
    "qwen": Kind(
        Personality.QWEN, parameters={"enable_search": True}, found=UNKNOWN, has_sources=False
    ),
    "qwen_native": Kind(
        parameters={"enable_search": True, "search_options": {"enable_source": True}},
        has_model=False,
    ),
}
USUAL: Mapping[FaultKind, Reason | None] = {
    FaultKind.RATE_LIMITED: Reason.RATE_LIMITED,
    FaultKind.UNKNOWN_RATE_LIMITED: Reason.RATE_LIMITED,
    FaultKind.EXHAUSTED_QUOTA: Reason.QUOTA_EXHAUSTED,
    FaultKind.SERVER_FAULT: Reason.SERVER_FAULT,
    FaultKind.ERROR_IN_200: Reason.SERVER_FAULT,
    FaultKind.HANG: Reason.CONNECTION_LOST,
    FaultKind.DISCONNECT: Reason.CONNECTION_LOST,
    FaultKind.DRIP: None,
    FaultKind.MALFORMED: Reason.MALFORMED,
    FaultKind.HUGE: Reason.MALFORMED,
    FaultKind.EMPTY: Reason.EMPTY,
    FaultKind.TRUNCATED: Reason.TRUNCATED,
    FaultKind.BLOCKED: Reason.BLOCKED,
    # Most models decline in words, which only a reader can tell from an answer.
    FaultKind.REFUSED: None,
}

Outcomes = Mapping[tuple[str, str], Outcome]

every_adapter = pytest.mark.parametrize("adapter", KINDS)


def cases() -> Iterator[tuple[str, str, PlatformBehaviour]]:
    for name, kind in KINDS.items():
        sound = PlatformBehaviour(
            personality=kind.personality,
            retry_after_s=WAIT_S,
            hang_s=0.05,
            drip_s=0.1,
            drip_every_s=0.05,
            huge_bytes=2 * MAX_BODY_BYTES,
            tencent_secret_key=SECRET,
        )
        yield name, "sound", sound
        yield name, SEARCHES, replace(sound, search_share=1.0)
        for fault in FaultKind:
            yield name, fault, replace(sound, faults={fault: 1.0})


def platform_id_of(adapter: str, case: str) -> str:
    return f"{adapter}-{case}"


def a_simulator() -> Simulator:
    by_platform = {platform_id_of(name, case): behaviour for name, case, behaviour in cases()}
    return Simulator(
        SimulatorSettings(by_platform=by_platform, seed=3), RecordedAnswers({PROMPT: [TEXT]})
    )


async def no_wait() -> None:
    """Let a second call of the same answer go at once."""


class Shared(httpx.AsyncBaseTransport):
    """One pool of connections for hundreds of senders, whose own take seconds to make.

    A sender that closes does not close it.
    """

    def __init__(self, network: httpx.AsyncBaseTransport) -> None:
        self._network = network

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return await self._network.handle_async_request(request)


async def ask(
    simulator: Simulator,
    adapter: str,
    case: str,
    *,
    skew_s: float = 0,
    transport: httpx.AsyncBaseTransport | None = None,
) -> Outcome:
    platform_id = platform_id_of(adapter, case)
    platform = replace(
        a_platform(platform_id), adapter=adapter, parameters=KINDS[adapter].parameters
    )
    query = Query("q", date(2026, 11, 30), platform_id, "api", "p", PROMPT, 0, 0, 0)
    sender = HttpSender(
        platform,
        KEYS,
        simulator.url_of(platform_id),
        max_body_bytes=MAX_BODY_BYTES,
        now=lambda: datetime.now(UTC) + timedelta(seconds=skew_s),
        transport=transport,
    )
    async with sender:
        return await sender.send(query, platform.accounts[0], no_wait)


async def ask_all(simulator: Simulator) -> Outcomes:
    keys = [(name, case) for name, case, _ in cases()]
    async with AiohttpTransport(trust_env=False) as network:
        shared = Shared(network)
        outcomes = await asyncio.gather(*(ask(simulator, *key, transport=shared) for key in keys))
    return dict(zip(keys, outcomes, strict=True))


@pytest.fixture(scope="module")
def simulator() -> Iterator[Simulator]:
    with a_simulator() as simulator:
        yield simulator


@pytest.fixture(scope="module")
def outcomes(simulator: Simulator) -> Outcomes:
    """Ask every adapter's platform once for every fault, all at the same time."""
    return asyncio.run(ask_all(simulator))


def answer_of(outcome: Outcome) -> Answer:
    assert isinstance(outcome, Answer), outcome
    return outcome


def failure_of(outcome: Outcome) -> Failure:
    assert isinstance(outcome, Failure), outcome
    return outcome


def test_every_adapter_is_asked() -> None:
    assert set(KINDS) == set(ADAPTERS) - {SIMULATOR}


@every_adapter
def test_an_answer_comes_with_its_text_model_and_usage(adapter: str, outcomes: Outcomes) -> None:
    answer = answer_of(outcomes[adapter, "sound"])
    assert answer.text == TEXT
    model = f"simulated-{platform_id_of(adapter, 'sound')}"
    assert answer.model == (model if KINDS[adapter].has_model else None)
    assert answer.usage.prompt_tokens
    assert answer.usage.completion_tokens
    assert answer.request_id
    assert TEXT in answer.raw_body.decode()


@every_adapter
def test_an_answer_without_a_search_names_no_source(adapter: str, outcomes: Outcomes) -> None:
    answer = answer_of(outcomes[adapter, "sound"])
    assert (answer.search, answer.sources) == (KINDS[adapter].not_found, ())


@every_adapter
def test_a_grounded_answer_says_that_it_searched_and_where(
    adapter: str, outcomes: Outcomes
) -> None:
    kind, answer = KINDS[adapter], answer_of(outcomes[adapter, SEARCHES])
    assert answer.text == TEXT
    assert answer.search is kind.found
    assert (2 <= len(answer.sources) <= 5) is kind.has_sources
    positions = [source.position for source in answer.sources]
    assert positions == list(range(1, len(positions) + 1))
    assert all("example" in source.url and source.title for source in answer.sources)


@every_adapter
@pytest.mark.parametrize("fault", FaultKind)
def test_a_fault_has_its_reason(adapter: str, fault: FaultKind, outcomes: Outcomes) -> None:
    expected = {**USUAL, **KINDS[adapter].reasons}[fault]
    outcome = outcomes[adapter, fault]
    if expected is None:
        assert answer_of(outcome).text == (REFUSAL if fault is FaultKind.REFUSED else TEXT)
    else:
        assert failure_of(outcome).reason is expected


@every_adapter
def test_a_refused_rate_is_recognised_with_the_wait_that_it_names(
    adapter: str, outcomes: Outcomes
) -> None:
    failure = failure_of(outcomes[adapter, FaultKind.RATE_LIMITED])
    assert failure.is_recognised
    assert failure.retry_after_s == KINDS[adapter].wait_s


@every_adapter
def test_a_refusal_with_an_unknown_code_is_not_recognised(adapter: str, outcomes: Outcomes) -> None:
    assert not failure_of(outcomes[adapter, FaultKind.UNKNOWN_RATE_LIMITED]).is_recognised


@every_adapter
def test_no_failure_tells_the_prompt_or_the_key(adapter: str, outcomes: Outcomes) -> None:
    for fault in FaultKind:
        outcome = outcomes[adapter, fault]
        if isinstance(outcome, Failure):
            assert PROMPT not in outcome.detail
            assert SECRET not in outcome.detail


def test_kimi_s_search_takes_two_calls_and_is_one_answer(
    simulator: Simulator, outcomes: Outcomes
) -> None:
    platforms = simulator.stats()["platforms"]
    assert isinstance(platforms, dict)
    counts = platforms[platform_id_of("kimi", SEARCHES)]
    assert (counts["sends"], counts["interim"], counts["answered"]) == (2, 1, 1)
    assert (counts["duplicates"], counts["bad_requests"]) == (0, 0)
    assert answer_of(outcomes["kimi", SEARCHES]).usage.search_count == 1


def test_a_fault_of_kimi_s_second_call_fails_the_answer_and_keeps_its_search() -> None:
    faulty = PlatformBehaviour(personality=Personality.KIMI, faults={FaultKind.SERVER_FAULT: 0.5})
    platform_id = platform_id_of("kimi", "sound")
    seed = next(
        seed
        for seed in range(100)
        if fates(faulty, seed, platform_id) == [None, FaultKind.SERVER_FAULT]
    )
    settings = SimulatorSettings(behaviour=faulty, seed=seed)
    with Simulator(settings, RecordedAnswers({PROMPT: [TEXT]})) as simulator:
        failure = failure_of(asyncio.run(ask(simulator, "kimi", "sound")))
    assert failure.reason is Reason.SERVER_FAULT
    assert failure.usage.search_count == 1


def fates(behaviour: PlatformBehaviour, seed: int, platform_id: str) -> list[FaultKind | None]:
    """Return what becomes of the prompt's first two calls."""
    keys = [CallKey(seed, platform_id, PROMPT, attempt) for attempt in (1, 2)]
    return [choose_fault(behaviour, key) for key in keys]


def test_what_anthropic_s_answer_cites_is_told_from_what_it_only_found(
    outcomes: Outcomes,
) -> None:
    sources = answer_of(outcomes["anthropic", SEARCHES]).sources
    assert [source.is_cited for source in sources[:2]] == [True, True]
    assert not any(source.is_cited for source in sources[2:])


@pytest.mark.parametrize(("skew_s", "is_answered"), [(240, True), (-240, True), (400, False)])
def test_a_clock_that_is_wrong_by_more_than_five_minutes_stops_hunyuan_s_account(
    simulator: Simulator, skew_s: float, *, is_answered: bool
) -> None:
    outcome = asyncio.run(ask(simulator, "hunyuan_native", "sound", skew_s=skew_s))
    assert isinstance(outcome, Answer) is is_answered
    if not is_answered:
        assert failure_of(outcome).reason is Reason.UNAUTHORIZED
