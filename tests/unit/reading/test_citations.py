from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brand_visibility.domain.catalog import Brand
from brand_visibility.domain.outcomes import Source
from brand_visibility.reading.citations import Citation, Owners, Role, find_citations
from brand_visibility.reading.markers import positions_of
from brand_visibility.reading.view import build_view


def brand(brand_id: str, *domains: str) -> Brand:
    return Brand(brand_id, "acme", brand_id, (), ("tv",), domains)


OWNERS = Owners([brand("haier", "haier.com"), brand("midea", "midea.com", "midea.cn")])


def read(text: str, *sources: Source) -> tuple[Citation, ...]:
    return find_citations(text, build_view(text), sources, OWNERS)


def roles(text: str, *sources: Source) -> dict[str, Role]:
    return {citation.url: citation.role for citation in read(text, *sources)}


@pytest.mark.parametrize(
    ("marker", "positions"),
    [
        ("[1]", (1,)),
        ("[^2^]", (2,)),
        ("[^2]", (2,)),
        ("[1,3]", (1, 3)),
        ("[1, 3-5]", (1, 3, 4, 5)),
        ("[5-3]", ()),
        ("[citation:3]", (3,)),
        ("[cite: 8, 9]", (8, 9)),
        ("[web:3]", (3,)),
        ("【4:2†source】", (2,)),
        ("【7】", (7,)),
        (":contentReference[oaicite:3]{index=3}", (4,)),
        (":contentReference[oaicite:0]", (1,)),
        ("\ue200cite\ue202turn0search3\ue202turn0news0\ue201", (4, 1)),
        ("\ue201", ()),
        ("[^note]", ()),
    ],
)
def test_a_marker_means_the_sources_at_its_positions(
    marker: str, positions: tuple[int, ...]
) -> None:
    assert positions_of(marker) == positions


@given(st.text())
def test_no_marker_makes_it_raise_or_means_a_page_of_sources(marker: str) -> None:
    assert len(positions_of(f"[{marker}]")) <= 50


def test_a_source_that_a_marker_means_is_cited_and_another_only_retrieved() -> None:
    sources = Source(1, "https://a.example.com"), Source(2, "https://b.example.com")
    assert roles("好[2]，好[2]。", *sources) == {
        "https://a.example.com/": Role.RETRIEVED,
        "https://b.example.com/": Role.CITED,
    }
    assert [one.marker_count for one in read("好[2]，好[2]。", *sources)] == [0, 2]


def test_a_source_that_the_platform_ties_to_a_passage_is_cited_without_a_marker() -> None:
    source = Source(1, "https://a.example.com")
    assert roles("好", replace(source, is_cited=True)) == {"https://a.example.com/": Role.CITED}


def test_an_address_in_the_text_is_inline_and_knows_its_place() -> None:
    text = "官网 https://haier.com/tv。"
    (citation,) = read(text)
    assert citation.role is Role.INLINE
    assert text[citation.start_offset : citation.end_offset] == "https://haier.com/tv"


def test_one_page_has_one_row_in_its_strongest_role_with_all_that_is_known() -> None:
    text = "见 https://a.example.com/x?utm_source=z 和 https://a.example.com/x [1]"
    (citation,) = read(text, Source(1, "https://a.example.com/x", "A page"))
    assert (citation.role, citation.position, citation.title) == (Role.CITED, 1, "A page")
    assert citation.start_offset == 2
    assert citation.marker_count == 1


def test_a_bare_domain_counts_only_when_the_catalog_knows_it() -> None:
    assert roles("haier.com 和 unknown.com 和 node.js，v1.2.io") == {
        "https://haier.com/": Role.INFERRED
    }


@pytest.mark.parametrize(
    ("url", "owner_ids"),
    [
        ("https://www.haier.com/x", ("haier",)),
        ("https://shop.midea.cn", ("midea",)),
        ("https://nothaier.com", ()),
        ("https://news.example.com/haier.com", ()),
    ],
)
def test_a_page_belongs_to_the_brand_whose_domain_it_lies_under(
    url: str, owner_ids: tuple[str, ...]
) -> None:
    assert [one.owner_brand_ids for one in read("x", Source(1, url))] == [owner_ids]


def test_brands_that_share_a_domain_share_its_pages() -> None:
    owners = Owners([brand("zoho", "zoho.com"), brand("bigin", "zoho.com/bigin")])
    text = "https://zoho.com/bigin/x https://zoho.com/crm"
    found = find_citations(text, build_view(text), (), owners)
    assert [one.owner_brand_ids for one in found] == [("bigin", "zoho"), ("zoho",)]


def test_a_source_without_a_readable_address_is_no_page() -> None:
    assert read("好[1]", Source(1, "not an address")) == ()


@given(
    st.text(alphabet="[]()1:/.ahtpscom【】 \n"),
    st.lists(st.builds(Source, st.integers(1, 9), st.text(), st.none() | st.text()), max_size=5),
)
def test_nothing_makes_it_raise_and_no_page_has_two_rows(text: str, sources: list[Source]) -> None:
    urls = [citation.url for citation in read(text, *sources)]
    assert len(urls) == len(set(urls))
