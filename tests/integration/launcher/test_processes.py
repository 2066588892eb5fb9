"""Processes that start together and leave nothing behind."""

import os
import sys
import time
from pathlib import Path

import psutil
import pytest

from brand_visibility.launcher.processes import Family, ProcessEndedError

pytestmark = pytest.mark.integration

SLEEP = "import time; time.sleep(600)"
STUBBORN = (
    "import signal, time\n"
    "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "print('ready', flush=True)\n"
    "time.sleep(600)\n"
)
# A grandchild that outlives its parent, as a step process outlives a killed run.
PARENT_OF_ORPHAN = (
    "import subprocess, sys\n"
    f"child = subprocess.Popen([sys.executable, '-c', {SLEEP!r}])\n"
    "print(child.pid, flush=True)\n"
)


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def wait_for_words(log: Path) -> str:
    give_up_at = time.monotonic() + 20
    while time.monotonic() < give_up_at:
        if words := log.read_text().strip():
            return words
        time.sleep(0.02)
    pytest.fail(f"{log} stayed empty")


def test_leaving_ends_every_process(tmp_path: Path) -> None:
    with Family(tmp_path, os.environ) as family:
        children = [family.start(f"sleeper-{number}", python(SLEEP)) for number in range(2)]

    assert [child.process.returncode for child in children] == [-15, -15]


def test_one_that_ignores_the_request_is_killed(tmp_path: Path) -> None:
    with Family(tmp_path, os.environ, patience_s=0.2) as family:
        child = family.start("stubborn", python(STUBBORN))
        wait_for_words(child.log)

    assert child.process.returncode == -9


@pytest.mark.parametrize("parent_lives", [True, False], ids=["its parent lives", "an orphan"])
def test_a_grandchild_is_ended_too(tmp_path: Path, *, parent_lives: bool) -> None:
    code = PARENT_OF_ORPHAN + (SLEEP if parent_lives else "")
    with Family(tmp_path, os.environ) as family:
        child = family.start("parent", python(code))
        grandchild = psutil.Process(int(wait_for_words(child.log)))
        if not parent_lives:
            child.process.wait()

    assert not grandchild.is_running()


def test_a_process_that_ends_by_itself_is_named_with_its_log(tmp_path: Path) -> None:
    with Family(tmp_path, os.environ) as family:
        family.start("webserver", python("raise SystemExit(7)"))
        with pytest.raises(ProcessEndedError, match=r"webserver ended with code 7.*webserver\.log"):
            family.watch()
