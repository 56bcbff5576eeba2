"""Traces and spans by their ids, and the walk through a project's spans."""

from collections.abc import Collection, Iterable
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.store.fetch import fetch_all
from gnomon.store.rows import SpanLogRow, SpanRow, TraceTotals
from gnomon.store.schema import (
    as_list,
    for_update,
    is_any_given,
    is_any_of,
    jobs,
    runs,
    scores,
    span_ids,
    span_logs,
    span_sources,
    spans,
    traces,
)
from gnomon.store.spanstore import RunCosts, RunTrace, SpanKey, SpanToFilter, TraceWithRoot
from gnomon.store.sqlspans.keys import among
from gnomon.store.sqlspans.listing import with_root

_OPEN = ("queued", "running")


def find(db: Connection, id: str, project_id: str | None) -> list[TraceWithRoot]:
    """The traces with this id, each with its root span: at most one per project, two in all."""
    return fetch_all(db, TraceWithRoot, _named(with_root(content=True), id, project_id))


def hold(db: Connection, id: str, project_id: str | None) -> list[TraceTotals]:
    """Like `find`, without the root span, and locked: no one changes or deletes them until the transaction ends."""
    return fetch_all(db, TraceTotals, for_update(db, _named(sa.select(traces), id, project_id)))


def heads(db: Connection, project_id: str, ids: Iterable[str]) -> dict[str, TraceTotals]:
    """The traces with these ids that are stored."""
    query = sa.select(traces).where(traces.c.project_id == project_id, is_any_of(db, traces.c.id, ids))
    return {row.id: row for row in fetch_all(db, TraceTotals, query)}


def _named(query: sa.Select[Any], id: str, project_id: str | None) -> sa.Select[Any]:
    query = query.where(traces.c.id == id)
    if project_id is not None:
        query = query.where(traces.c.project_id == project_id)
    return query.limit(2)


def find_span(db: Connection, id: str, project_id: str | None, trace_id: str | None) -> list[SpanRow]:
    """The spans with this id, held until the end of the transaction: at most two, as more are no better.

    Without a trace only natively ingested spans are found: OpenTelemetry's ids are unique within a trace.
    """
    if trace_id is None:
        matches = sa.select(span_ids.c.project_id, span_ids.c.trace_id).where(span_ids.c.id == id)
        if project_id is not None:
            matches = matches.where(span_ids.c.project_id == project_id)
    else:
        matches = sa.select(traces.c.project_id, traces.c.id).where(traces.c.id == trace_id)
        if project_id is not None:
            matches = matches.where(traces.c.project_id == project_id)
    keys = [(project, trace, id) for project, trace in db.execute(matches.limit(2))]
    return _rows(db, keys, lock=True)


def by_id(db: Connection, wanted: Collection[tuple[str, str, str]]) -> dict[tuple[str, str, str], SpanRow]:
    """These spans, as far as they are there: (project id, trace id, span id) → the row."""
    return {(row.project_id, row.trace_id, row.id): row for row in _rows(db, wanted)}


def at(db: Connection, project_id: str, keys: Collection[SpanKey], *, lock: bool = False) -> list[SpanRow]:
    """The stored spans among these, with input and output, in the order of the keys."""
    fetched = _rows(db, [(project_id, *key) for key in keys], lock=lock)
    rows = {(row.trace_id, row.id): row for row in fetched}
    return [rows[key] for key in keys if key in rows]


def _rows(db: Connection, keys: Collection[tuple[str, str, str]], *, lock: bool = False) -> list[SpanRow]:
    if not keys:
        return []
    query = among(db, keys)
    if lock and db.dialect.name == "postgresql":
        query = query.order_by(spans.c.trace_id, spans.c.id).with_for_update(of=spans)
    return fetch_all(db, SpanRow, query)


def spans_of(db: Connection, project_id: str, trace_id: str) -> list[SpanRow]:
    query = sa.select(spans).where(spans.c.trace_id == trace_id, spans.c.project_id == project_id)
    return fetch_all(db, SpanRow, query.order_by(spans.c.start_ns, spans.c.id))


def sources(db: Connection, project_id: str, ids: Collection[str]) -> dict[str, bytes]:
    """Resources and scopes, by id."""
    if not ids:
        return {}
    query = sa.select(span_sources.c.id, span_sources.c.body).where(
        span_sources.c.project_id == project_id, is_any_of(db, span_sources.c.id, ids)
    )
    return {id: bytes(body) for id, body in db.execute(query)}


_HOLD = """
SELECT pg_advisory_xact_lock(hashtextextended('traces', place)) FROM (
    SELECT DISTINCT hashtext(id) & 1023 AS place FROM unnest(%s::text[]) AS ids (id) ORDER BY 1) AS places
"""
"""Traces share a thousand locks: a batch may bring a hundred thousand traces, and PostgreSQL has room for few locks."""


