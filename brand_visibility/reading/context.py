"""Context: whether a word that tells a guarded alias from an everyday word stands near."""

import re
from dataclasses import dataclass
from functools import cache

from brand_visibility.reading.view import Range

# About seven words of either script. On 2,415 collected English answers 40 found 67
# guarded names instead of the 62 of 12, all of them right; in 700 Chinese ones no
# context word within 20 characters was about anything else, and lists need about 10.
_LATIN_REACH = 40
_CHINESE_REACH = 12

_SENTENCE_END = re.compile(r"[。!?;\n]|\.(?=\s)")
_UNIT = r" ?(?:[元块斤个克公毫升岁年月日号天时分秒吨箱颗只人倍%]|(?:kg|g|ml|l|cm|mm)\b)"
# S24 beside 三星, 12 Pro beside 一加: a model. Not A4纸, B2层, and nothing that counts.
_VARIANT = r"(?:ultra|pro|max|plus|mini|lite|turbo|se)"
_MODEL = re.compile(
    rf" ?(?:[a-z]{{1,3}}[-.]?\d{{1,4}}[a-z]?{_VARIANT}?(?![a-z0-9]|[纸层楼座级])"
    rf"|\d{{1,3}}[a-z]? ?{_VARIANT}(?![a-z]))"
)
_NEVER = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Context:
    """The context words of an alias, folded: `words` stand near it, `numbers` follow it."""

    words: re.Pattern[str]
    numbers: re.Pattern[str]


@cache
def compile_context(words: tuple[str, ...]) -> Context:
    """Return folded context words as they are sought.

    Latin words and numbers must be words of their own: mac, not macy's.
    """
    numbers = [word for word in words if word.isdecimal()]
    others = [_apart(word) for word in words if not word.isdecimal()]
    return Context(
        re.compile("|".join(others)) if others else _NEVER,
        re.compile(rf" ?(?:{'|'.join(numbers)})(?!\d|\.\d|{_UNIT})") if numbers else _NEVER,
    )


def _apart(word: str) -> str:
    before = after = ""
    if word[0].isascii() and word[0].isalnum():
        before = "(?<![a-z0-9])" if word[0].isdecimal() else "(?<![a-z])"
    if word[-1].isascii() and word[-1].isalnum():
        after = r"(?!\d)" if word[-1].isdecimal() else "(?![a-z])"
    return f"{before}{re.escape(word)}{after}"


def has_context(text: str, place: Range, context: Context) -> bool:
    """Whether one of the words stands near a place of the folded text.

    Near is on either side in the same sentence: within 40 characters of a name in
    ASCII, 12 of any other. A number must follow directly and must not count something:
    苹果15 is a phone, 苹果15元 a price. A model after a Chinese name is context for all of
    them: 三星S24.
    """
    start, end = place
    if context.numbers.match(text, end):
        return True
    is_latin = text[start:end].isascii()
    if not is_latin and _MODEL.match(text, end):
        return True
    reach = _LATIN_REACH if is_latin else _CHINESE_REACH
    first = max(0, start - reach)
    for found in _SENTENCE_END.finditer(text, first, start):
        first = found.end()
    stop = _SENTENCE_END.search(text, end, end + reach)
    last = end + reach if stop is None else stop.start()
    return bool(context.words.search(text, first, start) or context.words.search(text, end, last))
