from collections import Counter

import pytest
from readers import a_brand, suppressed, surfaces

from brand_visibility.reading.default_decoys import DEFAULT_DECOYS
from brand_visibility.reading.gazetteer import build_gazetteer
from brand_visibility.reading.spellings import folded_name


@pytest.mark.parametrize("decoy", DEFAULT_DECOYS)
def test_a_default_decoy_is_an_expression_that_can_be_sought(decoy: str) -> None:
    assert folded_name(decoy) is not None
    assert len(decoy) >= 3


def test_every_default_decoy_is_named_once() -> None:
    assert [decoy for decoy, count in Counter(DEFAULT_DECOYS).items() if count > 1] == []


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("亚马逊", "亚马逊雨林很大，亚马逊上买", ["亚马逊"]),
        ("伊利", "伊利诺伊州的伊利牛奶", ["伊利"]),
        ("京东", "南京东路的京东门店，北京京东总部", ["京东", "京东"]),
        ("美团", "最美团队用美团", ["美团"]),
        ("Keep", "Keep in mind that Keep helps", ["Keep"]),
        ("National", "the National Weather Service, a National radio", ["National"]),
        ("Dyson", "a Dyson sphere, a Dyson swarm, a Dyson vacuum", ["Dyson"]),
        ("Zoom", "Zoom in on it, use Zoom in your browser", ["Zoom"]),
        ("苹果", "苹果汁和苹果手机", ["苹果"]),
    ],
)
def test_an_everyday_expression_is_no_brand_in_any_catalog(
    name: str, text: str, expected: list[str]
) -> None:
    assert surfaces(text, build_gazetteer([a_brand("brand", name)])) == expected


def test_a_default_decoy_is_kept_with_its_reason() -> None:
    gazetteer = build_gazetteer([a_brand("brand", "亚马逊")])

    assert suppressed("亚马逊河", gazetteer) == [("亚马逊", "decoy")]


def test_a_brand_that_is_called_like_a_default_decoy_is_still_found() -> None:
    gazetteer = build_gazetteer([a_brand("brand", "光明日报")])

    assert surfaces("光明日报", gazetteer) == ["光明日报"]


def test_naming_a_default_decoy_again_changes_nothing() -> None:
    brand = a_brand("brand", "亚马逊")

    assert build_gazetteer([brand], ["亚马逊河"]).hash == build_gazetteer([brand]).hash
