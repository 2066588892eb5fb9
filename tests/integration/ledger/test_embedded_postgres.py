"""The embedded server: where it can live, and how long."""

import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from brand_visibility.adapters.embedded_postgres import embedded_postgres
from brand_visibility.domain.errors import PermanentError

pytestmark = pytest.mark.integration

JOIN = """
import sys
from pathlib import Path
import psycopg
from brand_visibility.adapters.embedded_postgres import embedded_postgres
with embedded_postgres(Path(sys.argv[1])) as url, psycopg.connect(url) as session:
    print(session.execute("SELECT count(*) FROM kept").fetchone()[0])
"""


def is_up(url: str) -> bool:
    try:
        with psycopg.connect(url, connect_timeout=2):
            return True
    except psycopg.OperationalError:
        return False


def test_it_stops_with_its_last_holder_and_keeps_its_data(tmp_path: Path) -> None:
    with embedded_postgres(tmp_path / "data") as url:
        with psycopg.connect(url) as session:
            session.execute("CREATE TABLE kept AS SELECT 1")
        joined = subprocess.run(
            [sys.executable, "-c", JOIN, str(tmp_path / "data")],
            capture_output=True,
            text=True,
            check=True,
        )
        assert joined.stdout.strip() == "1"
        assert is_up(url)

    assert not is_up(url)


def test_a_path_longer_than_a_socket_may_be_is_no_obstacle(tmp_path: Path) -> None:
    deep = tmp_path / ("a" * 60) / ("b" * 60) / "data"

    with embedded_postgres(deep) as url:
        assert is_up(url)


def test_its_environment_is_left_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/somewhere")

    with embedded_postgres(tmp_path / "data"):
        assert os.environ["XDG_RUNTIME_DIR"] == "/somewhere"


def test_a_runtime_folder_that_somebody_else_laid_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap = tmp_path / "temporary"
    trap.mkdir()
    (trap / f"brand-visibility-{os.geteuid()}").symlink_to("/")
    monkeypatch.setattr("tempfile.tempdir", str(trap))

    with (
        pytest.raises(PermanentError, match="expected one of user"),
        embedded_postgres(tmp_path / "data"),
    ):
        pytest.fail("it started")
