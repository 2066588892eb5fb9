from collections.abc import Callable

import pytest

from brand_visibility.domain.errors import InputError
from brand_visibility.simulator.settings import (
    FaultKind,
    Latency,
    PlatformBehaviour,
    SimulatorSettings,
)


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: Latency(median_s=-0.1), "median_s"),
        (lambda: Latency(median_s=float("nan")), "median_s"),
        (lambda: Latency(median_s=0.0, p99_s=float("inf")), "p99_s"),
        (lambda: Latency(median_s=2.0, p99_s=1.9), "p99_s"),
        (lambda: PlatformBehaviour(rate_limit=0), "rate_limit"),
        (lambda: PlatformBehaviour(max_concurrency=0), "max_concurrency"),
        (lambda: PlatformBehaviour(hang_s=-1), "hang_s"),
        (lambda: PlatformBehaviour(drip_every_s=0), "drip_every_s"),
        (lambda: PlatformBehaviour(search_share=-0.1), "search_share"),
        (lambda: PlatformBehaviour(search_share=1.1), "search_share"),
        (lambda: PlatformBehaviour(faults={FaultKind.EMPTY: 1.01}), "empty"),
        (lambda: PlatformBehaviour(faults={FaultKind.EMPTY: -0.01}), "empty"),
        (lambda: PlatformBehaviour(faults={FaultKind.EMPTY: 0.6, FaultKind.HANG: 0.5}), "1.1"),
    ],
)
def test_an_impossible_setting_is_named(make: Callable[[], object], field: str) -> None:
    with pytest.raises(InputError, match=field):
        make()


@pytest.mark.parametrize(
    "make",
    [
        lambda: Latency(median_s=2.0, p99_s=2.0),
        lambda: PlatformBehaviour(rate_limit=1, max_concurrency=1),
        lambda: PlatformBehaviour(search_share=1.0),
        lambda: PlatformBehaviour(faults={FaultKind.EMPTY: 1.0}),
        lambda: PlatformBehaviour(
            faults={FaultKind.EMPTY: 0.7, FaultKind.HANG: 0.2, FaultKind.HUGE: 0.1}
        ),
    ],
)
def test_a_setting_at_the_edge_of_the_possible_is_taken(make: Callable[[], object]) -> None:
    assert make() is not None


def test_a_secret_is_never_shown() -> None:
    assert "hidden" not in repr(PlatformBehaviour(tencent_secret_key="hidden"))


def test_a_platform_of_its_own_behaviour_does_not_share_the_default() -> None:
    slow = PlatformBehaviour(latency=Latency(5.0, 9.0))
    settings = SimulatorSettings(by_platform={"kimi": slow})
    assert settings.behaviour_of("kimi") is slow
    assert settings.behaviour_of("deepseek") is settings.behaviour
