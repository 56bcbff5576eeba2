"""The text search: which traces have a root span with these words.

`trace_texts` has one row per trace that can be found. On PostgreSQL its words are in the row, with an index over them.
On SQLite they are in the index only (`trace_words`, FTS5 without content), under the row's number `doc`. The number
begins with the trace's age, so that matches come in the order of a list, a page at a time.

Both databases get the words that `store/words.py` finds, separated by blanks, and decide nothing of their own.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import TSQUERY
from sqlalchemy.engine import Connection

from gnomon.model.jsonvalue import dump
from gnomon.model.moment import to_ms
from gnomon.store.fetch import fetch_all, fetch_first
from gnomon.store.pages import PageKey, Slice
from gnomon.store.rows import StoredSpan, TextSearchRow, TraceTextRow
from gnomon.store.schema import for_update, insert_rows, is_any_of, spans, text_search, trace_texts, traces
from gnomon.store.spanstore import Arrivals, Filter, TraceHead, TraceToIndex
from gnomon.store.sqlspans.keys import listed
from gnomon.store.words import MOST_TEXT, Term, terms, words_of

MOST_MATCHES = 5_000
"""Matches of a query that one call looks at on SQLite, unless a page is larger: other filters may leave few of them."""
FIRST_MATCHES = 500
"""The same where there is no other filter."""
_PER_MILLISECOND = 2**20
"""Numbers for traces of one millisecond."""
_MATCHED = sa.table("trace_words", sa.column("rowid", sa.BigInteger))


class _Root(NamedTuple):
    """A span that is to be found, and the age of its trace."""

    trace_id: str
    span_id: str
    created_at: int
    words: str


# --- what is found -----


def index_roots(
    db: Connection,
    arrivals: Arrivals,
    arrived: Mapping[str, TraceHead],
    rows: Iterable[StoredSpan],
    new: Collection[str],
) -> None:
    """Make root spans that came with a batch findable, where they are their traces'. Of the `new` traces it is known
    that they were not there before."""
    chosen = {trace_id: head.root_span_id for trace_id, head in arrived.items() if head.root_span_id is not None}
    if not chosen or not is_enabled(db, arrivals.project_id):
        return
    ages = dict.fromkeys(chosen, arrivals.now_ms)
    older = chosen.keys() - new if db.dialect.name == "sqlite" else chosen.keys()
    if older:  # on PostgreSQL another batch may have made a trace meanwhile; since the upsert it is ours
        ages = _ages_by_root(db, arrivals.project_id, chosen, older, ages)
        _take_out(db, _entries(db, arrivals.project_id, [id for id in older if id in ages and id not in new]))
    token = _token(arrivals.project_id)
    roots = [
        _Root(span.trace_id, span.id, ages[span.trace_id], _joined(token, span.name, span.input, span.output))
        for span in rows
        if span.parent_span_id is None and chosen.get(span.trace_id) == span.id and span.trace_id in ages
    ]
    _put_in(db, arrivals.project_id, roots)


def _ages_by_root(
    db: Connection, project_id: str, chosen: Mapping[str, str], older: Collection[str], ages: dict[str, int]
) -> dict[str, int]:
    """Trace → its age, without those whose root is another span."""
    found = sa.select(
        traces.c.id, traces.c.root_span_id, sa.type_coerce(traces.c.created_at, sa.BigInteger).label("created_at")
    ).where(is_any_of(db, traces.c.id, older), traces.c.project_id == project_id)
    stored = {row.id: row for row in db.execute(found)}
    kept = {id: age for id, age in ages.items() if id not in older}
    return kept | {id: row.created_at for id, row in stored.items() if row.root_span_id == chosen[id]}


def index_traces(db: Connection, project_id: str, rows: Sequence[TraceToIndex]) -> None:
    """Make stored traces findable that are not yet."""
    there = {entry.trace_id for entry in _entries(db, project_id, [row.id for row in rows])}
    keys = {(row.id, row.root_span_id): row.created_at for row in rows if row.root_span_id and row.id not in there}
    token = _token(project_id)
    roots = [
        _Root(text.trace_id, text.id, keys[text.trace_id, text.id], _joined(token, text.name, text.input, text.output))
        for text in _texts(db, project_id, keys)
    ]
    _put_in(db, project_id, roots)


def traces_to_index(db: Connection, project_id: str, after: tuple[int, str] | None, limit: int) -> list[TraceToIndex]:
    """The oldest first, from one on; nobody else changes them until the transaction ends."""
    created = sa.type_coerce(traces.c.created_at, sa.BigInteger)
    found = sa.select(traces.c.id, created.label("created_at"), traces.c.root_span_id).where(
        traces.c.project_id == project_id
    )
    if after is not None:
        last = sa.tuple_(sa.literal(after[0], sa.BigInteger), sa.literal(after[1], sa.Text))
        found = found.where(sa.tuple_(created, traces.c.id) > last)
    return fetch_all(db, TraceToIndex, for_update(db, found.order_by(created, traces.c.id).limit(limit)))


def forget_texts(db: Connection, project_id: str, trace_ids: Collection[str]) -> None:
    """Traces that are removed are not found any more. Their spans must still be there."""
    _take_out(db, _entries(db, project_id, trace_ids))


def forget_some(db: Connection, project_id: str, limit: int) -> int:
    """Make some traces of a project unfindable; how many."""
    found = sa.select(trace_texts).where(trace_texts.c.project_id == project_id).limit(limit)
    entries = fetch_all(db, TraceTextRow, found)
    _take_out(db, entries)
    return len(entries)


@contextmanager
def text_changes(db: Connection, project_id: str, trace_id: str, span_id: str) -> Iterator[None]:
    """Inside, the input and output of a span may be changed; if its trace is found by it, by the new ones then."""
    entries = [entry for entry in _entries(db, project_id, [trace_id]) if entry.span_id == span_id]
    _take_out(db, entries)
    yield
    index_traces(db, project_id, [TraceToIndex(entry.trace_id, entry.created_at, span_id) for entry in entries])


class _SpanTexts(NamedTuple):
    trace_id: str
    id: str
    name: str
    input: str | None
    output: str | None


def _texts(db: Connection, project_id: str, keys: Iterable[tuple[str, str | None]]) -> list[_SpanTexts]:
    """What these stored spans say, as far as it is searched."""
    wanted = [(project_id, trace_id, span_id or "") for trace_id, span_id in keys]
    if not wanted:
        return []
    each = listed(db, wanted, ("project_id", "trace_id", "id"))
    same = sa.and_(*(spans.c[name] == each.c[name] for name in ("project_id", "trace_id", "id")))
    starts = [
        sa.func.substr(sa.type_coerce(spans.c[name], sa.Text), 1, MOST_TEXT).label(name) for name in ("input", "output")
    ]
    found = sa.select(spans.c.trace_id, spans.c.id, spans.c.name, *starts).select_from(each.join(spans, same))
    return fetch_all(db, _SpanTexts, found)


def _entries(db: Connection, project_id: str, trace_ids: Collection[str]) -> list[TraceTextRow]:
    """Entries of traces, looked up by the traces' ages."""
    if not trace_ids:
        return []
    same = (
        (trace_texts.c.project_id == traces.c.project_id)
        & (trace_texts.c.created_at == sa.type_coerce(traces.c.created_at, sa.BigInteger))
        & (trace_texts.c.trace_id == traces.c.id)
    )
    these = (traces.c.project_id == project_id) & is_any_of(db, traces.c.id, trace_ids)
    return fetch_all(db, TraceTextRow, sa.select(trace_texts).select_from(traces.join(trace_texts, same)).where(these))


