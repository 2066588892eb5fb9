"""The one tree of errors.

    BrandVisibilityError
    ├── TransientError       trying again may help
    │   └── ShardBusyError   another process owns the shard
    └── PermanentError       trying again cannot help
        ├── CatalogError     the catalog is invalid; carries every fault
        ├── InputError       a file or an option from a person is invalid
        ├── PlanError        the day cannot be planned or was never planned
        └── IncompleteError  a stored day does not add up to its plan

A platform's failure to answer is not an exception but a `Failure` (see `outcomes`).
Third-party errors are translated once, in the adapter that meets them.
"""

from collections.abc import Sequence
from dataclasses import dataclass


class BrandVisibilityError(Exception):
    """Base of every error this project raises on purpose."""


class TransientError(BrandVisibilityError):
    """A later attempt may succeed."""


class ShardBusyError(TransientError):
    """Another living process owns the shard."""


class PermanentError(BrandVisibilityError):
    """No later attempt can succeed until a person changes something."""


class InputError(PermanentError):
    """A file or an option handed over by a person is invalid."""


class PlanError(PermanentError):
    """The day cannot be planned, or has not been planned."""


class IncompleteError(PermanentError):
    """What is stored does not add up to the plan."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong in a file that a person wrote.

    `place` is a line or a field path within `file`.
    """

    file: str
    place: str
    found: str
    expected: str

    def __str__(self) -> str:
        where = f"{self.file}: {self.place}" if self.place else self.file
        return f"{where}: found {self.found}; expected {self.expected}"


class CatalogError(PermanentError):
    """The catalog is invalid. `faults` holds all of them, in file order."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        noun = "fault" if len(self.faults) == 1 else "faults"
        lines = "\n".join(f"  {fault}" for fault in self.faults)
        super().__init__(f"the catalog has {len(self.faults)} {noun}:\n{lines}")
