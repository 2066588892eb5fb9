"""Queries for tests of the queue: whom they serve and how urgent they are."""

from collections.abc import Sequence
from datetime import date

from brand_visibility.collection.ports import Pending
from brand_visibility.domain.planning import Query


def a_served_query(
    query_id: str,
    *,
    priority: int = 0,
    repeat: int = 0,
    tenants: Sequence[str] = (),
    weights: tuple[float, ...] = (),
) -> Pending:
    """Return a pending query; a text of tenants stands for one a letter."""
    query = Query(
        query_id=query_id,
        plan_date=date(2026, 11, 30),
        platform_id="deepseek",
        channel="api",
        prompt_id=query_id,
        prompt="Which is best?",
        repeat=repeat,
        priority=priority,
        shard_key=0,
        tenant_ids=tuple(tenants),
    )
    return Pending(query, tenant_weights=weights)
