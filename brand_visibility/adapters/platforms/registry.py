"""The known adapters, and what a platform's entry in the catalog resolves to.

Add an adapter here and its name to the catalog's list of known ones.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from brand_visibility.adapters.platforms import openai_compatible
from brand_visibility.adapters.platforms.wire import WireRequest, WireResponse
from brand_visibility.domain.catalog import Account, Platform
from brand_visibility.domain.errors import InputError
from brand_visibility.domain.outcomes import Outcome
from brand_visibility.domain.planning import Query

# What may stand in a header: anything else fails deep in the client, which shows it.
_KEY = re.compile(r"[\x21-\x7e]+\Z")


class RequestBuilder(Protocol):
    """Turns a query into a request. Pure."""

    def __call__(
        self, query: Query, platform: Platform, *, base_url: str, key: str | None
    ) -> WireRequest: ...


@dataclass(frozen=True, slots=True)
class Adapter:
    """How a kind of platform is spoken to. `parse` never raises."""

    build: RequestBuilder
    parse: Callable[[WireResponse, datetime], Outcome]


_OPENAI_COMPATIBLE = Adapter(openai_compatible.build_request, openai_compatible.parse_response)

# The simulator speaks the same protocol; only its address differs.
ADAPTERS: Mapping[str, Adapter] = {
    "openai_compatible": _OPENAI_COMPATIBLE,
    "simulator": _OPENAI_COMPATIBLE,
}


def adapter_of(platform: Platform) -> Adapter:
    """Return the platform's adapter. Raises InputError for an unknown name."""
    adapter = ADAPTERS.get(platform.adapter)
    if adapter is None:
        raise InputError(
            f"platform {platform.platform_id}: adapter: found {platform.adapter!r};"
            f" expected one of {', '.join(ADAPTERS)}"
        )
    return adapter


def base_url_of(platform: Platform, environment: Mapping[str, str]) -> str:
    """Return where a platform is asked. Raises InputError when nothing says so."""
    if platform.adapter != "simulator":
        if platform.base_url is None:
            raise InputError(f"platform {platform.platform_id}: base_url: found nothing")
        return platform.base_url
    # Loading the settings takes longer than a real platform's short run should start.
    from brand_visibility.adapters.settings import SIMULATOR_URL

    root = environment.get(SIMULATOR_URL, "").strip()
    if not root:
        raise InputError(
            f"platform {platform.platform_id}: {SIMULATOR_URL}: found nothing;"
            f" expected the simulator's URL, such as http://127.0.0.1:8711"
        )
    return f"{root.rstrip('/')}/{platform.platform_id}/v1"


def keys_of(platform: Platform, environment: Mapping[str, str]) -> dict[str, str]:
    """Return the keys by account id. Raises InputError, which shows no key."""
    return {
        account.account_id: read_key(account, account.key_env, environment)
        for account in platform.accounts
        if account.key_env is not None
    }


def read_key(account: Account, variable: str, environment: Mapping[str, str]) -> str:
    """Return an account's key. Raises InputError, which does not show it."""
    key = environment.get(variable, "").strip()
    if not key:
        found = "nothing"
    elif not _KEY.match(key):
        found = f"a text of {len(key)} characters, some of which no header can hold (not shown)"
    else:
        return key
    raise InputError(
        f"environment variable {variable}: found {found};"
        f" expected the key of account {account.account_id}"
    )
