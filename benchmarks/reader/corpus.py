"""Answers and brands to measure speed with: the same ones every time, in any number.

Text comes from collected answers, so that it has their words and their markup. Brands are
made up, and named in sentences and lists as assistants name them.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from brand_visibility.domain.catalog import Alias, AliasPolicy, Brand

_SEED = 1_643
_SYLLABLES = [
    "ba",
    "be",
    "bo",
    "da",
    "de",
    "di",
    "do",
    "fa",
    "fe",
    "ka",
    "ke",
    "ki",
    "ko",
    "la",
    "le",
    "li",
    "lo",
    "ma",
    "me",
    "mi",
    "mo",
    "na",
    "ne",
    "no",
    "pa",
    "pe",
    "po",
    "ra",
    "re",
    "ri",
    "ro",
    "sa",
    "se",
    "so",
    "ta",
    "te",
    "ti",
    "to",
    "va",
    "ve",
    "vi",
    "vo",
    "xa",
    "za",
    "ze",
    "zo",
]
_ENDINGS = ("x", "n", "ro", "lix", "qua", "via", "tek", "mon")
_CHARACTERS = "澜岚珩霁翎砚沁璟黛蔚骁弈曜瀚煦璨翊琮熠臻霖昊铂锐矽朔睿祺骏鲲鹏麒麟鸾翡瑾瑜璐琥珀"
_EVERY_GUARDED = 10

_ENGLISH = (
    " For most people I would recommend {0}, although {1} is cheaper. ",
    "\n\n1. **{0}**: the best choice for beginners\n2. **{1}** - solid, but expensive\n3. {2}\n\n",
    " Unlike {0}, {1} isn't worth the price; see https://www.example.com/reviews/{1}. ",
    "\n| Brand | Price |\n|---|---|\n| {0} | $199 |\n| {1} | $249 |\n\n",
)
_CHINESE = (
    "综合来看，更推荐{0}，{1}的性价比也不错。",
    "\n\n1. **{0}**：口碑好，售后有保障\n2. **{1}**：价格略高\n3. {2}\n\n",
    "相比之下，{0}不如{1}耐用[1]，建议谨慎选择。",
    "\n| 品牌 | 价格 |\n|---|---|\n| {0} | 1999元 |\n| {1} | 2499元 |\n\n",
)


def make_brands(count: int) -> tuple[Brand, ...]:
    """Return up to 60,000 made-up brands, with two aliases in Latin and two in Chinese."""
    return tuple(_brand(number) for number in range(count))


def _brand(number: int) -> Brand:
    # Neighbours in number share nothing in their names, as real brands do not.
    spread = number * 7_919 % 60_000
    latin, chinese = _latin(spread), _chinese(spread)
    policy = AliasPolicy.SAFE if number % _EVERY_GUARDED else AliasPolicy.GUARDED
    aliases = (
        Alias(latin, policy, context_any=("price", "价格", "brand", "品牌")),
        Alias(f"{latin} Home"),
        Alias(chinese),
        Alias(f"{chinese}科技"),
    )
    return Brand(latin.lower(), "speed", latin, aliases, (f"topic-{number % 20}",))


def _latin(number: int) -> str:
    rest, ending = divmod(number, len(_ENDINGS))
    rest, second = divmod(rest, len(_SYLLABLES))
    third, first = divmod(rest, len(_SYLLABLES))
    # A number without a third syllable has none, so that no two names are alike.
    middle = _SYLLABLES[third - 1] if third else ""
    return f"{_SYLLABLES[first]}{_SYLLABLES[second]}{middle}{_ENDINGS[ending]}".capitalize()


def _chinese(number: int) -> str:
    rest, last = divmod(number, len(_CHARACTERS))
    first, middle = divmod(rest, len(_CHARACTERS))
    return f"{_CHARACTERS[first]}{_CHARACTERS[middle]}{_CHARACTERS[last]}"


@dataclass(frozen=True, slots=True)
class Corpus:
    """What answers are made of: collected texts of both languages and the brands' names."""

    english: str
    chinese: str
    brands: tuple[Brand, ...]

    def answers(self, count: int, length: int) -> list[str]:
        """Return so many answers of so many characters, in turn English, Chinese and mixed."""
        chance = random.Random(_SEED)
        return [self._answer(chance, number % 3, length) for number in range(count)]

    def _answer(self, chance: random.Random, kind: int, length: int) -> str:
        phrases = list(self._phrases(chance, kind, length))
        room = length - sum(map(len, phrases))
        parts = [room // (len(phrases) + 1)] * len(phrases)
        parts.append(room - sum(parts))
        pieces = [self._slice(chance, self._text(kind, at), part) for at, part in enumerate(parts)]
        woven = [piece + phrase for piece, phrase in zip(pieces, [*phrases, ""], strict=True)]
        return "".join(woven)

    def _text(self, kind: int, position: int) -> str:
        is_chinese = kind == 1 or (kind == 2 and position % 2 == 1)
        return self.chinese if is_chinese else self.english

    def _phrases(self, chance: random.Random, kind: int, length: int) -> Iterator[str]:
        for position in range(max(1, length // 400)):
            is_chinese = self._text(kind, position) is self.chinese
            named = [self._name(chance, is_chinese=is_chinese) for _ in range(3)]
            yield chance.choice(_CHINESE if is_chinese else _ENGLISH).format(*named)

    def _name(self, chance: random.Random, *, is_chinese: bool) -> str:
        aliases = chance.choice(self.brands).aliases
        return aliases[2 * is_chinese + chance.randrange(2)].text

    @staticmethod
    def _slice(chance: random.Random, text: str, length: int) -> str:
        start = chance.randrange(len(text) - length)
        return text[start : start + length]


def make_corpus(english: Sequence[str], chinese: Sequence[str], brands: int) -> Corpus:
    """Return the corpus of collected answers and so many brands."""
    return Corpus("\n\n".join(english), "\n\n".join(chinese), make_brands(brands))
