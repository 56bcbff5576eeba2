"""The text search finds what its rule says, on each database: the rule is written here a second time, plainly."""

import json
import random
import re
import unicodedata
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gnomon.model.jsonvalue import dump
from gnomon.service.clock import Clock
from gnomon.service.jobs.jobs import Worker, work_is_open
from gnomon.service.traces import textsearch
from gnomon.store import searchwords
from gnomon.store.engine import Store, open_store
from gnomon.store.pages import PageKey, Slice
from gnomon.store.rows import StoredSpan
from gnomon.store.schema import pending_texts, trace_texts
from gnomon.store.spanstore import ALWAYS_INDEXED, MODEL, Arrivals, Indexed, OnDuplicate, TraceFilter, trace_key
from gnomon.store.sqlspans import search

NOW = 1_790_000_000_000
_projects = count()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def store(request, tmp_path_factory, new_postgresql) -> Iterator[Store]:
    file = tmp_path_factory.mktemp("search") / "gnomon.db"
    opened = open_store(new_postgresql() if request.param == "postgresql" else f"sqlite:///{file}")
    yield opened
    opened.close()


class Shelf:
    """Traces of one project, and what a plain reading of the rule says of them."""

    def __init__(self, store: Store) -> None:
        self.store, self.spans, self.project = store, store.spans, f"project-{next(_projects)}"
        self.plain: dict[str, str] = {}

    def span(self, trace: str, id: str = "root", parent: str | None = None, start: int = 0, **said: Any) -> StoredSpan:
        columns = {
            "project_id": self.project, "trace_id": trace, "id": id, "parent_span_id": parent,
            "name": said.get("name", "step"), "input": _dumped(said.get("input")),
            "output": _dumped(said.get("output")), "start_time": NOW + start, "start_ns": (NOW + start) * 1_000_000,
        }  # fmt: skip
        return StoredSpan(*(columns.get(name) for name in StoredSpan._fields))

    def add(self, *spans: StoredSpan, how: OnDuplicate = "keep", now: int = NOW) -> None:
        arrivals = Arrivals(self.project, spans, [()] * len(spans), now)
        self.store.write(lambda db: self.spans.add(db, arrivals, how))
        for span in spans:
            if span.parent_span_id is None:
                self.plain[span.trace_id] = " ".join(
                    [span.name[:4096], _unescaped(span.input), _unescaped(span.output)]
                )

    def index(self, limit: int = 1_000) -> int:
        """Move what waits into the index, as a worker does."""
        return self.store.write(lambda db: self.spans.fold_texts(db, limit))

    def remove(self, trace: str) -> None:
        self.store.write(lambda db: self.spans.remove(db, self.project, [trace]))
        self.plain.pop(trace)

    def find(self, query: str, limit: int = 50, **more: Any) -> list[str]:
        """All pages of a list, in its order."""
        sort = more.pop("sort", "-created_at")
        only, found, after = TraceFilter(q=query, **more), [], None
        while True:
            rows, after = self._page(only, sort, limit, after)
            found += rows
            if after is None:
                return found

    def _page(
        self, only: TraceFilter, sort: Any, limit: int, after: PageKey | None
    ) -> tuple[list[str], PageKey | None]:
        wanted = Slice(limit, after)
        page = self.store.read(lambda db: self.spans.page(db, self.project, only, wanted, set(ALWAYS_INDEXED), sort))
        shown = page.rows[:limit]
        more = len(page.rows) > limit
        return [row.id for row in shown], trace_key(shown[-1], sort) if more else page.resume

    def expected(self, query: str) -> set[str]:
        return {trace for trace, text in self.plain.items() if plainly_holds(text, query)}


def _dumped(value: Any) -> str | None:
    return None if value is None else dump(value)


# --- the rule, a second time -----


def _unescaped(text: str | None) -> str:
    return re.sub(r"\\(u[0-9a-f]{4}|.)", " ", (text or "")[:4096], flags=re.IGNORECASE)


