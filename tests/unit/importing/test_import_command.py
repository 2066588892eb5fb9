"""`brand-visibility import` as a person calls it."""

import json
from pathlib import Path

import pytest
from captures import json_file
from click.testing import CliRunner, Result

from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.lake.schemas import IMPORTED_ANSWERS
from brand_visibility.cli import cli
from brand_visibility.domain.errors import InputError, PlanError

CATALOG = Path(__file__).parents[3] / "examples" / "catalog"
ROW = {"question_id": "rv-01", "platform_id": "gpt", "date": "2026-11-30", "text": "Roborock."}


def run(tmp_path: Path, rows: list[object], *options: str) -> Result:
    path = json_file(tmp_path, rows)
    arguments = ["import", "--answers", str(path), "--catalog", str(CATALOG), *options]
    environment = {"BRAND_VISIBILITY_HOME": str(tmp_path / "home")}
    return CliRunner().invoke(cli, arguments, env=environment)


def test_it_says_what_landed_and_what_to_run_next(tmp_path: Path) -> None:
    result = run(tmp_path, [ROW])

    assert result.exit_code == 0
    assert result.output == (
        "1 row: 1 imported, 0 replaced, 0 already there, 0 bad\n"
        "to count them, run the group reading and then the job figures for 2026-11-30|gpt\n"
    )
    partition = {"date": "2026-11-30", "platform": "gpt"}
    assert Lake(tmp_path / "home" / "lake").count(IMPORTED_ANSWERS, partition) == 1


def test_the_second_time_nothing_changes(tmp_path: Path) -> None:
    run(tmp_path, [ROW])

    result = run(tmp_path, [ROW])

    assert result.exit_code == 0
    assert "0 imported, 0 replaced, 1 already there, 0 bad\nnothing changed in" in result.output


@pytest.mark.parametrize(
    ("bad", "shown", "ending"), [(20, 20, None), (21, 20, "1 more fault"), (45, 20, "25 more")]
)
def test_the_terminal_shows_the_first_faults_and_the_file_has_all(
    tmp_path: Path, bad: int, shown: int, ending: str | None
) -> None:
    faults = tmp_path / "faults.jsonl"

    result = run(tmp_path, [ROW, *["{"] * bad], "--faults", str(faults))

    assert result.exit_code == 1
    assert result.stderr.count("app.jsonl: line ") == shown
    assert ("more fault" in result.stderr) == (ending is not None)
    assert (ending or "") in result.stderr
    assert result.stdout.startswith(f"{bad + 1} rows: 1 imported, 0 replaced, 0 already")
    written = [json.loads(line) for line in faults.read_text("utf-8").splitlines()]
    assert [fault["line"] for fault in written] == list(range(2, bad + 2))
    assert set(written[0]) == {"file", "line", "field", "found", "expected"}


def test_the_fault_file_is_empty_when_nothing_is_wrong(tmp_path: Path) -> None:
    faults = tmp_path / "faults.jsonl"

    run(tmp_path, [ROW], "--faults", str(faults))

    assert faults.read_text() == ""


def test_the_fault_file_may_not_be_the_file_of_answers(tmp_path: Path) -> None:
    result = run(tmp_path, [ROW], "--faults", str(tmp_path / "app.jsonl"))

    assert isinstance(result.exception, InputError)
    assert json.loads((tmp_path / "app.jsonl").read_text()) == ROW


def test_an_option_that_names_no_platform_of_the_catalog_is_refused_at_once(
    tmp_path: Path,
) -> None:
    result = run(tmp_path, [ROW], "--platform", "nowhere")

    assert isinstance(result.exception, PlanError)
    assert "found no platform nowhere in the catalog" in str(result.exception)


def test_a_text_is_replaced_only_when_that_is_asked_for(tmp_path: Path) -> None:
    run(tmp_path, [ROW])
    other = ROW | {"text": "Ecovacs."}

    assert "line 1, text: found another text" in run(tmp_path, [other]).stderr
    assert "0 imported, 1 replaced" in run(tmp_path, [other], "--replace").stdout
