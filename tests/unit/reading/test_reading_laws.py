"""Laws that hold for every text: whatever an assistant says, reading it is safe."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from readers import case_gazetteer

from brand_visibility.domain.catalog import AliasPolicy
from brand_visibility.reading.folding import fold
from brand_visibility.reading.gazetteer import Gazetteer
from brand_visibility.reading.mentions import Mention
from brand_visibility.reading.reader import read_answer
from brand_visibility.reading.spellings import spellings
from brand_visibility.reading.view import build_view

_ANY = st.characters(exclude_categories=())
_PIECES = st.one_of(
    st.sampled_from(
        ["Tesla", "Apple", "apple", "Coca", "Cola", "L'Oréal", "P&amp;G", "3M", "7-11"]
    ),
    st.sampled_from(["JD.com", "monday.com", "Nestlé", "Nestle\u0301", "Model 30", "s", "5"]),
    st.sampled_from(["小米", "手机", "苹果", "美的", "完美的", "華為", "信息", "没有找到"]),
    st.sampled_from(["no information about", "https://", "www.", "@", ".", ".com", "&", "&amp;"]),
    st.sampled_from(["**", "*", "_", "~~", "`", "```", "\\", "|", "# ", "1. ", "-", "'"]),
    st.sampled_from(["<b>", "</b>", "<br>", "[", "]", "](", ")", "![", "[1]", "【1】", "\ue200"]),
    st.sampled_from(["\u200b", "\u00ad", "\u0301", "\ue201", "\ud800", "\x1f", "\x00", "\n"]),
    st.sampled_from(["ß", "ﬁ", "½", "İ", " "]),
)
_TEXTS = st.one_of(
    st.text(_ANY),
    st.lists(st.one_of(_PIECES, st.text(_ANY, max_size=3)), max_size=25).map("".join),
    st.lists(_PIECES, max_size=25).map(" ".join),
)
_PLAIN = st.text(st.sampled_from("xyzq 们这那哪"), max_size=40)
_SAFE_ALIASES = st.sampled_from(
    sorted(
        alias.text
        for brand in case_gazetteer().brands
        for alias in brand.aliases
        if alias.policy is AliasPolicy.SAFE
    )
)


def _all(text: str, gazetteer: Gazetteer) -> list[Mention]:
    reading = read_answer(text, gazetteer)
    return [*reading.mentions, *reading.suppressed]


@given(_TEXTS)
def test_offsets_point_at_the_surface_in_order_and_never_overlap(text: str) -> None:
    found = _all(text, case_gazetteer())

    assert all(text[m.start_offset : m.end_offset] == m.surface != "" for m in found)
    assert all(0 <= m.start_offset < m.end_offset <= len(text) for m in found)
    places = sorted((m.start_offset, m.end_offset) for m in found)
    assert all(one[1] <= other[0] for one, other in pairwise(places))
    starts = [m.start_offset for m in read_answer(text, case_gazetteer()).mentions]
    assert starts == sorted(starts)


@given(_TEXTS)
def test_a_surface_is_a_spelling_of_its_alias(text: str) -> None:
    for mention in _all(text, case_gazetteer()):
        folded, _ = fold(build_view(mention.surface).text)
        assert folded in {spelling.text for spelling in spellings(mention.alias)}


@given(_TEXTS)
def test_what_counts_has_no_reason_and_what_does_not_has_one(text: str) -> None:
    reading = read_answer(text, case_gazetteer())

    assert not any(mention.is_suppressed for mention in reading.mentions)
    assert all(mention.is_suppressed for mention in reading.suppressed)


@given(_PLAIN, _SAFE_ALIASES, _PLAIN)
def test_a_safe_alias_in_plain_text_is_always_found(before: str, alias: str, after: str) -> None:
    text = f"{before} {alias} {after}"

    found = read_answer(text, case_gazetteer()).mentions

    assert [(m.start_offset, m.surface) for m in found] == [(len(before) + 1, alias)]


@given(_TEXTS)
def test_reading_twice_reads_the_same(text: str) -> None:
    assert read_answer(text, case_gazetteer()) == read_answer(text, case_gazetteer())
