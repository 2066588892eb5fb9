"""A place to run nights in: a small catalog, a strict platform, a database of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
import yaml

from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.settings import SIMULATOR_URL, Settings
from brand_visibility.launcher.place import Place, night_place
from brand_visibility.simulator.repertoire import build_repertoire
from brand_visibility.simulator.settings import SimulatorSettings
from brand_visibility.simulator.simulator import Simulator
from brand_visibility.simulator.written import MentionOdds, WrittenAnswers

QUESTIONS = 40


@dataclass(frozen=True)
class Stage:
    """Where a night of a test happens."""

    settings: Settings
    platform_ids: tuple[str, ...]
    monkeypatch: pytest.MonkeyPatch = field(repr=False)

    @property
    def today(self) -> date:
        return datetime.now(UTC).astimezone(self.settings.zone).date()

    @property
    def lake(self) -> Lake:
        return Lake(self.settings.lake_root)

    @contextmanager
    def up(self, simulated: SimulatorSettings) -> Iterator[tuple[Place, Simulator]]:
        from brand_visibility.adapters.catalog.loader import load_catalog

        catalog = load_catalog(self.settings.catalog)
        source = WrittenAnswers(build_repertoire(catalog), seed=1, odds=MentionOdds(1))
        with Simulator(simulated, source) as simulator:
            self.monkeypatch.setenv(SIMULATOR_URL, simulator.url)
            with night_place(self.settings, simulated) as (place, _):
                yield place, simulator


def write_catalog(
    folder: Path, *, platform_ids: tuple[str, ...], rate: float = 100, concurrency: int = 20
) -> None:
    folder.mkdir()
    documents = {
        "tenants": {"tenants": [{"tenant_id": "acme", "name": "Acme"}]},
        "topics": {"topics": [{"topic_id": "vacuums", "name": "Vacuums"}]},
        "brands": {
            "brands": [
                {"brand_id": name.lower(), "tenant_id": "acme", "name": name, "topics": ["vacuums"]}
                | {"aliases": [name]}
                for name in ("Dyson", "Roborock")
            ]
        },
        "platforms": {
            "platforms": [
                {
                    "platform_id": platform_id,
                    "adapter": "simulator",
                    "model": "any",
                    "allow_unknown_price": True,
                    "accounts": [
                        {"account_id": "main", "rate_per_second": rate, "concurrency": concurrency}
                    ],
                    "attempt_timeout_s": 5,
                    "shards_at_once": 2,
                    "retry": {
                        "server_fault_s": 0.1,
                        "timeout_base_s": 0.1,
                        "rate_limit_base_s": 0.1,
                    },
                }
                for platform_id in platform_ids
            ]
        },
    }
    for name, document in documents.items():
        (folder / f"{name}.yaml").write_text(yaml.safe_dump(document), encoding="utf-8")
    rows = ["question_id,topic_id,kind,language,priority,repeats,text"]
    rows += [f"q{n},vacuums,non_brand,en,0,1,Which vacuum number {n}?" for n in range(QUESTIONS)]
    (folder / "questions.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")


@pytest.fixture
def stage(
    tmp_path: Path,
    database_url: str,
    repository: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> Stage:
    """A stage of one platform, or of those that a test names by parametrising it."""
    options: dict[str, object] = dict(getattr(request, "param", {}))
    platform_ids = tuple(options.pop("platform_ids", ("deepseek",)))  # type: ignore[call-overload]
    write_catalog(tmp_path / "catalog", platform_ids=platform_ids, **options)  # type: ignore[arg-type]
    monkeypatch.chdir(repository)
    monkeypatch.setenv("BRAND_VISIBILITY_SHARD_COUNT", "3")
    settings = Settings(
        home=tmp_path / "home",
        catalog=tmp_path / "catalog",
        database_url=database_url,
        shard_count=3,
    )
    return Stage(settings, platform_ids, monkeypatch)
