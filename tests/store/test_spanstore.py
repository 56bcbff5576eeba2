"""What services may expect of the place where spans are kept, on each database: `SpanStore`, verb by verb."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import count
from typing import Any

import pytest
import sqlalchemy as sa

from gnomon.model.jsonvalue import dump
from gnomon.store import schema
from gnomon.store.conversationrows import ConversationFilter
from gnomon.store.engine import Store, open_store
from gnomon.store.pages import Slice
from gnomon.store.rows import SpanRow, SpanSourceRow, StoredSpan, StoredSpanLog
from gnomon.store.schema import insert_rows
from gnomon.store.spanstore import (
    ALWAYS_INDEXED,
    CONVERSATION,
    LONGEST_VALUE,
    SESSION,
    USER,
    Added,
    Arrivals,
    Indexed,
    OnDuplicate,
    TraceFilter,
    TracePage,
    indexed_values,
)
from gnomon.store.sqlspans import listing

NOW = 1_790_000_000_000
_projects = count()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def store(request, tmp_path_factory, new_postgresql) -> Iterator[Store]:
    """One for all tests here: each has a project of its own."""
    file = tmp_path_factory.mktemp("spans") / "gnomon.db"
    opened = open_store(new_postgresql() if request.param == "postgresql" else f"sqlite:///{file}")
    yield opened
    opened.close()


@pytest.fixture
def project() -> str:
    return f"project-{next(_projects)}"


@pytest.fixture
def shop(store: Store, project: str) -> "Shop":
    return Shop(store, project)


class Shop:
    """The span store as a test uses it, in one project."""

    def __init__(self, store: Store, project: str) -> None:
        self.store, self.project, self.spans = store, project, store.spans

    def span(self, id: str, trace: str = "t", parent: str | None = None, start: int = 0, **fields: Any) -> StoredSpan:
        columns = {
            "project_id": self.project, "trace_id": trace, "id": id, "parent_span_id": parent, "name": f"name of {id}",
            "start_time": NOW + start, "start_ns": (NOW + start) * 1_000_000, **fields,
        }  # fmt: skip
        columns |= {key: dump(columns[key]) for key in ("input", "output", "metadata", "error") if key in columns}
        return StoredSpan(*(columns.get(name) for name in StoredSpan._fields))

    def add(self, *spans: StoredSpan, how: OnDuplicate = "keep", now: int = NOW) -> Added:
        keys = [SESSION, CONVERSATION, USER, "tier"]
        values = [list(indexed_values(keys, span.trace_id, span.model, _read(span.metadata))) for span in spans]
        return self.store.write(lambda db: self.spans.add(db, Arrivals(self.project, spans, values, now), how))

    def page(self, only: TraceFilter | None = None, limit: int = 50, after: Any = None, indexed: Any = ()) -> TracePage:
        keys = {*ALWAYS_INDEXED, *indexed}
        return self.read(lambda db: self.spans.page(db, self.project, only or TraceFilter(), Slice(limit, after), keys))

    def ids(self, limit: int = 50, **only: Any) -> list[str]:
        return [row.id for row in self.page(TraceFilter(**only), limit).rows]

    def head(self, trace: str = "t") -> Any:
        (row,) = self.read(lambda db: self.spans.find(db, trace, self.project))
        return row

    def read(self, work: Callable[[Any], Any]) -> Any:
        return self.store.read(work)

    def write(self, work: Callable[[Any], Any]) -> Any:
        return self.store.write(work)

    def stored(self, trace: str = "t") -> list[SpanRow]:
        found: list[SpanRow] = self.read(lambda db: self.spans.spans_of(db, self.project, trace))
        return found


def _read(text: str | None) -> Any:
    return None if text is None else json.loads(text)


# --- arriving -----


def test_kept_spans_are_added_once(shop):
    first = shop.add(shop.span("a"), shop.span("b", parent="a"), shop.span("a", name="again"))
    assert [row.id for row in first.stored] == ["a", "b"]
    second = shop.add(shop.span("b", parent="a", name="again"), shop.span("c", parent="b"))
    assert ([row.id for row in second.stored], second.faults) == (["c"], [])
    assert {row.id: row.name for row in shop.stored()} == {id: f"name of {id}" for id in "abc"}
    assert shop.head().span_count == 3


def test_nothing_new_changes_nothing(shop):
    shop.add(shop.span("a", tokens_input=5))
    before = shop.head()
    assert shop.add(shop.span("a", tokens_input=5), now=NOW + 1000).stored == []
    assert shop.add(shop.span("a", metadata={SESSION: "s"}), now=NOW + 1000).stored == []
    assert shop.head() == before


@pytest.mark.parametrize(
    ("batch", "faults"),
    [
        ([("a", None)], [(0, "duplicate")]),
        ([("b", "a"), ("b", "a")], [(1, "duplicate")]),
        ([("b", None)], [(0, "second_root")]),
        ([("b", "c"), ("c", "b")], [(0, "circular"), (1, "circular")]),
        ([("b", "elsewhere")], [(0, "parent_elsewhere")]),
        ([("b", "a"), ("a", None), ("c", "elsewhere")], [(1, "duplicate"), (2, "parent_elsewhere")]),
    ],
)
def test_a_refused_batch_names_what_is_wrong_by_position(shop, batch, faults):
    shop.add(shop.span("a"), how="refuse")
    shop.add(shop.span("elsewhere", "another"), how="refuse")

    def work(db: Any) -> Any:
        spans = [shop.span(id, parent=parent) for id, parent in batch]
        found = shop.spans.add(db, Arrivals(shop.project, spans, [()] * len(spans), NOW), "refuse")
        raise _Undone(found)

    with pytest.raises(_Undone) as undone:
        shop.write(work)
    assert [tuple(fault) for fault in undone.value.args[0].faults] == faults
    assert [row.id for row in shop.stored()] == ["a"]


class _Undone(Exception):
    """Services roll back where there are faults."""


def test_a_trace_adds_up_its_spans(shop):
    shop.add(
        shop.span("b", parent="a", start=5, model="m2", tokens_input=3, cost_usd=0.5),
        shop.span("c", parent="a", start=4, model="m1", tokens_output=4, error={"message": "x"}),
        now=NOW + 1,
    )
    shop.add(shop.span("z", start=2, duration_ms=7.0), now=NOW + 2)
    shop.add(shop.span("a", start=2, duration_ms=9.0, metadata={"env": "prod"}), now=NOW + 3)
    head = shop.head()
    assert (head.root_span_id, head.root_name, head.root_duration_ms) == ("a", "name of a", 9.0)
    assert (head.root_metadata, head.model) == ({"env": "prod"}, "m1")
    assert (head.span_count, head.error_count, head.tokens) == (4, 1, 7)
    assert (head.cost_usd, head.unpriced) == (0.5, 1)
    assert (head.created_at, head.updated_at) == (_moment(NOW + 1), _moment(NOW + 3))
    assert head.started_at == _moment(NOW + 2)


def _moment(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / 1000, UTC)


def test_texts_are_compared_by_their_bytes(shop):
    """Of two roots that begin together the smaller id is the trace's, in the same order on each database."""
    shop.add(shop.span("Z"))
    shop.add(shop.span("a"))
    shop.add(shop.span("_"))
    assert shop.head().root_span_id == "Z"


