"""Reading takes time in proportion to length, whatever a broken answer repeats."""

import time

import pytest
from readers import assert_takes_linear_time, case_gazetteer

from brand_visibility.reading.reader import read_answer

_SHORT, _LONG = 30_000, 300_000

_REPEATED = [
    "a", "[", "<", "*", "&", "`", "http://", "_", "~", "\\", "](", "](a", "![a](", "[a](b)",
    "<b", "<a ", "<!--", "<code>", "&a", ".a", "a@", "a@b.c", "www.", "\n", "```\n", "`a\n\n",
    "\u200b", "ß", "\u0301", "苹果", "小米粥", "Tesla ", "tesla_", "[1", "【1", "\ue200", "| ",
    "information ", "can not find ", "没有找到", "关于", "理想的",
]  # fmt: skip


def _cpu_seconds(text: str) -> float:
    started = time.process_time()
    read_answer(text, case_gazetteer())
    return time.process_time() - started


@pytest.mark.parametrize("repeated", _REPEATED, ids=ascii)
def test_ten_times_the_text_takes_about_ten_times_the_time(repeated: str) -> None:
    short, long = (repeated * (length // len(repeated)) for length in (_SHORT, _LONG))

    assert_takes_linear_time(lambda text: read_answer(text, case_gazetteer()), short, long)


@pytest.mark.parametrize(
    "text",
    [
        "".join("`" * length + " " for length in range(1, 1_400)),
        "[" * 300_000 + "](a)" * 100_000,
        ("](" + "a" * 1_999) * 500,
        ("a" * 255 + ".") * 4_000,
        "<a " + "x" * 1_000_000,
    ],
    ids=["rising backticks", "deep brackets", "open targets", "long hosts", "open tag"],
)
def test_a_megabyte_of_unfinished_markup_is_read_in_seconds(text: str) -> None:
    assert _cpu_seconds(text) < 5
