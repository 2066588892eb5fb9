"""The pages that a platform found for an answer: made up, with addresses nobody has.

How a page is written on the wire belongs to `shapes`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from brand_visibility.simulator.chance import Chance
from brand_visibility.simulator.faults import CallKey

_FEWEST = 2
_MOST = 5
_BRAND_SHARE = 0.4
_NEUTRAL_HOSTS = (
    "www.example.com",
    "example.org",
    "news.example.net",
    "forum.example.com",
    "reviews.example.org",
)
_PATHS = ("reviews/{}", "guides/{}.html", "thread-{}?page=2", "a/{}", "2026/11/{}")
_TITLES = ("Reviews compared", "How to choose", "Ask the forum", "选购指南", "年度榜单")


@dataclass(frozen=True, slots=True)
class Page:
    """A page that was found, with a few words of it."""

    url: str
    title: str
    snippet: str

    @property
    def host(self) -> str:
        """The host of its address."""
        return self.url.split("/", 3)[2]


def find_pages(key: CallKey, share: float, domains: Sequence[str]) -> tuple[Page, ...]:
    """Return what the platform found for this call: with probability `share` some pages.

    Some of them are of `domains`. The same call finds the same pages.
    """
    if share == 0:
        # The common case is spared its draws, which a benchmark would count as latency.
        return ()
    chance = Chance("pages", key.seed, key.platform_id, key.prompt, key.attempt)
    if not chance.happens("are found", share):
        return ()
    count = _FEWEST + int(chance.uniform("count") * (_MOST - _FEWEST + 1))
    return tuple(_page(chance, place, domains) for place in range(count))


def _page(chance: Chance, place: int, domains: Sequence[str]) -> Page:
    is_of_brand = domains and chance.happens(f"brand {place}", _BRAND_SHARE)
    host = chance.pick(f"host {place}", domains if is_of_brand else _NEUTRAL_HOSTS)
    # The place makes the addresses of one answer differ.
    number = 10 * int(1000 * chance.uniform(f"number {place}")) + place
    path = chance.pick(f"path {place}", _PATHS).format(number)
    title = chance.pick(f"title {place}", _TITLES)
    return Page(f"https://{host}/{path}", f"{title} {number}", f"{title}: {number} readers.")
