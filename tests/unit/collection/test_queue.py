from engine_world import a_query
from hypothesis import given
from hypothesis import strategies as st

from brand_visibility.collection.ports import Pending
from brand_visibility.collection.queue import QueryQueue, Queued


def ids(taken: list[Queued]) -> list[str]:
    return [queued.query_id for queued in taken]


def a_queue(*priorities: int) -> QueryQueue:
    queue = QueryQueue()
    for number, priority in enumerate(priorities):
        queue.add(Pending(a_query(f"q{number}", priority=priority)))
    return queue


def test_the_higher_priority_goes_first_and_equals_go_in_order() -> None:
    assert ids(a_queue(0, 5, 0, 5, 9).take(5)) == ["q4", "q1", "q3", "q0", "q2"]


def test_taking_more_than_there_is_takes_all() -> None:
    queue = a_queue(0, 0)
    assert len(queue.take(10)) == 2
    assert queue.ready_count == 0
    assert queue.take(1) == []


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


@given(st.lists(st.tuples(st.integers(-5, 5), st.none() | st.floats(0, 100)), max_size=60))
def test_whatever_is_deferred_every_query_comes_out_once_by_priority(
    plan: list[tuple[int, float | None]],
) -> None:
    queue = a_queue(*(priority for priority, _ in plan))
    dues = {f"q{number}": due for number, (_, due) in enumerate(plan)}
    for queued in queue.take(len(plan)):
        due = dues[queued.query_id]
        if due is None:
            queue.put_back(queued)
        else:
            queue.defer(queued, due)
    assert queue.promote(100) == sum(due is not None for due in dues.values())
    taken = queue.take(len(plan))
    assert sorted(ids(taken)) == sorted(dues)
    assert [(one.rank, one.age) for one in taken] == sorted((one.rank, one.age) for one in taken)
