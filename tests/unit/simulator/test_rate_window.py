import pytest
from hypothesis import given
from hypothesis import strategies as st

from brand_visibility.simulator.window import BusiestSecond, RateWindow

# Eighths add up exactly, so that "exactly one second" occurs and is judged as such.
GAPS = st.lists(st.integers(0, 12).map(lambda eighths: eighths / 8), max_size=60)


def times(gaps: list[float]) -> list[float]:
    reached = 0.0
    return [reached := reached + gap for gap in gaps]


@given(gaps=GAPS, limit=st.integers(1, 5))
def test_no_sliding_second_holds_more_than_the_limit(gaps: list[float], limit: int) -> None:
    window = RateWindow(limit)
    admitted = [at for at in times(gaps) if window.admit(at)]
    busiest = max(
        (sum(1 for at in admitted if 0 <= at - start < 1) for start in admitted), default=0
    )
    assert busiest <= limit


@given(gaps=GAPS, limit=st.integers(1, 5))
def test_a_send_is_refused_only_when_its_second_is_full(gaps: list[float], limit: int) -> None:
    window = RateWindow(limit)
    admitted: list[float] = []
    for at in times(gaps):
        is_full = sum(1 for earlier in admitted if at - earlier < 1) >= limit
        assert window.admit(at) is not is_full
        if not is_full:
            admitted.append(at)


@given(gaps=GAPS, limit=st.integers(1, 5))
def test_after_the_named_wait_a_send_is_admitted(gaps: list[float], limit: int) -> None:
    window = RateWindow(limit)
    reached = times(gaps)
    for at in reached:
        window.admit(at)
    last = reached[-1] if reached else 0.0
    assert window.admit(last + window.wait_s(last))


@pytest.mark.parametrize(
    ("second_send_at", "is_admitted"), [(0.0, False), (0.999, False), (1.0, True), (1.001, True)]
)
def test_a_place_is_free_again_after_exactly_one_second(
    second_send_at: float, is_admitted: bool
) -> None:
    window = RateWindow(1)
    assert window.admit(0.0)
    assert window.admit(second_send_at) is is_admitted


def test_a_refused_send_takes_no_place() -> None:
    window = RateWindow(1)
    assert [window.admit(at) for at in (0.0, 0.9, 1.0)] == [True, False, True]


def test_nobody_waits_while_there_is_a_place() -> None:
    window = RateWindow(2)
    window.admit(5.0)
    assert window.wait_s(5.0) == 0.0


@given(gaps=GAPS)
def test_the_busiest_second_is_what_counting_every_second_finds(gaps: list[float]) -> None:
    busiest = BusiestSecond()
    reached = times(gaps)
    for at in reached:
        busiest.note(at)
    counted = (sum(1 for at in reached if 0 <= at - start < 1) for start in reached)
    assert busiest.most == max(counted, default=0)
