import pytest

from brand_visibility.reading.spellings import folded_name, spellings


def _texts(name: str) -> list[str]:
    return [spelling.text for spelling in spellings(name)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Tesla", ["tesla"]),
        ("Coca-Cola", ["coca-cola", "coca cola", "cocacola"]),
        ("7-11", ["7-11"]),
        ("L'Oréal", ["l'oreal", "loreal"]),
        ("H&M", ["h&m", "h & m"]),
        ("Procter & Gamble", ["procter & gamble", "procter&gamble", "procter and gamble"]),
        ("理想L7", ["理想l7", "理想 l7", "理想-l7"]),
        ("華為", ["华为"]),
        ("Yahoo!", ["yahoo!"]),
        ("  ", []),
        ("***", []),
        ("https://tesla.com", []),
        ("two\nlines", []),
    ],
)
def test_a_name_has_these_spellings_its_own_first(name: str, expected: list[str]) -> None:
    found = _texts(name)

    assert found[:1] == expected[:1]
    assert sorted(found) == sorted(expected)


def test_a_name_of_many_words_keeps_few_spellings() -> None:
    found = _texts("one two three four five six seven")

    assert "one-two-three-four-five-six-seven" in found
    assert "onetwothreefourfivesixseven" in found
    assert len(found) <= 4


def test_a_short_joined_form_must_show_its_seam() -> None:
    by_text = {spelling.text: spelling for spelling in spellings("Li-Ning")}

    assert by_text["lining"].seams == (2,)
    assert by_text["li-ning"].seams == ()
    assert all(not spelling.seams for spelling in spellings("Coca-Cola"))


def test_a_short_name_without_its_apostrophe_must_show_its_capital() -> None:
    by_text = {spelling.text: spelling for spelling in spellings("Lay's")}

    assert by_text["lays"].needs_capital
    assert not by_text["lay's"].needs_capital


@pytest.mark.parametrize(
    ("name", "expected"), [("Ａ  B", "a b"), ("E*TRADE", "etrade"), ("`x`", None)]
)
def test_a_name_is_folded_like_the_answer_it_is_sought_in(name: str, expected: str | None) -> None:
    assert folded_name(name) == expected
