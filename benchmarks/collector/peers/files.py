"""Questions in, answers out: what every script shares. Standard library only."""

import json
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path

Answers = dict[str, str]
Ask = Callable[[str, dict[str, str]], Coroutine[object, object, Answers]]


def read_call() -> tuple[str, dict[str, str], Path]:
    """Return the base URL, the questions by id and the file to write, as called."""
    base_url, questions, out = sys.argv[1:4]
    lines = Path(questions).read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return base_url, {row["id"]: row["question"] for row in rows}, Path(out)


def write_answers(out: Path, answers: Answers) -> None:
    """Write one JSON object a line: `id` and `text`, for what was answered."""
    lines = (json.dumps({"id": key, "text": text}) for key, text in answers.items() if text)
    out.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
