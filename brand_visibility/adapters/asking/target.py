"""The platform that is asked: from a URL and its limits, or from a catalog."""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from brand_visibility.adapters.platforms.chat import ENDPOINT
from brand_visibility.adapters.platforms.registry import base_url_of, keys_of
from brand_visibility.domain.catalog import Account, AccountLimits, Platform
from brand_visibility.domain.errors import InputError

_EXPECTED = "expected an https URL such as https://api.example.com/v1 (http on this machine only)"


@dataclass(frozen=True, slots=True)
class Target:
    """Whom to ask, and with which keys (by account id)."""

    platform: Platform
    base_url: str
    keys: Mapping[str, str]

    def __repr__(self) -> str:
        return f"Target({self.platform.platform_id} at {self.base_url})"

    def adjusted(self, *, timeout_s: float | None, max_retries: int | None) -> "Target":
        """Return the target with what is given in place of the platform's own settings."""
        platform = self.platform
        if timeout_s is not None:
            platform = replace(platform, attempt_timeout_s=timeout_s)
        if max_retries is not None:
            platform = replace(platform, retry=replace(platform.retry, max_retries=max_retries))
        return replace(self, platform=platform)


def target_at(
    url: str,
    *,
    model: str,
    limits: AccountLimits,
    key_env: str | None,
    environment: Mapping[str, str],
) -> Target:
    """Return an OpenAI-compatible API as a target. Raises InputError."""
    base_url = base_url_from(url)
    platform = Platform(
        platform_id="ask",
        adapter="openai_compatible",
        model=model,
        accounts=(Account("main", limits, key_env),),
        base_url=base_url,
    )
    return Target(platform, base_url, keys_of(platform, environment))


def target_of(directory: Path, platform_id: str, environment: Mapping[str, str]) -> Target:
    """Return a catalog's platform as a target. Raises InputError or CatalogError."""
    # Only those who have a catalog pay for reading one.
    from brand_visibility.adapters.catalog.loader import load_platforms

    platforms = {platform.platform_id: platform for platform in load_platforms(directory)}
    platform = platforms.get(platform_id)
    if platform is None:
        known = ", ".join(sorted(platforms)) or "none"
        raise InputError(f"--platform: found {platform_id!r}; the catalog has {known}")
    return Target(platform, base_url_of(platform, environment), keys_of(platform, environment))


def base_url_from(url: str) -> str:
    """Return the base of an OpenAI-compatible API, given it or its full endpoint.

    Raises InputError for anything a key should not be sent to.
    """
    text = url.strip().rstrip("/")
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise InputError(f"--url: found no valid URL; {_EXPECTED}") from error
    if "@" in parts.netloc or parts.query or parts.fragment:
        # Any of these may hold a password or a key.
        raise InputError(f"--url: found a user, a query or a fragment (not shown); {_EXPECTED}")
    if not host or parts.scheme not in {"http", "https"}:
        raise InputError(f"--url: found {text!r}; {_EXPECTED}")
    if parts.scheme == "http" and not _is_loopback(host):
        raise InputError(f"--url: found http to another machine, {host}; {_EXPECTED}")
    return text.removesuffix(ENDPOINT)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
