"""What collecting a shard came to, as a value and in words."""

from dataclasses import dataclass

from brand_visibility.adapters.ledger.shards import Shard
from brand_visibility.collection.summary import Summary


@dataclass(frozen=True, slots=True)
class ShardReport:
    """What collecting a shard came to.

    After outages of the database `summary` is what was left to do after the last one, while
    `maybe_paid` counts all that was being asked when one began.
    """

    shard: Shard
    summary: Summary
    maybe_paid: int
    outages: int = 0

    @property
    def was_stopped(self) -> bool:
        """Whether it ended by request, with queries left to ask."""
        return self.summary.was_stopped

    def sentence(self) -> str:
        """Return the report in words."""
        summary = self.summary
        failed = ", ".join(f"{count} {reason}" for reason, count in sorted(summary.failed.items()))
        return (
            f"shard {self.shard.index + 1} of {self.shard.count}: asked {summary.asked},"
            f" answered {summary.answered}, failed {summary.failed_count}"
            f"{f' ({failed})' if failed else ''}, left {summary.left},"
            f" {summary.attempts} calls, {self.maybe_paid} asked again after a crash"
            f"{f', {self.outages} outages of the database' if self.outages else ''}"
        )
