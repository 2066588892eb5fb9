"""The documents describe what exists: links, paths, commands, targets and variables."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from brand_visibility.adapters import settings
from brand_visibility.adapters.settings import PREFIX, Settings, read_settings
from brand_visibility.cli import cli

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
DOCUMENTS = sorted(
    path.relative_to(ROOT).as_posix()
    for path in [README, ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
)
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*.md"))

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^ *```.*?\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`\n]+)`")
TREES = ("assets/", "resources/", "brand_visibility/", "docs/", "examples/", "tests/")


def text_of(document: str) -> str:
    return (ROOT / document).read_text("utf-8")


def code_of(text: str) -> str:
    """Return what is in code blocks and code spans, a continued line as one."""
    blocks = FENCE.findall(text)
    spans = INLINE.findall(FENCE.sub("", text))
    return "\n".join([*blocks, *spans]).replace("\\\n", " ")


def anchors_of(path: Path) -> set[str]:
    """Return the anchors of a document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", path.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def commands_in(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each command that is named, and the options given to it on the same line."""
    for line in code_of(text).splitlines():
        # What follows a bare `--` belongs to another program.
        own = line.split(" -- ")[0].split("#")[0]
        found = re.search(r"brand-visibility ([a-z][a-z-]*)(.*)", own)
        if found:
            yield found[1], re.findall(r"(?<!\S)--[a-z][a-z-]*", found[2])


def known_options(name: str) -> set[str]:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    names = {option for parameter in command.params for option in parameter.opts}
    return {*names, "--help"}


def make_targets() -> set[str]:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    return set(re.findall(r"^([a-z][a-z-]*):(?!=)", makefile, re.MULTILINE))


def variables_in(text: str) -> dict[str, str]:
    return dict(re.findall(rf"^# ({PREFIX}[A-Z_]+)=(.*)$", text, re.MULTILINE))


def test_the_readme_is_read_in_one_sitting() -> None:
    assert len(README.read_text("utf-8").splitlines()) <= 150


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_relative_link_and_image_leads_somewhere(document: str) -> None:
    broken = []
    for target in LINK.findall(text_of(document)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        aimed = (ROOT / document).parent / path if path else ROOT / document
        if not aimed.exists() or (anchor and anchor not in anchors_of(aimed)):
            broken.append(target)

    assert broken == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_path_that_is_named_exists(document: str) -> None:
    spans = INLINE.findall(FENCE.sub("", text_of(document)))
    paths = [span for span in spans if span.startswith(TREES) and re.fullmatch(r"[\w./-]+", span)]

    assert [path for path in paths if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_command_that_is_named_exists_with_its_options(document: str) -> None:
    known = set(cli.list_commands(click.Context(cli)))
    unknown = []
    for name, options in commands_in(text_of(document)):
        strange = set(options) - known_options(name) if name in known else {name}
        unknown += [f"{name} {option}" for option in strange]

    assert unknown == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_make_target_that_is_named_exists(document: str) -> None:
    named = set(re.findall(r"(?:^|\s)make ([a-z][a-z-]*)", code_of(text_of(document))))

    assert named - make_targets() == set()


def test_the_readme_shows_the_first_three_targets_and_both_tools() -> None:
    text = README.read_text("utf-8")

    assert {"make demo", "make test", "make ui"} <= set(re.findall(r"make [a-z]+", text))
    assert {"ask", "read", "check", "simulate"} <= {name for name, _ in commands_in(text)}


def test_the_example_environment_names_every_variable_and_no_other() -> None:
    fields = {PREFIX + name.upper() for name in Settings.model_fields}
    constants = {
        value
        for value in vars(settings).values()
        if isinstance(value, str) and value.startswith(PREFIX) and value != PREFIX
    }

    assert set(variables_in(text_of(".env.example"))) == fields | constants


def test_the_example_environment_shows_the_defaults() -> None:
    assert read_settings(variables_in(text_of(".env.example"))) == read_settings({})


def test_the_example_environment_sets_nothing_by_itself() -> None:
    lines = text_of(".env.example").splitlines()

    assert [line for line in lines if line and not line.startswith("#")] == []


def test_decisions_are_numbered_without_a_gap() -> None:
    numbers = [int(path.name[:4]) for path in DECISIONS]

    assert numbers == list(range(1, len(DECISIONS) + 1))
    assert len(DECISIONS) > 0


@pytest.mark.parametrize("path", DECISIONS, ids=lambda path: path.stem)
def test_a_decision_is_one_page_with_context_decision_and_consequences(path: Path) -> None:
    text = path.read_text("utf-8")
    title, *sections = re.findall(r"^#+ (.+)$", text, re.MULTILINE)

    assert title.startswith(f"{int(path.name[:4])}. ")
    assert sections == ["Context", "Decision", "Consequences"]
    assert len(text.splitlines()) <= 60
