"""`brand-visibility replay`: one whole night on recorded answers."""

from pathlib import Path

import click

from brand_visibility.adapters.catalog.recorded import write_replay_catalog
from brand_visibility.adapters.settings import read_settings
from brand_visibility.commands.demo import run_and_show
from brand_visibility.domain.errors import InputError
from brand_visibility.simulator.recorded import RecordedAnswers, read_recordings
from brand_visibility.simulator.settings import Latency, PlatformBehaviour, SimulatorSettings

# Fast, since the answers are there already; no faults, since each answer is wanted.
_BEHAVIOUR = PlatformBehaviour(latency=Latency(median_s=0.1, p99_s=0.5))


@click.command()
@click.option(
    "--answers",
    "recordings",
    multiple=True,
    required=True,
    metavar="PLATFORM=FILE",
    help='Recorded answers of one platform: a JSON object with "question" and "answer" a line.',
)
@click.option(
    "--brands",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path("examples/real-answers"),
    show_default=True,
    help="Folder with tenants.yaml, topics.yaml and brands.yaml.",
)
def replay(recordings: tuple[str, ...], brands: Path) -> None:
    """Ask every recorded question of every platform and read the recorded answers.

    The whole path is real: plan, HTTP, ledger, Parquet, reading, figures. Only the
    platforms are played, by a local server that repeats what they once said. Its files
    lie apart, under `replay` in the home folder.
    """
    files = dict(_parse(text) for text in recordings)
    answers = {platform_id: read_recordings(path) for platform_id, path in files.items()}
    settings = read_settings()
    home = settings.home / "replay"
    catalog = write_replay_catalog(
        home / "catalog",
        brands,
        questions=list(dict.fromkeys(question for known in answers.values() for question in known)),
        platform_ids=list(files),
    )
    run_and_show(
        settings.model_copy(update={"home": home, "catalog": catalog}),
        SimulatorSettings(_BEHAVIOUR),
        RecordedAnswers({}, answers),
    )


def _parse(text: str) -> tuple[str, Path]:
    platform_id, equals, path = text.partition("=")
    if not equals or not path:
        raise InputError(f"--answers: found {text!r}; expected PLATFORM=FILE")
    return platform_id, Path(path)
