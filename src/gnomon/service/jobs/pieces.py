"""How a job that goes through a project's spans says how far it came."""

from collections import Counter
from dataclasses import dataclass

import msgspec

from gnomon.model.jsonvalue import dump
from gnomon.store.spanstore import SpanKey, SpanToFilter


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a job that is done: what became of it, and where the rest begins."""

    counts: Counter[str]
    position: str
    is_last: bool


def position(row: SpanToFilter) -> str:
    return dump([row.trace_id, row.id])


def span_key_of(position: str | None) -> SpanKey | None:
    """Where a walk through spans stopped; None before its first one.

    A job that an older Gnomon began went by (trace, start, span): it goes on with the whole of that trace.
    """
    if not position:
        return None
    trace_id, *rest = msgspec.json.decode(position)
    return trace_id, rest[0] if len(rest) == 1 else ""
