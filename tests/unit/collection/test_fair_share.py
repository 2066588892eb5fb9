"""Fair share and priorities as a whole collection shows them, in virtual time."""

import asyncio
from collections.abc import Sequence

import pytest
from engine_world import World, after, an_account
from served_queries import a_served_query

from brand_visibility.collection.fair_share import FairShare
from brand_visibility.collection.ports import Pending
from tests.virtual_time import run_virtually

SMALL = tuple(f"t{number}" for number in range(9))


def of_tenant(tenant_id: str, count: int, **fields: object) -> list[Pending]:
    return [
        a_served_query(f"{tenant_id}-{number}", tenants=(tenant_id,), **fields)
        for number in range(count)
    ]


def finishes(pending: Sequence[Pending]) -> dict[str, float]:
    """Return when each tenant's last query was sent, in seconds from the start."""

    async def main() -> dict[str, float]:
        world = World(accounts=[an_account(rate=100, concurrency=200)])
        await world.collector.run(pending)
        return {
            send.query_id.partition("-")[0]: send.at - world.started
            for send in sorted(world.sender.sends, key=lambda send: send.at)
        }

    return run_virtually(main())


def test_a_tenant_100_times_bigger_moves_the_others_finish_by_at_most_a_tenth() -> None:
    others = [one for tenant_id in SMALL for one in of_tenant(tenant_id, 40)]

    among_equals = finishes([*of_tenant("big", 40), *others])
    beside_a_giant = finishes([*of_tenant("big", 4_000), *others])

    assert beside_a_giant["big"] > 8 * among_equals["big"]
    for tenant_id in SMALL:
        assert beside_a_giant[tenant_id] <= 1.1 * among_equals[tenant_id]


@pytest.mark.parametrize(("weight", "share"), [(1.0, 1 / 2), (3.0, 3 / 4), (0.25, 1 / 5)])
def test_a_tenant_gets_the_share_of_its_weight_while_others_wait(
    weight: float, share: float
) -> None:
    async def main() -> list[str]:
        world = World(accounts=[an_account(rate=100, concurrency=200)])
        await world.collector.run(
            [*of_tenant("one", 400), *of_tenant("other", 400, weights=(weight,))]
        )
        return world.sent_ids()[:400]

    sent = run_virtually(main())

    # A block of slots may be staged ahead.
    assert sum(name.startswith("other") for name in sent) == pytest.approx(400 * share, abs=26)


def test_optional_repeats_are_sent_when_everything_else_has_been() -> None:
    async def main() -> list[str]:
        world = World(accounts=[an_account(rate=100, concurrency=200)])
        await world.collector.run(
            [*of_tenant("again", 100, repeat=1, priority=9), *of_tenant("once", 100, priority=-9)]
        )
        return world.sent_ids()

    sent = run_virtually(main())
    assert {name.partition("-")[0] for name in sent[:100]} == {"once"}


def test_a_late_urgent_tenant_overtakes_the_others_backlog() -> None:
    async def main() -> float:
        world = World(accounts=[an_account(rate=100, concurrency=200)])
        urgent = of_tenant("urgent", 10, priority=1)

        def add() -> None:
            for one in urgent:
                world.collector.add(one)

        adding = asyncio.create_task(after(10.0, add))
        await world.collector.run(of_tenant("usual", 3_000))
        await adding
        return max(send.at for send in world.sender.sends if send.query_id.startswith("urgent"))

    # Ten seconds after the start, and well within a second of being known.
    assert run_virtually(main()) - 1_000 < 11


def test_turns_that_nobody_used_are_gone() -> None:
    share = FairShare()
    for _ in range(10):
        share.serve(share.start_of(("a",), ()))

    assert share.start_of(("b",), ()) == 9.0


def test_queries_without_tenants_take_turns_as_one() -> None:
    share = FairShare()

    assert [share.start_of((), ()) for _ in range(3)] == [0.0, 1.0, 2.0]
    assert share.start_of(("a",), ()) == 0.0
