"""Names that run into a model, a variant, a year or another name without a space."""

import pytest
from readers import a_brand, surfaces

from brand_visibility.domain.catalog import Alias, AliasPolicy
from brand_visibility.reading.gazetteer import Gazetteer, build_gazetteer


@pytest.fixture(scope="module")
def gazetteer() -> Gazetteer:
    guarded = Alias("Notion", AliasPolicy.GUARDED, context_any=("app",))
    return build_gazetteer(
        [
            a_brand("tesla", "Tesla"),
            a_brand("kimi", "Kimi"),
            a_brand("deepseek", "DeepSeek"),
            a_brand("oppo", "OPPO"),
            a_brand("bmw", "BMW"),
            a_brand("lg", "LG"),
            a_brand("sap", "SAP"),
            a_brand("xiaomi", "小米SU7", "小米汽车"),
            a_brand("insta", "Insta360"),
            a_brand("notion", guarded),
        ]
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("OPPOFindX7很好", ["OPPO"]),
        ("KimiK2 and DeepSeekV3.1", ["Kimi", "DeepSeek"]),
        ("KimiK2Pro", ["Kimi"]),
        ("KimiK2ProMax", ["Kimi"]),
        ("TeslaModelY", []),
        ("TeslaMotors", []),
        ("TeslaMotors2", []),
        ("teslak2", []),
        ("KIMIKO2", []),
        ("KimiKAA2", []),
        ("KimiK20000", []),
        ("KimiK2abc", []),
        ("SAPR3", []),
        ("myKimiK2", []),
    ],
)
def test_a_name_stands_apart_before_a_model_with_a_capital_and_a_number(
    gazetteer: Gazetteer, text: str, expected: list[str]
) -> None:
    assert surfaces(text, gazetteer) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("小米SU7Ultra", ["小米SU7"]),
        ("小米SU7 Ultra", ["小米SU7"]),
        ("小米su7promax版", ["小米su7"]),
        ("小米SU7Ultras", []),
        ("小米SU7Ultraviolet", []),
        ("小米SU7L", []),
        ("小米SU71", []),
        ("Insta360Pro", ["Insta360"]),
        ("TeslaPro", []),
    ],
)
def test_a_name_that_ends_in_a_digit_stands_apart_before_a_variant(
    gazetteer: Gazetteer, text: str, expected: list[str]
) -> None:
    assert surfaces(text, gazetteer) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("BMW2024款", ["BMW"]),
        ("BMW1999", ["BMW"]),
        ("BMW1899", []),
        ("BMW20240", []),
        ("BMW2024a", []),
        ("BMW202", []),
        ("LG2024款", []),
    ],
)
def test_a_name_of_three_letters_stands_apart_before_a_year(
    gazetteer: Gazetteer, text: str, expected: list[str]
) -> None:
    assert surfaces(text, gazetteer) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("KimiDeepSeek双开", ["Kimi", "DeepSeek"]),
        ("KimiDeepSeekTesla", ["Kimi", "DeepSeek", "Tesla"]),
        ("kimideepseek", []),
        ("Kimideepseek", []),
        ("KIMIDEEPSEEK", []),
        ("KimiBMW", []),
        ("KimiNotion", []),
        ("KimiDeep", []),
    ],
)
def test_safe_names_that_run_together_are_told_apart_by_a_capital(
    gazetteer: Gazetteer, text: str, expected: list[str]
) -> None:
    assert surfaces(text, gazetteer) == expected
