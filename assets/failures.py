"""What Dagster is told when the house raises an error.

A permanent error ends the step at once; a transient one is left to the step's retry
policy.
"""

import contextlib
from collections.abc import Iterator

import dagster as dg

from brand_visibility.domain.errors import PermanentError


@contextlib.contextmanager
def as_dagster_failure() -> Iterator[None]:
    """Turn a permanent error into a failure that no retry policy repeats."""
    try:
        yield
    except PermanentError as error:
        raise dg.Failure(description=str(error), allow_retries=False) from error
