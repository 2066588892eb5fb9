import re

import pytest
from shown_days import (
    DAY,
    ParsedPage,
    collected,
    printed,
    summary_of,
    unknown_row,
    visibility_row,
    voice_row,
)

from brand_visibility.measures.coverage import ReasonCount
from brand_visibility.reporting.day_summary import DaySummary, Labels
from brand_visibility.reporting.page import render_day_page
from brand_visibility.reporting.samples import SampleAnswer, Span

ACTIVE_TAGS = {
    *("script", "img", "image", "link", "iframe", "frame", "object", "embed", "base", "form"),
    *("audio", "video", "source", "use", "foreignobject", "input", "button", "template"),
}

HOSTILE_TEXTS = [
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "</style><style>*{background:url(http://evil.example/x)}</style>",
    "<img src=http://evil.example/pixel.png onerror=alert(1)>",
    '" onmouseover="alert(1)" x=\'',
    "</blockquote></figure><iframe src=//evil.example></iframe>",
    "<!-- ",
    "]]><svg onload=alert(1)>",
    "{{ 7 * 7 }}{% include 'day.css' %}",
    "&lt;script&gt;&#60;script&#62;",
    "[a](javascript:alert(1))",
]


def hostile_page(text: str) -> str:
    summary = summary_of(
        [visibility_row(), visibility_row(question_kind="brand"), visibility_row(tenant_id="mall")],
        [voice_row()],
        (collected(failures=(ReasonCount(text, 1),)),),
        labels=Labels(brands={"acme": text}, topics={"phones": text}, tenants={"shop": text}),
        notes=[text],
    )
    sample = SampleAnswer(text, text, text, f"Acme {text}", (Span(0, 4), Span(5, 5 + len(text))))
    return render_day_page(summary, [sample])


def assert_inert(page: str) -> ParsedPage:
    parsed = ParsedPage(page)
    assert not ACTIVE_TAGS & set(parsed.tags)
    for tag, name, value in parsed.attributes:
        assert not name.startswith("on"), (tag, name)
        assert name not in ("src", "srcset", "style", "xlink:href", "action"), (tag, name)
        if name == "href":
            assert re.fullmatch(r"#table-\d+", value)
    return parsed


def plain_day() -> DaySummary:
    return summary_of(
        [
            visibility_row(),
            visibility_row(brand_id="bolt", mention_rate=0.07, is_small_sample=True),
        ],
        [voice_row()],
        (collected(), collected("doubao", answered_count=0)),
    )


@pytest.mark.parametrize("text", HOSTILE_TEXTS)
def test_hostile_text_stays_text_wherever_it_stands(text: str) -> None:
    parsed = assert_inert(hostile_page(text))

    assert parsed.is_balanced
    shown = " ".join(text.split())[:50]
    # Note, reason, prompt, answer, and once for each table's brand.
    assert parsed.text.count(shown) >= 6
    assert parsed.marked == ["Acme", text]


def test_a_hostile_page_has_no_more_elements_than_an_honest_one() -> None:
    honest = ParsedPage(hostile_page("honest")).tags

    assert all(ParsedPage(hostile_page(text)).tags == honest for text in HOSTILE_TEXTS)


def test_a_brand_named_like_an_element_reads_as_its_name() -> None:
    summary = summary_of([visibility_row()], labels=Labels(brands={"acme": "<b>"}))

    page = render_day_page(summary)

    assert "<b> 42 % [31–54]" in ParsedPage(page).text
    assert "<bdi>&lt;b&gt;</bdi>" in page


@pytest.mark.parametrize("override", "\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u200e\u200f\u061c")
def test_direction_overrides_do_not_reach_the_page(override: str) -> None:
    assert override not in hostile_page(f"a{override}b")


def test_a_line_of_a_megabyte_is_cut() -> None:
    text = "长" * 1_000_000

    page = hostile_page(text[:-2])

    assert len(page.encode()) < 100_000


def test_the_policy_lets_nothing_load_or_run() -> None:
    parsed = assert_inert(render_day_page(plain_day()))

    contents = [
        value for tag, name, value in parsed.attributes if (tag, name) == ("meta", "content")
    ]
    assert any("default-src 'none'" in value and "script-src" not in value for value in contents)
    assert parsed.tags.index("meta") < parsed.tags.index("style")


def test_neither_styles_nor_text_hold_an_address() -> None:
    page = render_day_page(plain_day())

    assert not re.search(r"https?:|url\(|@import|//", page)


