"""Imported answers in a report: beside what was asked, and without a say in it."""

from shown_days import collected, printed, summary_of, visibility_row

from brand_visibility.measures.imports import ImportedCount


def test_imports_do_not_change_the_order_of_the_brands() -> None:
    summary = summary_of(
        [
            visibility_row(brand_id="acme", mention_rate=0.5),
            visibility_row(brand_id="bolt", mention_rate=0.4),
            visibility_row(brand_id="bolt", mention_rate=1.0, channel="import"),
        ]
    )

    assert [row.brand_id for row in summary.tables[0].rows] == ["acme", "bolt"]


def test_imports_order_the_brands_when_there_is_nothing_else() -> None:
    rows = [("acme", 0.1), ("bolt", 0.9)]
    summary = summary_of(
        [visibility_row(brand_id=name, mention_rate=rate, channel="import") for name, rate in rows]
    )

    assert [row.brand_id for row in summary.tables[0].rows] == ["bolt", "acme"]


def test_the_terminal_counts_imports_in_a_table_of_their_own() -> None:
    counted = (ImportedCount("deepseek", 1_234, 56),)

    shown = printed(summary_of([visibility_row()], coverage=(collected(),), imports=counted))

    assert "Imported from apps" in shown
    assert "deepseek    1,234         56" in shown
    assert "Imported" not in printed(summary_of([visibility_row()]))