def test_sources_and_logs_that_are_there_stay(shop):
    sources = [SpanSourceRow(shop.project, "s1", b"one"), SpanSourceRow(shop.project, "s2", b"two")]
    logs = [StoredSpanLog(shop.project, "t", "a", id, id.encode(), "s1", NOW) for id in ("2", "1")]
    for _ in range(2):
        shop.write(lambda db: (shop.spans.add_sources(db, sources), shop.spans.add_logs(db, logs)))
    assert shop.read(lambda db: shop.spans.sources(db, shop.project, {"s1", "s2", "s3"})) == {
        "s1": b"one",
        "s2": b"two",
    }
    found = shop.write(lambda db: shop.spans.logs_of(db, shop.project, {"t", "u"}, lock=True))
    assert [(row.id, bytes(row.record)) for row in found] == [("1", b"1"), ("2", b"2")]
    assert shop.read(lambda db: shop.spans.sources(db, shop.project, set())) == {}


def test_a_span_s_input_and_output_may_be_told_later(shop):
    shop.add(shop.span("a", model="m"), shop.span("b", parent="a", input="mine"))
    (row, _) = shop.stored()
    shop.write(lambda db: shop.spans.change_view(db, row._replace(input=[1], output={"a": None}, model="other")))
    kept = {row.id: (row.input, row.output, row.model) for row in shop.stored()}
    assert kept == {"a": ([1], {"a": None}, "m"), "b": ("mine", None, None)}


