"""On whose pages answers lean: a brand's own, its competitors', or others'.

Only answers count for which the platform is known to have looked something up: without
that, an answer that cites nothing says nothing. Competitors are the other brands that the
tenant has planned for the topic, as for the share of voice.
"""

import pandas as pd

from brand_visibility.measures.matching import counted_mentions
from brand_visibility.measures.pages import SCOPE, Pages, tracked_brands, with_retrieval
from brand_visibility.measures.questions import (
    GROUP,
    bounded,
    counts,
    day_rows,
    question_rates,
    valid_answers,
)

_OWNERS = ("own", "competitor", "other")
_OBSERVED = {"retrieval_observed_rate": "is_observed"}
_CITED = {f"{owner}_cited_rate": f"is_{owner}_cited" for owner in _OWNERS}
_URLS = {f"{owner}_url_rate": f"{owner}_url_share" for owner in _OWNERS}
_GHOST = {"ghost_citation_rate": "is_ghost"}
_COLUMNS = [
    "plan_date",
    *GROUP,
    "answer_count",
    "question_count",
    *bounded(*_OBSERVED),
    "observed_answer_count",
    "observed_question_count",
    *bounded(*_CITED),
    "citing_answer_count",
    "citing_question_count",
    *bounded(*_URLS),
    "own_citing_answer_count",
    "own_citing_question_count",
    *bounded(*_GHOST),
    "measure_version",
]


def citation_daily(
    plan: pd.DataFrame,
    answers: pd.DataFrame,
    mentions: pd.DataFrame,
    citations: pd.DataFrame,
) -> pd.DataFrame:
    """Return the columns of `out_citation_daily` for one day and any number of platforms.

    `*_cited_rate` is over the answers whose retrieval was observed, `*_url_rate` the mean
    over answers with a page of the owner's share among their distinct pages, and
    `ghost_citation_rate` is over the answers that cite an own page: those that do not
    mention the brand. A page that is both its own and a competitor's is its own.

    Raises IncompleteError as `valid_answers` does, and when a column is missing.
    """
    readings = {"core_mentions": mentions, "core_citations": citations}
    day = valid_answers(plan, answers, readings)
    pages = Pages.of(citations)
    rows = with_retrieval(day.rows, answers, pages)
    rows = _with_mentions(_with_owners(rows, plan, pages), mentions)
    observed = rows[rows["is_observed"]]
    citing = observed[observed["url_count"] > 0]
    own_citing = observed[observed["is_own_cited"]]
    return day_rows(
        day,
        _COLUMNS,
        question_rates(rows, _OBSERVED, "question_count"),
        counts(rows, {"answer_count": "is_answered", "observed_answer_count": "is_observed"}),
        question_rates(observed, _CITED, "observed_question_count"),
        counts(citing, {"citing_answer_count": "is_answered"}),
        question_rates(citing, _URLS, "citing_question_count"),
        counts(own_citing, {"own_citing_answer_count": "is_answered"}),
        question_rates(own_citing, _GHOST, "own_citing_question_count"),
    )


def _with_owners(rows: pd.DataFrame, plan: pd.DataFrame, pages: Pages) -> pd.DataFrame:
    answer, brand = [*SCOPE, "query_id"], [*SCOPE, "query_id", "brand_id"]
    served = rows[answer].drop_duplicates()
    owned = served.merge(pages.owned, on="query_id").merge(
        tracked_brands(plan), on=[*SCOPE, "brand_id"]
    )
    own = owned.groupby(brand).size().rename("own").reset_index()
    # A page of two tracked brands is one page.
    tracked = owned.drop_duplicates([*answer, "url"]).groupby(answer).size().rename("tracked")
    found = rows.merge(own, on=brand, how="left").merge(
        tracked.reset_index(), on=answer, how="left"
    )
    found[["own", "tracked"]] = found[["own", "tracked"]].fillna(0)
    return found.assign(
        **_by_owner("own", found["own"], found["url_count"]),
        **_by_owner("competitor", found["tracked"] - found["own"], found["url_count"]),
        **_by_owner("other", found["url_count"] - found["tracked"], found["url_count"]),
    )


def _by_owner(owner: str, count: pd.Series, url_count: pd.Series) -> dict[str, pd.Series]:
    return {f"is_{owner}_cited": count > 0, f"{owner}_url_share": count / url_count}


def _with_mentions(rows: pd.DataFrame, mentions: pd.DataFrame) -> pd.DataFrame:
    mentioned = counted_mentions(mentions).assign(is_mentioned=True)
    found = rows.merge(mentioned, on=["query_id", "brand_id"], how="left")
    return found.assign(is_answered=True, is_ghost=found["is_mentioned"].isna())
