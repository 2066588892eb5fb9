import pytest
from hypothesis import given
from hypothesis import strategies as st

from brand_visibility.reading.folding import fold, fold_keeping_case


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tesla", "tesla"),
        ("Ｔｅｓｌａ", "tesla"),
        ("Straße", "strasse"),
        ("İı", "ii"),
        ("Łódź Ørsted Æon", "lodz orsted aeon"),
        ("ﬁ Ⅲ", "fi iii"),
        ("½ ① ™ ² …", "½ ① ™ ² …"),
        ("‐ ‑ – — −", "- - - - -"),
        ("’ ‘ ´ ` ＇", "' ' ' ' '"),
        ("“ ”", '" "'),
        ("a\u00a0b\u3000c\td", "a b c d"),
        ("a\r\nb", "a\n\nb"),
        ("Te\u00ads\u200bl\u200da\ufe0f", "tesla"),
        ("e\u0301é", "ee"),
        ("I\u0345 ᾳ", "i α"),
        ("華為蘋果衞浴", "华为苹果卫浴"),
        ("ﾀﾞｲｿﾝ", fold("ダイソン")[0]),
        ("한국", "한국"),
        ("\ud800", "\ufffd"),
    ],
)
def test_different_ways_to_write_fold_to_one(text: str, expected: str) -> None:
    assert fold(text)[0] == expected


def test_case_can_be_kept() -> None:
    assert fold_keeping_case("ＴeslÁ–華") == "TeslA-华"


@given(st.text(st.characters(exclude_categories=())))
def test_folding_twice_changes_nothing_more(text: str) -> None:
    folded, _ = fold(text)

    assert fold(folded)[0] == folded


@given(st.text(st.sampled_from("aßéﬁ½小華\u200b\u00ad\u0301İ…")))
def test_every_folded_character_knows_where_it_came_from(text: str) -> None:
    folded, offsets = fold(text)
    origins = [offsets.origin(position) for position in range(len(folded))]

    assert all(
        fold(text[origin.start : origin.end])[0].find(character) >= 0
        for origin, character in zip(origins, folded, strict=True)
    )
    assert [origin.start for origin in origins] == sorted(origin.start for origin in origins)
