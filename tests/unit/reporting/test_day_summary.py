from datetime import date

import pytest
from shown_days import DAY, collected, frame, summary_of, unknown_row, visibility_row, voice_row

from brand_visibility.adapters.lake.schemas import OUT_SHARE_OF_VOICE_DAILY, OUT_VISIBILITY_DAILY
from brand_visibility.domain.catalog import Alias, Brand, Catalog, Tenant, Topic
from brand_visibility.domain.errors import IncompleteError
from brand_visibility.reporting.day_summary import (
    Cell,
    Labels,
    PlatformColumn,
    Visibility,
    Voice,
    summarise_day,
)


def test_a_cell_holds_the_rate_and_the_share_of_one_brand_on_one_platform() -> None:
    summary = summary_of([visibility_row()], [voice_row()])

    (row,) = summary.tables[0].rows
    assert row.cells == (
        Cell(Visibility(0.42, 0.31, 0.54, 40, is_small_sample=False), Voice(0.23, 0.21, 30)),
    )


def test_an_unknown_rate_is_none_and_never_zero() -> None:
    nothing_named = voice_row(share_by_answers=None, share_by_counts=None, answer_count=0)
    summary = summary_of([unknown_row()], [nothing_named])

    (cell,) = summary.tables[0].rows[0].cells
    assert cell == Cell(Visibility(None, None, None, 0, is_small_sample=True), Voice(None, None, 0))


def test_what_was_not_planned_on_a_platform_is_an_empty_cell() -> None:
    summary = summary_of([visibility_row(), visibility_row(brand_id="bolt", platform_id="doubao")])

    cells = {row.brand_id: row.cells for row in summary.tables[0].rows}
    assert cells["acme"][1] == Cell()
    assert cells["bolt"][0] == Cell()


def test_a_share_of_voice_stands_only_beside_questions_that_name_no_brand() -> None:
    summary = summary_of([visibility_row(question_kind="brand")], [voice_row()])

    assert summary.tables[0].rows[0].cells[0].voice is None


def test_brands_come_by_the_equal_weight_mean_of_their_known_rates() -> None:
    summary = summary_of(
        [
            visibility_row(brand_id="none", mention_rate=0.0),
            unknown_row(brand_id="unknown"),
            visibility_row(brand_id="steady", mention_rate=0.5, question_count=500),
            visibility_row(brand_id="steady", mention_rate=0.1, platform_id="doubao"),
            visibility_row(brand_id="half-known", mention_rate=0.4),
            unknown_row(brand_id="half-known", platform_id="doubao"),
        ]
    )

    names = [row.brand_id for row in summary.tables[0].rows]
    assert names == ["half-known", "steady", "none", "unknown"]


def test_the_headline_tables_come_first_and_the_others_are_kept_apart() -> None:
    kinds = ["comparison", "brand", "non_brand"]
    summary = summary_of([visibility_row(question_kind=kind) for kind in kinds])

    assert [table.question_kind for table in summary.tables] == kinds[::-1]
    assert [table.question_kind for table in summary.headline_tables] == ["non_brand"]


def test_tenants_and_topics_have_their_own_tables() -> None:
    summary = summary_of(
        [
            visibility_row(),
            visibility_row(tenant_id="mall"),
            visibility_row(topic_id="cars"),
        ]
    )

    assert [(table.tenant, table.topic) for table in summary.tables] == [
        ("mall", "phones"),
        ("shop", "cars"),
        ("shop", "phones"),
    ]
    assert (summary.tenant_count, summary.brand_count) == (2, 1)


def test_a_platform_that_was_only_planned_has_its_column() -> None:
    summary = summary_of(
        [visibility_row()],
        coverage=(collected("doubao"), collected("kimi", channel="import")),
        simulated_platform_ids={"doubao"},
    )

    assert summary.platforms == (
        PlatformColumn("deepseek", "api"),
        PlatformColumn("doubao", "api", is_simulated=True),
        PlatformColumn("kimi", "import"),
    )
    assert [column.label for column in summary.platforms] == ["deepseek", "doubao", "kimi (import)"]


def test_the_collections_totals_are_the_sums_over_platforms() -> None:
    summary = summary_of([], coverage=(collected(), collected("doubao", answered_count=0)))

    assert (summary.planned_count, summary.answered_count) == (2_000, 987)
    assert (summary.refused_count, summary.failed_count) == (2, 16)
    assert summary.open_count == 995
    assert summary.coverage_rate == pytest.approx(0.4935)


def test_a_day_without_anything_has_no_coverage() -> None:
    summary = summary_of([])

    assert summary.coverage_rate is None
    assert summary.platforms == summary.tables == ()


def test_names_come_from_the_labels_and_fall_back_to_ids() -> None:
    labels = Labels(brands={"acme": "华为\u202e"}, topics={"phones": "手机"})
    summary = summary_of([visibility_row()], labels=labels)

    (table,) = summary.tables
    assert (table.tenant, table.topic, table.rows[0].name) == ("shop", "手机", "华为")


def test_a_name_of_any_length_is_bounded() -> None:
    summary = summary_of([visibility_row()], labels=Labels(brands={"acme": "长" * 1_000}))

    assert len(summary.tables[0].rows[0].name) == 60


def test_labels_are_the_catalogs_names() -> None:
    catalog = Catalog(
        version="1",
        tenants=(Tenant("shop", "Shop"),),
        topics=(Topic("phones", "手机"),),
        brands=(Brand("acme", "shop", "Acme", (Alias("Acme"),), ("phones",)),),
        questions=(),
        platforms=(),
    )

    assert Labels.of(catalog) == Labels({"acme": "Acme"}, {"phones": "手机"}, {"shop": "Shop"})


def test_the_order_of_input_rows_changes_nothing() -> None:
    rows = [
        visibility_row(brand_id=brand, platform_id=platform, question_kind=kind)
        for brand in ("acme", "bolt")
        for platform in ("deepseek", "doubao")
        for kind in ("non_brand", "brand")
    ]

    assert summary_of(rows) == summary_of(rows[::-1])


def test_rows_of_another_day_are_refused() -> None:
    with pytest.raises(IncompleteError, match="found 2026-05-13; expected 2026-05-12"):
        summary_of([visibility_row(plan_date=date(2026, 5, 13))])


def test_a_missing_column_is_named() -> None:
    visibility = frame(OUT_VISIBILITY_DAILY, [visibility_row()])

    with pytest.raises(
        IncompleteError, match=r"^out_visibility_daily: found no column mention_rate"
    ):
        summarise_day(
            DAY,
            visibility=visibility.drop(columns="mention_rate"),
            share_of_voice=frame(OUT_SHARE_OF_VOICE_DAILY, []),
            coverage=(),
        )
