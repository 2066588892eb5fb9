"""One edit of `platforms.yaml` makes one fault, and no fault shows a secret."""

from pathlib import Path

import pytest
from catalog_files import Case, Edit, apply, assert_one_fault, faults_of

from brand_visibility.adapters.catalog.loader import load_catalog, load_platforms

SIMULATOR = {"BRAND_VISIBILITY_SIMULATOR_URL": "http://127.0.0.1:1"}
FIRST_ACCOUNT = "accounts: [{account_id: main, rate_per_second: 20, concurrency: 20}]"
PLAYED = "adapter: hunyuan\n    simulated: true\n"
MODEL = "model: hunyuan-turbos\n"
REMOTE = "adapter: deepseek\n    model: m\n    "
GENERIC = "adapter: openai_compatible\n    model: m\n    "
KEYED = "accounts: [{account_id: main, key_env: SOME_KEY, rate_per_second: 1, concurrency: 1}]"
KEYLESS = "accounts: [{account_id: main, rate_per_second: 1, concurrency: 1}]"


def platforms(old: str, new: str) -> Edit:
    return Edit("platforms.yaml", old, new)


def account(written: str) -> Edit:
    return platforms(FIRST_ACCOUNT, f"§accounts: [{{{written}}}]")


def remote(written: str) -> Edit:
    """Turn the first platform into a remote one."""
    return platforms(f"{PLAYED}    {MODEL}    {FIRST_ACCOUNT}", written)


FAULTS: dict[str, Case] = {
    "an unknown adapter": (
        platforms("adapter: hunyuan", "§adapter: carrier_pigeon"),
        "platforms[0].adapter",
        "'carrier_pigeon'",
        "one of the adapters openai_compatible, openai_chat",
    ),
    "no account": (
        platforms(FIRST_ACCOUNT, "§accounts: []"),
        "platforms[0].accounts",
        "an empty list",
        "a list of at least 1",
    ),
    "a rate of nothing": (
        account("account_id: main, rate_per_second: 0, concurrency: 1"),
        "platforms[0].accounts[0].rate_per_second",
        "0",
        "a number above 0",
    ),
    "no concurrency": (
        account("account_id: main, rate_per_second: 1, concurrency: 0"),
        "platforms[0].accounts[0].concurrency",
        "0",
        "1 or more",
    ),
    "half a call in flight": (
        account("account_id: main, rate_per_second: 1, concurrency: 1.5"),
        "platforms[0].accounts[0].concurrency",
        "1.5",
        "a whole number",
    ),
    "an account twice": (
        account(
            "account_id: a, rate_per_second: 1, concurrency: 1}, "
            "{account_id: a, rate_per_second: 1, concurrency: 1"
        ),
        "platforms[0].accounts[1].account_id",
        "the id 'a' again",
        "an id that is used once",
    ),
    "a key in place of its name": (
        account(
            "account_id: main, key_env: sk-this-is-not-a-key, rate_per_second: 1, concurrency: 1"
        ),
        "platforms[0].accounts[0].key_env",
        "a text of 20 characters (not shown",
        "the name of an environment variable",
    ),
    "too many retries": (
        platforms("max_retries: 3", "max_retries: 11"),
        "platforms[0].retry.max_retries",
        "11",
        "10 or less",
    ),
    "a price as it was written once": (
        platforms(MODEL, f"{MODEL}    §price: {{prompt_usd_per_million: 0.27}}\n"),
        "platforms[0].price",
        "the field 'price'",
        "an entry of prices.yaml, with the platform, model and currency",
    ),
    "a simulator with an address": (
        platforms(PLAYED, "adapter: simulator\n    base_url: https://example.com\n"),
        "platforms[0]",
        "a base_url",
        "no base_url for adapter simulator",
    ),
    "a simulated platform with an address": (
        remote(f"{REMOTE}simulated: true\n    base_url: https://api.deepseek.com\n    {KEYED}"),
        "platforms[0]",
        "a base_url",
        "no base_url for a simulated platform",
    ),
    "a host that is not the platform's": (
        remote(f"{REMOTE}§base_url: https://api.deepseek.co/v1\n    {KEYED}"),
        "platforms[0].base_url",
        "the host 'api.deepseek.co'",
        "api.deepseek.com, or a host that is listed under allowed_hosts",
    ),
    "a host that only ends as the platform's": (
        remote(f"{REMOTE}§base_url: https://evil-api.deepseek.com/v1\n    {KEYED}"),
        "platforms[0].base_url",
        "the host 'evil-api.deepseek.com'",
        "api.deepseek.com, or a host",
    ),
    "a host for the generic adapter": (
        remote(f"{GENERIC}§base_url: https://api.deepseek.com\n    {KEYED}"),
        "platforms[0].base_url",
        "the host 'api.deepseek.com'",
        "a host that is listed under allowed_hosts",
    ),
    "an allowed host that is a URL": (
        platforms("platforms:\n", "§allowed_hosts: ['https://gateway.example.com']\nplatforms:\n"),
        "allowed_hosts[0]",
        "'https://gateway.example.com'",
        "a host such as gateway.example.com",
    ),
    "all hosts of a domain": (
        platforms("platforms:\n", "§allowed_hosts: ['*.example.com']\nplatforms:\n"),
        "allowed_hosts[0]",
        "'*.example.com'",
        "a host such as gateway.example.com",
    ),
    "a remote platform without address": (
        remote(f"{GENERIC}{KEYED}"),
        "platforms[0]",
        "no base_url",
        "a base_url for adapter openai_compatible",
    ),
    "a remote platform in clear text": (
        remote(f"{REMOTE}§base_url: http://api.example.com\n    {KEYED}"),
        "platforms[0].base_url",
        "'http://api.example.com'",
        "an https URL",
    ),
    "an address that is none": (
        remote(f"{REMOTE}§base_url: api.example.com/v1\n    {KEYED}"),
        "platforms[0].base_url",
        "'api.example.com/v1'",
        "a URL such as",
    ),
    "an address with a password": (
        remote(f"{REMOTE}§base_url: https://me:secret@example.com\n    {KEYED}"),
        "platforms[0].base_url",
        "a URL with a user or a query (not shown)",
        "a URL without user and query",
    ),
    "a remote account without key": (
        remote(f"{REMOTE}base_url: https://api.deepseek.com\n    §{KEYLESS}"),
        "platforms[0].accounts[0].key_env",
        "no key_env",
        "the name of the environment variable that holds the key",
    ),
    "a key among the parameters": (
        platforms(MODEL, f"{MODEL}    §parameters: {{user: sk-this-is-not-a-key}}\n"),
        "platforms[0].parameters",
        "what looks like a credential in 'user' (not shown)",
        "parameters without credentials",
    ),
    "unknown field inside an account": (
        account("account_id: main, rate_per_second: 1, concurrency: 1, burst: 3"),
        "platforms[0].accounts[0].burst",
        "the unknown field 'burst'",
        "account_id, key_env, rate_per_second",
    ),
    "text where a number is due": (
        account("account_id: main, rate_per_second: fast, concurrency: 1"),
        "platforms[0].accounts[0].rate_per_second",
        "'fast'",
        "a number",
    ),
}


