"""Gazetteers kept beside what was read with them, so that any reading can be made again.

A catalog changes; the hash on every row of a reading names the file here that holds the
brands, aliases, decoys and domains of that reading. Files are written once and never
changed.
"""

import dataclasses
import json
import re
from pathlib import Path
from typing import Any

from brand_visibility.adapters.whole_files import whole_file
from brand_visibility.domain.catalog import Alias, AliasPolicy, Brand
from brand_visibility.domain.errors import Fault, InputError
from brand_visibility.reading.gazetteer import Gazetteer, build_gazetteer

FOLDER = "_gazetteers"

_HASH = re.compile(r"[0-9a-f]{32}\Z")
# What a reading depends on; whatever else a brand has may change without a new hash.
_BRAND_FIELDS = ("brand_id", "tenant_id", "name", "topic_ids", "domains", "decoys")


def keep_gazetteer(root: Path, gazetteer: Gazetteer) -> Path:
    """Write a gazetteer below the lake's root unless it is there, and return its path."""
    path = _path(root, gazetteer.hash)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as temporary:
            temporary.write_text(_encode(gazetteer), encoding="utf-8")
    return path


def kept_gazetteer(root: Path, gazetteer_hash: str) -> Gazetteer:
    """Return the gazetteer of a hash.

    Raises InputError when it was never kept, or when its file does not hold it.
    """
    path = _path(root, gazetteer_hash)
    if not path.exists():
        raise _error(path, "no such file", "a gazetteer that an earlier reading has kept")
    try:
        gazetteer = _decode(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, TypeError, KeyError) as error:
        raise _error(path, f"{type(error).__name__}: {error}", "a kept gazetteer") from error
    if gazetteer.hash != gazetteer_hash:
        raise _error(path, f"the gazetteer {gazetteer.hash}", "the one that its name says")
    return gazetteer


def _path(root: Path, gazetteer_hash: str) -> Path:
    if not _HASH.match(gazetteer_hash):
        raise InputError(f"gazetteer: found {gazetteer_hash!r}; expected 32 hexadecimal digits")
    return root / FOLDER / f"{gazetteer_hash}.json"


def _encode(gazetteer: Gazetteer) -> str:
    brands = [
        {name: getattr(brand, name) for name in _BRAND_FIELDS}
        | {"aliases": [dataclasses.asdict(alias) for alias in brand.aliases]}
        for brand in gazetteer.brands
    ]
    return json.dumps({"brands": brands, "decoys": gazetteer.decoys}, ensure_ascii=False, indent=1)


def _decode(kept: Any) -> Gazetteer:
    return build_gazetteer(map(_brand, kept["brands"]), tuple(kept["decoys"]))


def _brand(kept: dict[str, Any]) -> Brand:
    aliases = tuple(
        Alias(
            alias["text"],
            AliasPolicy(alias["policy"]),
            alias["is_case_sensitive"],
            tuple(alias["context_any"]),
        )
        for alias in kept["aliases"]
    )
    return Brand(
        brand_id=kept["brand_id"],
        tenant_id=kept["tenant_id"],
        name=kept["name"],
        aliases=aliases,
        topic_ids=tuple(kept["topic_ids"]),
        domains=tuple(kept["domains"]),
        decoys=tuple(kept["decoys"]),
    )


def _error(path: Path, found: str, expected: str) -> InputError:
    return InputError(str(Fault(str(path), "", found, expected)))
