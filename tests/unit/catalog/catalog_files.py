"""Editing catalog files and collecting the faults that follow."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from brand_visibility.adapters.catalog.loader import load_catalog
from brand_visibility.domain.errors import CatalogError, Fault

EXAMPLES = Path(__file__).parents[3] / "examples"
EXAMPLE = EXAMPLES / "catalog"
MARK = "§"


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace `old` by `new`; MARK in `new` stands on the line the fault must name."""

    file: str
    old: str
    new: str


def apply(directory: Path, edit: Edit) -> int:
    """Make the edit and return the marked line, 0 when there is no mark."""
    path = directory / edit.file
    text = path.read_text(encoding="utf-8")
    assert edit.old in text, f"{edit.file} no longer holds {edit.old!r}"
    edited = text.replace(edit.old, edit.new, 1)
    before, mark, after = edited.partition(MARK)
    path.write_text(before + after, encoding="utf-8", newline="")
    return before.count("\n") + 1 if mark else 0


# The edit, then the field path, how `found` starts, and a part of `expected`.
Case = tuple[Edit, str, str, str]


def assert_one_fault(directory: Path, case: Case) -> None:
    """Make the edit; exactly the fault it describes must follow, and no second one."""
    edit, field, found, expected = case
    line = apply(directory, edit)

    (fault,) = faults_of(directory)

    assert fault.file == str(directory / edit.file)
    where, _, path = fault.place.partition(", ")
    assert path == field
    assert line in (0, int(where.removeprefix("line ")))
    assert fault.found.startswith(found)
    assert expected in fault.expected


def faults_of(directory: Path, environment: Mapping[str, str] | None = None) -> list[Fault]:
    """Load a catalog that must be invalid and return its faults."""
    with pytest.raises(CatalogError) as caught:
        load_catalog(directory, environment)
    return list(caught.value.faults)
