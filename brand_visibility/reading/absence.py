"""Absences: where an answer says that it knows nothing of what it names.

"I could not find information about X" names X and is no mention of it. The cues are
sought in folded text and reach only as far as their clause.
"""

import re
from collections.abc import Iterator

from brand_visibility.reading.view import Range

_WORDS = r"(?:,? [a-z'-]+)"
_KNOWLEDGE = r"(?:information|info|details|data|results?|references?|records?|documentation)"
_ABOUT = r"(?:about|on|for|regarding|concerning|of|related to)\b"
_ENGLISH = re.compile(
    r"(?<!you )\b(?:could not|couldn't|cannot|can't|can not|did not|didn't|do not|don't"
    r"|unable to|not able to|have not|haven't|failed to)(?: [a-z]+){0,2}?"
    r" (?:find|found|locate|have|see|access|retrieve|identify|provide)"
    rf"{_WORDS}{{0,5}}? {_KNOWLEDGE}{_WORDS}{{0,3}}? {_ABOUT}"
    rf"|\bno{_WORDS}{{0,3}}? (?:information|info){_WORDS}{{0,3}}? {_ABOUT}"
    r"|\bi(?:'m| am) (?:not |un)familiar with\b|\bi(?:'m| am) (?:not |un)aware of (?!any)"
    r"|\bi(?:'ve| have) never heard of\b"
)
_ENGLISH_CLUES = (
    "information", " info ", "details", " data ", "result", "reference", "record",
    "documentation", "familiar with", "aware of ", "never heard of",
)  # fmt: skip
_ENGLISH_END = re.compile(
    r"[!?;\n]|\.(?=\s|$)|,? (?:but|however|although|though|yet|while|whereas|so|because)\b"
    r"|, (?:here|i|you|we|if)\b"
)

_SILENT = r"(?:没有?能?|未能?|无法|暂未|尚未|并未|不能)(?:成功)?"
_FIND = r"(?:找到|查到|查找到|查询到|搜到|搜索到|检索到|获取到?|收录|掌握)"
_FACTS = r"(?:信息|资料|数据|记录|介绍|报道|搜索结果|相关内容|相关结果)"
_IN_CLAUSE = r"[^,。!?;\n比]"
_CHINESE = re.compile(
    rf"{_SILENT}{_FIND}{_IN_CLAUSE}{{0,60}}?{_FACTS}"
    rf"|(?:找不到|查不到|搜不到){_IN_CLAUSE}{{0,60}}?{_FACTS}"
    rf"|(?:暂无|没有|缺乏)(?:任何)?(?:关于|有关){_IN_CLAUSE}{{0,60}}?{_FACTS}"
    rf"|(?:关于|有关|对于){_IN_CLAUSE}{{1,60}},?{_IN_CLAUSE}{{0,12}}"
    rf"(?:{_SILENT}{_FIND}|暂无|找不到|查不到|搜不到){_IN_CLAUSE}{{0,10}}{_FACTS}"
    rf"|我(?:并|还|目前|暂时)?(?:不太?了解|不太?熟悉|没有?听说过){_IN_CLAUSE}{{1,30}}"
)
_CHINESE_BACKWARD = re.compile(rf"{_FACTS}{_IN_CLAUSE}{{0,6}}?{_SILENT}被?{_FIND}")
_CHINESE_CLUES = (
    "信息", "资料", "数据", "记录", "介绍", "报道", "搜索结果", "相关", "了解", "熟悉", "听说过",
)  # fmt: skip
_CLAUSE_START = re.compile(r"[,。!?;\n]")

_REACH = 100
_LONGEST_CLAUSE = 200


def find_absences(text: str) -> list[Range]:
    """Return the ranges of a folded text in which a name is no mention.

    The expressions run only around words that no absence does without: over whole
    answers they would cost more than all the rest of the reading.
    """
    english = [
        (found.start(), _clause_end(text, found))
        for found in _around(text, _ENGLISH_CLUES, _ENGLISH)
    ]
    chinese = [found.span() for found in _around(text, _CHINESE_CLUES, _CHINESE)]
    backward = [
        (_clause_start(text, found.start()), found.end())
        for found in _around(text, _CHINESE_CLUES, _CHINESE_BACKWARD)
    ]
    return [*english, *chinese, *backward]


def _around(text: str, clues: tuple[str, ...], pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    for clue in clues:
        position = text.find(clue)
        while position >= 0:
            yield from pattern.finditer(text, max(0, position - _REACH), position + _REACH)
            position = text.find(clue, position + len(clue))


def _clause_end(text: str, cue: re.Match[str]) -> int:
    limit = min(len(text), cue.end() + _LONGEST_CLAUSE)
    stop = _ENGLISH_END.search(text, cue.end(), limit)
    return limit if stop is None else stop.start()


def _clause_start(text: str, position: int) -> int:
    first = max(0, position - _LONGEST_CLAUSE)
    for found in _CLAUSE_START.finditer(text, first, position):
        first = found.end()
    return first
