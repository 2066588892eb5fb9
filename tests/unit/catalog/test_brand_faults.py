"""One edit of `brands.yaml`, `tenants.yaml` or `topics.yaml` makes one fault."""

from pathlib import Path

import pytest
from catalog_files import Case, Edit, apply, assert_one_fault, faults_of

from brand_visibility.adapters.catalog.loader import load_brands

LONG = "a" * 65
ROBOROCK = "brand_id: roborock\n"
ROBOROCK_DOMAIN = "    domains: [roborock.com]"


def brands(old: str, new: str) -> Edit:
    return Edit("brands.yaml", old, new)


FAULTS: dict[str, Case] = {
    "unknown field": (
        brands("name: 石头科技", "§colour: red\n    name: 石头科技"),
        "brands[0].colour",
        "the unknown field 'colour'",
        "one of the fields brand_id, tenant_id, name",
    ),
    "unknown top-level field": (
        Edit("topics.yaml", "topics:", "§subjects: []\ntopics:"),
        "subjects",
        "the unknown field 'subjects'",
        "one of the fields topics",
    ),
    "missing field": (
        brands("brand_id: roborock\n    tenant_id: qinghe\n", "§brand_id: roborock\n"),
        "brands[0].tenant_id",
        "no field 'tenant_id'",
        "the field 'tenant_id'",
    ),
    "a number where text is due": (
        brands("name: 石头科技", "§name: 360"),
        "brands[0].name",
        "360",
        "text (in quotes",
    ),
    "yes where true is due": (
        brands("core: true", "§core: yes"),
        "brands[0].core",
        "'yes'",
        "true or false",
    ),
    "text where a list is due": (
        brands(ROBOROCK_DOMAIN, "    §domains: roborock.com"),
        "brands[0].domains",
        "'roborock.com'",
        "a list",
    ),
    "an entry that is no mapping": (
        Edit("topics.yaml", "topics:\n", "topics:\n  - §vacuums\n"),
        "topics[0]",
        "'vacuums'",
        "a mapping",
    ),
    "no value": (
        Edit("tenants.yaml", "name: 青禾品牌咨询", "§name: "),
        "tenants[0].name",
        "no value",
        "text",
    ),
    "empty text": (
        Edit("tenants.yaml", "name: 青禾品牌咨询", "§name: '  '"),
        "tenants[0].name",
        "'  '",
        "text that is not empty",
    ),
    "a control character": (
        brands("name: 石头科技", r'§name: "石头\0科技"'),
        "brands[0].name",
        r"'石头\x00科技'",
        "text without control characters",
    ),
    "a capital in an id": (
        Edit("topics.yaml", "topics:\n", "topics:\n  - {§topic_id: Vacuum, name: x}\n"),
        "topics[0].topic_id",
        "'Vacuum'",
        "an id of 1 to 64",
    ),
    "an id of 65 characters": (
        Edit("topics.yaml", "topics:\n", f"topics:\n  - {{§topic_id: {LONG}, name: x}}\n"),
        "topics[0].topic_id",
        "'aaaa",
        "an id of 1 to 64",
    ),
    "a duplicate id": (
        Edit(
            "topics.yaml",
            "\n  - {topic_id: crm",
            "\n  - {topic_id: crm, name: x}\n  - §{topic_id: crm",
        ),
        "topics[3].topic_id",
        "the id 'crm' again (first on line 5)",
        "an id that is used once",
    ),
    "a duplicate key": (
        brands("name: 石头科技", "name: 石头科技\n    §name: 石头"),
        "brands[0].name",
        "the key 'name' again (first on line",
        "each key once",
    ),
    "a YAML alias": (
        brands(ROBOROCK, "brand_id: roborock\n    decoys: [&one 石头城, §*one]\n"),
        "brands[0].decoys[1]",
        "a YAML alias",
        "the value written out",
    ),
    "an unknown tenant": (
        brands(f"{ROBOROCK}    tenant_id: qinghe", f"{ROBOROCK}    §tenant_id: nobody"),
        "brands[0].tenant_id",
        "the unknown tenant 'nobody'",
        "the id of a tenant in the catalog",
    ),
    "an unknown topic": (
        brands("topics: [robot-vacuum]", "topics:\n      - robot-vacuum\n      - §mops"),
        "brands[0].topics[1]",
        "the unknown topic 'mops'",
        "the id of a topic in the catalog",
    ),
    "an unknown competitor": (
        brands("competitors: [ecovacs, dreame, narwal]", "§competitors: [ecovacs, ilife]"),
        "brands[0].competitors[1]",
        "the unknown brand 'ilife'",
        "the id of a brand in the catalog",
    ),
    "a brand that competes with itself": (
        brands("competitors: [ecovacs, dreame, narwal]", "§competitors: [roborock]"),
        "brands[0].competitors[0]",
        "the brand itself, 'roborock'",
        "another brand",
    ),
    "a brand without topic": (
        brands("topics: [robot-vacuum]", "§topics: []"),
        "brands[0].topics",
        "an empty list",
        "a list of at least 1",
    ),
    "a topic twice": (
        brands("topics: [robot-vacuum]", "§topics: [robot-vacuum, robot-vacuum]"),
        "brands[0].topics",
        "'robot-vacuum' twice",
        "each value once",
    ),
    "a URL as domain": (
        brands(ROBOROCK_DOMAIN, "    §domains: [https://roborock.com]"),
        "brands[0].domains[0]",
        "'https://roborock.com'",
        "a host name such as example.com",
    ),
    "an alias of two brands": (
        brands("aliases: [Ecovacs,", "§aliases: [ROBOROCK,"),
        "brands[1].aliases[0]",
        "the alias 'ROBOROCK', also an alias of roborock on line",
        "an alias of one brand, once",
    ),
    "an alias of two brands in full width": (
        brands("aliases: [Ecovacs,", "§aliases: [Ｒｏｂｏｒｏｃｋ,"),
        "brands[1].aliases[0]",
        "the alias 'Ｒｏｂｏｒｏｃｋ', also an alias of roborock",
        "an alias of one brand, once",
    ),
    "an alias twice in a brand": (
        brands("aliases: [Ecovacs,", "§aliases: [Ecovacs, ecovacs,"),
        "brands[1].aliases[1]",
        "the alias 'ecovacs', also an alias of ecovacs on line",
        "an alias of one brand, once",
    ),
    "the name of another brand": (
        brands("name: 科沃斯", "§name: roborock"),
        "brands[1].name",
        "the alias 'roborock', also an alias of roborock",
        "an alias of one brand, once",
    ),
    "an unknown policy": (
        brands("policy: compound_only", "policy: maybe"),
        "brands[8].aliases[0].policy",
        "'maybe'",
        "'safe', 'guarded' or 'compound_only'",
    ),
    "context words beside another policy": (
        brands("policy: compound_only", "policy: safe, context_any: [汽车]"),
        "brands[8].aliases[0]",
        "context_any beside policy 'safe'",
        "context_any only with policy 'guarded'",
    ),
    "a brand's decoy that is an alias": (
        brands("decoys: [美的享受,", "§decoys: [美的集团,"),
        "brands[5].decoys[0]",
        "the decoy '美的集团', also an alias of midea",
        "a longer text that only contains an alias",
    ),
    "a global decoy that is an alias": (
        brands("decoys: [小米粥,", "§decoys: [SU7,"),
        "decoys[0]",
        "the decoy 'SU7', also an alias of xiaomi-auto",
        "a longer text that only contains an alias",
    ),
    "a decoy that is a number": (
        brands("decoys: [小米粥,", "§decoys: [12,"),
        "decoys[0]",
        "12",
        "text (in quotes",
    ),
    "a weight of nothing": (
        Edit("tenants.yaml", "weight: 2", "§weight: 0"),
        "tenants[0].weight",
        "0",
        "a number above 0",
    ),
    "an infinite weight": (
        Edit("tenants.yaml", "weight: 2", "§weight: .inf"),
        "tenants[0].weight",
        "'.inf'",
        "a number",
    ),
    "a budget of nothing": (
        Edit("tenants.yaml", "weight: 2", "§daily_budget_usd: 0"),
        "tenants[0].daily_budget_usd",
        "0",
        "a number above 0",
    ),
    "a budget that no customer has": (
        Edit("tenants.yaml", "weight: 2", "§daily_budget_usd: 1000000.01"),
        "tenants[0].daily_budget_usd",
        "1000000.01",
        "1000000",
    ),
}


@pytest.mark.parametrize("case", FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_in_a_yaml_file_names_its_line_its_field_and_what_is_expected(
    catalog: Path, case: Case
) -> None:
    assert_one_fault(catalog, case)


def test_a_topic_with_brands_and_no_question_is_a_fault(catalog: Path) -> None:
    topic = Edit("topics.yaml", "topics:\n", "topics:\n  - {topic_id: mops, name: 拖把}\n")
    apply(catalog, topic)
    apply(catalog, brands("topics: [robot-vacuum]", "topics: [robot-vacuum, mops]"))

    (fault,) = faults_of(catalog)

    assert fault.place == "line 3, topics[0].topic_id"
    assert fault.found == "the topic 'mops' with brands but no question"


def test_two_tenants_may_watch_the_same_brand_each_under_its_own_id(catalog: Path) -> None:
    apply(catalog, Edit("brands.yaml", "    name: HubSpot\n", "    name: Roborock\n"))

    brands = {brand.brand_id: brand for brand in load_brands(catalog)[0]}

    assert brands["hubspot"].aliases[0].text == "Roborock"
    assert "Roborock" in [alias.text for alias in brands["roborock"].aliases]
