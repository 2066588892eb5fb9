import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brand_visibility.domain.catalog import RetrySettings
from brand_visibility.domain.outcomes import Failure, Reason
from brand_visibility.domain.retry import STOPS_ACCOUNT, RetryRules

NEVER = None
ONCE_MORE = (1.0, 2.0)
NEARLY_30 = (27.0, 30.0)

# reason, retries made before, the range of the wait or NEVER
RULES = [
    (Reason.RATE_LIMITED, 0, (1.0, 2.0)),
    (Reason.RATE_LIMITED, 1, (2.0, 4.0)),
    (Reason.RATE_LIMITED, 2, (4.0, 8.0)),
    (Reason.RATE_LIMITED, 3, NEVER),
    (Reason.RATE_LIMITED, 4, NEVER),
    (Reason.TIMED_OUT, 0, (10.0, 15.0)),
    (Reason.TIMED_OUT, 1, (20.0, 25.0)),
    (Reason.TIMED_OUT, 2, (40.0, 45.0)),
    (Reason.TIMED_OUT, 3, NEVER),
    (Reason.SERVER_FAULT, 0, NEARLY_30),
    (Reason.SERVER_FAULT, 2, NEARLY_30),
    (Reason.SERVER_FAULT, 3, NEVER),
    (Reason.UNREACHABLE, 0, NEARLY_30),
    (Reason.UNREACHABLE, 2, NEARLY_30),
    (Reason.UNREACHABLE, 3, NEVER),
    (Reason.CONNECTION_LOST, 0, ONCE_MORE),
    (Reason.CONNECTION_LOST, 1, NEVER),
    (Reason.MALFORMED, 0, ONCE_MORE),
    (Reason.MALFORMED, 1, NEVER),
    (Reason.EMPTY, 0, ONCE_MORE),
    (Reason.EMPTY, 1, NEVER),
    (Reason.QUOTA_EXHAUSTED, 0, NEVER),
    (Reason.UNAUTHORIZED, 0, NEVER),
    (Reason.REJECTED, 0, NEVER),
    (Reason.REFUSED, 0, NEVER),
    (Reason.BLOCKED, 0, NEVER),
    (Reason.TRUNCATED, 0, NEVER),
    (Reason.CUT_OFF, 0, NEVER),
    (Reason.OVER_BUDGET, 0, NEVER),
]


def wait_after(
    reason: Reason,
    retries_made: int = 0,
    *,
    retry_after_s: float | None = None,
    seed: int = 1,
    **settings: float,
) -> float | None:
    rules = RetryRules(RetrySettings(**settings))  # type: ignore[arg-type]
    failure = Failure(reason, retry_after_s=retry_after_s)
    return rules.next_wait(failure, retries_made, random.Random(seed))


@pytest.mark.parametrize(("reason", "retries_made", "expected"), RULES)
def test_each_reason_has_its_wait(
    reason: Reason, retries_made: int, expected: tuple[float, float] | None
) -> None:
    waits = [wait_after(reason, retries_made, seed=seed) for seed in range(50)]
    if expected is NEVER:
        assert set(waits) == {None}
    else:
        assert all(wait is not None and expected[0] <= wait <= expected[1] for wait in waits)
        assert len(set(waits)) > 1, "a wait without jitter lets a crowd come back at once"


def test_the_table_names_every_reason() -> None:
    assert {reason for reason, _, _ in RULES} == set(Reason)


@pytest.mark.parametrize(
    ("named_s", "cap_s", "expected"),
    [(1.0, 600.0, 1.0), (600.0, 600.0, 600.0), (600.1, 600.0, None), (90.0, 60.0, None)],
)
def test_the_platforms_own_time_goes_first_up_to_the_cap(
    named_s: float, cap_s: float, expected: float | None
) -> None:
    for reason in (Reason.RATE_LIMITED, Reason.SERVER_FAULT):
        wait = wait_after(reason, retry_after_s=named_s, longest_platform_wait_s=cap_s)
        assert wait == expected


def test_a_named_time_of_zero_names_no_time() -> None:
    wait = wait_after(Reason.RATE_LIMITED, retry_after_s=0.0)
    assert wait is not None
    assert wait >= 1.0


def test_a_named_time_grants_no_further_attempt() -> None:
    assert wait_after(Reason.RATE_LIMITED, 3, retry_after_s=1.0) is None
    assert wait_after(Reason.REJECTED, 0, retry_after_s=1.0) is None


def test_the_backoff_of_a_rate_limit_stays_below_its_cap() -> None:
    waits = [wait_after(Reason.RATE_LIMITED, 9, seed=seed, max_retries=99) for seed in range(50)]
    assert all(wait is not None and 30.0 <= wait <= 60.0 for wait in waits)


@pytest.mark.parametrize(
    ("max_retries", "retries_made", "is_retried"),
    [(0, 0, False), (1, 0, True), (1, 1, False), (5, 4, True), (5, 5, False)],
)
def test_a_platform_sets_its_own_number_of_retries(
    max_retries: int, retries_made: int, *, is_retried: bool
) -> None:
    wait = wait_after(Reason.TIMED_OUT, retries_made, max_retries=max_retries)
    assert (wait is not None) is is_retried


def test_no_retries_means_none_for_a_lost_connection_too() -> None:
    assert wait_after(Reason.CONNECTION_LOST, 0, max_retries=0) is None


def test_waits_after_server_faults_are_spread_evenly_below_the_nominal_one() -> None:
    waits = [wait_after(Reason.SERVER_FAULT, seed=seed) or 0.0 for seed in range(2_000)]
    assert sum(waits) / len(waits) == pytest.approx(28.5, abs=0.1)
    assert min(waits) == pytest.approx(27.0, abs=0.05)
    assert max(waits) == pytest.approx(30.0, abs=0.05)


def test_the_same_random_numbers_give_the_same_wait() -> None:
    first = wait_after(Reason.TIMED_OUT, seed=3)
    assert first == wait_after(Reason.TIMED_OUT, seed=3)
    assert first != wait_after(Reason.TIMED_OUT, seed=4)


def test_an_account_stops_for_what_no_retry_can_mend() -> None:
    assert {Reason.QUOTA_EXHAUSTED, Reason.UNAUTHORIZED} == STOPS_ACCOUNT
    assert all(wait_after(reason) is None for reason in STOPS_ACCOUNT)


@given(
    reason=st.sampled_from(Reason),
    retries_made=st.integers(0, 50),
    max_retries=st.integers(0, 10),
    named_s=st.none() | st.floats(0, 1e6),
)
def test_a_wait_is_never_negative_and_never_beyond_the_last_retry(
    reason: Reason, retries_made: int, max_retries: int, named_s: float | None
) -> None:
    wait = wait_after(reason, retries_made, retry_after_s=named_s, max_retries=max_retries)
    if retries_made >= max_retries:
        assert wait is None
    else:
        assert wait is None or wait >= 0
