"""Reading `questions.csv`, row by row, without holding the file.

One row must make sense by itself and repeat no other; whether its topic exists is asked
here too, because a catalog has tens of thousands of rows and they are walked once.
"""

import csv
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, BinaryIO

from pydantic import BeforeValidator, Field, ValidationError

from brand_visibility.adapters.catalog.faults import FaultLog, describe, word
from brand_visibility.adapters.catalog.fields import Door, Id, Language, Text, refusal
from brand_visibility.domain.catalog import Question, QuestionKind

COLUMNS = ("question_id", "topic_id", "kind", "language", "priority", "repeats", "text")
OPTIONAL_COLUMNS = frozenset({"kind", "language", "priority", "repeats"})
MOST_REPEATS = 20
HIGHEST_PRIORITY = 100

# Braces around anything longer than a word are text: questions may quote code.
_PLACEHOLDER = re.compile(r"\{\s*\w+\s*\}")
_INTEGER = re.compile(r"[-+]?[0-9]{1,9}\Z")
_PLACEHOLDERS = {
    QuestionKind.NON_BRAND: frozenset[str](),
    QuestionKind.BRAND: frozenset({"{brand}"}),
    QuestionKind.COMPARISON: frozenset({"{brand}", "{competitor}"}),
}
_NO_TABLE = "a CSV file with the columns " + ", ".join(COLUMNS)


def _whole_number(value: object) -> object:
    if isinstance(value, str):
        if not _INTEGER.match(value):
            raise refusal("a whole number")
        return int(value)
    return value


class QuestionRow(Door):
    """A row as written, its empty optional cells left out."""

    question_id: Id
    topic_id: Id
    kind: Annotated[QuestionKind, Field(strict=False)] = QuestionKind.NON_BRAND
    language: Language = "zh"
    priority: Annotated[
        int,
        BeforeValidator(_whole_number),
        Field(ge=-HIGHEST_PRIORITY, le=HIGHEST_PRIORITY),
    ] = 0
    repeats: Annotated[int, BeforeValidator(_whole_number), Field(ge=1, le=MOST_REPEATS)] = 1
    text: Text

    def to_domain(self) -> Question:
        """Return the question as a value."""
        return Question(
            question_id=self.question_id,
            topic_id=self.topic_id,
            text=self.text,
            kind=self.kind,
            language=self.language,
            priority=self.priority,
            repeats=self.repeats,
        )


@dataclass(frozen=True, slots=True)
class QuestionTable:
    """The valid questions, and every topic that any row names, a faulty one too."""

    questions: tuple[Question, ...]
    topic_ids: frozenset[str]


def read_questions(
    path: Path, log: FaultLog, topic_ids: Collection[str] | None
) -> QuestionTable | None:
    """Read all rows; None, with the fault noted, when there is no table to read.

    `topic_ids` are those that exist, None when that is not known.
    """
    try:
        with path.open("rb") as stream:
            return _Reader(str(path), log, topic_ids).read(stream)
    except FileNotFoundError:
        log.add(str(path), None, found="no such file", expected=_NO_TABLE)
    except OSError as error:
        log.add(str(path), None, found=f"{error.strerror}", expected=_NO_TABLE)
    return None


