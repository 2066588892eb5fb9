"""`brand-visibility ask` as a person runs it, against a platform that watches its limits."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from brand_visibility.commands.ask import ask
from brand_visibility.domain.errors import InputError
from brand_visibility.simulator.faults import CallKey, choose_fault
from brand_visibility.simulator.recorded import RecordedAnswers
from brand_visibility.simulator.settings import (
    FaultKind,
    Latency,
    PlatformBehaviour,
    SimulatorSettings,
)
from brand_visibility.simulator.simulator import Simulator

CANARY = "sk-canary-0123456789abcdef"
SEED = 3
PROMPTS = [f"Which vacuum is best for home {number}?" for number in range(600)]
RECORDED = RecordedAnswers({prompt: [f"Dyson suits {prompt}"] for prompt in PROMPTS})

CATALOG = """
platforms:
  - platform_id: kimi
    adapter: simulator
    model: kimi-1
    accounts: [{account_id: main, rate_per_second: 200, concurrency: 400}]
    attempt_timeout_s: 20
    retry: {max_retries: 8, timeout_base_s: 0.1, timeout_jitter_s: 0.1, server_fault_s: 0.2}
"""


def simulated(**behaviour: Any) -> Simulator:
    settings = SimulatorSettings(behaviour=PlatformBehaviour(**behaviour), seed=SEED)
    return Simulator(settings, RECORDED)


@pytest.fixture
def platform() -> Iterator[Simulator]:
    """A platform without limits and faults that answers in a moment."""
    with simulated(latency=Latency(0.01, 0.02)) as simulator:
        yield simulator


def questions(tmp_path: Path, *prompts: str) -> Path:
    path = tmp_path / "questions.txt"
    path.write_text("\n".join(prompts))
    return path


def options(simulator: Simulator, tmp_path: Path, *more: str) -> list[str]:
    return [
        *("--url", simulator.url_of("kimi"), "--model", "kimi-1", "--rate", "100"),
        *("--concurrency", "50", "--questions", str(tmp_path / "questions.txt")),
        *("--out", str(tmp_path / "out"), *more),
    ]


def run(*arguments: str, environment: Mapping[str, str] | None = None) -> Result:
    return CliRunner().invoke(ask, list(arguments), env=environment)


def rows(tmp_path: Path, name: str) -> list[dict[str, Any]]:
    table = pq.ParquetFile(tmp_path / "out" / f"{name}.parquet").read()
    read: list[dict[str, Any]] = table.to_pylist()
    return read


def necessary_sends(behaviour: PlatformBehaviour) -> int:
    """Count the calls that any client needs to get every answer."""
    sends = 0
    for prompt in PROMPTS:
        attempt = 1
        while choose_fault(behaviour, CallKey(SEED, "kimi", prompt, attempt)) is not None:
            attempt += 1
        sends += attempt
    return sends


def test_a_strict_platform_sees_every_necessary_call_once_and_no_violation(
    tmp_path: Path,
) -> None:
    faults = {FaultKind.RATE_LIMITED: 0.03, FaultKind.SERVER_FAULT: 0.03}
    behaviour = PlatformBehaviour(latency=Latency(0.1, 0.8), rate_limit=200, faults=faults)
    questions(tmp_path, *PROMPTS)
    (tmp_path / "platforms.yaml").write_text(CATALOG)
    with Simulator(SimulatorSettings(behaviour=behaviour, seed=SEED), RECORDED) as simulator:
        result = run(
            *("--platform", "kimi", "--catalog", str(tmp_path)),
            *("--questions", str(tmp_path / "questions.txt"), "--out", str(tmp_path / "out")),
            environment={"BRAND_VISIBILITY_SIMULATOR_URL": simulator.url},
        )
        stats = simulator.stats()["total"]
    assert result.exit_code == 0, result.output
    assert (stats["violations"], stats["duplicates"]) == (0, 0)
    assert stats["sends"] == necessary_sends(behaviour) > 600
    answers = rows(tmp_path, "answers")
    assert [row["prompt"] for row in answers] == PROMPTS
    assert all(row["text"] == f"Dyson suits {row['prompt']}" for row in answers)
    assert len(rows(tmp_path, "attempts")) == stats["sends"]
    assert rows(tmp_path, "failures") == []
    assert result.output.startswith("asked 600, answered 600, failed 0; ")


def test_every_question_is_one_row_in_the_files_order(tmp_path: Path, platform: Simulator) -> None:
    questions(tmp_path, PROMPTS[0], "Nobody knows this?", PROMPTS[1])
    result = run(*options(platform, tmp_path))
    assert result.exit_code == 3
    answers, failures = rows(tmp_path, "answers"), rows(tmp_path, "failures")
    assert [(row["question_id"], row["model"]) for row in answers] == [
        ("1", "simulated-kimi"),
        ("3", "simulated-kimi"),
    ]
    assert [(row["question_id"], row["reason"]) for row in failures] == [("2", "rejected")]
    assert "answered 2, failed 1 (1 rejected); 3 calls in" in result.output


def test_questions_of_one_text_are_asked_once_and_all_answered(
    tmp_path: Path, platform: Simulator
) -> None:
    questions(tmp_path, PROMPTS[0], PROMPTS[1], PROMPTS[0])
    assert run(*options(platform, tmp_path)).exit_code == 0
    assert platform.stats()["total"]["sends"] == 2
    answers = rows(tmp_path, "answers")
    assert [row["question_id"] for row in answers] == ["1", "2", "3"]
    assert answers[0]["text"] == answers[2]["text"]


def test_a_second_run_asks_only_what_has_no_answer(tmp_path: Path, platform: Simulator) -> None:
    questions(tmp_path, *PROMPTS[:3])
    run(*options(platform, tmp_path))
    first = rows(tmp_path, "answers")
    questions(tmp_path, *PROMPTS[:5])
    result = run(*options(platform, tmp_path))
    assert result.exit_code == 0
    assert "asked 5, answered 5 (3 before), failed 0; 2 calls in" in result.output
    assert platform.stats()["total"]["sends"] == 5
    assert rows(tmp_path, "answers")[:3] == first
    assert len(rows(tmp_path, "attempts")) == 5


def test_answers_to_other_questions_are_dropped_on_demand_only(
    tmp_path: Path, platform: Simulator
) -> None:
    questions(tmp_path, *PROMPTS[:3])
    run(*options(platform, tmp_path))
    questions(tmp_path, PROMPTS[9])
    refused = run(*options(platform, tmp_path))
    assert isinstance(refused.exception, InputError)
    assert len(rows(tmp_path, "answers")) == 3
    assert run(*options(platform, tmp_path, "--overwrite")).exit_code == 0
    assert [row["prompt"] for row in rows(tmp_path, "answers")] == [PROMPTS[9]]
    assert len(rows(tmp_path, "attempts")) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--model", "m"], "give --url, --model, --rate and --concurrency, or --platform"),
        (["--platform", "kimi", "--rate", "3"], "from the catalog"),
        (["--rate", "0"], "0.0 is not in the range x>0"),
        (["--rate", "nan"], "not a finite number"),
        (["--concurrency", "0"], "x>=1"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    tmp_path: Path, arguments: list[str], said: str
) -> None:
    result = run(*arguments, "--questions", "q.txt", "--out", str(tmp_path / "out"))
    assert result.exit_code == 2
    assert said in result.output
    assert not (tmp_path / "out").exists()


def start(*arguments: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "brand_visibility", "ask", *arguments],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_file_at_fault_is_one_message_and_exit_code_1(
    tmp_path: Path, platform: Simulator
) -> None:
    broken = tmp_path / "questions.jsonl"
    broken.write_text('{"question": "fine"}\n{"question": 1}\n')
    process = start(*options(platform, tmp_path, "--questions", str(broken)))
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, output) == (1, "")
    assert errors.startswith("error: ")
    assert "questions.jsonl: line 2: found no text" in errors
    assert platform.stats()["total"]["sends"] == 0


def test_the_key_is_in_no_file_and_no_output(tmp_path: Path, platform: Simulator) -> None:
    questions(tmp_path, PROMPTS[0], "Nobody knows this?")
    process = start(*options(platform, tmp_path, "--key-env", "KEY"), KEY=CANARY)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 3
    assert CANARY not in output + errors
    written = list((tmp_path / "out").iterdir())
    assert len(written) == 3
    assert all(CANARY.encode() not in path.read_bytes() for path in written)


def wait_for_sends(simulator: Simulator, count: int) -> None:
    patience = time.monotonic() + 30
    while simulator.stats()["total"]["sends"] < count:
        assert time.monotonic() < patience, "nothing is sent"
        time.sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_run_writes_what_was_answered_and_can_be_resumed(
    tmp_path: Path, number: signal.Signals
) -> None:
    questions(tmp_path, *PROMPTS[:200])
    with simulated(latency=Latency(0.3, 0.4)) as simulator:
        process = start(*options(simulator, tmp_path))
        wait_for_sends(simulator, 40)
        process.send_signal(number)
        output, errors = process.communicate(timeout=30)
        assert process.returncode == 3, errors
        sent = simulator.stats()["total"]["sends"]
        answers, failures = rows(tmp_path, "answers"), rows(tmp_path, "failures")
        assert len(answers) == sent, "calls in flight are drained"
        assert len(answers) + len(failures) == 200
        assert {row["reason"] for row in failures} == {"cut_off"}
        assert f"answered {sent}, failed {200 - sent} ({200 - sent} cut_off)" in output

        assert run(*options(simulator, tmp_path)).exit_code == 0
        assert simulator.stats()["total"]["sends"] == 200
    assert len(rows(tmp_path, "answers")) == 200


def test_a_second_signal_abandons_what_is_in_flight(tmp_path: Path) -> None:
    faults = {FaultKind.HANG: 0.5}
    questions(tmp_path, *PROMPTS[:40])
    with simulated(latency=Latency(0.01, 0.02), faults=faults, hang_s=60.0) as simulator:
        process = start(*options(simulator, tmp_path))
        wait_for_sends(simulator, 40)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=15)
    assert process.returncode == 3, errors
    answers, failures = rows(tmp_path, "answers"), rows(tmp_path, "failures")
    assert len(answers) >= 5
    assert len(answers) + len(failures) == 40
    assert {row["reason"] for row in failures} == {"cut_off"}


def test_the_command_needs_neither_dagster_nor_a_database_nor_pandas() -> None:
    code = "import sys, brand_visibility.commands.ask; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    ).stdout.split()
    assert not {"dagster", "psycopg", "sqlalchemy", "pandas"} & set(loaded)