def plain_words(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    spaced = "".join(character if character.isalnum() else " " for character in folded)
    return [word[:64] for word in spaced.split()]


def plainly_holds(text: str, query: str) -> bool:
    there = set(plain_words(text))
    for part in query.split():
        *whole, last = plain_words(part) or [None]
        if any(word not in there for word in whole):
            return False
        if last is not None and part.endswith("*") and not any(word.startswith(last) for word in there):
            return False
        if last is not None and not part.endswith("*") and last not in there:
            return False
    return True


def is_searchable(query: str) -> bool:
    try:
        searchwords.terms(query)
    except searchwords.NotSearchable:
        return False
    return True


alphabet = st.sampled_from("abAB12 éÉßﬁıİſ_-'\"\\*:&|!()\n\u0301\u2063日本٣")
short_texts = st.text(alphabet, max_size=12)
any_texts = short_texts | st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12)
values = st.none() | any_texts | st.dictionaries(any_texts, any_texts | st.integers(), max_size=2)
roots = st.fixed_dictionaries({"name": any_texts.filter(bool), "input": values, "output": values})


@settings(
    max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None
)
@given(
    said=st.lists(roots, min_size=1, max_size=6), queries=st.lists(any_texts, max_size=6), how=st.booleans(),
    part=st.integers(1, 6),
)  # fmt: skip
def test_what_is_found_is_what_the_rule_says_before_and_after_it_is_indexed(
    store: Store, said: list[dict[str, Any]], queries: list[str], how: bool, part: int
):
    shelf = Shelf(store)
    shelf.add(*(shelf.span(f"t{number}", **one) for number, one in enumerate(said)), how="keep" if how else "refuse")
    own = [word for text in shelf.plain.values() for word in plain_words(text)]
    queries += own[:4] + [f"{word[:2]}*" for word in own[:4]] + [" ".join(own[:2])]
    for query in filter(is_searchable, queries):
        assert set(shelf.find(query)) == shelf.expected(query), query
        assert set(shelf.find(query, sort="-tokens")) == shelf.expected(query), query
    shelf.index(part)
    for query in filter(is_searchable, queries):
        assert set(shelf.find(query)) == shelf.expected(query), query
        assert set(shelf.find(query, sort="-tokens")) == shelf.expected(query), query


# --- in step with the spans -----


class IndexedShelf(Shelf):
    """Traces that are indexed as soon as they have arrived."""

    def add(self, *spans: StoredSpan, how: OnDuplicate = "keep", now: int = NOW) -> None:
        super().add(*spans, how=how, now=now)
        self.index()


class HalfIndexedShelf(Shelf):
    """Of the traces that arrive, every other batch is indexed."""

    def add(self, *spans: StoredSpan, how: OnDuplicate = "keep", now: int = NOW) -> None:
        super().add(*spans, how=how, now=now)
        if len(self.plain) % 2:
            self.index()


@pytest.fixture(params=[Shelf, IndexedShelf, HalfIndexedShelf], ids=["pending", "indexed", "half"])
def shelf(store: Store, request) -> Shelf:
    store.write(lambda db: store.spans.fold_texts(db, 10_000))  # what other tests left
    return request.param(store)


def test_words_are_whole_and_case_does_not_matter(shelf):
    shelf.add(shelf.span("a", input={"question": "Which LAMPS glow?"}, output="None of them: 7.5"))
    assert [shelf.find(query) for query in ("lamps", "LAMPS which", "lamp", "lamp*", "7 5", "glow* question")] == [
        ["a"], ["a"], [], ["a"], ["a"], ["a"],
    ]  # fmt: skip


def test_only_the_beginning_is_searched(shelf):
    shelf.add(shelf.span("a", input="x " * 2040 + "early", output="y " * 2050 + "late", name="n " * 2048 + "end"))
    assert [shelf.find(query) for query in ("early", "late", "end", "x y n")] == [["a"], [], [], ["a"]]


def test_only_root_spans_are_searched_and_other_projects_are_not(shelf, store):
    shelf.add(shelf.span("a", input="lamp"), shelf.span("a", "child", "root", input="kettle"))
    other = Shelf(store)
    other.add(other.span("a", input="toaster"))
    assert (shelf.find("lamp"), shelf.find("kettle"), shelf.find("toaster")) == (["a"], [], [])


