"""Tables, the README's sections and the figures that are computed from recorded times."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.collector.__main__ import README
from benchmarks.collector.all_peers import ALL_PEERS
from benchmarks.collector.engine_call import read_report
from benchmarks.collector.part_e import summarise
from benchmarks.collector.platform_process import busiest
from benchmarks.collector.scenario import (
    behaviour_from,
    plan_of,
    queries,
    strict_scenario,
    to_json,
)
from benchmarks.collector.slot_diary import SlotDiary
from benchmarks.common.readme import replace_section
from benchmarks.common.table import Bound, Target, markdown, target_table
from brand_visibility.collection.clock import AsyncioClock

_PARTS = ("a", "a-ours", "b", "c", "d", "e")


@pytest.mark.parametrize(
    ("bound", "measured", "is_met"),
    [
        (Bound.AT_MOST, 1.02, True),
        (Bound.AT_MOST, 1.0201, False),
        (Bound.AT_LEAST, 1.02, True),
        (Bound.AT_LEAST, 1.0199, False),
        (Bound.EXACTLY, 1.02, True),
        (Bound.EXACTLY, 1.021, False),
    ],
)
def test_a_target_is_met_up_to_its_bound(bound: Bound, measured: float, is_met: bool) -> None:
    assert Target("figure", measured, bound, 1.02).is_met is is_met


def test_a_target_that_rounds_to_its_bound_is_still_missed() -> None:
    row = Target("wall ÷ floor", 1.0204, Bound.AT_MOST, 1.02, digits=2).row()

    assert row == ["wall ÷ floor", "1.02", "≤ 1.02", "**missed**"]


def test_a_table_of_targets_shows_figures_with_their_units() -> None:
    table = target_table([Target("CPU", 4.25, Bound.AT_MOST, 5, "s", 1)])

    assert table.splitlines()[-1] == "| CPU | 4.2 s | ≤ 5.0 s | met |"


def test_a_cell_cannot_break_its_table() -> None:
    table = markdown(("client", "remark"), [("a|b", "two\nlines")])

    assert table.splitlines()[-1] == "| a\\|b | two lines |"


def test_a_row_of_another_width_is_refused() -> None:
    with pytest.raises(ValueError, match="found 1 cells; expected 2"):
        markdown(("client", "remark"), [("alone",)])


@pytest.mark.parametrize(
    ("times", "most"),
    [
        ((), 0),
        ((0.0, 0.5, 0.999), 3),
        # Exactly a second apart is no longer the same second.
        ((0.0, 0.5, 1.0), 2),
        ((5.0, 0.0, 5.1), 2),
    ],
)
def test_the_busiest_second_may_begin_anywhere(times: Sequence[float], most: int) -> None:
    assert busiest(times) == most


@settings(deadline=None)
@given(st.lists(st.floats(0, 20), max_size=40))
def test_no_second_holds_more_than_the_busiest(times: list[float]) -> None:
    held = [sum(1 for at in times if 0 <= at - begin < 1) for begin in times]

    assert busiest(times) == max(held, default=0)


def test_shared_pacing_counts_the_rate_within_the_window_and_the_second_over_all() -> None:
    early = [0.0, 0.1, 0.2, 0.3]
    shared = summarise(2, [[*early, 10.0, 10.5], [11.0, 20.0]], 10.0, 12.0)

    assert shared.counts == (2, 1)
    assert shared.used == pytest.approx(3 / 4)
    # Four sends before the window broke the limit, and that is not forgiven.
    assert shared.busiest_second == 4


def test_a_section_is_replaced_and_the_rest_of_the_page_stays() -> None:
    page = "before\n<!-- begin a -->\nold\n<!-- end a -->\nafter\n"

    assert replace_section(page, "a", r" new \1 ") == (
        "before\n<!-- begin a -->\nnew \\1\n<!-- end a -->\nafter\n"
    )


@pytest.mark.parametrize(
    "page",
    [
        "no markers",
        "<!-- end a -->\n<!-- begin a -->",
        "<!-- begin a -->\n<!-- end a -->\n" * 2,
    ],
)
def test_a_page_without_the_markers_is_left_alone(page: str) -> None:
    with pytest.raises(ValueError, match="once, in this order"):
        replace_section(page, "a", "new")


@pytest.mark.parametrize("name", _PARTS)
def test_the_page_has_a_section_for_every_part(name: str) -> None:
    page = README.read_text(encoding="utf-8")

    assert "measured" in replace_section(page, name, "measured")


@pytest.mark.parametrize("peer", ALL_PEERS, ids=lambda peer: peer.name)
def test_every_peer_has_a_script_and_pinned_requirements(peer: object) -> None:
    script, requirements = Path(peer.script), Path(peer.requirements)  # type: ignore[attr-defined]

    assert script.is_file()
    lines = requirements.read_text(encoding="utf-8").split()
    assert lines
    assert all("==" in line for line in lines)


def test_the_platform_of_another_process_behaves_as_described() -> None:
    scenario = strict_scenario(speed=10)

    described = json.loads(to_json(scenario))

    assert behaviour_from(described["behaviour"]) == scenario.behaviour
    assert described["seed"] == scenario.seed


def test_questions_are_distinct_and_in_the_order_of_the_ledger() -> None:
    asked = queries(100)

    assert len({query.prompt for query in asked}) == 100
    assert [query.query_id for query in asked] == sorted(query.query_id for query in asked)
    assert plan_of(asked).queries == tuple(asked)


def test_an_engine_that_reports_nothing_is_quoted() -> None:
    with pytest.raises(RuntimeError, match="Traceback of something"):
        read_report("Traceback of something\n")


@dataclass
class ScriptedPace:
    slots: list[float] = field(default_factory=lambda: [1.0, 2.0, 3.0])

    async def reserve(self, count: int) -> Sequence[float]:
        taken, self.slots = self.slots[:count], self.slots[count:]
        return taken


def test_a_send_is_as_late_as_it_comes_after_its_slot() -> None:
    diary = SlotDiary(AsyncioClock())

    reserved = asyncio.run(diary.keep(ScriptedPace()).reserve(3))
    diary.sends.extend([1.25, 2.0, 3.5])

    assert reserved == [1.0, 2.0, 3.0]
    assert diary.mean_delay_s() == pytest.approx(0.25)


def test_nothing_sent_was_not_late() -> None:
    assert SlotDiary(AsyncioClock()).mean_delay_s() == 0.0
