"""What an alias asks for before it counts, and what becomes of it when it does not."""

import pytest
from readers import a_brand, case_gazetteer, suppressed, surfaces

from brand_visibility.domain.catalog import Alias, AliasPolicy
from brand_visibility.reading.gazetteer import Gazetteer, build_gazetteer
from brand_visibility.reading.mentions import AnswerContext
from brand_visibility.reading.reader import read_answer

_TARGET = Alias("Target", AliasPolicy.GUARDED, is_case_sensitive=True, context_any=("store",))
_IDEAL = Alias("理想", AliasPolicy.COMPOUND_ONLY)
_APPLE = Alias("苹果", AliasPolicy.GUARDED, context_any=("手机", "mac", "15", "l7"))


def _gazetteer(*decoys: str) -> Gazetteer:
    brands = [
        a_brand("target", _TARGET, "Target Corp", topics=("retail",)),
        a_brand("walmart", "Walmart", topics=("retail",)),
        a_brand("dyson", "Dyson", topics=("cleaning",)),
        a_brand("li-auto", _IDEAL, "理想汽车"),
        a_brand("apple", _APPLE, "iPhone"),
    ]
    return build_gazetteer(brands, decoys)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Define your Target audience", []),
        ("the Target store", ["Target"]),
        ("the target store", []),
        ("Target" + " " * 35 + "store", ["Target"]),
        ("Target" + " " * 36 + "store", []),
        ("store" + " " * 35 + "Target", ["Target"]),
        ("store" + " " * 36 + "Target", []),
        ("Target. The store", []),
        ("Target Corp is Target", ["Target Corp", "Target"]),
        ("Walmart and Target", ["Walmart", "Target"]),
        ("Dyson and Target", ["Dyson"]),
    ],
)
def test_a_guarded_alias_counts_with_context_or_in_company(text: str, expected: list[str]) -> None:
    assert surfaces(text, _gazetteer()) == expected


def test_a_brand_that_is_only_absent_is_no_company() -> None:
    text = "I found no information about Walmart. Set a Target"

    assert suppressed(text, _gazetteer()) == [("Walmart", "absence"), ("Target", "no_context")]


def test_a_decoy_that_looks_like_a_peer_is_no_company() -> None:
    assert surfaces("Walmart Street, Target", _gazetteer("Walmart Street")) == []


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("苹果手机", True),
        ("手机选苹果", True),
        ("苹果" + "甜" * 10 + "手机", True),
        ("苹果" + "甜" * 11 + "手机", False),
        ("手机" + "甜" * 10 + "苹果", True),
        ("手机" + "甜" * 11 + "苹果", False),
        ("手机。苹果", False),
        ("苹果\n手机", False),
        ("苹果MAC", True),
        ("苹果macy", False),
        ("苹果和mac2", True),
        ("苹果L7", True),
        ("苹果和L7", True),
        ("苹果和L70", False),
        ("苹果 15", True),
        ("苹果15", True),
        ("苹果和15", False),
        ("苹果15元", False),
        ("苹果15 kg", False),
        ("苹果150", False),
        ("苹果15.9", False),
        ("苹果15Pro", True),
    ],
)
def test_context_stands_near_in_the_same_sentence(text: str, is_found: bool) -> None:
    assert surfaces(text, _gazetteer()) == (["苹果"] if is_found else [])


def test_a_compound_only_alias_never_counts_alone() -> None:
    gazetteer = _gazetteer()

    assert surfaces("理想汽车", gazetteer) == ["理想汽车"]
    assert suppressed("理想汽车和理想", gazetteer) == [("理想", "compound_only")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("喝小米粥", [("小米", "decoy")]),
        ("吃苹果", [("苹果", "no_context")]),
        ("an apple", [("apple", "case")]),
        ("目前没有找到关于途虎的相关信息", [("途虎", "absence")]),
        ("华为手机", []),
        ("pineapple", []),
    ],
)
def test_what_does_not_count_is_kept_with_its_reason(
    text: str, expected: list[tuple[str, str]]
) -> None:
    assert suppressed(text) == expected


