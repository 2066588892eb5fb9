import pytest
from rich.cells import cell_len
from shown_days import collected, printed, summary_of, unknown_row, visibility_row, voice_row

from brand_visibility.reporting.day_summary import DaySummary, Labels

PLATFORMS = ["deepseek", "doubao", "hunyuan", "kimi", "qwen"]
NAMES = {
    "acme": "华为技术有限公司",
    "bolt": "比亚迪",
    "chic": "A name that is longer than any column",
}


def wide_day() -> DaySummary:
    rows = [(brand, platform) for brand in NAMES for platform in PLATFORMS]
    return summary_of(
        [visibility_row(brand_id=brand, platform_id=platform) for brand, platform in rows],
        [voice_row(brand_id=brand, platform_id=platform) for brand, platform in rows],
        tuple(collected(platform) for platform in PLATFORMS),
        labels=Labels(brands=NAMES, topics={"phones": "智能手机"}),
    )


def line_with(text: str, report: str) -> str:
    (line,) = [line for line in report.splitlines() if text in line]
    return line


def test_a_row_reads_rate_interval_and_share() -> None:
    report = printed(summary_of([visibility_row()], [voice_row()]))

    assert line_with("acme", report).split() == ["acme", "42", "%", "[31–54]", "23", "%"]


@pytest.mark.parametrize("width", [60, 80, 100, 120])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    lines = printed(wide_day(), width).splitlines()

    assert max(cell_len(line) for line in lines) <= width


@pytest.mark.parametrize("width", [60, 80, 100, 120])
def test_every_platform_is_shown_whole_at_any_width(width: int) -> None:
    report = printed(wide_day(), width)

    assert report.count("42 % [31–54]") == len(NAMES) * len(PLATFORMS)
    assert report.count("23 %") == len(NAMES) * len(PLATFORMS)
    assert report.count("mention rate ") == len(PLATFORMS)


def test_chinese_names_keep_the_columns_in_line() -> None:
    lines = printed(wide_day()).splitlines()

    first_table = [line for line in lines if "[31–54]" in line][: len(NAMES)]
    assert len({cell_len(line[: line.index("[31–54]")]) for line in first_table}) == 1


def test_an_unknown_rate_is_a_dash_and_what_was_not_planned_is_blank() -> None:
    report = printed(
        summary_of([unknown_row(), unknown_row(brand_id="bolt", platform_id="doubao")])
    )

    assert line_with("acme", report).split() == ["acme", "–"]
    assert "– no valid answer, so not known (it is not 0 %)" in " ".join(report.split())


@pytest.mark.parametrize(("is_small", "mark"), [(True, "*"), (False, "")])
def test_a_small_sample_is_marked_also_without_colour(is_small: bool, mark: str) -> None:
    report = printed(summary_of([visibility_row(is_small_sample=is_small)]))

    assert line_with("acme", report).split()[-1] == f"[31–54]{mark}"


def test_a_pipe_gets_no_escape_codes() -> None:
    assert "\x1b" not in printed(wide_day())
    assert "\x1b" in printed(wide_day(), is_coloured=True)


@pytest.mark.parametrize("name", ["[red]Acme[/red]", "[/]", "<b>", ":smile:"])
def test_a_name_is_never_taken_for_markup(name: str) -> None:
    report = printed(
        summary_of(
            [visibility_row()], labels=Labels(brands={"acme": name}, topics={"phones": name})
        )
    )

    assert report.count(name) == 2


def test_a_terminal_escape_in_a_name_does_not_reach_the_terminal() -> None:
    labels = Labels(brands={"acme": "\x1b]0;owned\x07Acme\x9b2J"})

    assert "\x1b" not in printed(summary_of([visibility_row()], labels=labels))


def test_the_collection_says_what_is_missing_and_why() -> None:
    report = printed(summary_of([], coverage=(collected(),), simulated_platform_ids={"deepseek"}))

    assert "987 of 1,000 planned answers (98.7 %)" in report
    assert line_with("deepseek", report).split() == [
        *["deepseek", "(simulated)", "1,000", "987", "1", "8", "4", "98.7", "%"],
        *["timed", "out", "8,", "refused", "1"],
    ]


def test_questions_that_name_a_brand_are_left_to_the_page() -> None:
    assert "acme" not in printed(summary_of([visibility_row(question_kind="brand")]))


def test_tenants_are_named_when_there_are_several() -> None:
    one = printed(summary_of([visibility_row()]))
    two = printed(summary_of([visibility_row(), visibility_row(tenant_id="mall")]))

    assert "shop: phones" not in one
    assert "shop: phones" in two


def test_notes_stand_at_the_head() -> None:
    report = printed(summary_of([visibility_row()], notes=["Recorded answers of March."]))

    assert report.splitlines()[1] == "Recorded answers of March."


def test_a_day_without_anything_still_prints() -> None:
    assert "0 of 0 planned answers (–)" in printed(summary_of([]))
