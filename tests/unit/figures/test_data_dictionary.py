"""The data dictionary: of what the schemas say now, and of every dataset."""

from pathlib import Path

from brand_visibility.adapters.data_dictionary import data_dictionary, dataset_meanings
from brand_visibility.adapters.lake.schemas import DATASETS


def test_the_committed_page_is_what_the_schemas_say(repository: Path) -> None:
    page = (repository / "docs" / "data-dictionary.md").read_text(encoding="utf-8")

    assert page == data_dictionary(), (
        "make it anew: brand-visibility dictionary > docs/data-dictionary.md"
    )


def test_every_dataset_and_column_has_a_meaning() -> None:
    page = data_dictionary()

    assert set(dataset_meanings()) == {one.name for one in DATASETS}
    for dataset in DATASETS:
        section = page.partition(f"## {dataset.name}\n")[2].partition("\n## ")[0]
        for field in dataset.schema:
            assert f"| `{field.name}` |" in section
            assert field.metadata[b"description"].decode().endswith(".")
