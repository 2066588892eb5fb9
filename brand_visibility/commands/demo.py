"""`brand-visibility demo`: one whole night for today, with no key and no server."""

from datetime import UTC, datetime
from pathlib import Path

import click

from brand_visibility.adapters.settings import Settings, read_settings
from brand_visibility.commands.night_report import open_console, progress_bars, show_day
from brand_visibility.commands.options import catalog_option
from brand_visibility.domain.errors import PermanentError
from brand_visibility.launcher.night import run_night
from brand_visibility.launcher.place import night_place
from brand_visibility.simulator.settings import (
    FaultKind,
    Latency,
    PlatformBehaviour,
    SimulatorSettings,
)
from brand_visibility.simulator.source import AnswerSource

# Every kind of trouble that a real night brings, so that the demonstration is honest.
DEMO_SIMULATOR = SimulatorSettings(
    PlatformBehaviour(
        latency=Latency(median_s=0.3, p99_s=1.5),
        faults={
            FaultKind.RATE_LIMITED: 0.02,
            FaultKind.SERVER_FAULT: 0.01,
            FaultKind.DISCONNECT: 0.005,
            FaultKind.REFUSED: 0.005,
            FaultKind.MALFORMED: 0.005,
        },
    ),
    seed=20_261_130,
)


class NightFailedError(PermanentError):
    """A run of the night did not succeed. Its log is named in the message."""


@click.command()
@catalog_option("The folder of the catalog's files.")
def demo(catalog: Path) -> None:
    """Run one whole night for today against the local simulator.

    The same assets, database and storage as in production. Run again on the same day it
    asks only what is missing.
    """
    settings = read_settings().model_copy(update={"catalog": catalog})
    run_and_show(settings, DEMO_SIMULATOR)
    click.echo("\nOpen the same night in the Dagster UI: make ui")


def run_and_show(
    settings: Settings, simulated: SimulatorSettings, source: AnswerSource | None = None
) -> None:
    """Run today's night in the foreground and show what it brought."""
    console = open_console()
    console.print("Starting the database and the platforms …")
    with night_place(settings, simulated, source) as (place, catalog):
        plan_date = datetime.now(UTC).astimezone(settings.zone).date()
        platform_ids = [platform.platform_id for platform in catalog.platforms]
        console.print(
            f"A night for {plan_date}: {', '.join(platform_ids)},"
            f" {len(catalog.brands)} brands, {len(catalog.questions)} questions"
        )
        with progress_bars(console, platform_ids) as show:
            failed = run_night(place, plan_date, platform_ids, on_progress=show)
        # What was answered is measured and shown, whatever failed beside it.
        show_day(console, place.settings, catalog, plan_date)
        if failed:
            raise NightFailedError(f"not every run succeeded: {', '.join(failed)}")
