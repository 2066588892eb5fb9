"""A gazetteer is kept with what was read by it, and gives the same reading later."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brand_visibility.adapters.gazetteer_files import keep_gazetteer, kept_gazetteer
from brand_visibility.domain.catalog import Alias, AliasPolicy, Brand
from brand_visibility.domain.errors import InputError
from brand_visibility.reading.gazetteer import build_gazetteer
from brand_visibility.reading.reader import read_answer

APPLE = Brand(
    "apple",
    "acme",
    "苹果",
    (
        Alias("苹果", AliasPolicy.GUARDED, context_any=("手机",)),
        Alias("Apple", is_case_sensitive=True),
    ),
    ("phones",),
    ("apple.com",),
    decoys=("苹果汁",),
)
TEXT = "苹果手机和苹果汁, Apple, see https://apple.com/x"


def test_a_kept_gazetteer_reads_as_it_did(tmp_path: Path) -> None:
    gazetteer = build_gazetteer([APPLE], ["apple pie"])
    keep_gazetteer(tmp_path, gazetteer)

    kept = kept_gazetteer(tmp_path, gazetteer.hash)

    assert (kept.hash, kept.brands, kept.decoys) == (gazetteer.hash, (APPLE,), ("apple pie",))
    assert read_answer(TEXT, kept) == read_answer(TEXT, gazetteer)


def test_what_is_kept_is_never_written_again(tmp_path: Path) -> None:
    gazetteer = build_gazetteer([APPLE])
    path = keep_gazetteer(tmp_path, gazetteer)
    written = path.stat().st_mtime_ns

    assert keep_gazetteer(tmp_path, gazetteer) == path
    assert path.stat().st_mtime_ns == written


def test_an_edited_catalog_leaves_the_earlier_gazetteer_as_it_was(tmp_path: Path) -> None:
    earlier, later = build_gazetteer([APPLE]), build_gazetteer([])
    for gazetteer in (earlier, later):
        keep_gazetteer(tmp_path, gazetteer)

    assert read_answer(TEXT, kept_gazetteer(tmp_path, earlier.hash)).mentions
    assert not read_answer(TEXT, kept_gazetteer(tmp_path, later.hash)).mentions


@pytest.mark.parametrize(
    ("gazetteer_hash", "message"),
    [
        ("0" * 32, "no such file"),
        ("../../etc/passwd", "32 hexadecimal digits"),
        ("", "32 hexadecimal digits"),
    ],
)
def test_a_gazetteer_that_was_never_kept_is_an_error(
    tmp_path: Path, gazetteer_hash: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        kept_gazetteer(tmp_path, gazetteer_hash)


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"brands": [{}], "decoys": []}', '{"brands": [], "decoys": [1]}']
)
def test_a_damaged_file_is_an_error_that_names_it(tmp_path: Path, content: str) -> None:
    path = keep_gazetteer(tmp_path, build_gazetteer([APPLE]))
    path.write_text(content, encoding="utf-8")

    with pytest.raises(InputError, match=path.name):
        kept_gazetteer(tmp_path, path.stem)


def test_a_file_of_other_content_is_not_taken_for_what_its_name_says(tmp_path: Path) -> None:
    path = keep_gazetteer(tmp_path, build_gazetteer([APPLE]))
    document = json.loads(path.read_text(encoding="utf-8"))
    document["brands"][0]["decoys"] = []
    path.write_text(json.dumps(document), encoding="utf-8")

    with pytest.raises(InputError, match="expected the one that its name says"):
        kept_gazetteer(tmp_path, path.stem)


@given(st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=4, unique=True))
def test_any_aliases_come_back_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, names: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("lake")
    names = [name.encode("utf-8", "replace").decode() for name in names]
    brand = Brand("b", "t", "B", tuple(map(Alias, names)), ("x",))
    gazetteer = build_gazetteer([brand])
    keep_gazetteer(folder, gazetteer)

    assert kept_gazetteer(folder, gazetteer.hash).brands == (brand,)