def _joined(token: str, name: str, *values: str | None) -> str:
    return f"{token} {words_of(name, *values)}"


def _token(project_id: str) -> str:
    """A word that all texts of a project have. No query has it: words do not begin so."""
    return "\u2063" + sha256(project_id.encode()).hexdigest()[:16]


def _put_in(db: Connection, project_id: str, roots: Sequence[_Root]) -> None:
    if not roots:
        return
    if db.dialect.name == "postgresql":
        ordered = sorted(roots)  # so that two transactions never wait in a ring
        insert_rows(db, trace_texts, [_row(project_id, root, None, root.words) for root in ordered])
        return
    docs = _free_numbers(db, roots)
    insert_rows(db, trace_texts, [_row(project_id, root, doc, None) for root, doc in docs])
    db.exec_driver_sql(
        "INSERT INTO trace_words (rowid, words) VALUES (?, ?)", [(doc, root.words) for root, doc in docs]
    )


def _row(project_id: str, root: _Root, doc: int | None, words: str | None) -> TraceTextRow:
    return TraceTextRow(doc, project_id, root.created_at, root.trace_id, root.span_id, words)


def _free_numbers(db: Connection, roots: Sequence[_Root]) -> list[tuple[_Root, int]]:
    """A number for each, in the order of their ages. SQLite has one writer: what is free now stays so."""
    last: dict[int, int] = {}
    found = []
    for root in sorted(roots, key=lambda root: root.created_at):
        age = root.created_at
        if age not in last:
            highest = "SELECT max(doc) FROM trace_texts WHERE doc >= ? AND doc < ?"
            span = (age * _PER_MILLISECOND, (age + 1) * _PER_MILLISECOND)
            used = db.exec_driver_sql(highest, span).scalar()
            last[age] = span[0] - 1 if used is None else int(used)
        last[age] += 1
        found.append((root, last[age]))
    return found


