"""One edit of `questions.csv` makes one fault."""

from pathlib import Path

import pytest
from catalog_files import Case, Edit, apply, assert_one_fault, faults_of

from brand_visibility.adapters.catalog.loader import load_catalog

FIRST_ROW = "rv-01,robot-vacuum,non_brand,zh,2,2,扫地机器人哪个牌子好？预算三千左右\n"


def row(
    question_id: str = "rv-01",
    topic: str = "robot-vacuum",
    kind: str = "non_brand",
    language: str = "zh",
    priority: str = "2",
    repeats: str = "2",
    text: str = "哪个好？",
) -> Edit:
    cells = ",".join((question_id, topic, kind, language, priority, repeats, text))
    return Edit("questions.csv", FIRST_ROW, f"§{cells}\n")


FAULTS: dict[str, Case] = {
    "an unknown topic": (
        row(topic="mops"),
        "topic_id",
        "the unknown topic 'mops'",
        "the id of a topic in the catalog",
    ),
    "an id with a space": (row(question_id="rv 1"), "question_id", "'rv 1'", "an id of 1 to 64"),
    "no id": (row(question_id=""), "question_id", "''", "an id of 1 to 64"),
    "a duplicate id": (
        Edit("questions.csv", FIRST_ROW, f"{FIRST_ROW}§rv-01,crm,,,,,二？\n"),
        "question_id",
        "the id 'rv-01' again (first on line 2)",
        "an id that is used once",
    ),
    "an unknown kind": (
        row(kind="survey"),
        "kind",
        "'survey'",
        "one of 'non_brand', 'brand' or 'comparison'",
    ),
    "an unknown language": (row(language="汉语"), "language", "'汉语'", "a language tag"),
    "a priority in words": (row(priority="high"), "priority", "'high'", "a whole number"),
    "no repeat": (row(repeats="0"), "repeats", "'0'", "1 or more"),
    "21 repeats": (row(repeats="21"), "repeats", "'21'", "20 or less"),
    "half a repeat": (row(repeats="1.5"), "repeats", "'1.5'", "a whole number"),
    "no text": (row(text=""), "text", "''", "text that is not empty"),
    "blank text": (row(text="　 "), "text", "'\\u3000 '", "text that is not empty"),
    "too few cells": (
        Edit("questions.csv", FIRST_ROW, "§rv-01,robot-vacuum,哪个好？\n"),
        "",
        "3 cells",
        "7 cells",
    ),
    "a comma without quotes": (row(text="贵,还是便宜"), "", "8 cells", "7 cells"),
    "an open quote": (row(text='"哪个"好？'), "", "a broken row", "cells as CSV quotes them"),
    "a duplicate row": (
        Edit("questions.csv", FIRST_ROW, f"{FIRST_ROW}§{FIRST_ROW.replace('rv-01', 'rv-99')}"),
        "text",
        "the same topic, kind and text as on line 2",
        "each question once",
    ),
    "a brand in a non-brand question": (
        row(text="{brand}好吗？"),
        "text",
        "the placeholder '{brand}'",
        "no placeholder in a non_brand question",
    ),
    "a misspelled place for a brand": (
        row(text="{ Brand }好吗？"),
        "text",
        "the placeholder '{ Brand }'",
        "no placeholder in a non_brand question",
    ),
    "no brand in a brand question": (
        row(kind="brand"),
        "text",
        "no placeholder '{brand}'",
        "{brand} in a brand question",
    ),
    "a competitor in a brand question": (
        row(kind="brand", text="{brand}还是{competitor}？"),
        "text",
        "the placeholder '{competitor}'",
        "only {brand} in a brand question",
    ),
    "no competitor in a comparison": (
        row(kind="comparison", text="{brand}好吗？"),
        "text",
        "no placeholder '{competitor}'",
        "{competitor} in a comparison question",
    ),
    "an unknown placeholder": (
        row(kind="brand", text="{brand}的{model}好吗？"),
        "text",
        "the placeholder '{model}'",
        "only {brand} in a brand question",
    ),
    "an unknown column": (
        Edit("questions.csv", "repeats,text\n", "repeats,text,§note\n"),
        "",
        "the unknown column 'note'",
        "one of the columns question_id, topic_id",
    ),
    "a missing column": (
        Edit("questions.csv", "priority,repeats,text\n", "§priority,text\n"),
        "",
        "no column 'repeats'",
        "the column 'repeats'",
    ),
    "a column twice": (
        Edit("questions.csv", "repeats,text\n", "repeats,text,§text\n"),
        "",
        "the column 'text' 2 times",
        "each column once",
    ),
}


@pytest.mark.parametrize("case", FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_in_the_questions_names_its_line_its_field_and_what_is_expected(
    catalog: Path, case: Case
) -> None:
    assert_one_fault(catalog, case)


@pytest.mark.parametrize(
    "text", ["if (x) {printf();}", "Fill in {article}.", "{ }", "{{brand new}}", "{brand new}"]
)
def test_braces_that_no_brand_can_fill_are_text(catalog: Path, text: str) -> None:
    apply(catalog, row(text=text))

    questions = load_catalog(catalog).questions
    assert text in [question.text for question in questions]


def test_a_row_is_named_by_the_line_it_starts_on(catalog: Path) -> None:
    quoted = '"买哪个好？\n预算三千，\n家里有猫"'
    edit = row(text=f"{quoted}\n§rv-98,robot-vacuum,survey,zh,0,1,{quoted}")
    line = apply(catalog, Edit(edit.file, edit.old, edit.new.replace("§rv-01", "rv-01")))

    (fault,) = faults_of(catalog)

    assert line == 5
    assert fault.place == "line 5, kind"


def test_a_file_in_another_encoding_is_named_by_its_first_bad_line(catalog: Path) -> None:
    path = catalog / "questions.csv"
    lines = path.read_bytes().split(b"\n")
    lines[3] = lines[3].decode().encode("gbk")
    path.write_bytes(b"\n".join(lines))

    (fault,) = faults_of(catalog)

    assert fault.place == "line 4"
    assert fault.found == "bytes that are not UTF-8"
    assert "CSV UTF-8" in fault.expected


@pytest.mark.parametrize(("content", "found"), [("", "no header"), ("\n\n", "no header")])
def test_a_file_without_header_is_a_fault(catalog: Path, content: str, found: str) -> None:
    (catalog / "questions.csv").write_text(content)
    (fault,) = faults_of(catalog)
    assert fault.found == found


def test_a_file_without_rows_is_a_fault(catalog: Path) -> None:
    path = catalog / "questions.csv"
    path.write_text(path.read_text(encoding="utf-8").splitlines()[0], encoding="utf-8")
    faults = faults_of(catalog)
    assert faults[-1].found == "no question"


def test_one_bad_row_hides_no_other(catalog: Path) -> None:
    path = catalog / "questions.csv"
    bad = "".join(f"x-{number},mops,survey,zh,high,99,\n" for number in range(200))
    path.write_text(path.read_text(encoding="utf-8") + bad, encoding="utf-8")

    faults = faults_of(catalog)

    assert len(faults) == 200 * 5
    numbers = [int(fault.place.split(",")[0].removeprefix("line ")) for fault in faults]
    assert numbers == sorted(numbers)
