"""The text search: which traces have a root span with these words.

`trace_texts` has one row per trace that can be found. On PostgreSQL its words are in the row, with an index over them.
On SQLite they are in the index only (`trace_words`, FTS5 without content), under the row's number `doc`. The number
begins with the trace's age, so that matches come in the order of a list, a page at a time.

Both databases get the words that `store/searchwords.py` finds, separated by blanks, and decide nothing of their own.

To put words into an index takes longer than to store a span, and half as long for thousands of traces together as for
one batch. So what arrives is only noted, in `pending_texts` and in the transaction that stores it; a worker moves it
into the index (`fold_texts`). A search reads the pending root spans themselves, so that it finds the same before and
after. Where no worker runs, the batches that arrive move what is too much to be read by every search.
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
from gnomon.store.rows import PendingTextRow, TextSearchRow, TraceTextRow
from gnomon.store.schema import (
    for_update,
    insert_rows,
    is_any_of,
    pending_texts,
    spans,
    text_search,
    trace_texts,
    traces,
)
from gnomon.store.searchwords import MOST_TEXT, SearchTerm, holds, terms, words_of
from gnomon.store.spanstore import Arrivals, TraceFilter, TraceHead, TraceToIndex
from gnomon.store.sqlspans.keys import listed

MOST_MATCHES = 5_000
"""Matches of a query that one call looks at on SQLite, unless a page is larger: other filters may leave few of them."""
FIRST_MATCHES = 500
"""The same where there is no other filter."""
FIRST_TEXTS = 500
"""Entries next in age that PostgreSQL reads before it asks its index, which gives every match of a frequent word."""
MOST_PENDING = 5_000
"""Traces that may wait to be indexed. A batch that finds more of them indexes some first."""
MOST_TOGETHER = 2_000
"""As many as such a batch indexes, or twice those that it brings: few together take twice the time each."""
_PER_MILLISECOND = 2**20
"""Numbers for traces of one millisecond."""
_KEY = ("project_id", "created_at", "trace_id")
_MATCHED = sa.table("trace_words", sa.column("rowid", sa.BigInteger))


class _SearchedRoot(NamedTuple):
    """A span that is to be found, and the age of its trace."""

    trace_id: str
    span_id: str
    created_at: int
    words: str


# --- what is found -----


def note_roots(db: Connection, arrivals: Arrivals, arrived: Mapping[str, TraceHead], new: Collection[str]) -> None:
    """Make root spans that came with a batch findable, where they are their traces'. Of the `new` traces it is known
    that they were not there before."""
    chosen = {trace_id: head.root_span_id for trace_id, head in arrived.items() if head.root_span_id is not None}
    if not chosen or not is_enabled(db, arrivals.project_id):
        return
    project_id, ages = arrivals.project_id, dict.fromkeys(chosen, arrivals.now_ms)
    older = chosen.keys() - new if db.dialect.name == "sqlite" else chosen.keys()
    if older:  # on PostgreSQL another batch may have made a trace meanwhile; since the upsert it is ours
        ages = _ages_by_root(db, project_id, chosen, older, ages)
        forget_texts(db, project_id, [id for id in older if id in ages and id not in new])
    # Sorted, so that two transactions never wait in a ring.
    rows = sorted(PendingTextRow(project_id, age, trace_id, chosen[trace_id]) for trace_id, age in ages.items())
    insert_rows(db, pending_texts, rows)
    if texts_are_pending(db, MOST_PENDING + 1):
        fold_texts(db, max(MOST_TOGETHER, 2 * len(rows)))


def texts_are_pending(db: Connection, at_least: int = 1) -> bool:
    """Whether so many traces wait to be indexed."""
    # In order: PostgreSQL's index forgets rows that are gone sooner than the table does, where many come and go.
    query = sa.select(pending_texts.c.trace_id).order_by(*(pending_texts.c[name] for name in _KEY))
    return db.execute(query.limit(1).offset(at_least - 1)).first() is not None


def fold_texts(db: Connection, limit: int) -> int:
    """Move some traces that wait into the index, the oldest of a project first; how many."""
    query = sa.select(pending_texts).order_by(*(pending_texts.c[name] for name in _KEY)).limit(limit)
    if db.dialect.name == "postgresql":
        # Whoever changes the root of a trace, or its texts, holds the trace: those are left for the next time. What
        # was changed between the look and the lock is left out, because its row is locked too.
        same = (traces.c.id == pending_texts.c.trace_id) & (traces.c.project_id == pending_texts.c.project_id)
        query = query.join(traces, same).with_for_update(of=[traces, pending_texts], skip_locked=True)
    rows = fetch_all(db, PendingTextRow, query)
    for project_id in sorted({row.project_id for row in rows}):
        ages = {(row.trace_id, row.span_id): row.created_at for row in rows if row.project_id == project_id}
        _put_in(db, project_id, _roots(db, project_id, ages))
    _drop_pending(db, rows)
    return len(rows)


def _roots(db: Connection, project_id: str, ages: Mapping[tuple[str, str], int]) -> list[_SearchedRoot]:
    """Read these stored root spans as they are to be indexed; `ages` is by (trace id, span id)."""
    token = _token(project_id)
    return [
        _SearchedRoot(text.trace_id, text.id, ages[text.trace_id, text.id], f"{token} {_words(text)}")
        for text in _texts(db, project_id, ages)
    ]


def _ages_by_root(
    db: Connection, project_id: str, chosen: Mapping[str, str], older: Collection[str], ages: dict[str, int]
) -> dict[str, int]:
    """Trace → its age, without those whose root is another span."""
    query = sa.select(
        traces.c.id, traces.c.root_span_id, sa.type_coerce(traces.c.created_at, sa.BigInteger).label("created_at")
    ).where(is_any_of(db, traces.c.id, older), traces.c.project_id == project_id)
    stored = {row.id: row for row in db.execute(query)}
    kept = {id: age for id, age in ages.items() if id not in older}
    return kept | {id: row.created_at for id, row in stored.items() if row.root_span_id == chosen[id]}


def index_traces(db: Connection, project_id: str, rows: Sequence[TraceToIndex]) -> None:
    """Make stored traces findable that are not yet."""
    ids = [row.id for row in rows]
    indexed = {entry.trace_id for entry in _entries(db, project_id, ids)}
    indexed |= {row.trace_id for row in _pending(db, project_id, ids)}
    ages = {(row.id, row.root_span_id): row.created_at for row in rows if row.root_span_id and row.id not in indexed}
    _put_in(db, project_id, _roots(db, project_id, ages))


def traces_to_index(db: Connection, project_id: str, after: tuple[int, str] | None, limit: int) -> list[TraceToIndex]:
    """The oldest first, from one on; nobody else changes them until the transaction ends."""
    created = sa.type_coerce(traces.c.created_at, sa.BigInteger)
    query = sa.select(traces.c.id, created.label("created_at"), traces.c.root_span_id).where(
        traces.c.project_id == project_id
    )
    if after is not None:
        last = sa.tuple_(sa.literal(after[0], sa.BigInteger), sa.literal(after[1], sa.Text))
        query = query.where(sa.tuple_(created, traces.c.id) > last)
    return fetch_all(db, TraceToIndex, for_update(db, query.order_by(created, traces.c.id).limit(limit)))


def forget_texts(db: Connection, project_id: str, trace_ids: Collection[str]) -> None:
    """These traces are not found any more. Their spans must still be there."""
    _drop_pending(db, _pending(db, project_id, trace_ids))
    _take_out(db, _entries(db, project_id, trace_ids))


def forget_some(db: Connection, project_id: str, limit: int) -> int:
    """Make some traces of a project unfindable; how many."""
    waiting = sa.select(pending_texts).where(pending_texts.c.project_id == project_id).limit(limit)
    dropped = fetch_all(db, PendingTextRow, for_update(db, waiting))
    _drop_pending(db, dropped)
    query = sa.select(trace_texts).where(trace_texts.c.project_id == project_id).limit(limit - len(dropped))
    entries = fetch_all(db, TraceTextRow, query)
    _take_out(db, entries)
    return len(dropped) + len(entries)


@contextmanager
def text_changes(db: Connection, project_id: str, trace_id: str, span_id: str) -> Iterator[None]:
    """Inside, the input and output of a span may be changed; if its trace is found by it, by the new ones then."""
    if db.dialect.name == "postgresql":  # against a worker that is about to index the old ones
        held = sa.select(traces.c.id).where(traces.c.id == trace_id, traces.c.project_id == project_id)
        db.execute(held.with_for_update())
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
    wanted_keys = listed(db, wanted, ("project_id", "trace_id", "id"))
    same = sa.and_(*(spans.c[name] == wanted_keys.c[name] for name in ("project_id", "trace_id", "id")))
    starts = [
        sa.func.substr(sa.type_coerce(spans.c[name], sa.Text), 1, MOST_TEXT).label(name) for name in ("input", "output")
    ]
    query = sa.select(spans.c.trace_id, spans.c.id, spans.c.name, *starts).select_from(wanted_keys.join(spans, same))
    return fetch_all(db, _SpanTexts, query)


def _entries(db: Connection, project_id: str, trace_ids: Collection[str]) -> list[TraceTextRow]:
    """Entries of traces in the index, looked up by the traces' ages."""
    return fetch_all(db, TraceTextRow, _of_traces(db, trace_texts, project_id, trace_ids)) if trace_ids else []


