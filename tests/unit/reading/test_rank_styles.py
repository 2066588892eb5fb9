"""Every way to write a list: what its brands' ranks are, and where they come from."""

import pytest
from rankers import primary, ranks

_THREE = {"华为": 1, "小米": 2, "荣耀": 3}
_CRM = {"HubSpot": 1, "Zoho": 2, "Salesforce": 3}


def _lines(*markers: str) -> str:
    return "\n".join(m + name for m, name in zip(markers, ("华为", "小米", "荣耀"), strict=True))


@pytest.mark.parametrize(
    ("markers", "source"),
    [
        (("1. ", "2. ", "3. "), "numbered"),
        (("1.", "2.", "3."), "numbered"),
        (("1、", "2、", "3、"), "numbered"),
        (("1) ", "2) ", "3) "), "numbered"),
        (("1）", "2）", "3）"), "numbered"),
        (("（1）", "（2）", "（3）"), "numbered"),
        (("(1) ", "(2) ", "(3) "), "numbered"),
        (("1．", "2．", "3．"), "numbered"),
        (("１．", "２．", "３．"), "numbered"),
        (("１、", "２、", "３、"), "numbered"),
        (("1：", "2：", "3："), "numbered"),
        (("1 - ", "2 - ", "3 - "), "numbered"),
        (("1 ", "2 ", "3 "), "numbered"),
        (("01. ", "02. ", "03. "), "numbered"),
        (("1\\. ", "2\\. ", "3\\. "), "numbered"),
        (("1.1 ", "1.2 ", "1.3 "), "numbered"),
        (("- 1. ", "- 2. ", "- 3. "), "numbered"),
        (("> 1. ", "> 2. ", "> 3. "), "numbered"),
        (("### 1. ", "### 2. ", "### 3. "), "numbered"),
        (("\u200b1. ", "\u200b2. ", "\u200b3. "), "numbered"),
        (("\ufeff1. ", "2. ", "3. "), "numbered"),
        (("1\u200b. ", "2\u200b. ", "3\u200b. "), "numbered"),
        (("\u3000\u30001、", "\u3000\u30002、", "\u3000\u30003、"), "numbered"),
        (("📱 1. ", "📱 2. ", "📱 3. "), "numbered"),
        (("一、", "二、", "三、"), "chinese_numeral"),
        (("（一）", "（二）", "（三）"), "chinese_numeral"),
        (("九、", "十、", "十一、"), "chinese_numeral"),
        (("## 一、", "## 二、", "## 三、"), "chinese_numeral"),
        (("① ", "② ", "③ "), "circled"),
        (("❶", "❷", "❸"), "circled"),
        (("⑴", "⑵", "⑶"), "circled"),
        (("⒈", "⒉", "⒊"), "circled"),
        (("㈠", "㈡", "㈢"), "circled"),
        (("TOP1 ", "TOP2 ", "TOP3 "), "top_n"),
        (("Top 1: ", "Top 2: ", "Top 3: "), "top_n"),
        (("TOP1：", "TOP2：", "TOP3："), "top_n"),
        (("No.1 ", "No.2 ", "No.3 "), "top_n"),
        (("NO. 1：", "NO. 2：", "NO. 3："), "top_n"),
        (("#1 ", "#2 ", "#3 "), "top_n"),
        (("### #1: ", "### #2: ", "### #3: "), "top_n"),
        (("第一名：", "第二名：", "第三名："), "top_n"),
        (("第1名 ", "第2名 ", "第3名 "), "top_n"),
        (("第一，", "第二，", "第三，"), "top_n"),
        (("1st: ", "2nd: ", "3rd: "), "top_n"),
        (("冠军：", "亚军：", "季军："), "top_n"),
        (("推荐一：", "推荐二：", "推荐三："), "top_n"),
        (("Option 1: ", "Option 2: ", "Option 3: "), "top_n"),
        (("1️⃣ ", "2️⃣ ", "3️⃣ "), "keycap"),
        (("🥇 ", "🥈 ", "🥉 "), "medal"),
        (("🥇 第一名：", "🥈 第二名：", "🥉 第三名："), "medal"),
        (("🥇 1. ", "🥈 2. ", "🥉 3. "), "medal"),
        (("### 🥇 **1.** ", "### 🥈 **2.** ", "### 🥉 **3.** "), "medal"),
        (("- 🥇 ", "- 🥈 ", "- 🥉 "), "medal"),
        (("A. ", "B. ", "C. "), "lettered"),
        (("a) ", "b) ", "c) "), "lettered"),
        (("1. 🏆 ", "2. 🏆 ", "3. 🏆 "), "numbered"),
        (("1. TOP1：", "2. TOP2：", "3. TOP3："), "numbered"),
        (("- ", "- ", "- "), "bulleted"),
        (("* ", "* ", "* "), "bulleted"),
        (("• ", "• ", "• "), "bulleted"),
        (("•", "•", "•"), "bulleted"),
        (("✅ ", "✅ ", "✅ "), "bulleted"),
        (("→ ", "→ ", "→ "), "bulleted"),
        (("<li>", "<li>", "<li>"), "bulleted"),
        (("📱 ", "💻 ", "🎧 "), "bulleted"),
        (("## ", "## ", "## "), "heading"),
        (("1. ", "1. ", "1. "), "numbered"),
        (("0. ", "1. ", "2. "), "numbered"),
        (("8. ", "9. ", "10. "), "numbered"),
        ((" 9. ", "10. ", "11. "), "numbered"),
    ],
    ids=ascii,
)
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\n\n", "：很好\n", "\n\n   说明……\n\n"])
def test_a_list_of_any_style_ranks_by_position(
    markers: tuple[str, ...], source: str, ending: str
) -> None:
    text = "推荐如下。\n\n" + _lines(*markers).replace("\n", ending)

    assert ranks(text) == _THREE
    assert {str(rank.rank_source) for rank in primary(text)} == {source}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # A bold lead is the head, wherever its marker stands.
        ("**1. HubSpot**\nx\n\n**2. Zoho**\nx\n\n**3. Salesforce**", _CRM),
        ("**1.** HubSpot\n**2.** Zoho\n**3.** Salesforce", _CRM),
        ("1. **HubSpot** beats Zoho\n2. **Zoho**\n3. **Salesforce**", _CRM),
        ("1. __HubSpot__\n2. __Zoho__\n3. __Salesforce__", _CRM),
        ("1. <b>HubSpot</b>\n2. <b>Zoho</b>\n3. <b>Salesforce</b>", _CRM),
        ("- **HubSpot**: x\n- **Zoho**: x\n- **Salesforce**: x", _CRM),
        ("*   **HubSpot**: x\n*   **Zoho**: x\n*   **Salesforce**: x", _CRM),
        ("### **1. HubSpot**\nx\n### **2. Zoho**\nx\n### **3. Salesforce**", _CRM),
        ("1. [HubSpot](https://a.com)\n2. [**Zoho**](https://b.com)\n3. [Salesforce](c)", _CRM),
        ("1. **“HubSpot”**好\n2. **“Zoho”**好\n3. **“Salesforce”**好", _CRM),
        ("**TOP1：HubSpot**\nx\n**TOP2：Zoho**\nx\n**TOP3：Salesforce**", _CRM),
        ("**HubSpot**：好\n\n**Zoho**：好\n\n**Salesforce**：好", _CRM),
        ("**HubSpot**\nx\n\n**Zoho**\nx\n\n**Salesforce**\nx", _CRM),
        ("**HubSpot：**\n- x\n- y\n\n**Zoho：**\n- x\n\n**Salesforce：**\n- x", _CRM),
        # Without one the head ends at the first sign that ends a name.
        ("1. HubSpot（美国）：x\n2. Zoho (India): x\n3. Salesforce，x", _CRM),
        ("1. （HubSpot）x\n2. 【Zoho】x\n3. “Salesforce”x", _CRM),
        ("1. **TOP1**：HubSpot\n2. **TOP2**：Zoho\n3. **TOP3**：Salesforce", _CRM),
        ("1. HubSpot – x\n2. Zoho - x\n3. Salesforce—x", _CRM),
        ("1. Coca-Cola - x\n2. Booking.com: x", {"Coca-Cola": 1, "Booking.com": 2}),
        # Competitors that nobody watches take their places.
        ("1. Pipedrive\n2. HubSpot\n3. Zoho\n4. Monday", {"HubSpot": 2, "Zoho": 3}),
        ("## Pipedrive\nx\n## HubSpot\nx\n## Zoho\nx", {"HubSpot": 2, "Zoho": 3}),
        # The first brand of a head owns the item.
        ("1. 华为和小米\n2. 荣耀", {"华为": 1, "荣耀": 2}),
        # Numbers that skip or repeat do not change positions.
        ("1. 华为\n2. 小米\n4. 荣耀", _THREE),
        ("1. 华为\n2. 小米\n2. 荣耀", _THREE),
        # A medal each, and then plain numbers.
        ("🥇 华为\n🥈 小米\n🥉 荣耀\n4. OPPO\n5. vivo", _THREE | {"OPPO": 4, "vivo": 5}),
    ],
    ids=ascii,
)
def test_the_head_of_an_item_names_its_brand(text: str, expected: dict[str, int]) -> None:
    assert ranks(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("| 排名 | 品牌 |\n|---|---|\n| 1 | 华为 |\n| 2 | 小米 |\n| 3 | 荣耀 |", _THREE),
        ("| 品牌 | 价格 |\n|:--|--:|\n| 华为 | 小米的两倍 |\n| 小米 | 低 |\n| 荣耀 | 低 |", _THREE),
        ("| 序号 | 价格 | 品牌名称 |\n|---|---|---|\n| 1 | 高 | **华为** |\n| 2 | 低 | 小米 |",
         {"华为": 1, "小米": 2}),
        ("| # | Tool |\n|---|---|\n| 1 | HubSpot |\n| 2 | Pipedrive |\n| 3 | Zoho |",
         {"HubSpot": 1, "Zoho": 3}),
        ("| Rank | Brand |\n|---|---|\n| 🥇 | HubSpot |\n| 🥈 | Zoho |\n| 🥉 | Salesforce |", _CRM),
        ("| 排名 | 手机 |\r\n|-|-|\r\n|第1名| 华为 |\r\n|第2名| 小米 |", {"华为": 1, "小米": 2}),
        ("品牌 | 价格\n--- | ---\n华为 | 高\n小米 | 低", {"华为": 1, "小米": 2}),
        ("|  | 手机 |\n|--|--|\n| 1 | 华为 |\n| 2 | 小米 |", {"华为": 1, "小米": 2}),
        ("| 推荐 | 理由 |\n|---|---|\n| 1. 华为 | x |\n| 2. 小米 | x |", {"华为": 1, "小米": 2}),
        # A table that prints ranks is ranked by them, whatever its rows are sorted by.
        ("| 品牌 | 排名 |\n|---|---|\n| 荣耀 | 3 |\n| 华为 | 1 |\n| 小米 | 2 |", _THREE),
        ("> | 品牌 | 价格 |\n> |---|---|\n> | 华为 |\n> | 小米 |", {"华为": 1, "小米": 2}),
    ],
    ids=ascii,
)  # fmt: skip
def test_the_rows_of_a_table_are_a_list(text: str, expected: dict[str, int]) -> None:
    assert ranks(text) == expected
    assert {str(rank.rank_source) for rank in primary(text)} == {"table"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3. 荣耀\n2. 小米\n1. 华为", _THREE),
        ("No.3 荣耀\nx\n\nNo.2 小米\nx\n\nNo.1 华为", _THREE),
        ("5. 荣耀\n4. x\n3. 小米\n2. y\n1. 华为", {"华为": 1, "小米": 3, "荣耀": 5}),
        ("第三名：荣耀\n第二名：小米\n第一名：华为", _THREE),
    ],
)
def test_a_countdown_is_ranked_by_its_numbers(text: str, expected: dict[str, int]) -> None:
    assert ranks(text) == expected
    assert {str(rank.rank_source) for rank in primary(text)} == {"countdown"}
