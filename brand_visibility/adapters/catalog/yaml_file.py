"""A YAML file as plain values that remember their lines.

Only the syntax is judged here: encoding, duplicate keys, tags, nesting. What the values
mean belongs to `models`. The scalars are YAML 1.2's, so that a brand named `NO`, a date
or a time of day stays the text it looks like.
"""

import math
import re
from collections.abc import Mapping, Set
from dataclasses import dataclass
from pathlib import Path

import yaml

from brand_visibility.adapters.catalog.faults import FaultLog, Steps, describe, spell

_TAG = "tag:yaml.org,2002:"
_DEEPEST = 16
# Larger numbers have no exact counterpart in JSON, Parquet or PostgreSQL.
_MOST_DIGITS = 18
_INT = re.compile(r"[-+]?[0-9]+\Z")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_BOOL = re.compile(r"(true|True|TRUE|false|False|FALSE)\Z")
_NULL = re.compile(r"(~|null|Null|NULL|)\Z")


class _Loader(yaml.CSafeLoader):
    # `None` stands for any first character.
    yaml_implicit_resolvers: dict[str | None, list[tuple[str, re.Pattern[str]]]] = {  # noqa: RUF012
        None: [
            (f"{_TAG}null", _NULL),
            (f"{_TAG}bool", _BOOL),
            (f"{_TAG}int", _INT),
            (f"{_TAG}float", _FLOAT),
        ]
    }


@dataclass(frozen=True, slots=True)
class Document:
    """The values of one file and the line each of them starts on.

    `broken` are the places whose value could not be read and stands as None.
    """

    file: str
    value: object
    lines: Mapping[Steps, int]
    broken: Set[Steps] = frozenset()

    def line(self, steps: Steps) -> int:
        """Return the line of a value, or of the nearest value around it."""
        while steps not in self.lines:
            steps = steps[:-1]
        return self.lines[steps]


def read_yaml(path: Path, log: FaultLog) -> Document | None:
    """Return a file's values, or None (with the faults noted) when it can't be read."""
    text = _read_text(path, log)
    if text is None:
        return None
    node = _compose(text, str(path), log)
    if node is None:
        return None
    converter = _Converter(str(path), log)
    value = converter.convert(node, ())
    return Document(str(path), value, converter.lines, converter.broken)


def _read_text(path: Path, log: FaultLog) -> str | None:
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        log.add(str(path), None, found="no such file", expected="a YAML file")
        return None
    except OSError as error:
        log.add(str(path), None, found=f"{error.strerror}", expected="a readable YAML file")
        return None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        log.add(str(path), line, found="bytes that are not UTF-8", expected="UTF-8 text")
        return None


def _compose(text: str, file: str, log: FaultLog) -> yaml.Node | None:
    loader = _Loader(text)
    try:
        node: yaml.Node | None = loader.get_single_node()
    except yaml.YAMLError as error:
        log.add(file, _line_of(error, text), found=_problem(error), expected="valid YAML")
        return None
    finally:
        loader.dispose()
    if node is None:
        log.add(file, None, found="an empty file", expected="a mapping")
    return node


def _line_of(error: yaml.YAMLError, text: str) -> int:
    mark = getattr(error, "problem_mark", None)
    if mark is not None:
        return int(mark.line) + 1
    position = getattr(error, "position", None) or 0
    return text.encode()[:position].count(b"\n") + 1


def _problem(error: yaml.YAMLError) -> str:
    # The error's own text quotes the line, which may hold a credential.
    problem = getattr(error, "problem", None) or getattr(error, "reason", None)
    return f"a syntax error ({problem})" if problem else "a syntax error"


class _Converter:
    """Turns nodes into values, noting lines and faults of syntax on the way."""

    def __init__(self, file: str, log: FaultLog) -> None:
        self.lines: dict[Steps, int] = {(): 1}
        self.broken: set[Steps] = set()
        self._file = file
        self._log = log
        self._seen: set[int] = set()

    def convert(self, node: yaml.Node, steps: Steps) -> object:
        """Return the value of a node; None where a fault was noted instead."""
        if len(steps) > _DEEPEST:
            return self._give_up(node, steps, "deep nesting", f"at most {_DEEPEST} levels")
        # An alias is the same node again: values that repeat or contain themselves.
        if id(node) in self._seen:
            return self._give_up(node, steps, "a YAML alias (*name)", "the value written out")
        self._seen.add(id(node))
        if isinstance(node, yaml.MappingNode) and node.tag == f"{_TAG}map":
            return self._mapping(node, steps)
        if isinstance(node, yaml.SequenceNode) and node.tag == f"{_TAG}seq":
            return self._sequence(node, steps)
        return self._scalar(node, steps)

    def _mapping(self, node: yaml.MappingNode, steps: Steps) -> dict[str, object]:
        values: dict[str, object] = {}
        for key_node, value_node in node.value:
            key = key_node.value
            if not isinstance(key, str) or key_node.tag != f"{_TAG}str":
                self._refuse(key_node, steps, "a key that is not text", "the name of a field")
                continue
            inner = (*steps, key)
            if key in values:
                first = self.lines[inner]
                found = f"the key {describe(key)} again (first on line {first})"
                self._refuse(key_node, inner, found, "each key once")
                continue
            self.lines[inner] = key_node.start_mark.line + 1
            values[key] = self.convert(value_node, inner)
        return values

    def _sequence(self, node: yaml.SequenceNode, steps: Steps) -> list[object]:
        values = []
        for index, item in enumerate(node.value):
            inner = (*steps, index)
            self.lines[inner] = item.start_mark.line + 1
            values.append(self.convert(item, inner))
        return values

    def _scalar(self, node: yaml.Node, steps: Steps) -> object:
        text = node.value
        if node.tag == f"{_TAG}str":
            return text
        if node.tag == f"{_TAG}null" and _NULL.match(text):
            return None
        if node.tag == f"{_TAG}bool" and _BOOL.match(text):
            return text.lower() == "true"
        if node.tag in (f"{_TAG}int", f"{_TAG}float") and _FLOAT.match(text):
            return self._number(node, steps)
        return self._give_up(node, steps, "a YAML tag", "a plain value")

    def _number(self, node: yaml.Node, steps: Steps) -> object:
        text: str = node.value
        if node.tag == f"{_TAG}int" and _INT.match(text) and len(text) <= _MOST_DIGITS:
            return int(text)
        number = float(text)
        if node.tag == f"{_TAG}int" or not math.isfinite(number):
            return self._give_up(node, steps, "a huge number", f"at most {_MOST_DIGITS} digits")
        return number

    def _give_up(self, node: yaml.Node, steps: Steps, found: str, expected: str) -> object:
        self._refuse(node, steps, found, expected)
        self.broken.add(steps)
        return None

    def _refuse(self, node: yaml.Node, steps: Steps, found: str, expected: str) -> None:
        line = node.start_mark.line + 1
        self._log.add(self._file, line, spell(steps), found=found, expected=expected)
