"""Keyset pages: walking shows every row once, in order, also while rows come in."""

from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given
from hypothesis import settings as rules
from hypothesis import strategies as st

from gnomon.store.engine import Store
from gnomon.store.pages import Slice, keyset
from gnomon.store.schema import insert_rows, projects

on_one_store = rules(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
# A column of times is compared as the number it is kept as.
AT = sa.type_coerce(projects.c.created_at, sa.BigInteger)


def put(store: Store, rows: list[tuple[str, int]]) -> None:
    store.write(lambda db: insert_rows(db, projects, [(id, "name", at) for id, at in rows]))


def walk(store: Store, limit: int, *, newest_first: bool, between: Callable[[int], None] = lambda _: None) -> list[Any]:
    """All pages, one after the other; `between` happens after each."""
    seen: list[Any] = []
    after = None
    for number in range(100):
        statement = keyset(sa.select(projects), [AT, projects.c.id], Slice(limit, after), newest_first=newest_first)
        rows = store.read(lambda db, statement=statement: db.execute(statement).all())
        assert len(rows) <= limit + 1, "one row more than a page holds says that there is another"
        seen += [row.id for row in rows[:limit]]
        if len(rows) <= limit:
            return seen
        last = rows[limit - 1]
        after = (round(last.created_at.timestamp() * 1000), last.id)
        between(number)
    raise AssertionError("the walk does not end")


@on_one_store
@given(
    rows=st.dictionaries(st.text("abcÄ_-", min_size=1, max_size=4), st.integers(0, 3), max_size=25),
    limit=st.integers(1, 7),
    newest_first=st.booleans(),
)
def test_a_walk_shows_every_row_once_and_in_order(store: Store, rows: dict[str, int], limit: int, newest_first: bool):
    """Many share a time, so that ties are broken by the id."""
    store.write(lambda db: db.execute(sa.delete(projects)))
    put(store, list(rows.items()))
    seen = walk(store, limit, newest_first=newest_first)
    assert sorted(seen) == sorted(rows)
    times = [rows[id] for id in seen]
    assert times == sorted(times, reverse=newest_first)
    assert walk(store, 1000, newest_first=newest_first) == seen, "the size of the page does not matter"


@pytest.mark.parametrize("newest_first", [True, False])
def test_rows_that_come_in_meanwhile_hide_no_old_row_and_repeat_none(store: Store, newest_first: bool):
    old = [(f"old{number:03}", 1000 + number) for number in range(50)]
    put(store, old)

    def arrive(number: int) -> None:
        put(store, [(f"new{number:03}", 500 + number * 40), (f"late{number:03}", 5000 + number)])

    seen = walk(store, 7, newest_first=newest_first, between=arrive)
    assert len(seen) == len(set(seen))
    assert [id for id in seen if id.startswith("old")] == [id for id, _ in (old[::-1] if newest_first else old)]


def test_rows_that_leave_meanwhile_disturb_nobody(store: Store):
    put(store, [(f"p{number:03}", number) for number in range(30)])

    def leave(number: int) -> None:
        """Also the very row that the next page begins after."""
        gone = [f"p{29 - number * 5 - 4:03}", f"p{number:03}"]
        store.write(lambda db: db.execute(sa.delete(projects).where(projects.c.id.in_(gone))))

    seen = walk(store, 5, newest_first=True, between=leave)
    assert seen == sorted(seen, reverse=True)
    assert set(seen) >= {f"p{number:03}" for number in range(6, 30)}


def test_a_page_after_the_last_row_is_empty(store: Store):
    put(store, [("a", 1)])
    statement = keyset(sa.select(projects), [AT, projects.c.id], Slice(5, (1, "a")))
    assert store.read(lambda db: db.execute(statement).all()) == []


def test_pages_use_the_index_and_sort_nothing(sqlite_store: Store):
    statement = keyset(sa.select(projects), [AT, projects.c.id], Slice(5, (1, "a")))
    text = str(statement.compile(sqlite_store.engine, compile_kwargs={"literal_binds": True}))
    plan = sqlite_store.read(lambda db: db.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}").all())
    assert "projects_by_age" in str(plan)
    assert "TEMP B-TREE" not in str(plan)
