"""CPU seconds of the process that asks."""

import resource


def cpu_s() -> float:
    """Return the user and system CPU seconds of this process so far."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime
