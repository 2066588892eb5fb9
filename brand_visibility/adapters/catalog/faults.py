"""Collecting everything wrong with a catalog, and wording it for the person who wrote it.

Reading files belongs to `yaml_file` and `questions`; what is right or wrong belongs to
`models` and `checks`. Nothing here repeats a value that looks like a credential.
"""

import re
from collections.abc import Sequence
from typing import get_args

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from brand_visibility.domain.errors import CatalogError, Fault

Steps = tuple[str | int, ...]

_LONGEST_SHOWN = 60
_CREDENTIAL = re.compile(
    r"sk-[\w-]{12}|Bearer\s|(pk|rk|gsk|xai)[-_]\w{12}|(AKIA|AKID|AIza|eyJ)[\w-]{12}"
)

_EXPECTED = {
    "string_type": "text (in quotes, if it looks like a number or like true)",
    "string_too_short": "text that is not empty",
    "string_unicode": "text of valid Unicode characters",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "list_type": "a list",
    "too_short": "a list of at least {min_length}",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "greater_than": "a number above {gt}",
    "greater_than_equal": "{ge} or more",
    "less_than_equal": "{le} or less",
    "enum": "one of {expected}",
    "literal_error": "one of {expected}",
    "refused": "{expected}",
}


class FaultLog:
    """Everything found wrong so far, in whatever order it was found."""

    def __init__(self, file_order: Sequence[str]) -> None:
        self._ranks = {name: rank for rank, name in enumerate(file_order)}
        self._faults: list[tuple[int, int, Fault]] = []

    def add(
        self, file: str, line: int | None, field: str = "", *, found: str, expected: str
    ) -> None:
        """Note one fault at a line and field of a file; no line means the whole file."""
        place = ", ".join(part for part in (f"line {line}" if line else "", field) if part)
        rank = self._ranks.get(re.split(r"[\\/]", file)[-1], len(self._ranks))
        self._faults.append((rank, line or 0, Fault(file, place, found, expected)))

    def __bool__(self) -> bool:
        return bool(self._faults)

    def error(self) -> CatalogError:
        """Return the error that carries all faults by file, then line."""
        in_file_order = sorted(self._faults, key=lambda noted: noted[:2])
        return CatalogError([fault for _, _, fault in in_file_order])


def looks_like_credential(text: str) -> bool:
    """Whether a text has the usual shape of an API key, and so must never be shown."""
    return _CREDENTIAL.match(text.strip()) is not None


def describe(value: object) -> str:
    """Return a short one-line wording of a value that was found."""
    if value is None:
        return "no value"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _describe_text(value)
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    if isinstance(value, dict):
        return "a mapping" if value else "an empty mapping"
    return str(value)


def _describe_text(text: str) -> str:
    if looks_like_credential(text):
        return "what looks like a credential (not shown)"
    if len(text) > _LONGEST_SHOWN:
        return f"{text[:_LONGEST_SHOWN]!r}… ({len(text)} characters)"
    return repr(text)


def spell(steps: Steps) -> str:
    """Return a field path as people write it: `brands[3].aliases[0].text`."""
    spelled = ""
    for step in steps:
        if isinstance(step, int):
            spelled += f"[{step}]"
        else:
            spelled += ".(not shown)" if looks_like_credential(step) else f".{step}"
    return spelled.removeprefix(".")


def word(error: ErrorDetails, model: type[BaseModel]) -> tuple[str, str]:
    """Return what a pydantic error found and what it expected."""
    name = str(error["loc"][-1]) if error["loc"] else ""
    if error["type"] == "missing":
        return f"no field {name!r}", f"the field {name!r}"
    if error["type"] == "extra_forbidden":
        moved = getattr(model, "moved_fields", {})
        if len(error["loc"]) == 1 and name in moved:
            return f"the field {_describe_text(name)}", moved[name]
        known = ", ".join(_fields_at(model, error["loc"][:-1]))
        return f"the unknown field {_describe_text(name)}", f"one of the fields {known}"
    context = error.get("ctx", {})
    wording = _EXPECTED.get(error["type"])
    expected = wording.format(**context) if wording else error["msg"]
    return context.get("found", describe(error["input"])), expected


def _fields_at(model: type[BaseModel], steps: Steps) -> list[str]:
    for step in steps:
        if isinstance(step, str) and step in model.model_fields:
            model = _model_in(model.model_fields[step].annotation) or model
    return list(model.model_fields)


def _model_in(annotation: object) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_model_in, get_args(annotation))), None)
