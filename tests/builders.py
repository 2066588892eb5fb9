"""Small valid values for tests to vary: a catalog, a plan, an attempt."""

from datetime import UTC, date, datetime

from brand_visibility.domain.catalog import (
    Account,
    AccountLimits,
    Alias,
    Brand,
    Catalog,
    Platform,
    Price,
    Question,
    QuestionKind,
    Tenant,
    Topic,
)
from brand_visibility.domain.outcomes import Answer, Attempt, Failure, Outcome, Reason, Usage
from brand_visibility.domain.planning import Plan, build_plan

DAY = date(2026, 11, 30)
SENT_AT = datetime(2026, 11, 29, 17, 0, tzinfo=UTC)


def a_platform(
    platform_id: str = "deepseek", *, rate: float = 20, concurrency: int = 10
) -> Platform:
    limits = AccountLimits(rate_per_second=rate, concurrency=concurrency)
    return Platform(
        platform_id=platform_id,
        adapter="simulator",
        model="model-1",
        accounts=(Account("main", limits),),
        prices=(Price(1.0, 2.0, valid_from=date(2026, 11, 1), source="test"),),
        latency_s=2.0,
    )


def a_brand(brand_id: str, *, competitors: tuple[str, ...] = (), is_core: bool = False) -> Brand:
    return Brand(
        brand_id=brand_id,
        tenant_id="acme",
        name=brand_id.capitalize(),
        aliases=(Alias(brand_id.capitalize()),),
        topic_ids=("vacuums",),
        competitor_ids=competitors,
        is_core=is_core,
    )


def a_catalog(*, questions: int = 20, platforms: tuple[str, ...] = ("deepseek",)) -> Catalog:
    """Two brands of one topic: `questions` non-brand ones, one brand, one comparison."""
    asked = [
        Question(f"q{n}", "vacuums", f"Which vacuum number {n} is best?") for n in range(questions)
    ]
    asked.append(Question("qb", "vacuums", "Is {brand} any good?", QuestionKind.BRAND))
    asked.append(
        Question("qc", "vacuums", "{brand} or {competitor}?", QuestionKind.COMPARISON, repeats=2)
    )
    return Catalog(
        version="0123456789abcdef",
        tenants=(Tenant("acme", "Acme"),),
        topics=(Topic("vacuums", "Vacuums"),),
        brands=(a_brand("dyson", competitors=("roborock",), is_core=True), a_brand("roborock")),
        questions=tuple(asked),
        platforms=tuple(a_platform(name) for name in platforms),
    )


def a_plan(*, questions: int = 20, platform_id: str = "deepseek", day: date = DAY) -> Plan:
    return build_plan(
        a_catalog(questions=questions, platforms=(platform_id,)),
        plan_date=day,
        platform_id=platform_id,
    )


def an_answer(text: str = "Dyson is fine.") -> Answer:
    return Answer(text, model="model-1", finish_reason="stop", usage=Usage(12, 34), request_id="r1")


def a_failure(reason: Reason = Reason.TIMED_OUT, status: int | None = None) -> Failure:
    return Failure(reason, detail="as scripted", http_status=status)


def an_attempt(
    query_id: str, outcome: Outcome | None = None, *, number: int = 1, wait_s: float | None = None
) -> Attempt:
    return Attempt(
        query_id=query_id,
        number=number,
        account_id="main",
        sent_at=SENT_AT,
        latency_ms=250,
        outcome=outcome or an_answer(),
        wait_s=wait_s,
    )
