"""The shape of `platforms.yaml`.

Whether the named keys are set belongs to `checks`, what models cost to `prices`. Limits
are data of an account, never constants in code.
"""

import ipaddress
import re
from types import MappingProxyType
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, model_validator

from brand_visibility.adapters.catalog.faults import describe, looks_like_credential
from brand_visibility.adapters.catalog.fields import (
    Door,
    Id,
    NotNegative,
    Positive,
    PositiveInt,
    Text,
    refusal,
)
from brand_visibility.adapters.catalog.models import Entry
from brand_visibility.adapters.platforms.registry import ADAPTERS, SIMULATOR, load_adapter
from brand_visibility.domain.catalog import (
    Account,
    AccountLimits,
    Platform,
    RetrySettings,
)

_HOST = re.compile(r"[A-Za-z0-9.-]+\Z|[0-9A-Fa-f:.]+\Z")
_KEY_ENV = re.compile(r"[A-Z][A-Z0-9_]*\Z")


def _adapter(name: str) -> str:
    if name not in ADAPTERS:
        raise refusal(f"one of the adapters {', '.join(ADAPTERS)}")
    return name


def _key_env(name: str) -> str:
    if not _KEY_ENV.match(name):
        # Whatever stands here may be the key itself.
        found = f"a text of {len(name)} characters (not shown: it may be the key itself)"
        raise refusal("the name of an environment variable such as HUNYUAN_API_KEY", found=found)
    return name


def _base_url(text: str) -> str:
    a_url = refusal("a URL such as https://api.example.com/v1")
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise a_url from error
    if "@" in parts.netloc or parts.query:
        # Either may hold a password or a key.
        found = "a URL with a user or a query (not shown)"
        raise refusal("a URL without user and query", found=found)
    if port == 0 or parts.fragment or not _HOST.match(host):
        raise a_url
    if parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(text)):
        raise refusal("an https URL (http only for this machine itself)")
    return text.rstrip("/")


def _parameters(values: dict[str, object]) -> dict[str, object]:
    for name, value in values.items():
        if isinstance(value, str) and looks_like_credential(value):
            found = f"what looks like a credential in {describe(name)} (not shown)"
            raise refusal("parameters without credentials (name a key with key_env)", found=found)
        if isinstance(value, dict):
            _parameters(value)
    return values


def is_loopback(url: str) -> bool:
    """Whether a URL's host is this machine itself."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class AccountEntry(Door):
    """An account as written."""

    account_id: Id
    key_env: Annotated[str, AfterValidator(_key_env)] | None = None
    rate_per_second: Positive
    concurrency: PositiveInt
    tokens_per_minute: PositiveInt | None = None
    queries_per_day: PositiveInt | None = None

    def to_domain(self) -> Account:
        """Return the account as a value."""
        limits = AccountLimits(
            rate_per_second=self.rate_per_second,
            concurrency=self.concurrency,
            tokens_per_minute=self.tokens_per_minute,
            queries_per_day=self.queries_per_day,
        )
        return Account(self.account_id, limits, self.key_env)


class RetryEntry(Door):
    """Retry settings as written; what is left out keeps its default."""

    max_retries: Annotated[int, Field(ge=0, le=10)] = 3
    timeout_base_s: NotNegative = 10.0
    timeout_jitter_s: NotNegative = 5.0
    server_fault_s: NotNegative = 30.0
    rate_limit_base_s: NotNegative = 2.0
    rate_limit_cap_s: NotNegative = 60.0
    longest_platform_wait_s: NotNegative = 600.0

    def to_domain(self) -> RetrySettings:
        """Return the settings as a value."""
        return RetrySettings(**self.model_dump())


class PlatformEntry(Entry):
    """A platform as written: one whose answers are watched, or the judge of answers."""

    id_field = "platform_id"
    moved_fields = MappingProxyType(
        {
            "price": "an entry of prices.yaml, with the platform, model and currency,"
            " prompt_per_million and completion_per_million, valid_from and source"
        }
    )

    platform_id: Id
    adapter: Annotated[str, AfterValidator(_adapter)]
    model: Text
    purpose: Literal["answers", "judge"] = "answers"
    base_url: Annotated[str, AfterValidator(_base_url)] | None = None
    simulated: bool = False
    accounts: Annotated[list[AccountEntry], Field(min_length=1)]
    allow_unknown_price: bool = False
    latency_s: Positive = 10.0
    completion_tokens: PositiveInt = 800
    attempt_timeout_s: Positive = 60.0
    shards_at_once: PositiveInt = 2
    retry: RetryEntry = RetryEntry()
    parameters: Annotated[dict[str, object], AfterValidator(_parameters)] = Field(
        default_factory=dict
    )

    @model_validator(mode="after")
    def _url_suits_adapter(self) -> "PlatformEntry":
        if self.is_simulated:
            if self.base_url is not None:
                what = "a simulated platform" if self.simulated else f"adapter {SIMULATOR}"
                raise refusal(f"no base_url for {what}", found="a base_url")
        elif self.base_url is None and load_adapter(self.adapter).base_url is None:
            raise refusal(f"a base_url for adapter {self.adapter}", found="no base_url")
        return self

    @property
    def is_judge(self) -> bool:
        """Whether it is asked about answers rather than for them."""
        return self.purpose == "judge"

    @property
    def is_simulated(self) -> bool:
        """Whether the simulator plays the platform."""
        return self.simulated or self.adapter == SIMULATOR

    def to_domain(self) -> Platform:
        """Return the platform as a value."""
        return Platform(
            platform_id=self.platform_id,
            adapter=self.adapter,
            model=self.model,
            accounts=tuple(account.to_domain() for account in self.accounts),
            base_url=self.base_url,
            is_simulated=self.simulated,
            allow_unknown_price=self.allow_unknown_price,
            latency_s=self.latency_s,
            completion_tokens=self.completion_tokens,
            attempt_timeout_s=self.attempt_timeout_s,
            shards_at_once=self.shards_at_once,
            retry=self.retry.to_domain(),
            parameters=dict(self.parameters),
        )
