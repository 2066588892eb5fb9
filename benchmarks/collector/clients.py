"""One client's run against the strict platform: ours, `ask`, or a peer. Each is a process."""

import json
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

from benchmarks.collector.engine_call import EngineCall, read_report
from benchmarks.collector.ledger_server import LedgerServer
from benchmarks.collector.platform_process import PlatformProcess, Seen, platform
from benchmarks.collector.scenario import Scenario, plan_of, queries, write_questions
from benchmarks.common.environments import Peer
from benchmarks.common.measuring import Cost, measure
from brand_visibility.adapters.ledger.plans import PlanStore

LIMIT_S = 240.0
_CONCURRENCY = 400
_TAIL = 400

# Seconds after a fault: the same for all clients that can be told, and this project's own.
ONE_SECOND = {"server_fault_s": 1.0, "rate_limit_base_s": 1.0}
OWN_RULES: Mapping[str, float] = {}


@dataclass(frozen=True, slots=True)
class Run:
    """What a client did. `database_cpu_s` is what it made the ledger's server do."""

    title: str
    seen: Seen
    cost: Cost
    lost: int
    database_cpu_s: float | None = None
    detail: str = ""


def run_engine(
    scenario: Scenario,
    server: LedgerServer,
    *,
    title: str,
    retry: Mapping[str, float],
    profile: Path | None = None,
) -> Run:
    """Let the engine collect with its ledger in PostgreSQL."""
    database_url = server.fresh()
    PlanStore(database_url).freeze(plan_of(queries(scenario.questions)), [], None)
    with platform(scenario) as target:
        call = EngineCall(
            database_url=database_url,
            base_url=target.base_url,
            rate=float(scenario.behaviour.rate_limit or scenario.questions),
            concurrency=_CONCURRENCY,
            retry=dict(retry),
            profile=str(profile) if profile else None,
        )
        before = server.cpu_s()
        cost = measure(engine_command(call), limit_s=LIMIT_S)
        database_cpu_s = server.cpu_s() - before
        report, seen = read_report(cost.output), target.seen()
    detail = f"failed: {report.failed}" if report.failed else ""
    return Run(title, seen, cost, report.asked - report.answered, database_cpu_s, detail)


def engine_command(call: EngineCall) -> list[str]:
    """Return the command of an engine process."""
    return [sys.executable, "-m", "benchmarks.collector.engine_run", call.to_json()]


def run_ask(scenario: Scenario, *, title: str, retry: Mapping[str, float]) -> Run:
    """Let `brand-visibility ask` put the questions, its waits taken from a catalog."""
    with tempfile.TemporaryDirectory(prefix="bench-ask-") as name, platform(scenario) as target:
        folder = Path(name)
        write_questions(folder / "questions.jsonl", queries(scenario.questions))
        (folder / "platforms.yaml").write_text(_catalog(scenario, target, retry), "utf-8")
        command = [
            *(sys.executable, "-m", "brand_visibility", "ask", "--platform", "strict"),
            *("--catalog", name, "--questions", str(folder / "questions.jsonl")),
            *("--out", str(folder / "out")),
        ]
        cost = measure(command, limit_s=LIMIT_S)
        answers = folder / "out" / "answers.parquet"
        if not answers.exists():
            raise RuntimeError(f"ask wrote no answers; it said: {cost.output[-2000:]}")
        answered = pq.read_metadata(answers).num_rows
        return Run(title, target.seen(), cost, scenario.questions - answered)


def run_peer(scenario: Scenario, peer: Peer) -> Run:
    """Let a peer's script put the questions, in its own environment."""
    with tempfile.TemporaryDirectory(prefix="bench-peer-") as name, platform(scenario) as target:
        asked, out = Path(name) / "questions.jsonl", Path(name) / "answers.jsonl"
        write_questions(asked, queries(scenario.questions))
        command = [str(peer.python), str(peer.script), target.base_url, str(asked), str(out)]
        cost = measure(command, limit_s=LIMIT_S, environment=_bare(name), folder=Path(name))
        answered = _distinct(out)
        return Run(peer.title, target.seen(), cost, scenario.questions - answered, None, _end(cost))


def _bare(folder: str) -> dict[str, str]:
    # Nothing of this project's environment: no proxy, no path, no key.
    return {"PATH": "/usr/bin:/bin", "HOME": folder, "LANG": "C.UTF-8"}


def _distinct(path: Path) -> int:
    if not path.exists():
        return 0
    lines = path.read_text(encoding="utf-8").splitlines()
    return len({json.loads(line)["id"] for line in lines})


def _end(cost: Cost) -> str:
    if cost.timed_out:
        return f"stopped after {LIMIT_S:g} s"
    return f"exit code {cost.exit_code}: {cost.output[-_TAIL:]}" if cost.exit_code else ""


def _catalog(scenario: Scenario, target: PlatformProcess, retry: Mapping[str, float]) -> str:
    account = {
        "account_id": "main",
        "rate_per_second": scenario.behaviour.rate_limit,
        "concurrency": _CONCURRENCY,
    }
    described = {
        "platform_id": "strict",
        "adapter": "openai_compatible",
        "base_url": target.base_url,
        "model": "bench",
        "accounts": [account],
        "retry": dict(retry),
    }
    # JSON is YAML.
    return json.dumps({"platforms": [described]})
