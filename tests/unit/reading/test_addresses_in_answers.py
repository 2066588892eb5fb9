"""Where addresses and citation markers stand in an answer."""

import itertools
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brand_visibility.reading.view import build_view

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "cases" / "urls.jsonl").read_text().splitlines()
]


def urls_in(text: str) -> list[str]:
    return [text[start:end] for start, end in build_view(text).urls]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][:30])
def test_every_case_of_an_address_is_right(case: dict[str, object]) -> None:
    assert urls_in(str(case["text"])) == case["urls"]


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("![logo](https://cdn.example.com/a.png) haier", []),
        ("[shop](https://shop.example.com 'title')", ["https://shop.example.com"]),
        ("[shop](/relative/page)", []),
        ("[https://a.example.com/x](https://a.example.com/x)", ["https://a.example.com/x"] * 2),
        ("```\nhttps://code.example.com\n```\nhttps://a.example.com", ["https://a.example.com"]),
        ("（详见https://a.example.com/x），好", ["https://a.example.com/x"]),
        ("https://a.example.com，详见", ["https://a.example.com"]),
        ("https://a.example.com/**", ["https://a.example.com/"]),
        ("HTTPS://A.EXAMPLE.COM/x.", ["HTTPS://A.EXAMPLE.COM/x"]),
        ("haier.com/cn/tv 和 www.midea.com", ["haier.com/cn/tv", "www.midea.com"]),
        ("someone@www.example.com", []),
        ("https://", ["https://"]),
    ],
)
def test_an_address_reaches_as_far_as_a_person_would_say(text: str, urls: list[str]) -> None:
    assert urls_in(text) == urls


@pytest.mark.parametrize(
    ("text", "markers"),
    [
        ("好[1][2]。", ["[1]", "[2]"]),
        ("好[^1^]", ["[^1^]"]),
        ("ok[citation:3] and [cite: 8, 9], [web:3]", ["[citation:3]", "[cite: 8, 9]", "[web:3]"]),
        ("好【4:2†source】", ["【4:2†source】"]),
        ("x:contentReference[oaicite:3]{index=3}", [":contentReference[oaicite:3]{index=3}"]),
        ("x\ue200cite\ue202turn0search3\ue201y", ["\ue200cite\ue202turn0search3\ue201"]),
        ("[1](https://a.example.com)", []),
        ("`[1]`", []),
        ("a[i] = b[j]", []),
    ],
)
def test_markers_are_found_where_they_stand(text: str, markers: list[str]) -> None:
    assert [text[start:end] for start, end in build_view(text).markers] == markers


@given(st.text() | st.text(alphabet="[]()<>:/.ahtps1【】†\ue200\ue201`*& \n"))
def test_places_lie_in_the_text_in_order_without_overlap(text: str) -> None:
    view = build_view(text)
    for places in (view.urls, view.markers):
        assert all(0 <= start < end <= len(text) for start, end in places)
        assert all(before[1] <= after[0] for before, after in itertools.pairwise(places))
