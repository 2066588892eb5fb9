"""What the judge said of a day's sample, out of the ledger into the table of judgements."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

import pyarrow as pa

from brand_visibility.adapters.judging.sample_files import (
    JUDGEMENTS_FILE,
    NOT_ASKED,
    Row,
    texts_of,
)
from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.lake.schemas import CORE_STANCE_JUDGEMENTS, DATE
from brand_visibility.adapters.ledger.outcomes import OutcomeStore
from brand_visibility.adapters.ledger.shards import FINAL_REASONS, Shard
from brand_visibility.domain.catalog import Platform
from brand_visibility.domain.outcomes import Reason
from brand_visibility.reading.judging import read_judgement


@dataclass(frozen=True, slots=True)
class JudgementFile:
    """Writes a sample's table when its one shard was collected: a `Publish`."""

    sample: Sequence[Row]

    def __call__(
        self, lake: Lake, outcomes: OutcomeStore, shard: Shard, *, confirm_owner: Callable[[], None]
    ) -> None:
        """Write what the ledger has by now, over what was written before."""
        partition = {DATE: shard.plan_date.isoformat()}
        lake.remove_unfinished(CORE_STANCE_JUDGEMENTS, partition, name=JUDGEMENTS_FILE)
        texts = texts_of(lake, shard.plan_date, list(self.sample))
        said = _Said.read(outcomes, shard)
        rows = [_judged(row, texts, said) for row in self.sample]
        lake.write(
            CORE_STANCE_JUDGEMENTS,
            partition,
            pa.Table.from_pylist(rows, schema=CORE_STANCE_JUDGEMENTS.schema),
            name=JUDGEMENTS_FILE,
            before_it_appears=confirm_owner,
        )


def open_rows(sample: Sequence[Row], judge: Platform) -> list[Row]:
    """Return the rows that the judge may still be asked about.

    Those of an earlier judge stay as they are, as do replies that are no judgements: the
    judge was asked, and said what it says.
    """
    return [
        row
        for row in sample
        if row["judge_platform_id"] == judge.platform_id
        and row["reason"] is not None
        and row["reason"] not in FINAL_REASONS
        and row.get("judge_model") is None
    ]


def read_judgements(lake: Lake, plan_date: date) -> pa.Table:
    """Return a day's judgements, empty when nothing was sampled."""
    return lake.read(CORE_STANCE_JUDGEMENTS, {DATE: plan_date.isoformat()})


@dataclass(frozen=True, slots=True)
class _Said:
    """What came of the judge's queries, by their ids."""

    replies: Mapping[str, Row]
    reasons: Mapping[str, str]
    costs: Mapping[str, Decimal | None]

    @classmethod
    def read(cls, outcomes: OutcomeStore, shard: Shard) -> "_Said":
        failures = outcomes.failures(shard).to_pylist()
        return cls(
            replies={row["query_id"]: row for row in outcomes.answers(shard).to_pylist()},
            reasons={row["query_id"]: row["reason"] for row in failures},
            costs=_costs(outcomes.attempts(shard).to_pylist()),
        )


def _costs(attempts: Sequence[Row]) -> dict[str, Decimal | None]:
    """Return what all calls of each query cost, None where that of one is unknown."""
    costs: dict[str, Decimal | None] = {}
    for attempt in attempts:
        known, cost = costs.get(attempt["query_id"], Decimal(0)), attempt["cost_usd"]
        costs[attempt["query_id"]] = None if known is None or cost is None else known + cost
    return costs


def _judged(row: Row, texts: Mapping[str, str], said: _Said) -> Row:
    query_id = row["judge_query_id"]
    empty = dict.fromkeys(("judged_stance", "quote", "judge_model"))
    judged = {**row, **empty, "is_verified": False, "cost_usd": said.costs.get(query_id)}
    reply = said.replies.get(query_id)
    if reply is None:
        return judged | {"reason": said.reasons.get(query_id, NOT_ASKED)}
    judged["judge_model"] = reply["model"]
    judgement = read_judgement(reply["text"], texts.get(row["query_id"], ""))
    if judgement is None:
        return judged | {"reason": Reason.MALFORMED.value}
    return judged | {
        "judged_stance": judgement.stance.value,
        "quote": judgement.quote,
        "is_verified": judgement.is_verified,
        "reason": None,
    }
