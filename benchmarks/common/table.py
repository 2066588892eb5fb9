"""Figures as Markdown tables, with the target beside each and whether it was met.

Formatting only; what is measured belongs to the parts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Bound(StrEnum):
    """On which side of its target a figure should lie."""

    AT_MOST = "≤"
    AT_LEAST = "≥"
    EXACTLY = "="


@dataclass(frozen=True, slots=True)
class Target:
    """What was promised of a figure, and what was measured. `digits` are shown."""

    name: str
    measured: float
    bound: Bound
    promised: float
    unit: str = ""
    digits: int = 0

    @property
    def is_met(self) -> bool:
        """Whether the promise is kept, compared as exactly as it was measured."""
        if self.bound is Bound.AT_MOST:
            return self.measured <= self.promised
        if self.bound is Bound.AT_LEAST:
            return self.measured >= self.promised
        return self.measured == self.promised

    def row(self) -> list[str]:
        """Return the cells of the table of targets."""
        unit = f" {self.unit}" if self.unit else ""
        return [
            self.name,
            f"{self.measured:,.{self.digits}f}{unit}",
            f"{self.bound} {self.promised:,.{self.digits}f}{unit}",
            "met" if self.is_met else "**missed**",
        ]


TARGET_HEAD = ("figure", "measured", "target", "")


def markdown(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a Markdown table. Raises ValueError when a row has another width."""
    for row in rows:
        if len(row) != len(head):
            raise ValueError(f"row {row}: found {len(row)} cells; expected {len(head)}")
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def target_table(targets: Sequence[Target]) -> str:
    """Return the table of targets."""
    return markdown(TARGET_HEAD, [target.row() for target in targets])


def _cell(value: object) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")
