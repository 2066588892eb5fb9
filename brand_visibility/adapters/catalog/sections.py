"""The list of entries that a YAML catalog file holds, entry by entry.

An invalid entry is noted and left out, so that one bad brand hides no other fault. What
holds between entries and files belongs to `checks`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from brand_visibility.adapters.catalog.faults import FaultLog, Steps, describe, spell, word
from brand_visibility.adapters.catalog.fields import Distinct, Text
from brand_visibility.adapters.catalog.models import Entry
from brand_visibility.adapters.catalog.yaml_file import Document, read_yaml

E = TypeVar("E", bound=Entry)

_TEXTS: TypeAdapter[list[str]] = TypeAdapter(Distinct[Text])


@dataclass(frozen=True, slots=True)
class Section(Generic[E]):
    """The entries of one file. `lines` holds every id, those of invalid entries too."""

    name: str
    document: Document
    log: FaultLog
    entries: tuple[tuple[int, E], ...]
    lines: Mapping[str, int] = field(default_factory=dict)
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def line(self, index: int, *steps: str | int) -> int:
        """Return the line of a value within the entry of this index."""
        return self.document.line((self.name, index, *steps))

    def fault(self, index: int, *steps: str | int, found: str, expected: str) -> None:
        """Note a fault at a value within the entry of this index."""
        _note(self.document, self.log, (self.name, index, *steps), found, expected)

    def fault_at(self, *steps: str | int, found: str, expected: str) -> None:
        """Note a fault at a value anywhere in the file."""
        _note(self.document, self.log, steps, found, expected)


def read_section(
    path: Path,
    name: str,
    model: type[E],
    log: FaultLog,
    *,
    text_lists: tuple[str, ...] = (),
    others: tuple[str, ...] = (),
) -> Section[E] | None:
    """Read a file whose top level is one list of entries and, maybe, lists of texts.

    `others` are fields of the top level that the caller reads from the section's document.
    Returns None, with the faults noted, when the file can't be read or has no such list.
    """
    document = read_yaml(path, log)
    if document is None:
        return None
    values = _top_level(document, (name, *text_lists, *others), log)
    if values is None:
        return None
    items = values.get(name)
    if not isinstance(items, list) or not items:
        _note(document, log, (name,), describe(items), f"a list of at least one of {name}")
        return None
    return Section(
        name=name,
        document=document,
        log=log,
        entries=_valid_entries(document, name, items, model, log),
        lines=_ids(document, name, items, model.id_field, log),
        texts={key: _texts(document, key, values.get(key, []), log) for key in text_lists},
    )


def _top_level(
    document: Document, known: tuple[str, ...], log: FaultLog
) -> dict[str, object] | None:
    if not isinstance(document.value, dict):
        expected = f"a mapping with the field {known[0]!r}"
        _note(document, log, (), describe(document.value), expected)
        return None
    for key in document.value.keys() - set(known):
        expected = f"one of the fields {', '.join(known)}"
        _note(document, log, (key,), f"the unknown field {describe(key)}", expected)
    return document.value


def _valid_entries(
    document: Document, name: str, items: list[object], model: type[E], log: FaultLog
) -> tuple[tuple[int, E], ...]:
    entries = []
    for index, item in enumerate(items):
        try:
            entries.append((index, model.model_validate(item)))
        except ValidationError as error:
            for detail in error.errors(include_url=False):
                found, expected = word(detail, model)
                _note(document, log, (name, index, *detail["loc"]), found, expected)
    return tuple(entries)


def _ids(
    document: Document, name: str, items: list[object], id_field: str | None, log: FaultLog
) -> dict[str, int]:
    lines: dict[str, int] = {}
    if id_field is None:
        return lines
    for index, item in enumerate(items):
        entry_id = item.get(id_field) if isinstance(item, dict) else None
        if not isinstance(entry_id, str):
            continue
        steps = (name, index, id_field)
        if entry_id in lines:
            found = f"the id {describe(entry_id)} again (first on line {lines[entry_id]})"
            _note(document, log, steps, found, "an id that is used once")
        lines.setdefault(entry_id, document.line(steps))
    return lines


def _texts(document: Document, key: str, value: object, log: FaultLog) -> tuple[str, ...]:
    try:
        return tuple(_TEXTS.validate_python(value, strict=True))
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            found, expected = word(detail, Entry)
            _note(document, log, (key, *detail["loc"]), found, expected)
        return ()


def _note(document: Document, log: FaultLog, steps: Steps, found: str, expected: str) -> None:
    if steps in document.broken:
        return  # Noted when it could not be read.
    field_path = spell(steps)
    log.add(document.file, document.line(steps), field_path, found=found, expected=expected)