def logs_of(db: Connection, project_id: str, trace_ids: Collection[str], *, lock: bool = False) -> list[SpanLogRow]:
    """Log records of the spans of these traces, in order of their time where it is known.

    With `lock`, who stores spans of a trace and who stores its log records wait for each other, so that one of them
    finds what the other brings, also where the trace is not there yet.
    """
    if lock and db.dialect.name == "postgresql":
        db.exec_driver_sql(_HOLD, ([f"{project_id}/{id}" for id in sorted(trace_ids)],))
    dialect = db.dialect.name
    return fetch_all(db, SpanLogRow, _logs(dialect), {"project": project_id, "traces": as_list(dialect, trace_ids)})


@cache
def _logs(dialect: str) -> sa.Select[Any]:
    """Asked by every batch of spans, so it is made once."""
    of_traces = is_any_given(dialect, span_logs.c.trace_id, "traces")
    query = sa.select(span_logs).where(span_logs.c.project_id == sa.bindparam("project"), of_traces)
    return query.order_by(span_logs.c.trace_id, span_logs.c.span_id, span_logs.c.id)


def walk(db: Connection, project_id: str, after: SpanKey | None, limit: int) -> list[SpanToFilter]:
    """A page of the project's spans in order of (trace id, span id), for jobs that go through all."""
    keys = [spans.c.trace_id, spans.c.id]
    query = sa.select(*(spans.c[name] for name in SpanToFilter._fields)).where(spans.c.project_id == project_id)
    if after is not None:
        query = query.where(
            sa.tuple_(*keys) > sa.tuple_(*(sa.bindparam(None, value, type_=sa.Text) for value in after))
        )
    return fetch_all(db, SpanToFilter, query.order_by(*keys).limit(limit))


def to_filter(db: Connection, project_id: str, trace_ids: Collection[str]) -> list[SpanToFilter]:
    """What a filter looks at, of all spans of these traces."""
    query = sa.select(*(spans.c[name] for name in SpanToFilter._fields)).where(
        spans.c.project_id == project_id, is_any_of(db, spans.c.trace_id, trace_ids)
    )
    return fetch_all(db, SpanToFilter, query)


def count(db: Connection, project_id: str) -> int:
    """Count spans by the traces' own counters, without reading a span."""
    query = sa.select(sa.func.sum(traces.c.span_count)).where(traces.c.project_id == project_id)
    return int(db.execute(query).scalar() or 0)


def count_traces(db: Connection, project_id: str) -> int:
    query = sa.select(sa.func.count()).select_from(traces).where(traces.c.project_id == project_id)
    return int(db.execute(query).scalar_one())


def costs_of_runs(db: Connection, project_id: str, experiment_ids: Collection[str]) -> dict[str, RunCosts]:
    """What the stored traces of experiments' runs cost, where any is stored. A trace that two runs of one experiment
    name counts once."""
    named = (
        sa.select(runs.c.experiment_id, runs.c.trace_id)
        .where(runs.c.experiment_id.in_(sorted(experiment_ids)), runs.c.trace_id.is_not(None))
        .distinct()
    ).subquery("named")
    same = (traces.c.id == named.c.trace_id) & (traces.c.project_id == project_id)
    query = sa.select(
        named.c.experiment_id,
        sa.func.count().label("traced"),
        sa.func.sum(traces.c.cost_usd).label("known_usd"),
        sa.func.coalesce(sa.cast(sa.func.sum(traces.c.unpriced), sa.BigInteger), 0).label("unpriced"),
    ).select_from(named.join(traces, same))
    return {row.experiment_id: row for row in fetch_all(db, RunCosts, query.group_by(named.c.experiment_id))}


def traces_of_runs(db: Connection, project_id: str, experiment_ids: Collection[str]) -> list[RunTrace]:
    """The stored traces of experiments' runs, run by run, in the order in which these came."""
    same = (traces.c.id == runs.c.trace_id) & (traces.c.project_id == project_id)
    query = (
        sa.select(
            runs.c.experiment_id, runs.c.id.label("run_id"), runs.c.trace_id, traces.c.cost_usd, traces.c.unpriced,
            traces.c.tokens, traces.c.root_duration_ms,
        )
        .select_from(runs.join(traces, same))
        .where(runs.c.experiment_id.in_(sorted(experiment_ids)))
    )  # fmt: skip
    return fetch_all(db, RunTrace, query.order_by(runs.c.experiment_id, runs.c.id))


def known(
    db: Connection, project_id: str, scorer_name: str, config_hash: str, keys: Collection[SpanKey]
) -> set[SpanKey]:
    """Which of these spans have a score of that name, or an open job by this very scorer."""
    ids = {id for _, id in keys}
    scored = sa.select(scores.c.trace_id, scores.c.target_id).where(
        is_any_of(db, scores.c.target_id, ids), scores.c.target_type == "span", scores.c.project_id == project_id,
        scores.c.scorer_name == scorer_name,
    )  # fmt: skip
    queued = sa.select(jobs.c.trace_id, jobs.c.target_id).where(
        is_any_of(db, jobs.c.target_id, ids), jobs.c.target_type == "span", jobs.c.project_id == project_id,
        jobs.c.scorer_name == scorer_name, jobs.c.config_hash == config_hash, jobs.c.status.in_(_OPEN),
    )  # fmt: skip
    return {(trace_id, id) for query in (scored, queued) for trace_id, id in db.execute(query)}
