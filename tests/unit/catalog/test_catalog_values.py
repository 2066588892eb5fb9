"""What valid files become: values, defaults, aliases, and both sides of each limit."""

from collections import Counter
from pathlib import Path
from textwrap import dedent

import pytest
from catalog_files import EXAMPLES, Edit, apply, faults_of

from brand_visibility.adapters.catalog.loader import load_brands, load_catalog, load_platforms
from brand_visibility.domain.catalog import (
    Account,
    AccountLimits,
    Alias,
    AliasPolicy,
    Platform,
    Question,
    QuestionKind,
    RetrySettings,
)
from brand_visibility.domain.errors import CatalogError

SAFE, GUARDED, COMPOUND = AliasPolicy.SAFE, AliasPolicy.GUARDED, AliasPolicy.COMPOUND_ONLY


@pytest.mark.parametrize(
    ("name", "written", "aliases"),
    [
        ("Acme", "[]", (Alias("Acme"),)),
        ("Acme", "[Acme]", (Alias("Acme"),)),
        ("Acme", "[ＡＣＭＥ]", (Alias("ＡＣＭＥ"),)),
        ("Acme", "[Acme Inc]", (Alias("Acme"), Alias("Acme Inc"))),
        ("Acme", "[{text: Acme, policy: compound_only}]", (Alias("Acme", COMPOUND),)),
        ("Acme", "[{text: Acme, policy: guarded}]", (Alias("Acme", GUARDED),)),
        (
            "Acme",
            "[{text: Acme, context_any: [anvil, rocket]}]",
            (Alias("Acme", GUARDED, context_any=("anvil", "rocket")),),
        ),
        (
            "Acme",
            "[{text: Acme, case_sensitive: true}]",
            (Alias("Acme", SAFE, is_case_sensitive=True),),
        ),
        (
            "'360'",
            "['12:30', 2026-01-01, NO]",
            tuple(map(Alias, ("360", "12:30", "2026-01-01", "NO"))),
        ),
    ],
)
def test_a_brands_name_is_an_alias_unless_it_is_listed(
    tmp_path: Path, name: str, written: str, aliases: tuple[Alias, ...]
) -> None:
    (tmp_path / "brands.yaml").write_text(
        "brands:\n"
        f"  - {{brand_id: acme, tenant_id: t, topics: [x], name: {name}, aliases: {written}}}\n",
        encoding="utf-8",
    )
    (brand,), decoys = load_brands(tmp_path)
    assert brand.aliases == aliases
    assert decoys == ()


@pytest.mark.parametrize(
    ("one", "other", "are_told_apart"),
    [
        ("{text: Mint, case_sensitive: true}", "{text: MINT, case_sensitive: true}", True),
        ("{text: Mint, case_sensitive: true}", "{text: Mint, case_sensitive: true}", False),
        ("{text: Mint, case_sensitive: true}", "MINT", False),
        ("Mint", "MINT", False),
        ("Mint", "Mints", True),
    ],
)
def test_aliases_of_two_brands_must_be_told_apart(
    tmp_path: Path, one: str, other: str, *, are_told_apart: bool
) -> None:
    (tmp_path / "brands.yaml").write_text(
        "brands:\n"
        f"  - {{brand_id: a, tenant_id: t, topics: [x], name: A, aliases: [{one}]}}\n"
        f"  - {{brand_id: b, tenant_id: t, topics: [x], name: B, aliases: [{other}]}}\n",
        encoding="utf-8",
    )
    if are_told_apart:
        assert len(load_brands(tmp_path)[0]) == 2
        return
    with pytest.raises(CatalogError) as caught:
        load_brands(tmp_path)
    (fault,) = caught.value.faults
    assert fault.place == "line 3, brands[1].aliases[0]"


def test_a_platform_keeps_every_field_it_is_given(tmp_path: Path) -> None:
    written = """
        allowed_hosts: [api.example.com]
        platforms:
          - platform_id: remote
            adapter: openai_compatible
            model: m-1
            base_url: https://api.example.com/v1/
            accounts:
              - account_id: main
                key_env: REMOTE_KEY
                rate_per_second: 5
                concurrency: 6
                tokens_per_minute: 7
                queries_per_day: 8
            allow_unknown_price: true
            latency_s: 9
            completion_tokens: 10
            attempt_timeout_s: 11
            shards_at_once: 12
            retry:
              max_retries: 1
              timeout_base_s: 2
              timeout_jitter_s: 3
              server_fault_s: 4
              rate_limit_base_s: 5
              rate_limit_cap_s: 6
              longest_platform_wait_s: 7
            parameters: {search: true, depth: 2, mode: deep}
    """
    (tmp_path / "platforms.yaml").write_text(dedent(written), encoding="utf-8")
    limits = AccountLimits(5.0, 6, tokens_per_minute=7, queries_per_day=8)
    assert load_platforms(tmp_path) == (
        Platform(
            platform_id="remote",
            adapter="openai_compatible",
            model="m-1",
            accounts=(Account("main", limits, "REMOTE_KEY"),),
            base_url="https://api.example.com/v1",
            allow_unknown_price=True,
            latency_s=9.0,
            completion_tokens=10,
            attempt_timeout_s=11.0,
            shards_at_once=12,
            retry=RetrySettings(1, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0),
            parameters={"search": True, "depth": 2, "mode": "deep"},
        ),
    )


