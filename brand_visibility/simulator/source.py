"""What the server needs from those who write its answers."""

from collections.abc import Mapping
from typing import Protocol

Truth = Mapping[str, Mapping[str, float]]
"""Topic → brand → the probability that an answer mentions the brand."""


class AnswerSource(Protocol):
    """Writes answers, the same for the same question at any time.

    `answer` returns None when the prompt is not among the known ones; `number` counts
    from 0 the answers to this prompt. `truth` returns None when nobody knows it;
    `platform_ids` are the platforms for which it may be asked before they are called.
    `domains` are hosts on which a platform may find something.
    """

    def answer(self, platform_id: str, prompt: str, number: int) -> str | None: ...

    def truth(self, platform_id: str) -> Truth | None: ...

    def platform_ids(self) -> tuple[str, ...]: ...

    def domains(self) -> tuple[str, ...]: ...
