"""Markup: what it looks like, character by character.

What is done with it, and in which order, belongs to `view`.
"""

import re

# Characters that may begin markup. One class of ASCII characters is searched six times as
# fast as alternatives, or as a class with other characters in it: what stands in few
# answers is sought only there.
_ALWAYS = r"*_~`<&\\\[\]:.@"
_RARE = "【\ue200\ue201\ue202"
_TRIGGERS = {
    (has_brackets, has_rare): re.compile(f"[{_ALWAYS}{chr(10) * has_brackets}{_RARE * has_rare}]")
    for has_brackets in (False, True)
    for has_rare in (False, True)
}
TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9]{0,20})(?:\s[^<>]{0,2000})?/?>")
ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
BRACKET_CITATION = re.compile(
    r"\[(?:\^?\d{1,4}\^?(?:\s?[,，、–-]\s?\^?\d{1,4}\^?){0,20}|\^[\w-]{1,40}\^?"
    r"|(?:citation|cite|web|ref|source|oaicite)[:_ ]\s?[\d,，\s–-]{1,80})\](?![(])"
)
LENTICULAR_CITATION = re.compile(r"【\d{1,4}(?::\d{1,4})?(?:†[^】\n]{0,80})?】")
CONTENT_REFERENCE = re.compile(r":contentReference\[[^\]\n]{1,40}\](?:\{[^}\n]{0,40}\})?")
PRIVATE_CITATION = re.compile(r"\ue200[^\ue201\n]{0,200}\ue201|[\ue200-\ue202]+")
TARGET = re.compile(
    r"\((?:\s{0,9}<[^<>\n]{0,2000}>|\s{0,9}[^\s()<>]{0,2000}"
    r"(?:\([^\s()]{0,500}\)[^\s()<>]{0,2000}){0,9})"
    r"(?:\s{1,9}(?:\"[^\"\n]{0,500}\"|'[^'\n]{0,500}'))?\s{0,9}\)"
)
TARGET_ADDRESS = re.compile(
    r"\(\s{0,9}(?:<((?:https?://|www\.)[^<>\n]+)>|((?:https?://|www\.)[^\s<>]+?)(?=\s|\)\Z))", re.I
)
SCHEME = re.compile(r"(?:https?|ftp)\Z", re.IGNORECASE)

INLINE_TAG = re.compile(
    r"a|abbr|b|big|cite|del|em|font|i|ins|mark|q|s|small|span|strike|strong|sub|sup|u|wbr"
)
BLOCK_TAG = re.compile(
    r"blockquote|br|center|details|dd|div|dl|dt|figure|footer|h[1-6r]|header|img|li|ol|p|section"
    r"|summary|table|tbody|td|tfoot|th|thead|tr|ul"
)
CODE_TAG = re.compile(r"code|kbd|pre|samp|script|style|svg")


def possible_starts(text: str) -> re.Pattern[str]:
    """Return what finds every character of a text that may begin markup, and few others."""
    # Lines matter only to brackets, which do not reach over their ends.
    return _TRIGGERS["[" in text, any(character in text for character in _RARE)]
