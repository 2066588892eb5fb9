"""What was planned, what became of it, how long it took and what it cost.

Counted for whoever holds the queries: an account alone, or each brand that they serve. A
query that serves several brands counts in full for each of them, but its cost and its
tokens are parted, so that the parts add up. `coverage` has the day's page's own summary.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

import numpy as np
import numpy.typing as npt
import pandas as pd

from brand_visibility.domain.outcomes import RESULTS, SearchEvidence
from brand_visibility.measures.frames import narrow, require_columns, require_one_day
from brand_visibility.measures.matching import asked_prompts, narrow_plan, narrow_queries
from brand_visibility.measures.questions import dated

# Of queries for which no call was made: they have no account, and a null would drop out of
# whatever groups by it. No account can have this name.
NO_ACCOUNT = "-"

_Whole = npt.NDArray[np.int64]

_PLACE = ["platform_id", "channel", "account_id"]
_BRAND = ["tenant_id", "brand_id"]
_ASKED = ["platform_id", "channel", "prompt_id", "repeat"]
_RETRIES = ("no_retry_count", "one_retry_count", "two_retries_count", "more_retries_count")
_TOKENS = ("prompt_tokens", "completion_tokens")
_SAID = (SearchEvidence.SEARCHED.value, SearchEvidence.NOT_SEARCHED.value)
_QUANTILES = {"latency_ms_p50": 0.50, "latency_ms_p95": 0.95, "latency_ms_p99": 0.99}
_COUNTS = [
    "planned_count",
    "answer_count",
    "refused_or_blocked_count",
    "failed_count",
    "open_count",
    *_RETRIES,
]
_FIGURES = [
    *_COUNTS,
    *_QUANTILES,
    "searched_answer_count",
    "search_known_answer_count",
    "searched_rate",
    "call_count",
    "cost_usd",
    *_TOKENS,
]


@dataclass(frozen=True)
class Collected:
    """A day's collection as rows of the lake.

    `attempts` has its costs as `cost_units`, whole billionths of a dollar.
    """

    plan: pd.DataFrame
    answers: pd.DataFrame
    failures: pd.DataFrame
    attempts: pd.DataFrame


def collection_daily(collected: Collected) -> pd.DataFrame:
    """Return the columns of `out_collection_daily`: a row for each account and brand.

    Raises IncompleteError when a column is missing or holds nulls that it must not, when
    days are mixed, or when a query occurs twice within answers or within failures.
    """
    return _collection(collected, _BRAND)


def account_daily(collected: Collected) -> pd.DataFrame:
    """Return the columns of `out_account_daily`: a row for each account, queries once."""
    return _collection(collected, [])


def failure_daily(collected: Collected) -> pd.DataFrame:
    """Return the columns of `out_failure_daily`: how many queries have which reason."""
    day, held = _held(collected, _BRAND)
    keys = [*_PLACE, *_BRAND, "reason"]
    failed = held[held["reason"].notna()]
    counted = failed.groupby(keys, sort=True).size().rename("failure_count").reset_index()
    return dated(counted, day)[["plan_date", *keys, "failure_count", "measure_version"]]


def _collection(collected: Collected, holder: Sequence[str]) -> pd.DataFrame:
    day, held = _held(collected, holder)
    keys = [*_PLACE, *holder]
    paid = _paid(held, collected.attempts, holder)
    rows = _counted(held, keys).merge(paid, on=keys, how="outer", sort=True)
    rows = rows.merge(_of_answers(held, collected.answers, holder), on=keys, how="left")
    whole = [name for name in _FIGURES if name.endswith("_count") or name in _TOKENS]
    rows[whole] = rows[whole].fillna(0).astype("int64")
    rows["searched_rate"] = rows["searched_answer_count"] / rows[
        "search_known_answer_count"
    ].replace(0, np.nan)
    return dated(rows, day)[["plan_date", *keys, *_FIGURES, "measure_version"]]


def _held(collected: Collected, holder: Sequence[str]) -> tuple[date | None, pd.DataFrame]:
    """Return every planned query once for each holder, with its outcome and its account."""
    day = require_one_day(
        {
            "query_plan": collected.plan,
            "raw_answers": collected.answers,
            "failures": collected.failures,
            "attempts": collected.attempts,
        }
    )
    asked = asked_prompts(narrow_plan(collected.plan), [*holder, "platform_id", "channel"])
    planned = asked.loc[asked.index.repeat(asked["repeats"])].drop(columns="repeats")
    planned["repeat"] = planned.groupby(level=0).cumcount()
    held = planned.merge(_outcomes(collected), on=_ASKED, how="left", sort=False)
    held["account_id"] = held["account_id"].fillna(NO_ACCOUNT)
    return day, held.sort_values([*holder, *_ASKED], ignore_index=True)


def _outcomes(collected: Collected) -> pd.DataFrame:
    """Return the queries with an outcome; one that failed and was answered is answered."""
    answered = narrow_queries(collected.answers, "raw_answers")
    failed = narrow_queries(collected.failures, "failures")
    reasons = narrow(collected.failures, "failures", {"query_id": "str", "reason": "str"})
    failed = failed[~failed["query_id"].isin(answered["query_id"])].merge(reasons, on="query_id")
    outcomes = pd.concat([answered.assign(is_answered=True), failed.assign(is_answered=False)])
    return outcomes.merge(_calls(collected.attempts), on="query_id", how="left")


def _calls(attempts: pd.DataFrame) -> pd.DataFrame:
    """Return each query's number of calls, and the account of its last one."""
    calls = narrow(
        attempts, "attempts", {"query_id": "str", "account_id": "str", "attempt_number": "int64"}
    ).sort_values(["query_id", "attempt_number"])
    by_query = calls.groupby("query_id")
    return by_query.agg(account_id=("account_id", "last"), calls=("account_id", "size"))