def test_what_a_mention_covers_is_not_kept_apart() -> None:
    reading = read_answer("大众点评", case_gazetteer())

    assert [mention.brand_id for mention in reading.mentions] == ["Meituan"]
    assert reading.suppressed == ()


@pytest.mark.parametrize(
    ("text", "decoy", "expected"),
    [
        ("Dyson Sphere", "Dyson Sphere", []),
        ("Dyson-sphere", "Dyson Sphere", []),
        ("Dyson Spheres", "Dyson Sphere", ["Dyson"]),
        ("Dyson", "Dyson", ["Dyson"]),
        ("the Big Walmart Dyson", "Big Walmart", ["Dyson"]),
        ("买理想汽车", "买理想", []),
    ],
)
def test_a_longer_or_earlier_decoy_takes_the_place(
    text: str, decoy: str, expected: list[str]
) -> None:
    assert surfaces(text, _gazetteer(decoy)) == expected


def test_a_brand_own_decoy_holds_for_its_tenant_only() -> None:
    mine = a_brand("mine", "Dyson", tenant_id="a", decoys=("Dyson Lane",))
    theirs = a_brand("theirs", "Dyson", tenant_id="b")

    reading = read_answer("a Dyson Lane", build_gazetteer([mine, theirs]))

    assert [mention.brand_id for mention in reading.mentions] == ["theirs"]
    assert [mention.brand_id for mention in reading.suppressed] == ["mine"]


def test_adding_a_tenant_changes_nothing_for_another() -> None:
    mine = a_brand("mine", "Tesla", tenant_id="a")
    theirs = a_brand("theirs", "Tesla Model 3", tenant_id="b")

    reading = read_answer("Tesla Model 3", build_gazetteer([mine, theirs]))

    assert [(mention.brand_id, mention.surface) for mention in reading.mentions] == [
        ("mine", "Tesla"),
        ("theirs", "Tesla Model 3"),
    ]


def test_brands_that_share_an_alias_share_the_mention() -> None:
    gazetteer = build_gazetteer([a_brand("delta-air", "Delta"), a_brand("delta-taps", "Delta")])

    reading = read_answer("Delta", gazetteer)

    assert [mention.brand_id for mention in reading.mentions] == ["delta-air", "delta-taps"]


def test_the_alias_written_like_the_surface_is_named() -> None:
    gazetteer = build_gazetteer([a_brand("coke", "Coca-Cola", "Coca Cola")])

    reading = read_answer("Coca Cola, Coca-Cola", gazetteer)

    assert [mention.alias for mention in reading.mentions] == ["Coca Cola", "Coca-Cola"]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [((), []), (("cars",), ["理想"]), (("phones",), []), (("phones", "cars"), ["理想"])],
)
def test_in_an_answer_to_a_question_of_its_topic_a_guarded_alias_counts(
    asked: tuple[str, ...], expected: list[str]
) -> None:
    guarded = Alias("理想", AliasPolicy.GUARDED, context_any=("汽车",))
    gazetteer = build_gazetteer([a_brand("li", guarded, topics=("cars",))])
    context = AnswerContext(topic_ids=frozenset(asked))

    reading = read_answer("可以看看理想。", gazetteer, context)

    assert [mention.surface for mention in reading.mentions] == expected


def test_the_questions_topic_saves_neither_a_decoy_nor_what_never_counts_alone() -> None:
    brand = a_brand(
        "li",
        Alias("理想", AliasPolicy.COMPOUND_ONLY),
        Alias("小米", AliasPolicy.GUARDED),
        topics=("cars",),
        decoys=("小米粥",),
    )
    context = AnswerContext(topic_ids=frozenset({"cars"}))

    assert read_answer("理想的小米粥", build_gazetteer([brand]), context).mentions == ()


