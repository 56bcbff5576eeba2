"""The schema's history ends where the queries think they are, and a step is taken whole or not at all."""

import json
import re

import pytest
import sqlalchemy as sa

from gnomon.errors import StoreTrouble
from gnomon.model.access import Principal
from gnomon.service.call import Call
from gnomon.service.clock import Clock
from gnomon.service.outcome import iterationscores
from gnomon.store import experiments, migrations
from gnomon.store.engine import Store, open_store
from gnomon.store.iterations import by_ids
from gnomon.store.migrations import (
    STEPS,
    m0007_item_keys,
    m0008_stopping,
    m0013_text_search,
    m0014_histories,
    m0015_iteration_scores,
    migrate,
    version,
)
from gnomon.store.schema import iterations, jobs, metadata, runs, scores, scoring_states, text_search

HISTORY = "gnomon_schema"
WORDS = "trace_words"
"""SQLite's index of words, and the tables that FTS5 keeps it in; on PostgreSQL it is an index."""
OF_WORDS = "trace_texts_by_word"


def columns_of(engine: sa.Engine) -> dict[str, dict[str, str]]:
    """Table → column → kind, as the database itself tells."""
    inspector = sa.inspect(engine)
    return {
        table: {column["name"]: kind(column["type"]) for column in inspector.get_columns(table)}
        for table in inspector.get_table_names()
        if table != HISTORY and not table.startswith(WORDS)
    }


def kind(found: sa.types.TypeEngine) -> str:
    # SQLite's `DOUBLE PRECISION` and PostgreSQL's are told by different classes.
    name = str(found).upper()
    return "real" if re.match("DOUBLE|FLOAT|REAL", name) else "whole" if "INT" in name else "text"


def declared() -> dict[str, dict[str, str]]:
    """The same, as the queries see it."""
    sqlite = sa.create_engine("sqlite://").dialect
    return {
        table.name: {column.name: kind(column.type.dialect_impl(sqlite)) for column in table.columns}
        for table in metadata.tables.values()
    }


def shape(engine: sa.Engine) -> dict[str, object]:
    """Everything that a step may have changed: tables, columns, indexes."""
    inspector = sa.inspect(engine)
    tables = inspector.get_table_names()
    indexes = {(table, index["name"]) for table in tables for index in inspector.get_indexes(table)}
    return {"columns": columns_of(engine), "indexes": indexes}


def test_the_tables_that_queries_see_are_those_that_history_makes(store: Store):
    assert columns_of(store.engine) == declared()


def test_both_databases_have_the_same_indexes(tmp_path, new_postgresql):
    found = []
    for url in (f"sqlite:///{tmp_path}/a.db", new_postgresql()):
        store = open_store(url)
        inspector = sa.inspect(store.engine)
        found.append({
            index["name"]: index["column_names"]
            for table in metadata.tables for index in inspector.get_indexes(table)
            if not index.get("duplicates_constraint") and index["name"] != OF_WORDS
        })  # fmt: skip
        store.close()
    assert found[0] == found[1]


def test_migrating_again_changes_nothing(store: Store):
    before = shape(store.engine)
    assert migrate(store.engine) == len(STEPS)
    assert migrate(store.engine) == len(STEPS)
    assert shape(store.engine) == before
    versions = store.read(lambda db: db.exec_driver_sql(f"SELECT version FROM {HISTORY} ORDER BY 1").scalars().all())
    assert versions == list(range(1, len(STEPS) + 1))


def broken(connection: sa.Connection) -> None:
    """Makes a table, changes another, and then fails."""
    connection.exec_driver_sql("CREATE TABLE half_done (id TEXT)")
    connection.exec_driver_sql("ALTER TABLE projects ADD COLUMN half_done TEXT")
    connection.exec_driver_sql("CREATE INDEX half_done_index ON projects (half_done)")
    connection.exec_driver_sql("INSERT INTO no_such_table VALUES (1)")


def test_a_step_that_fails_leaves_version_and_tables_as_they_were(store: Store, monkeypatch):
    before = shape(store.engine)
    monkeypatch.setattr(migrations, "STEPS", [*STEPS, broken])
    with pytest.raises(sa.exc.DatabaseError):
        migrate(store.engine)
    assert store.read(version) == len(STEPS)
    assert shape(store.engine) == before
    monkeypatch.undo()
    assert migrate(store.engine) == len(STEPS)


def test_a_first_step_that_fails_leaves_an_empty_database(new_url, monkeypatch):
    monkeypatch.setattr(migrations, "STEPS", [broken])
    with pytest.raises((StoreTrouble, sa.exc.DatabaseError)):
        open_store(new_url)
    unopened = open_store(new_url, upgrade=False)
    assert sa.inspect(unopened.engine).get_table_names() == []
    unopened.close()
    monkeypatch.undo()
    open_store(new_url).close()


