"""Several accounts of one platform, over real HTTP and with a real ledger."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from keyed_platform import Asked, KeyedPlatform, Reply, answer, error, serving

from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.lake.schemas import FAILURES, RAW_ANSWERS
from brand_visibility.adapters.ledger.outcomes import OutcomeStore
from brand_visibility.adapters.ledger.plans import PlanStore
from brand_visibility.adapters.ledger.shards import Shard
from brand_visibility.adapters.shard_collection import ShardCollector
from brand_visibility.domain.catalog import Account, AccountLimits, RetrySettings
from tests.builders import DAY, a_plan, a_platform

KEYS = {"first": "sk-first-0123456789", "second": "sk-second-0123456789"}
PARTITION = {"date": DAY.isoformat(), "platform": "deepseek"}
QUOTA = error(429, "insufficient_quota", "You exceeded your current quota")


def collect(
    reply_to: Callable[[KeyedPlatform, Asked], Reply], tmp_path: Path, database_url: str
) -> tuple[KeyedPlatform, Lake, int]:
    plan = a_plan(questions=40)
    PlanStore(database_url).freeze(plan, [], None)
    lake = Lake(tmp_path / "lake")
    limits = AccountLimits(rate_per_second=200, concurrency=3)
    platform = replace(
        a_platform(),
        adapter="openai_compatible",
        accounts=tuple(Account(name, limits, f"{name.upper()}_KEY") for name in KEYS),
        retry=RetrySettings(server_fault_s=0.05, rate_limit_base_s=0.05),
    )
    with serving(reply_to) as state:
        ShardCollector(
            database_url=database_url,
            lake=lake,
            outcomes=OutcomeStore(database_url, ZoneInfo("Asia/Shanghai")),
            platform=platform,
            keys=KEYS,
            base_url=state.url,
        ).collect(
            Shard(DAY, "deepseek", 0, 1),
            cut_off=None,
            heartbeat=lambda _: None,
        )
    return state, lake, len(plan.queries)


def accounts_of(lake: Lake) -> Counter[str]:
    return Counter(lake.read(RAW_ANSWERS, PARTITION)["account_id"].to_pylist())


@pytest.mark.parametrize(
    "refusal",
    [QUOTA, error(401, "invalid_api_key", "Incorrect API key provided"), error(402, "", "")],
    ids=["quota exhausted", "key refused", "balance used up"],
)
def test_when_one_account_is_out_its_work_goes_to_the_other(
    refusal: Reply, tmp_path: Path, database_url: str
) -> None:
    def reply_to(state: KeyedPlatform, asked: Asked) -> Reply:
        is_out = asked.key == KEYS["first"] and state.calls_with(KEYS["first"]) > 5
        return refusal if is_out else answer()

    state, lake, planned = collect(reply_to, tmp_path, database_url)

    answered = accounts_of(lake)
    assert answered.total() == planned
    assert answered["first"] == 5
    assert answered["second"] == planned - 5
    # What was in flight beside the first refusal may be refused too; nothing comes after it.
    assert state.calls_with(KEYS["first"]) <= 5 + 3


def test_each_request_carries_its_own_accounts_key_and_in_one_header_only(
    tmp_path: Path, database_url: str
) -> None:
    state, lake, planned = collect(lambda *_: answer(), tmp_path, database_url)

    assert {call.key for call in state.calls} == set(KEYS.values())
    for call in state.calls:
        holding = [name.lower() for name, value in call.headers.items() if call.key in value]
        assert holding == ["authorization"]
    asked_by = {name: state.calls_with(key) for name, key in KEYS.items()}
    assert accounts_of(lake) == asked_by
    assert sum(asked_by.values()) == planned


def test_when_every_account_is_out_what_is_left_fails_with_that_reason(
    tmp_path: Path, database_url: str
) -> None:
    def reply_to(state: KeyedPlatform, asked: Asked) -> Reply:
        return QUOTA if len(state.calls) > 10 else answer()

    state, lake, planned = collect(reply_to, tmp_path, database_url)

    reasons = Counter(lake.read(FAILURES, PARTITION)["reason"].to_pylist())
    assert accounts_of(lake).total() == 10
    assert reasons == {"quota_exhausted": planned - 10}
    assert len(state.calls) <= 10 + 2 * 3
