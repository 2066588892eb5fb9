"""From a catalog and a day to tasks and distinct queries.

A task is what is promised (brand × question × platform × day). A query is what is sent:
one query serves every task that asks the same prompt. Storing the plan belongs to the
ledger and the lake.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from brand_visibility.domain.catalog import Brand, Catalog, Question, QuestionKind

API_CHANNEL = "api"
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
    """One thing to send. `shard_key` (0 … 32767) spreads queries evenly over shards."""

    query_id: str
    plan_date: date
    platform_id: str
    channel: str
    prompt_id: str
    prompt: str
    repeat: int
    priority: int
    shard_key: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What one platform will be asked on one day."""

    plan_date: date
    platform_id: str
    catalog_version: str
    tasks: tuple[Task, ...]
    queries: tuple[Query, ...]


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


def build_plan(catalog: Catalog, *, plan_date: date, platform_id: str) -> Plan:
    """Plan one platform's day. The same catalog and day give the same plan.

    Raises PlanError when the catalog has no such platform.
    """
    catalog.platform(platform_id)
    tasks: list[Task] = []
    queries: dict[str, Query] = {}
    for brand, question, prompt in _prompts(catalog):
        prompt_id = identify(prompt)
        tasks.append(_task(brand, question, plan_date, platform_id, prompt_id))
        priority = question.priority + (1 if brand.is_core else 0)
        for query in _queries(question, plan_date, platform_id, prompt, prompt_id, priority):
            known = queries.get(query.query_id)
            if known is None or known.priority < query.priority:
                queries[query.query_id] = query
    return Plan(plan_date, platform_id, catalog.version, tuple(tasks), tuple(queries.values()))


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


def _queries(
    question: Question,
    plan_date: date,
    platform_id: str,
    prompt: str,
    prompt_id: str,
    priority: int,
) -> Iterator[Query]:
    # The shard follows the prompt, so that a question's repeats share a shard.
    shard_key = int(prompt_id[:8], 16) % SHARD_KEYS
    for repeat in range(question.repeats):
        yield Query(
            query_id=identify(plan_date, platform_id, API_CHANNEL, prompt, repeat),
            plan_date=plan_date,
            platform_id=platform_id,
            channel=API_CHANNEL,
            prompt_id=prompt_id,
            prompt=prompt,
            repeat=repeat,
            priority=priority,
            shard_key=shard_key,
        )
