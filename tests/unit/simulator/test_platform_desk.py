from typing import Any

import pytest

from brand_visibility.simulator.desk import Denial, Desk, Floor, Visit
from brand_visibility.simulator.faults import Call, CallKey, choose_fault
from brand_visibility.simulator.settings import FaultKind, PlatformBehaviour, SimulatorSettings

FAULTY = PlatformBehaviour(faults={FaultKind.SERVER_FAULT: 0.5})


def floor_of(behaviour: PlatformBehaviour) -> Floor:
    return Floor(SimulatorSettings(behaviour=behaviour, seed=3))


def admitted(desk: Desk, at: float = 0.0) -> Visit:
    received = desk.arrive(at)
    assert isinstance(received, Visit)
    return received


def ask(desk: Desk, prompt: str) -> Call:
    with admitted(desk) as visit:
        call = visit.begin(prompt)
        if call.is_answered:
            visit.answered()
    return call


def total(floor: Floor) -> dict[str, Any]:
    counts = floor.stats()["total"]
    assert isinstance(counts, dict)
    return counts


def test_a_send_over_the_rate_is_refused_and_counted_as_a_violation() -> None:
    floor = floor_of(PlatformBehaviour(rate_limit=2))
    desk = floor.desk("kimi")
    received = [desk.arrive(at) for at in (0.0, 0.25, 0.75)]
    assert received[2] == Denial("Rate limit reached: 2 requests a second.", wait_s=0.25)
    assert (total(floor)["sends"], total(floor)["violations"]) == (3, 1)


def test_a_violation_does_not_use_up_an_attempt() -> None:
    desk = floor_of(PlatformBehaviour(rate_limit=1)).desk("kimi")
    with admitted(desk, at=0.0) as visit:
        assert visit.begin("q").key.attempt == 1
    assert isinstance(desk.arrive(0.5), Denial)
    with admitted(desk, at=1.0) as visit:
        assert visit.begin("q").key.attempt == 2


def test_a_call_after_which_the_client_is_to_ask_again_begins_no_answer() -> None:
    desk = floor_of(PlatformBehaviour()).desk("kimi")
    with admitted(desk) as visit:
        interim = visit.begin("q", is_interim=True)
    answered = ask(desk, "q")
    assert (interim.is_sound, interim.is_answered) == (True, False)
    assert (answered.key.attempt, answered.answer_number) == (2, 0)


def test_a_call_too_many_in_flight_is_refused_and_counted_apart() -> None:
    floor = floor_of(PlatformBehaviour(max_concurrency=1))
    desk = floor.desk("kimi")
    with admitted(desk):
        assert isinstance(desk.arrive(0.0), Denial)
    assert isinstance(desk.arrive(0.0), Visit)
    assert (total(floor)["violations"], total(floor)["concurrency_violations"]) == (0, 1)


def test_limits_of_one_platform_leave_the_others_alone() -> None:
    floor = floor_of(PlatformBehaviour(rate_limit=1))
    assert isinstance(floor.desk("kimi").arrive(0.0), Visit)
    assert isinstance(floor.desk("deepseek").arrive(0.0), Visit)
    assert isinstance(floor.desk("kimi").arrive(0.0), Denial)


def test_an_injected_429_is_no_violation() -> None:
    floor = floor_of(PlatformBehaviour(faults={FaultKind.RATE_LIMITED: 1.0}))
    assert ask(floor.desk("kimi"), "q").fault is FaultKind.RATE_LIMITED
    assert total(floor)["faults"] == {"rate_limited": 1}
    assert total(floor)["violations"] == 0


def test_attempts_of_each_prompt_are_counted_apart() -> None:
    desk = floor_of(PlatformBehaviour()).desk("kimi")
    attempts = [ask(desk, prompt).key.attempt for prompt in ("a", "b", "a", "a", "b")]
    assert attempts == [1, 1, 2, 3, 2]


def test_a_retry_after_a_fault_is_the_same_answer_and_a_repeat_the_next() -> None:
    desk = floor_of(FAULTY).desk("kimi")
    calls = [ask(desk, "q") for _ in range(20)]
    sound = [call.answer_number for call in calls if call.fault is None]
    assert sound == list(range(len(sound)))
    assert 0 < len(sound) < len(calls)


def test_two_repeats_in_flight_get_different_answers() -> None:
    desk = floor_of(PlatformBehaviour()).desk("kimi")
    with admitted(desk) as first, admitted(desk) as second:
        assert [first.begin("q").answer_number, second.begin("q").answer_number] == [0, 1]


def test_the_order_of_prompts_does_not_change_their_faults() -> None:
    prompts = [f"q{number}" for number in range(40)]
    met = []
    for order in (prompts, prompts[::-1]):
        desk = floor_of(FAULTY).desk("kimi")
        met.append({prompt: ask(desk, prompt).fault for prompt in order})
    assert met[0] == met[1]
    assert set(met[0].values()) == {None, FaultKind.SERVER_FAULT}


def test_the_desk_chooses_faults_by_the_public_rule() -> None:
    desk = floor_of(FAULTY).desk("kimi")
    for attempt in range(1, 10):
        key = CallKey(seed=3, platform_id="kimi", prompt="q", attempt=attempt)
        assert ask(desk, "q").fault is choose_fault(FAULTY, key)


def test_a_prompt_answered_again_counts_once_as_a_duplicate() -> None:
    floor = floor_of(PlatformBehaviour())
    for prompt in ("a", "a", "a", "b"):
        ask(floor.desk("kimi"), prompt)
    counts = total(floor)
    named = ("answered", "distinct_prompts", "answered_prompts", "duplicates")
    assert [counts[name] for name in named] == [4, 2, 2, 1]


def test_the_total_sees_all_platforms_as_one_stream() -> None:
    floor = floor_of(PlatformBehaviour())
    with admitted(floor.desk("kimi"), at=0.0), admitted(floor.desk("deepseek"), at=0.5):
        pass
    admitted(floor.desk("kimi"), at=1.25)
    counts = total(floor)
    assert (counts["sends"], counts["busiest_second"], counts["in_flight_max"]) == (3, 2, 2)
    assert floor.desk("kimi").stats()["busiest_second"] == 1
    assert floor.desk("kimi").stats()["in_flight_max"] == 1


def test_after_a_reset_the_next_client_meets_the_same_faults() -> None:
    floor = floor_of(FAULTY)
    desk = floor.desk("kimi")
    before = [ask(desk, "q").fault for _ in range(10)]
    floor.reset()
    assert total(floor)["sends"] == 0
    assert [ask(desk, "q").fault for _ in range(10)] == before


def test_a_reset_forgets_no_limit_and_no_call_in_flight() -> None:
    floor = floor_of(PlatformBehaviour(rate_limit=2, max_concurrency=1))
    desk = floor.desk("kimi")
    with admitted(desk, at=0.0) as visit:
        floor.reset()
        assert isinstance(desk.arrive(0.1), Denial)
        assert isinstance(desk.arrive(0.2), Denial)
        visit.begin("q")
        visit.answered()
    counts = total(floor)
    named = ("in_flight_max", "violations", "concurrency_violations", "answered")
    assert [counts[name] for name in named] == [1, 1, 1, 0]


def test_a_visit_cannot_be_answered_before_it_began() -> None:
    visit = admitted(floor_of(PlatformBehaviour()).desk("kimi"))
    with pytest.raises(RuntimeError, match="before it began"):
        visit.answered()