# --- one by one -----


def test_traces_are_found_by_id_at_most_one_a_project(store, shop):
    others = [Shop(store, f"{shop.project}-{n}") for n in range(3)]
    trace = f"trace of {shop.project}"
    for one in (shop, *others):
        one.add(one.span("a", trace, input="q", output="o"))
    assert len(shop.read(lambda db: shop.spans.find(db, trace, None))) == 2
    (row,) = shop.read(lambda db: shop.spans.find(db, trace, shop.project))
    assert (row.project_id, row.root_input, row.root_output) == (shop.project, "q", "o")
    (held,) = shop.write(lambda db: shop.spans.hold(db, trace, shop.project))
    assert (held.id, held.span_count) == (trace, 1)
    assert set(shop.read(lambda db: shop.spans.heads(db, shop.project, [trace, "nothing"]))) == {trace}


def test_a_span_is_found_by_its_id_alone_only_where_ids_are_unique(store, shop):
    """Natively ingested spans are; OpenTelemetry's ids mean something within their trace only."""
    shop.add(shop.span("native", "t1"), how="refuse")
    shop.add(shop.span("otel", "t1", parent="native"), shop.span("otel", "t2"))
    other = Shop(store, f"{shop.project}-other")
    other.add(other.span("native", "t1"), how="refuse")

    def found(id: str, project: str | None, trace: str | None) -> list[tuple[str, str]]:
        rows = shop.write(lambda db: shop.spans.find_span(db, id, project, trace))
        return sorted((row.project_id, row.trace_id) for row in rows)

    assert found("native", shop.project, None) == [(shop.project, "t1")]
    assert found("otel", shop.project, None) == []
    assert found("otel", shop.project, "t2") == [(shop.project, "t2")]
    assert found("otel", shop.project, "t3") == found("nothing", shop.project, "t1") == []
    assert found("native", other.project, "t1") == [(other.project, "t1")]


def test_spans_are_found_by_their_whole_keys(shop):
    shop.add(shop.span("a", "t1", input=1), shop.span("a", "t2", input=2), shop.span("b", "t2", parent="a"))
    wanted = {(shop.project, "t1", "a"), (shop.project, "t2", "b"), (shop.project, "t3", "a"), ("nobody", "t1", "a")}
    found = shop.read(lambda db: shop.spans.by_id(db, wanted))
    assert {key[1:]: row.input for key, row in found.items()} == {("t1", "a"): 1, ("t2", "b"): None}
    keys = [("t2", "a"), ("t9", "a"), ("t1", "a")]
    for lock in (False, True):
        rows = shop.write(lambda db, lock=lock: shop.spans.at(db, shop.project, keys, lock=lock))
        assert [row.input for row in rows] == [2, 1], "in the order of the keys"
    assert shop.read(lambda db: shop.spans.by_id(db, set())) == {}


def test_a_walk_sees_every_span_once_in_order(store, shop):
    places = [(f"t{n % 3}", f"{'aZ_'[n % 3]}{n}") for n in range(20)]
    shop.add(*(shop.span(id, trace, metadata={"n": 1}) for trace, id in places))
    other = Shop(store, f"{shop.project}-other")
    other.add(other.span("x", "t0"))
    seen: list[tuple[str, str]] = []

    def step(db: Any) -> list[tuple[str, str]]:
        rows = shop.spans.walk(db, shop.project, seen[-1] if seen else None, 7)
        return [(row.trace_id, row.id) for row in rows]

    while found := shop.read(step):
        assert len(found) <= 7
        seen += found
    assert seen == sorted(places)
    assert shop.read(lambda db: shop.spans.count(db, shop.project)) == 20


