"""Files that are missing, broken or written by other tools; directories; the order of faults."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from catalog_files import Edit, apply, faults_of

from brand_visibility.adapters.catalog.loader import (
    FILES,
    load_brands,
    load_catalog,
    load_platforms,
)
from brand_visibility.domain.errors import CatalogError

YAML_FILES = [name for name in FILES if name.endswith(".yaml")]


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_one_fault(catalog: Path, name: str) -> None:
    (catalog / name).unlink()
    (fault,) = faults_of(catalog)
    assert (fault.file, fault.place, fault.found) == (str(catalog / name), "", "no such file")


@pytest.mark.parametrize("name", FILES)
def test_a_directory_in_place_of_a_file_is_one_fault(catalog: Path, name: str) -> None:
    (catalog / name).unlink()
    (catalog / name).mkdir()
    (fault,) = faults_of(catalog)
    assert (fault.file, fault.found) == (str(catalog / name), "Is a directory")


def test_a_missing_directory_is_one_fault(tmp_path: Path) -> None:
    (fault,) = faults_of(tmp_path / "nowhere")
    assert (fault.file, fault.found) == (str(tmp_path / "nowhere"), "no such directory")


@pytest.mark.parametrize("name", FILES)
def test_a_byte_order_mark_is_tolerated(catalog: Path, name: str) -> None:
    path = catalog / name
    version = load_catalog(catalog).version
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert load_catalog(catalog).version == version


@pytest.mark.parametrize("name", FILES)
def test_line_ends_of_another_system_are_tolerated(catalog: Path, name: str) -> None:
    path = catalog / name
    version = load_catalog(catalog).version
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert load_catalog(catalog).version == version


@pytest.mark.parametrize("name", YAML_FILES)
def test_a_yaml_file_in_another_encoding_is_one_fault(catalog: Path, name: str) -> None:
    path = catalog / name
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([*lines[:2], "# 扫地机器人".encode("gbk"), *lines[2:]]))
    (fault,) = faults_of(catalog)
    assert (fault.place, fault.found) == ("line 3", "bytes that are not UTF-8")


@pytest.mark.parametrize(
    ("content", "place", "found"),
    [
        ("brands: [", "line 2", "a syntax error"),
        ("brands:\n\t- x", "line 2", "a syntax error"),
        ("brands: [\x00]", "line 1", "a syntax error"),
        ("--- a\n--- b", "line 2", "a syntax error"),
        ("[" * 100_000, "line 1", "a syntax error"),
        ("brands: " + "[" * 30 + "]" * 30, "line 1, brands[0][0]", "deep nesting"),
        ("&a [*a]", "line 1, [0]", "a YAML alias"),
        ("brands: !!python/name:os.system x", "line 1, brands", "a YAML tag"),
        ("brands: !!int many", "line 1, brands", "a YAML tag"),
        ("brands: 9999999999999999999", "line 1, brands", "a huge number"),
        ("brands: 1e999", "line 1, brands", "a huge number"),
        ("{7: x}", "line 1", "a key that is not text"),
        ("? [a, b]\n: c", "line 1", "a key that is not text"),
        ("", "", "an empty file"),
        ("# nothing\n", "", "an empty file"),
        ("just a text", "line 1", "'just a text'"),
        ("brands: []", "line 1, brands", "an empty list"),
        ("brands:", "line 1, brands", "no value"),
        ("decoys: []", "line 1, brands", "no value"),
    ],
)
def test_broken_yaml_is_a_fault_with_its_line(
    tmp_path: Path, content: str, place: str, found: str
) -> None:
    (tmp_path / "brands.yaml").write_text(content, encoding="utf-8")
    with pytest.raises(CatalogError) as caught:
        load_brands(tmp_path)
    fault = caught.value.faults[0]
    assert fault.place.startswith(place)
    assert fault.found.startswith(found)


def test_faults_come_in_file_order_then_by_line(catalog: Path) -> None:
    apply(catalog, Edit("questions.csv", "rv-02,robot-vacuum", "rv-02,mops"))
    apply(catalog, Edit("tenants.yaml", "weight: 2", "weight: -1"))
    apply(catalog, Edit("platforms.yaml", "adapter: hunyuan", "adapter: telex"))
    apply(catalog, Edit("brands.yaml", "competitors: [aito, nio]", "competitors: [nobody]"))
    apply(catalog, Edit("brands.yaml", "name: 石头科技", "name: 7"))
    apply(catalog, Edit("brands.yaml", "decoys: [小米粥,", "decoys: [8,"))

    files = [Path(fault.file).name for fault in faults_of(catalog)]
    lines = [int(fault.place.split(",")[0].split()[1]) for fault in faults_of(catalog)]

    assert files == [
        "tenants.yaml",
        *["brands.yaml"] * 3,
        "platforms.yaml",
        "questions.csv",
    ]
    assert lines[1:4] == sorted(lines[1:4])


def test_an_invalid_brand_is_still_known_as_a_competitor(catalog: Path) -> None:
    apply(catalog, Edit("brands.yaml", "name: 石头科技", "name: 7"))
    (fault,) = faults_of(catalog)
    assert fault.place.endswith("brands[0].name")


def test_brands_load_without_any_other_file(catalog: Path) -> None:
    expected = load_catalog(catalog)
    for name in FILES:
        if name != "brands.yaml":
            (catalog / name).unlink()
    brands, decoys = load_brands(catalog)
    assert (brands, decoys) == (expected.brands, expected.decoys)


@pytest.mark.parametrize(
    ("edit", "found"),
    [
        (Edit("topics.yaml", "topic_id: crm", "topic_id: erp"), "the unknown topic 'crm'"),
        (Edit("tenants.yaml", "id: meridian", "id: equator"), "the unknown tenant 'meridian'"),
    ],
)
def test_brands_are_checked_against_the_files_that_are_present(
    catalog: Path, edit: Edit, found: str
) -> None:
    apply(catalog, edit)
    with pytest.raises(CatalogError) as caught:
        load_brands(catalog)
    assert {fault.found for fault in caught.value.faults} == {found}


def test_platforms_load_without_any_other_file_and_so_without_prices(
    catalog: Path, tmp_path: Path
) -> None:
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copy(catalog / "platforms.yaml", alone)
    whole = load_catalog(catalog).platforms
    assert load_platforms(alone) == tuple(replace(platform, prices=()) for platform in whole)


def test_platforms_alone_report_their_faults(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match=r"platforms\.yaml: found no such file"):
        load_platforms(tmp_path)
