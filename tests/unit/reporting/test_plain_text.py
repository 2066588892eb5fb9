import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brand_visibility.reporting.plain_text import shortened, shown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("小米 14 很好", "小米 14 很好", id="ordinary text stays"),
        pytest.param("safe\u202egpj.exe", "safegpj.exe", id="right-to-left override"),
        pytest.param("a\u2066b\u2069c\u200ed", "abcd", id="direction isolates and marks"),
        pytest.param("red\x1b[31m", "red[31m", id="terminal escape"),
        pytest.param("a\x9bb\x07c\x00d", "abcd", id="other controls"),
        pytest.param("a\ud800b", "ab", id="lone surrogate"),
        pytest.param("a\U000e0041b", "ab", id="invisible tag"),
        pytest.param("see\ue200cite\ue201", "seecite", id="private citation marker"),
        pytest.param("one\r\n\n two\u2028three\tfour", "one two three four", id="line breaks"),
        pytest.param("👩\u200d💻", "👩\u200d💻", id="joined emoji stays"),
        pytest.param("<script>", "<script>", id="markup is the template's matter"),
    ],
)
def test_only_what_people_can_see_is_shown(text: str, expected: str) -> None:
    assert shown(text) == expected


def test_the_space_at_an_edge_is_kept_for_pieces_of_a_text() -> None:
    assert shown(" and ") == " and "


@given(st.text())
def test_shown_text_can_be_written_to_a_file_and_holds_no_control(text: str) -> None:
    plain = shown(text)

    assert plain.encode().decode() == plain
    assert not [char for char in plain if unicodedata.category(char) in ("Cc", "Cs", "Co")]
    assert shown(plain) == plain


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12345", "12345"),
        ("  12345  ", "12345"),
        ("123456", "1234…"),
        ("123 456", "123…"),
        ("\u202e" * 20 + "12345", "…"),
        ("", ""),
    ],
)
def test_a_long_text_is_cut_at_the_limit_and_says_so(text: str, expected: str) -> None:
    assert shortened(text, 5) == expected


@given(st.text(), st.integers(1, 50))
def test_a_shortened_text_never_exceeds_its_limit(text: str, limit: int) -> None:
    assert len(shortened(text, limit)) <= limit