@pytest.mark.parametrize("case", FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_in_the_platforms_names_its_line_its_field_and_what_is_expected(
    catalog: Path, case: Case
) -> None:
    assert_one_fault(catalog, case)


@pytest.mark.parametrize(
    "edit",
    [
        account("account_id: main, key_env: sk-hush-hush-hush, rate_per_second: 1, concurrency: 1"),
        account("account_id: main, key_env: hush, rate_per_second: 1, concurrency: 1"),
        account("account_id: main, sk-hush-hush-hush: 1, rate_per_second: 1, concurrency: 1"),
        remote(f"{REMOTE}base_url: https://me:hush@example.com\n    {KEYED}"),
        remote(f"{REMOTE}base_url: https://example.com?key=hush\n    {KEYED}"),
        platforms(MODEL, f"{MODEL}    parameters: {{a: {{b: sk-hush-hush-hush}}}}\n"),
        platforms(MODEL, f"{MODEL}    api_key: sk-hush-hush-hush\n"),
        platforms(MODEL, f"{MODEL}    api_key: 'sk-hush-hush-hush\n"),
        platforms(MODEL, "model: {name: sk-hush-hush-hush}\n"),
    ],
)
def test_no_fault_repeats_a_secret(catalog: Path, edit: Edit) -> None:
    apply(catalog, edit)
    faults = faults_of(catalog)
    assert faults
    assert "hush" not in " ".join(map(str, faults))


@pytest.mark.parametrize(
    "url", ["http://localhost:8080/v1", "http://127.0.0.1:1", "http://[::1]:9", "https://127.0.0.2"]
)
def test_a_platform_on_this_machine_needs_neither_https_nor_key(catalog: Path, url: str) -> None:
    apply(catalog, remote(f"{REMOTE}base_url: '{url}'\n    {KEYLESS}"))
    assert load_platforms(catalog)[0].base_url == url


@pytest.mark.parametrize(
    ("hosts", "url"),
    [
        ("gateway.example.com", "https://gateway.example.com/deepseek/v1"),
        ("gateway.example.com", "https://GATEWAY.example.com:8443"),
        ("llm-gateway", "https://llm-gateway"),
        ("other.example.com, 10.1.2.3", "https://10.1.2.3/v1"),
        ("'fd00::1'", "https://[fd00::1]/v1"),
    ],
)
@pytest.mark.parametrize("adapter", [REMOTE, GENERIC])
def test_a_host_that_the_file_allows_may_be_asked(
    catalog: Path, adapter: str, hosts: str, url: str
) -> None:
    apply(catalog, remote(f"{adapter}base_url: '{url}'\n    {KEYED}"))
    (fault,) = faults_of(catalog)
    assert fault.place.endswith("platforms[0].base_url")

    apply(catalog, platforms("platforms:\n", f"allowed_hosts: [{hosts}]\nplatforms:\n"))
    assert load_platforms(catalog)[0].base_url == url


def test_a_simulated_platform_of_any_adapter_needs_no_key(catalog: Path) -> None:
    apply(catalog, remote(f"{REMOTE}simulated: true\n    {KEYED}"))
    assert load_catalog(catalog, SIMULATOR).platforms[0].is_simulated


NATIVE = "adapter: hunyuan_native\n    model: m\n    "


@pytest.mark.parametrize(
    ("adapter", "key", "found"),
    [
        (REMOTE, "hush hush", "SOME_KEY set to a text of 9 characters, some of which no header"),
        (NATIVE, "hushhush", "SOME_KEY set to a key of 8 characters without 2 parts"),
        (NATIVE, "hush:", "SOME_KEY set to a key of 5 characters without 2 parts"),
    ],
)
def test_a_key_that_cannot_be_one_is_a_fault_that_does_not_show_it(
    catalog: Path, adapter: str, key: str, found: str
) -> None:
    line = apply(catalog, remote(f"{adapter}§{KEYED}"))
    (fault,) = faults_of(catalog, SIMULATOR | {"SOME_KEY": key})
    assert fault.place == f"line {line}, platforms[0].accounts[0].key_env"
    assert fault.found.startswith(found)
    assert "hush" not in str(fault)


def test_a_named_key_that_is_not_set_is_a_fault(catalog: Path) -> None:
    line = apply(catalog, remote(f"{REMOTE}§{KEYED}"))

    for environment in ({}, {"SOME_KEY": ""}, {"SOME_KEY": "  "}):
        (fault,) = faults_of(catalog, SIMULATOR | environment)
        assert fault.place == f"line {line}, platforms[0].accounts[0].key_env"
        assert fault.found == "SOME_KEY not set"


def test_a_named_key_that_is_set_is_accepted_and_never_kept(catalog: Path) -> None:
    apply(catalog, remote(f"{REMOTE}{KEYED}"))
    loaded = load_catalog(catalog, SIMULATOR | {"SOME_KEY": "fake-key-value"})
    assert "fake-key-value" not in repr(loaded)


def test_a_simulated_platform_needs_the_address_of_a_simulator(catalog: Path) -> None:
    (fault,) = faults_of(catalog, {})
    assert fault.found == "BRAND_VISIBILITY_SIMULATOR_URL not set"
    assert "brand-visibility simulate" in fault.expected
    assert load_catalog(catalog, SIMULATOR)


def test_without_an_environment_keys_are_not_asked_for(catalog: Path) -> None:
    apply(catalog, remote(f"{REMOTE}{KEYED}"))
    assert load_catalog(catalog).platforms[0].accounts[0].key_env == "SOME_KEY"


UNKNOWN = platforms("model: deepseek-chat", "model: another\n    allow_unknown_price: true")


@pytest.mark.parametrize(
    ("edit", "has_budget", "is_valid"),
    [
        (UNKNOWN, False, True),
        (UNKNOWN, True, False),
        (platforms("model: deepseek-chat", "model: another"), True, True),
        (
            platforms(
                "model: deepseek-chat", "model: deepseek-chat\n    allow_unknown_price: true"
            ),
            True,
            True,
        ),
    ],
    ids=["no budget", "a budget", "may be published", "priced all the same"],
)
def test_beside_a_budget_no_price_may_be_unknown(
    catalog: Path, edit: Edit, *, has_budget: bool, is_valid: bool
) -> None:
    apply(catalog, edit)
    if has_budget:
        apply(catalog, Edit("tenants.yaml", "weight: 2", "daily_budget_usd: 5"))
    if is_valid:
        assert load_catalog(catalog).platform("deepseek")
        return

    (fault,) = faults_of(catalog)

    assert fault.place.endswith("platforms[1].allow_unknown_price")
    assert fault.found == "an unknown price beside the budget of qinghe"
    assert "a price in prices.yaml" in fault.expected
