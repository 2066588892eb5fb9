"""`brand-visibility platforms` as a person calls it, against platforms on loopback."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result
from keyed_platform import Asked, KeyedPlatform, Reply, answer, error, serving

from brand_visibility.cli import cli
from brand_visibility.domain.errors import InputError
from brand_visibility.simulator.repertoire import empty_repertoire
from brand_visibility.simulator.settings import SimulatorSettings
from brand_visibility.simulator.simulator import Simulator
from brand_visibility.simulator.written import MentionOdds, WrittenAnswers

KEY = "sk-canary-0123456789"
ECHO = "Say my key."
LIMITS = {"x-ratelimit-limit-requests": "500", "x-ratelimit-limit-tokens": "30000"}


def reply_to(state: KeyedPlatform, asked: Asked) -> Reply:
    if asked.prompt == ECHO:
        return Reply(200, answer(f"{asked.key}!").body, dict.fromkeys(LIMITS, asked.key))
    if asked.key == KEY:
        return Reply(200, answer().body, LIMITS)
    return error(401, "invalid_api_key", f"Incorrect API key provided: {asked.key}")


@pytest.fixture
def catalog(tmp_path: Path, repository: Path) -> Iterator[Path]:
    """The example's catalog, with one platform of three accounts on loopback."""
    example = repository / "examples" / "catalog"
    for name in ("tenants.yaml", "topics.yaml", "brands.yaml", "questions.csv"):
        (tmp_path / name).write_text((example / name).read_text("utf-8"), "utf-8")
    price = {
        "platform": "real",
        "model": "model-1",
        "currency": "USD",
        "prompt_per_million": 1,
        "completion_per_million": 2,
        "valid_from": "2026-01-01",
        "source": "test",
    }
    (tmp_path / "prices.yaml").write_text(yaml.safe_dump({"prices": [price]}), "utf-8")
    with serving(reply_to) as state:
        real = a_platform("real", base_url=state.url, adapter="openai_compatible")
        real["accounts"] = [an_account("good"), an_account("bad"), an_account("unset")]
        played = a_platform("played", adapter="anthropic", simulated=True)
        played["allow_unknown_price"] = True
        write_platforms(tmp_path, real, played)
        yield tmp_path


def a_platform(platform_id: str, **fields: object) -> dict[str, object]:
    return {
        "platform_id": platform_id,
        "model": "model-1",
        "accounts": [{"account_id": "main", "rate_per_second": 1, "concurrency": 1}],
        **fields,
    }


def an_account(name: str) -> dict[str, object]:
    key_env = f"{name.upper()}_KEY"
    return {"account_id": name, "key_env": key_env, "rate_per_second": 1, "concurrency": 1}


def write_platforms(folder: Path, *platforms: dict[str, object]) -> None:
    document = yaml.safe_dump({"platforms": list(platforms)})
    (folder / "platforms.yaml").write_text(document, "utf-8")


def run(catalog: Path, *arguments: str, simulator: str = "http://127.0.0.1:1") -> Result:
    environment = {
        "GOOD_KEY": KEY,
        "BAD_KEY": "sk-other-0123456789",
        "UNSET_KEY": None,
        "BRAND_VISIBILITY_SIMULATOR_URL": simulator,
    }
    command = ["platforms", *arguments, "--catalog", str(catalog)]
    return CliRunner().invoke(cli, command, env=environment)


def test_every_account_is_asked_once_and_each_finding_has_its_row(catalog: Path) -> None:
    result = run(catalog, "check", "real", "--json")

    rows = {row["account_id"]: row for row in map(json.loads, result.stdout.splitlines())}
    assert result.exit_code == 1
    assert {name: row["verdict"] for name, row in rows.items()} == {
        "good": "answered",
        "bad": "unauthorized",
        "unset": "not set up",
    }
    good = rows["good"]
    assert good["is_ok"]
    assert good["detail"] == "search unknown, 0 sources"
    assert (good["model"], good["limits"]) == ("model-1", {"requests": "500", "tokens": "30000"})
    assert float(good["cost_usd"]) == pytest.approx(15e-6)
    assert good["latency_ms"] >= 0
    assert rows["unset"]["latency_ms"] is None


def test_the_table_shows_what_a_person_needs_and_no_key(catalog: Path) -> None:
    result = run(catalog, "check", "real")

    for shown in (
        "real",
        "good",
        "yes",
        "NO",
        "model-1",
        "500 requests",
        "UNSET_KEY: found nothing",
    ):
        assert shown in " ".join(result.output.split())
    assert "2 of 3 accounts did not answer" in result.output
    assert "sk-" not in result.output


@pytest.mark.parametrize("form", [(), ("--json",)], ids=["table", "json"])
def test_a_key_in_place_of_a_limit_is_not_shown(catalog: Path, form: tuple[str, ...]) -> None:
    result = run(catalog, "check", "real", "--question", ECHO, *form)

    assert "answered" in result.output
    assert "canary" not in result.output
    assert "requests" not in result.output


def test_accounts_that_all_answer_are_a_success(catalog: Path) -> None:
    source = WrittenAnswers(empty_repertoire(), seed=1, odds=MentionOdds(1))
    with Simulator(SimulatorSettings(), source) as simulator:
        result = run(catalog, "check", "played", "--json", simulator=simulator.url)

    (row,) = map(json.loads, result.stdout.splitlines())
    assert (result.exit_code, row["verdict"]) == (0, "answered"), row
    assert row["detail"] == "not searched, 0 sources"
    assert row["cost_usd"] is None


def test_a_platform_that_is_not_there_is_named_beside_those_that_are(catalog: Path) -> None:
    result = run(catalog, "check", "nobody")

    assert isinstance(result.exception, InputError)
    assert "found 'nobody'; the catalog has real, played" in str(result.exception)


def test_the_list_says_where_each_platform_is_asked(catalog: Path) -> None:
    output = " ".join(run(catalog, "list").output.split())

    assert "good, bad, unset" in output
    assert "http://127.0.0.1:" in output
    assert "the local simulator" in output
