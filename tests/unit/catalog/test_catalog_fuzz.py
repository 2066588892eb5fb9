"""Whatever a file holds, a catalog loads or is refused with faults; nothing else is raised."""

import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from catalog_files import EXAMPLE
from hypothesis import given, settings
from hypothesis import strategies as st

from brand_visibility.adapters.catalog.loader import (
    BRANDS_FILE,
    FILES,
    PLATFORMS_FILE,
    PRICES_FILE,
    load_brands,
    load_catalog,
    load_platforms,
)
from brand_visibility.adapters.catalog.models import AliasEntry, BrandEntry
from brand_visibility.adapters.catalog.platform_models import PlatformEntry
from brand_visibility.domain.errors import CatalogError

# Text that a parser may stumble over, denser than random characters.
shards = st.sampled_from(
    [
        *"{}[]:,-?!&*#|>%@`\"'\n\t\r \x00\ufeff\u2028",
        "a: ",
        "- ",
        "&x ",
        "*x",
        "<<: ",
        "!!binary ",
        "---\n",
        "...\n",
        "brands:\n",
        "platforms:\n",
        "decoys: ",
        "question_id,topic_id,kind,language,priority,repeats,text\n",
        '"',
        '""',
        "rv-1,crm,brand,,,,{brand}\n",
        "石头",
        "1e400",
        "0x1F",
        "\\ud800",
    ]
)
texts = st.one_of(st.lists(shards, max_size=40).map("".join), st.text(max_size=80))
contents = st.one_of(
    texts.map(lambda text: text.encode("utf-8", "replace")), st.binary(max_size=80)
)

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=6),
    st.sampled_from(["https://[", "http://a:99999", "sk-1", "guarded", "simulator", "a.b"]),
)
FIELDS = [*BrandEntry.model_fields, *AliasEntry.model_fields, *PlatformEntry.model_fields]
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(FIELDS), inner, max_size=8),
    ),
    max_leaves=25,
)


@pytest.mark.parametrize("name", [*FILES, PRICES_FILE])
@settings(max_examples=60, deadline=None)
@given(content=contents)
def test_any_content_of_a_file_is_refused_with_faults(name: str, content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for file in EXAMPLE.iterdir():
            (Path(folder) / file.name).write_bytes(file.read_bytes())
        (Path(folder) / name).write_bytes(content)
        with pytest.raises(CatalogError) as caught:
            load_catalog(Path(folder), {})
    assert caught.value.faults
    assert all("\n" not in str(fault) for fault in caught.value.faults)


@settings(max_examples=150, deadline=None)
@given(entries=st.lists(values, max_size=3), decoys=values)
def test_any_values_are_accepted_or_refused_with_faults(entries: object, decoys: object) -> None:
    with tempfile.TemporaryDirectory() as folder:
        brands = {"brands": entries, "decoys": decoys}
        (Path(folder) / BRANDS_FILE).write_text(json.dumps(brands))
        (Path(folder) / PLATFORMS_FILE).write_text(json.dumps({"platforms": entries}))
        assert all(_loads_or_refuses(load, Path(folder)) for load in (load_brands, load_platforms))


def _loads_or_refuses(load: Callable[[Path], object], folder: Path) -> bool:
    try:
        return bool(load(folder))
    except CatalogError as error:
        return bool(error.faults)


def test_fifty_thousand_questions_load_within_three_seconds(catalog: Path) -> None:
    path = catalog / "questions.csv"
    header = path.read_text(encoding="utf-8").splitlines()[0]
    rows = (f"q-{number},crm,,en,1,2,Which CRM for {number} people?" for number in range(50_000))
    others = ("a,robot-vacuum,,,,,哪个好？", "b,new-energy-car,,,,,哪个好？")
    path.write_text("\n".join((header, *others, *rows)), encoding="utf-8")

    started = time.process_time()
    loaded = load_catalog(catalog)
    elapsed = time.process_time() - started

    assert len(loaded.questions) == 50_002
    assert elapsed < 3