def _pending(db: Connection, project_id: str, trace_ids: Collection[str]) -> list[PendingTextRow]:
    """The traces that wait to be indexed."""
    return fetch_all(db, PendingTextRow, _of_traces(db, pending_texts, project_id, trace_ids)) if trace_ids else []


def _of_traces(db: Connection, table: sa.Table, project_id: str, trace_ids: Collection[str]) -> sa.Select[Any]:
    same = (
        (table.c.project_id == traces.c.project_id)
        & (table.c.created_at == sa.type_coerce(traces.c.created_at, sa.BigInteger))
        & (table.c.trace_id == traces.c.id)
    )
    these = (traces.c.project_id == project_id) & is_any_of(db, traces.c.id, trace_ids)
    return sa.select(table).select_from(traces.join(table, same)).where(these)


def _words(text: _SpanTexts) -> str:
    return words_of(text.name, text.input, text.output)


def _token(project_id: str) -> str:
    """A word that all texts of a project have. No query has it: words do not begin so."""
    return "\u2063" + sha256(project_id.encode()).hexdigest()[:16]


def _put_in(db: Connection, project_id: str, roots: Sequence[_SearchedRoot]) -> None:
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


def _row(project_id: str, root: _SearchedRoot, doc: int | None, words: str | None) -> TraceTextRow:
    return TraceTextRow(doc, project_id, root.created_at, root.trace_id, root.span_id, words)


