"""Heads: the part of an item that says what the item is about.

A brand in the head owns the item; a brand in the rest is only mentioned. Here too is
what a head may be besides a name: a question, a step to take, a section of the answer.
"""

import re

from brand_visibility.reading.item_markers import BLANK, read_marker
from brand_visibility.reading.view import Range

_BOLD = re.compile(r"[^\w*<]{0,6}(\*\*\*?|__|<(?:b|strong)>)(?=\S)")
_BOLD_END = {"**": "**", "***": "**", "__": "__", "<b>": "</b>", "<strong>": "</strong>"}
_CJK = "\u3400-\u9fff"
_HEAD_END = re.compile(
    r"[:：（(,，。；;！!？?—]|\.(?=\s|$)"
    rf"|(?<=[{BLANK}{_CJK}])[-–]|[-–](?=[{BLANK}{_CJK}])"
)
# A head may begin with what would end it: `（华为）Mate 60`.
_OPENING = re.compile(r"[^\w<]{0,6}+")
_QUESTION = re.compile(r"[?？]")

_STEP = re.compile(
    rf"[{BLANK}\"“*_]*(?:请|先|再|然后|接着|最后)?"
    r"(?:打开|点击|点按|访问|登录|登陆|下载|安装|进入|前往|搜索|查看|注册|启动|输入|选择|使用|利用"
    r"|通过|联系|关注|了解|对比|比较|检查|避免|不要"
    r"|(?i:open|click|tap|go|visit|log|sign|download|install|launch|search|enter|navigate|select"
    r"|choose|use|using|create|set|start|check|connect|add|find|copy|run|type|press|contact|follow"
    r"|join|compare|avoid|look|get|make|learn|read|write|update|configure|import"
    r"|export|share|upload|ensure|access)\b)"
)
_SECTION = re.compile(
    r"推荐|建议|总结|小结|结论|结语|对比|比较|如何|怎么|怎样|为什么|什么|指南|攻略|前言|引言|开头"
    r"|概述|概览|简介|介绍|背景|说明|注意|提示|问题|参考|来源|要点|标准|因素|场景|其他|附录|排行|榜"
)
_ENGLISH_SECTION = re.compile(
    r"\W*(?:(?:the|our|my|a|key|quick|final|overall|general|additional|other)\s)*"
    r"(?:intro(?:duction)?|overview|background|summary|conclusions?|comparisons?|compar(?:e|ing)"
    r"|how|why|what|which|when|where|tips?|faqs?|(?:frequently asked )?questions?|references?"
    r"|sources?|notes?|thoughts|verdict|takeaways?|considerations?|factors|criteria"
    r"|recommendations?|choos\w+|methodology|others?|options|honou?rable mentions?|bottom line"
    r"|disclaimer|next steps|top|best|buying)\b"
    r"|.*\b(?:comparison|guide|tips|summary|recommendations?|considerations|criteria|faqs?)\W*$",
    re.IGNORECASE,
)


def find_head(text: str, start: int, end: int) -> Range:
    """Return the head of an item that begins at `start`: its bold lead, or its first part."""
    bold = _BOLD.match(text, start, end)
    if bold is not None:
        start = bold.end()
        closing = text.find(_BOLD_END[bold[1]], start, end)
        if closing >= 0 and not _is_marker(text, start, closing):
            return start, closing
        start = max(start, closing)
    opening = _OPENING.match(text, start, end)
    stop = _HEAD_END.search(text, start if opening is None else opening.end(), end)
    return start, end if stop is None else stop.start()


def _is_marker(text: str, start: int, end: int) -> bool:
    marker = read_marker(text, start, end)
    return marker is not None and marker.end == end


def is_question(text: str, head: Range) -> bool:
    """Whether a head asks something, as the heads of an FAQ do."""
    start, end = head
    return _QUESTION.search(text, start, end + 1) is not None


def is_step(text: str, start: int, name_start: int) -> bool:
    """Whether a head tells what to do with the name in it, as the steps of a guide do."""
    return _STEP.match(text, start, name_start) is not None


def is_section(text: str, head: Range) -> bool:
    """Whether a head without a brand names a part of the answer, not a competitor."""
    title = text[slice(*head)]
    return (_SECTION.search(title) or _ENGLISH_SECTION.match(title)) is not None
