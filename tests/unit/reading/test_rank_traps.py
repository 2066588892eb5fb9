"""What looks like a ranking and is none, and lists that are easily taken for one."""

import pytest
from rankers import ranking, ranks


@pytest.mark.parametrize(
    "text",
    [
        "",
        "华为",
        "1. 华为",
        "1. **性价比**：小米不错\n2. **拍照**：华为更好",
        "1. 性价比：小米不错\n2. 拍照：华为更好",
        "- 性价比 - 小米\n- 拍照 - 华为",
        "2024. 华为发布\n2025. 小米发布",
        "1.5万 华为\n2.5万 小米",
        "3,999元 华为\n4,999元 小米",
        "2024年 华为\n2025年 小米",
        "1:30 华为\n2:30 小米",
        "我认为华为第一，小米第二。\n荣耀第三。",
        "华为是第一名\n小米是第二名",
        "1. 打开微信\n2. 点击右上角\n3. 打开支付宝",
        "1. Open Google Chrome\n2. Sign in to HubSpot\n3. Go to Zoho",
        "1. **下载微信**：从商店\n2. **登录支付宝**：输入密码",
        "1. 华为和小米哪个好？\n看预算。\n2. 荣耀值得买吗？\n值得。",
        "### 华为手机怎么样？\n好\n### 小米手机怎么样？\n好",
        "1. 品牌：华为、小米\n2. 价格：荣耀便宜\n3. 售后：海尔好",
        "| 项目 | 华为 | 小米 |\n|---|---|---|\n| 价格 | 高 | 低 |\n| 拍照 | 华为好 | 小米差 |",
        "| | HubSpot | Zoho |\n|---|---|---|\n| Price | high | low |\n| Fit | HubSpot | Zoho |",
        "```\n1. 华为\n2. 小米\n```",
        "~~~\n| 排名 | 品牌 |\n|---|---|\n| 1 | 华为 |\n| 2 | 小米 |\n~~~",
        # Too few heads hold a brand: 2 of 6.
        "1. 华为\n2. a\n3. b\n4. c\n5. d\n6. 小米",
        "1. 华为\n2. a\n3. b\n4. c\n5. d\n6. e\n7. 荣耀\n8. 小米",
        # A countdown without its end says nothing of places.
        "5. 华为\n4. 小米\n3. 荣耀",
        "5. 华为\n3. 小米\n1. 荣耀",
        # One brand's models compete with nobody.
        "1. 华为 Mate 60\n2. 华为 P60",
        # Numbers in the middle of nowhere.
        "1.5 万元的华为\n2.5 万元的小米",
        "7 华为\n8 小米",
        "华为\n小米\n荣耀",
        "1. 华为\n# 标题\n1. 小米",
    ],
    ids=ascii,
)
def test_what_is_no_ranking_ranks_nobody(text: str) -> None:
    assert ranking(text).ranks == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Two of five heads are enough.
        ("1. 华为\n2. a\n3. b\n4. c\n5. 小米", {"华为": 1, "小米": 5}),
        # Bullets under an item are another list, indented or not.
        ("1. 华为\n   - 像小米\n   - 像荣耀\n2. 小米\n   - 像华为", {"华为": 1, "小米": 2}),
        ("1. 华为\n- 优点：好\n- 缺点：贵\n2. 小米\n- 优点：便宜", {"华为": 1, "小米": 2}),
        ("- 华为\n  - 荣耀\n  - 海尔\n- 小米", {"华为": 1, "小米": 2}),
        ("1. 华为\n\t- 荣耀\n\t- 海尔\n2. 小米", {"华为": 1, "小米": 2}),
        ("特点：\n- 特点一\n\n1. 华为\n- 优点\n2. 小米\n- 优点", {"华为": 1, "小米": 2}),
        ("1. 高端\n   - 戴森\n   - 石头\n2. 低端\n   - 小米\n   - 美的", {"戴森": 1, "石头": 2}),
        ("- 华为\n\t- 荣耀\n\t- 海尔\n- 小米", {"华为": 1, "小米": 2}),
        ("1. 高端\n（1）华为\n（2）小米\n2. 低端\n（3）荣耀\n（4）OPPO", {"华为": 1, "小米": 2}),
        # Amounts after bullets are no numbers.
        ("- 2 台华为\n- 3 台小米", {"华为": 1, "小米": 2}),
        # Bold lines between numbered items are their subtitles.
        ("**推荐**\n1. 华为\n**优点**\nx\n2. 小米\n**优点**\nx", {"华为": 1, "小米": 2}),
        ("1. 华为\n**优点**：x\n**缺点**：x\n2. 小米\n**优点**：x", {"华为": 1, "小米": 2}),
        # Numbers that begin again, and headings, begin another list.
        ("1. 看预算\n2. 看评测\n\n1. 华为\n2. 小米", {"华为": 1, "小米": 2}),
        ("1. 看预算\n\n1. 华为\n2. 小米", {"华为": 1, "小米": 2}),
        ("1. 华为\n2. 小米\n\n1. 荣耀\n2. OPPO", {"华为": 1, "小米": 2}),
        ("1. 华为\n2. 小米\n## 其他\n3. 荣耀\n4. OPPO", {"华为": 1, "小米": 2}),
        ("2. x\n\n1. 华为\n2. 小米", {"华为": 1, "小米": 2}),
        ("国产：\n- 华为\n- 小米\n\n国外：\n- 三星\n- x", {"华为": 1, "小米": 2}),
        ("- 华为\n- 小米\n\n国外的也不错。\n- 三星", {"华为": 1, "小米": 2}),
        ("**国产：**\n- 华为\n- 小米\n**国外：**\n- 三星", {"华为": 1, "小米": 2}),
        ("国产：\n- 华为\n- 小米\n国外：\n- 三星\n- x", {"华为": 1, "小米": 2}),
        ("- 华为\n- 小米\n**国外**\n- 三星", {"华为": 1, "小米": 2}),
        ("7. x\n3. y\n2. z\n8. 华为\n9. 小米", {"华为": 1, "小米": 2}),
        # Bullets that all have a paragraph are one list.
        ("- 华为\n\n好。\n\n- 小米\n\n好。\n\n- 荣耀\n\n好。", {"华为": 1, "小米": 2, "荣耀": 3}),
        # A brand has its best place, and its further items take none.
        ("1. 华为 A\n2. 小米\n3. 华为 B\n4. x\n5. 荣耀", {"华为": 1, "小米": 2, "荣耀": 4}),
        ("3. 华为\n2. 小米\n1. 华为", {"华为": 1, "小米": 2}),
        # Sections of the answer are no competitors.
        ("## 概述\nx\n## 华为\nx\n## 小米\nx\n## 总结\nx", {"华为": 1, "小米": 2}),
        ("## 推荐品牌\n### 华为\nx\n### 小米\nx\n## 选购建议\nx", {"华为": 1, "小米": 2}),
        (
            "## Overview\nx\n## HubSpot\nx\n## Final Cut Pro\nx\n## Zoho\nx\n## How to choose\nx",
            {"HubSpot": 1, "Zoho": 3},
        ),
        ("## Galaxy Note\nx\n## HubSpot\nx\n## Zoho\nx", {"HubSpot": 2, "Zoho": 3}),
        ("**Top Picks**\n\n**HubSpot**\nx\n\n**Zoho**\nx", {"HubSpot": 1, "Zoho": 2}),
        # A price, a rule or code within an item belongs to it.
        ("1. 华为\n5.5 折起\n---\n2. 小米", {"华为": 1, "小米": 2}),
        ("- 华为\n- - -\n- 小米", {"华为": 1, "小米": 2}),
        ("1. 华为\n```\n1. x\n```\n2. 小米", {"华为": 1, "小米": 2}),
        ("1. 华为\n| 型号 | 价格 |\n|--|--|\n| P60 | 高 |\n2. 小米", {"华为": 1, "小米": 2}),
        # A brand that stands where a step's verb would is a brand.
        ("1. Zoho\n2. Use whatever 华为 has\n3. HubSpot", {"Zoho": 1, "HubSpot": 3}),
        ("1. 华为\n2. 小米值得买吗？\n3. 荣耀", {"华为": 1, "荣耀": 3}),
    ],
    ids=ascii,
)  # fmt: skip
def test_the_first_list_that_counts_is_the_ranking(text: str, expected: dict[str, int]) -> None:
    assert ranks(text) == expected
