"""Part f: a megabyte of one thing, over and over, must take seconds and no more."""

import time
from collections.abc import Mapping

from benchmarks.common.table import Bound, Target, markdown, target_table
from benchmarks.reader.gazetteers import case_gazetteer
from brand_visibility.reading.gazetteer import Gazetteer
from brand_visibility.reading.reader import read_answer

_LENGTH = 1_000_000
_REPEATED: Mapping[str, str] = {
    "letter": "a", "space": " ", "line": "\n", "full stop": ".", "colon": ":", "dash": "-",
    "star": "*", "underscore": "_", "tilde": "~", "backtick": "`", "backslash": "\\",
    "bracket": "[", "closing bracket": "]", "parenthesis": "(", "angle": "<", "ampersand": "&",
    "pipe": "|", "at": "@", "hash": "# ", "quote": "> ", "Chinese character": "米",
    "accent": "\u0301", "zero width": "\u200b", "emoji": "👍", "half a pair": "\ud83d",
    "null": "\0", "link": "[a](b)", "open link": "](", "image": "![", "scheme": "http://",
    "host": "a.b", "mail": "a@b.c", "comment": "<!--", "code tag": "<code>", "entity": "&amp;",
    "citation": "[1", "private use": "\ue200", "fence": "```\n", "table row": "| a | b |\n",
    "item": "1. Tesla\n", "brand": "Tesla ", "brands side by side": "小米华为",
    "guarded name": "苹果", "decoy": "小米粥", "praise": "Tesla is the best, but ",
    "comparison": "华为比小米好，", "absence": "没有找到关于", "negation": "not ",
}  # fmt: skip


def measure_part() -> str:
    """Read every repetition once and return the part's section."""
    gazetteer = case_gazetteer()
    seconds = {name: _seconds(once, gazetteer) for name, once in _REPEATED.items()}
    slowest_first = sorted(seconds.items(), key=lambda entry: -entry[1])
    rows = [(name, ascii(_REPEATED[name]), f"{spent:.2f}") for name, spent in slowest_first]
    target = Target("slowest", slowest_first[0][1], Bound.AT_MOST, 10, "s", 1)
    table = markdown(("repeated to a megabyte", "", "CPU s"), rows)
    return f"{table}\n\n{target_table([target])}"


def _seconds(once: str, gazetteer: Gazetteer) -> float:
    text = once * (_LENGTH // len(once))
    began = time.process_time()
    read_answer(text, gazetteer)
    return time.process_time() - began
