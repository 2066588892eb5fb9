"""The version follows the values and nothing else."""

import csv
import json
from pathlib import Path

import pytest
from catalog_files import Edit, apply
from hypothesis import given
from hypothesis import strategies as st

from brand_visibility.adapters.catalog.faults import FaultLog
from brand_visibility.adapters.catalog.loader import load_catalog
from brand_visibility.adapters.catalog.version import version_of
from brand_visibility.adapters.catalog.yaml_file import read_yaml
from brand_visibility.domain.catalog import Catalog, Question, Tenant

YAML_FILES = ("tenants.yaml", "topics.yaml", "brands.yaml", "platforms.yaml", "prices.yaml")
ENVIRONMENT = {"BRAND_VISIBILITY_SIMULATOR_URL": "http://127.0.0.1:1"}

CHANGES = {
    "a tenant's weight": Edit("tenants.yaml", "weight: 2", "weight: 3"),
    "a tenant's budget": Edit("tenants.yaml", "weight: 2", "weight: 2, daily_budget_usd: 5"),
    "a topic's name": Edit("topics.yaml", "CRM software", "CRM"),
    "an alias": Edit("brands.yaml", "aliases: [Ecovacs", "aliases: [Ecovacs Group, Ecovacs"),
    "an alias's case": Edit("brands.yaml", "aliases: [Ecovacs", "aliases: [ECOVACS"),
    "a policy": Edit("brands.yaml", "policy: compound_only", "policy: guarded"),
    "a context word": Edit("brands.yaml", "洗地机", "擦窗机"),
    "the order of competitors": Edit(
        "brands.yaml", "[ecovacs, dreame, narwal]", "[dreame, ecovacs, narwal]"
    ),
    "a brand's rank": Edit("brands.yaml", "core: true", "core: false"),
    "a domain": Edit("brands.yaml", "irobot.com", "irobot.cn"),
    "a brand's decoy": Edit("brands.yaml", "Cyber Monday", "Blue Monday"),
    "a global decoy": Edit("brands.yaml", "小米粥", "小米糕"),
    "a question's text": Edit("questions.csv", "预算三千左右", "预算四千左右"),
    "a question's priority": Edit("questions.csv", "zh,2,2", "zh,3,2"),
    "a question's repeats": Edit("questions.csv", "zh,2,2", "zh,2,3"),
    "a question's language": Edit("questions.csv", "zh,2,2", "zh-Hans,2,2"),
    "a rate": Edit("platforms.yaml", "rate_per_second: 20", "rate_per_second: 21"),
    "a model": Edit("platforms.yaml", "hunyuan-turbos", "hunyuan-large"),
    "a retry wait": Edit("platforms.yaml", "server_fault_s: 1", "server_fault_s: 2"),
    "a price": Edit("prices.yaml", "0.27", "0.28"),
    "a rate of exchange": Edit("prices.yaml", "usd: 0.14", "usd: 0.15"),
    "the day of a price": Edit("prices.yaml", "valid_from: 2026-01-01", "valid_from: 2026-01-02"),
    "a price that need not be known": Edit(
        "platforms.yaml", "model: gpt-4o", "model: gpt-4o\n    allow_unknown_price: true"
    ),
    "a parameter": Edit("platforms.yaml", "model: gpt-4o", "model: gpt-4o\n    parameters: {t: 1}"),
}


@pytest.mark.parametrize("edit", CHANGES.values(), ids=CHANGES.keys())
def test_any_changed_value_changes_the_version(catalog: Path, edit: Edit) -> None:
    before = load_catalog(catalog).version
    apply(catalog, edit)
    assert load_catalog(catalog).version != before


@pytest.mark.parametrize("indent", [None, 3])
def test_another_layout_of_the_same_values_keeps_the_version(
    catalog: Path, indent: int | None
) -> None:
    before = load_catalog(catalog).version
    for name in YAML_FILES:
        document = read_yaml(catalog / name, FaultLog(()))
        assert document is not None
        # JSON is YAML in another layout, with every text in quotes and no comment.
        layout = json.dumps(document.value, indent=indent, ensure_ascii=False, sort_keys=True)
        (catalog / name).write_text(f"# again\n\n{layout}\n# end", encoding="utf-8")
    assert load_catalog(catalog).version == before


def test_quotes_and_order_of_rows_keep_the_version(catalog: Path) -> None:
    before = load_catalog(catalog).version
    path = catalog / "questions.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        header, *rows = csv.reader(stream)
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, quoting=csv.QUOTE_ALL)
        writer.writerows([header, *reversed(rows)])
    assert load_catalog(catalog).version == before


def test_a_default_written_out_keeps_the_version(catalog: Path) -> None:
    before = load_catalog(catalog).version
    apply(catalog, Edit("tenants.yaml", "Growth Partners}", "Growth Partners, weight: 1.0}"))
    assert load_catalog(catalog).version == before


def test_keys_in_the_environment_keep_the_version(catalog: Path) -> None:
    with_key = ENVIRONMENT | {"HUNYUAN_API_KEY": "a-fake-key"}
    assert load_catalog(catalog, with_key).version == load_catalog(catalog).version


def test_the_version_is_16_hex_characters(catalog: Path) -> None:
    version = load_catalog(catalog).version
    assert len(version) == 16
    assert int(version, 16) >= 0


questions = st.builds(
    Question,
    question_id=st.text("ab", min_size=1, max_size=3),
    topic_id=st.sampled_from("xy"),
    text=st.text(max_size=5).filter(lambda text: text.isprintable()),
    priority=st.integers(-2, 2),
    repeats=st.integers(1, 3),
)


def _catalog(*asked: Question, tenants: tuple[Tenant, ...] = ()) -> Catalog:
    return Catalog("", tenants, (), (), asked, ())


@given(st.lists(questions, max_size=4), st.randoms(use_true_random=False))
def test_the_order_of_questions_does_not_count(asked: list[Question], rng: object) -> None:
    shuffled = asked.copy()
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    assert version_of(_catalog(*asked)) == version_of(_catalog(*shuffled))


@given(questions, questions)
def test_two_questions_share_a_version_only_when_they_are_equal(
    one: Question, other: Question
) -> None:
    assert (version_of(_catalog(one)) == version_of(_catalog(other))) == (one == other)


def test_the_version_itself_does_not_count() -> None:
    one = Catalog("first", (Tenant("a", "A"),), (), (), (), ())
    other = Catalog("second", (Tenant("a", "A"),), (), (), (), ())
    assert version_of(one) == version_of(other)
