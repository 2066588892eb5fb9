"""One HTTP exchange as values. Sending belongs to `http`, meaning to the adapters."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class WireRequest:
    """What is sent. Headers hold the key and the body the prompt: neither is shown."""

    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class WireResponse:
    """What came back, whole. Header names are in lower case; the body is not shown."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)

    @property
    def is_success(self) -> bool:
        """Whether the status says so; the body may still hold an error."""
        return 200 <= self.status < 300