class _Reader:
    """Walks one file once, noting faults and remembering what must not repeat."""

    def __init__(self, file: str, log: FaultLog, topic_ids: Collection[str] | None) -> None:
        self._file = file
        self._log = log
        self._topic_ids = topic_ids
        self._is_cut_short = False
        self._named_topics: set[str] = set()
        self._lines_by_id: dict[str, int] = {}
        self._lines_by_content: dict[tuple[str, str, str], int] = {}

    def read(self, stream: BinaryIO) -> QuestionTable | None:
        rows = self._rows(stream)
        header = next(rows, None)
        if header is None and not self._is_cut_short:
            self._fault(1, "", "no header", _NO_TABLE)
        if header is None or not self._accept_header(*header):
            return None
        columns = header[1]
        questions = (self._question(line, columns, cells) for line, cells in rows)
        valid = tuple(question for question in questions if question is not None)
        if self._is_cut_short:
            return None
        if not self._lines_by_id:
            self._fault(header[0], "", "no question", "at least one row below the header")
        return QuestionTable(valid, frozenset(self._named_topics))

    def _rows(self, stream: BinaryIO) -> Iterator[tuple[int, list[str]]]:
        reader = csv.reader(_decoded(stream), strict=True)
        while True:
            line = reader.line_num + 1
            try:
                cells = next(reader, None)
            except csv.Error as error:
                self._fault(line, "", f"a broken row ({error})", "cells as CSV quotes them")
                continue
            except UnicodeDecodeError:
                found = "bytes that are not UTF-8"
                expected = "UTF-8 text (in a spreadsheet: save as 'CSV UTF-8')"
                self._fault(reader.line_num + 1, "", found, expected)
                self._is_cut_short = True
                return
            if cells is None:
                return
            # Spreadsheets leave rows of empty cells behind.
            if any(cells):
                yield line, cells

    def _accept_header(self, line: int, columns: list[str]) -> bool:
        faults = [
            (f"the unknown column {describe(name)}", "one of the columns " + ", ".join(COLUMNS))
            for name in columns
            if name not in COLUMNS
        ]
        faults += [
            (f"no column {name!r}", f"the column {name!r}")
            for name in COLUMNS
            if name not in columns
        ]
        faults += [
            (f"the column {name!r} {columns.count(name)} times", "each column once")
            for name in COLUMNS
            if columns.count(name) > 1
        ]
        for found, expected in faults:
            self._fault(line, "", found, expected)
        return not faults

    def _question(self, line: int, columns: list[str], cells: list[str]) -> Question | None:
        if len(cells) != len(columns):
            self._fault(line, "", f"{len(cells)} cells", f"{len(columns)} cells")
            return None
        written = {
            column: cell
            for column, cell in zip(columns, cells, strict=True)
            if cell or column not in OPTIONAL_COLUMNS
        }
        self._note_ids(line, written["question_id"], written["topic_id"])
        try:
            question = QuestionRow.model_validate(written).to_domain()
        except ValidationError as error:
            for detail in error.errors(include_url=False):
                self._fault(line, str(detail["loc"][0]), *word(detail, QuestionRow))
            return None
        self._check_placeholders(line, question)
        self._check_content(line, question)
        return question

    def _note_ids(self, line: int, question_id: str, topic_id: str) -> None:
        first = self._lines_by_id.setdefault(question_id, line)
        if first != line:
            found = f"the id {describe(question_id)} again (first on line {first})"
            self._fault(line, "question_id", found, "an id that is used once")
        self._named_topics.add(topic_id)
        if self._topic_ids is not None and topic_id not in self._topic_ids:
            found = f"the unknown topic {describe(topic_id)}"
            self._fault(line, "topic_id", found, "the id of a topic in the catalog")

    def _check_placeholders(self, line: int, question: Question) -> None:
        found = set(_PLACEHOLDER.findall(question.text))
        wanted = _PLACEHOLDERS[question.kind]
        if not wanted:
            # Nothing is filled in here: only what looks like a brand's place is a slip.
            found = {name for name in found if _is_brands_place(name)}
        for name in sorted(found - wanted):
            expected = f"only {' and '.join(sorted(wanted))}" if wanted else "no placeholder"
            expected += f" in a {question.kind} question"
            self._fault(line, "text", f"the placeholder {describe(name)}", expected)
        for name in sorted(wanted - found):
            expected = f"{name} in a {question.kind} question"
            self._fault(line, "text", f"no placeholder {name!r}", expected)

    def _check_content(self, line: int, question: Question) -> None:
        content = (question.topic_id, question.kind.value, question.text)
        first = self._lines_by_content.setdefault(content, line)
        if first != line:
            found = f"the same topic, kind and text as on line {first}"
            self._fault(line, "text", found, "each question once (use repeats to ask it again)")

    def _fault(self, line: int, column: str, found: str, expected: str) -> None:
        self._log.add(self._file, line, column, found=found, expected=expected)


def _is_brands_place(placeholder: str) -> bool:
    return placeholder.strip("{} \t\n").casefold() in {"brand", "competitor"}


def _decoded(stream: BinaryIO) -> Iterator[str]:
    for number, line in enumerate(stream):
        yield line.decode("utf-8" if number else "utf-8-sig")
