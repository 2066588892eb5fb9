"""View: what a reader of the rendered answer sees, and where each character stood.

Emphasis, HTML tags and citation markers are taken out, entities decoded; URLs, link
targets, images, e-mail addresses and code become one separator each. Lists, headings
and tables stay as they are: they belong to `zones`.
"""

import html
import re
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from brand_visibility.reading import addresses, markup
from brand_visibility.reading.code import CodeSpans, find_fences
from brand_visibility.reading.offsets import Edit, OffsetMap, rewrite

SEPARATOR = "\x1f"

Range = tuple[int, int]

_PUNCTUATION = frozenset(string.punctuation)
_LETTERS = frozenset(string.ascii_letters)
_LETTERS_AND_DIGITS = _LETTERS | frozenset(string.digits)

_LONGEST_LINK_TEXT = 1_000


@dataclass(frozen=True, slots=True)
class View:
    """The text as it reads. Everything else is places in the raw answer, in their order.

    `links` are link texts; `domains` are bare domains (`monday.com`), which name a brand
    only when an alias says so as a whole. `urls` are addresses, those of link targets
    included and those of images and in code left out; `markers` are citation markers.
    """

    text: str
    offsets: OffsetMap
    links: tuple[Range, ...] = ()
    domains: tuple[Range, ...] = ()
    urls: tuple[Range, ...] = ()
    markers: tuple[Range, ...] = ()


def build_view(text: str) -> View:
    """Return the view of a raw answer. Takes time in proportion to its length."""
    return _Scanner(text).scan()