@pytest.fixture(scope="module")
def phones() -> Gazetteer:
    def guarded(text: str) -> Alias:
        return Alias(text, AliasPolicy.GUARDED, is_case_sensitive=True, context_any=("Wallet",))

    return build_gazetteer(
        [
            a_brand("samsung", guarded("三星"), topics=("phones",)),
            a_brand("apple", guarded("苹果"), guarded("Apple"), topics=("phones",)),
            a_brand("zoom", guarded("Zoom"), topics=("phones",)),
            a_brand("visa", guarded("Visa"), Alias("Citi", is_case_sensitive=True)),
            a_brand("huawei", "华为", "Huawei", topics=("phones",)),
            a_brand("keep", Alias("Keep", is_case_sensitive=True)),
        ]
    )


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("三星S24好", True),
        ("三星 s24 ultra", True),
        ("三星ID.4", True),
        ("苹果12 Pro", True),
        ("苹果12Pro好", True),
        ("苹果12 Professionals", False),
        ("苹果15元", False),
        ("苹果3斤", False),
        ("苹果12", False),
        ("三星A4纸", False),
        ("三星B2层", False),
        ("三星S", False),
        ("三星S24abc", False),
        ("三星和S24", False),
        ("Apple M3", False),
    ],
)
def test_a_model_beside_a_chinese_name_is_context(
    phones: Gazetteer, text: str, *, is_found: bool
) -> None:
    assert len(surfaces(text, phones)) == is_found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("华为手环，练完吃个苹果", ["华为"]),
        ("华为手环，喝了一杯苹果", ["华为"]),
        ("华为手环，吃完饭看苹果", ["华为", "苹果"]),
        ("华为和苹果", ["华为", "苹果"]),
        ("华为：多吃苹果的好处", ["华为"]),
        ("华为在吃苹果的市场份额", ["华为", "苹果"]),
        ("Huawei says: eat an Apple", ["Huawei"]),
        ("Huawei will beat Apple", ["Huawei", "Apple"]),
        ("吃个苹果 Wallet", ["苹果"]),
    ],
)
def test_no_peer_vouches_for_what_is_eaten(
    phones: Gazetteer, text: str, expected: list[str]
) -> None:
    assert surfaces(text, phones) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("## Huawei: Zoom Into What Your Customers Say", ["Huawei"]),
        ("Huawei.\n### Zoom Ahead With Your Team", ["Huawei"]),
        ("## Huawei: Zoom Wallet Makes Your Life Easy", ["Huawei", "Zoom"]),
        ("## Huawei vs Zoom vs Apple: Which Phone Wins", ["Huawei", "Zoom", "Apple"]),
        ("## Zoom: What Huawei Users Like About Phones", ["Zoom", "Huawei"]),
        ("## Huawei and Zoom phones are made for everyone", ["Huawei", "Zoom"]),
        ("Huawei And Zoom Phones Make Your Life Easy", ["Huawei", "Zoom"]),
        ("## Huawei Zoom Phones", ["Huawei"]),
        ("## Huawei Zoom", ["Huawei", "Zoom"]),
        # A heading is one line, and a short one.
        ("## Huawei\nZoom Ahead With Your Team", ["Huawei", "Zoom"]),
        ("## Huawei " + "Good " * 50 + "Zoom Ahead With Your Team", ["Huawei", "Zoom"]),
    ],
)
def test_no_peer_vouches_for_a_word_of_a_heading_in_capitals(
    phones: Gazetteer, text: str, expected: list[str]
) -> None:
    assert surfaces(text, phones) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("WE ONLY TAKE CITI WALLETS HERE", ["CITI"]),
        ("we take:\nONLY CITI OR CASH AT THE GATE\nplease", ["CITI"]),
        ("We only take CITI WALLETS at the GATE", []),
        ("WE ONLY TAKE citi WALLETS HERE", []),
        ("WE ONLY TAKE VISA OR CASH AT THE GATE", []),
        ("PAY BY VISA OR ANY OTHER WALLET", ["VISA"]),
        ("CITI CARDS", []),
        # A common word is one in capitals too.
        ("CITI WILL KEEP ALL OF IT TODAY", ["CITI"]),
        ("推荐CITI卡，办理很方便", []),
        ("TAKE CITI HERE AND NOW " + "好" * 100 + " lower", ["CITI"]),
    ],
)
def test_in_a_line_of_capitals_case_tells_nothing(
    phones: Gazetteer, text: str, expected: list[str]
) -> None:
    assert surfaces(text, phones) == expected
