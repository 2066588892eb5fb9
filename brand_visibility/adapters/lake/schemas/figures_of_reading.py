"""A day's figures of what answers say beyond a mention: ranks, stances and citations."""

from collections.abc import Iterator

import pyarrow as pa

from brand_visibility.adapters.lake.schemas.fields import (
    BRAND_FIELD,
    CHANNEL_FIELD,
    DATE_FIELD,
    DAY_STATE_FIELD,
    KIND_FIELD,
    MEASURE_VERSION_FIELD,
    PER_DAY,
    PLATFORM_FIELD,
    TENANT_FIELD,
    TOPIC_FIELD,
    dataset,
)

_Column = tuple[str, pa.DataType, str]

_GROUP: tuple[_Column, ...] = (
    DATE_FIELD,
    TENANT_FIELD,
    BRAND_FIELD,
    TOPIC_FIELD,
    PLATFORM_FIELD,
    CHANNEL_FIELD,
    KIND_FIELD,
)
_ANSWERS: _Column = ("answer_count", pa.int64(), "Valid answers obtained.")
_QUESTIONS: _Column = (
    "question_count",
    pa.int64(),
    "Questions with at least one valid answer: the sample size.",
)


def _rate(name: str, meaning: str) -> Iterator[_Column]:
    yield name, pa.float64(), f"Mean over questions of {meaning}."
    yield f"{name}_low", pa.float64(), "Lower 95 % bound for all questions of this sort."
    yield f"{name}_high", pa.float64(), "Upper 95 % bound for all questions of this sort."


OUT_RANK_DAILY = dataset(
    "out_rank_daily",
    PER_DAY,
    *_GROUP,
    _ANSWERS,
    _QUESTIONS,
    *_rate("first_rank_rate", "the share of all their valid answers that rank the brand first"),
    *_rate("top3_rank_rate", "the share of all their valid answers that rank it third or better"),
    *_rate("mean_reciprocal_rank", "1/rank, which is 0 where the brand is not ranked"),
    ("listed_answer_count", pa.int64(), "Valid answers that rank the brand in a list."),
    ("mean_rank", pa.float64(), "Mean over those of its best rank."),
    ("mean_list_length", pa.float64(), "Mean over those of the length of that list."),
    ("mentioning_answer_count", pa.int64(), "Valid answers that mention the brand."),
    ("mean_order_of_mention", pa.float64(), "Mean over those of its order among the brands."),
    ("mean_prominence", pa.float64(), "Mean over those of 1 - first offset/length of the answer."),
    DAY_STATE_FIELD,
    MEASURE_VERSION_FIELD,
)

OUT_STANCE_DAILY = dataset(
    "out_stance_daily",
    PER_DAY,
    *_GROUP,
    _ANSWERS,
    ("mentioning_answer_count", pa.int64(), "Valid answers that mention the brand."),
    ("mentioning_question_count", pa.int64(), "Questions with one: the sample size of the rates."),
    ("absent_answer_count", pa.int64(), "Valid answers without it, or that do not know it."),
    ("recommended_answer_count", pa.int64(), "Mentioning answers that recommend it."),
    ("neutral_answer_count", pa.int64(), "Mentioning answers that say nothing for or against."),
    ("negative_answer_count", pa.int64(), "Mentioning answers that speak against it."),
    ("unjudged_answer_count", pa.int64(), "Mentioning answers that speak for and against."),
    *_rate("recommended_rate", "the share of their mentioning answers that recommend it"),
    *_rate("neutral_rate", "the share of their mentioning answers that are neutral"),
    *_rate("negative_rate", "the share of their mentioning answers that speak against it"),
    *_rate("unjudged_rate", "the share of their mentioning answers that stay unjudged"),
    DAY_STATE_FIELD,
    MEASURE_VERSION_FIELD,
)

OUT_CITATION_DAILY = dataset(
    "out_citation_daily",
    PER_DAY,
    *_GROUP,
    _ANSWERS,
    _QUESTIONS,
    *_rate("retrieval_observed_rate", "the share of answers known to have looked something up"),
    ("observed_answer_count", pa.int64(), "Valid answers whose retrieval was observed."),
    ("observed_question_count", pa.int64(), "Questions with one: sample size of *_cited_rate."),
    *_rate("own_cited_rate", "the share of observed answers with a page of the brand"),
    *_rate("competitor_cited_rate", "the share of observed answers with a competitor's page"),
    *_rate("other_cited_rate", "the share of observed answers with a page of no tracked brand"),
    ("citing_answer_count", pa.int64(), "Observed answers with any page."),
    ("citing_question_count", pa.int64(), "Questions with one: the sample size of *_url_rate."),
    *_rate("own_url_rate", "the brand's share among an answer's distinct pages"),
    *_rate("competitor_url_rate", "competitors' share among an answer's distinct pages"),
    *_rate("other_url_rate", "the share of other pages among an answer's distinct pages"),
    ("own_citing_answer_count", pa.int64(), "Observed answers with a page of the brand."),
    ("own_citing_question_count", pa.int64(), "Questions with one: ghost_citation_rate's size."),
    *_rate("ghost_citation_rate", "the share of those answers that do not mention the brand"),
    DAY_STATE_FIELD,
    MEASURE_VERSION_FIELD,
)

OUT_SOURCE_DOMAIN_DAILY = dataset(
    "out_source_domain_daily",
    PER_DAY,
    DATE_FIELD,
    TENANT_FIELD,
    TOPIC_FIELD,
    PLATFORM_FIELD,
    CHANNEL_FIELD,
    KIND_FIELD,
    ("registrable_domain", pa.string(), "Domain of the pages; the 100 with most answers."),
    ("owner_brand_ids", pa.list_(pa.string()), "Tracked brands that own one of these pages."),
    ("observed_answer_count", pa.int64(), "The topic's answers whose retrieval was observed."),
    ("observed_question_count", pa.int64(), "Questions with one: the sample size."),
    ("citing_answer_count", pa.int64(), "Of those answers, the ones with a page of the domain."),
    ("url_count", pa.int64(), "Distinct pages of the domain, added up over these answers."),
    *_rate("citing_rate", "the share of observed answers with a page of the domain"),
    DAY_STATE_FIELD,
    MEASURE_VERSION_FIELD,
)
