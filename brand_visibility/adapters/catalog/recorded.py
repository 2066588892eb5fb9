"""A catalog for replaying recorded answers: their questions, their platforms, given brands."""

import csv
import shutil
from collections.abc import Sequence
from pathlib import Path

import yaml

from brand_visibility.adapters.catalog.loader import (
    BRANDS_FILE,
    PLATFORMS_FILE,
    QUESTIONS_FILE,
    TENANTS_FILE,
    TOPICS_FILE,
)
from brand_visibility.domain.errors import InputError

_HEADER = ("question_id", "topic_id", "kind", "language", "priority", "repeats", "text")
_RATE_PER_SECOND = 100
_CONCURRENCY = 50


def write_replay_catalog(
    directory: Path,
    brands_directory: Path,
    *,
    questions: Sequence[str],
    platform_ids: Sequence[str],
) -> Path:
    """Write a catalog that asks these questions of these platforms, and return its folder.

    Every question belongs to the one topic of `brands_directory`. Raises InputError when
    that folder has another number of topics.
    """
    directory.mkdir(parents=True, exist_ok=True)
    for name in (TENANTS_FILE, TOPICS_FILE, BRANDS_FILE):
        shutil.copyfile(brands_directory / name, directory / name)
    topic_id = _only_topic(brands_directory / TOPICS_FILE)
    with (directory / QUESTIONS_FILE).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(_HEADER)
        for number, text in enumerate(questions, start=1):
            writer.writerow((f"q{number:05}", topic_id, "non_brand", "en", 0, 1, text))
    platforms = {"platforms": [_platform(platform_id) for platform_id in platform_ids]}
    (directory / PLATFORMS_FILE).write_text(yaml.safe_dump(platforms), encoding="utf-8")
    return directory


def _only_topic(path: Path) -> str:
    topics = (yaml.safe_load(path.read_text(encoding="utf-8")) or {}).get("topics", [])
    if len(topics) != 1:
        raise InputError(f"{path}: found {len(topics)} topics; expected exactly one")
    return str(topics[0]["topic_id"])


def _platform(platform_id: str) -> dict[str, object]:
    account = {
        "account_id": "main",
        "rate_per_second": _RATE_PER_SECOND,
        "concurrency": _CONCURRENCY,
    }
    return {
        "platform_id": platform_id,
        "adapter": "simulator",
        "model": platform_id,
        "accounts": [account],
        "latency_s": 0.2,
        "allow_unknown_price": True,
    }
