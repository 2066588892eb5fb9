"""The domains that the answers to a topic's questions lean on most, whoever they belong to."""

import pandas as pd

from brand_visibility.measures.pages import SCOPE, Pages, tracked_brands, with_retrieval
from brand_visibility.measures.questions import bounded, bounded_mean, dated, valid_answers

# More domains than anybody reads; the rest is in `core_citations`.
TOP_DOMAINS = 100

_SCOPE = [*SCOPE, "question_kind"]
_DOMAIN = "registrable_domain"
_SIZES = ["observed_answer_count", "observed_question_count"]
_COLUMNS = [
    "plan_date",
    *_SCOPE,
    _DOMAIN,
    "owner_brand_ids",
    *_SIZES,
    "citing_answer_count",
    "url_count",
    *bounded("citing_rate"),
    "measure_version",
]


def source_domain_daily(
    plan: pd.DataFrame, answers: pd.DataFrame, citations: pd.DataFrame
) -> pd.DataFrame:
    """Return the columns of `out_source_domain_daily`, at most `TOP_DOMAINS` for each topic.

    `citing_rate` is over the answers whose retrieval was observed: those that lean on at
    least one page of the domain. `owner_brand_ids` are the tracked brands to whom one of
    its pages belongs.

    Raises IncompleteError as `valid_answers` does, and when a column is missing.
    """
    day = valid_answers(plan, answers, {"core_citations": citations}, _SCOPE)
    pages = Pages.of(citations)
    rows = with_retrieval(day.rows, answers, pages)
    found = _rates(rows[rows["is_observed"]], pages)
    top = found.sort_values(
        [*_SCOPE, "citing_answer_count", "url_count", _DOMAIN],
        ascending=[*[True] * len(_SCOPE), False, False, True],
        ignore_index=True,
    )
    top = top[top.groupby(_SCOPE).cumcount() < TOP_DOMAINS].reset_index(drop=True)
    top["owner_brand_ids"] = _owners(top, plan, pages)
    return dated(top, day.plan_date)[_COLUMNS]


def _rates(observed: pd.DataFrame, pages: Pages) -> pd.DataFrame:
    question = [*_SCOPE, "prompt_id"]
    sizes = observed.groupby(question).size().rename("answers").reset_index()
    per_answer = pages.rows.groupby(["query_id", _DOMAIN]).size().rename("url_count").reset_index()
    citing = observed[[*question, "query_id"]].merge(per_answer, on="query_id")
    shares = (
        citing.groupby([*question, _DOMAIN])
        .agg(citing_answer_count=("query_id", "size"), url_count=("url_count", "sum"))
        .reset_index()
        .merge(sizes, on=question)
    )
    shares["share"] = shares["citing_answer_count"] / shares["answers"]
    shares["square"] = shares["share"] ** 2
    sums = ["citing_answer_count", "url_count", "share", "square"]
    found = shares.groupby([*_SCOPE, _DOMAIN])[sums].sum().reset_index()
    return _with_rate(found.merge(_scope_sizes(sizes), on=_SCOPE))


def _scope_sizes(questions: pd.DataFrame) -> pd.DataFrame:
    by_scope = questions.groupby(_SCOPE)["answers"]
    return by_scope.agg(observed_answer_count="sum", observed_question_count="size").reset_index()


def _with_rate(found: pd.DataFrame) -> pd.DataFrame:
    # Questions whose answers never lean on the domain count with a share of 0.
    count = found["observed_question_count"]
    return found.join(bounded_mean("citing_rate", found["share"] / count, found["square"], count))


def _owners(found: pd.DataFrame, plan: pd.DataFrame, pages: Pages) -> pd.Series:
    owned = pages.owned[[_DOMAIN, "brand_id"]].drop_duplicates()
    tracked = owned.merge(tracked_brands(plan), on="brand_id")
    by_domain = tracked.groupby([*SCOPE, _DOMAIN])["brand_id"].agg(sorted).rename("owners")
    owners = found.merge(by_domain.reset_index(), on=[*SCOPE, _DOMAIN], how="left")["owners"]
    lists = [brand_ids if isinstance(brand_ids, list) else [] for brand_ids in owners]
    return pd.Series(lists, index=found.index, dtype="object")
