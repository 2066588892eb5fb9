"""Part b: WNUT-17, with and without the alias lint's advice.

The gazetteer has the companies and products that the gold of the development part names,
each a brand of its own with one safe alias. That is as careless as a gazetteer can be.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.common.table import Bound, Target, markdown, target_table
from benchmarks.reader.collected import TaggedSentence, load_answers, load_sentences
from benchmarks.reader.scoring import Place, Score, places, score, total
from brand_visibility.domain.catalog import Alias, Brand
from brand_visibility.reading.gazetteer import Gazetteer, build_gazetteer
from brand_visibility.reading.lint import lint_aliases, take_advice
from brand_visibility.reading.reader import read_answer

_HEAD = ("aliases", "advised", "right", "wrong", "missed", "precision", "recall", "F1")


@dataclass(frozen=True, slots=True)
class Setting:
    """A gazetteer, how it is called in the table, and how many aliases had advice."""

    title: str
    gazetteer: Gazetteer
    advised: int


def measure_part(data: Path) -> str:
    """Read the development sentences in each setting and return the part's section."""
    sentences = load_sentences(data, "dev")
    settings = _settings(data, _brands(sentences))
    scores = [_score(sentences, setting.gazetteer) for setting in settings]
    plain, advised = scores[0], scores[-1]
    rows = [_row(setting, one) for setting, one in zip(settings, scores, strict=True)]
    targets = [
        Target("precision with advice", advised.precision, Bound.AT_LEAST, 0.85, digits=2),
        Target(
            "recall that advice may cost", plain.recall - advised.recall, Bound.AT_MOST, 0.1, "", 2
        ),
    ]
    sections = [markdown(_HEAD, rows), _unmarked(sentences, settings[0], plain)]
    return "\n\n".join([*sections, target_table(targets)])


def _settings(data: Path, brands: Sequence[Brand]) -> list[Setting]:
    gazetteer = build_gazetteer(brands)
    train = [sentence.text for sentence in load_sentences(data, "train")]
    answers = [answer.text for answer in load_answers(data, "en")]
    return [
        Setting("as they are", gazetteer, 0),
        _advised("linted without a background", brands, gazetteer, ()),
        _advised(f"linted on {len(answers):,} answers", brands, gazetteer, answers),
        _advised(f"linted on {len(train):,} training sentences", brands, gazetteer, train),
        _advised("linted on both", brands, gazetteer, [*train, *answers]),
    ]


def _advised(
    title: str, brands: Sequence[Brand], gazetteer: Gazetteer, background: Iterable[str]
) -> Setting:
    findings = lint_aliases(gazetteer, background)
    advised = {(finding.brand_id, finding.alias) for finding in findings}
    return Setting(title, build_gazetteer(take_advice(brands, findings)), len(advised))


def _brands(sentences: Iterable[TaggedSentence]) -> list[Brand]:
    names = {
        sentence.text[start:end].lower(): sentence.text[start:end]
        for sentence in sentences
        for start, end in sentence.names
    }
    return [Brand(key, "wnut", name, (Alias(name),), ()) for key, name in sorted(names.items())]


def _score(sentences: Iterable[TaggedSentence], gazetteer: Gazetteer) -> Score:
    return total(
        score(_gold(sentence), places(read_answer(sentence.text, gazetteer).mentions))
        for sentence in sentences
    )


def _gold(sentence: TaggedSentence) -> list[Place]:
    return [Place(sentence.text[start:end].lower(), start, end) for start, end in sentence.names]


def _row(setting: Setting, one: Score) -> list[str]:
    return [
        setting.title,
        f"{setting.advised} of {len(setting.gazetteer.brands)}",
        *(f"{count:,}" for count in (one.right, one.wrong, one.missed)),
        *(f"{rate:.3f}" for rate in (one.precision, one.recall, one.f1)),
    ]


def _unmarked(sentences: Iterable[TaggedSentence], setting: Setting, plain: Score) -> str:
    """Say how many wrong finds are written exactly like a name that gold marks elsewhere."""
    known = {sentence.text[start:end] for sentence in sentences for start, end in sentence.names}
    alike = sum(
        mention.surface in known
        for sentence in sentences
        for mention in read_answer(sentence.text, setting.gazetteer).mentions
        if not score(_gold(sentence), places([mention])).right
    )
    return (
        f"Of the {plain.wrong:,} wrong finds without advice {alike:,} are written exactly, capitals"
        " included, as gold marks the same name elsewhere; the others differ from it in case."
    )
