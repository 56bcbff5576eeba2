"""A database that an older Gnomon made is brought forward, and everything in it is still there."""

import re
from pathlib import Path

import pytest
import sqlalchemy as sa

from gnomon.model.access import Principal
from gnomon.model.trace import Trace
from gnomon.service.call import Call
from gnomon.service.clock import Clock
from gnomon.service.review import annotations, queue
from gnomon.service.traces import traces
from gnomon.store import migrations
from gnomon.store.engine import Store, open_store
from gnomon.store.migrations import STEPS, m0009_otel_spans, m0019_review
from gnomon.store.pages import Slice
from gnomon.store.reviews import AnnotationFilter
from gnomon.store.spanstore import TraceFilter

STEP8 = Path(__file__).parents[1] / "golden" / "databases" / "step8.sql"


def made_at_step_8(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables as the first eight steps make them, filled with what Gnomon wrote at that time."""
    with monkeypatch.context() as older:
        older.setattr(migrations, "STEPS", STEPS[: STEPS.index(m0009_otel_spans.apply)])
        old = open_store(url)
    columns = {table: [c["name"] for c in sa.inspect(old.engine).get_columns(table)] for table in _tables(old)}
    for line in STEP8.read_text(encoding="utf-8").splitlines():
        table = re.match(r'INSERT INTO "(\w+)"', line)
        assert table, line
        named = line.replace(" VALUES(", f" ({', '.join(columns[table[1]])}) VALUES (", 1)
        old.write(lambda db, named=named: db.exec_driver_sql(named.replace("%", "%%") if not old.is_sqlite else named))
    old.close()


def _tables(store: Store) -> list[str]:
    return sa.inspect(store.engine).get_table_names()


@pytest.fixture
def upgraded(new_url: str, monkeypatch: pytest.MonkeyPatch):
    made_at_step_8(new_url, monkeypatch)
    store = open_store(new_url)
    yield store
    store.close()


def read(store: Store, work):
    return store.read(lambda db: work(Call(db, Principal("test", "admin"), Clock(), spans=store.spans)))


def trace(store: Store, id: str, project: str = "shop") -> Trace:
    return read(store, lambda call: traces.get(call, id, project))


def test_every_span_is_there_with_all_that_it_said(upgraded: Store):
    found = trace(upgraded, "trace-3")
    assert [span.id for span in found.spans] == ["call-0", "root", "call-1", "call-2"]
    root = found.spans[1]
    assert (root.input, root.output) == ({"question": "What is 3 + 1?"}, "4")
    assert root.metadata == {"version": 3, "session.id": "session-0", "user.id": "user-0"}
    assert root.error is not None
    assert root.error.type == "TimeoutError"
    assert (found.span_count, found.tokens, found.model) == (4, 36, "gpt-4o")
    count = upgraded.read(lambda db: db.exec_driver_sql("SELECT count(*) FROM spans").scalar())
    assert count == 53


def test_a_span_is_still_found_by_its_id_alone(upgraded: Store):
    found = upgraded.read(lambda db: upgraded.spans.find_span(db, "orphan", None, None))
    assert [(row.project_id, row.trace_id) for row in found] == [("shop", "no-root")]


def test_sessions_that_were_named_are_conversations_now(upgraded: Store):
    found = read(upgraded, lambda call: call.spans.conversations(call.db, "shop", Slice()))
    assert {row.id: row.trace_count for row in found} == {"session-0": 2, "session-1": 2, "session-2": 2}
    turns = read(upgraded, lambda call: call.spans.turns(call.db, "shop", "session-1", Slice()))
    assert [row.id for row in turns] == ["trace-5", "trace-7"]


def test_what_is_always_indexed_is_found_by_the_index(upgraded: Store):
    for only, wanted in [
        (TraceFilter(metadata=(("user.id", "user-1"),)), {"trace-1", "trace-7"}),
        (TraceFilter(model="gpt-4o"), {f"trace-{n}" for n in range(12)}),
    ]:
        found = read(upgraded, lambda call, only=only: traces.all_of(call, "shop", only, Slice()))
        assert {row.id for row in found.items} == wanted


def test_what_a_call_of_that_time_cost_is_unknown(upgraded: Store):
    assert trace(upgraded, "trace-3").cost_usd is None
    assert trace(upgraded, "trace-3").unpriced_span_count == 3
    assert trace(upgraded, "no-root").unpriced_span_count == 0


def test_the_copy_is_told_of_in_the_log(new_url: str, monkeypatch, caplog):
    monkeypatch.setattr(m0009_otel_spans, "PIECE", 20)
    made_at_step_8(new_url, monkeypatch)
    open_store(new_url).close()
    if new_url.startswith("sqlite"):
        assert "upgrading the database: 53 of 53 spans are copied" in caplog.text


def test_annotations_and_queued_traces_of_that_time_are_there(upgraded: Store):
    (annotation,) = read(
        upgraded, lambda call: annotations.page(call, AnnotationFilter("shop", "trace-1"), Slice()).items
    )
    assert (annotation.annotator, annotation.label, annotation.run_id) == ("a new user", "correct", None)
    assert (annotation.scores, annotation.updated_at) == ([], None)
    (card,) = read(upgraded, lambda call: queue.page(call, "shop", Slice()).items)
    assert (card.trace_id, card.status, card.annotation_count) == ("trace-2", "pending", 0)


def test_step_19_counts_the_annotations_and_the_people_of_each_queued_trace(new_url: str, monkeypatch):
    made_at_step_8(new_url, monkeypatch)
    with monkeypatch.context() as older:
        older.setattr(migrations, "STEPS", STEPS[: STEPS.index(m0019_review.apply)])
        old = open_store(new_url)
    names = ("id", "project_id", "trace_id", "span_id", "annotator", "label", "correction", "notes", "created_at")
    insert = sa.text(f"INSERT INTO annotations ({', '.join(names)}) VALUES ({', '.join(f':{name}' for name in names)})")
    before = [("ana", "wrong", None, '"4"'), ("ana", None, "call-1", None), ("bo", "wrong", None, None)]
    for number, (annotator, label, span_id, correction) in enumerate(before):
        values = (f"a{number}", "shop", "trace-2", span_id, annotator, label, correction, "see", 1_772_000_000_000)
        row = dict(zip(names, values, strict=True))
        old.write(lambda db, row=row: db.execute(insert, row))
    count = "UPDATE traces SET annotation_count = 3 WHERE project_id = 'shop' AND id = 'trace-2'"
    old.write(lambda db: db.exec_driver_sql(count))
    queued_at = old.read(lambda db: db.exec_driver_sql("SELECT queued_at FROM traces WHERE id = 'trace-2'").scalar())
    old.close()
    store = open_store(new_url)
    (card,) = read(store, lambda call: queue.page(call, "shop", Slice()).items)
    assert (card.target_type, card.target_id, card.annotation_count, card.reviewer_count) == ("trace", "trace-2", 3, 2)
    assert (card.queued_at.timestamp() * 1000, card.reason) == (pytest.approx(queued_at, abs=1), None)
    of_trace = read(store, lambda call: annotations.page(call, AnnotationFilter("shop", "trace-2"), Slice()).items)
    fields = [(each.id, each.annotator, each.label, each.span_id, each.correction, each.notes) for each in of_trace]
    assert fields == [
        ("a2", "bo", "wrong", None, None, "see"),
        ("a1", "ana", None, "call-1", None, "see"),
        ("a0", "ana", "wrong", None, "4", "see"),
    ]
    store.close()
