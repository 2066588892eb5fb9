"""Part c: the labelled passages, read by this reader, by public rules and by peers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.common.table import Bound, Target, markdown, target_table
from benchmarks.reader.gazetteers import passage_gazetteer
from benchmarks.reader.passages import (
    KINDS,
    Passage,
    Tally,
    load_passages,
    reader_finder,
    score_passages,
    tally,
)
from benchmarks.reader.peer_runs import ALL_PEERS, PeerRun, run_peer
from benchmarks.reader.rules import PUBLIC_RULES, aliases_of
from benchmarks.reader.scoring import Score, score

Scored = Sequence[tuple[Passage, Score]]


@dataclass(frozen=True, slots=True)
class _Contestants:
    """Every way to read with its scores, this project's reader first, and what could not run."""

    scored: Mapping[str, Scored]
    remarks: tuple[str, ...]


def measure_part(*, with_peers: bool) -> str:
    """Read all passages in every way and return the part's section."""
    contestants = _read_all(load_passages(), with_peers=with_peers)
    ours = next(iter(contestants.scored.values()))
    sections = [
        _overall(contestants.scored),
        "Passages without any fault, by kind:",
        _by_kind(contestants.scored),
        "This reader, by kind and language:",
        _ours_by_kind(ours),
        *contestants.remarks,
        target_table(_targets(contestants.scored, ours)),
    ]
    return "\n\n".join(sections)


def _read_all(passages: list[Passage], *, with_peers: bool) -> _Contestants:
    gazetteer = passage_gazetteer()
    scored: dict[str, Scored] = {"**this reader**": score_passages(passages, reader_finder())}
    for name, build in PUBLIC_RULES.items():
        rule = build(gazetteer)
        scored[name] = [(one, score(one.gold, rule(one.text))) for one in passages]
    remarks: list[str] = []
    texts = [(passage.language, passage.text) for passage in passages]
    for peer in ALL_PEERS if with_peers else ():
        run = run_peer(peer, aliases_of(gazetteer), texts)
        if isinstance(run, PeerRun):
            scored[run.title] = [
                (one, score(one.gold, found))
                for one, found in zip(passages, run.found, strict=True)
            ]
        else:
            remarks.append(f"{peer.title}: {run}")
    return _Contestants(scored, tuple(remarks))


_Choice = Callable[[Passage], bool]

_CHOICES: Mapping[str, _Choice] = {
    "all": lambda _: True,
    "English": lambda passage: passage.language == "en",
    "Chinese": lambda passage: passage.language == "zh",
    "held out": lambda passage: passage.is_held_out,
    "not held out": lambda passage: not passage.is_held_out,
}


def _of(kind: str, language: str | None = None) -> _Choice:
    return lambda passage: passage.kind == kind and language in (None, passage.language)


def _chosen(scored: Scored, choice: _Choice) -> Tally:
    return tally((passage, one) for passage, one in scored if choice(passage))


def _overall(scored: Mapping[str, Scored]) -> str:
    head = ("", "passages", "names", "without a fault", "precision", "recall", "F1")
    rows = [
        _row(f"{name}, {chosen}" if chosen != "all" else name, _chosen(one, choice))
        for name, one in scored.items()
        for chosen, choice in _CHOICES.items()
        if chosen == "all" or name == "**this reader**"
    ]
    return markdown(head, rows)


def _row(name: str, found: Tally) -> list[str]:
    one = found.score
    return [
        name,
        f"{found.passages}",
        f"{one.right + one.missed}",
        f"{found.faultless} ({100 * found.faultless_rate:.0f} %)",
        *(f"{rate:.3f}" for rate in (one.precision, one.recall, one.f1)),
    ]


def _by_kind(scored: Mapping[str, Scored]) -> str:
    rows = []
    for kind, title in KINDS.items():
        tallies = [_chosen(one, _of(kind)) for one in scored.values()]
        rows.append([title, f"{tallies[0].passages}", *(f"{one.faultless}" for one in tallies)])
    return markdown(("kind", "passages", *scored), rows)


def _ours_by_kind(ours: Scored) -> str:
    head = ("kind", "passages", "names", "without a fault", "precision", "recall", "F1")
    rows = []
    for kind, title in KINDS.items():
        for language in ("en", "zh"):
            here = _chosen(ours, _of(kind, language))
            rows.append(_row(f"{title}, {language}", here))
    return markdown(head, rows)


def _targets(scored: Mapping[str, Scored], ours: Scored) -> list[Target]:
    all_ours = tally(ours).score
    best_other = max(tally(one).score.f1 for one in list(scored.values())[1:])
    return [
        Target("precision", all_ours.precision, Bound.AT_LEAST, 0.95, digits=3),
        Target("recall", all_ours.recall, Bound.AT_LEAST, 0.95, digits=3),
        Target("F1 above the best other", all_ours.f1 - best_other, Bound.AT_LEAST, 0.1, "", 3),
    ]
