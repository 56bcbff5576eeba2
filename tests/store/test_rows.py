"""Row types and tables say the same."""

from typing import NamedTuple

import pytest
import sqlalchemy as sa

from gnomon.store import rows, schema
from gnomon.store.engine import Store
from gnomon.store.fetch import fetch_all, fetch_first, fetch_one

ROWS: dict[str, list[type[NamedTuple]]] = {
    "settings": [rows.SettingRow],
    "projects": [rows.ProjectRow],
    "api_keys": [rows.ApiKeyRow],
    "web_sessions": [rows.WebSessionRow],
    "login_codes": [rows.LoginCodeRow],
    "shares": [rows.ShareRow],
    "traces": [rows.TraceTotals],
    "spans": [rows.SpanRow, rows.StoredSpan],
    "span_sources": [rows.SpanSourceRow],
    "span_logs": [rows.SpanLogRow, rows.StoredSpanLog],
    "trace_values": [rows.TraceValueRow],
    "pending_texts": [rows.PendingTextRow],
    "trace_texts": [rows.TraceTextRow],
    "text_search": [rows.TextSearchRow],
    "quiet_targets": [rows.QuietTargetRow],
    "datasets": [rows.DatasetTableRow],
    "dataset_versions": [rows.DatasetVersionRow],
    "threshold_results": [rows.ThresholdResultRow],
    "dataset_items": [rows.DatasetItemRow, rows.StoredDatasetItem],
    "experiments": [rows.ExperimentTableRow],
    "runs": [rows.RunRow, rows.StoredRun],
    "scores": [rows.ScoreRow, rows.StoredScore],
    "scoring_states": [rows.ScoringStateRow, rows.StoredScoringState],
    "annotations": [rows.AnnotationRow],
    "review_cards": [rows.ReviewCardRow],
    "review_settings": [rows.ReviewSettingsRow],
    "jobs": [rows.JobRow],
    "model_answers": [rows.ModelAnswerRow],
    "model_limits": [rows.ModelLimitRow],
    "budgets": [rows.BudgetRow],
    "model_prices": [rows.ModelPriceRow],
    "spending": [rows.SpendingRow],
    "scoring_rules": [rows.ScoringRuleRow],
    "judge_cards": [rows.JudgeCardRow],
    "iterations": [rows.IterationRow],
    "score_days": [rows.ScoreDayRow],
    "retention": [rows.RetentionRow],
    "removals": [rows.RemovalRow],
    "remembered_answers": [rows.RememberedAnswerRow],
}
READ_BY_COLUMN = {"change_counts", "span_ids", "indexed_keys", "conversations"}
"""Tables of which nobody reads whole rows, so that they have no row type."""


@pytest.mark.parametrize("table", schema.metadata.sorted_tables, ids=lambda table: table.name)
def test_a_row_type_has_exactly_the_columns_of_its_table_in_their_order(table: sa.Table) -> None:
    assert (table.name in ROWS) != (table.name in READ_BY_COLUMN)
    for kind in ROWS.get(table.name, ()):
        assert kind._fields == tuple(column.name for column in table.columns), kind.__name__


def test_every_row_type_belongs_to_a_table() -> None:
    known = {kind for kinds in ROWS.values() for kind in kinds}
    declared = {
        kind
        for name, kind in vars(rows).items()
        if isinstance(kind, type) and issubclass(kind, tuple) and not name.endswith("Columns")
    }
    assert declared == known


class Swapped(NamedTuple):
    value: str
    name: str


@pytest.mark.parametrize("fetch", [fetch_all, fetch_first, fetch_one])
def test_columns_that_changed_places_are_noticed_also_where_their_types_are_alike(store: Store, fetch) -> None:
    named = sa.select(schema.settings)
    with pytest.raises(TypeError, match="returns the columns name, value; Swapped has other ones"):
        store.read(lambda db: fetch(db, Swapped, named))


def test_rows_come_back_as_their_type(store: Store) -> None:
    store.write(lambda db: db.execute(sa.insert(schema.settings).values(name="a", value="b")))
    named = sa.select(schema.settings).where(schema.settings.c.name == "a")
    expected = rows.SettingRow(name="a", value="b")
    assert store.read(lambda db: fetch_all(db, rows.SettingRow, named)) == [expected]
    assert store.read(lambda db: fetch_one(db, rows.SettingRow, named)) == expected
    assert store.read(lambda db: fetch_first(db, rows.SettingRow, named)) == expected
    assert store.read(lambda db: fetch_first(db, rows.SettingRow, named.where(sa.false()))) is None