def _take_out(db: Connection, entries: Sequence[TraceTextRow]) -> None:
    """FTS5 takes an entry out when it is told what it was put in with, which follows from its span."""
    if not entries:
        return
    if db.dialect.name == "sqlite":
        docs = {(entry.project_id, entry.trace_id, entry.span_id): entry.doc for entry in entries}
        for project_id in {entry.project_id for entry in entries}:
            keys = [(entry.trace_id, entry.span_id) for entry in entries if entry.project_id == project_id]
            token = _token(project_id)
            gone = [
                (docs[project_id, text.trace_id, text.id], _joined(token, text.name, text.input, text.output))
                for text in _texts(db, project_id, keys)
            ]
            db.exec_driver_sql("INSERT INTO trace_words (trace_words, rowid, words) VALUES ('delete', ?, ?)", gone)
    mark = "%s" if db.dialect.name == "postgresql" else "?"
    same = " AND ".join(f"{name} = {mark}" for name in ("project_id", "created_at", "trace_id"))
    keys_only = sorted((entry.project_id, entry.created_at, entry.trace_id) for entry in entries)
    db.exec_driver_sql(f"DELETE FROM trace_texts WHERE {same}", keys_only)


# --- looking for it -----


class Matches(NamedTuple):
    """A condition on traces; and where it holds only for some of them, from where on others are to be looked at."""

    condition: sa.ColumnElement[bool]
    end: PageKey | None
    by_id: bool
    """Whether the condition lists ids, by which traces are then to be looked up."""


def matching(
    db: Connection, project_id: str, only: Filter, wanted: Slice, *, by_age: bool, descending: bool
) -> Matches:
    """The traces whose root spans hold what `only.q` asks for."""
    asked = terms(only.q or "")
    if db.dialect.name == "postgresql":
        return Matches(_has_words(project_id, asked), None, by_id=False)
    query = _fts5(project_id, asked)
    if not by_age:
        ids = sa.select(trace_texts.c.trace_id).where(trace_texts.c.doc.in_(_matched(query)))
        return Matches(traces.c.id.in_(ids), None, by_id=True)
    return _next_matches(db, query, only, wanted, descending=descending)


