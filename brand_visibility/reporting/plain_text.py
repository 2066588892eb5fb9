"""Text from outside (answers, prompts, names) made safe to show to people.

It removes what could disguise or flood: control characters, direction overrides, length.
Escaping for HTML belongs to the template, which escapes everything.
"""

import re
import unicodedata

# Joiners shape emoji and several scripts, and cannot reorder text.
_JOINERS = "\u200c\u200d"
# Controls (terminal escapes), formats (direction overrides, invisible tags), surrogates
# (which no file can encode) and private use (some platforms' citation markers).
_UNSEEN = {"Cc", "Cf", "Cs", "Co"}
_SPACES = re.compile(r"\s+")


def shown(text: str) -> str:
    """Return the text on one line, without characters that people cannot see.

    A space at either end is kept, because the text may be a piece of a longer one.
    """
    return _SPACES.sub(" ", "".join(char for char in text if _is_kept(char)))


def _is_kept(char: str) -> bool:
    # Line breaks and tabs are controls too; they become spaces, not nothing.
    if char.isspace() or char in _JOINERS:
        return True
    return unicodedata.category(char) not in _UNSEEN


def shortened(text: str, limit: int) -> str:
    """Return the text as `shown`, stripped and cut to at most `limit` characters.

    A cut text ends in `…`, which counts towards the limit.
    """
    # Twice the limit is enough unless the text hides; a text of a megabyte is not walked.
    whole = shown(text[: limit * 2]).strip()
    if len(whole) <= limit and len(text) <= limit * 2:
        return whole
    return whole[: limit - 1].rstrip() + "…"
