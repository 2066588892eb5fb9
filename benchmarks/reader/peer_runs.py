"""Runs of the peers: a job goes to a peer's process, places and costs come back."""

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.common.environments import Peer, prepare
from benchmarks.reader.scoring import Place

_HERE = Path(__file__).resolve().parent
_LIMIT_S = 600

ALL_PEERS = (
    Peer(_HERE, "spacy_matcher", "spaCy 3.8 PhraseMatcher"),
    Peer(_HERE, "flashtext_peer", "flashtext2 1.1"),
)


@dataclass(frozen=True, slots=True)
class PeerRun:
    """What a peer found in each text, and the CPU seconds of building and of finding."""

    title: str
    found: list[list[Place]]
    build_s: float
    find_s: float


def run_peer(
    peer: Peer, aliases: Sequence[tuple[str, str]], texts: Sequence[tuple[str, str]]
) -> PeerRun | str:
    """Return the run over texts, each after its language, or why there is none."""
    problem = prepare(peer)
    if problem is not None:
        return problem
    job = {
        "aliases": aliases,
        "texts": [{"language": language, "text": text} for language, text in texts],
    }
    done = subprocess.run(
        [str(peer.python), str(peer.script)],
        input=json.dumps(job),
        capture_output=True,
        text=True,
        timeout=_LIMIT_S,
        check=False,
    )
    if done.returncode != 0:
        return f"exit code {done.returncode}: {done.stderr.strip()[-200:]}"
    result = json.loads(done.stdout)
    found = [[Place(*place) for place in places] for places in result["found"]]
    return PeerRun(peer.title, found, result["build_s"], result["find_s"])
