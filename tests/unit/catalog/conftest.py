"""A copy of the example catalog to break, one edit at a time."""

import shutil
from pathlib import Path

import pytest
from catalog_files import EXAMPLE


@pytest.fixture
def catalog(tmp_path: Path) -> Path:
    return Path(shutil.copytree(EXAMPLE, tmp_path / "catalog"))
