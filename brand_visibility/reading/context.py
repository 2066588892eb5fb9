"""Context: whether a word that tells a guarded alias from an everyday word stands near."""

import re

from brand_visibility.reading.view import Range

# Of the guarded hits in 700 collected Chinese answers none had a context word within
# 20 characters that was not about the brand; enumerations need about 10.
_REACH = 12

_SENTENCE_END = re.compile(r"[。!?;\n]|\.(?=\s)")
_AFTER_NUMBER = re.compile(
    r"\d|\.\d|[ ]?(?:[元块斤个克公毫升岁年月日号天时分秒吨箱颗只人倍%]|(?:kg|g|ml|l|cm|mm)\b)"
)


def has_context(text: str, place: Range, words: tuple[str, ...]) -> bool:
    """Whether one of the folded words stands near a place of the folded text.

    Near is within 12 characters on either side in the same sentence. A number must
    follow directly and must not count something: 苹果15 is a phone, 苹果15元 a price.
    """
    before, after = _surroundings(text, place)
    return any(
        _follows(text, after, word)
        if word.isdecimal()
        else _stands_in(text, before, word) or _stands_in(text, after, word)
        for word in words
    )


def _surroundings(text: str, place: Range) -> tuple[Range, Range]:
    start, end = place
    first = max(0, start - _REACH)
    for found in _SENTENCE_END.finditer(text, first, start):
        first = found.end()
    stop = _SENTENCE_END.search(text, end, end + _REACH)
    last = min(len(text), end + _REACH) if stop is None else stop.start()
    return (first, start), (end, last)


def _follows(text: str, after: Range, number: str) -> bool:
    start = after[0] + (text[after[0] : after[0] + 1] == " ")
    return text.startswith(number, start) and not _AFTER_NUMBER.match(text, start + len(number))


def _stands_in(text: str, span: Range, word: str) -> bool:
    start = text.find(word, *span)
    while start >= 0:
        if _is_apart(text, start, start + len(word)):
            return True
        start = text.find(word, start + 1, span[1])
    return False


def _is_apart(text: str, start: int, end: int) -> bool:
    """Whether the edges of a Latin context word are edges of a word: mac, not macy's."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (
        (_is_letter(text[start]) and _is_letter(before))
        or (text[start].isdecimal() and (_is_letter(before) or before.isdecimal()))
        or (_is_letter(text[end - 1]) and _is_letter(after))
        or (text[end - 1].isdecimal() and after.isdecimal())
    )


def _is_letter(character: str) -> bool:
    return character.isascii() and character.isalpha()
