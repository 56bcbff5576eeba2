"""Whole traces and whole conversations as targets of scorers.

A trace is its root span with the steps of all its spans beside it (`{{trace}}` in a judge's prompt); its score sits on
the root span. A conversation is its turns as messages, of which the last answer is the output.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from gnomon.model.jsonvalue import as_text
from gnomon.model.moment import to_ms
from gnomon.scorers import Sample
from gnomon.service.call import Call
from gnomon.service.scoring import Target, span_target
from gnomon.store.pages import Slice
from gnomon.store.rows import SpanRow
from gnomon.store.spanstore import ConversationSums, TraceWithRoot

NO_ROOT = "the trace has no root span, on which its score would sit"
MOST_STEPS = 1_000
MOST_TURNS = 500
_LONGEST_TEXT = 4_000
_LONGEST_TRACE = 200_000


def trace_target(call: Call, project_id: str, trace_id: str) -> Target | None:
    """The trace with all its steps; None when it has no root span, or is gone."""
    head = call.spans.heads(call.db, project_id, [trace_id]).get(trace_id)
    if head is None or head.root_span_id is None:
        return None
    rows = call.spans.spans_of(call.db, project_id, trace_id)
    root = next((row for row in rows if row.id == head.root_span_id), None)
    if root is None:
        return None
    target = span_target(root)
    return target._replace(sample=Sample(root.input, root.output, trace=list(_steps(rows))))


def _steps(rows: Sequence[SpanRow]) -> Iterator[dict[str, Any]]:
    """What happened, by time. Long texts are cut, and the rest counted, so that a judge can be asked about it."""
    depths, room = _depths(rows), _LONGEST_TRACE
    for at, row in enumerate(rows[:MOST_STEPS]):
        error = None if row.error is None else row.error.get("message")
        told = {"input": row.input, "output": row.output, "error": error}
        shown = {key: _shortened(value) for key, value in told.items() if value is not None}
        room -= sum(len(as_text(value)) for value in shown.values())
        if room < 0:
            yield {"left_out": f"{len(rows) - at} more spans"}
            return
        kind = {} if row.operation is None else {"operation": row.operation}
        yield {"name": row.name, **kind, "depth": depths[row.id], **shown}
    if len(rows) > MOST_STEPS:
        yield {"left_out": f"{len(rows) - MOST_STEPS} more spans"}


def _depths(rows: Sequence[SpanRow]) -> dict[str, int]:
    """How deep each span lies below a span without a known parent; parents in a ring count as far as they go."""
    parents = {row.id: row.parent_span_id for row in rows}
    found: dict[str, int] = {}
    for row in rows:
        path: list[str] = []
        at: str | None = row.id
        while at is not None and at in parents and at not in found and at not in path:
            path.append(at)
            at = parents[at]
        below = found.get(at, -1) if at is not None else -1
        for depth, id in enumerate(reversed(path), start=below + 1):
            found[id] = depth
    return found


def _shortened(value: Any) -> Any:
    text = as_text(value)
    return value if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]}… ({len(text):,} characters)"


def conversation_target(call: Call, project_id: str, id: str) -> Target | None:
    """The turns as messages; None when the conversation is gone."""
    (row, *_) = [*call.spans.find_conversation(call.db, id, project_id), None]
    if row is None:
        return None
    said = call.spans.turns(call.db, project_id, id, Slice(MOST_TURNS))[:MOST_TURNS]
    messages = [message for turn in said for message in _messages(turn)]
    answers = [at for at, message in enumerate(messages) if message["role"] == "assistant"]
    last = answers[-1] if answers else len(messages)
    output = messages[last]["content"] if answers else None
    return Target(project_id, "conversation", id, Sample(messages[:last], output), started_ms=_started(row))


def _messages(turn: TraceWithRoot) -> Iterator[dict[str, Any]]:
    if (asked := _last_asked(turn.root_input)) is not None:
        yield {"role": "user", "content": asked}
    if turn.root_output is not None:
        yield {"role": "assistant", "content": turn.root_output}


def _last_asked(value: Any) -> Any:
    """What the user said in this turn: of a list of messages, which repeats what was said before, the last of them."""
    if isinstance(value, list) and value and all(isinstance(one, dict) and "role" in one for one in value):
        return next((one.get("content") for one in reversed(value) if one["role"] == "user"), value)
    return value


def _started(row: ConversationSums) -> int | None:
    return None if row.started_at is None else to_ms(row.started_at)
