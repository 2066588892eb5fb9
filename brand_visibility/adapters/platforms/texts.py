"""Text from outside made fit for records: no control characters, bounded, no secrets."""

import unicodedata
from collections.abc import Iterable

MAX_DETAIL_LENGTH = 200

# Shorter common runs are chance; a name of a field is often in both texts.
_PROMPT_RUN = 8
_KEY_RUN = 4
_HIDDEN = "…"


def clean(text: str, max_length: int = MAX_DETAIL_LENGTH) -> str:
    """Return the text on one line, without control characters, at most so long."""
    # Nearly every name is clean already, and every answer has three.
    if len(text) <= max_length and text.isprintable() and " " not in text:
        return text
    # Twice the length is enough to find that many characters worth showing.
    spaced = "".join(_printable(character) for character in text[: 2 * max_length])
    return " ".join(spaced.split())[:max_length]


def _printable(character: str) -> str:
    return " " if unicodedata.category(character)[0] in "CZ" else character


def redact(text: str, *, key: str | None, prompt: str) -> str:
    """Return the text without what it has in common with the key or the prompt.

    Platforms quote keys (often half masked) and prompts in their messages.
    """
    hidden = _covered(text, prompt, min(_PROMPT_RUN, max(1, len(prompt))))
    if key:
        hidden |= _covered(text, key, min(_KEY_RUN, len(key)))
    return _blanked(text, hidden) if hidden else text


def _covered(text: str, secret: str, run: int) -> set[int]:
    """Return the positions of the text within a run of characters of the secret."""
    covered: set[int] = set()
    for start in range(len(text) - run + 1):
        if text[start : start + run] in secret:
            covered.update(range(start, start + run))
    return covered


def _blanked(text: str, hidden: Iterable[int]) -> str:
    positions = set(hidden)
    parts: list[str] = []
    for index, character in enumerate(text):
        if index not in positions:
            parts.append(character)
        elif not parts or parts[-1] != _HIDDEN:
            parts.append(_HIDDEN)
    return "".join(parts)
