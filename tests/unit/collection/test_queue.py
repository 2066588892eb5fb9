"""The order of queries: ranks, ageing, fair share, retries."""

from collections import Counter

import pytest
from engine_world import a_query
from hypothesis import given
from hypothesis import strategies as st
from served_queries import a_served_query

from brand_visibility.collection.ports import Pending
from brand_visibility.collection.queue import AGEING_S, QueryQueue, Queued


def ids(taken: list[Queued]) -> list[str]:
    return [queued.query_id for queued in taken]


def a_queue(*priorities: int) -> QueryQueue:
    queue = QueryQueue()
    for number, priority in enumerate(priorities):
        queue.add(Pending(a_query(f"q{number}", priority=priority)))
    return queue


def add(queue: QueryQueue, name: str, now: float = 0.0, **fields: object) -> None:
    queue.add(a_served_query(name, **fields), now)


def test_the_higher_priority_goes_first_and_equals_go_in_order() -> None:
    assert ids(a_queue(0, 5, 0, 5, 9).take(5)) == ["q4", "q1", "q3", "q0", "q2"]


def test_taking_more_than_there_is_takes_all() -> None:
    queue = a_queue(0, 0)
    assert len(queue.take(10)) == 2
    assert queue.ready_count == 0
    assert queue.take(1) == []


def test_optional_repeats_come_after_everything_else() -> None:
    queue = QueryQueue()
    add(queue, "urgent repeat", repeat=1, priority=100)
    add(queue, "first", priority=-100)
    add(queue, "repeat", repeat=2)
    assert ids(queue.take(3)) == ["first", "urgent repeat", "repeat"]


def test_a_query_put_back_keeps_its_place() -> None:
    queue = a_queue(0, 0)
    (first,) = queue.take(1)
    queue.add(Pending(a_query("young")))
    queue.put_back(first)
    assert ids(queue.take(3)) == ["q0", "q1", "young"]


def test_a_deferred_query_is_not_ready_before_its_time() -> None:
    queue = a_queue(0)
    (only,) = queue.take(1)
    queue.defer(only, 10.0)
    assert (queue.ready_count, queue.deferred_count, queue.next_due) == (0, 1, 10.0)
    assert queue.promote(9.999) == 0
    assert queue.promote(10.0) == 1
    assert (queue.ready_count, queue.deferred_count, queue.next_due) == (1, 0, None)


def test_a_retry_goes_before_younger_queries_of_its_priority() -> None:
    queue = a_queue(0, 0, 0)
    (first,) = queue.take(1)
    queue.defer(first.after_attempt(), 1.0)
    queue.promote(1.0)
    assert ids(queue.take(3)) == ["q0", "q1", "q2"]


def test_a_retry_counts_its_attempts() -> None:
    (queued,) = a_queue(0).take(1)
    again = queued.after_attempt()
    assert (queued.attempt_number, again.attempt_number) == (1, 2)


def test_attempts_of_an_earlier_process_count() -> None:
    queue = QueryQueue()
    queue.add(Pending(a_query("q"), attempts_made=2))
    assert queue.take(1)[0].attempt_number == 3


def test_the_best_rank_is_that_of_the_next_query() -> None:
    queue = a_queue(1, 3)
    assert queue.best_rank == queue.take(1)[0].rank
    queue.take(1)
    assert queue.best_rank is None


def test_only_a_more_urgent_query_has_a_better_rank_than_one_of_another_tenant() -> None:
    queue = QueryQueue()
    add(queue, "a", tenants="a")
    (staged,) = queue.take(1)
    add(queue, "b", tenants="b")
    assert queue.best_rank == staged.rank
    add(queue, "urgent", tenants="a", priority=1)
    assert queue.best_rank is not None
    assert queue.best_rank < staged.rank


@pytest.mark.parametrize(
    ("seconds", "order"),
    [
        (AGEING_S - 1, ["late", "early"]),
        (AGEING_S, ["early", "late"]),
        (3 * AGEING_S, ["early", "late"]),
    ],
)
def test_ten_minutes_of_waiting_make_up_for_one_class(seconds: float, order: list[str]) -> None:
    queue = QueryQueue()
    add(queue, "early", now=5_000.0, priority=0)
    add(queue, "late", now=5_000.0 + seconds, priority=1)
    assert ids(queue.take(2)) == order


def test_a_late_urgent_query_overtakes_those_that_have_not_waited_long_enough() -> None:
    queue = QueryQueue(ageing_s=60)
    add(queue, "early", priority=0)
    add(queue, "late", now=300.0, priority=6)
    assert ids(queue.take(2)) == ["late", "early"]


def test_tenants_take_turns_whatever_the_order_of_arrival() -> None:
    queue = QueryQueue()
    for name in ("a1", "a2", "a3", "b1", "b2", "b3"):
        add(queue, name, tenants=name[0])
    assert ids(queue.take(6)) == ["a1", "b1", "a2", "b2", "a3", "b3"]


def test_a_tenant_of_twice_the_weight_gets_twice_the_turns() -> None:
    queue = QueryQueue()
    for number in range(300):
        add(queue, f"heavy-{number}", tenants=("heavy",), weights=(2.0,))
        add(queue, f"light-{number}", tenants=("light",), weights=(1.0,))
    taken = Counter(name.partition("-")[0] for name in ids(queue.take(300)))
    assert abs(taken["heavy"] - 200) <= 1


