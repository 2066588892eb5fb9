from pathlib import Path

import pytest

from brand_visibility.adapters.asking.target import base_url_from, target_at, target_of
from brand_visibility.domain.catalog import AccountLimits
from brand_visibility.domain.errors import InputError

LIMITS = AccountLimits(rate_per_second=5, concurrency=3)
CANARY = "sk-canary-0123456789"
BASE = "https://api.example.com/v1"

CATALOG = """
platforms:
  - platform_id: deepseek
    adapter: simulator
    model: deepseek-chat
    accounts: [{account_id: main, rate_per_second: 40, concurrency: 30}]
"""


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (BASE, BASE),
        (f" {BASE}/ ", BASE),
        (f"{BASE}/chat/completions", BASE),
        (f"{BASE}/chat/completions/", BASE),
        ("http://127.0.0.1:8711/x/v1", "http://127.0.0.1:8711/x/v1"),
        ("http://127.1.2.3/v1", "http://127.1.2.3/v1"),
        ("http://localhost:1/v1", "http://localhost:1/v1"),
        ("http://[::1]:1/v1", "http://[::1]:1/v1"),
    ],
)
def test_a_url_is_the_base_or_the_full_endpoint(url: str, expected: str) -> None:
    assert base_url_from(url) == expected


@pytest.mark.parametrize(
    "url",
    [
        "",
        "api.example.com/v1",
        "ftp://api.example.com/v1",
        "http://api.example.com/v1",
        "http://10.0.0.1/v1",
        "http://localhost.example.com/v1",
        "https://",
        "https://api.example.com:x/v1",
        "https://[::1/v1",
        f"https://me:{CANARY}@api.example.com/v1",
        f"{BASE}?key={CANARY}",
        f"{BASE}#{CANARY}",
    ],
)
def test_a_url_that_no_key_should_go_to_is_refused_without_showing_secrets(url: str) -> None:
    with pytest.raises(InputError, match=r"--url: found .*expected an https URL") as caught:
        base_url_from(url)
    assert CANARY not in str(caught.value)


def test_a_url_makes_a_platform_of_one_account() -> None:
    target = target_at(BASE, model="m", limits=LIMITS, key_env="KEY", environment={"KEY": CANARY})
    assert (target.platform.model, target.base_url) == ("m", BASE)
    assert [account.limits for account in target.platform.accounts] == [LIMITS]
    assert target.keys == {"main": CANARY}
    assert CANARY not in repr(target)


def test_a_key_that_is_not_set_is_an_error() -> None:
    with pytest.raises(InputError, match="KEY: found nothing"):
        target_at(BASE, model="m", limits=LIMITS, key_env="KEY", environment={})


def test_options_replace_the_platforms_own_settings() -> None:
    target = target_at(BASE, model="m", limits=LIMITS, key_env=None, environment={})
    platform = target.adjusted(timeout_s=7.0, max_retries=0).platform
    assert (platform.attempt_timeout_s, platform.retry.max_retries) == (7.0, 0)
    kept = target.adjusted(timeout_s=None, max_retries=None).platform
    assert (kept.attempt_timeout_s, kept.retry.max_retries) == (60.0, 3)


def test_a_platform_of_the_catalog_brings_its_limits(tmp_path: Path) -> None:
    (tmp_path / "platforms.yaml").write_text(CATALOG)
    environment = {"BRAND_VISIBILITY_SIMULATOR_URL": "http://127.0.0.1:8711"}
    target = target_of(tmp_path, "deepseek", environment)
    assert target.base_url == "http://127.0.0.1:8711/deepseek/v1"
    assert target.platform.accounts[0].limits == AccountLimits(40, 30)


def test_an_unknown_platform_is_an_error_that_names_the_known_ones(tmp_path: Path) -> None:
    (tmp_path / "platforms.yaml").write_text(CATALOG)
    with pytest.raises(InputError, match="found 'gpt'; the catalog has deepseek"):
        target_of(tmp_path, "gpt", {})
