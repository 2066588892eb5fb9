"""The catalog as values: who is watched, what is asked, where.

Files and their validation belong to `adapters.catalog`; this module holds what is left
once a catalog is known to be valid.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from brand_visibility.domain.errors import PlanError


class QuestionKind(StrEnum):
    """What a question names.

    `NON_BRAND` names no brand, `BRAND` names the watched brand, `COMPARISON` names the
    watched brand and its first competitor.
    """

    NON_BRAND = "non_brand"
    BRAND = "brand"
    COMPARISON = "comparison"


class AliasPolicy(StrEnum):
    """How far an alias may be trusted on its own.

    `SAFE` always counts. `GUARDED` counts beside one of its context words, in the company
    of its own brand or of a peer of its topic, and in an answer to a question of its topic.
    `COMPOUND_ONLY` never counts alone (only longer aliases that contain it do).
    """

    SAFE = "safe"
    GUARDED = "guarded"
    COMPOUND_ONLY = "compound_only"


@dataclass(frozen=True, slots=True)
class Tenant:
    """A customer whose brands are watched.

    `weight` is its share of the turns while several tenants wait, `daily_budget_usd` what
    a day's queries of all platforms may cost it, None without such a bound.
    """

    tenant_id: str
    name: str
    weight: float = 1.0
    daily_budget_usd: float | None = None


@dataclass(frozen=True, slots=True)
class Topic:
    """A category of buyers' questions that several brands share."""

    topic_id: str
    name: str


@dataclass(frozen=True, slots=True)
class Alias:
    """One written form of a brand's name."""

    text: str
    policy: AliasPolicy = AliasPolicy.SAFE
    is_case_sensitive: bool = False
    context_any: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Brand:
    """A watched name. `topic_ids` say which questions are asked for it."""

    brand_id: str
    tenant_id: str
    name: str
    aliases: tuple[Alias, ...]
    topic_ids: tuple[str, ...]
    domains: tuple[str, ...] = ()
    competitor_ids: tuple[str, ...] = ()
    decoys: tuple[str, ...] = ()
    is_core: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """A text to ask. `{brand}` and `{competitor}` are filled in for each brand."""

    question_id: str
    topic_id: str
    text: str
    kind: QuestionKind = QuestionKind.NON_BRAND
    language: str = "zh"
    priority: int = 0
    repeats: int = 1


@dataclass(frozen=True, slots=True)
class AccountLimits:
    """What one account may do.

    Rates are sends a second, concurrency is calls in flight, tokens are a minute's,
    the daily limit is queries a day. None means the platform sets no such limit.
    """

    rate_per_second: float
    concurrency: int
    tokens_per_minute: int | None = None
    queries_per_day: int | None = None


@dataclass(frozen=True, slots=True)
class Account:
    """One API credential. The key itself never enters the catalog, only its name."""

    account_id: str
    limits: AccountLimits
    key_env: str | None = None


@dataclass(frozen=True, slots=True)
class RetrySettings:
    """Retries of one query. Seconds; `timeout_base_s` doubles with every attempt."""

    max_retries: int = 3
    timeout_base_s: float = 10.0
    timeout_jitter_s: float = 5.0
    server_fault_s: float = 30.0
    rate_limit_base_s: float = 2.0
    rate_limit_cap_s: float = 60.0
    longest_platform_wait_s: float = 600.0


@dataclass(frozen=True, slots=True)
class Price:
    """What a model's calls cost from a day on, in units of `currency`, and who says so.

    Tokens cost by the million, searches and requests each. Cached tokens of the prompt
    without a price of their own cost as the others. `usd` is what one unit of the currency
    is worth in US dollars, `usd_source` who says so. `valid_from` is None for a price that
    was looked up for the day itself.
    """

    prompt_per_million: float
    completion_per_million: float
    cached_prompt_per_million: float | None = None
    search_each: float | None = None
    request_each: float | None = None
    currency: str = "USD"
    usd: float = 1.0
    usd_source: str = ""
    valid_from: date | None = None
    source: str = ""


@dataclass(frozen=True, slots=True)
class Platform:
    """An assistant product, reached through an adapter and answering with a model.

    `latency_s` is the typical time of an answer and `completion_tokens` its typical
    length: both serve forecasts and estimates. `attempt_timeout_s` is wall-clock time.
    `is_simulated` means that the local simulator plays it.
    `prices` are those of its model. It is not asked without one unless
    `allow_unknown_price` says that its costs need not be known.
    """

    platform_id: str
    adapter: str
    model: str
    accounts: tuple[Account, ...]
    base_url: str | None = None
    is_simulated: bool = False
    prices: tuple[Price, ...] = ()
    allow_unknown_price: bool = False
    latency_s: float = 10.0
    completion_tokens: int = 800
    attempt_timeout_s: float = 60.0
    shards_at_once: int = 2
    retry: RetrySettings = field(default_factory=RetrySettings)
    parameters: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Catalog:
    """Everything that is watched, asked and where.

    `version` is a hash of the content: two catalogs of the same content share it.
    `platforms` are those whose answers are watched; `judge`, if there is one, is asked
    about these answers and has no part in the night or its figures.
    """

    version: str
    tenants: tuple[Tenant, ...]
    topics: tuple[Topic, ...]
    brands: tuple[Brand, ...]
    questions: tuple[Question, ...]
    platforms: tuple[Platform, ...]
    decoys: tuple[str, ...] = ()
    judge: Platform | None = None

    @property
    def called_platforms(self) -> tuple[Platform, ...]:
        """Every platform that may be called, the judge last."""
        return self.platforms if self.judge is None else (*self.platforms, self.judge)

    def platform(self, platform_id: str) -> Platform:
        """Return the platform of this id. Raises PlanError when there is none."""
        for platform in self.platforms:
            if platform.platform_id == platform_id:
                return platform
        known = ", ".join(platform.platform_id for platform in self.platforms)
        raise PlanError(f"found no platform {platform_id} in the catalog; it has {known}")
