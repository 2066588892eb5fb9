import pytest
from readers import suppressed, surfaces


@pytest.mark.parametrize(
    ("text", "absent", "named"),
    [
        ("I could not find information about Tesla. Nike is fine.", ["Tesla"], ["Nike"]),
        ("I couldn’t find any reliable, recent details on Tesla, but Nike", ["Tesla"], ["Nike"]),
        ("I don't have specific data for Tesla or Nike; KFC", ["Tesla", "Nike"], ["KFC"]),
        ("There is no information available about Tesla.", ["Tesla"], []),
        ("I'm not familiar with Tesla", ["Tesla"], []),
        ("I have never heard of Tesla, however Nike", ["Tesla"], ["Nike"]),
        ("No information about Nike. No information about Tesla.", ["Nike", "Tesla"], []),
        ("If you cannot find information about Tesla, call.", [], ["Tesla"]),
        ("I couldn't find a better car than Tesla.", [], ["Tesla"]),
        ("Tesla shares information about Nike.", [], ["Tesla", "Nike"]),
        ("目前没有找到关于途虎的相关信息。华为不错", ["途虎"], ["华为"]),
        ("关于途虎，我暂时没有查到相关资料", ["途虎"], []),
        ("未能检索到途虎、京东的数据，但华为有", ["途虎", "京东"], ["华为"]),
        ("途虎的相关信息暂未收录", ["途虎"], []),
        ("找不到途虎的任何资料", ["途虎"], []),
        ("暂无关于途虎的报道", ["途虎"], []),
        ("我不太了解途虎", ["途虎"], []),
        ("如果不了解途虎，可以看看介绍", [], ["途虎"]),
        ("没有找到比大疆更好的航拍机，信息如下", [], ["大疆"]),
        ("华为提供了丰富的信息", [], ["华为"]),
        ("Nike is fine. Tesla: no information found.", ["Tesla"], ["Nike"]),
        ("| Tesla | No data available |\n| Nike | 4.5 |", ["Tesla"], ["Nike"]),
        ("Tesla: no data breaches found.", [], ["Tesla"]),
        ("I found no references to Tesla.", ["Tesla"], []),
        ("Tesla has no record of accidents in Norway.", [], ["Tesla"]),
        ("Nike is fine, Tesla doesn't appear in the search results.", ["Tesla"], ["Nike"]),
        ("Tesla does not appear in the charts this year.", [], ["Tesla"]),
        ("途虎：未查到相关信息，华为：有", ["途虎"], ["华为"]),
        ("途虎：暂无降价计划", [], ["途虎"]),
        ("文档中没有提到途虎，但提到了华为", ["途虎"], ["华为"]),
        ("报告没有提到途虎的价格", [], ["途虎"]),
        ("途虎没有提到华为", [], ["途虎", "华为"]),
    ],
)
def test_knowing_nothing_of_a_brand_is_an_absence(
    text: str, absent: list[str], named: list[str]
) -> None:
    assert [surface for surface, reason in suppressed(text) if reason == "absence"] == absent
    assert surfaces(text) == named


@pytest.mark.parametrize(
    ("text", "absent", "named"),
    [
        ("I don't have data on Tesla stock", [], ["Tesla"]),
        ("I don't have data on Tesla-branded stock", [], ["Tesla"]),
        ("I don't have data on Tesla - sorry", ["Tesla"], []),
        ("I couldn't find any information about Nike's prices", [], ["Nike"]),
        ("I have no information about Tesla’s plans or Nike.", ["Nike"], ["Tesla"]),
        ("I couldn't find information about Tesla in my sources", ["Tesla"], []),
        ("I couldn't find information about Tesla or Nike shoes", ["Tesla"], ["Nike"]),
        ("I don't have information about the Tesla brand, or on Nike.", ["Tesla", "Nike"], []),
        ("I don't have information on Tesla but on Nike", ["Tesla"], ["Nike"]),
    ],
)
def test_knowing_nothing_of_something_of_a_brand_names_the_brand(
    text: str, absent: list[str], named: list[str]
) -> None:
    assert [surface for surface, reason in suppressed(text) if reason == "absence"] == absent
    assert surfaces(text) == named
