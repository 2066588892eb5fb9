"""A job for a peer: aliases and texts on standard input, places and CPU seconds back."""

import json
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TypedDict


class Text(TypedDict):
    """A text and its language, `en` or `zh`."""

    language: str
    text: str


Found = tuple[str, int, int]
Finder = Callable[[Text], Iterable[Found]]


def answer(build: Callable[[Sequence[tuple[str, str]]], Finder]) -> None:
    """Build the finder of (brand id, alias) pairs, run it, and write what it found and cost."""
    job = json.load(sys.stdin)
    began = time.process_time()
    find = build([(brand_id, alias) for brand_id, alias in job["aliases"]])
    built = time.process_time()
    found = [list(find(text)) for text in job["texts"]]
    ended = time.process_time()
    json.dump({"found": found, "build_s": built - began, "find_s": ended - built}, sys.stdout)