def test_runs_of_an_older_database_have_one_attempt(new_url, monkeypatch):
    monkeypatch.setattr(migrations, "STEPS", STEPS[:5])
    old = open_store(new_url)
    old.write(lambda db: db.exec_driver_sql(
        "INSERT INTO runs (id, project_id, experiment_id, dataset_item_id, trial, output, created_at)"
        " VALUES ('r', 'p', 'e', 'i', 0, '1', 0)"
    ))  # fmt: skip
    assert old.read(version) == 5
    monkeypatch.undo()
    assert migrate(old.engine) == len(STEPS)
    assert old.read(lambda db: db.execute(sa.select(runs.c.id, runs.c.attempts)).all()) == [("r", 1)]
    old.close()


def test_experiments_of_an_older_database_ran_as_planned_and_nobody_holds_them(new_url, monkeypatch):
    with monkeypatch.context() as older:
        older.setattr(migrations, "STEPS", STEPS[: STEPS.index(m0008_stopping.apply)])
        old = open_store(new_url)
        texts, numbers = (
            "id, project_id, name, dataset_id, status",
            "dataset_version, trials, auto_complete, created_at",
        )
        columns = f"{texts}, {numbers}, run_count, failed_run_count, pinned_run_count, expected_run_count"
        row = "'e', 'p', 'n', 'd', 'completed', 1, 1, 0, 0, 0, 0, 0, 0"
        old.write(lambda db: db.exec_driver_sql(f"INSERT INTO experiments ({columns}) VALUES ({row})"))
        old.close()
    store = open_store(new_url)
    found = store.read(lambda db: experiments.get(db, "e"))
    assert found is not None
    assert (found.stopping, found.metrics, found.holder, found.held_until) == (None, None, None, None)
    store.close()


def test_a_new_step_is_taken_once_by_an_older_database(store: Store, monkeypatch):
    def another(connection: sa.Connection) -> None:
        connection.exec_driver_sql("CREATE TABLE later (id TEXT)")

    monkeypatch.setattr(migrations, "STEPS", [*STEPS, another])
    assert [migrate(store.engine), migrate(store.engine)] == [len(STEPS) + 1] * 2
    assert "later" in sa.inspect(store.engine).get_table_names()


def test_a_database_of_a_newer_gnomon_is_refused_and_left_alone(new_url, monkeypatch):
    open_store(new_url).close()
    monkeypatch.setattr(migrations, "STEPS", [])
    with pytest.raises(StoreTrouble, match="upgrade Gnomon") as refused:
        open_store(new_url)
    assert refused.value.code == "STORE_TOO_NEW"


def test_a_database_that_is_not_upgraded_is_opened_as_it_is(new_url):
    unopened = open_store(new_url, upgrade=False)
    assert unopened.read(version) == 0
    unopened.close()


def test_items_of_an_older_database_have_no_key_and_a_new_key_is_taken_once(new_url, monkeypatch):
    with monkeypatch.context() as older:
        older.setattr(migrations, "STEPS", STEPS[: STEPS.index(m0007_item_keys.apply)])
        old = open_store(new_url)
        columns = "id, dataset_id, input, added_version, removed_version, created_at"
        rows = "('a', 'd', '1', 2, NULL, 0), ('b', 'd', '1', 2, NULL, 0), ('c', 'd', '1', 2, 3, 0)"
        old.write(lambda db: db.exec_driver_sql(f"INSERT INTO dataset_items ({columns}) VALUES {rows}"))
        old.close()
    store = open_store(new_url)
    keys = "SELECT key FROM dataset_items"
    assert store.read(lambda db: db.exec_driver_sql(keys).scalars().all()) == [None] * 3
    # One that left may have had the same key.
    store.write(lambda db: db.exec_driver_sql("UPDATE dataset_items SET key = 'k' WHERE id IN ('a', 'c')"))
    with pytest.raises(sa.exc.IntegrityError):
        store.write(lambda db: db.exec_driver_sql("UPDATE dataset_items SET key = 'k' WHERE id = 'b'"))
    store.close()


def test_the_versions_of_an_older_database_are_told_by_its_items(new_url, monkeypatch):
    """Version 2 brought a and b, 3 replaced b (its key stayed) and brought d, 4 and 5 took a and d away."""
    with monkeypatch.context() as older:
        older.setattr(migrations, "STEPS", STEPS[: STEPS.index(m0014_histories.apply)])
        old = open_store(new_url)
        items = (
            "('a', 'x', '1', NULL, 2, 4, 20), ('b', 'x', '1', 'k', 2, 3, 20), ('c', 'x', '2', 'k', 3, NULL, 30),"
            " ('d', 'x', '3', NULL, 3, 5, 30)"
        )
        old.write(lambda db: db.exec_driver_sql(
            "INSERT INTO datasets (id, project_id, name, version, item_count, created_at, updated_at)"
            " VALUES ('x', 'p', 'n', 5, 1, 10, 50), ('y', 'p', 'empty', 1, 0, 11, 11)"
        ))  # fmt: skip
        old.write(lambda db: db.exec_driver_sql(
            "INSERT INTO dataset_items (id, dataset_id, input, key, added_version, removed_version, created_at)"
            f" VALUES {items}"
        ))  # fmt: skip
        old.close()
    store = open_store(new_url)
    found = store.read(lambda db: db.exec_driver_sql(
        "SELECT dataset_id, version, created_at, item_count, added, removed, changed FROM dataset_versions"
        " ORDER BY dataset_id, version"
    ).all())  # fmt: skip
    assert [tuple(row) for row in found] == [
        ("x", 1, 10, 0, 0, 0, 0), ("x", 2, 20, 2, 2, 0, 0), ("x", 3, 30, 3, 1, 0, 1), ("x", 4, None, 2, 0, 1, 0),
        ("x", 5, 50, 1, 0, 1, 0), ("y", 1, 11, 0, 0, 0, 0),
    ]  # fmt: skip
    store.close()


