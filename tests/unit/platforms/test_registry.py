from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from brand_visibility.adapters.platforms import registry
from brand_visibility.adapters.platforms.adapter import Adapter
from brand_visibility.adapters.platforms.registry import (
    ADAPTERS,
    GENERIC,
    SIMULATOR,
    adapter_of,
    base_url_of,
    is_simulated,
    keys_of,
    load_adapter,
)
from brand_visibility.adapters.platforms.tencent_signature import read_credential
from brand_visibility.domain.catalog import Account, AccountLimits, Platform
from brand_visibility.domain.errors import InputError
from tests.builders import a_platform

LIMITS = AccountLimits(rate_per_second=1, concurrency=1)
CANARY = "sk-canary-0123456789"
SIMULATOR_AT = {"BRAND_VISIBILITY_SIMULATOR_URL": "http://127.0.0.1:8711/"}
OWN = sorted(set(ADAPTERS) - {GENERIC, SIMULATOR})


def asked_through(adapter: str, *accounts: Account) -> Platform:
    return replace(a_platform(), adapter=adapter, accounts=accounts or a_platform().accounts)


@pytest.mark.parametrize("name", sorted(ADAPTERS))
def test_every_line_of_the_registry_leads_to_an_adapter(name: str) -> None:
    assert isinstance(load_adapter(name), Adapter)


def test_every_adapter_beside_the_registry_has_a_line_in_it() -> None:
    folder = Path(registry.__file__).parent
    adapters = {path.stem for path in folder.glob("*.py") if "\nADAPTER = " in path.read_text()}
    assert adapters == set(ADAPTERS.values())


@pytest.mark.parametrize("name", OWN)
def test_a_platforms_own_adapter_asks_one_of_its_own_hosts_over_https(name: str) -> None:
    adapter = load_adapter(name)
    parts = urlsplit(adapter.base_url or "")
    assert parts.scheme == "https"
    assert parts.hostname in adapter.hosts


@pytest.mark.parametrize("name", [GENERIC, SIMULATOR])
def test_the_generic_adapter_knows_no_host_and_no_address(name: str) -> None:
    assert (load_adapter(name).hosts, load_adapter(name).base_url) == ((), None)


def test_an_unknown_adapter_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(InputError, match="'telepathy'; expected one of openai_compatible"):
        adapter_of(asked_through("telepathy"))


@pytest.mark.parametrize(
    ("base_url", "asked"),
    [
        ("https://api.deepseek.com/beta", "https://api.deepseek.com/beta"),
        (None, "https://api.deepseek.com"),
    ],
)
def test_a_platform_is_asked_at_its_own_url_or_else_at_its_adapters(
    base_url: str | None, asked: str
) -> None:
    platform = replace(asked_through("deepseek"), base_url=base_url)
    assert base_url_of(platform, {}) == asked


def test_a_platform_without_a_url_is_an_error() -> None:
    with pytest.raises(InputError, match="deepseek: base_url"):
        base_url_of(asked_through(GENERIC), {})


@pytest.mark.parametrize(
    "platform",
    [asked_through(SIMULATOR)]
    + [replace(asked_through(name), is_simulated=True) for name in sorted(ADAPTERS)],
    ids=lambda platform: platform.adapter,
)
def test_a_simulated_platform_is_asked_at_the_simulator_whatever_its_adapter(
    platform: Platform,
) -> None:
    assert is_simulated(platform)
    assert base_url_of(platform, SIMULATOR_AT) == "http://127.0.0.1:8711/deepseek/v1"


def test_a_platform_of_an_own_adapter_is_not_simulated_unless_it_says_so() -> None:
    assert not is_simulated(asked_through("deepseek"))


@pytest.mark.parametrize("environment", [{}, {"BRAND_VISIBILITY_SIMULATOR_URL": " "}])
def test_a_simulated_platform_without_a_simulator_is_an_error(
    environment: dict[str, str],
) -> None:
    with pytest.raises(InputError, match="BRAND_VISIBILITY_SIMULATOR_URL: found nothing"):
        base_url_of(a_platform(), environment)


def test_keys_are_read_by_the_names_that_the_accounts_give() -> None:
    accounts = (Account("a", LIMITS, "KEY_A"), Account("b", LIMITS), Account("c", LIMITS, "KEY_C"))
    environment = {"KEY_A": f" {CANARY}\n", "KEY_C": "sk-other", "KEY_D": "sk-unused"}
    assert keys_of(asked_through(GENERIC, *accounts), environment) == {"a": CANARY, "c": "sk-other"}


def test_a_simulated_platform_gets_made_up_keys_and_no_real_one() -> None:
    accounts = (Account("a", LIMITS, "KEY_A"), Account("b", LIMITS))
    platform = replace(asked_through("deepseek", *accounts), is_simulated=True)
    keys = keys_of(platform, {"KEY_A": CANARY})
    assert keys == {"a": "simulated-a", "b": "simulated-b"}


def test_a_made_up_key_has_the_form_that_the_adapter_wants() -> None:
    platform = replace(asked_through("hunyuan_native"), is_simulated=True)
    credential = read_credential(keys_of(platform, {})["main"])
    assert (credential.secret_id, credential.secret_key) == ("simulated-main", "simulated-main")


@pytest.mark.parametrize(
    ("adapter", "key", "found"),
    [
        (GENERIC, None, "found nothing"),
        (GENERIC, "  ", "found nothing"),
        (GENERIC, f"{CANARY}\r\nX-Evil: 1", "no header can hold"),
        (GENERIC, f"{CANARY} {CANARY}", "no header can hold"),
        (GENERIC, f"{CANARY}é", "no header can hold"),
        ("hunyuan_native", CANARY, "without 2 parts"),
        ("hunyuan_native", f"{CANARY}:", "without 2 parts"),
        ("hunyuan_native", f":{CANARY}", "without 2 parts"),
        ("hunyuan_native", f"{CANARY}: {CANARY}", "no header can hold"),
    ],
)
def test_a_key_that_cannot_serve_is_an_error_that_does_not_show_it(
    adapter: str, key: str | None, found: str
) -> None:
    platform = asked_through(adapter, Account("a", LIMITS, "KEY_A"))
    with pytest.raises(InputError, match=found) as caught:
        keys_of(platform, {} if key is None else {"KEY_A": key})
    assert "KEY_A" in str(caught.value)
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize("key", ["AKID:canary", "AKID:canary:with:more"])
def test_a_key_of_two_parts_is_read_as_it_is_signed_with(key: str) -> None:
    platform = asked_through("hunyuan_native", Account("a", LIMITS, "KEY_A"))
    assert keys_of(platform, {"KEY_A": key}) == {"a": key}
    assert read_credential(key).secret_id == "AKID"
