"""What the rank tests share: plain brands without policies, and short ways to rank."""

import json
from functools import cache

from readers import CASES, a_brand

from brand_visibility.reading.gazetteer import Gazetteer, build_gazetteer
from brand_visibility.reading.ranks import Rank, Ranking, rank_brands
from brand_visibility.reading.reader import read_answer

_MORE = ("OPPO", "vivo", "三星", "微信", "支付宝", "Google Chrome", "Coca-Cola", "Booking.com")


@cache
def rank_gazetteer() -> Gazetteer:
    names = json.loads((CASES / "gazetteer.json").read_text("utf-8"))["rank_brands"]
    return build_gazetteer([a_brand(name, name) for name in (*names, *_MORE)], ())


def ranking(text: str) -> Ranking:
    return rank_brands(text, read_answer(text, rank_gazetteer()).mentions)


def primary(text: str) -> list[Rank]:
    return [rank for rank in ranking(text).ranks if rank.is_primary]


def ranks(text: str) -> dict[str, int]:
    return {rank.brand_id: rank.rank for rank in primary(text)}
