"""What happened lately, in slices of time: the window that every adaptive limit looks at.

What is counted in a slice, and what follows from it, belongs to whoever looks.
"""

from collections import deque
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

Slice = TypeVar("Slice")


class SlidingWindow(Generic[Slice]):
    """The newest slices of time, each with its own count of what happened in it.

    `now` is in monotonic seconds and never goes back. Between `slices - 1` and `slices`
    times `slice_s` seconds are seen, the current slice included.
    """

    def __init__(self, new: Callable[[], Slice], *, slices: int, slice_s: float = 1.0) -> None:
        self._new = new
        self._slices = slices
        self._slice_s = slice_s
        self._kept: deque[tuple[int, Slice]] = deque()

    def current(self, now: float) -> Slice:
        """Return the slice to count in."""
        index = int(now // self._slice_s)
        if not self._kept or self._kept[-1][0] != index:
            self._forget(index)
            self._kept.append((index, self._new()))
        return self._kept[-1][1]

    def within(self, now: float, slices: int | None = None) -> Iterator[Slice]:
        """Yield the slices of the window that hold anything, or only the newest of them."""
        index = int(now // self._slice_s)
        self._forget(index)
        oldest = index - (slices or self._slices)
        return (kept for at, kept in self._kept if at > oldest)

    def clear(self) -> None:
        """Forget everything."""
        self._kept.clear()

    def oldest_end(self, now: float) -> float | None:
        """Return when the oldest slice leaves the window, None when the window is empty."""
        self._forget(int(now // self._slice_s))
        return (self._kept[0][0] + self._slices) * self._slice_s if self._kept else None

    def _forget(self, index: int) -> None:
        while self._kept and self._kept[0][0] <= index - self._slices:
            self._kept.popleft()
