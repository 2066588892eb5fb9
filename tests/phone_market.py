"""A small market in two languages, and a finder of its brands that shares no code with us."""

import re

from brand_visibility.domain.catalog import (
    Alias,
    AliasPolicy,
    Brand,
    Catalog,
    Question,
    QuestionKind,
    Topic,
)
from tests.builders import a_platform

CHINESE_PROMPT = "推荐一款手机"
ENGLISH_PROMPT = "Which phone should I buy?"
BRAND_PROMPT = "小米手机怎么样？"
COMPARISON_PROMPT = "小米和华为哪个好？"
PHONE_BRANDS = ("xiaomi", "huawei", "apple", "ge")


def a_market() -> Catalog:
    """Four brands of phones, one of which also makes cars with a fifth."""
    return Catalog(
        version="0123456789abcdef",
        tenants=(),
        topics=(Topic("phones", "手机"), Topic("cars", "汽车")),
        brands=(
            _brand("xiaomi", "小米", "Xiaomi", topics=("phones", "cars"), decoys=("小米粥",)),
            _brand("huawei", "华为", "Huawei"),
            _brand("apple", "Apple", "iPhone"),
            # Two letters that lie inside "budget", "general", "get" and many other words.
            _brand("ge", "GE"),
            _brand("tesla", "特斯拉", "Tesla", topics=("cars",)),
        ),
        questions=(
            Question("q1", "phones", CHINESE_PROMPT, repeats=3),
            Question("q2", "phones", ENGLISH_PROMPT, language="en"),
            Question("q3", "phones", "{brand}手机怎么样？", QuestionKind.BRAND),
            Question("q4", "phones", "{brand}和{competitor}哪个好？", QuestionKind.COMPARISON),
            Question("q5", "cars", "推荐一款汽车"),
        ),
        platforms=(a_platform("deepseek"), a_platform("kimi")),
        decoys=("苹果汁",),
    )


def brands_found(text: str, catalog: Catalog) -> set[str]:
    """Return the brands whose safe aliases stand in the text, links and decoys left out."""
    text = re.sub(r"https?://\S+", " ", text)
    for decoy in (*catalog.decoys, *(decoy for brand in catalog.brands for decoy in brand.decoys)):
        text = text.replace(decoy, " ")
    return {
        brand.brand_id
        for brand in catalog.brands
        if any(_is_found(alias, text) for alias in brand.aliases)
    }


def _is_found(alias: Alias, text: str) -> bool:
    if alias.policy is not AliasPolicy.SAFE:
        return False
    flags = 0 if alias.is_case_sensitive else re.IGNORECASE
    edges = (r"(?<![A-Za-z0-9])", r"(?![A-Za-z0-9])") if alias.text.isascii() else ("", "")
    return re.search(edges[0] + re.escape(alias.text) + edges[1], text, flags) is not None


def _brand(
    brand_id: str,
    *names: str,
    topics: tuple[str, ...] = ("phones",),
    decoys: tuple[str, ...] = (),
) -> Brand:
    return Brand(
        brand_id=brand_id,
        tenant_id="acme",
        name=names[0],
        aliases=tuple(Alias(name) for name in names),
        topic_ids=topics,
        domains=(f"{brand_id}.example",),
        competitor_ids=("huawei",) if brand_id == "xiaomi" else (),
        decoys=decoys,
    )
