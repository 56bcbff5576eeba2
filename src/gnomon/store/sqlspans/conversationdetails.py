"""What a list of conversations shows besides sums: how each began, its worst scores, and what failed in its turns."""

from collections.abc import Collection

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.store.conversationrows import FailedSpan, FirstTurn, LowestScore
from gnomon.store.fetch import fetch_all
from gnomon.store.schema import is_any_of, scores, spans, traces

LONGEST_FIRST_INPUT = 64_000
"""Characters of a first input's JSON text that are read, so that the user's words are found behind a long prompt."""


def first_turns(db: Connection, project_id: str, ids: Collection[str]) -> list[FirstTurn]:
    """The root span of the first turn of each of these conversations."""
    turn = _numbered(db, project_id, ids).subquery("turn")
    is_root = (spans.c.project_id == project_id) & (spans.c.trace_id == turn.c.id) & (spans.c.id == turn.c.root_span_id)
    start = sa.func.substr(sa.type_coerce(spans.c.input, sa.Text), 1, LONGEST_FIRST_INPUT)
    query = (
        sa.select(turn.c.conversation_id, start.label("input_text"), spans.c.metadata)
        .select_from(turn.join(spans, is_root))
        .where(turn.c.turn == 1)
    )
    return fetch_all(db, FirstTurn, query)


def worst_scores(db: Connection, project_id: str, ids: Collection[str]) -> list[LowestScore]:
    """The lowest number per conversation and scorer, the lowest first. Of equal ones the earliest turn's."""
    turn = _numbered(db, project_id, ids).subquery("turn")
    of_span = (scores.c.project_id == project_id) & (scores.c.trace_id == turn.c.id) & (scores.c.target_type == "span")
    of_turns = (
        sa.select(
            turn.c.conversation_id, scores.c.scorer_name, scores.c.value, turn.c.turn, turn.c.id.label("trace_id"),
            scores.c.target_id.label("span_id"), scores.c.id.label("score_id"),
        )
        .select_from(turn.join(scores, of_span))
        .where(scores.c.value.is_not(None))
    )  # fmt: skip
    of_whole = sa.select(
        scores.c.target_id.label("conversation_id"), scores.c.scorer_name, scores.c.value,
        sa.null().cast(sa.BigInteger).label("turn"), sa.null().cast(sa.Text).label("trace_id"),
        sa.null().cast(sa.Text).label("span_id"), scores.c.id.label("score_id"),
    ).where(
        is_any_of(db, scores.c.target_id, ids), scores.c.target_type == "conversation",
        scores.c.project_id == project_id, scores.c.value.is_not(None),
    )  # fmt: skip
    every = sa.union_all(of_turns, of_whole).subquery("every")
    order = (every.c.value, sa.func.coalesce(every.c.turn, 0), every.c.score_id)
    row_number = sa.func.row_number().over(partition_by=(every.c.conversation_id, every.c.scorer_name), order_by=order)
    ranked = sa.select(every, row_number.label("row_number")).subquery("ranked")
    columns = [ranked.c[name] for name in LowestScore._fields]
    query = sa.select(*columns).where(ranked.c.row_number == 1)
    return fetch_all(db, LowestScore, query.order_by(ranked.c.conversation_id, ranked.c.value, ranked.c.scorer_name))


def errors_of(db: Connection, project_id: str, trace_ids: Collection[str], most: int) -> list[FailedSpan]:
    """The first spans of each of these traces that failed."""
    row_number = sa.func.row_number().over(partition_by=spans.c.trace_id, order_by=(spans.c.start_ns, spans.c.id))
    columns = [spans.c.trace_id, spans.c.id, spans.c.name, spans.c.error]
    failed = (
        sa.select(*columns, row_number.label("row_number"))
        .where(is_any_of(db, spans.c.trace_id, trace_ids), spans.c.project_id == project_id, spans.c.error.is_not(None))
        .subquery("failed")
    )
    query = sa.select(failed.c.trace_id, failed.c.id, failed.c.name, failed.c.error).where(failed.c.row_number <= most)
    return fetch_all(db, FailedSpan, query.order_by(failed.c.trace_id, failed.c.row_number))


def _numbered(db: Connection, project_id: str, ids: Collection[str]) -> sa.Select[tuple[str, str, str | None, int]]:
    """The turns of these conversations, numbered from 1 in the order in which they began."""
    order = (traces.c.started_ns, traces.c.id)
    number = sa.func.row_number().over(partition_by=traces.c.conversation_id, order_by=order)
    return sa.select(traces.c.conversation_id, traces.c.id, traces.c.root_span_id, number.label("turn")).where(
        traces.c.project_id == project_id, is_any_of(db, traces.c.conversation_id, ids)
    )