def test_a_root_that_comes_later_is_found_and_an_earlier_one_takes_its_place(shelf):
    shelf.add(shelf.span("a", "child", "late"), now=NOW)
    assert shelf.find("lamp") == []
    shelf.add(shelf.span("a", "late", start=5, input="lamp"), now=NOW + 10)
    assert shelf.find("lamp") == ["a"]
    shelf.add(shelf.span("a", "early", start=1, input="kettle"), now=NOW + 20)
    assert (shelf.find("lamp"), shelf.find("kettle")) == ([], ["a"])
    shelf.add(shelf.span("a", "latest", start=9, input="toaster"), now=NOW + 30)
    assert (shelf.find("kettle"), shelf.find("toaster")) == (["a"], [])
    shelf.remove("a")
    assert shelf.find("kettle") == []
    assert stored(shelf) == 0


def test_a_changed_view_is_found_by_its_new_words(shelf, store):
    shelf.add(shelf.span("a", input="lamp"), shelf.span("a", "child", "root", input="x"))

    def change(db: Any) -> None:
        root, child = shelf.spans.at(db, shelf.project, [("a", "root"), ("a", "child")])
        shelf.spans.change_view(db, root._replace(input="kettle"))
        shelf.spans.change_view(db, child._replace(input="toaster"))

    store.write(change)
    assert [shelf.find(query) for query in ("lamp", "kettle", "toaster")] == [[], ["a"], []]
    shelf.remove("a")
    assert shelf.find("kettle") == []


def test_a_removed_trace_leaves_no_word_behind(shelf, store):
    for number in range(5):
        shelf.add(shelf.span(f"t{number}", input=f"lamp w{number} Straße \n x"), now=NOW + number)
    for number in range(5):
        shelf.remove(f"t{number}")
    assert (shelf.find("lamp"), shelf.find("w3"), stored(shelf)) == ([], [], 0)
    if store.is_sqlite:  # FTS5 compares its index with itself
        store.write(lambda db: db.exec_driver_sql("INSERT INTO trace_words (trace_words) VALUES ('integrity-check')"))


def stored(shelf: Shelf) -> int:
    """Entries of the project, indexed or waiting."""
    counts = [
        sa.select(sa.func.count()).select_from(table).where(table.c.project_id == shelf.project)
        for table in (trace_texts, pending_texts)
    ]
    return shelf.store.read(lambda db: sum(int(db.execute(counted).scalar_one()) for counted in counts))


# --- what waits to be indexed -----


def test_without_a_worker_batches_index_what_is_too_much(store, monkeypatch):
    monkeypatch.setattr(search, "MOST_PENDING", 3)
    monkeypatch.setattr(search, "MOST_TOGETHER", 1)
    store.write(lambda db: store.spans.fold_texts(db, 10_000))
    shelf = Shelf(store)
    for number in range(10):
        shelf.add(shelf.span(f"t{number}", input=f"lamp w{number}"), now=NOW + number)
        waiting = [store.read(lambda db, n=n: store.spans.texts_are_pending(db, n)) for n in (1, 4)]
        assert waiting == [True, False]
    assert shelf.find("lamp", 2) == [f"t{number}" for number in reversed(range(10))]


def test_a_worker_indexes_what_waits(store, monkeypatch):
    monkeypatch.setattr(textsearch, "WORTH_A_WORKER", 3)
    monkeypatch.setattr(textsearch, "PENDING_TOGETHER", 2)
    store.write(lambda db: store.spans.fold_texts(db, 10_000))
    shelf = Shelf(store)
    shelf.add(shelf.span("t0", input="lamp"), shelf.span("t1", input="lamp"))
    assert not work_is_open(store)  # a search reads so few itself
    shelf.add(shelf.span("t2", input="lamp"), now=NOW + 1)
    assert work_is_open(store)
    assert Worker(store, Clock()).run_one() is False  # there was no job
    assert not store.read(store.spans.texts_are_pending)
    assert (shelf.find("lamp"), stored(shelf)) == (["t2", "t1", "t0"], 3)


