"""Daily sums of span scores: filled by the migration as the running server fills them."""

import sqlalchemy as sa

from gnomon.store import migrations, score_days
from gnomon.store.engine import Store, open_store
from gnomon.store.migrations import STEPS, migrate, version
from gnomon.store.schema import insert_rows, scores, spans
from gnomon.store.score_days import DAY_MS, NewScore

BEFORE = 3
"""Steps before the one that made the table."""


def row(table: sa.Table, **columns: object) -> tuple[object, ...]:
    return tuple(columns.get(column.name) for column in table.columns)


def span(id: str) -> tuple[object, ...]:
    return row(spans, id=id, project_id="p", trace_id="t", name="n", start_time=0)


def score(id: str, target: str, value: float | None, **columns: object) -> tuple[object, ...]:
    basic = {"project_id": "p", "target_type": "span", "trace_id": "t", "scorer_name": "s", "source": "api"}
    label = "x" if value is None else None
    return row(scores, id=id, target_id=target, value=value, label=label, created_at=0, **{**basic, **columns})


def kept(store: Store) -> list[tuple[object, ...]]:
    found = store.read(lambda db: score_days.of_project(db, "p", None))
    return [(one.config_hash, one.model, one.day, one.n, one.total, one.squares, one.lowest, one.highest)
            for one in found]  # fmt: skip


def test_an_older_database_gets_its_sums_from_the_scores_that_it_has(new_url, monkeypatch):
    monkeypatch.setattr(migrations, "STEPS", STEPS[:BEFORE])
    old = open_store(new_url)
    then = "INSERT INTO spans (id, project_id, trace_id, name, start_time, model) VALUES "
    began = [("a", 0, None), ("b", DAY_MS - 1, "m"), ("c", DAY_MS, None), ("d", -1, None), ("e", -DAY_MS, None)]
    rows = ", ".join(
        f"('{id}', 'p', 't', 'n', {at}, {'NULL' if model is None else repr(model)})" for id, at, model in began
    )
    old.write(lambda db: db.exec_driver_sql(then + rows))
    # `author` came later, and rows are given by position.
    at_the_time = sa.Table("scores", sa.MetaData(), *[sa.Column(each.name, each.type) for each in scores.columns
                                                      if each.name != "author"])  # fmt: skip
    old.write(lambda db: insert_rows(db, at_the_time, [each[:-1] for each in [
        score("1", "a", 0.5), score("2", "a", 0.25), score("3", "b", 1.0), score("4", "c", 0.0, config_hash="h"),
        score("5", "d", 1.0), score("6", "e", 1.0), score("7", "a", None), score("8", "a", 1.0, target_type="run"),
        score("9", "a", 1.0, trace_id="elsewhere"),
    ]]))  # fmt: skip
    assert old.read(version) == BEFORE
    monkeypatch.undo()
    assert migrate(old.engine) == len(STEPS)
    assert kept(old) == [
        ("", "", -1, 2, 2.0, 2.0, 1.0, 1.0),
        ("", "", 0, 2, 0.75, 0.3125, 0.25, 0.5),
        ("", "m", 0, 1, 1.0, 1.0, 1.0, 1.0),
        ("h", "", 1, 1, 0.0, 0.0, 0.0, 0.0),
    ]
    old.close()


def test_what_is_added_later_is_summed_with_what_is_there(store: Store):
    def add(*values: float, start: int = 0) -> None:
        store.write(lambda db: score_days.add(db, [NewScore("p", "s", None, None, start, x) for x in values]))

    add(0.5, 0.25)
    add(1.0)
    add(0.75, start=-1)
    add()
    assert kept(store) == [("", "", -1, 1, 0.75, 0.5625, 0.75, 0.75), ("", "", 0, 3, 1.75, 1.3125, 0.25, 1.0)]


def test_the_sums_outlive_the_scores_that_are_dropped_with_old_traces(store: Store):
    """Kept past retention: only who deletes a trace on purpose takes its scores out of the sums."""
    store.write(lambda db: insert_rows(db, spans, [span("a"), span("b")]))
    store.write(lambda db: insert_rows(db, scores, [score("1", "a", 0.5), score("2", "b", 1.0)]))
    store.write(lambda db: score_days.add(db, [NewScore("p", "s", None, None, 0, x) for x in (0.5, 1.0)]))
    store.write(lambda db: db.execute(sa.delete(scores)))
    assert [one[3] for one in kept(store)] == [2]