def test_spans_of_a_trace_come_by_their_time(shop):
    shop.add(shop.span("c", start=1), shop.span("b", start=2), shop.span("a", start=1))
    assert [row.id for row in shop.stored()] == ["a", "c", "b"]


# --- lists -----


def many(shop: Shop, count: int = 10) -> None:
    for n in range(count):
        errors = {"error": {"message": "x"}} if n % 2 else {}
        told = {"env": "prod" if n % 5 == 0 else "test", "n": n, "tier": f"tier{n % 2}", SESSION: f"s{n % 4}"}
        shop.add(shop.span("a", f"t{n}", metadata=told, model=f"m{n % 3}", **errors), now=NOW + n)


def test_traces_are_listed_newest_first_page_by_page(shop):
    many(shop)
    page = shop.page(limit=4)
    assert ([row.id for row in page.rows], page.resume) == (["t9", "t8", "t7", "t6", "t5"], None)
    rest = shop.page(limit=100, after=(NOW + 6, "t6"))
    assert [row.id for row in rest.rows] == ["t5", "t4", "t3", "t2", "t1", "t0"]
    assert rest.rows[0].root_name == "name of a"


def test_traces_are_filtered_by_what_they_are(shop):
    many(shop)
    assert shop.ids(has_error=True) == ["t9", "t7", "t5", "t3", "t1"]
    assert shop.ids(has_error=False, after=_moment(NOW + 4)) == ["t8", "t6"]
    assert shop.ids(before=_moment(NOW + 2)) == ["t1", "t0"]
    assert shop.ids(model="m2") == ["t8", "t5", "t2"]
    assert shop.ids(conversation_id="s3", model="m1") == ["t7"]
    assert shop.ids(in_queue=True) == []
    assert len(shop.ids(in_queue=False)) == 10


def test_an_indexed_key_is_read_off_page_by_page(shop):
    many(shop)
    only = TraceFilter(metadata=(("tier", "tier1"),))
    page = shop.page(only, limit=2, indexed=["tier"])
    assert [row.id for row in page.rows] == ["t9", "t7", "t5"]
    rest = shop.page(only, limit=10, after=(NOW + 7, "t7"), indexed=["tier"])
    assert ([row.id for row in rest.rows], rest.resume) == (["t5", "t3", "t1"], None)
    both = TraceFilter(metadata=(("tier", "tier1"), ("session.id", "s1")), model="m2")
    assert [row.id for row in shop.page(both, indexed=["tier"]).rows] == ["t5"]


def test_a_key_that_is_not_indexed_is_searched_for(shop):
    many(shop)
    assert shop.ids(metadata=(("env", "prod"),)) == ["t5", "t0"]
    assert shop.ids(metadata=(("n", "7"),)) == ["t7"]
    assert shop.ids(metadata=(("env", "prod"),), model="m2") == ["t5"]
    assert shop.ids(metadata=(("env", "pro"),)) == []


def test_a_search_stops_after_so_much_work_and_says_where_it_goes_on(shop, monkeypatch):
    many(shop, 23)
    monkeypatch.setattr(listing, "MOST_LOOKED_THROUGH", 4)
    only, found, after, calls = TraceFilter(metadata=(("env", "prod"),)), [], None, 0
    while True:
        page, calls = shop.page(only, limit=1, after=after), calls + 1
        found += [row.id for row in page.rows[:1]]
        after = (NOW + int(page.rows[0].id[1:]), page.rows[0].id) if len(page.rows) > 1 else page.resume
        if after is None:
            break
    assert found == ["t20", "t15", "t10", "t5", "t0"]
    assert calls >= 23 // 4, "no call looked through more than it may"
    first = shop.page(TraceFilter(metadata=(("env", "nowhere"),)))
    assert (first.rows, first.resume) == ([], (NOW + 19, "t19"))


def test_a_long_value_is_searched_for_since_it_is_in_no_index(shop):
    long = "x" * (LONGEST_VALUE + 1)
    shop.add(shop.span("a", metadata={"tier": long}))
    page = shop.page(TraceFilter(metadata=(("tier", long),)), indexed=["tier"])
    assert [row.id for row in page.rows] == ["t"]


# --- the index of metadata -----


