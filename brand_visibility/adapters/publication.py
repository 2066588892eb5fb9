"""Publishing a collected day: ledger to lake, one file a shard, and the closing count."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.lake.schemas import ATTEMPTS, FAILURES, RAW_ANSWERS
from brand_visibility.adapters.ledger.outcomes import OutcomeStore
from brand_visibility.adapters.ledger.shards import Shard
from brand_visibility.domain.errors import IncompleteError
from brand_visibility.domain.outcomes import RESULTS

_SHARD_DATASETS = (RAW_ANSWERS, FAILURES, ATTEMPTS)


@dataclass(frozen=True, slots=True)
class DayCount:
    """A platform's day in numbers, as published.

    `failures` are the queries without an answer, those included that the platform refused
    or blocked: these are results, and counted as such.
    `maybe_paid` counts queries that were asked again because a process died between the
    platform's answer and its record.
    """

    planned: int
    answers: int
    failures: int
    failures_by_reason: Mapping[str, int]
    attempts: int
    maybe_paid: int
    folder: Path

    @property
    def refused_or_blocked(self) -> int:
        """Queries whose result is that the platform gives no answer."""
        return sum(self.failures_by_reason.get(reason, 0) for reason in RESULTS)

    @property
    def failed(self) -> int:
        """Queries that brought no result at all."""
        return self.failures - self.refused_or_blocked

    @property
    def success_rate(self) -> float:
        """Queries with a result, answered or not, of those planned; 1 for an empty plan."""
        return (self.planned - self.failed) / self.planned if self.planned else 1.0

    @property
    def coverage_rate(self) -> float:
        """Answers obtained, of those planned; 1 for an empty plan."""
        return self.answers / self.planned if self.planned else 1.0


def file_name(shard: Shard) -> str:
    """Return the name of a shard's files, without suffix."""
    return f"shard-{shard.index:02}-of-{shard.count:02}"


class Publish(Protocol):
    """Writes what the ledger holds of a collected shard to the lake.

    `confirm_owner` raises when the caller no longer owns the shard; it is asked before
    each file appears.
    """

    def __call__(
        self, lake: Lake, outcomes: OutcomeStore, shard: Shard, *, confirm_owner: Callable[[], None]
    ) -> None: ...


def publish_shard(
    lake: Lake, outcomes: OutcomeStore, shard: Shard, *, confirm_owner: Callable[[], None]
) -> None:
    """Write a shard's answers, failures and attempts as one file each.

    `confirm_owner` raises when the caller no longer owns the shard. It is asked before
    each file appears.
    """
    partition = _partition(shard)
    name = file_name(shard)
    # An earlier owner may have been stopped between its last confirmation and the renaming
    # of a file that it had written by then. With that file gone its renaming fails whenever
    # it goes on, so that it can't put an older state of the shard over what follows here.
    for dataset in _SHARD_DATASETS:
        lake.remove_unfinished(dataset, partition, name=name)
    for dataset, read in zip(
        _SHARD_DATASETS, (outcomes.answers, outcomes.failures, outcomes.attempts), strict=True
    ):
        table = read(shard)
        lake.write(dataset, partition, table, name=name, before_it_appears=confirm_owner)


def close_day(lake: Lake, shards: list[Shard], *, planned: int, maybe_paid: int) -> DayCount:
    """Check a day's files against its plan and return what they hold.

    Raises IncompleteError when a shard's file is missing, or when answers and failures
    do not add up to the plan.
    """
    partition = _partition(shards[0])
    names = frozenset(file_name(shard) for shard in shards)
    for dataset in _SHARD_DATASETS:
        lake.remove_others(dataset, partition, names)
        missing = names - {path.stem for path in lake.files(dataset, partition)}
        if missing:
            raise IncompleteError(
                f"{lake.folder(dataset, partition)}: found no {', '.join(sorted(missing))};"
                f" expected {len(shards)} files, one a shard"
            )
    reasons = lake.read(FAILURES, partition, ["reason"])["reason"].value_counts().to_pylist()
    count = DayCount(
        planned=planned,
        answers=lake.count(RAW_ANSWERS, partition),
        failures=lake.count(FAILURES, partition),
        failures_by_reason={item["values"]: item["counts"] for item in reasons},
        attempts=lake.count(ATTEMPTS, partition),
        maybe_paid=maybe_paid,
        folder=lake.folder(RAW_ANSWERS, partition),
    )
    if count.answers + count.failures != planned:
        raise IncompleteError(
            f"{count.folder}: found {count.answers} answers and {count.failures} failures;"
            f" expected {planned} in all, as planned"
        )
    return count


@dataclass(frozen=True, slots=True)
class PlanAudit:
    """A day's published queries, held against the plan one by one."""

    planned: int
    answers: int
    failures: int
    missing: int
    duplicated: int
    unplanned: int

    @property
    def is_whole(self) -> bool:
        """Whether every planned query is published exactly once, and nothing else."""
        return self.missing == self.duplicated == self.unplanned == 0

    def sentence(self) -> str:
        """Return the finding in words."""
        found = f"{self.answers} answers and {self.failures} failures for {self.planned} planned"
        if self.is_whole:
            return found
        return (
            f"{found}: {self.missing} missing, {self.duplicated} published more than once,"
            f" {self.unplanned} never planned"
        )


def audit_against_plan(
    lake: Lake, partition: Mapping[str, str], planned_ids: frozenset[str]
) -> PlanAudit:
    """Hold what a partition has published against the ids of its planned queries."""
    answers = lake.read(RAW_ANSWERS, partition, ["query_id"])["query_id"].to_pylist()
    failures = lake.read(FAILURES, partition, ["query_id"])["query_id"].to_pylist()
    times = Counter([*answers, *failures])
    return PlanAudit(
        planned=len(planned_ids),
        answers=len(answers),
        failures=len(failures),
        missing=len(planned_ids - times.keys()),
        duplicated=sum(1 for count in times.values() if count > 1),
        unplanned=len(times.keys() - planned_ids),
    )


def _partition(shard: Shard) -> dict[str, str]:
    return {"date": shard.plan_date.isoformat(), "platform": shard.platform_id}
