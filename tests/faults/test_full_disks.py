"""A disk that is full when a shard is published."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.conftest import Ground, a_quick_platform, sends, simulated

pytestmark = pytest.mark.integration

SIZE_KB = 256


@pytest.fixture
def small_disk(ground: Ground) -> Iterator[Path]:
    """The lake on a file system of its own that is soon full."""
    if os.geteuid() != 0:
        pytest.skip("mounting a small file system needs root")
    ground.lake_root.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE_KB}k", "none", str(ground.lake_root)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"no small file system can be mounted here: {done.stderr.strip()}")
    try:
        yield ground.lake_root
    finally:
        subprocess.run(["umount", str(ground.lake_root)], check=True)


def test_a_full_disk_costs_no_answer_and_no_second_call(ground: Ground, small_disk: Path) -> None:
    filler = small_disk / "filler"
    with simulated() as simulator:
        filler.write_bytes(b"\0" * (SIZE_KB - 4) * 1024)
        result = ground.start(simulator, a_quick_platform()).result()

        assert result["error"] == "OSError"
        assert "No space left" in str(result["sentence"])
        # Everything was asked and recorded although nothing could be published.
        assert ground.states() == {"answered": ground.planned}
        assert [path for path in small_disk.rglob("*") if path.is_file()] == [filler]

        filler.unlink()
        ground.start(simulator, a_quick_platform()).succeed()
        assert sends(simulator) == ground.planned

    audit = ground.audit()
    assert audit.is_whole
    assert audit.answers == ground.planned
    assert ground.maybe_paid() == 0