def test_keys_are_declared_filled_and_forgotten(shop):
    keys = lambda: shop.read(lambda db: shop.spans.indexed_keys(db, shop.project))  # noqa: E731
    declare = lambda *names: shop.write(  # noqa: E731
        lambda db: shop.spans.declare_keys(db, shop.project, names, _moment(NOW))
    )
    assert keys() == dict.fromkeys(ALWAYS_INDEXED, True)
    shop.add(shop.span("a", metadata={"tier": "gold", "env": "prod"}))
    assert declare("tier", "env", SESSION) == ["env", "tier"]
    assert (keys()["tier"], keys()["env"]) == (False, False)
    shop.write(lambda db: shop.spans.index_values(db, shop.project, {Indexed("t", "tier", "gold")}))
    shop.write(lambda db: shop.spans.keys_ready(db, shop.project, ["tier"]))
    assert (keys()["tier"], keys()["env"]) == (True, False)
    only = TraceFilter(metadata=(("tier", "gold"),))
    assert [row.id for row in shop.page(only, indexed=["tier"]).rows] == ["t"]
    assert declare("env") == []
    assert "tier" not in keys()
    assert shop.page(only, indexed=["tier"]).rows == [], "its values are forgotten with it"


# --- conversations -----


def turn(shop: Shop, trace: str, start: int, now: int = NOW, **metadata: str) -> None:
    priced = {"tokens_input": 2, "cost_usd": 0.25}
    shop.add(shop.span("a", trace, start=start, input=f"input of {trace}", metadata=metadata, **priced), now=now)


def found_conversation(shop: Shop, id: str) -> Any:
    found = shop.read(lambda db: shop.spans.find_conversation(db, id, shop.project))
    return found[0] if found else None


def test_traces_that_name_one_conversation_are_its_turns_in_order(shop):
    turn(shop, "t2", 20, NOW, **{CONVERSATION: "c", SESSION: "s"})
    turn(shop, "t1", 10, NOW + 1, **{CONVERSATION: "c"})
    turn(shop, "t3", 30, NOW + 2, **{SESSION: "c", USER: "u"})
    turn(shop, "t4", 40, NOW + 3, **{SESSION: "other"})
    turn(shop, "t5", 50, NOW + 4)
    turns = shop.read(lambda db: shop.spans.turns(db, shop.project, "c", Slice(2)))
    assert [(row.id, row.root_input) for row in turns] == [(f"t{n}", f"input of t{n}") for n in (1, 2, 3)]
    rest = shop.read(lambda db: shop.spans.turns(db, shop.project, "c", Slice(2, ((NOW + 20) * 1_000_000, "t2"))))
    assert [row.id for row in rest] == ["t3"]
    found = shop.read(lambda db: shop.spans.conversations(db, shop.project, Slice()))
    assert [(one.id, one.trace_count) for one in found] == [("other", 1), ("c", 3)]
    one = found_conversation(shop, "c")
    assert (one.span_count, one.tokens, one.cost_usd, one.unpriced, one.error_count) == (3, 6, 0.75, 0, 0)
    assert (one.created_at, one.updated_at, one.started_at) == (_moment(NOW), _moment(NOW + 2), _moment(NOW + 10))
    of_user = ConversationFilter(user_id="u")
    found = shop.read(lambda db: shop.spans.conversations(db, shop.project, Slice(), of_user))
    assert [one.id for one in found] == ["c"]
    assert found_conversation(shop, "s") is None
    assert shop.read(lambda db: shop.spans.last_change(db, shop.project, "c", None)) == _moment(NOW + 2)
    assert shop.read(lambda db: shop.spans.last_change(db, shop.project, "t1", "t1")) == _moment(NOW + 1)
    assert shop.read(lambda db: shop.spans.last_change(db, shop.project, "nothing", None)) is None


def test_conversations_of_one_id_are_found_at_most_one_a_project(store, shop):
    for one in (shop, Shop(store, f"{shop.project}-1"), Shop(store, f"{shop.project}-2")):
        turn(one, "t1", 0, **{SESSION: f"of {shop.project}"})
    assert len(shop.read(lambda db: shop.spans.find_conversation(db, f"of {shop.project}", None))) == 2
    assert found_conversation(shop, f"of {shop.project}").project_id == shop.project


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_conversation_wins_over_a_session_whichever_comes_first(shop, order):
    told = [{SESSION: "s"}, {CONVERSATION: "c"}]
    for n in order:
        shop.add(shop.span(f"a{n}", metadata=told[n]))
    assert shop.head().conversation_id == "c"
    found = shop.read(lambda db: shop.spans.conversations(db, shop.project, Slice()))
    assert [one.id for one in found] == ["c"]