def test_iterations_of_an_older_database_get_the_scores_that_a_push_would_give_them(new_url, monkeypatch):
    monkeypatch.setattr(m0015_iteration_scores, "PIECE", 2)
    with monkeypatch.context() as older:
        older.setattr(migrations, "STEPS", STEPS[: STEPS.index(m0015_iteration_scores.apply)])
        old = open_store(new_url)
        seen = {"signal": "landed", "label": "", "present": True, "sub_score": 0.5, "detail": "on main",
                "nominal_weight": 0.6, "effective_weight": 1.0, "contribution": 0.5}  # fmt: skip
        lost = {**seen, "signal": "scope", "present": False, "sub_score": 0, "detail": "", "contribution": 0}
        for number, (value, rows) in enumerate([(0.5, [seen, lost]), (None, [lost]), (1 + 5e-10, [seen])], 1):
            about = (f"i{number}", number, value, "fair", 0.6, json.dumps(rows))
            mark = "?" if new_url.startswith("sqlite") else "%s"
            old.write(lambda db, about=about, mark=mark: db.exec_driver_sql(
                "INSERT INTO iterations (project_id, source, rubric_version, profile, provisional, created_at,"
                " updated_at, integrity, objectives, id, iteration, value, band, coverage, breakdown)"
                f" VALUES ('p', 'repo', 'Ä 2.1.0', 'gnomon', 0, 7, 8, '[]', '{{}}', {', '.join([mark] * 6)})", about
            ))  # fmt: skip
        old.close()
    store = open_store(new_url)

    def scored() -> list[tuple[object, ...]]:
        made = sa.select(scores, iterations.c.id.label("of")).join(iterations, iterations.c.id == scores.c.target_id)
        made = made.order_by(scores.c.target_id, scores.c.scorer_name)
        return [tuple(row)[1:] for row in store.read(lambda db: db.execute(made).all())]

    def unscored() -> list[tuple[object, ...]]:
        names = ("target_id", "scorer_name")
        found = sa.select(scoring_states).order_by(*(scoring_states.c[name] for name in names))
        return [tuple(row) for row in store.read(lambda db: db.execute(found).all())]

    assert [row[2:3] + row[6:8] for row in scored()] == [
        ("i1", "outcome", 0.5), ("i1", "outcome.landed", 0.5), ("i3", "outcome", 1.0), ("i3", "outcome.landed", 0.5),
    ]  # fmt: skip
    before = scored(), unscored()
    assert [row[8] for row in before[1]] == ["no evidence", "no signal is present", "no evidence"]
    rows = store.read(lambda db: by_ids(db, ["i1", "i2", "i3"]))
    store.write(lambda db: iterationscores.replace(Call(db, Principal("test", "admin"), Clock()), rows))
    assert (scored(), unscored()) == before, "a push finds nothing to change"
    store.close()


def test_traces_of_an_older_database_wait_for_a_job_that_makes_them_findable(new_url, monkeypatch):
    with monkeypatch.context() as older:
        older.setattr(migrations, "STEPS", STEPS[: STEPS.index(m0013_text_search.apply)])
        old = open_store(new_url)
        columns = "id, project_id, span_count, error_count, tokens, created_at"
        rows = "('a', 'p', 1, 0, 0, 1), ('b', 'p', 1, 0, 0, 2), ('a', 'q', 1, 0, 0, 3)"
        old.write(lambda db: db.exec_driver_sql(f"INSERT INTO traces ({columns}) VALUES {rows}"))
        old.close()
    store = open_store(new_url)
    found = sa.select(jobs.c.id, jobs.c.project_id, jobs.c.kind, jobs.c.status, jobs.c.total, jobs.c.payload)
    queued = store.read(lambda db: db.execute(found.order_by(jobs.c.project_id)).all())
    assert [tuple(job)[1:] for job in queued] == [
        ("p", "index_text", "queued", 2, {"scorers": []}),
        ("q", "index_text", "queued", 1, {"scorers": []}),
    ]
    settings = store.read(lambda db: db.execute(sa.select(text_search).order_by(text_search.c.project_id)).all())
    assert [tuple(row) for row in settings] == [(job.project_id, 1, 0, job.id) for job in queued]
    store.close()
