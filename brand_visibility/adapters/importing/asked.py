"""What a platform was to be asked on a day, to hold imported answers against.

The day's frozen plan decides where there is one: a catalog that was changed since has no
say about it. A day without a plan takes what the catalog asks today.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from typing import Any

from brand_visibility.adapters.importing.faults import RowFault, missing, unknown
from brand_visibility.adapters.importing.rows import ImportRow
from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.lake.schemas import (
    DATE,
    IMPORTED_TASK_FIELDS,
    PLATFORM,
    QUERY_PLAN,
)
from brand_visibility.domain.catalog import Catalog
from brand_visibility.domain.planning import Plan, build_plan

PlanRow = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AskedPrompt:
    """A prompt of the day, and the tasks that an answer to it serves."""

    prompt_id: str
    prompt: str
    catalog_version: str
    tasks: list[dict[str, Any]] = field(default_factory=list)

    def serves(self, row: ImportRow) -> bool:
        """Whether one of the tasks has the question and the brand that a row names."""
        return any(
            row.question_id in (None, task["question_id"])
            and row.brand_id in (None, task["brand_id"])
            for task in self.tasks
        )


class AskedDay:
    """The prompts of one platform's day, by their text and by their question."""

    def __init__(self, plan: Iterable[PlanRow]) -> None:
        self._by_text: dict[str, AskedPrompt] = {}
        self._by_question: dict[str, list[AskedPrompt]] = {}
        for task in plan:
            text = task["prompt"].strip()
            prompt = self._by_text.get(text)
            if prompt is None:
                prompt = AskedPrompt(task["prompt_id"], task["prompt"], task["catalog_version"])
                self._by_text[text] = prompt
            prompt.tasks.append({name: task[name] for name in IMPORTED_TASK_FIELDS})
            prompts = self._by_question.setdefault(task["question_id"], [])
            if prompt not in prompts:
                prompts.append(prompt)

    def find(self, line: int, row: ImportRow) -> AskedPrompt | RowFault:
        """Return the prompt that a row answers, or why there is none."""
        if row.prompt is not None:
            return self._find_by_text(line, row, row.prompt)
        if row.question_id is not None:
            return self._find_by_question(line, row, row.question_id)
        return missing(line, "prompt", "prompt or question_id")

    def _find_by_text(self, line: int, row: ImportRow, text: str) -> AskedPrompt | RowFault:
        prompt = self._by_text.get(text)
        if prompt is None:
            return unknown(line, "prompt", text, "the exact text of a question of the catalog")
        if not prompt.serves(row):
            named = "question_id" if row.question_id is not None else "brand_id"
            value = row.question_id or row.brand_id or ""
            return unknown(line, named, value, f"the {named} that the prompt is asked for")
        return prompt

    def _find_by_question(
        self, line: int, row: ImportRow, question_id: str
    ) -> AskedPrompt | RowFault:
        prompts = self._by_question.get(question_id, [])
        if not prompts:
            expected = "the id of a question that the catalog asks this platform"
            return unknown(line, "question_id", question_id, expected)
        fitting = [prompt for prompt in prompts if prompt.serves(row)]
        if len(fitting) == 1:
            return fitting[0]
        expected = "the id of a brand that the question is asked for"
        if row.brand_id is None:
            return missing(line, "brand_id", f"{expected}: its text depends on it")
        return unknown(line, "brand_id", row.brand_id, expected)


@dataclass(frozen=True)
class AskedDays:
    """The asked days of a lake and a catalog, each looked up once."""

    lake: Lake
    catalog: Catalog
    _known: dict[tuple[str, date], AskedDay] = field(default_factory=dict)

    def find(
        self, line: int, platform_id: str | None, plan_date: date, row: ImportRow
    ) -> AskedPrompt | RowFault:
        """Return the prompt that a row answers, or why there is none."""
        if platform_id is None:
            return missing(line, "platform_id", "platform_id in the row, or --platform")
        if platform_id not in self._platform_ids():
            expected = f"a platform of the catalog: {', '.join(self._platform_ids())}"
            return unknown(line, "platform_id", platform_id, expected)
        key = (platform_id, plan_date)
        if key not in self._known:
            self._known[key] = AskedDay(self._plan(platform_id, plan_date))
        return self._known[key].find(line, row)

    def _platform_ids(self) -> list[str]:
        return [platform.platform_id for platform in self.catalog.platforms]

    def _plan(self, platform_id: str, plan_date: date) -> Iterable[PlanRow]:
        partition = {DATE: plan_date.isoformat(), PLATFORM: platform_id}
        frozen = self.lake.read(QUERY_PLAN, partition)
        if frozen.num_rows:
            rows: list[PlanRow] = frozen.to_pylist()
            return rows
        unpriced = _without_prices(self.catalog, platform_id)
        return _rows_of(build_plan(unpriced, plan_date=plan_date, platform_id=platform_id))


def _without_prices(catalog: Catalog, platform_id: str) -> Catalog:
    # Nothing is bought, so no price has to be known.
    platform = replace(catalog.platform(platform_id), allow_unknown_price=True)
    return replace(catalog, platforms=(platform,), tenants=())


def _rows_of(plan: Plan) -> Iterator[PlanRow]:
    prompts = {query.prompt_id: query.prompt for query in plan.queries}
    for task in plan.tasks:
        yield {
            **asdict(task),
            "question_kind": task.kind.value,
            "prompt": prompts[task.prompt_id],
            "catalog_version": plan.catalog_version,
        }