def _free_numbers(db: Connection, roots: Sequence[_SearchedRoot]) -> list[tuple[_SearchedRoot, int]]:
    """A number for each, in the order of their ages. SQLite has one writer: what is free now stays so."""
    last: dict[int, int] = {}
    numbered = []
    for root in sorted(roots, key=lambda root: root.created_at):
        age = root.created_at
        if age not in last:
            highest = "SELECT max(doc) FROM trace_texts WHERE doc >= ? AND doc < ?"
            span = (age * _PER_MILLISECOND, (age + 1) * _PER_MILLISECOND)
            used = db.exec_driver_sql(highest, span).scalar()
            last[age] = span[0] - 1 if used is None else int(used)
        last[age] += 1
        numbered.append((root, last[age]))
    return numbered


def _take_out(db: Connection, entries: Sequence[TraceTextRow]) -> None:
    """FTS5 removes an entry when it is given the text that was added, which is computed again from the span."""
    if not entries:
        return
    if db.dialect.name == "sqlite":
        docs = {(entry.project_id, entry.trace_id, entry.span_id): entry.doc for entry in entries}
        for project_id in {entry.project_id for entry in entries}:
            keys = [(entry.trace_id, entry.span_id) for entry in entries if entry.project_id == project_id]
            token = _token(project_id)
            removed = [
                (docs[project_id, text.trace_id, text.id], f"{token} {_words(text)}")
                for text in _texts(db, project_id, keys)
            ]
            db.exec_driver_sql("INSERT INTO trace_words (trace_words, rowid, words) VALUES ('delete', ?, ?)", removed)
    _delete(db, trace_texts, entries)


def _drop_pending(db: Connection, rows: Sequence[PendingTextRow]) -> None:
    if rows:
        _delete(db, pending_texts, rows)


def _delete(db: Connection, table: sa.Table, rows: Sequence[TraceTextRow] | Sequence[PendingTextRow]) -> None:
    mark = "%s" if db.dialect.name == "postgresql" else "?"
    same = " AND ".join(f"{name} = {mark}" for name in _KEY)
    keys = sorted((row.project_id, row.created_at, row.trace_id) for row in rows)
    db.exec_driver_sql(f"DELETE FROM {table.name} WHERE {same}", keys)


# --- looking for it -----