def _has_words(project_id: str, asked: Sequence[Term]) -> sa.ColumnElement[bool]:
    lexemes = [f"'{_token(project_id)}'", *(f"'{term.word}'{':*' if term.is_start else ''}" for term in asked)]
    query = sa.cast(sa.literal(" & ".join(lexemes), sa.Text), TSQUERY)
    same = (
        (trace_texts.c.project_id == traces.c.project_id)
        & (trace_texts.c.created_at == sa.type_coerce(traces.c.created_at, sa.BigInteger))
        & (trace_texts.c.trace_id == traces.c.id)
    )
    found = sa.select(sa.literal(1)).where(same, trace_texts.c.project_id == project_id)
    return found.where(trace_texts.c.words.op("@@")(query)).correlate(traces).exists()


def _fts5(project_id: str, asked: Sequence[Term]) -> str:
    parts = [f'"{_token(project_id)}"', *(f'"{term.word}"{"*" if term.is_start else ""}' for term in asked)]
    return " AND ".join(parts)


def _matched(query: str) -> sa.Select[Any]:
    return sa.select(_MATCHED.c.rowid).where(sa.literal_column("trace_words").op("MATCH")(query))


def _next_matches(db: Connection, query: str, only: Filter, wanted: Slice, *, descending: bool) -> Matches:
    """The next matches in the order of age, whole milliseconds of them."""
    is_all = only == Filter(q=only.q, after=only.after, before=only.before)
    most = max(min(FIRST_MATCHES, MOST_MATCHES) if is_all else MOST_MATCHES, wanted.limit + 1)
    found = _within(_matched(query), only, wanted, descending=descending)
    order = _MATCHED.c.rowid.desc() if descending else _MATCHED.c.rowid
    docs = list(db.execute(found.order_by(order).limit(most)).scalars())
    end: PageKey | None = None
    if len(docs) == most:
        last = docs[-1] // _PER_MILLISECOND
        whole = [doc for doc in docs if doc // _PER_MILLISECOND != last]
        if not whole:  # all of one millisecond, to the last
            own = found.where(_MATCHED.c.rowid >= last * _PER_MILLISECOND)
            whole = list(db.execute(own.where(_MATCHED.c.rowid < (last + 1) * _PER_MILLISECOND)).scalars())
            end = (last, "") if descending else (last + 1, "")
        else:
            end = (last + 1, "") if descending else (last, "")
        docs = whole
    each = sa.func.json_each(sa.bindparam(None, dump(docs), type_=sa.Text)).table_valued("value")
    ids = sa.select(trace_texts.c.trace_id).where(trace_texts.c.doc.in_(sa.select(each.c.value)))
    return Matches(traces.c.id.in_(ids), end, by_id=True)


def _within(found: sa.Select[Any], only: Filter, wanted: Slice, *, descending: bool) -> sa.Select[Any]:
    """As far as the ages of traces are bounded, by the filter or by the page before."""
    doc = _MATCHED.c.rowid
    if only.after is not None:
        found = found.where(doc >= (to_ms(only.after) + 1) * _PER_MILLISECOND)
    if only.before is not None:
        found = found.where(doc < to_ms(only.before) * _PER_MILLISECOND)
    if wanted.after is not None:
        age, id = wanted.after
        is_within = descending and bool(id)  # some of that millisecond may be left
        at = (int(age or 0) + is_within) * _PER_MILLISECOND
        found = found.where(doc < at if descending else doc >= at)
    return found


# --- whether a project is searched -----


def text_search_of(db: Connection, project_id: str) -> TextSearchRow | None:
    """None for a project of which nothing was said: it is searched."""
    return fetch_first(db, TextSearchRow, sa.select(text_search).where(text_search.c.project_id == project_id))


_ENABLED = sa.select(text_search.c.enabled).where(text_search.c.project_id == sa.bindparam("project"))
"""Asked by every batch of spans, so it is made once."""


def is_enabled(db: Connection, project_id: str) -> bool:
    return db.execute(_ENABLED, {"project": project_id}).scalar() != 0


def set_text_search(db: Connection, row: TextSearchRow) -> None:
    db.execute(sa.delete(text_search).where(text_search.c.project_id == row.project_id))
    db.execute(sa.insert(text_search).values(row._asdict()))
