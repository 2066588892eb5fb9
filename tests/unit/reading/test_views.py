import pytest

from brand_visibility.reading.view import SEPARATOR, build_view


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**a** _b_ __c__ ~~d~~", "a b c d"),
        ("a * b 2*3 a_b", "a * b 2*3 a_b"),
        (r"\*a\* C:\x", r"*a* C:\x"),
        ("a&amp;b &nosuch; &#65;", "a&b &nosuch; A"),
        ("<b>a</b><br>b<x>", "a\x1fb<x>"),
        ("a[1][2] b[^3] c[citation:4]", "a b c"),
        ("a [cite: 8, 9] [web:3] [see]", "a   [see]"),
        ("[a](u) ![b](v)", "[a]\x1f \x1f"),
        ("`a` ``b`c`` `d", "\x1f \x1f `d"),
        ("https://a.com/b, www.c.de a@b.com", "\x1f, \x1f \x1f"),
        ("见https://a.com/小米（好）", "见\x1f（好）"),
        ("https://a.com/b_(c))", "\x1f)"),
        ("https://小米.com/x y", "\x1f y"),
        ("no scheme: //x and ://y", "no scheme: //x and ://y"),
        ("```py\na\n```\nb", "\x1f\nb"),
        ("a <!-- b --> c <!-- d", "a  c <!-- d"),
    ],
)
def test_a_view_is_what_a_reader_sees(text: str, expected: str) -> None:
    assert SEPARATOR == "\x1f"
    assert build_view(text).text == expected


def test_bare_domains_stay_readable_and_are_marked() -> None:
    view = build_view("try monday.com or Node.js")

    assert view.text == "try monday.com or Node.js"
    assert view.domains == ((4, 14),)


def test_link_texts_are_marked_in_order() -> None:
    view = build_view("[a](x) and [b [c](y)](z)")

    assert view.links == ((1, 2), (12, 20), (15, 16))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Brackets end with their line, whatever else an answer holds.
        ("[a\nb](c) 【3†x】d", "[a\nb]\x1f d"),
        ("[a b](c) 【3†x】d", "[a b]\x1f d"),
        # What is left of a run after an escaped character stays as it is.
        (r"\***a", "***a"),
        (r"a \`` b", "a `` b"),
        ("a~b~~c", "a~bc"),
        ("a. b.c d:e f@ g", "a. b.c d:e f@ g"),
    ],
)
def test_what_begins_no_markup_stays(text: str, expected: str) -> None:
    assert build_view(text).text == expected


@pytest.mark.parametrize(("text", "links"), [("[a b](c)", ((1, 4),)), ("[a\nb](c)", ())])
def test_a_link_text_ends_with_its_line(text: str, links: tuple[tuple[int, int], ...]) -> None:
    assert build_view(text).links == links
