import dataclasses

import pytest

from brand_visibility.domain.catalog import Alias, AliasPolicy, Brand, Catalog
from brand_visibility.simulator.names import (
    NameIndex,
    choose_asides,
    choose_surfaces,
    squash,
)
from brand_visibility.simulator.phrases import CHINESE, ENGLISH, Phrasebook


def brand(brand_id: str, *aliases: Alias | str, decoys: tuple[str, ...] = ()) -> Brand:
    values = tuple(Alias(alias) if isinstance(alias, str) else alias for alias in aliases)
    return Brand(brand_id, "acme", values[0].text, values, ("t",), decoys=decoys)


def catalog(*brands: Brand, decoys: tuple[str, ...] = ()) -> Catalog:
    return Catalog("v", (), (), brands, (), (), decoys=decoys)


def surfaces(*brands: Brand, decoys: tuple[str, ...] = ()) -> dict[str, tuple[str, ...]]:
    watched = catalog(*brands, decoys=decoys)
    return choose_surfaces(watched, NameIndex(watched))


def asides(*brands: Brand, decoys: tuple[str, ...] = ()) -> tuple[str, ...]:
    watched = catalog(*brands, decoys=decoys)
    return choose_asides(watched, NameIndex(watched))


@pytest.mark.parametrize(
    ("name", "text", "is_held"),
    [
        ("小米", "买小米手机", True),
        ("GE", "a good budget", False),
        ("GE", "a GE fridge", True),
        ("GE", "GE冰箱", True),
        ("Canon", "two Canons", True),
        ("Canon", "canonical", False),
        ("iPhone", "iphone15", True),
        ("Coca-Cola", "coca cola", True),
        ("Coca-Cola", "CocaCola", True),
        ("Nestlé", "nestle", True),
        ("ＯＰＰＯ", "oppo", True),
        ("小米", "小 米", True),
        ("Mi", "15Mi", False),
    ],
)
def test_a_name_is_held_where_a_reader_might_see_it(name: str, text: str, is_held: bool) -> None:
    index = NameIndex(catalog(brand("b", name)))
    assert index.is_free_of_names(text) is not is_held


def test_every_name_is_found_whatever_its_policy() -> None:
    guarded = Alias("理想", AliasPolicy.GUARDED)
    compound = Alias("Keep", AliasPolicy.COMPOUND_ONLY)
    index = NameIndex(catalog(brand("li", guarded), brand("keep", compound)))
    assert set(index.names_in("keep your 理想")) == {"理想", "keep"}


def test_squashing_removes_what_readers_fold() -> None:
    assert squash("Café-Crème  Co.") == "cafecremeco."


@pytest.mark.parametrize(
    ("brands", "expected"),
    [
        ([brand("mi", "小米", "Xiaomi")], ("小米", "Xiaomi")),
        # One surface holds another brand's name: the other one is used.
        ([brand("mi", "华为小米", "Xiaomi"), brand("hw", "华为")], ("Xiaomi",)),
        # No other surface: the longer name wins at every reader.
        ([brand("mi", "华为音乐"), brand("hw", "华为")], ("华为音乐",)),
        ([brand("mo", "monday.com", "monday CRM")], ("monday CRM",)),
        ([brand("bo", "Booking.com")], ("Booking.com",)),
        # The same name for two brands stands for neither.
        ([brand("mi", "小米"), brand("hw", "小米")], ()),
        ([brand("li", Alias("理想", AliasPolicy.GUARDED, context_any=("汽车",)))], ("理想汽车",)),
        (
            [brand("tgt", Alias("Target", AliasPolicy.GUARDED, context_any=("store",)))],
            ("Target store",),
        ),
        ([brand("li", Alias("理想", AliasPolicy.GUARDED))], ()),
        ([brand("keep", Alias("Keep", AliasPolicy.COMPOUND_ONLY))], ()),
        ([brand("mi", Alias("小米", AliasPolicy.COMPOUND_ONLY), "小米手机")], ("小米手机",)),
    ],
)
def test_a_brand_is_written_so_that_it_alone_is_found(
    brands: list[Brand], expected: tuple[str, ...]
) -> None:
    assert surfaces(*brands)[brands[0].brand_id] == expected


def test_a_longer_name_does_not_cover_a_name_of_another_tenant() -> None:
    own = brand("mi", "华为音乐")
    other = dataclasses.replace(brand("hw", "华为"), tenant_id="other")
    assert surfaces(own, other) == {"mi": (), "hw": ("华为",)}


def test_a_decoy_is_no_way_to_write_a_brand() -> None:
    assert surfaces(brand("mi", "小米粥", "小米"), decoys=("小米粥",))["mi"] == ("小米",)


@pytest.mark.parametrize(
    ("brands", "of_all", "expected"),
    [
        ([brand("mi", "小米", decoys=("小米粥",))], (), ("小米粥",)),
        ([brand("mi", "小米")], ("小米粥",), ("小米粥",)),
        # It protects its own brand but would name the other.
        ([brand("mi", "小米", decoys=("小米华为汤",)), brand("hw", "华为")], (), ()),
        ([brand("mi", "小米", decoys=("小米",))], (), ()),
    ],
)
def test_only_decoys_that_name_nobody_are_set_aside(
    brands: list[Brand], of_all: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    assert asides(*brands, decoys=of_all) == expected


@pytest.mark.parametrize(("phrases", "name"), [(CHINESE, "质保"), (ENGLISH, "Warranty")])
def test_sentences_with_a_watched_name_are_left_out(phrases: Phrasebook, name: str) -> None:
    index = NameIndex(catalog(brand("odd", name)))
    left = phrases.without_names(index).advice
    assert set(phrases.advice) - set(left) == {phrases.advice[0]}


@pytest.mark.parametrize("phrases", [CHINESE, ENGLISH], ids=["zh", "en"])
def test_without_a_watched_name_every_sentence_stays(phrases: Phrasebook) -> None:
    index = NameIndex(catalog(brand("hw", "华为", "Huawei")))
    assert phrases.without_names(index) == phrases


@pytest.mark.parametrize("phrases", [CHINESE, ENGLISH], ids=["zh", "en"])
def test_no_language_lacks_a_part(phrases: Phrasebook) -> None:
    assert all(dataclasses.astuple(phrases))
