"""Answers replayed from files of `{"question", "answer"}` lines."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from brand_visibility.domain.errors import Fault, InputError
from brand_visibility.simulator.source import Truth

Recordings = Mapping[str, Sequence[str]]
"""Question → its recorded answers, in the order of the file."""


class _Line(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)
    question: str
    answer: str


class RecordedAnswers:
    """Replays recordings: those of the platform, else those for every platform.

    A question recorded several times gives its answers in turn, so that repeats differ.
    """

    def __init__(
        self, for_all: Recordings, by_platform: Mapping[str, Recordings] | None = None
    ) -> None:
        self._for_all = for_all
        self._by_platform = dict(by_platform or {})

    def answer(self, platform_id: str, prompt: str, number: int) -> str | None:
        """Return the recorded answer whose question is exactly this prompt."""
        question = prompt.strip()
        own = self._by_platform.get(platform_id, {})
        answers = own.get(question) or self._for_all.get(question)
        return answers[number % len(answers)] if answers else None

    def truth(self, platform_id: str) -> Truth | None:
        """Return None: recordings do not say how likely they were."""
        return None

    def platform_ids(self) -> tuple[str, ...]:
        return tuple(self._by_platform)

    def domains(self) -> tuple[str, ...]:
        return ()


def read_recordings(path: Path) -> dict[str, list[str]]:
    """Read a file of recordings. Raises InputError with the file and the line."""
    recordings: dict[str, list[str]] = {}
    for number, line in enumerate(_lines(path), start=1):
        if line.strip():
            recorded = _parse(line, path, number)
            recordings.setdefault(recorded.question.strip(), []).append(recorded.answer)
    if not recordings:
        raise InputError(str(Fault(str(path), "", "no line", "at least one recorded answer")))
    return recordings


def _lines(path: Path) -> list[str]:
    try:
        # Only "\n" ends a line: answers may hold other separators, such as U+2028.
        return path.read_text(encoding="utf-8-sig").split("\n")
    except OSError as error:
        found = f"a file that cannot be read ({error.strerror})"
        raise InputError(str(Fault(str(path), "", found, "a readable file"))) from error
    except UnicodeDecodeError as error:
        found = f"bytes that are not UTF-8 (at {error.start})"
        raise InputError(str(Fault(str(path), "", found, "UTF-8 text"))) from error


def _parse(line: str, path: Path, number: int) -> _Line:
    try:
        return _Line.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        found = f"{field}: {first['msg']}" if field else first["msg"]
        expected = 'an object {"question": text, "answer": text}'
        raise InputError(str(Fault(str(path), f"line {number}", found, expected))) from error
