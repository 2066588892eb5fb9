import pytest
from readers import case_gazetteer

from brand_visibility.reading.reader import read_answer


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Nike is fine", "text"),
        ("## Nike is fine", "heading"),
        ("#Nike", "text"),
        ("####### Nike", "text"),
        ("| Nike | x |", "table_cell"),
        ("a | Nike", "text"),
        ("see [Nike shoes](https://nike.com)", "link_text"),
        ("- [Nike](https://nike.com)", "link_text"),
        ("see [x](https://x.com) Nike", "text"),
        ("- Nike: light", "list_head"),
        ("- light: Nike", "text"),
        ("* Nike", "list_head"),
        ("*Nike*", "text"),
        ("1. Nike – light", "list_head"),
        ("1. light – Nike", "text"),
        ("1.5 Nike", "text"),
        ("1、Nike：好", "list_head"),
        ("1、轻：Nike", "text"),
        ("（2）Nike好", "list_head"),
        ("① Nike", "list_head"),
        ("三、Nike", "list_head"),
        ("TOP1 Nike", "list_head"),
        ("🥇 **Nike** wins", "list_head"),
        ("3️⃣ Nike", "list_head"),
        ("1. **Light**: Nike", "text"),
        ("**1. Nike**", "list_head"),
        ("   - **Nike** is light", "list_head"),
        ("2024年Nike", "text"),
    ],
)
@pytest.mark.parametrize("before", ["", "Introduction\n", "- item\n\n"])
def test_a_mention_knows_its_zone(before: str, text: str, expected: str) -> None:
    reading = read_answer(before + text, case_gazetteer())

    assert [str(mention.zone) for mention in reading.mentions] == [expected]


def test_each_line_has_its_own_zone() -> None:
    text = "# Nike\nNike\n| Nike |\n- Nike: Nike\n\nNike"

    reading = read_answer(text, case_gazetteer())

    assert [str(mention.zone) for mention in reading.mentions] == [
        "heading", "text", "table_cell", "list_head", "text", "text",
    ]  # fmt: skip