# --- removing -----


def test_nothing_that_names_a_removed_trace_is_left_behind(store, shop):
    """In no table and no column; what belongs to other traces and projects stays."""
    other = Shop(store, f"{shop.project}-other")
    trace, kept = f"gone of {shop.project}", f"kept of {shop.project}"
    for one, name in ((shop, trace), (shop, kept), (other, trace)):
        _fill(one, name)
    before = {one.project: _rows_naming(one, kept if one is shop else trace) for one in (shop, other)}
    assert min(_rows_naming(shop, trace).values()) > 0
    shop.write(lambda db: shop.spans.remove(db, shop.project, [trace]))
    assert set(_rows_naming(shop, trace).values()) == {0}
    assert {one.project: _rows_naming(one, kept if one is shop else trace) for one in (shop, other)} == before


NAMED_BY = (
    "annotations",
    "quiet_targets",
    "scores",
    "scoring_states",
    "span_ids",
    "span_logs",
    "spans",
    "trace_values",
    "traces",
)


def _fill(shop: Shop, trace: str) -> None:
    shop.add(shop.span("native", trace), how="refuse")
    shop.add(shop.span("otel", trace, parent="native", metadata={SESSION: f"session of {trace}"}, model="m"))
    log = StoredSpanLog(shop.project, trace, "otel", "1", b"x", "s", NOW)
    ids = [f"{shop.project} {trace} {n}" for n in range(2)]
    score = {"project_id": shop.project, "target_type": "span", "trace_id": trace, "scorer_name": "s", "source": "api"}
    state = {
        "project_id": shop.project,
        "target_type": "span",
        "trace_id": trace,
        "scorer_name": "s",
        "state": "failed",
    }
    quiet = {"rule_id": f"rule of {shop.project}", "target_id": trace, "project_id": shop.project, "due_at": NOW}
    note = {"id": ids[0], "project_id": shop.project, "trace_id": trace, "annotator": "a new user"}

    def work(db: Any) -> None:
        shop.spans.add_logs(db, [log])
        for table, rows in (
            (schema.scores, [{**score, "id": id, "target_id": at, "value": 1.0, "created_at": NOW}
                             for id, at in zip(ids, ("native", "otel"), strict=True)]),
            (schema.scoring_states, [{**state, "target_id": "otel", "config_hash": "", "updated_at": NOW}]),
            (schema.annotations, [{**note, "label": "good", "created_at": NOW}]),
            (schema.quiet_targets, [quiet]),
        ):  # fmt: skip
            insert_rows(db, table, [tuple(row.get(column.name) for column in table.columns) for row in rows])

    shop.write(work)


def _rows_naming(shop: Shop, trace: str) -> dict[str, int]:
    """Rows of the project that hold the trace's id in some column, by table."""

    def work(db: Any) -> dict[str, int]:
        found = {}
        for table in schema.metadata.sorted_tables:
            texts = [column for column in table.columns if isinstance(column.type, sa.Text)]
            if "project_id" in table.columns and texts:
                named = sa.or_(*(column == trace for column in texts))
                rows = sa.select(sa.func.count()).select_from(table).where(table.c.project_id == shop.project, named)
                found[table.name] = db.execute(rows).scalar_one()
        assert set(NAMED_BY) <= set(found)
        return {name: found[name] for name in found if name in NAMED_BY or found[name]}

    counts: dict[str, int] = shop.read(work)
    return counts


def test_a_conversation_ends_with_its_last_trace(shop):
    for trace in ("t1", "t2"):
        turn(shop, trace, 0, **{SESSION: "s"})
    shop.write(lambda db: shop.spans.remove(db, shop.project, ["t1"]))
    assert found_conversation(shop, "s").trace_count == 1
    shop.write(lambda db: shop.spans.remove(db, shop.project, ["t2"]))
    gone = sa.select(schema.conversations.c.id).where(schema.conversations.c.project_id == shop.project)
    assert shop.read(lambda db: db.execute(gone).all()) == []


