"""The parts of the reader's benchmark that compute: corpus, tagged sentences, rules, page."""

from pathlib import Path

import pytest

from benchmarks.common.environments import Peer
from benchmarks.common.readme import replace_section
from benchmarks.reader.__main__ import PARTS, README
from benchmarks.reader.collected import DataMissingError, load_answers, load_sentences
from benchmarks.reader.corpus import make_brands, make_corpus
from benchmarks.reader.gazetteers import plain_gazetteer
from benchmarks.reader.peer_runs import ALL_PEERS
from benchmarks.reader.rules import Rule, automaton_rule, substring_rule, word_rule
from benchmarks.reader.speed_run import SpeedReport
from brand_visibility.reading.gazetteer import build_gazetteer
from brand_visibility.reading.reader import read_answer

_ENGLISH = ["It was a bright cold day in April. " * 200]
_CHINESE = ["春眠不觉晓，处处闻啼鸟。" * 600]


@pytest.mark.parametrize("name", PARTS)
def test_the_page_has_a_section_for_every_part_of_the_reader(name: str) -> None:
    page = README.read_text(encoding="utf-8")

    assert "measured" in replace_section(page, name, "measured")


@pytest.mark.parametrize("peer", ALL_PEERS, ids=lambda peer: peer.name)
def test_a_peer_of_the_reader_has_a_script_and_pinned_requirements(peer: Peer) -> None:
    lines = peer.requirements.read_text(encoding="utf-8").split()

    assert peer.script.is_file()
    assert lines
    assert all("==" in line for line in lines)


def test_made_up_brands_share_no_alias() -> None:
    brands = make_brands(30_000)
    aliases = [alias.text for brand in brands for alias in brand.aliases]

    assert len(set(aliases)) == len(aliases) == 120_000
    assert len({brand.brand_id for brand in brands}) == 30_000


@pytest.mark.parametrize("length", [1_500, 1_643, 5_000])
def test_a_corpus_is_the_same_every_time_and_of_the_length_asked_for(length: int) -> None:
    corpus = make_corpus(_ENGLISH, _CHINESE, 50)

    answers = corpus.answers(9, length)

    assert answers == make_corpus(_ENGLISH, _CHINESE, 50).answers(9, length)
    assert len(set(answers)) == 9
    assert {len(answer) for answer in answers} == {length}


def test_a_corpus_is_english_chinese_and_mixed_in_turn() -> None:
    english, chinese, mixed = make_corpus(_ENGLISH, _CHINESE, 50).answers(3, 1_643)

    assert "春眠" not in english
    assert "April" not in chinese
    assert "春眠" in mixed
    assert "April" in mixed


def test_the_brands_of_a_corpus_are_found_in_every_answer() -> None:
    corpus = make_corpus(_ENGLISH, _CHINESE, 50)
    gazetteer = build_gazetteer(corpus.brands)

    counts = [len(read_answer(text, gazetteer).mentions) for text in corpus.answers(30, 1_643)]

    assert min(counts) >= 4
    assert sum(counts) / len(counts) > 6


def test_names_of_companies_and_products_are_read_from_tagged_sentences(tmp_path: Path) -> None:
    tagged = [
        "Buy\tO", "Apple\tB-corporation", "Watch\tB-product", "Ultra\tI-product", "in\tO",
        "Paris\tB-location", "", "", "No\tO", "name\tO",
    ]  # fmt: skip
    (tmp_path / "wnut17_dev.conll").write_text("\n".join(tagged), encoding="utf-8")

    named, plain = load_sentences(tmp_path, "dev")

    assert named.text == "Buy Apple Watch Ultra in Paris"
    assert [named.text[start:end] for start, end in named.names] == ["Apple", "Watch Ultra"]
    assert plain.names == ()


def test_collected_texts_that_are_not_at_hand_are_named(tmp_path: Path) -> None:
    with pytest.raises(DataMissingError, match="not at hand"):
        load_answers(tmp_path, "en")
    with pytest.raises(DataMissingError, match=r"wnut17_dev\.conll is not at hand"):
        load_sentences(tmp_path, "dev")


def test_collected_answers_know_their_file_and_line(tmp_path: Path) -> None:
    lines = ['{"question": "q", "answer": "first"}', '{"question": "q", "answer": "第二"}']
    (tmp_path / "answers_en_model.jsonl").write_text("\n".join(lines), encoding="utf-8")

    found = [(one.source, one.line, one.text) for one in load_answers(tmp_path, "en")]

    assert found == [("answers_en_model", 0, "first"), ("answers_en_model", 1, "第二")]


_TEXT = "NIKE shoes, Nikeisms, 买Nike Air鞋"


@pytest.mark.parametrize(
    ("rule", "found"),
    [
        (substring_rule(plain_gazetteer("Nike", "Nike Air")), ["NIKE", "Nike", "Nike Air"]),
        (word_rule(plain_gazetteer("Nike", "Nike Air")), ["NIKE"]),
        (automaton_rule(plain_gazetteer("Nike", "Nike Air")), ["NIKE", "Nike", "Nike Air"]),
    ],
    ids=["substring", "word boundary", "automaton"],
)
def test_a_public_rule_finds_what_it_says(rule: Rule, found: list[str]) -> None:
    assert [_TEXT[start:end] for _, start, end in rule(_TEXT)] == found


def test_a_speed_is_answers_in_a_second_of_one_core() -> None:
    report = SpeedReport(
        build_s=1.0,
        read_cpu_s=2.0,
        read_wall_s=9.0,
        answers=3_000,
        mentions=1,
        memory_mb=[1.0],
    )

    assert report.per_cpu_s == 1_500
