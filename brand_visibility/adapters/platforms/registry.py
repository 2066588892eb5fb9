"""The known adapters, and what a platform's entry in the catalog resolves to.

A new platform is a file beside this one and a line in `ADAPTERS`. What an adapter is belongs
to `adapter`, whether an entry of the catalog is valid to `adapters.catalog`.
"""

import importlib
import re
from collections.abc import Mapping
from functools import cache

from brand_visibility.adapters.platforms.adapter import Adapter
from brand_visibility.domain.catalog import Account, Platform
from brand_visibility.domain.errors import InputError

# What may stand in a header: anything else fails deep in the client, which shows it.
_KEY = re.compile(r"[\x21-\x7e]+\Z")

# The name of the generic adapter, and of the one whose address the environment names.
GENERIC = "openai_compatible"
SIMULATOR = "simulator"

# Each in the module of this package whose `ADAPTER` it is, which loads when it is asked for.
ADAPTERS: Mapping[str, str] = {
    GENERIC: "openai_compatible",
    "openai_chat": "openai_chat",
    "openai_responses": "openai_responses",
    "anthropic": "anthropic",
    "gemini": "gemini",
    "perplexity": "perplexity",
    "deepseek": "deepseek",
    "kimi": "kimi",
    "zhipu": "zhipu",
    "hunyuan": "hunyuan",
    "hunyuan_native": "hunyuan_native",
    "doubao": "doubao",
    "doubao_responses": "doubao_responses",
    "qwen": "qwen",
    "qwen_native": "qwen_native",
    # The simulator speaks the generic protocol; only its address differs.
    SIMULATOR: "openai_compatible",
}


@cache
def load_adapter(name: str) -> Adapter:
    """Return a known adapter, its module imported the first time. Raises KeyError."""
    module = importlib.import_module(f"{__package__}.{ADAPTERS[name]}")
    adapter: Adapter = module.ADAPTER
    return adapter


def adapter_of(platform: Platform) -> Adapter:
    """Return the platform's adapter. Raises InputError for an unknown name."""
    if platform.adapter not in ADAPTERS:
        raise InputError(
            f"platform {platform.platform_id}: adapter: found {platform.adapter!r};"
            f" expected one of {', '.join(ADAPTERS)}"
        )
    return load_adapter(platform.adapter)


def is_simulated(platform: Platform) -> bool:
    """Whether the local simulator plays the platform, whatever adapter it is asked through."""
    return platform.is_simulated or platform.adapter == SIMULATOR


def base_url_of(platform: Platform, environment: Mapping[str, str]) -> str:
    """Return where a platform is asked. Raises InputError when nothing says so."""
    if not is_simulated(platform):
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
        account.account_id: key
        for account in platform.accounts
        if (key := key_of(platform, account, environment)) is not None
    }


def key_of(platform: Platform, account: Account, environment: Mapping[str, str]) -> str | None:
    """Return the key of one account, None when it names none. A simulated one is made up.

    Raises InputError, which does not show it, for one that is missing or cannot be a key.
    """
    form = adapter_of(platform).key_form
    if platform.is_simulated:
        # The simulator takes any key, and so gets none that is worth anything.
        return ":".join(f"simulated-{account.account_id}" for _ in _parts_of(form))
    if account.key_env is None:
        return None
    key = environment.get(account.key_env, "").strip()
    unfit = unfit_key(key, form)
    if unfit is None:
        return key
    raise InputError(
        f"environment variable {account.key_env}: found {unfit};"
        f" expected the key of account {account.account_id}{f' as {form}' if form else ''}"
    )


def unfit_key(key: str, form: str | None) -> str | None:
    """Return what is found in place of a key of this form, None when it may be one.

    The text shows no character of it.
    """
    if not key:
        return "nothing"
    if not _KEY.match(key):
        return f"a text of {len(key)} characters, some of which no header can hold (not shown)"
    names = _parts_of(form)
    parts = key.split(":", len(names) - 1)
    if len(parts) < len(names) or not all(parts):
        return f"a key of {len(key)} characters without {len(names)} parts around `:` (not shown)"
    return None


def _parts_of(form: str | None) -> list[str]:
    return (form or "").split(":")