def test_the_terminal_and_the_page_show_the_same_figures() -> None:
    summary = plain_day()
    page, report = ParsedPage(render_day_page(summary)).text, printed(summary)

    for figure in ("42 % [31–54]", "7 % [31–54]", "23 %", "987", "98.7 %", "timed out 8", "49.3 %"):
        assert figure in page, figure
        assert figure in report, figure


def test_the_bar_is_drawn_where_the_figures_are() -> None:
    page = render_day_page(plain_day())

    assert 'class="whisker" d="M31.0 6H54.0"' in page
    assert 'cx="42.0"' in page


def test_a_small_sample_is_told_by_a_mark_and_not_by_colour_alone() -> None:
    page = render_day_page(summary_of([visibility_row(question_count=29, is_small_sample=True)]))

    assert "29 questions *" in ParsedPage(page).text
    assert 'class="cell small"' in page


def test_an_unknown_rate_has_a_dash_and_no_bar() -> None:
    page = render_day_page(summary_of([unknown_row()], [voice_row(share_by_answers=None)]))

    assert "– no valid answer" in ParsedPage(page).text
    assert "– no brand was named" in ParsedPage(page).text
    assert "svg" not in ParsedPage(page).tags


def test_a_platform_that_said_nothing_is_named() -> None:
    text = ParsedPage(render_day_page(plain_day())).text

    assert "No answer at all from doubao" in text


def test_simulated_platforms_are_named() -> None:
    summary = summary_of([visibility_row()], simulated_platform_ids={"deepseek"})

    assert "Simulated. The answers of deepseek" in ParsedPage(render_day_page(summary)).text
    assert "Simulated." not in ParsedPage(render_day_page(plain_day())).text


def test_questions_that_name_a_brand_stand_apart() -> None:
    rows = [visibility_row(), visibility_row(question_kind="comparison")]

    text = ParsedPage(render_day_page(summary_of(rows))).text

    assert "When the question names a brand" in text
    assert "questions that compare two brands" in text
    assert "When the question names" not in ParsedPage(render_day_page(plain_day())).text


@pytest.mark.parametrize(
    ("summary", "sentence"),
    [
        pytest.param(summary_of([]), "Nothing was planned for this day.", id="nothing at all"),
        pytest.param(
            summary_of([], coverage=(collected(),)), "No brand was planned", id="no brand"
        ),
        pytest.param(summary_of([visibility_row()]), "Nothing was planned", id="no collection"),
        pytest.param(
            summary_of([unknown_row()], coverage=(collected(answered_count=0),)),
            "No answer at all from deepseek",
            id="all failed",
        ),
    ],
)
def test_a_poor_day_is_a_whole_page_that_says_so(summary: DaySummary, sentence: str) -> None:
    parsed = assert_inert(render_day_page(summary))

    assert parsed.is_balanced
    assert sentence in parsed.text
    assert DAY.isoformat() in parsed.text


def test_a_page_of_very_many_brands_stays_below_a_megabyte_and_says_what_it_leaves_out() -> None:
    keys = [
        {"brand_id": f"brand-{brand}", "topic_id": f"topic-{topic}", "platform_id": platform}
        for brand in range(120)
        for topic in range(12)
        for platform in ("deepseek", "doubao", "hunyuan", "kimi")
    ]
    summary = summary_of(
        [visibility_row(**key) for key in keys], [voice_row(**key) for key in keys]
    )

    page = render_day_page(summary)

    assert len(page.encode()) < 1_000_000
    # 1,200 cells are 240 rows of a name and 4 platforms: the 50 best brands of four
    # tables, and 40 of a fifth.
    assert page.count("70 more brands are in the dataset") == 4
    assert page.count("80 more brands are in the dataset") == 1
    assert "7 more tables are in the dataset" in page


def test_a_page_of_very_long_names_stays_below_a_megabyte() -> None:
    brands, topics = [f"b{number}" for number in range(50)], [f"t{number}" for number in range(50)]
    keys = [{"brand_id": brand, "topic_id": topic} for brand in brands for topic in topics]
    labels = Labels(brands=dict.fromkeys(brands, '"' * 99), topics=dict.fromkeys(topics, "长" * 99))
    summary = summary_of(
        [visibility_row(**key) for key in keys], [voice_row(**key) for key in keys], labels=labels
    )

    assert len(render_day_page(summary).encode()) < 1_000_000


def test_samples_are_bounded_in_number() -> None:
    sample = SampleAnswer("deepseek", "api", "Which?", "Acme", (Span(0, 4),))

    assert render_day_page(plain_day(), [sample] * 100).count("<figure>") == 12


def test_the_same_day_gives_the_same_page() -> None:
    assert render_day_page(plain_day()) == render_day_page(plain_day())
