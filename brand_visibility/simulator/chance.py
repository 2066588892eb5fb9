"""Chance as a pure function of names: the same names always draw the same number.

No generator with a state lives here, so that no draw depends on the order of calls.
"""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """Draws that belong to one thing, named by `parts`.

    Each draw is named in turn, and draws of different names are independent.
    """

    def __init__(self, *parts: object) -> None:
        self._hash = hashlib.blake2b(digest_size=8)
        for part in parts:
            self._hash.update(_framed(part))

    def uniform(self, name: object = "") -> float:
        """Return the number of this name, evenly spread over 0 ≤ u < 1."""
        drawn = self._hash.copy()
        drawn.update(_framed(name))
        # A float holds 53 bits: with all 64 the largest digests would round up to 1.
        return (int.from_bytes(drawn.digest(), "big") >> 11) / 2**53

    def happens(self, name: object, probability: float) -> bool:
        """Return whether what has this probability happens."""
        return self.uniform(name) < probability

    def pick(self, name: object, options: Sequence[T]) -> T:
        """Return one of the options, each as likely as the others."""
        return options[int(self.uniform(name) * len(options))]


def _framed(part: object) -> bytes:
    encoded = str(part).encode()
    return len(encoded).to_bytes(8, "big") + encoded
