"""A web address taken apart: what is compared, whose host it is.

Where addresses stand in a text belongs to `addresses` and `view`.
"""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from urllib.parse import urlsplit

from tldextract import TLDExtract

_TRACKING = re.compile(r"(?:utm_[a-z_]+|gclid|fbclid|msclkid|spm|yclid)=", re.I)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.I)
_HOST = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)+\Z", re.I)
# What the web itself allows for a host; browsers bound addresses not far above the other.
_LONGEST_HOST = 253
_LONGEST_URL = 4_000

# A source of this host is a link that leads on; only its title tells where to.
_REDIRECTS = re.compile(r"vertexaisearch\.cloud\.google\.com/grounding-api-redirect/", re.I)
_FIRST_CJK = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")


@dataclass(frozen=True, slots=True)
class WebAddress:
    """A page's address in comparable form.

    `url` is without tracking parameters and fragment, its scheme and host in lower case;
    `host` is without `www.`; `registrable_domain` is what can be bought under the public
    suffix (`example.co.uk`), the host itself where there is none; `path` begins with `/`.
    """

    url: str
    host: str
    registrable_domain: str
    path: str


@lru_cache(maxsize=8192)
def read_address(url: str, title: str | None = None) -> WebAddress | None:
    """Return an address taken apart, None for what has no host. Never raises.

    A redirecting address takes its host from the page's title, where that is a host.
    """
    if len(url) > _LONGEST_URL:
        return None
    named = _redirected_host(url, title)
    text = url if _SCHEME.match(url) else f"https://{url}"
    try:
        parts = urlsplit(text)
        host = (parts.hostname or "").rstrip(".")
    except ValueError:
        return None
    cut = _FIRST_CJK.search(host)
    host = host[: cut.start()] if cut else host
    if len(host) > _LONGEST_HOST or not _HOST.match(host):
        return None
    path, query = parts.path or "/", _untracked(parts.query)
    whole = f"{parts.scheme.lower()}://{parts.netloc.lower()}{path}{'?' if query else ''}{query}"
    host = named or host.removeprefix("www.")
    return WebAddress(whole, host, registrable_domain(host), path)


def registrable_domain(host: str) -> str:
    """Return the part of a host that can be registered, the host where there is none."""
    return _suffixes()(host).top_domain_under_public_suffix or host


def is_under(address: WebAddress, domain: str) -> bool:
    """Whether an address lies under a domain, which may have a path prefix.

    `example.com` covers itself and its subdomains; `example.com/shop` its pages below
    `/shop`. Never a part of a name: weareexample.com is somebody else.
    """
    host, _, prefix = domain.lower().partition("/")
    if address.host != host and not address.host.endswith(f".{host}"):
        return False
    prefix = prefix.rstrip("/")
    below = address.path.removeprefix("/")
    return not prefix or below == prefix or below.startswith(f"{prefix}/")


def _redirected_host(url: str, title: str | None) -> str | None:
    if title is None or not _REDIRECTS.search(url):
        return None
    name = title.strip().lower().removeprefix("www.")
    return name if _HOST.match(name) else None


def _untracked(query: str) -> str:
    kept = [part for part in query.split("&") if part and not _TRACKING.match(part)]
    return "&".join(kept)


@cache
def _suffixes() -> TLDExtract:
    # The list that the package brings: reading must never ask the network.
    return TLDExtract(cache_dir=None, suffix_list_urls=())
