"""A whole night on real recorded answers, where they are at hand."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow.dataset as ds
import pytest

pytestmark = pytest.mark.integration

PLATFORMS = ("gpt-4o", "claude-3-5-sonnet", "qwen2-72b")


@pytest.fixture
def recordings(repository: Path) -> dict[str, Path]:
    folder = repository.parent / "shared" / "data"
    files = {name: folder / f"answers_en_{name}.jsonl" for name in PLATFORMS}
    if not all(path.is_file() for path in files.values()):
        pytest.skip("the recorded answers (../shared/data/answers_en_*.jsonl) are not at hand")
    return files


def test_every_recorded_answer_is_collected_unchanged_and_read(
    recordings: dict[str, Path], repository: Path, tmp_path: Path
) -> None:
    arguments = [f"--answers={name}={path}" for name, path in recordings.items()]
    done = subprocess.run(
        [sys.executable, "-m", "brand_visibility", "replay", *arguments],
        cwd=repository,
        env={**os.environ, "BRAND_VISIBILITY_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "2,415 of 2,415 planned answers (100.0 %)" in done.stdout
    lake = tmp_path / "replay" / "lake"
    answers = ds.dataset(lake / "raw_answers", partitioning="hive").to_table().to_pylist()
    assert len(answers) == 2_415
    for name, path in recordings.items():
        lines = path.read_text(encoding="utf-8").splitlines()
        recorded = {row["question"].strip(): row["answer"] for row in map(json.loads, lines)}
        stored = {
            row["prompt"].strip(): row["text"] for row in answers if row["platform_id"] == name
        }
        assert stored == recorded
    by_id = {row["query_id"]: row["text"] for row in answers}
    mentions = ds.dataset(lake / "core_mentions", partitioning="hive").to_table().to_pylist()
    assert len({mention["brand_id"] for mention in mentions}) > 30
    for mention in mentions:
        text = by_id[mention["query_id"]]
        assert text[mention["start_offset"] : mention["end_offset"]] == mention["surface"]


def test_a_recording_without_a_platform_is_refused_by_name(repository: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "brand_visibility", "replay", "--answers", "answers.jsonl"],
        cwd=repository,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert done.stderr == "error: --answers: found 'answers.jsonl'; expected PLATFORM=FILE\n"
