"""A place to run in: database, ledger, Dagster's home and, where needed, the simulator."""

import contextlib
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from brand_visibility.adapters.catalog.loader import load_catalog
from brand_visibility.adapters.embedded_postgres import embedded_postgres
from brand_visibility.adapters.ledger.migrate import migrate
from brand_visibility.adapters.platforms.registry import is_simulated
from brand_visibility.adapters.settings import (
    DATABASE_URL,
    PREFIX,
    SIMULATOR_URL,
    Settings,
    read_settings,
)
from brand_visibility.domain.catalog import Catalog
from brand_visibility.domain.errors import InputError
from brand_visibility.launcher.leftovers import fail_lost_runs
from brand_visibility.simulator.repertoire import build_repertoire
from brand_visibility.simulator.settings import Personality, SimulatorSettings
from brand_visibility.simulator.simulator import Simulator
from brand_visibility.simulator.source import AnswerSource
from brand_visibility.simulator.written import MentionOdds, WrittenAnswers

DAGSTER_SETTINGS = "dagster.yaml"


@dataclass(frozen=True, slots=True)
class Place:
    """Everything is up. `environment` is what child processes are started with."""

    settings: Settings
    environment: Mapping[str, str]


@contextlib.contextmanager
def database(settings: Settings) -> Iterator[Place]:
    """Have the database up and its tables there, and yield the place.

    The embedded server serves when the settings name no other.
    """
    with contextlib.ExitStack() as stack:
        is_embedded = settings.database_url is None
        url = settings.database_url or stack.enter_context(
            embedded_postgres(settings.home / "postgres")
        )
        migrate(url)
        home = _dagster_home(settings)
        environment = {
            **os.environ,
            DATABASE_URL: url,
            "DAGSTER_HOME": str(home),
            f"{PREFIX}HOME": str(settings.home.resolve()),
            f"{PREFIX}CATALOG": str(settings.catalog.resolve()),
            # Steps write little; unbuffered output keeps the logs in order.
            "PYTHONUNBUFFERED": "1",
        }
        stack.enter_context(_environment(environment))
        if is_embedded:
            # Others may work on a database of production without being known as launchers.
            stack.enter_context(fail_lost_runs(url))
        yield Place(read_settings(environment), environment)


@contextlib.contextmanager
def night_place(
    settings: Settings, simulated: SimulatorSettings, source: AnswerSource | None = None
) -> Iterator[tuple[Place, Catalog]]:
    """Have everything up that a night needs, the catalog checked before anything starts.

    The simulator starts when a platform of the catalog asks for it and the environment
    names none. Raises CatalogError when the catalog has a fault.
    """
    catalog = load_catalog(settings.catalog)
    with contextlib.ExitStack() as stack:
        needs_simulator = any(map(is_simulated, catalog.called_platforms))
        if needs_simulator and not os.environ.get(SIMULATOR_URL):
            simulator = stack.enter_context(
                Simulator(
                    with_manners(simulated, catalog), source or _written(catalog, simulated.seed)
                )
            )
            stack.enter_context(_environment({SIMULATOR_URL: simulator.url}))
        load_catalog(settings.catalog, os.environ)
        yield stack.enter_context(database(settings)), catalog


def with_manners(simulated: SimulatorSettings, catalog: Catalog) -> SimulatorSettings:
    """Return the settings with each platform speaking as its adapter expects."""
    manners = {
        platform.platform_id: Personality(platform.adapter)
        for platform in catalog.called_platforms
        if platform.is_simulated and platform.adapter in set(Personality)
    }
    by_platform = {
        platform_id: replace(simulated.behaviour_of(platform_id), personality=personality)
        for platform_id, personality in manners.items()
    }
    return replace(simulated, by_platform={**simulated.by_platform, **by_platform})


def _written(catalog: Catalog, seed: int) -> AnswerSource:
    return WrittenAnswers(build_repertoire(catalog), seed=seed, odds=MentionOdds(seed))


def _dagster_home(settings: Settings) -> Path:
    source = Path(DAGSTER_SETTINGS)
    if not source.is_file():
        raise InputError(
            f"{source.resolve()}: found no such file; expected to be started from the"
            f" project's folder"
        )
    home = (settings.home / "dagster").resolve()
    home.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, home / DAGSTER_SETTINGS)
    return home


@contextlib.contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
