"""What was read from answers, row by row."""

import pyarrow as pa

from brand_visibility.adapters.lake.schemas.fields import (
    BRAND_FIELD,
    CHANNEL_FIELD,
    DATE_FIELD,
    DOLLARS,
    PER_DAY,
    PER_PLATFORM,
    PLATFORM_FIELD,
    QUERY_FIELD,
    TENANT_FIELD,
    dataset,
)

READ_BY = (
    ("reader_version", pa.string(), "Version of the reading rules."),
    ("gazetteer_hash", pa.string(), "Hash of the brands, aliases, decoys and domains read for."),
)
_CUES = pa.list_(
    pa.struct(
        [
            ("text", pa.string()),
            ("start_offset", pa.int64()),
            ("end_offset", pa.int64()),
            ("weight", pa.int16()),
            ("rule", pa.string()),
        ]
    )
)

CORE_MENTIONS = dataset(
    "core_mentions",
    PER_PLATFORM,
    DATE_FIELD,
    QUERY_FIELD,
    PLATFORM_FIELD,
    CHANNEL_FIELD,
    BRAND_FIELD,
    ("alias", pa.string(), "Alias of the catalog that was found."),
    ("alias_policy", pa.string(), "safe, guarded or compound_only."),
    ("surface", pa.string(), "The characters of the answer, unchanged."),
    ("start_offset", pa.int64(), "First character in the raw answer, counted in code points."),
    ("end_offset", pa.int64(), "One past the last character in the raw answer."),
    ("zone", pa.string(), "text, link_text, heading, list_head or table_cell."),
    ("is_suppressed", pa.bool_(), "Found but not counted as a mention."),
    ("suppressed_reason", pa.string(), "Why it is not counted, null when it is."),
    *READ_BY,
)

CORE_RANKS = dataset(
    "core_ranks",
    PER_PLATFORM,
    DATE_FIELD,
    QUERY_FIELD,
    PLATFORM_FIELD,
    CHANNEL_FIELD,
    TENANT_FIELD,
    BRAND_FIELD,
    ("order_of_mention", pa.int16(), "Which of the tenant's brands is mentioned first, from 1."),
    ("first_offset", pa.int64(), "First mention's place in the raw answer, in code points."),
    ("text_length", pa.int64(), "Length of the raw answer, in code points."),
    ("list_index", pa.int16(), "Which of the answer's ranking lists; 0 is its own ranking."),
    ("rank", pa.int16(), "The brand's place in the list, unwatched names counted; null: unranked."),
    ("list_length", pa.int16(), "Items of the list, null when unranked."),
    ("printed_number", pa.int64(), "Number that the answer prints before it, null: none."),
    ("rank_source", pa.string(), "How the list is written: numbered, bullets, table and so on."),
    ("item_offset", pa.int64(), "The item's place in the raw answer, null when unranked."),
    *READ_BY,
)

CORE_STANCES = dataset(
    "core_stances",
    PER_PLATFORM,
    DATE_FIELD,
    QUERY_FIELD,
    PLATFORM_FIELD,
    CHANNEL_FIELD,
    TENANT_FIELD,
    BRAND_FIELD,
    ("stance", pa.string(), "recommended, neutral, negative, unjudged; absent is no mention."),
    ("cue", pa.string(), "Words that decided, unchanged; null when there are none."),
    ("rule", pa.string(), "Rule by which they speak of the brand, null when there are none."),
    ("cues", _CUES, "All words for (weight above 0) and against it, those that decided first."),
    *READ_BY,
)

CORE_STANCE_JUDGEMENTS = dataset(
    "core_stance_judgements",
    PER_DAY,
    DATE_FIELD,
    QUERY_FIELD,
    PLATFORM_FIELD,
    CHANNEL_FIELD,
    TENANT_FIELD,
    BRAND_FIELD,
    ("rule_stance", pa.string(), "Stance of core_stances when the sample was drawn."),
    ("judged_stance", pa.string(), "What the judge says, of the same five; null: no judgement."),
    ("is_verified", pa.bool_(), "The quoted words stand in the answer. Only then it counts."),
    ("quote", pa.string(), "Words that the judge says decided; null: no judgement."),
    ("sampled_because", pa.string(), "negative, conflict (the rules left it unjudged), random."),
    ("sampling_rate", pa.float64(), "Chance that a stance of its stratum had to be judged."),
    ("reason", pa.string(), "Why there is no judgement: a failure's, malformed, not_asked."),
    ("judge_query_id", pa.string(), "The judge's own query; the same prompt is asked once."),
    ("judge_platform_id", pa.string(), "Platform of the catalog that judged."),
    ("judge_model", pa.string(), "Model as the judge reported it, null without a reply."),
    ("prompt", pa.string(), "The exact text that the judge was sent."),
    ("prompt_hash", pa.string(), "Hash of the judge's instructions."),
    ("judge_version", pa.string(), "Version of the judge's instructions and of their reading."),
    ("reader_version", pa.string(), "Version of the rules that rule_stance is from."),
    ("cost_usd", DOLLARS, "All calls of judge_query_id; rows that share it share the cost."),
)

CORE_CITATIONS = dataset(
    "core_citations",
    PER_PLATFORM,
    DATE_FIELD,
    QUERY_FIELD,
    PLATFORM_FIELD,
    CHANNEL_FIELD,
    ("url", pa.string(), "The page, without tracking parameters and fragment."),
    ("host", pa.string(), "Its host without www; behind a redirect the host that it names."),
    ("registrable_domain", pa.string(), "The part of the host that can be registered."),
    ("role", pa.string(), "cited, inline, retrieved or inferred: the strongest that holds."),
    ("owner_brand_ids", pa.list_(pa.string()), "Brands under whose domains the page lies."),
    ("title", pa.string(), "Its title as the platform named it, null when it did not."),
    ("position", pa.int32(), "Number among the platform's sources from 1, null: no source."),
    ("marker_count", pa.int32(), "How often markers in the text mean it."),
    ("start_offset", pa.int64(), "Its first address in the raw answer, null: none there."),
    ("end_offset", pa.int64(), "One past the last character of that address."),
    *READ_BY,
)
