import pickle
from dataclasses import replace

import pytest
from readers import a_brand, case_gazetteer, surfaces

from brand_visibility.domain.catalog import Alias, AliasPolicy, Brand
from brand_visibility.reading.gazetteer import build_gazetteer
from brand_visibility.reading.reader import read_answer

_DYSON = a_brand("dyson", "Dyson", "戴森", topics=("cleaning",), decoys=("Dyson Sphere",))
_GREE = a_brand("gree", "Gree")


def test_the_hash_is_the_same_whatever_the_order_of_brands_and_decoys() -> None:
    one = build_gazetteer([_DYSON, _GREE], ["a b", "c d"])
    other = build_gazetteer([_GREE, _DYSON], ["c d", "a b"])

    assert one.hash == other.hash


def test_the_hash_is_stable_over_processes_and_versions() -> None:
    gazetteer = build_gazetteer([a_brand("gree", "Gree")], ["gree tree"])

    assert gazetteer.hash == "6df1d097d1b47a9b679a507909e4579a"


@pytest.mark.parametrize(
    "changed",
    [
        replace(_DYSON, brand_id="dyson-2"),
        replace(_DYSON, tenant_id="other"),
        replace(_DYSON, topic_ids=()),
        replace(_DYSON, decoys=()),
        replace(_DYSON, domains=("dyson.com",)),
        replace(_DYSON, aliases=_DYSON.aliases[:1]),
        replace(_DYSON, aliases=(Alias("Dyson", AliasPolicy.COMPOUND_ONLY), Alias("戴森"))),
        replace(_DYSON, aliases=(Alias("Dyson", is_case_sensitive=True), Alias("戴森"))),
        replace(_DYSON, aliases=(Alias("Dyson", context_any=("x",)), Alias("戴森"))),
    ],
)
def test_whatever_can_change_a_reading_changes_the_hash(changed: Brand) -> None:
    assert build_gazetteer([changed]).hash != build_gazetteer([_DYSON]).hash


def test_what_cannot_change_a_reading_leaves_the_hash() -> None:
    renamed = replace(_DYSON, name="Dyson Ltd", is_core=True)

    assert build_gazetteer([renamed]).hash == build_gazetteer([_DYSON]).hash


def test_a_gazetteer_survives_a_pickle() -> None:
    copy = pickle.loads(pickle.dumps(case_gazetteer()))

    assert copy.hash == case_gazetteer().hash
    assert surfaces("小米手机和Tesla", copy) == ["小米", "Tesla"]


def test_an_empty_gazetteer_finds_nothing() -> None:
    reading = read_answer("Tesla", build_gazetteer([]))

    assert (reading.mentions, reading.suppressed) == ((), ())


def test_aliases_that_cannot_be_sought_are_passed_over() -> None:
    gazetteer = build_gazetteer([a_brand("odd", "**", "https://tesla.com", "Odd")])

    assert surfaces("** https://tesla.com Odd", gazetteer) == ["Odd"]
