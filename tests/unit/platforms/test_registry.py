from dataclasses import replace

import pytest

from brand_visibility.adapters.platforms.registry import (
    adapter_of,
    base_url_of,
    keys_of,
)
from brand_visibility.domain.catalog import Account, AccountLimits
from brand_visibility.domain.errors import InputError
from tests.builders import a_platform

LIMITS = AccountLimits(rate_per_second=1, concurrency=1)
CANARY = "sk-canary-0123456789"


def test_an_unknown_adapter_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(InputError, match="'telepathy'; expected one of openai_compatible"):
        adapter_of(replace(a_platform(), adapter="telepathy"))


def test_a_platform_is_asked_at_its_own_url() -> None:
    platform = replace(
        a_platform(), adapter="openai_compatible", base_url="https://api.example.com/v1"
    )
    assert base_url_of(platform, {}) == "https://api.example.com/v1"


def test_a_platform_without_a_url_is_an_error() -> None:
    with pytest.raises(InputError, match="deepseek: base_url"):
        base_url_of(replace(a_platform(), adapter="openai_compatible"), {})


def test_a_simulated_platform_is_asked_at_the_simulator() -> None:
    environment = {"BRAND_VISIBILITY_SIMULATOR_URL": "http://127.0.0.1:8711/"}
    assert base_url_of(a_platform(), environment) == "http://127.0.0.1:8711/deepseek/v1"


@pytest.mark.parametrize("environment", [{}, {"BRAND_VISIBILITY_SIMULATOR_URL": " "}])
def test_a_simulated_platform_without_a_simulator_is_an_error(
    environment: dict[str, str],
) -> None:
    with pytest.raises(InputError, match="BRAND_VISIBILITY_SIMULATOR_URL: found nothing"):
        base_url_of(a_platform(), environment)


def test_keys_are_read_by_the_names_that_the_accounts_give() -> None:
    accounts = (Account("a", LIMITS, "KEY_A"), Account("b", LIMITS), Account("c", LIMITS, "KEY_C"))
    platform = replace(a_platform(), accounts=accounts)
    environment = {"KEY_A": f" {CANARY}\n", "KEY_C": "sk-other", "KEY_D": "sk-unused"}
    assert keys_of(platform, environment) == {"a": CANARY, "c": "sk-other"}


@pytest.mark.parametrize(
    ("environment", "found"),
    [
        ({}, "found nothing"),
        ({"KEY_A": "  "}, "found nothing"),
        ({"KEY_A": f"{CANARY}\r\nX-Evil: 1"}, "no header can hold"),
        ({"KEY_A": f"{CANARY} {CANARY}"}, "no header can hold"),
        ({"KEY_A": f"{CANARY}é"}, "no header can hold"),
    ],
)
def test_a_key_that_cannot_serve_is_an_error_that_does_not_show_it(
    environment: dict[str, str], found: str
) -> None:
    platform = replace(a_platform(), accounts=(Account("a", LIMITS, "KEY_A"),))
    with pytest.raises(InputError, match=found) as caught:
        keys_of(platform, environment)
    assert "KEY_A" in str(caught.value)
    assert "canary" not in str(caught.value)
