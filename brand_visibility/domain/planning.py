"""From a catalog and a day to tasks and distinct queries.

A task is what is promised (brand × question × platform × day). A query is what is sent:
one query serves every task that asks the same prompt. Storing the plan belongs to the
ledger and the lake.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date

from brand_visibility.domain.budget import Tariff, price_on, tariff_of
from brand_visibility.domain.catalog import (
    Brand,
    Catalog,
    Platform,
    Price,
    Question,
    QuestionKind,
    Tenant,
)
from brand_visibility.domain.errors import PlanError

API_CHANNEL = "api"
# What a judge of answers is asked: no part of a night, and of no figure.
JUDGE_CHANNEL = "judge"
SHARD_KEYS = 2**15


@dataclass(frozen=True, slots=True)
class Task:
    """One promise: this brand, this question, this platform, this day."""

    task_id: str
    plan_date: date
    tenant_id: str
    brand_id: str
    question_id: str
    topic_id: str
    kind: QuestionKind
    platform_id: str
    prompt_id: str
    repeats: int


@dataclass(frozen=True, slots=True)
class Query:
    """One thing to send.

    `shard_key` (0 … 32767) spreads queries evenly over shards. `tenant_ids` are those
    whose tasks it serves, sorted: they share its turns and its cost.
    """

    query_id: str
    plan_date: date
    platform_id: str
    channel: str
    prompt_id: str
    prompt: str
    repeat: int
    priority: int
    shard_key: int
    tenant_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """What one platform will be asked on one day.

    `tenants` are those that it serves, with the weights and budgets of the day. `price`
    and `tariff`, which follows from it, are None where costs need not be known.
    """

    plan_date: date
    platform_id: str
    catalog_version: str
    tasks: tuple[Task, ...]
    queries: tuple[Query, ...]
    tenants: tuple[Tenant, ...] = ()
    price: Price | None = None
    tariff: Tariff | None = None

    @property
    def is_budgeted(self) -> bool:
        """Whether a tenant has a budget, so that costs are reserved before they are made."""
        return any(tenant.daily_budget_usd is not None for tenant in self.tenants)


def identify(*parts: object) -> str:
    """Return a stable 32-character id of the parts, in order.

    Each part is length-prefixed, so that no two lists of parts share a spelling.
    """
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        encoded = str(part).encode()
        digest.update(len(encoded).to_bytes(8, "big"))
        digest.update(encoded)
    return digest.hexdigest()


PriceList = Callable[[Platform, date], Price | None]


def build_plan(
    catalog: Catalog, *, plan_date: date, platform_id: str, price_list: PriceList | None = None
) -> Plan:
    """Plan one platform's day. The same catalog and day give the same plan.

    `price_list` is asked where the catalog has no price. Raises PlanError when the catalog
    has no such platform, or when its price is unknown and has to be known.
    """
    platform = catalog.platform(platform_id)
    tasks: list[Task] = []
    queries: dict[str, Query] = {}
    for brand, question, prompt in _prompts(catalog):
        prompt_id = identify(prompt)
        tasks.append(_task(brand, question, plan_date, platform_id, prompt_id))
        priority = question.priority + (1 if brand.is_core else 0)
        for query in _queries(tasks[-1], prompt, priority):
            known = queries.get(query.query_id)
            queries[query.query_id] = query if known is None else _joined(known, query)
    served = {task.tenant_id for task in tasks}
    plan = Plan(
        plan_date=plan_date,
        platform_id=platform_id,
        catalog_version=catalog.version,
        tasks=tuple(tasks),
        queries=tuple(queries.values()),
        tenants=tuple(tenant for tenant in catalog.tenants if tenant.tenant_id in served),
    )
    return price_plan(plan, platform, price_list)


def price_plan(plan: Plan, platform: Platform, price_list: PriceList | None = None) -> Plan:
    """Return the plan with its platform's price of the day, if there is one.

    `price_list` is asked where the catalog has none. Raises PlanError when the price is
    unknown and has to be known.
    """
    price = price_on(platform, plan.plan_date)
    if price is None and price_list is not None:
        price = price_list(platform, plan.plan_date)
    tariff = None if price is None else tariff_of(platform, price)
    priced = replace(plan, price=price, tariff=tariff)
    _require_price(priced, platform)
    return priced


def _require_price(plan: Plan, platform: Platform) -> None:
    if plan.price is not None or (platform.allow_unknown_price and not plan.is_budgeted):
        return
    way_out = (
        "; allow_unknown_price cannot stand beside a tenant's daily_budget_usd"
        if plan.is_budgeted
        else f", or allow_unknown_price: true for {platform.platform_id} in platforms.yaml"
    )
    raise PlanError(
        f"platform {platform.platform_id}: found no price of model {platform.model} that is"
        f" valid on {plan.plan_date}; expected an entry in prices.yaml such as"
        f" {{platform: {platform.platform_id}, model: {platform.model}, currency: USD,"
        " prompt_per_million: 1.0, completion_per_million: 2.0,"
        f" valid_from: {plan.plan_date}, source: the price page}}{way_out}"
    )


def _prompts(catalog: Catalog) -> Iterator[tuple[Brand, Question, str]]:
    by_topic: dict[str, list[Question]] = {}
    for question in catalog.questions:
        by_topic.setdefault(question.topic_id, []).append(question)
    names = {brand.brand_id: brand.name for brand in catalog.brands}
    for brand in catalog.brands:
        for question in _questions_of(brand, by_topic):
            prompt = render_prompt(question, brand, names)
            if prompt is not None:
                yield brand, question, prompt


def _questions_of(brand: Brand, by_topic: dict[str, list[Question]]) -> Iterable[Question]:
    for topic_id in brand.topic_ids:
        yield from by_topic.get(topic_id, [])


def render_prompt(question: Question, brand: Brand, names: dict[str, str]) -> str | None:
    """Return the text to send, or None for a comparison of a brand without competitor."""
    if question.kind is QuestionKind.NON_BRAND:
        return question.text
    text = question.text.replace("{brand}", brand.name)
    if question.kind is QuestionKind.BRAND:
        return text
    if not brand.competitor_ids:
        return None
    return text.replace("{competitor}", names[brand.competitor_ids[0]])


def _task(
    brand: Brand, question: Question, plan_date: date, platform_id: str, prompt_id: str
) -> Task:
    return Task(
        task_id=identify(plan_date, brand.brand_id, question.question_id, platform_id),
        plan_date=plan_date,
        tenant_id=brand.tenant_id,
        brand_id=brand.brand_id,
        question_id=question.question_id,
        topic_id=question.topic_id,
        kind=question.kind,
        platform_id=platform_id,
        prompt_id=prompt_id,
        repeats=question.repeats,
    )


def _queries(task: Task, prompt: str, priority: int) -> Iterator[Query]:
    # The shard follows the prompt, so that a question's repeats share a shard.
    shard_key = int(task.prompt_id[:8], 16) % SHARD_KEYS
    for repeat in range(task.repeats):
        yield Query(
            query_id=identify(task.plan_date, task.platform_id, API_CHANNEL, prompt, repeat),
            plan_date=task.plan_date,
            platform_id=task.platform_id,
            channel=API_CHANNEL,
            prompt_id=task.prompt_id,
            prompt=prompt,
            repeat=repeat,
            priority=priority,
            shard_key=shard_key,
            tenant_ids=(task.tenant_id,),
        )


def _joined(known: Query, query: Query) -> Query:
    """Return one query for the tasks of both, as urgent as the more urgent of them."""
    if query.priority <= known.priority and set(query.tenant_ids) <= set(known.tenant_ids):
        return known
    return replace(
        known,
        priority=max(known.priority, query.priority),
        tenant_ids=tuple(sorted({*known.tenant_ids, *query.tenant_ids})),
    )