def _counted(held: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    is_result = held["reason"].isin([reason.value for reason in RESULTS])
    is_answered = held["is_answered"].eq(other=True)
    retries = held["calls"] - 1
    marked = held[list(keys)].assign(
        planned_count=1,
        answer_count=is_answered,
        refused_or_blocked_count=is_result,
        failed_count=held["reason"].notna() & ~is_result,
        open_count=held["query_id"].isna(),
        **{name: retries == number for number, name in enumerate(_RETRIES[:-1])},
        more_retries_count=retries >= len(_RETRIES) - 1,
    )
    marked[_COUNTS] = marked[_COUNTS].astype("int64")
    return marked.groupby(list(keys), sort=True)[_COUNTS].sum().reset_index()


def _of_answers(held: pd.DataFrame, answers: pd.DataFrame, holder: Sequence[str]) -> pd.DataFrame:
    """Return latency, search and tokens of the answers of each account and holder."""
    keys = [*_PLACE, *holder]
    columns = ["latency_ms", "search", *_TOKENS]
    require_columns(answers, "raw_answers", columns)
    rows = held.merge(answers[["query_id", *columns]], on="query_id")
    shares = _Shares.among(rows, holder)
    found = rows[keys].assign(
        latency_ms=rows["latency_ms"].astype("float64"),
        searched_answer_count=rows["search"].eq(_SAID[0]).astype("int64"),
        search_known_answer_count=rows["search"].isin(_SAID).astype("int64"),
        **{name: shares.of(rows[name].fillna(0)) for name in _TOKENS},
    )
    by_holder = found.groupby(keys, sort=True)
    sums = by_holder[["searched_answer_count", "search_known_answer_count", *_TOKENS]].sum()
    quantiles = {name: by_holder["latency_ms"].quantile(q) for name, q in _QUANTILES.items()}
    return sums.assign(**quantiles).reset_index()


def _paid(held: pd.DataFrame, attempts: pd.DataFrame, holder: Sequence[str]) -> pd.DataFrame:
    """Return the calls of each account for each holder, and the holder's part of their cost.

    Calls count for the account that made them, whichever decided the query.
    """
    keys = [*_PLACE, *holder]
    require_columns(attempts, "attempts", ["query_id", "account_id", "cost_units"])
    by_query = attempts.groupby(["query_id", "account_id"], sort=True)["cost_units"]
    calls = by_query.agg(call_count="size", priced="count", units="sum").reset_index()
    rows = held.drop(columns="account_id").merge(calls, on="query_id")
    rows["units"] = _Shares.among(rows, holder).of(rows["units"])
    by_holder = rows.groupby(keys, sort=True)[["call_count", "priced", "units"]].sum().reset_index()
    costs = zip(by_holder["units"].tolist(), by_holder["priced"].tolist(), strict=True)
    # Where no price is known the cost is unknown, which is not 0.
    usd = [Decimal(units).scaleb(-9) if priced else None for units, priced in costs]
    return by_holder[[*keys, "call_count"]].assign(cost_usd=pd.Series(usd, dtype="object"))


@dataclass(frozen=True)
class _Shares:
    """How each row's holder shares its query: by tenants first, as budgets do, then by brands.

    For each level the number of sharers, and which of them the row is.
    """

    levels: tuple[tuple[_Whole, _Whole], ...]

    @classmethod
    def among(cls, rows: pd.DataFrame, holder: Sequence[str]) -> "_Shares":
        """Return the shares of rows that are sorted by holder."""
        shared = ["query_id", "account_id"]
        queries = rows.groupby(shared, sort=False).ngroup()
        levels: list[tuple[_Whole, _Whole]] = []
        for name in holder:
            is_first = (~rows.duplicated([*shared, name])).astype("int64")
            by_query = is_first.groupby(queries)
            sharers, position = by_query.transform("sum"), by_query.cumsum() - 1
            levels.append((np.asarray(sharers, np.int64), np.asarray(position, np.int64)))
            shared.append(name)
            queries = rows.groupby(shared, sort=False).ngroup()
        return cls(tuple(levels))

    def of(self, amounts: pd.Series) -> _Whole:
        """Return each row's part of an amount of its whole query, in whole units.

        What does not divide goes to the first, so that the parts add up.
        """
        parts = amounts.to_numpy(dtype=np.int64)
        for sharers, position in self.levels:
            parts = parts // sharers + (position < parts % sharers)
        return parts
