"""A day's sample of stances: drawn once from what was read, then found again in the lake.

The sample is the table of judgements before anybody was asked: a row for each stance,
with the prompt that will be sent.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

import pyarrow as pa

from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.lake.schemas import (
    CORE_MENTIONS,
    CORE_STANCE_JUDGEMENTS,
    CORE_STANCES,
    DATE,
    IMPORTED_ANSWERS,
    PLATFORM,
    RAW_ANSWERS,
)
from brand_visibility.domain.catalog import Catalog, Platform
from brand_visibility.domain.planning import JUDGE_CHANNEL, identify
from brand_visibility.reading.judging import JUDGE_VERSION, PROMPT_HASH, judge_prompt
from brand_visibility.reading.sampling import Candidate, Sampled, draw_sample
from brand_visibility.reading.stances import Stance

Row = dict[str, Any]

JUDGEMENTS_FILE = "judged"
NOT_ASKED = "not_asked"

_STANCE_COLUMNS = (
    "query_id",
    "platform_id",
    "channel",
    "tenant_id",
    "brand_id",
    "stance",
    "reader_version",
)


@dataclass(frozen=True, slots=True)
class SampleRules:
    """How much is judged: a share of what has no stratum of its own, and a bound of a day."""

    random_rate: float
    at_most: int


def sample_of_day(
    lake: Lake, plan_date: date, catalog: Catalog, judge: Platform, rules: SampleRules
) -> list[Row]:
    """Return the day's sample as rows of the table of judgements.

    It is drawn from the stances that are there when it is first asked for, and kept: what
    is read later, or read again by other rules, does not change who is judged.
    """
    partition = {DATE: plan_date.isoformat()}
    if lake.files(CORE_STANCE_JUDGEMENTS, partition):
        kept: list[Row] = lake.read(CORE_STANCE_JUDGEMENTS, partition).to_pylist()
        return kept
    candidates = _candidates(lake, plan_date)
    sample = draw_sample(candidates, random_rate=rules.random_rate, at_most=rules.at_most)
    rows = _rows(lake, plan_date, catalog, judge, sample)
    if rows:
        table = pa.Table.from_pylist(rows, schema=CORE_STANCE_JUDGEMENTS.schema)
        lake.write(CORE_STANCE_JUDGEMENTS, partition, table, name=JUDGEMENTS_FILE)
    return rows


def _candidates(lake: Lake, plan_date: date) -> Iterator[Candidate]:
    for partition in _platform_days(lake, plan_date):
        for batch in lake.batches(CORE_STANCES, partition, list(_STANCE_COLUMNS)):
            for row in batch.to_pylist():
                yield Candidate(**{**row, "stance": Stance(row["stance"])})


def _platform_days(lake: Lake, plan_date: date) -> list[dict[str, str]]:
    day = plan_date.isoformat()
    return [{DATE: day, PLATFORM: name} for name in lake.platforms_of(CORE_STANCES, day)]


def _rows(
    lake: Lake,
    plan_date: date,
    catalog: Catalog,
    judge: Platform,
    sample: tuple[Sampled, ...],
) -> list[Row]:
    wanted = frozenset(one.candidate.query_id for one in sample)
    texts = _texts(lake, plan_date, wanted)
    offsets = _offsets(lake, plan_date, wanted)
    names = {brand.brand_id: brand.name for brand in catalog.brands}
    rows = []
    for one in sample:
        place = one.candidate.query_id, one.candidate.brand_id
        # A brand that has left the catalog since the answer was read is nobody's concern.
        if place[1] in names and place[0] in texts:
            prompt = judge_prompt(names[place[1]], texts[place[0]], offsets.get(place, []))
            rows.append(_row(plan_date, judge, one, prompt))
    return rows


def _row(plan_date: date, judge: Platform, sampled: Sampled, prompt: str) -> Row:
    candidate = sampled.candidate
    return {
        "plan_date": plan_date,
        "query_id": candidate.query_id,
        "platform_id": candidate.platform_id,
        "channel": candidate.channel,
        "tenant_id": candidate.tenant_id,
        "brand_id": candidate.brand_id,
        "rule_stance": candidate.stance.value,
        "is_verified": False,
        "sampled_because": sampled.because.value,
        "sampling_rate": sampled.sampling_rate,
        "reason": NOT_ASKED,
        "judge_query_id": identify(plan_date, judge.platform_id, JUDGE_CHANNEL, prompt, 0),
        "judge_platform_id": judge.platform_id,
        "prompt": prompt,
        "prompt_hash": PROMPT_HASH,
        "judge_version": JUDGE_VERSION,
        "reader_version": candidate.reader_version,
    }


def _texts(lake: Lake, plan_date: date, wanted: frozenset[str]) -> Mapping[str, str]:
    texts = {}
    for partition in _platform_days(lake, plan_date):
        for dataset in (RAW_ANSWERS, IMPORTED_ANSWERS):
            for batch in lake.batches(dataset, partition, ["query_id", "text"]):
                rows = zip(*batch.to_pydict().values(), strict=True)
                texts.update({query_id: text for query_id, text in rows if query_id in wanted})
    return texts


def texts_of(lake: Lake, plan_date: date, rows: list[Row]) -> Mapping[str, str]:
    """Return the answers that a sample is about, by the id of their query."""
    return _texts(lake, plan_date, frozenset(row["query_id"] for row in rows))


def _offsets(
    lake: Lake, plan_date: date, wanted: frozenset[str]
) -> Mapping[tuple[str, str], list[int]]:
    """Return where answers name brands, what does not count as a mention included."""
    offsets: dict[tuple[str, str], list[int]] = {}
    columns = ["query_id", "brand_id", "start_offset"]
    for partition in _platform_days(lake, plan_date):
        for batch in lake.batches(CORE_MENTIONS, partition, columns):
            for query_id, brand_id, offset in zip(*batch.to_pydict().values(), strict=True):
                if query_id in wanted:
                    offsets.setdefault((query_id, brand_id), []).append(offset)
    return offsets
