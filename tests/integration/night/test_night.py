"""Whole nights on real processes: Dagster's runs, the ledger, HTTP and the lake."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter

import dagster as dg
import psutil
import pytest

from brand_visibility.adapters.lake.schemas import (
    ATTEMPTS,
    CORE_MENTIONS,
    FAILURES,
    OUT_SHARE_OF_VOICE_DAILY,
    OUT_VISIBILITY_DAILY,
    PLAN_FORECASTS,
    QUERY_PLAN,
    RAW_ANSWERS,
)
from brand_visibility.adapters.ledger.plans import PlanStore, Progress
from brand_visibility.automation.jobs import NIGHT_JOB
from brand_visibility.launcher.leftovers import fail_lost_runs
from brand_visibility.launcher.night import run_night
from brand_visibility.launcher.place import Place
from brand_visibility.simulator.settings import (
    FaultKind,
    Latency,
    PlatformBehaviour,
    SimulatorSettings,
)
from tests.integration.night.conftest import QUESTIONS, Stage

pytestmark = pytest.mark.integration

FAULTY = SimulatorSettings(
    PlatformBehaviour(
        latency=Latency(0.05, 0.2),
        faults={
            FaultKind.RATE_LIMITED: 0.05,
            FaultKind.SERVER_FAULT: 0.05,
            FaultKind.REFUSED: 0.05,
            FaultKind.MALFORMED: 0.05,
        },
        retry_after_s=0,
    ),
    seed=4,
)
SLOW = SimulatorSettings(PlatformBehaviour(latency=Latency(1.0, 1.5)))


def partition(stage: Stage) -> dict[str, str]:
    return {"date": stage.today.isoformat(), "platform": stage.platform_ids[0]}


def totals(stats: dict[str, object]) -> dict[str, int]:
    return stats["total"]  # type: ignore[return-value]


@pytest.mark.parametrize("stage", [{"platform_ids": ("deepseek", "gpt")}], indirect=True)
def test_a_night_ends_with_figures_for_every_platform(stage: Stage) -> None:
    progress = []
    with stage.up(FAULTY) as (place, simulator):
        run_night(place, stage.today, stage.platform_ids, on_progress=progress.append)
        stats = totals(simulator.stats())
        checks = check_results(stage)

    for platform_id in stage.platform_ids:
        part = {"date": stage.today.isoformat(), "platform": platform_id}
        answers, failures = stage.lake.read(RAW_ANSWERS, part), stage.lake.read(FAILURES, part)
        assert answers.num_rows + failures.num_rows == QUESTIONS
        assert set(failures["reason"].to_pylist()) <= {"refused", "malformed"}
        assert stage.lake.read(QUERY_PLAN, part).num_rows == 2 * QUESTIONS
        assert stage.lake.read(PLAN_FORECASTS, part)["account_id"].to_pylist() == ["main"]
        assert stage.lake.read(CORE_MENTIONS, part).num_rows > 0
        assert len(stage.lake.files(RAW_ANSWERS, part)) == 3
    attempts = sum(
        stage.lake.count(ATTEMPTS, {"date": stage.today.isoformat(), "platform": platform_id})
        for platform_id in stage.platform_ids
    )
    assert attempts == stats["sends"]
    assert stats["violations"] == stats["duplicates"] == 0
    assert checks == [True, True]
    assert progress[-1][0].done == QUESTIONS

    day = {"date": stage.today.isoformat()}
    visibility = stage.lake.read(OUT_VISIBILITY_DAILY, day).to_pandas()
    assert len(visibility) == 2 * 2
    assert (visibility["general_low"] <= visibility["mention_rate"]).all()
    shares = stage.lake.read(OUT_SHARE_OF_VOICE_DAILY, day).to_pandas()
    assert shares.groupby("platform_id")["share_by_answers"].sum().round(9).eq(1).all()
    page = stage.settings.report_root / f"{stage.today}.html"
    assert "Dyson" in page.read_text(encoding="utf-8")


def check_results(stage: Stage) -> list[bool]:
    keys = [dg.AssetCheckKey(dg.AssetKey("raw_answers"), "answers_and_failures_make_the_plan")]
    with dg.DagsterInstance.get() as instance:
        return [
            record.event.dagster_event.asset_check_evaluation_data.passed
            for key in keys
            for record in instance.event_log_storage.get_asset_check_execution_history(key, limit=9)
        ]


def test_a_second_run_of_a_day_asks_only_what_is_missing(stage: Stage) -> None:
    with stage.up(FAULTY) as (place, simulator):
        run_night(place, stage.today, stage.platform_ids, on_progress=lambda _: None)
        first = totals(simulator.stats())["sends"]
        before = stage.lake.read(RAW_ANSWERS, partition(stage)).num_rows
        run_night(place, stage.today, stage.platform_ids, on_progress=lambda _: None)
        again = totals(simulator.stats())["sends"] - first

    answers = stage.lake.read(RAW_ANSWERS, partition(stage)).num_rows
    failures = stage.lake.read(FAILURES, partition(stage)).num_rows
    assert answers + failures == QUESTIONS
    assert answers >= before
    # Refusals are results and are not asked again; only malformed answers are.
    assert again <= 2 * (QUESTIONS - before)


def start_run(place: Place, stage: Stage, *arguments: str) -> subprocess.Popen[bytes]:
    key = f"{stage.today}|{stage.platform_ids[0]}"
    return subprocess.Popen(
        [
            sys.executable,
            "-m",
            "brand_visibility.launcher.partition_run",
            NIGHT_JOB,
            key,
            *arguments,
        ],
        env=dict(place.environment),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def wait_for_answers(place: Place, stage: Stage, wanted: int) -> int:
    plans = PlanStore(place.environment["BRAND_VISIBILITY_DATABASE_URL"])
    give_up_at = time.monotonic() + 60
    while time.monotonic() < give_up_at:
        progress = plans.progress(stage.today)
        if progress and progress[0].answered >= wanted:
            return progress[0].answered
        time.sleep(0.05)
    pytest.fail(f"{wanted} answers were expected within a minute")


def only_run_id() -> str:
    with dg.DagsterInstance.get() as instance:
        (run,) = instance.get_runs()
        return run.run_id


@pytest.mark.parametrize("stage", [{"rate": 10, "concurrency": 8}], indirect=True)
@pytest.mark.parametrize("whole_family", [True, False], ids=["all its processes", "its process"])
def test_a_killed_run_is_resumed_and_asks_nothing_that_is_answered(
    stage: Stage, *, whole_family: bool
) -> None:
    in_flight = 8
    with stage.up(SLOW) as (place, simulator):
        run = start_run(place, stage)
        answered_before = wait_for_answers(place, stage, 8)
        if whole_family:
            os.killpg(run.pid, signal.SIGKILL)
        else:
            run.kill()
        run.wait()
        run_id = only_run_id()
        give_run_up(run_id)

        resumed = start_run(place, stage, run_id)
        assert resumed.wait(timeout=120) == 0
        stats = totals(simulator.stats())

    answers = stage.lake.read(RAW_ANSWERS, partition(stage))
    times = Counter(answers["query_id"].to_pylist())
    assert len(times) == QUESTIONS
    assert set(times.values()) == {1}
    assert len(stage.lake.files(RAW_ANSWERS, partition(stage))) == 3
    assert answered_before < QUESTIONS
    assert stats["sends"] <= QUESTIONS + in_flight


def give_run_up(run_id: str) -> None:
    with dg.DagsterInstance.get() as instance:
        run = instance.get_run_by_id(run_id)
        assert run is not None
        instance.report_run_failed(run)


def test_a_launcher_that_is_alone_fails_the_runs_that_died(stage: Stage) -> None:
    with stage.up(SLOW) as (place, _), dg.DagsterInstance.get() as instance:
        url = place.environment["BRAND_VISIBILITY_DATABASE_URL"]
        with fail_lost_runs(url):
            run = start_run(place, stage)
            wait_for_answers(place, stage, 1)
            os.killpg(run.pid, signal.SIGKILL)
            run.wait()
            with fail_lost_runs(url):
                # Another launcher is alive: nothing may be declared lost.
                assert instance.get_runs()[0].status is dg.DagsterRunStatus.STARTED

        with fail_lost_runs(url):
            assert instance.get_runs()[0].status is dg.DagsterRunStatus.FAILURE


def test_a_run_whose_process_is_killed_during_the_night_is_failed_at_once(stage: Stage) -> None:
    def kill_the_run(progress: list[Progress]) -> None:
        if progress and progress[0].answered >= 1:
            for process in psutil.Process().children():
                if NIGHT_JOB in process.cmdline():
                    process.kill()

    with stage.up(SLOW) as (place, _), dg.DagsterInstance.get() as instance:
        failed = run_night(place, stage.today, stage.platform_ids, on_progress=kill_the_run)
        statuses = {run.job_name: run.status for run in instance.get_runs()}

    assert len(failed) == 1
    assert statuses[NIGHT_JOB] is dg.DagsterRunStatus.FAILURE
    assert statuses["figures"] is dg.DagsterRunStatus.SUCCESS


def test_a_terminated_run_is_cancelled_and_keeps_what_was_answered(stage: Stage) -> None:
    with stage.up(SLOW) as (place, simulator):
        run = start_run(place, stage)
        wait_for_answers(place, stage, 4)
        # What Dagster's Terminate does: it says so, then interrupts the run's process.
        with dg.DagsterInstance.get() as instance:
            instance.report_run_canceling(instance.get_runs()[0])
        run.send_signal(signal.SIGINT)
        run.wait(timeout=60)
        answered = totals(simulator.stats())["answered"]
        plans = PlanStore(place.environment["BRAND_VISIBILITY_DATABASE_URL"])
        kept = plans.progress(stage.today)[0].answered
        with dg.DagsterInstance.get() as instance:
            status = instance.get_runs()[0].status

    assert status is dg.DagsterRunStatus.CANCELED
    assert kept == answered


@pytest.mark.parametrize("stage", [{"platform_ids": ("deepseek", "gpt")}], indirect=True)
def test_a_platform_that_never_answers_is_measured_as_missing_and_not_as_zero(
    stage: Stage,
) -> None:
    down = SimulatorSettings(
        by_platform={"gpt": PlatformBehaviour(faults={FaultKind.EXHAUSTED_QUOTA: 1.0})}
    )
    with stage.up(down) as (place, _):
        run_night(place, stage.today, stage.platform_ids, on_progress=lambda _: None)

    failures = stage.lake.read(FAILURES, {"date": stage.today.isoformat(), "platform": "gpt"})
    assert Counter(failures["reason"].to_pylist()) == {"quota_exhausted": QUESTIONS}
    figures = stage.lake.read(OUT_VISIBILITY_DAILY, {"date": stage.today.isoformat()}).to_pandas()
    silent = figures[figures["platform_id"] == "gpt"]
    assert silent["mention_rate"].isna().all()
    assert (silent["coverage_rate"] == 0).all()
    assert figures[figures["platform_id"] == "deepseek"]["mention_rate"].notna().all()


def test_an_invalid_catalog_fails_the_plan_before_anything_is_asked(stage: Stage) -> None:
    with stage.up(SLOW) as (place, simulator):
        questions = stage.settings.catalog / "questions.csv"
        with questions.open("a", encoding="utf-8") as file:
            file.write("q0,nowhere,non_brand,en,0,1,A duplicate id of an unknown topic?\n")
        failed = run_night(place, stage.today, stage.platform_ids, on_progress=lambda _: None)

        assert any(f"night {stage.today}|deepseek (see " in run for run in failed)
        assert totals(simulator.stats())["sends"] == 0