class Matches(NamedTuple):
    """A condition on traces; and where it holds only for some of them, from where on others are to be looked at."""

    condition: sa.ColumnElement[bool]
    end: PageKey | None
    by_id: bool
    """Whether the condition lists ids, by which traces are then to be looked up."""


def matching(
    db: Connection, project_id: str, only: TraceFilter, wanted: Slice, *, by_age: bool, descending: bool
) -> Matches:
    """The traces whose root spans hold what `only.q` asks for."""
    search_terms = terms(only.q or "")
    pending = _pending_matches(db, project_id, search_terms)
    if db.dialect.name == "postgresql":
        next_matches = (
            _next_frequent(db, project_id, search_terms, only, wanted, pending, descending) if by_age else None
        )
        if next_matches is not None:
            return next_matches
        indexed = _has_words(project_id, search_terms)
        if not pending:
            return Matches(indexed, None, by_id=False)
        ids = sa.select(trace_texts.c.trace_id).where(*_holding(project_id, search_terms))
        return Matches(_is_among(ids, db, pending), None, by_id=False)
    query = _fts5(project_id, search_terms)
    if not by_age:
        ids = sa.select(trace_texts.c.trace_id).where(trace_texts.c.doc.in_(_matched(query)))
        return Matches(_is_among(ids, db, pending), None, by_id=True)
    return _next_matches(db, query, only, wanted, pending, descending=descending)


class _TextAge(NamedTuple):
    trace_id: str
    created_at: int
    is_match: bool


def _next_frequent(
    db: Connection,
    project_id: str,
    search_terms: Sequence[SearchTerm],
    only: TraceFilter,
    wanted: Slice,
    pending: Mapping[str, int],
    descending: bool,
) -> Matches | None:
    """The matches among the entries next in age, on PostgreSQL, if they fill a page.

    Without this, a word of every second trace costs the reading of half the project: the index knows no order."""
    if only != TraceFilter(q=only.q, after=only.after, before=only.before):
        return None
    of_project, has_words = _holding(project_id, search_terms)
    entries = sa.select(trace_texts).where(
        of_project, *_age_bounds(trace_texts.c.created_at, 1, only, wanted, descending)
    )
    keys = [trace_texts.c.created_at, trace_texts.c.trace_id]
    next_in_age = entries.order_by(*(key.desc() if descending else key for key in keys)).limit(FIRST_TEXTS).subquery()
    is_match = next_in_age.c.words.op("@@")(has_words.right).label("is_match")
    rows = fetch_all(db, _TextAge, sa.select(next_in_age.c.trace_id, next_in_age.c.created_at, is_match))
    end: int | None = None
    if len(rows) == FIRST_TEXTS:
        last = (min if descending else max)(row.created_at for row in rows)
        end = last + 1 if descending else last
        rows = [row for row in rows if row.created_at != last]  # whole milliseconds: a cursor may end between them
        pending = {id: age for id, age in pending.items() if (age >= end if descending else age < end)}
    ids = [row.trace_id for row in rows if row.is_match]
    if end is not None and len(ids) <= wanted.limit:
        return None
    listed_ids = sa.func.unnest(sa.bindparam(None, [*ids, *pending], type_=sa.ARRAY(sa.Text))).table_valued("value")
    condition = traces.c.id.in_(sa.select(listed_ids.render_derived(name="matched").c.value))
    return Matches(condition, None if end is None else (end, ""), by_id=False)


def _pending_matches(db: Connection, project_id: str, search_terms: Sequence[SearchTerm]) -> dict[str, int]:
    """Traces that hold what is asked for and wait to be indexed, with their ages."""
    rows = fetch_all(db, PendingTextRow, sa.select(pending_texts).where(pending_texts.c.project_id == project_id))
    ages = {(row.trace_id, row.span_id): row.created_at for row in rows}
    return {
        text.trace_id: ages[text.trace_id, text.id]
        for text in _texts(db, project_id, ages)
        if holds(_words(text), search_terms)
    }


def _is_among(ids: sa.Select[Any], db: Connection, pending: Iterable[str]) -> sa.ColumnElement[bool]:
    """The trace is one of those that a query gives, or of those that wait."""
    waiting = list(pending)
    if not waiting:
        return traces.c.id.in_(ids)
    if db.dialect.name == "postgresql":
        unnested = sa.func.unnest(sa.bindparam(None, waiting, type_=sa.ARRAY(sa.Text))).table_valued("value")
        elements = unnested.render_derived(name="waiting")
    else:
        elements = sa.func.json_each(sa.bindparam(None, dump(waiting), type_=sa.Text)).table_valued("value")
    return traces.c.id.in_(sa.union_all(ids, sa.select(elements.c.value)))


