"""Citations: on whose evidence an answer speaks.

Addresses in the text, markers that mean one of the platform's sources, and the sources
themselves, brought together page by page. Whether a page is a watched brand's own or a
competitor's follows from `owner_brand_ids` and belongs to the measures.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from brand_visibility.domain.catalog import Brand
from brand_visibility.domain.outcomes import Source
from brand_visibility.reading.markers import positions_of
from brand_visibility.reading.view import View
from brand_visibility.reading.web_addresses import WebAddress, is_under, read_address


class Role(StrEnum):
    """How an answer leans on a page, the strongest first.

    `CITED` pages are tied to a passage, by a marker or by the platform; `INLINE` ones have
    their address in the text; `RETRIEVED` ones the platform names for the answer as a
    whole; `INFERRED` ones are only named: a watched brand's bare domain in the text.
    """

    CITED = "cited"
    INLINE = "inline"
    RETRIEVED = "retrieved"
    INFERRED = "inferred"


@dataclass(frozen=True, slots=True)
class Citation:
    """One page that an answer leans on: a page has one row in an answer.

    `position` is the source's number, None for a page that is no source; `marker_count`
    is how often the text points at it; `start_offset` and `end_offset` are its first
    address in the raw answer, None where none stands there.
    """

    url: str
    host: str
    registrable_domain: str
    role: Role
    owner_brand_ids: tuple[str, ...] = ()
    title: str | None = None
    position: int | None = None
    marker_count: int = 0
    start_offset: int | None = None
    end_offset: int | None = None


class Owners:
    """Whose pages are whose, by the domains of the catalog's brands."""

    def __init__(self, brands: Iterable[Brand]) -> None:
        self._by_domain: dict[str, list[tuple[str, str]]] = {}
        for brand in brands:
            for domain in brand.domains:
                host = domain.lower().partition("/")[0]
                self._by_domain.setdefault(host, []).append((domain, brand.brand_id))

    def of(self, address: WebAddress) -> tuple[str, ...]:
        """Return the ids of the brands whose own page this is, sorted."""
        labels = address.host.split(".")
        hosts = (".".join(labels[start:]) for start in range(len(labels)))
        owners = {
            brand_id
            for host in hosts
            for domain, brand_id in self._by_domain.get(host, ())
            if is_under(address, domain)
        }
        return tuple(sorted(owners))


def find_citations(
    text: str, view: View, sources: Sequence[Source], owners: Owners
) -> tuple[Citation, ...]:
    """Return the pages that an answer leans on, those in the text first. Never raises."""
    pages: dict[str, Citation] = {}
    for citation in (
        *_written(text, view, owners),
        *_named_by_platform(text, view, sources, owners),
        *_inferred(text, view, owners),
    ):
        known = pages.get(citation.url)
        pages[citation.url] = citation if known is None else _joined(known, citation)
    return tuple(pages.values())


def _written(text: str, view: View, owners: Owners) -> Iterator[Citation]:
    for start, end in view.urls:
        address = read_address(text[start:end])
        if address is not None:
            yield _citation(address, Role.INLINE, owners, start=start, end=end)


def _named_by_platform(
    text: str, view: View, sources: Sequence[Source], owners: Owners
) -> Iterator[Citation]:
    pointed_at = _pointed_at(text, view)
    for source in sources:
        address = read_address(source.url, source.title)
        if address is None:
            continue
        count = pointed_at.get(source.position, 0)
        role = Role.CITED if count or source.is_cited else Role.RETRIEVED
        yield replace(
            _citation(address, role, owners),
            title=source.title,
            position=source.position,
            marker_count=count,
        )


def _pointed_at(text: str, view: View) -> dict[int, int]:
    counts: dict[int, int] = {}
    for start, end in view.markers:
        for position in positions_of(text[start:end]):
            counts[position] = counts.get(position, 0) + 1
    return counts


def _inferred(text: str, view: View, owners: Owners) -> Iterator[Citation]:
    # Any dotted name may be a file or a version: only a domain known to the catalog is one.
    for start, end in view.domains:
        address = read_address(text[start:end])
        if address is not None and owners.of(address):
            yield _citation(address, Role.INFERRED, owners, start=start, end=end)


def _citation(
    address: WebAddress,
    role: Role,
    owners: Owners,
    *,
    start: int | None = None,
    end: int | None = None,
) -> Citation:
    return Citation(
        url=address.url,
        host=address.host,
        registrable_domain=address.registrable_domain,
        role=role,
        owner_brand_ids=owners.of(address),
        start_offset=start,
        end_offset=end,
    )


_STRENGTH = {role: index for index, role in enumerate(Role)}


def _joined(known: Citation, other: Citation) -> Citation:
    """Return one row for two findings of a page: the stronger role, all that either knows."""
    has_place = known.start_offset is not None
    return replace(
        known,
        role=min(known.role, other.role, key=_STRENGTH.__getitem__),
        title=known.title or other.title,
        position=other.position if known.position is None else known.position,
        marker_count=known.marker_count + other.marker_count,
        start_offset=known.start_offset if has_place else other.start_offset,
        end_offset=known.end_offset if has_place else other.end_offset,
    )
