import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import httpx
import pytest
from click.testing import CliRunner

from brand_visibility.commands.simulate import simulate
from brand_visibility.domain.errors import BrandVisibilityError


@contextmanager
def running(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run the command with a free port and yield it with the address it printed."""
    command = [sys.executable, "-m", "brand_visibility", "simulate", "--port", "0", *options]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            first = process.stdout.readline()
            address = re.search(r"http://127\.0\.0\.1:\d+", first)
            assert address, first
            yield process, address.group()
        finally:
            process.kill()


def stop(process: subprocess.Popen[str], by: signal.Signals) -> tuple[str, str]:
    process.send_signal(by)
    process.wait(timeout=20)
    assert process.stdout is not None
    assert process.stderr is not None
    return process.stdout.read(), process.stderr.read()


def ask(address: str, prompt: str, platform: str = "") -> httpx.Response:
    body = {"messages": [{"role": "user", "content": prompt}]}
    return httpx.post(f"{address}{platform}/v1/chat/completions", json=body)


def counts_at_the_end(printed: str) -> dict[str, Any]:
    stats: dict[str, Any] = json.loads(printed[printed.index("\n{") :])
    return stats


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_it_is_stopped_and_ends_with_its_counts(by: signal.Signals) -> None:
    with running("--latency-median", "0") as (process, address):
        assert ask(address, "推荐一款手机").status_code == 200
        printed, complained = stop(process, by)
        assert (process.returncode, complained) == (0, "")
    assert counts_at_the_end(printed)["total"]["answered"] == 1


def test_the_example_that_it_prints_works() -> None:
    with running("--latency-median", "0") as (process, _):
        assert process.stdout is not None
        example = next(line for line in process.stdout if "curl" in line)
        url, body = re.search(r"(http://\S+) .* -d '(.*)'", example).groups()  # type: ignore[union-attr]
        assert httpx.post(url, content=body.encode()).status_code == 200
        stop(process, signal.SIGTERM)


def test_it_writes_answers_about_a_catalog(repository: Path) -> None:
    catalog = repository / "examples" / "catalog"
    with running("--catalog", str(catalog), "--latency-median", "0") as (process, address):
        truth = httpx.get(f"{address}/truth").json()
        assert "crm" in truth["deepseek"]
        stop(process, signal.SIGTERM)


def test_it_replays_recorded_answers_and_fails_on_demand(tmp_path: Path) -> None:
    for_all, for_kimi = tmp_path / "date=1.jsonl", tmp_path / "kimi.jsonl"
    for_all.write_text('{"question": "q", "answer": "all"}\n')
    for_kimi.write_text('{"question": "q", "answer": "kimi"}\n')
    options = ("--answers", str(for_all), "--answers", f"kimi={for_kimi}", "--latency-median", "0")
    with running(*options) as (process, address):
        assert ask(address, "q").json()["choices"][0]["message"]["content"] == "all"
        assert ask(address, "q", "/kimi").json()["choices"][0]["message"]["content"] == "kimi"
        assert ask(address, "other").json()["error"]["code"] == "unknown_question"
        stop(process, signal.SIGTERM)


def test_every_platform_may_have_a_manner_of_its_own() -> None:
    options = ("--personality", "perplexity", "--personality", "kimi=plain", "--search-share", "1")
    with running(*options, "--latency-median", "0") as (process, address):
        assert ask(address, "q", "/qwen").json()["search_results"]
        assert "search_results" not in ask(address, "q", "/kimi").json()
        stop(process, signal.SIGTERM)


def test_faults_and_limits_come_from_options() -> None:
    with running("--fault", "server_fault=1", "--rate", "9", "--latency-p99", "9") as (
        process,
        address,
    ):
        assert ask(address, "q").status_code == 500
        printed, _ = stop(process, signal.SIGTERM)
    assert counts_at_the_end(printed)["total"]["faults"] == {"server_fault": 1}


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--fault", "earthquake=1"], "--fault: found earthquake=1"),
        (["--fault", "hang"], "--fault: found hang"),
        (["--fault", "hang=often"], "--fault: found hang=often"),
        (["--fault", "hang=2"], "fault hang: found a rate of 2"),
        (["--personality", "kimi=nobody"], "--personality: found kimi=nobody"),
        (["--personality", "nobody"], "--personality: found nobody"),
        (["--search-share", "1.5"], "search_share: found 1.5"),
        (["--rate", "0"], "rate_limit: found 0"),
        (["--latency-median", "3", "--latency-p99", "1"], "latency p99_s: found 1"),
        (["--answers", "kimi=nowhere.jsonl"], "nowhere.jsonl"),
        (["--port", "70000"], "70000"),
    ],
)
def test_an_impossible_option_is_named(options: Sequence[str], named: str) -> None:
    outcome = CliRunner().invoke(simulate, options)
    assert isinstance(outcome.exception, BrandVisibilityError)
    assert named in str(outcome.exception)


def test_a_catalog_and_recorded_answers_exclude_each_other(tmp_path: Path) -> None:
    outcome = CliRunner().invoke(simulate, ["--catalog", str(tmp_path), "--answers", "a.jsonl"])
    assert outcome.exit_code == click.UsageError.exit_code
    assert "exclude each other" in outcome.output
