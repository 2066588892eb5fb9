"""Where an answer holds code: fences and spans. What stands there names no brand."""

import re
from bisect import bisect_right

_FENCE = re.compile(r"^[ \t>]*(`{3,}(?=[^`\n]*$)|~{3,})", re.MULTILINE)
_TICKS = re.compile(r"`+")
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")


def find_fences(text: str) -> dict[int, int]:
    """Return the end of every fenced block by the position of its opening fence.

    A fence that is never closed reaches to the end, as in CommonMark: the answer was
    cut off inside its code.
    """
    if "```" not in text and "~~~" not in text:
        return {}
    fences: dict[int, int] = {}
    opened: re.Match[str] | None = None
    for found in _FENCE.finditer(text):
        if opened is None:
            opened = found
        elif _closes(text, opened[1], found):
            fences[opened.start(1)] = found.end()
            opened = None
    if opened is not None:
        fences[opened.start(1)] = len(text)
    return fences


def _closes(text: str, opening: str, found: re.Match[str]) -> bool:
    if not found[1].startswith(opening):
        return False
    line_end = text.find("\n", found.end())
    rest = text[found.end() : line_end if line_end >= 0 else len(text)]
    return not rest.strip()


class CodeSpans:
    """The code spans of a text, found by their opening run of backticks."""

    def __init__(self, text: str) -> None:
        self._runs: dict[int, list[int]] = {}
        self._blank_lines: list[int] = []
        if "`" in text:
            for found in _TICKS.finditer(text):
                self._runs.setdefault(len(found[0]), []).append(found.start())
            self._blank_lines = [found.start() for found in _BLANK_LINE.finditer(text)]

    def end(self, start: int, length: int) -> int | None:
        """Return where the span opened by `length` backticks at `start` ends, if it does.

        A span ends at the next run of the same length in the same paragraph.
        """
        runs = self._runs[length]
        index = bisect_right(runs, start)
        if index == len(runs):
            return None
        closing = runs[index]
        blank = bisect_right(self._blank_lines, start)
        if blank < len(self._blank_lines) and self._blank_lines[blank] < closing:
            return None
        return closing + length
