"""A virtual environment for each peer, made from its pinned requirements and kept."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

_LIMIT_S = 600


@dataclass(frozen=True, slots=True)
class Peer:
    """A script of the folder's `peers`, how it is called in the table, and its settings."""

    folder: Path
    name: str
    title: str

    @property
    def script(self) -> Path:
        return self.folder / "peers" / f"{self.name}.py"

    @property
    def requirements(self) -> Path:
        return self.folder / "peers" / "requirements" / f"{self.name}.txt"

    @property
    def environment(self) -> Path:
        return self.folder / ".envs" / self.name

    @property
    def python(self) -> Path:
        return self.environment / "bin" / "python"


def prepare(peer: Peer) -> str | None:
    """Make the peer's environment unless it stands, and return None or what went wrong."""
    ready = peer.environment / ".ready"
    wanted = peer.requirements.read_text(encoding="utf-8")
    if ready.exists() and ready.read_text(encoding="utf-8") == wanted:
        return None
    try:
        _run([sys.executable, "-m", "venv", "--clear", str(peer.environment)])
        _run([str(peer.python), *_INSTALL, "-r", str(peer.requirements)])
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        return f"could not be installed: {_last_line(error)}"
    ready.write_text(wanted, encoding="utf-8")
    return None


_INSTALL = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, capture_output=True, text=True, timeout=_LIMIT_S)


def _last_line(error: subprocess.CalledProcessError | subprocess.TimeoutExpired) -> str:
    said = error.stderr if isinstance(error.stderr, str) else ""
    return next(iter(reversed(said.strip().splitlines())), f"no answer within {_LIMIT_S} s")