def test_a_platform_left_short_takes_the_domains_defaults(tmp_path: Path) -> None:
    (tmp_path / "platforms.yaml").write_text(
        "platforms:\n  - platform_id: p\n    adapter: simulator\n    model: m\n"
        "    accounts: [{account_id: a, rate_per_second: 0.5, concurrency: 1}]\n",
        encoding="utf-8",
    )
    accounts = (Account("a", AccountLimits(0.5, 1)),)
    assert load_platforms(tmp_path) == (Platform("p", "simulator", "m", accounts),)


def test_a_question_left_short_takes_the_domains_defaults(catalog: Path) -> None:
    path = catalog / "questions.csv"
    path.write_text(path.read_text(encoding="utf-8") + "z,crm,,,,,Which one?\n", encoding="utf-8")
    assert load_catalog(catalog).questions[-1] == Question("z", "crm", "Which one?")


def test_columns_may_stand_in_any_order_and_empty_rows_are_skipped(catalog: Path) -> None:
    before = load_catalog(catalog).questions
    path = catalog / "questions.csv"
    rows = [line.split(",", 6) for line in path.read_text(encoding="utf-8").splitlines()]
    moved = [",".join([*cells[6:], *cells[:6]]) for cells in rows]
    path.write_text("\n,,,,,,\n".join(moved), encoding="utf-8")
    assert load_catalog(catalog).questions == before


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("a" * 64, "a" * 65),
        ("0", "-0"),
        ("a_b-c", "_ab"),
        ("a", "é"),
    ],
)
def test_an_id_is_1_to_64_small_letters_digits_and_dashes(
    catalog: Path, good: str, bad: str
) -> None:
    apply(catalog, Edit("questions.csv", "rv-01,", f"{good},"))
    assert load_catalog(catalog).questions[0].question_id == good
    apply(catalog, Edit("questions.csv", f"\n{good},", f"\n{bad},"))
    assert [fault.place for fault in faults_of(catalog)] == ["line 2, question_id"]


@pytest.mark.parametrize(
    ("column", "good", "bad"),
    [
        ("repeats", "1", "0"),
        ("repeats", "20", "21"),
        ("priority", "100", "101"),
        ("priority", "-100", "-101"),
    ],
)
def test_a_number_of_a_question_has_bounds(catalog: Path, column: str, good: str, bad: str) -> None:
    cells = {"priority": "2", "repeats": "2"}
    old = "non_brand,zh,2,2,"
    for value in (good, bad):
        new = "non_brand,zh,{priority},{repeats},".format(**(cells | {column: value}))
        apply(catalog, Edit("questions.csv", old, new))
        old = new
        if value == good:
            assert getattr(load_catalog(catalog).questions[0], column) == int(good)
    assert [fault.place for fault in faults_of(catalog)] == [f"line 2, {column}"]


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("example.com", "example"),
        ("EXAMPLE.com", "example.com/shop"),
        ("a-b.example.co.uk", "-a.example.com"),
        ("石头.com", "石 头.com"),
        ("x1.example.com", "10.0.0.1"),
        (f"{'a' * 63}.com", f"{'a' * 64}.com"),
        ("a.com", "a..com"),
        ("a.io", "a-.io"),
    ],
)
def test_a_domain_is_a_host_name(catalog: Path, good: str, bad: str) -> None:
    apply(catalog, Edit("brands.yaml", "domains: [roborock.com]", f"domains: ['{good}']"))
    assert load_catalog(catalog).brands[0].domains == (good.lower(),)
    apply(catalog, Edit("brands.yaml", f"domains: ['{good}']", f"domains: ['{bad}']"))
    assert [fault.found for fault in faults_of(catalog)] == [repr(bad)] or len(bad) > 60


def test_the_example_has_three_topics_two_languages_and_every_kind() -> None:
    catalog = load_catalog(EXAMPLES / "catalog")
    kinds = Counter(question.kind for question in catalog.questions)
    policies = {alias.policy for brand in catalog.brands for alias in brand.aliases}
    assert len(catalog.topics) == 3
    assert len(catalog.tenants) == 2
    assert {question.language for question in catalog.questions} == {"zh", "en"}
    assert set(kinds) == set(QuestionKind)
    assert policies == set(AliasPolicy)
    assert any(question.repeats == 2 for question in catalog.questions)
    assert [platform.platform_id for platform in catalog.platforms] == [
        "hunyuan",
        "deepseek",
        "gpt",
    ]


def test_the_commented_platform_of_the_example_is_valid_too(catalog: Path) -> None:
    path = catalog / "platforms.yaml"
    text = path.read_text(encoding="utf-8")
    commented = text[text.index("#  - platform_id") :]
    path.write_text("platforms:\n" + commented.replace("#", ""), encoding="utf-8")
    (platform,) = load_platforms(catalog)
    assert platform.adapter == "hunyuan"
    assert [account.key_env for account in platform.accounts] == [
        "HUNYUAN_API_KEY",
        "HUNYUAN_API_KEY_2",
    ]


def test_the_watch_list_for_recorded_answers_is_valid() -> None:
    brands, decoys = load_brands(EXAMPLES / "real-answers")
    assert len(brands) >= 40
    assert decoys
    assert {topic for brand in brands for topic in brand.topic_ids} == {"general"}


@pytest.mark.parametrize(
    ("written", "budget_usd"),
    [("weight: 2", None), ("daily_budget_usd: 5", 5.0), ("daily_budget_usd: 0.25", 0.25)],
)
def test_a_tenant_has_the_budget_that_is_written_or_none(
    catalog: Path, written: str, budget_usd: float | None
) -> None:
    apply(catalog, Edit("tenants.yaml", "weight: 2", written))

    assert load_catalog(catalog).tenants[0].daily_budget_usd == budget_usd
    assert load_catalog(catalog).tenants[1].daily_budget_usd is None
