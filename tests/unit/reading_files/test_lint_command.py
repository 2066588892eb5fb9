"""`brand-visibility lint` as a person calls it: a catalog and answers in, advice out."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from brand_visibility.cli import cli
from brand_visibility.domain.errors import CatalogError, InputError

_BRANDS = """
brands:
  - {brand_id: target, tenant_id: acme, name: Target, topics: [shops]}
  - {brand_id: midea, tenant_id: acme, name: 美的, topics: [home]}
  - {brand_id: dyson, tenant_id: acme, name: Dyson, topics: [home]}
"""


@pytest.fixture
def catalog(tmp_path: Path) -> Path:
    (tmp_path / "brands.yaml").write_text(_BRANDS, "utf-8")
    return tmp_path


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    path = tmp_path / "answers.jsonl"
    texts = ["这是美的享受"] * 3 + ["Hit the [bold]target[/bold]", "Dyson"]
    path.write_text("\n".join(json.dumps({"text": text}) for text in texts), "utf-8")
    return path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["lint", *map(str, arguments)])


def test_doubtful_aliases_are_shown_with_proof_and_advice(catalog: Path, answers: Path) -> None:
    result = run("--catalog", catalog, "--answers", answers)
    assert result.exit_code == 1
    for shown in (
        "common word",
        "runs on",
        "3 of 5 (60.0%)",
        "[美的]享受",
        "Hit the [bold][target][/bold]",
        "decoys: [美的享受]",
        "{text: Target, policy: guarded, case_sensitive: true}",
        "2 of 3 aliases are doubtful",
    ):
        assert shown in result.output


def test_without_answers_only_spelling_speaks(catalog: Path) -> None:
    result = run("--catalog", catalog)
    assert "no answers read" in result.output
    assert "1 of 3 aliases are doubtful" in result.output


def test_a_catalog_without_a_doubt_passes(catalog: Path) -> None:
    (catalog / "brands.yaml").write_text(_BRANDS.replace("name: Target", "name: Zendo"), "utf-8")
    result = run("--catalog", catalog)
    assert (result.exit_code, result.output) == (
        0,
        "3 aliases of 3 brands: nothing doubtful\n",
    )


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        (("--catalog", "nowhere"), CatalogError),
        (("--catalog", ".", "--answers", "nowhere.jsonl"), InputError),
    ],
)
def test_what_is_not_there_is_named(
    catalog: Path, arguments: tuple[str, ...], kind: type[Exception]
) -> None:
    placed = [str(catalog) if argument == "." else argument for argument in arguments]
    result = run(*placed)
    assert isinstance(result.exception, kind)
    assert "nowhere" in str(result.exception)
