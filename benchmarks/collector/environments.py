"""A virtual environment for each peer, made from its pinned requirements and kept."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

_HERE = Path(__file__).resolve().parent
PEERS = _HERE / "peers"
ENVIRONMENTS = _HERE / ".envs"
_LIMIT_S = 600


@dataclass(frozen=True, slots=True)
class Peer:
    """A script of `peers`, how it is called in the table, and its settings in words."""

    name: str
    title: str

    @property
    def script(self) -> Path:
        return PEERS / f"{self.name}.py"

    @property
    def requirements(self) -> Path:
        return PEERS / "requirements" / f"{self.name}.txt"

    @property
    def python(self) -> Path:
        return ENVIRONMENTS / self.name / "bin" / "python"


ALL_PEERS = (
    Peer("openai_semaphore", "openai SDK 3.57 + Semaphore(200)"),
    Peer("openai_aiolimiter", "openai SDK 3.57 + aiolimiter(200, 1)"),
    Peer("httpx_tenacity", "httpx 0.28 + aiolimiter, tenacity inside the slot"),
    Peer("async_batch_llm_peer", "async-batch-llm 0.28 (12,000 rpm, burst 1 s)"),
    Peer("flexllm_peer", "flexllm 0.17.10 (max_qps 200)"),
    Peer("curator", "bespokelabs-curator 0.1.31 (12,000 rpm)"),
)


def prepare(peer: Peer) -> str | None:
    """Make the peer's environment unless it stands, and return None or what went wrong."""
    folder = ENVIRONMENTS / peer.name
    ready = folder / ".ready"
    wanted = peer.requirements.read_text(encoding="utf-8")
    if ready.exists() and ready.read_text(encoding="utf-8") == wanted:
        return None
    try:
        _run([sys.executable, "-m", "venv", "--clear", str(folder)])
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
