"""`brand-visibility check`, as its user meets it."""

from pathlib import Path

import pytest
from catalog_files import EXAMPLE, Edit, apply
from click.testing import CliRunner, Result

from brand_visibility.commands.check import check

SIMULATED = {"BRAND_VISIBILITY_SIMULATOR_URL": "http://127.0.0.1:1"}


def run(*arguments: str, env: dict[str, str | None] | None = None) -> Result:
    silent = {"BRAND_VISIBILITY_SIMULATOR_URL": None, "BRAND_VISIBILITY_CATALOG": None}
    return CliRunner().invoke(check, list(arguments), env=silent | (env or {}))


def test_a_valid_catalog_is_summarised(catalog: Path) -> None:
    result = run("--catalog", str(catalog), env=SIMULATED)
    assert result.exit_code == 0
    assert "brands     21" in result.stdout
    assert "72 non_brand, 9 brand, 4 comparison" in result.stdout
    assert "account  main: 20 a second, 20 in flight" in result.stdout
    assert "900,000 tokens a minute" in result.stdout
    assert result.stdout.count("595 tasks, 172 distinct queries") == 3


def test_every_fault_is_one_line_and_the_exit_code_is_1(catalog: Path) -> None:
    rows = "".join(f"x-{number},mops,,,,,{number}\n" for number in range(300))
    path = catalog / "questions.csv"
    path.write_text(path.read_text(encoding="utf-8") + rows, encoding="utf-8")

    result = run("--catalog", str(catalog), "--without-keys")

    lines = result.stdout.splitlines()
    assert result.exit_code == 1
    assert len(lines) == 300
    assert all("the unknown topic 'mops'" in line for line in lines)
    assert result.stderr == "300 faults\n"


def test_keys_are_checked_unless_told_otherwise(catalog: Path) -> None:
    real = (
        "adapter: hunyuan\n    model: hunyuan-turbos\n"
        "    accounts: [{account_id: main, key_env: HUNYUAN_KEY,"
    )
    simulated = (
        "adapter: hunyuan\n    simulated: true\n    model: hunyuan-turbos\n"
        "    accounts: [{account_id: main,"
    )
    apply(catalog, Edit("platforms.yaml", simulated, real))

    refused = run("--catalog", str(catalog), env={"HUNYUAN_KEY": None})

    assert refused.exit_code == 1
    assert "HUNYUAN_KEY" in refused.stdout
    assert refused.stderr == "1 fault\n"
    assert run("--catalog", str(catalog), "--without-keys").exit_code == 0
    assert run("--catalog", str(catalog), env={"HUNYUAN_KEY": "set"}).exit_code == 0


def test_a_simulator_that_does_not_run_yet_is_no_fault(catalog: Path) -> None:
    assert run("--catalog", str(catalog)).exit_code == 0


def test_the_directory_comes_from_the_option_then_the_environment_then_the_example(
    catalog: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    apply(catalog, Edit("brands.yaml", "core: true", "core: false"))
    environment: dict[str, str | None] = {"BRAND_VISIBILITY_CATALOG": str(catalog)}
    monkeypatch.chdir(EXAMPLE.parents[1])
    example = run("--without-keys").stdout
    assert run("--without-keys", env=environment).stdout != example
    assert run("--catalog", str(EXAMPLE), "--without-keys", env=environment).stdout == example


@pytest.mark.parametrize(
    ("edit", "line"),
    [
        (
            Edit("platforms.yaml", "concurrency: 20}", "concurrency: 20, queries_per_day: 5}"),
            "takes    34 days, 0:00:00 at least, bound by daily",
        ),
        (
            Edit("platforms.yaml", "concurrency: 20}", "concurrency: 1}"),
            "takes    0:01:26 at least, bound by concurrency",
        ),
        (
            Edit("platforms.yaml", "-turbos\n", "-large\n    allow_unknown_price: true\n"),
            "costs    unknown (no price)",
        ),
        (
            Edit("prices.yaml", "prompt_per_million: 2.50", "prompt_per_million: 90000"),
            "USD (price from 2026-01-01: example)",
        ),
    ],
)
def test_the_summary_says_what_the_day_takes_and_costs(
    catalog: Path, edit: Edit, line: str
) -> None:
    apply(catalog, edit)
    assert line in run("--catalog", str(catalog), "--without-keys").stdout
