"""The known adapters, and what a platform's entry in the catalog resolves to.

A new platform is a file beside this one and a line in `ADAPTERS`.
"""

import re
from collections.abc import Mapping

from brand_visibility.adapters.platforms import openai_compatible
from brand_visibility.adapters.platforms.adapter import Adapter
from brand_visibility.domain.catalog import Account, Platform
from brand_visibility.domain.errors import InputError

# What may stand in a header: anything else fails deep in the client, which shows it.
_KEY = re.compile(r"[\x21-\x7e]+\Z")

# The name of the generic adapter, and of the one whose address the environment names.
GENERIC = "openai_compatible"
SIMULATOR = "simulator"

ADAPTERS: Mapping[str, Adapter] = {
    GENERIC: openai_compatible.ADAPTER,
    # The simulator speaks the same protocol; only its address differs.
    SIMULATOR: openai_compatible.ADAPTER,
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
    if platform.adapter != SIMULATOR:
        base_url = platform.base_url or adapter_of(platform).base_url
        if base_url is None:
            raise InputError(f"platform {platform.platform_id}: base_url: found nothing")
        return base_url
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
