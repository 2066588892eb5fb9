"""`brand-visibility ui` as an operator uses it, from the first page to Ctrl-C."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import psutil
import pytest

from tests.integration.night.conftest import write_catalog
from tests.webhooks import Webhook

pytestmark = pytest.mark.integration

LAUNCH = """
mutation ($params: LaunchBackfillParams!) {
  launchPartitionBackfill(backfillParams: $params) {
    __typename ... on LaunchBackfillSuccess { backfillId } ... on PythonError { message }
  }
}
"""
RUNS = "{ runsOrError { ... on Runs { results { jobName status tags { key value } } } } }"
ASSETS = "{ assetNodes { assetKey { path } partitionDefinition { type } } }"
INSTIGATORS = """
{
  sensorsOrError(repositorySelector: {
    repositoryName: "__repository__", repositoryLocationName: "brand_visibility"
  }) { ... on Sensors { results { name sensorState { status } } } }
}
"""


@dataclass(frozen=True)
class Ui:
    """A running UI, and its launcher's process."""

    address: str
    launcher: subprocess.Popen[str]

    def ask(self, query: str, variables: dict[str, Any] | None = None) -> Any:
        body = json.dumps({"query": query, "variables": variables or {}}).encode()
        request = urllib.request.Request(
            f"{self.address}/graphql", body, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=30) as response:
            answer = json.load(response)
        assert "errors" not in answer, answer
        return answer["data"]

    def runs(self) -> list[dict[str, Any]]:
        return self.ask(RUNS)["runsOrError"]["results"]  # type: ignore[no-any-return]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@pytest.fixture
def ui(tmp_path: Path, repository: Path, webhook: Webhook) -> Iterator[Ui]:
    write_catalog(tmp_path / "catalog", platform_ids=("deepseek", "gpt"))
    port = free_port()
    launcher = subprocess.Popen(
        [sys.executable, "-m", "brand_visibility", "ui", "--port", str(port)],
        cwd=repository,
        env={
            **os.environ,
            "BRAND_VISIBILITY_HOME": str(tmp_path / "home"),
            "BRAND_VISIBILITY_CATALOG": str(tmp_path / "catalog"),
            "BRAND_VISIBILITY_SHARD_COUNT": "2",
            # Passed already, whatever the hour: today is owed and not there.
            "BRAND_VISIBILITY_DEADLINE_AT": "00:00",
            "BRAND_VISIBILITY_ALERT_WEBHOOK_URL": webhook.url,
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # A terminal's Ctrl-C must not end the test itself.
        start_new_session=True,
    )
    assert launcher.stdout is not None
    try:
        for line in launcher.stdout:
            if f"http://127.0.0.1:{port}" in line:
                break
        else:
            pytest.fail("the UI ended before it was ready")
        yield Ui(f"http://127.0.0.1:{port}", launcher)
    finally:
        launcher.kill()
        launcher.wait()
        launcher.stdout.close()


ONE_PLATFORMS_NIGHT = (
    "query_plan",
    "raw_answers",
    "core_mentions",
    "core_ranks",
    "core_stances",
    "core_citations",
)


def wait_until_ended(ui: Ui, count: int) -> list[dict[str, Any]]:
    give_up_at = time.monotonic() + 150
    while time.monotonic() < give_up_at:
        runs = ui.runs()
        if len(runs) >= count and all(run["status"] in {"SUCCESS", "FAILURE"} for run in runs):
            return runs
        time.sleep(1)
    pytest.fail(f"{count} ended runs were expected; found {ui.runs()}")


def test_a_backfill_makes_the_days_figures_one_alert_is_sent_and_ctrl_c_leaves_no_process(
    ui: Ui, webhook: Webhook
) -> None:
    nodes = ui.ask(ASSETS)["assetNodes"]
    assert {*ONE_PLATFORMS_NIGHT, "out_visibility_daily", "out_day_report"} <= {
        node["assetKey"]["path"][0] for node in nodes
    }
    sensors = ui.ask(INSTIGATORS)["sensorsOrError"]["results"]
    assert {sensor["sensorState"]["status"] for sensor in sensors} == {"RUNNING"}

    today = datetime.now(UTC).astimezone(ZoneInfo("Asia/Shanghai")).date()
    keys = [{"path": [name]} for name in ONE_PLATFORMS_NIGHT]
    partitions = [f"{today}|{name}" for name in ("deepseek", "gpt")]
    params = {"partitionNames": partitions, "assetSelection": keys}
    launched = ui.ask(LAUNCH, {"params": params})["launchPartitionBackfill"]
    assert launched["__typename"] == "LaunchBackfillSuccess", launched

    # The alert, two platforms, and then the figures, which nobody has to launch.
    runs = wait_until_ended(ui, 4)
    assert {run["status"] for run in runs} == {"SUCCESS"}
    assert [run["jobName"] for run in runs].count("deadline_alert") == 1
    assert [alert["key"] for alert in webhook.received] == [f"deadline:{today}"]
    assert f"raw_answers {today}|gpt" in webhook.received[0]["text"]
    assert any({"key": "dagster/partition/platform", "value": "gpt"} in run["tags"] for run in runs)

    family = psutil.Process(ui.launcher.pid).children(recursive=True)
    assert family
    ui.launcher.send_signal(signal.SIGINT)
    assert ui.launcher.wait(timeout=90) == 0
    _, alive = psutil.wait_procs(family, timeout=10)
    assert alive == []


def test_a_taken_port_is_said_before_anything_starts(tmp_path: Path, repository: Path) -> None:
    write_catalog(tmp_path / "catalog", platform_ids=("deepseek",))
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-m", "brand_visibility", "ui", "--port", str(port)],
            cwd=repository,
            env={
                **os.environ,
                "BRAND_VISIBILITY_HOME": str(tmp_path / "home"),
                "BRAND_VISIBILITY_CATALOG": str(tmp_path / "catalog"),
            },
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    assert done.returncode == 1
    assert f"error: port {port}: found it taken" in done.stderr
    assert "Traceback" not in done.stderr
