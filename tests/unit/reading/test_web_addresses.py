import pytest
from hypothesis import given
from hypothesis import strategies as st

from brand_visibility.reading.web_addresses import WebAddress, is_under, read_address

REDIRECT = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AbC"


def address(url: str, title: str | None = None) -> WebAddress:
    read = read_address(url, title)
    assert read is not None
    return read


@pytest.mark.parametrize(
    ("url", "normal", "host", "domain"),
    [
        ("https://Example.com", "https://example.com/", "example.com", "example.com"),
        ("www.haier.com/a", "https://www.haier.com/a", "haier.com", "haier.com"),
        ("https://shop.a.co.uk/x", "https://shop.a.co.uk/x", "shop.a.co.uk", "a.co.uk"),
        ("https://a.com.cn/x?id=1", "https://a.com.cn/x?id=1", "a.com.cn", "a.com.cn"),
        ("https://a.com/x?utm_source=b&id=1", "https://a.com/x?id=1", "a.com", "a.com"),
        ("https://a.com/x?utm_source=b#top", "https://a.com/x", "a.com", "a.com"),
        ("https://a.com:8443/X", "https://a.com:8443/X", "a.com", "a.com"),
        ("https://q.intuit.com", "https://q.intuit.com/", "q.intuit.com", "intuit.com"),
        ("https://a.org/wiki/小米集团", "https://a.org/wiki/小米集团", "a.org", "a.org"),
    ],
)
def test_an_address_is_compared_without_what_says_nothing(
    url: str, normal: str, host: str, domain: str
) -> None:
    read = address(url)
    assert (read.url, read.host, read.registrable_domain) == (normal, host, domain)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "https://",
        "http://[::1",
        "localhost",
        "https://中文",
        "x y",
        f"https://{'a.' * 126}com",
        f"https://a.com/{'x' * 4_000}",
    ],
)
def test_what_has_no_host_is_no_address(url: str) -> None:
    assert read_address(url) is None


@pytest.mark.parametrize(
    ("title", "host"),
    [
        ("haier.com", "haier.com"),
        ("www.Haier.com", "haier.com"),
        ("Haier - Wikipedia", "vertexaisearch.cloud.google.com"),
        (None, "vertexaisearch.cloud.google.com"),
    ],
)
def test_a_redirect_has_the_host_that_its_title_names(title: str | None, host: str) -> None:
    assert address(REDIRECT, title).host == host


def test_an_ordinary_page_keeps_its_host_whatever_its_title_says() -> None:
    assert address("https://a.com/x", "b.com").host == "a.com"


@pytest.mark.parametrize(
    ("url", "domain", "is_own"),
    [
        ("https://example.com", "example.com", True),
        ("https://www.example.com", "example.com", True),
        ("https://shop.example.com/x", "example.com", True),
        ("https://weareexample.com", "example.com", False),
        ("https://example.com.evil.org", "example.com", False),
        ("https://intuit.com", "quickbooks.intuit.com", False),
        ("https://quickbooks.intuit.com", "intuit.com", True),
        ("https://a.com/shop", "a.com/shop", True),
        ("https://a.com/shop/x", "a.com/shop/", True),
        ("https://a.com/shopping", "a.com/shop", False),
        ("https://a.com/", "a.com/shop", False),
    ],
)
def test_a_page_is_under_a_domain_or_it_is_not(url: str, domain: str, is_own: bool) -> None:
    assert is_under(address(url), domain) is is_own


@given(st.text() | st.text(alphabet="htps:/.w[]@?#&=%中-a1"), st.none() | st.text())
def test_no_text_makes_it_raise(url: str, title: str | None) -> None:
    read = read_address(url, title)
    assert read is None or read.host
