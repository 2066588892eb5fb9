"""What must hold between the entries and the files of a catalog.

Each check notes its faults and returns nothing. What one entry must look like belongs to
`models`, `platform_models` and `questions`.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from brand_visibility.adapters.catalog.faults import describe
from brand_visibility.adapters.catalog.fields import fold
from brand_visibility.adapters.catalog.models import BrandEntry, TenantEntry, TopicEntry
from brand_visibility.adapters.catalog.platform_models import PlatformEntry, is_loopback
from brand_visibility.adapters.catalog.sections import Section
from brand_visibility.adapters.platforms.registry import load_adapter, unfit_key
from brand_visibility.adapters.settings import SIMULATOR_URL
from brand_visibility.domain.catalog import Alias

# As a URL's host is read: in lower case, an address of version 6 without its brackets.
_HOST = re.compile(r"[a-z0-9.-]+\Z|[0-9a-f:.]+\Z")


def check_references(
    brands: Section[BrandEntry],
    tenant_ids: Collection[str] | None,
    topic_ids: Collection[str] | None,
) -> None:
    """Every id a brand names exists. None for ids that are not known skips them."""
    for index, brand in brands.entries:
        if tenant_ids is not None and brand.tenant_id not in tenant_ids:
            _unknown(brands, index, "tenant_id", found=brand.tenant_id, noun="tenant")
        for place, topic_id in enumerate(brand.topics):
            if topic_ids is not None and topic_id not in topic_ids:
                _unknown(brands, index, "topics", place, found=topic_id, noun="topic")
        for place, competitor_id in enumerate(brand.competitors):
            if competitor_id == brand.brand_id:
                found = f"the brand itself, {describe(competitor_id)}"
                brands.fault(index, "competitors", place, found=found, expected="another brand")
            elif competitor_id not in brands.lines:
                _unknown(brands, index, "competitors", place, found=competitor_id, noun="brand")


def _unknown(
    brands: Section[BrandEntry], index: int, *steps: str | int, found: str, noun: str
) -> None:
    expected = f"the id of a {noun} in the catalog"
    brands.fault(index, *steps, found=f"the unknown {noun} {describe(found)}", expected=expected)


@dataclass(frozen=True, slots=True)
class _Spelling:
    tenant_id: str
    brand_id: str
    alias: Alias
    line: int


def check_aliases(brands: Section[BrandEntry]) -> None:
    """No spelling stands for two brands, or twice for one, and no decoy hides an alias.

    Two tenants may watch the same brand, each under an id of its own.
    """
    spellings: dict[str, list[_Spelling]] = {}
    for index, brand in brands.entries:
        for steps, alias in _placed_aliases(brand):
            known = spellings.setdefault(fold(alias.text), [])
            line = brands.line(index, *steps)
            spelling = _Spelling(brand.tenant_id, brand.brand_id, alias, line)
            clash = next((other for other in known if _clash(other, spelling)), None)
            if clash is not None:
                found = f"the alias {describe(alias.text)}, also {_owner(clash)}"
                brands.fault(index, *steps, found=found, expected="an alias of one brand, once")
            known.append(spelling)
    _check_decoys(brands, spellings)


def _placed_aliases(brand: BrandEntry) -> Iterator[tuple[tuple[str | int, ...], Alias]]:
    aliases = brand.to_domain().aliases
    implied = len(aliases) - len(brand.aliases)
    if implied:
        yield ("name",), aliases[0]
    for place, alias in enumerate(aliases[implied:]):
        yield ("aliases", place), alias


def _clash(one: _Spelling, other: _Spelling) -> bool:
    have_cases = one.alias.is_case_sensitive and other.alias.is_case_sensitive
    are_told_apart = have_cases and one.alias.text != other.alias.text
    return one.tenant_id == other.tenant_id and not are_told_apart


def _owner(spelling: _Spelling) -> str:
    return f"an alias of {spelling.brand_id} on line {spelling.line}"


def _check_decoys(brands: Section[BrandEntry], spellings: Mapping[str, list[_Spelling]]) -> None:
    expected = "a longer text that only contains an alias"
    for place, decoy in enumerate(brands.texts.get("decoys", ())):
        for spelling in spellings.get(fold(decoy), [])[:1]:
            found = f"the decoy {describe(decoy)}, also {_owner(spelling)}"
            brands.fault_at("decoys", place, found=found, expected=expected)
    for index, brand in brands.entries:
        for place, decoy in enumerate(brand.decoys):
            for spelling in spellings.get(fold(decoy), [])[:1]:
                found = f"the decoy {describe(decoy)}, also {_owner(spelling)}"
                brands.fault(index, "decoys", place, found=found, expected=expected)


def check_topics_are_asked(
    topics: Section[TopicEntry], brands: Section[BrandEntry], asked_topic_ids: Collection[str]
) -> None:
    """Every topic that has brands has questions too."""
    watched = {topic_id for _, brand in brands.entries for topic_id in brand.topics}
    for index, topic in topics.entries:
        if topic.topic_id in watched and topic.topic_id not in asked_topic_ids:
            found = f"the topic {describe(topic.topic_id)} with brands but no question"
            topics.fault(index, "topic_id", found=found, expected="a question of this topic")


def check_purposes(platforms: Section[PlatformEntry]) -> None:
    """Answers are asked for, and at most one platform judges them."""
    judges = [index for index, platform in platforms.entries if platform.is_judge]
    for index in judges[1:]:
        found = f"a second judge (the first is on line {platforms.line(judges[0])})"
        platforms.fault(index, "purpose", found=found, expected="one judge at most")
    if judges and len(judges) == len(platforms.entries):
        expected = "a platform besides it whose answers it judges"
        platforms.fault(judges[0], "purpose", found="nothing but a judge", expected=expected)


def check_accounts(platforms: Section[PlatformEntry]) -> None:
    """Accounts are told apart, and those of a remote platform name their key."""
    for index, platform in platforms.entries:
        needs_key = not (platform.is_simulated or is_loopback(platform.base_url or ""))
        known: set[str] = set()
        for place, account in enumerate(platform.accounts):
            if account.account_id in known:
                found = f"the id {describe(account.account_id)} again"
                steps = ("accounts", place, "account_id")
                platforms.fault(index, *steps, found=found, expected="an id that is used once")
            known.add(account.account_id)
            if needs_key and account.key_env is None:
                expected = "the name of the environment variable that holds the key"
                steps = ("accounts", place, "key_env")
                platforms.fault(index, *steps, found="no key_env", expected=expected)


def check_budgets(
    tenants: Section[TenantEntry],
    platforms: Section[PlatformEntry],
    priced: Collection[tuple[str, str]],
) -> None:
    """Where a tenant has a budget, no platform may be without a price to count by.

    `priced` are the platforms and models that have one in the catalog.
    """
    bound = [tenant.tenant_id for _, tenant in tenants.entries if tenant.daily_budget_usd]
    if not bound:
        return
    expected = "a price in prices.yaml, by which the daily_budget_usd of a tenant is counted"
    for index, platform in platforms.entries:
        if platform.allow_unknown_price and (platform.platform_id, platform.model) not in priced:
            found = f"an unknown price beside the budget of {bound[0]}"
            platforms.fault(index, "allow_unknown_price", found=found, expected=expected)


def check_hosts(platforms: Section[PlatformEntry]) -> None:
    """A key goes to its platform's own hosts, to one that the file allows, or nowhere."""
    allowed = platforms.texts.get("allowed_hosts", ())
    for place, host in enumerate(allowed):
        if not _HOST.match(host):
            found, expected = describe(host), "a host such as gateway.example.com, in lower case"
            platforms.fault_at("allowed_hosts", place, found=found, expected=expected)
    for index, platform in platforms.entries:
        url = platform.base_url
        if url is None or is_loopback(url):
            continue
        host = urlsplit(url).hostname or ""
        own = load_adapter(platform.adapter).hosts
        if host not in (*own, *allowed):
            known = f"{', '.join(own)}, or " if own else ""
            expected = f"{known}a host that is listed under allowed_hosts"
            found = f"the host {describe(host)}"
            platforms.fault(index, "base_url", found=found, expected=expected)


