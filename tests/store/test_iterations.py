"""Pushed iterations on both databases: the upsert keeps ids and ages, and pages walk an index."""

from datetime import UTC, datetime
from typing import Any

import pytest
import sqlalchemy as sa

from gnomon.store.engine import Store
from gnomon.store.iterations import Filter, page, stored
from gnomon.store.iterations import put as put_rows
from gnomon.store.pages import Slice, keyset
from gnomon.store.rows import IterationRow
from gnomon.store.schema import iterations

EARLY, LATE = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 2, 1, tzinfo=UTC)


def row(id: str, number: int, **columns: Any) -> IterationRow:
    about = {
        "project_id": "p", "source": "repo", "rubric_version": "2.1.0", "profile": "compat", "value": 0.5,
        "band": "fair", "coverage": 1.0, "provisional": 0, "session_id": None, "date": None, "task_id": None,
        "commit_id": None, "created_at": EARLY, "updated_at": EARLY, "integrity": [], "objectives": {}, "breakdown": [],
        "agent": None, "model": None, "labels": None, "rules_files": None, "repository_url": None,
    }  # fmt: skip
    return IterationRow(**{**about, "id": id, "iteration": number, **columns})


def put(store: Store, *rows: IterationRow) -> list[str]:
    """The ids under which they are stored."""
    return [row.id for row in store.write(lambda db: put_rows(db, rows))]


def test_a_row_that_is_there_keeps_its_id_and_its_age(store: Store):
    assert put(store, row("a", 1), row("b", 2)) == ["a", "b"]
    late = {"created_at": LATE, "updated_at": LATE}
    news = {**late, "value": None, "band": "unscored", "session_id": "s", "breakdown": [{"signal": "tests"}]}
    assert put(store, row("c", 2, **news), row("d", 3, **late)) == ["b", "d"]
    found = store.read(lambda db: db.execute(sa.select(iterations).order_by(iterations.c.iteration)).all())
    assert [(one.id, one.created_at, one.updated_at) for one in found] == [
        ("a", EARLY, EARLY), ("b", EARLY, LATE), ("d", LATE, LATE),
    ]  # fmt: skip
    assert (found[1].value, found[1].session_id, found[1].breakdown) == (None, "s", [{"signal": "tests"}])


def test_the_longest_names_fit_the_key(store: Store):
    """PostgreSQL refuses an index entry beyond a third of a page."""
    long = "".join(chr(0x10000 + number * 37) for number in range(256))
    names = {"source": long, "rubric_version": long[::-1], "session_id": long, "project_id": "p" * 128}
    assert put(store, row("a", 2**53 - 1, **names)) == ["a"]


@pytest.mark.parametrize("value", [-0.1, 1.1])
def test_the_database_itself_refuses_a_value_outside_its_range(store: Store, value: float):
    with pytest.raises(sa.exc.IntegrityError):
        put(store, row("a", 1, value=value))


def test_labels_are_found_whole_and_as_they_are_written(store: Store):
    odd = ['say "x"', "a%", "a_", "back\\slash", "ÄÖ"]
    put(store, row("a", 1, labels=["x", *odd]), row("b", 2, labels=["X", "xx"]), row("c", 3))

    def labelled(label: str) -> list[str]:
        return [one.id for one in store.read(lambda db: page(db, "p", Filter(label=label), Slice()))]

    assert [labelled(one) for one in ("x", "X", "xx", "y", "a")] == [["a"], ["b"], ["b"], [], []]
    assert [labelled(one) for one in odd] == [["a"]] * len(odd)


def test_what_is_stored_is_told_the_last_first(store: Store):
    put(store, row("a", 1), row("b", 1, source="other"), row("c", 1, rubric_version="3.0.0"), row("d", 2))
    kinds = store.read(lambda db: [tuple(kind) for kind in stored(db, "p")])
    assert kinds == [("repo", "2.1.0"), ("repo", "3.0.0"), ("other", "2.1.0")]
    assert store.read(lambda db: [tuple(kind) for kind in stored(db, "p", Filter(source="other"))]) == [
        ("other", "2.1.0")
    ]
    assert store.read(lambda db: stored(db, "q")) == []


@pytest.mark.parametrize(("only", "index"), [(None, "iterations_by_number"), ("repo", "iterations_by_source")])
def test_pages_use_the_index_and_sort_nothing(sqlite_store: Store, only: str | None, index: str):
    found = sa.select(iterations.c.id).where(iterations.c.project_id == "p")
    found = found if only is None else found.where(iterations.c.source == only)
    paged = keyset(found, [iterations.c.iteration, iterations.c.id], Slice(5, (3, "a")))
    text = str(paged.compile(sqlite_store.engine, compile_kwargs={"literal_binds": True}))
    plan = sqlite_store.read(lambda db: db.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}").all())
    assert index in str(plan)
    assert "TEMP B-TREE" not in str(plan)
