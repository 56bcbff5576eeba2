"""Bulk inserts and set filters: any text goes in and comes back on both databases."""

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given
from hypothesis import settings as rules
from hypothesis import strategies as st

from gnomon.errors import StoreTrouble
from gnomon.store import schema
from gnomon.store.engine import Store
from gnomon.store.schema import Json, for_update, insert_rows, is_any_of, scores, settings, spans

# What the door lets in: no NUL and no lone surrogate, otherwise anything.
texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=40)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
on_one_store = rules(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def clear(store: Store) -> None:
    store.write(lambda db: db.execute(sa.delete(settings)))


def span(id: str, **columns: object) -> tuple[object, ...]:
    row = {"id": id, "project_id": "p", "trace_id": "t", "name": "n", "start_time": 0, **columns}
    return tuple(row.get(column.name) for column in spans.columns)


def score(id: str, value: float) -> tuple[object, ...]:
    row = {"id": id, "project_id": "p", "target_type": "run", "target_id": "r", "scorer_name": "s", "value": value}
    return tuple({**row, "source": "api", "created_at": 0}.get(column.name) for column in scores.columns)


@on_one_store
@given(st.dictionaries(texts, texts, max_size=10))
def test_any_text_comes_back_from_a_bulk_insert(store: Store, rows: dict[str, str]):
    clear(store)
    store.write(lambda db: insert_rows(db, settings, list(rows.items())))
    found = store.read(lambda db: db.execute(sa.select(settings)).all())
    assert dict(map(tuple, found)) == rows


span_rows = st.lists(
    st.fixed_dictionaries({
        "name": texts, "input": st.none() | texts, "duration_ms": st.none() | st.floats(0, 1e9),
        "tokens_input": st.none() | st.integers(0, 3), "model": st.none() | st.sampled_from(["a", "b"]),
    }),
    max_size=12,
)  # fmt: skip


@on_one_store
@given(rows=span_rows, together=st.integers(1, 5))
def test_rows_that_share_values_and_statements_stay_apart(store: Store, rows: list[dict[str, object]], together: int):
    """However many go together, and whichever columns happen to be the same in all of them."""
    store.write(lambda db: db.execute(sa.delete(spans)))
    made = [span(f"s{number:02}", **row) for number, row in enumerate(rows)]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(schema, "_ROWS_TOGETHER", together)
        store.write(lambda db: insert_rows(db, spans, made))
    kept = [spans.c.name, sa.type_coerce(spans.c.input, sa.Text).label("input")]
    kept += [spans.c.duration_ms, spans.c.tokens_input, spans.c.model]
    found = store.read(lambda db: db.execute(sa.select(*kept).order_by(spans.c.id)).mappings().all())
    assert [dict(row) for row in found] == rows


@pytest.mark.parametrize("count", [1, 249, 250, 251, 500, 1001])
def test_any_number_of_rows_goes_in(store: Store, count: int):
    rows = [(f"n{number}", "shared") for number in range(count)]
    store.write(lambda db: insert_rows(db, settings, rows))
    found = store.read(lambda db: db.execute(sa.select(settings)).all())
    assert sorted(map(tuple, found)) == sorted(rows)


def test_rows_that_are_all_alike_are_refused_by_the_key(store: Store):
    with pytest.raises(sa.exc.IntegrityError):
        store.write(lambda db: insert_rows(db, settings, [("a", "v")] * 300))


@on_one_store
@given(value=json_values)
def test_any_json_comes_back_as_it_was(store: Store, value: object):
    kept = Json().process_bind_param(value, None)
    store.write(lambda db: db.execute(sa.delete(spans)))
    store.write(lambda db: insert_rows(db, spans, [span("s", input=kept)]))
    (row,) = store.read(lambda db: db.execute(sa.select(spans.c.input)).all())
    assert repr(row.input) == repr(value), "also 1.0 stays apart from 1"


@on_one_store
@given(present=st.sets(texts, max_size=8), asked=st.lists(texts, max_size=8))
def test_is_any_of_finds_exactly_the_values_that_are_asked_for(store: Store, present: set[str], asked: list[str]):
    clear(store)
    store.write(lambda db: insert_rows(db, settings, [(name, "v") for name in present]))
    wanted = [*asked, *list(present)[:2]]
    found = store.read(
        lambda db: db.execute(sa.select(settings.c.name).where(is_any_of(db, settings.c.name, wanted))).scalars().all()
    )
    assert sorted(found) == sorted(present & set(wanted))


def test_is_any_of_takes_nothing_and_very_many(store: Store):
    rows = [(f"n{number}", "v") for number in range(50_000)]
    store.write(lambda db: insert_rows(db, settings, rows))

    def counted(values: list[str]) -> int:
        chosen = sa.select(sa.func.count()).select_from(settings)
        return store.read(lambda db: db.execute(chosen.where(is_any_of(db, settings.c.name, values))).scalar_one())

    assert counted([]) == 0
    assert counted([name for name, _ in rows]) == 50_000


def test_is_any_of_can_be_asked_twice_in_one_statement(store: Store):
    store.write(lambda db: insert_rows(db, settings, [("a", "1"), ("b", "2"), ("c", "1")]))
    both = lambda db: is_any_of(db, settings.c.name, ["a", "b"]) & is_any_of(db, settings.c.value, ["1"])  # noqa: E731
    found = store.read(lambda db: db.execute(sa.select(settings.c.name).where(both(db))).scalars().all())
    assert found == ["a"]


def test_no_rows_are_no_statement(store: Store):
    store.write(lambda db: insert_rows(db, settings, []))
    assert store.read(lambda db: db.execute(sa.select(sa.func.count()).select_from(settings)).scalar()) == 0


def test_a_bulk_insert_is_whole_or_not_at_all(store: Store):
    rows = [("a", "v"), ("b", "v"), ("a", "again")]
    with pytest.raises((sa.exc.IntegrityError, StoreTrouble)):
        store.write(lambda db: insert_rows(db, settings, rows))
    assert store.read(lambda db: db.execute(sa.select(settings)).all()) == []


def test_numbers_keep_every_bit(store: Store):
    values = [0.1 + 0.2 - 0.2, 1 / 3, 5e-324, 1.0, 0.0, 1 - 2**-53]
    made = {
        "project_id": "p",
        "target_type": "run",
        "target_id": "r",
        "scorer_name": "s",
        "source": "api",
        "created_at": 0,
    }
    rows = [
        tuple({**made, "id": f"i{number}", "value": value}.get(column.name) for column in scores.columns)
        for number, value in enumerate(values)
    ]
    store.write(lambda db: insert_rows(db, scores, rows))
    found = store.read(lambda db: db.execute(sa.select(scores.c.value).order_by(scores.c.id)).scalars().all())
    assert [value.hex() for value in found] == [value.hex() for value in values]


@pytest.mark.parametrize("value", [1.1, -0.1])
def test_the_database_itself_refuses_a_score_outside_its_range(store: Store, value: float):
    with pytest.raises(sa.exc.IntegrityError):
        store.write(lambda db: insert_rows(db, scores, [score("i", value)]))


def test_held_rows_are_the_same_rows(store: Store):
    store.write(lambda db: insert_rows(db, settings, [("a", "v")]))
    assert store.write(lambda db: db.execute(for_update(db, sa.select(settings.c.name))).scalars().all()) == ["a"]