class _Scanner:
    """One pass over the characters that may begin markup.

    A handler returns where it stopped reading; what lies before that is settled.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._edits: list[Edit] = []
        self._links: list[Range] = []
        self._domains: list[Range] = []
        self._urls: list[Range] = []
        self._markers: list[Range] = []
        self._open_brackets: list[int] = []
        self._settled = 0
        self._hosts_seen = 0
        self._never_again: set[str] = set()
        self._fences = find_fences(text)
        self._spans = CodeSpans(text)

    def scan(self) -> View:
        text = self._text
        for found in markup.possible_starts(text).finditer(text):
            start = found.start()
            if start >= self._settled:
                self._settled = _HANDLERS[text[start]](self, start)
        viewed, offsets = rewrite(text, self._edits)
        places = (sorted(self._links), self._domains, self._urls, self._markers)
        return View(viewed, offsets, *(tuple(found) for found in places))

    def _remove(self, start: int, end: int) -> int:
        self._edits.append((start, end, ""))
        return end

    def _mark(self, start: int, end: int) -> int:
        self._markers.append((start, end))
        return self._remove(start, end)

    def _address(self, start: int, end: int) -> int:
        self._mask(start, end)
        self._urls.append((start, end))
        return end

    def _mask(self, start: int, end: int) -> int:
        """Put one separator in place of a range, whatever was found in it before."""
        for found in self._edits, self._domains, self._links, self._urls, self._markers:
            while found and found[-1][0] >= start:
                found.pop()
        self._edits.append((start, end, SEPARATOR))
        return end

    def _around(self, start: int, end: int) -> tuple[str, str]:
        before = self._text[start - 1] if start else " "
        return before, self._text[end : end + 1] or " "

    def _run(self, start: int) -> int:
        """Return the end of a run of one character; `start` itself inside of a run.

        What began the run was read as something else, and so is the rest of it.
        """
        text = self._text
        character = text[start]
        if start and text[start - 1] == character:
            return start
        end = start + 1
        while text.startswith(character, end):
            end += 1
        return end

    def _stars(self, start: int) -> int:
        end = self._run(start)
        if end == start:
            return end
        before, after = self._around(start, end)
        is_product = end - start == 1 and before.isalnum() and after.isalnum()
        if is_product and (before.isdecimal() or after.isdecimal()):
            return end
        if before.isspace() and after.isspace():
            return end
        return self._remove(start, end)

    def _underscores(self, start: int) -> int:
        end = self._run(start)
        if end == start:
            return end
        before, after = self._around(start, end)
        if before.isalnum() and after.isalnum():
            return end
        if before.isspace() and after.isspace():
            return end
        return self._remove(start, end)

    def _tildes(self, start: int) -> int:
        end = self._run(start)
        if end - start < 2:
            return end
        if start in self._fences:
            return self._mask(start, self._fences[start])
        return self._remove(start, end)

    def _backticks(self, start: int) -> int:
        end = self._run(start)
        if end == start:
            return end
        if start in self._fences:
            return self._mask(start, self._fences[start])
        closing = self._spans.end(start, end - start)
        return end if closing is None else self._mask(start, closing)

    def _entity(self, start: int) -> int:
        found = markup.ENTITY.match(self._text, start)
        if found is None or html.unescape(found[0]) == found[0]:
            return start + 1
        self._edits.append((start, found.end(), html.unescape(found[0])))
        return found.end()

    def _escape(self, start: int) -> int:
        end = start + 1
        if self._text[end : end + 1] not in _PUNCTUATION:
            return end
        self._remove(start, end)
        return end + 1

    def _angle(self, start: int) -> int:
        if self._text.startswith("<!--", start):
            closing = self._closing("-->", start)
            return start + 1 if closing is None else self._remove(start, closing)
        tag = markup.TAG.match(self._text, start)
        if tag is None:
            return start + 1
        name = tag[1].lower()
        if markup.INLINE_TAG.fullmatch(name):
            return self._remove(start, tag.end())
        if markup.BLOCK_TAG.fullmatch(name):
            return self._mask(start, tag.end())
        if markup.CODE_TAG.fullmatch(name):
            closing = self._closing(f"</{tag[1]}>", start)
            return self._mask(start, closing or tag.end())
        return start + 1

    def _closing(self, marker: str, start: int) -> int | None:
        """Return the end of the next `marker`. A marker not found is not sought again."""
        if marker in self._never_again:
            return None
        found = self._text.find(marker, start)
        if found < 0:
            self._never_again.add(marker)
            return None
        return found + len(marker)

    def _newline(self, start: int) -> int:
        self._open_brackets.clear()
        return start + 1

    def _open_bracket(self, start: int) -> int:
        citation = markup.BRACKET_CITATION.match(self._text, start)
        if citation is not None:
            return self._mark(start, citation.end())
        self._open_brackets.append(start)
        return start + 1

    def _close_bracket(self, start: int) -> int:
        end = start + 1
        opened = self._open_brackets.pop() if self._open_brackets else None
        target = markup.TARGET.match(self._text, end)
        if target is None:
            return end
        if opened is None:
            return self._target(end, target)
        if opened and self._text[opened - 1] == "!":
            return self._mask(opened - 1, target.end())
        if start - opened <= _LONGEST_LINK_TEXT:
            self._links.append((opened + 1, start))
        return self._target(end, target)

    def _target(self, start: int, target: re.Match[str]) -> int:
        self._mask(start, target.end())
        address = markup.TARGET_ADDRESS.match(self._text, start, target.end())
        if address is not None:
            self._urls.append(address.span(1) if address[1] else address.span(2))
        return target.end()

    def _lenticular(self, start: int) -> int:
        found = markup.LENTICULAR_CITATION.match(self._text, start)
        return start + 1 if found is None else self._mark(start, found.end())

    def _private(self, start: int) -> int:
        found = markup.PRIVATE_CITATION.match(self._text, start)
        return start + 1 if found is None else self._mark(start, found.end())

    def _colon(self, start: int) -> int:
        end = start + 1
        if not self._text.startswith("//", end):
            reference = markup.CONTENT_REFERENCE.match(self._text, start)
            return end if reference is None else self._mark(start, reference.end())
        lowest = max(self._settled, start - len("https"))
        scheme = markup.SCHEME.search(self._text, lowest, start)
        if scheme is None:
            return end
        return self._address(scheme.start(), addresses.url_end(self._text, start + len("://")))

    def _dot(self, start: int) -> int:
        end = start + 1
        if start < self._hosts_seen or self._text[end : end + 1] not in _LETTERS:
            return end
        begin = addresses.name_start(self._text, start, max(self._settled, self._hosts_seen))
        host_end = addresses.host_end(self._text, begin)
        self._hosts_seen = max(end, host_end)
        host = self._text[begin:host_end]
        if host_end <= start or self._text.startswith("@", host_end):
            return end
        if host[:4].lower() == "www.":
            return self._address(begin, addresses.url_end(self._text, begin))
        if not addresses.is_domain(host):
            return end
        if addresses.has_path(self._text, host_end):
            return self._address(begin, addresses.url_end(self._text, begin))
        self._domains.append((begin, host_end))
        return end

    def _at(self, start: int) -> int:
        end = start + 1
        if self._text[end : end + 1] not in _LETTERS_AND_DIGITS:
            return end
        begin = addresses.name_start(self._text, start, self._settled)
        host_end = addresses.host_end(self._text, end)
        if begin == start or host_end == end:
            return end
        return self._mask(begin, host_end)


_HANDLERS: Mapping[str, Callable[[_Scanner, int], int]] = {
    "*": _Scanner._stars,
    "_": _Scanner._underscores,
    "~": _Scanner._tildes,
    "`": _Scanner._backticks,
    "<": _Scanner._angle,
    "&": _Scanner._entity,
    "\\": _Scanner._escape,
    "[": _Scanner._open_bracket,
    "]": _Scanner._close_bracket,
    "\n": _Scanner._newline,
    ":": _Scanner._colon,
    ".": _Scanner._dot,
    "@": _Scanner._at,
    "【": _Scanner._lenticular,
    "\ue200": _Scanner._private,
    "\ue201": _Scanner._private,
    "\ue202": _Scanner._private,
}