def test_texts_are_indexed_once_and_emptying_leaves_nothing(store):
    shelf = Shelf(store)
    store.write(lambda db: store.spans.fold_texts(db, 10_000))
    shelf.add(*(shelf.span(f"t{number}", input="lamp") for number in range(5)))
    assert [shelf.index(2), shelf.index(2), shelf.index(2), shelf.index(2)] == [2, 2, 1, 0]
    shelf.add(*(shelf.span(f"u{number}", input="lamp") for number in range(5)))
    counts = [store.write(lambda db: store.spans.forget_some(db, shelf.project, 4)) for _ in range(4)]
    assert (counts, shelf.find("lamp"), stored(shelf)) == ([4, 4, 2, 0], [], 0)


# --- pages -----


def test_walking_all_pages_shows_every_match_once_in_order(shelf, monkeypatch):
    chance = random.Random(7)
    matches = []
    for _ in range(60):
        age, id = NOW + chance.randrange(12), f"t{chance.random()}"
        is_match = chance.random() < 0.7
        shelf.add(shelf.span(id, input="lamp" if is_match else "kettle"), now=age)
        if is_match:
            matches.append((age, id))
    oldest_first = [id for _, id in sorted(matches)]
    for most in (1, 2, 3, 7, 1000):
        monkeypatch.setattr(search, "MOST_MATCHES", most)
        monkeypatch.setattr(search, "FIRST_TEXTS", most)
        for limit in (1, 4, 50):
            assert shelf.find("lamp", limit, sort="created_at") == oldest_first, (most, limit)
            assert shelf.find("lamp", limit, sort="-created_at") == oldest_first[::-1], (most, limit)
            assert sorted(shelf.find("lamp", limit, sort="-tokens")) == sorted(oldest_first), (most, limit)


def test_a_match_is_narrowed_by_other_filters(shelf):
    from gnomon.model.moment import from_ms

    for number in range(6):
        shelf.add(shelf.span(f"t{number}", input="lamp"), now=NOW + number)
    assert shelf.find("lamp", after=from_ms(NOW + 3)) == ["t5", "t4"]
    assert shelf.find("lamp", before=from_ms(NOW + 2)) == ["t1", "t0"]
    assert shelf.find("lamp", has_error=True) == []
    assert shelf.find("lamp", metadata=(("env", "prod"),)) == []


# --- terms -----


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("Lamp lamp", [("lamp", False)]),
        ("gpt-4o", [("gpt", False), ("4o", False)]),
        ("gpt-4o*", [("gpt", False), ("4o", True)]),
        ("re*turn", [("re", False), ("turn", False)]),
        ("lamp ** !", [("lamp", False)]),
        ("x" * 80, [("x" * 64, False)]),
    ],
)
def test_a_query_is_words(query, found):
    assert searchwords.terms(query) == found


@pytest.mark.parametrize(
    ("query", "says"),
    [("", "no word"), (" *! ", "no word"), ("a*", "too short"), (" ".join(map(str, range(17))), "17")],
)
def test_a_query_that_asks_for_nothing_or_too_much_is_refused(query, says):
    with pytest.raises(searchwords.NotSearchable, match=says):
        searchwords.terms(query)


def test_json_is_read_as_text(shelf):
    shelf.add(shelf.span("a", input=json.loads('{"role":"user","content":"line\\nbreak\\ttab"}')))
    assert [shelf.find(query) for query in ("break", "nbreak", "tab", "role user")] == [["a"], [], ["a"], ["a"]]


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_has_the_words_that_any_text_has(text: str) -> None:
    assert searchwords.words(text) == [
        word[: searchwords.LONGEST_WORD] for word in re.findall(r"[^\W_]+", text.casefold())
    ]


def test_a_match_is_narrowed_by_what_is_in_the_index(shelf):
    for number in range(6):
        one = shelf.span(f"t{number}", input="lamp")._replace(model=f"m{number % 2}")
        values = [[Indexed(one.trace_id, MODEL, f"m{number % 2}")]]
        arrivals = Arrivals(shelf.project, [one], values, NOW + number // 2)
        shelf.store.write(lambda db, arrivals=arrivals: shelf.spans.add(db, arrivals, "keep"))
    for sort, found in {"-created_at": ["t5", "t3", "t1"], "created_at": ["t1", "t3", "t5"]}.items():
        assert shelf.find("lamp", model="m1", sort=sort, limit=1) == found
    assert sorted(shelf.find("lamp", model="m0", sort="-tokens", limit=1)) == ["t0", "t2", "t4"]
