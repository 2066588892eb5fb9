"""The version of a catalog: a hash of its values, not of its files.

Comments, layout and the order of entries leave it alone; any changed value changes it.
"""

import hashlib

import orjson

from brand_visibility.domain.catalog import Catalog

_VERSION_BYTES = 8


def version_of(catalog: Catalog) -> str:
    """Return 16 hex characters that stand for a catalog's values, its version aside."""
    total = hashlib.blake2b(digest_size=_VERSION_BYTES)
    sections: list[tuple[object, ...]] = [
        catalog.tenants,
        catalog.topics,
        catalog.brands,
        catalog.questions,
        catalog.platforms,
        catalog.decoys,
    ]
    if catalog.judge is not None:
        sections.append((catalog.judge,))
    for section in sections:
        digests = sorted(map(_digest, section))
        total.update(len(digests).to_bytes(8, "big"))
        for digest in digests:
            total.update(digest)
    return total.hexdigest()


def _digest(value: object) -> bytes:
    canonical = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    return hashlib.blake2b(canonical, digest_size=16).digest()
