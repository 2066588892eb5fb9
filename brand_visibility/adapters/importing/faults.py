"""What is wrong with one row of an imported file, and how that is worded.

Answers are not shown: a fault names their length. What makes a row right belongs to `rows`.
"""

from dataclasses import asdict, dataclass

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from brand_visibility.adapters.catalog.faults import describe, spell, word
from brand_visibility.adapters.importing.rows import ImportRow
from brand_visibility.domain.errors import Fault


@dataclass(frozen=True, slots=True)
class RowFault:
    """One thing wrong with a row.

    `line` counts from 1: the line on which the row begins, in a Parquet file the row.
    """

    line: int
    field: str
    found: str
    expected: str

    def in_file(self, file: str) -> Fault:
        """Return it as a fault of a file."""
        place = ", ".join(filter(None, (f"line {self.line}", self.field)))
        return Fault(file, place, self.found, self.expected)

    def as_record(self, file: str) -> dict[str, object]:
        """Return it as a record of a report."""
        return {"file": file, **asdict(self)}


def faults_of(line: int, error: ValidationError) -> list[RowFault]:
    """Return a row's faults, one for each field that is not as it should be."""
    return [_fault(line, item) for item in error.errors(include_url=False)]


def _fault(line: int, item: ErrorDetails) -> RowFault:
    found, expected = word(item, ImportRow)
    # The name of an unknown field is a stranger's text: it is quoted in `found`.
    field = "" if item["type"] == "extra_forbidden" else spell(item["loc"])
    if field == "text" and isinstance(item["input"], str) and "found" not in item.get("ctx", {}):
        found = f"a text of {len(item['input']):,} characters"
    return RowFault(line, field, found, expected)


def missing(line: int, field: str, expected: str) -> RowFault:
    """Return the fault of a field that a row needs and does not have."""
    return RowFault(line, field, f"no {field}", expected)


def unknown(line: int, field: str, value: str, expected: str) -> RowFault:
    """Return the fault of a value that names nothing known."""
    return RowFault(line, field, describe(value), expected)
