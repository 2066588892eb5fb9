"""Questions from a file that a person wrote: plain text or JSON, one a line.

Which of them are asked, and what for, belongs to `session`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import orjson

from brand_visibility.domain.errors import Fault, InputError

JSON_SUFFIXES = frozenset({".jsonl", ".ndjson"})

_TEXT_FIELDS = ("question", "text", "prompt")
_EXPECTED = 'a JSON object with the text in "question", "text" or "prompt"'
_MOST_FAULTS = 20


@dataclass(frozen=True, slots=True)
class FileQuestion:
    """A line that asks something. Without an id of its own it is named by its line."""

    question_id: str
    prompt: str
    line: int


def read_questions(path: Path) -> list[FileQuestion]:
    """Return a file's questions in order; blank lines are skipped.

    Files ending in `.jsonl` or `.ndjson` hold JSON objects, others plain text. Raises
    InputError naming every line at fault, also when there is no question at all.
    """
    faults: list[Fault] = []
    questions = list(_read(path, faults))
    faults += _duplicates(path, questions)
    if not questions and not faults:
        faults.append(Fault(str(path), "", "no question", "one question a line"))
    if faults:
        raise InputError(_report(faults))
    return questions


def _read(path: Path, faults: list[Fault]) -> Iterator[FileQuestion]:
    is_json = path.suffix.lower() in JSON_SUFFIXES
    for number, raw in enumerate(_lines(path), start=1):
        try:
            text = raw.decode("utf-8-sig" if number == 1 else "utf-8").strip()
            if text:
                yield (
                    _from_json(text, number) if is_json else FileQuestion(str(number), text, number)
                )
        except UnicodeDecodeError:
            faults.append(Fault(str(path), f"line {number}", "bytes that are no UTF-8", "UTF-8"))
        except _NotAQuestionError as error:
            faults.append(Fault(str(path), f"line {number}", error.found, _EXPECTED))


def _lines(path: Path) -> list[bytes]:
    try:
        return path.read_bytes().split(b"\n")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; expected a file of questions") from error


class _NotAQuestionError(Exception):
    def __init__(self, found: str) -> None:
        self.found = found
        super().__init__(found)


def _from_json(text: str, number: int) -> FileQuestion:
    try:
        entry = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise _NotAQuestionError(f"broken JSON ({error.msg})") from error
    if not isinstance(entry, dict):
        raise _NotAQuestionError("JSON that is no object")
    prompts = [entry[name] for name in _TEXT_FIELDS if name in entry]
    if not prompts or not isinstance(prompts[0], str) or not prompts[0].strip():
        raise _NotAQuestionError("no text" if prompts else f"the fields {sorted(entry)}")
    return FileQuestion(_id(entry.get("id", number)), prompts[0].strip(), number)


def _id(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise _NotAQuestionError("an id that is neither a text nor a whole number")
    return str(value).strip()


def _duplicates(path: Path, questions: list[FileQuestion]) -> Iterator[Fault]:
    first: dict[str, int] = {}
    for question in questions:
        line = first.setdefault(question.question_id, question.line)
        if line != question.line:
            found = f"the id {question.question_id!r} of line {line} again"
            yield Fault(str(path), f"line {question.line}", found, "an id of its own")


def _report(faults: list[Fault]) -> str:
    lines = [str(fault) for fault in faults[:_MOST_FAULTS]]
    if len(faults) > _MOST_FAULTS:
        lines.append(f"… and {len(faults) - _MOST_FAULTS} more")
    return "\n".join(lines)