# --- plans -----


def plans(shop: Shop, work: Callable[[Any], Any]) -> str:
    """How the database carries out what `work` asks. It is told not to read whole tables where it has a choice, as it
    has none once they are large."""
    asked: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        asked.append((statement, parameters))

    sa.event.listen(shop.store.engine, "before_cursor_execute", note)
    try:
        shop.read(work)
    finally:
        sa.event.remove(shop.store.engine, "before_cursor_execute", note)
    selects = [one for one in asked if one[0].startswith("SELECT")]
    assert selects

    def explain(db: Any) -> str:
        if shop.store.is_sqlite:
            rows = [db.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", told).all() for text, told in selects]
        else:
            db.exec_driver_sql("SET LOCAL enable_seqscan = off")
            rows = [db.exec_driver_sql(f"EXPLAIN {text}", told).all() for text, told in selects]
        return "\n".join(str(row[-1]) for plan in rows for row in plan)

    return str(shop.read(explain))


TABLES = ("spans", "traces", "root", "value0", "trace_values", "span_ids", "span_logs", "conversations")


def assert_reads_off(plan: str, *indexes: str) -> None:
    lines = plan.splitlines()
    whole = [line for line in lines if "Seq Scan" in line or any(f"SCAN {name}" in line for name in TABLES)]
    assert whole == [], plan
    for name in indexes:
        assert name in plan, plan


def test_the_newest_traces_with_a_value_are_read_off_the_index(shop):
    many(shop)
    plan = plans(shop, lambda db: shop.spans.page(
        db, shop.project, TraceFilter(metadata=((SESSION, "s1"),)), Slice(5, (NOW + 9, "t9")), ALWAYS_INDEXED
    ))  # fmt: skip
    key = (
        "value0 USING PRIMARY KEY (project_id=? AND key=? AND value=?" if shop.store.is_sqlite else "trace_values_pkey"
    )
    assert_reads_off(plan, key)
    assert "TEMP B-TREE" not in plan
    assert "Sort" not in plan


def test_one_trace_is_read_by_the_key_of_its_spans(shop):
    many(shop)
    plan = plans(shop, lambda db: shop.spans.spans_of(db, shop.project, "t1"))
    assert_reads_off(plan, "(project_id=? AND trace_id=?)" if shop.store.is_sqlite else "spans_pkey")


def test_the_look_for_duplicates_is_one_step_a_span(shop):
    many(shop)
    again = Arrivals(shop.project, [shop.span("a", f"t{n}") for n in range(5)], [()] * 5, NOW)
    plan = plans(shop, lambda db: shop.spans.add(db, again, "keep"))
    assert_reads_off(plan, "(project_id=? AND trace_id=? AND id=?)" if shop.store.is_sqlite else "spans_pkey")


def test_log_records_and_turns_are_read_off_their_keys(shop):
    many(shop)
    plan = plans(shop, lambda db: shop.spans.logs_of(db, shop.project, {"t1", "t2"}))
    assert_reads_off(plan, "(project_id=? AND trace_id=?" if shop.store.is_sqlite else "span_logs_pkey")
    plan = plans(shop, lambda db: shop.spans.turns(db, shop.project, "s1", Slice(5)))
    assert_reads_off(plan, "traces_by_conversation")


def test_what_a_list_of_conversations_shows_is_read_off_indexes(shop):
    many(shop)
    plan = plans(shop, lambda db: shop.spans.worst_scores(db, shop.project, ["s1", "s2"]))
    assert_reads_off(plan, "traces_by_conversation", "scores_by_trace")
    plan = plans(shop, lambda db: shop.spans.first_turns(db, shop.project, ["s1", "s2"]))
    assert_reads_off(plan, "traces_by_conversation")
    plan = plans(shop, lambda db: shop.spans.errors_of(db, shop.project, ["t1", "t2"], 5))
    assert_reads_off(plan, "(project_id=? AND trace_id=?" if shop.store.is_sqlite else "spans_pkey")
