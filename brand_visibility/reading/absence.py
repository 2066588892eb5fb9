"""Absences: where an answer says that it knows nothing of what it names.

"I could not find information about X" names X and is no mention of it. The cues are
sought in folded text and reach only as far as their clause.
"""

import re
from collections.abc import Iterable
from functools import cache

import ahocorasick_rs

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
    r"|\bi (?:have|found|find|see) no (?:[a-z]+ ){0,2}?"
    r"(?:data|details|records?|references?|mention|trace) (?:about|on|of|to)\b"
    r"|\bi(?:'m| am) (?:not |un)familiar with\b|\bi(?:'m| am) (?:not |un)aware of (?!any)"
    r"|\bi(?:'ve| have) never heard of\b"
)
_ENGLISH_END = re.compile(
    r"[!?;\n]|\.(?=\s|$)|,? (?:but|however|although|though|yet|while|whereas|so|because)\b"
    r"|, (?:here|i|you|we|if)\b"
)
# The name stands before these: "X: no information found", "X does not appear in my sources".
_ENGLISH_BACKWARD = re.compile(
    r"(?::| [-|]) ?no (?:[a-z]+ ){0,2}?(?:information|info|data|details|records?|results?)"
    r"(?: (?:was|were|is|are))?(?: (?:found|available))?(?= ?(?:[;|\n]|\.(?:\s|$)|$))"
    r"|\b(?:does not|doesn't|do not|don't|did not|didn't) appear(?: anywhere)? in"
    r"(?: any of| any| all)?(?: (?:my|the|these|those|your|our))?(?: [a-z]+){0,2}?"
    r" (?:sources|documents|files|search results|database|records|knowledge base)\b"
)
# What is asked about is something of the brand's, which is thereby named: "data on Tesla
# stock", "information about HOKA's prices".
_OWNS = re.compile(
    r"'s?\b|-[a-z]"
    r"| (?!(?:and|or|nor|but|however|although|though|yet|while|whereas|so|because|in|at|on|from"
    r"|for|with|by|as|of|to|that|which|who|is|are|was|were|has|have|had|do|does|did|doesn't"
    r"|don't|didn't|can|could|will|would|available|online|here|brand|company|itself|either"
    r"|specifically|since|within|beyond|after|before|until|due|right|currently|now|today"
    r"|directly|anywhere|through|no|i)\b)[a-z]"
)

_SILENT = r"(?:没有?能?|未能?|无法|暂未|尚未|并未|不能)(?:成功)?"
_FIND = r"(?:找到|查到|查找到|查询到|搜到|搜索到|检索到|获取到?|收录|掌握)"
_FACTS = r"(?:信息|资料|数据|记录|介绍|报道|搜索结果|相关内容|相关结果)"
_IN_CLAUSE = r"[^,。!?;\n比]"
_CHINESE = re.compile(
    rf"{_SILENT}{_FIND}{_IN_CLAUSE}{{0,60}}?{_FACTS}"
    rf"|(?:找不到|查不到|搜不到){_IN_CLAUSE}{{0,60}}?{_FACTS}"
    rf"|(?:暂无|没有|缺乏)(?:任何)?(?:关于|有关){_IN_CLAUSE}{{0,60}}?{_FACTS}"
    rf"|(?:关于|有关|对于){_IN_CLAUSE}{{1,72}}?(?:,{_IN_CLAUSE}{{0,12}}?)?"
    rf"(?:{_SILENT}{_FIND}|暂无|找不到|查不到|搜不到){_IN_CLAUSE}{{0,10}}{_FACTS}"
    rf"|我(?:并|还|目前|暂时)?(?:不太?了解|不太?熟悉|没有?听说过){_IN_CLAUSE}{{1,30}}"
    r"|(?:资料|文档|文件|材料|来源|报告|搜索结果)[里中内]?[均都并]?(?:未|没有?)(?:提及|提到|涉及)"
    rf"(?!{_IN_CLAUSE}{{0,30}}的){_IN_CLAUSE}{{1,30}}"
)
_CHINESE_BACKWARD = re.compile(
    rf"{_FACTS}{_IN_CLAUSE}{{0,6}}?{_SILENT}被?{_FIND}"
    rf"|: ?(?:(?:暂无|暂时没有|没有|无)(?:任何|相关|可用)?{_FACTS}"
    rf"|{_SILENT}{_FIND}(?:任何|相关|有关){{0,2}}(?:{_FACTS})?)"
    r"(?=[,。!?;\n]|$)"
)
_CLAUSE_START = re.compile(r"[,。!?;\n]|\.(?=\s)|(?<= )\| ")

# How the expressions above begin. They run only there: over whole answers they would cost
# more than all the rest of the reading.
_ENGLISH_BEGINNINGS = (
    "could not", "couldn't", "cannot", "can't", "can not", "did not", "didn't", "do not",
    "don't", "does not", "doesn't", "unable to", "not able to", "have not", "haven't",
    "failed to", "no ", "i have", "i found", "i find", "i see", "i'm ", "i am ", "i've never",
    ": no", ":no", " - no", " -no", " | no", " |no",
)  # fmt: skip
_CHINESE_BEGINNINGS = (
    "没", "未", "无", "暂", "尚未", "并未", "不能", "找不到", "查不到", "搜不到", "缺乏", "关于",
    "有关", "对于", "我并", "我还", "我目前", "我暂时", "我不", "我没", "资料", "文档", "文件",
    "材料", "来源", "报告", "搜索结果", "信息", "数据", "记录", "介绍", "报道", "相关内容",
    "相关结果", ":",
)  # fmt: skip

_LONGEST_CLAUSE = 200


def find_absences(text: str) -> list[Range]:
    """Return the ranges of a folded text in which a name is no mention, see `is_absent`."""
    absences: list[Range] = []
    for index, start, _ in _beginnings().find_matches_as_indexes(text, overlapping=True):
        is_english = index < len(_ENGLISH_BEGINNINGS)
        forward = (_ENGLISH if is_english else _CHINESE).match(text, start)
        if forward is not None:
            absences.append((start, _clause_end(text, forward) if is_english else forward.end()))
        backward = (_ENGLISH_BACKWARD if is_english else _CHINESE_BACKWARD).match(text, start)
        if backward is not None:
            absences.append((_clause_start(text, start), backward.end()))
    return absences


def is_absent(text: str, place: Range, absences: Iterable[Range]) -> bool:
    """Whether a name at this place of a folded text is said to be unknown."""
    start, end = place
    return any(first <= start and end <= last for first, last in absences) and not _OWNS.match(
        text, end
    )


@cache
def _beginnings() -> ahocorasick_rs.AhoCorasick:
    return ahocorasick_rs.AhoCorasick([*_ENGLISH_BEGINNINGS, *_CHINESE_BEGINNINGS])


def _clause_end(text: str, cue: re.Match[str]) -> int:
    limit = min(len(text), cue.end() + _LONGEST_CLAUSE)
    stop = _ENGLISH_END.search(text, cue.end(), limit)
    return limit if stop is None else stop.start()


def _clause_start(text: str, position: int) -> int:
    first = max(0, position - _LONGEST_CLAUSE)
    for found in _CLAUSE_START.finditer(text, first, position):
        first = found.end()
    return first
