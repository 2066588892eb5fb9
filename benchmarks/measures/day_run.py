"""`python -m benchmarks.measures.day_run store|measure FOLDER ANSWERS [DATASET]`.

A process of its own, so that its CPU and memory are those of one day's figures and of
nothing else.
"""

import sys
from datetime import date, timedelta
from pathlib import Path

from benchmarks.measures.days import store_day
from brand_visibility.adapters.figure_files import store_figures
from brand_visibility.adapters.figures import FIGURES
from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.stored_day import StoredDay
from brand_visibility.domain.night import DayState

DAY = date(2026, 5, 12)


def main() -> None:
    """Store two days, or measure the second, all of its figures or one dataset."""
    _, what, folder, size, *names = sys.argv
    lake = Lake(Path(folder))
    if what == "store":
        for plan_date in (DAY - timedelta(days=1), DAY):
            store_day(lake, plan_date, int(size))
        return
    state = DayState.FINAL
    if not names:
        state = StoredDay(lake, DAY).state(is_over=False)
    for figures in FIGURES:
        if not names or figures.dataset.name in names:
            stored = store_figures(lake, figures, DAY, state)
            print(f"{figures.dataset.name} {stored.row_count}")


if __name__ == "__main__":
    main()
