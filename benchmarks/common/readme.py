"""The README's measured sections: each between two markers, replaced as a whole."""

import re
from pathlib import Path


def replace_section(text: str, name: str, content: str) -> str:
    """Return the text with a new section of this name.

    Raises ValueError unless the text has its two markers, once and in this order.
    """
    begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
    pattern = re.compile(f"{re.escape(begin)}\n.*?{re.escape(end)}", re.DOTALL)
    if len(pattern.findall(text)) != 1:
        raise ValueError(f"the README: expected {begin!r} and {end!r} once, in this order")
    return pattern.sub(lambda _: f"{begin}\n{content.strip()}\n{end}", text)


def write_section(path: Path, name: str, content: str) -> None:
    """Put a section into a README."""
    text = path.read_text(encoding="utf-8")
    path.write_text(replace_section(text, name, content), encoding="utf-8")