def _has_words(project_id: str, terms: Sequence[SearchTerm]) -> sa.ColumnElement[bool]:
    same = (
        (trace_texts.c.project_id == traces.c.project_id)
        & (trace_texts.c.created_at == sa.type_coerce(traces.c.created_at, sa.BigInteger))
        & (trace_texts.c.trace_id == traces.c.id)
    )
    return sa.select(sa.literal(1)).where(same, *_holding(project_id, terms)).correlate(traces).exists()


def _holding(project_id: str, terms: Sequence[SearchTerm]) -> tuple[sa.ColumnElement[bool], ...]:
    """The entries of a project that match, on PostgreSQL."""
    lexemes = [f"'{_token(project_id)}'", *(f"'{term.word}'{':*' if term.is_start else ''}" for term in terms)]
    query = sa.cast(sa.literal(" & ".join(lexemes), sa.Text), TSQUERY)
    return trace_texts.c.project_id == project_id, trace_texts.c.words.op("@@")(query)


def _fts5(project_id: str, terms: Sequence[SearchTerm]) -> str:
    parts = [f'"{_token(project_id)}"', *(f'"{term.word}"{"*" if term.is_start else ""}' for term in terms)]
    return " AND ".join(parts)


def _matched(query: str) -> sa.Select[Any]:
    return sa.select(_MATCHED.c.rowid).where(sa.literal_column("trace_words").op("MATCH")(query))


def _next_matches(
    db: Connection, query: str, only: TraceFilter, wanted: Slice, pending: Mapping[str, int], *, descending: bool
) -> Matches:
    """The next matches in the order of age, whole milliseconds of them; those that wait as far as these go."""
    is_all = only == TraceFilter(q=only.q, after=only.after, before=only.before)
    most = max(min(FIRST_MATCHES, MOST_MATCHES) if is_all else MOST_MATCHES, wanted.limit + 1)
    matched = _within(_matched(query), only, wanted, descending=descending)
    order = _MATCHED.c.rowid.desc() if descending else _MATCHED.c.rowid
    docs = list(db.execute(matched.order_by(order).limit(most)).scalars())
    end: int | None = None
    if len(docs) == most:
        last = docs[-1] // _PER_MILLISECOND
        whole = [doc for doc in docs if doc // _PER_MILLISECOND != last]
        if not whole:  # all of one millisecond, to the last
            own = matched.where(_MATCHED.c.rowid >= last * _PER_MILLISECOND)
            whole = list(db.execute(own.where(_MATCHED.c.rowid < (last + 1) * _PER_MILLISECOND)).scalars())
            end = last if descending else last + 1
        else:
            end = last + 1 if descending else last
        docs = whole
    elements = sa.func.json_each(sa.bindparam(None, dump(docs), type_=sa.Text)).table_valued("value")
    ids = sa.select(trace_texts.c.trace_id).where(trace_texts.c.doc.in_(sa.select(elements.c.value)))
    if end is not None:
        pending = {id: age for id, age in pending.items() if (age >= end if descending else age < end)}
    return Matches(_is_among(ids, db, pending), None if end is None else (end, ""), by_id=True)


def _within(query: sa.Select[Any], only: TraceFilter, wanted: Slice, *, descending: bool) -> sa.Select[Any]:
    return query.where(*_age_bounds(_MATCHED.c.rowid, _PER_MILLISECOND, only, wanted, descending))


def _age_bounds(
    age: sa.ColumnElement[int], unit: int, only: TraceFilter, wanted: Slice, descending: bool
) -> list[sa.ColumnElement[bool]]:
    """The bounds on traces' ages from the filter and the page before; `unit` is a millisecond's."""
    bounds = []
    if only.after is not None:
        bounds.append(age >= (to_ms(only.after) + 1) * unit)
    if only.before is not None:
        bounds.append(age < to_ms(only.before) * unit)
    if wanted.after is not None:
        last, id = wanted.after
        is_within = descending and bool(id)  # some of that millisecond may be left
        at = (int(last or 0) + is_within) * unit
        bounds.append(age < at if descending else age >= at)
    return bounds


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