def check_environment(platforms: Section[PlatformEntry], environment: Mapping[str, str]) -> None:
    """Every key that is named is set and can be one, and the simulator's address is known."""
    for index, platform in platforms.entries:
        if not platform.simulated:
            _check_keys(platforms, index, platform, environment)
    simulated = [
        (index, "simulated" if entry.simulated else "adapter")
        for index, entry in platforms.entries
        if entry.is_simulated
    ]
    if simulated and not environment.get(SIMULATOR_URL, "").strip():
        expected = "the address of a simulator (start one: brand-visibility simulate)"
        found = f"{SIMULATOR_URL} not set"
        platforms.fault(*simulated[0], found=found, expected=expected)


def _check_keys(
    platforms: Section[PlatformEntry],
    index: int,
    platform: PlatformEntry,
    environment: Mapping[str, str],
) -> None:
    form = load_adapter(platform.adapter).key_form
    for place, account in enumerate(platform.accounts):
        name = account.key_env
        if name is None:
            continue
        key = environment.get(name, "").strip()
        unfit = unfit_key(key, form)
        if unfit is not None:
            found = f"{name} set to {unfit}" if key else f"{name} not set"
            expected = f"{name} set to the account's key{f' as {form}' if form else ''}"
            platforms.fault(index, "accounts", place, "key_env", found=found, expected=expected)
