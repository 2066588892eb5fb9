"""What a run of `ask` came to, in one line."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from brand_visibility.adapters.asking.session import Session
from brand_visibility.adapters.asking.tables import Row


def sentence(session: Session, wall_s: float) -> str:
    """Return the summary of a run that took so many seconds."""
    failures, attempts = session.failures(), session.attempts()
    answered = session.asked_count - len(failures)
    kept = f" ({session.kept_count} before)" if session.kept_count else ""
    return (
        f"asked {session.asked_count}, answered {answered}{kept}, failed {_by_reason(failures)};"
        f" {len(attempts)} calls in {wall_s:.1f} s,"
        f" {busiest_second(attempts)} in the busiest second"
    )


def _by_reason(failures: Sequence[Row]) -> str:
    if not failures:
        return "0"
    counts = Counter(row["reason"] for row in failures).most_common()
    return f"{len(failures)} ({', '.join(f'{count} {reason}' for reason, count in counts)})"


def busiest_second(attempts: Sequence[Row]) -> int:
    """Return the most calls that were sent within any one second."""
    sent = sorted(row["sent_at"].timestamp() for row in attempts)
    return max(
        (bisect_left(sent, start + 1.0) - index for index, start in enumerate(sent)), default=0
    )