def test_a_query_for_two_tenants_costs_each_of_them_half_a_turn() -> None:
    queue = QueryQueue()
    for number in range(400):
        add(queue, f"shared-{number}", tenants="ab")
    for name in "abc":
        for number in range(400):
            add(queue, f"{name}-{number}", tenants=name)
    taken = Counter(name.partition("-")[0] for name in ids(queue.take(600)))
    # 400 shared ones are 200 turns of each; c had as many of its own by then.
    assert abs(taken["shared"] - 400) <= 2
    assert abs(taken["c"] - 200) <= 2


def test_a_small_tenant_does_not_wait_for_the_backlog_of_one_it_shares_a_query_with() -> None:
    queue = QueryQueue()
    for number in range(1_000):
        add(queue, f"big-{number}", tenants="b")
    add(queue, "shared", tenants="bs")
    assert "shared" in ids(queue.take(2))


def test_a_tenant_that_comes_late_has_no_turns_to_make_up() -> None:
    queue = QueryQueue()
    for number in range(100):
        add(queue, f"a{number}", tenants="a")
    queue.take(50)
    for number in range(100):
        add(queue, f"b{number}", tenants="b")
    taken = Counter(name[0] for name in ids(queue.take(20)))
    assert abs(taken["a"] - taken["b"]) <= 1


def finish_of_the_small(size_of_the_big: int, *, shares_questions: bool) -> dict[str, int]:
    """Return how many queries were sent when each of nine tenants of 200 was done."""
    queue = QueryQueue()
    for number in range(size_of_the_big):
        add(queue, f"big-{number}", tenants=("big",))
    for tenant in range(9):
        for number in range(200):
            others = ("big",) if shares_questions and number % 4 == 0 else ()
            add(queue, f"t{tenant}-{number}", tenants=(f"t{tenant}", *others))
    last: dict[str, int] = {}
    for position, name in enumerate(ids(queue.take(size_of_the_big + 1_800))):
        last[name.partition("-")[0]] = position
    return {name: position for name, position in last.items() if name != "big"}


@pytest.mark.parametrize("shares_questions", [False, True])
def test_a_tenant_100_times_bigger_moves_the_others_finish_by_at_most_a_tenth(
    *, shares_questions: bool
) -> None:
    among_equals = finish_of_the_small(200, shares_questions=shares_questions)
    beside_a_giant = finish_of_the_small(20_000, shares_questions=shares_questions)
    assert len(among_equals) == 9
    for tenant, position in among_equals.items():
        assert beside_a_giant[tenant] <= 1.1 * position


ARRIVALS = st.lists(
    st.tuples(
        st.integers(-3, 3),  # priority
        st.integers(0, 2),  # repeat
        st.integers(0, 5),  # periods of ageing after the first
        st.sampled_from(["a", "b", "c", "ab", "abc", ""]),
    ),
    max_size=60,
).map(lambda arrivals: sorted(arrivals, key=lambda arrival: arrival[2]))


def filled(arrivals: list[tuple[int, int, int, str]]) -> QueryQueue:
    queue = QueryQueue(ageing_s=1.0)
    for number, (priority, repeat, period, tenants) in enumerate(arrivals):
        add(queue, f"q{number}", float(period), priority=priority, repeat=repeat, tenants=tenants)
    return queue


@given(ARRIVALS, st.lists(st.none() | st.floats(0, 100), min_size=60, max_size=60))
def test_whatever_is_deferred_every_query_comes_out_once_and_in_its_old_place(
    arrivals: list[tuple[int, int, int, str]], dues: list[float | None]
) -> None:
    queue = filled(arrivals)
    order = queue.take(len(arrivals))
    deferred = 0
    for queued, due in zip(order, dues, strict=False):
        if due is None:
            queue.put_back(queued)
        else:
            queue.defer(queued, due)
            deferred += 1
    assert queue.promote(100) == deferred
    assert queue.take(len(arrivals)) == order
    assert len(set(ids(order))) == len(arrivals)


@given(ARRIVALS)
def test_no_query_goes_after_one_that_is_less_urgent_and_came_later(
    arrivals: list[tuple[int, int, int, str]],
) -> None:
    order = [int(name[1:]) for name in ids(filled(arrivals).take(len(arrivals)))]
    for position, first in enumerate(order):
        priority, repeat, period, tenants = arrivals[first]
        for later in order[position + 1 :]:
            other_priority, other_repeat, other_period, others = arrivals[later]
            if (repeat > 0) != (other_repeat > 0):
                assert repeat == 0
                continue
            # As urgent by now, and of the same tenants only when it came first.
            assert priority - period >= other_priority - other_period
            if tenants == others and priority - period == other_priority - other_period:
                assert first < later


@given(st.integers(-100, 100), st.integers(-100, 100))
def test_nothing_starves_behind_more_urgent_queries_that_keep_coming(
    waiting: int, urgent: int
) -> None:
    queue = QueryQueue(ageing_s=1.0)
    add(queue, "waiting", priority=waiting)
    sent = 0
    for second in range(300):
        add(queue, f"urgent-{second}", float(second), priority=urgent, tenants="b")
        (queued,) = queue.take(1)
        if queued.query_id == "waiting":
            break
        sent += 1
    assert sent <= max(0, urgent - waiting) + 1
