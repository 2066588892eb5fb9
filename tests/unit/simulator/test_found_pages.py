import dataclasses

import pytest

from brand_visibility.simulator.faults import CallKey
from brand_visibility.simulator.pages import find_pages

KEY = CallKey(seed=7, platform_id="kimi", prompt="推荐一款手机", attempt=1)
CALLS = [dataclasses.replace(KEY, prompt=f"question {number}") for number in range(1000)]
DOMAINS = ("acme.example", "rival.example")


def test_the_same_call_finds_the_same_pages_and_another_call_others() -> None:
    found = [find_pages(key, 1.0, DOMAINS) for key in (KEY, KEY)]
    assert found[0] == found[1]
    assert find_pages(dataclasses.replace(KEY, attempt=2), 1.0, DOMAINS) != found[0]


def test_pages_are_found_as_often_as_the_share_says() -> None:
    searched = sum(bool(find_pages(key, 0.3, DOMAINS)) for key in CALLS)
    # Four standard deviations of a binomial count.
    assert searched == pytest.approx(300, abs=4 * (1000 * 0.21) ** 0.5)


@pytest.mark.parametrize(("share", "counts"), [(0.0, {0}), (1.0, {2, 3, 4, 5})])
def test_an_answer_has_two_to_five_pages_or_none(share: float, counts: set[int]) -> None:
    assert {len(find_pages(key, share, DOMAINS)) for key in CALLS} == counts


def test_the_addresses_of_one_answer_differ() -> None:
    for key in CALLS:
        pages = find_pages(key, 1.0, DOMAINS)
        assert len({page.url for page in pages}) == len(pages)


def test_some_pages_are_of_the_watched_domains_and_all_are_nobody_s() -> None:
    hosts = {page.host for key in CALLS for page in find_pages(key, 1.0, DOMAINS)}
    assert set(DOMAINS) < hosts
    assert all("example" in host for host in hosts)
    unwatched = {page.host for key in CALLS for page in find_pages(key, 1.0, ())}
    assert unwatched == hosts - set(DOMAINS)
