"""Lists of traces, newest first, with filters.

What is in the index is read off. A filter on other metadata looks through spans, at most so many traces per page: such
a page may be short, and says where the next one begins.
"""

from collections.abc import Collection
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.model.jsonvalue import dump
from gnomon.store.fetch import fetch_all
from gnomon.store.pages import PageKey, Slice, keyset
from gnomon.store.schema import spans, trace_values, traces
from gnomon.store.spanstore import LONGEST_VALUE, MODEL, Filter, TracePage, TraceWithRoot

MOST_LOOKED_THROUGH = 20_000
"""Traces whose spans one call looks through for metadata that is in no index."""
NONE: sa.ColumnElement[int] = sa.literal_column("0", sa.BigInteger)
"""Counts are compared with this literal: a partial index does not answer to a parameter."""
_KEYS = (sa.type_coerce(traces.c.created_at, sa.BigInteger), traces.c.id)


def with_root(*, content: bool = False) -> sa.Select[Any]:
    """Traces, beside each what lists show of its root span. Input and output may be large, so they come only when
    asked for."""
    root = spans.alias("root")
    is_root = (
        (root.c.project_id == traces.c.project_id)
        & (root.c.trace_id == traces.c.id)
        & (root.c.id == traces.c.root_span_id)
    )
    shown = (root.c.name, root.c.model, root.c.metadata, root.c.input, root.c.output)
    columns = [
        (column if content or column.name not in ("input", "output") else sa.null()).label(f"root_{column.name}")
        for column in shown
    ]
    return sa.select(traces, *columns).select_from(traces.outerjoin(root, is_root))


def page(db: Connection, project_id: str, only: Filter, wanted: Slice, indexed: Collection[str]) -> TracePage:
    found = _plainly(with_root().where(traces.c.project_id == project_id), only)
    looked_up = [(key, value) for key, value in only.metadata if key in indexed and len(value) <= LONGEST_VALUE]
    if only.model is not None:
        looked_up.append((MODEL, only.model))
    searched = [pair for pair in only.metadata if pair not in looked_up]
    keys = list(_KEYS)
    for at, (key, value) in enumerate(looked_up):
        named = trace_values.alias(f"value{at}")
        found = found.join(named, _is_value(named, project_id, key, value))
        if at == 0:  # its rows lie in the order of the list
            keys = [sa.type_coerce(named.c.created_at, sa.BigInteger), named.c.trace_id]
    end = None
    if searched:
        end = _window_end(db, project_id, only, wanted)
        found = found.where(*(_some_span_says(db, key, value) for key, value in searched))
        if end is not None:
            last = sa.tuple_(*(_bound(key, at) for key, at in zip(_KEYS, end, strict=True)))
            found = found.where(sa.tuple_(*_KEYS) >= last)
    rows = fetch_all(db, TraceWithRoot, keyset(found, keys, wanted))
    return TracePage(rows, None if len(rows) > wanted.limit else end)


def _plainly(found: sa.Select[Any], only: Filter) -> sa.Select[Any]:
    """What the columns of a trace tell."""
    if only.after is not None:
        found = found.where(traces.c.created_at > only.after)
    if only.before is not None:
        found = found.where(traces.c.created_at < only.before)
    if only.has_error is not None:
        found = found.where(traces.c.error_count > NONE if only.has_error else traces.c.error_count == NONE)
    if only.in_queue is not None:
        found = found.where(traces.c.queued_at.is_not(None) if only.in_queue else traces.c.queued_at.is_(None))
    if only.conversation_id is not None:
        found = found.where(traces.c.conversation_id == only.conversation_id)
    return found


def _is_value(named: sa.FromClause, project_id: str, key: str, value: str) -> sa.ColumnElement[bool]:
    return (
        (named.c.project_id == project_id)
        & (named.c.key == key)
        & (named.c.value == value)
        & (named.c.trace_id == traces.c.id)
    )


def _window_end(db: Connection, project_id: str, only: Filter, wanted: Slice) -> PageKey | None:
    """The last trace that this call looks at; None when it looks at all that are left."""
    found = _plainly(sa.select(*_KEYS).where(traces.c.project_id == project_id), only)
    ahead = keyset(found, list(_KEYS), wanted).limit(1).offset(MOST_LOOKED_THROUGH - 1)
    row = db.execute(ahead).first()
    return None if row is None else tuple(row)


def _bound(key: sa.ColumnElement[Any], value: object) -> sa.BindParameter[Any]:
    return sa.bindparam(None, value, type_=key.type)


def _some_span_says(db: Connection, key: str, value: str) -> sa.ColumnElement[bool]:
    """Any span of the trace has this metadata value: a string is compared as it is, all else as its JSON text.

    The stored text itself is searched: it is flat and compact, so between two commas that are not
    inside a string stands one key and value. The databases' own JSON functions write numbers differently.
    """
    kept = sa.type_coerce(spans.c.metadata, sa.Text)
    listed = sa.literal(",") + sa.func.substr(kept, 2, sa.func.length(kept) - 2) + sa.literal(",")
    place = sa.func.strpos if db.dialect.name == "postgresql" else sa.func.instr
    forms = [dump(value), *([] if {'"', ","} & set(value) else [value])]
    said = sa.or_(*(place(listed, f",{dump(key)}:{form},") > 0 for form in forms))
    mine = (spans.c.trace_id == traces.c.id) & (spans.c.project_id == traces.c.project_id)
    return sa.select(sa.literal(1)).where(mine, said).correlate(traces).exists()
