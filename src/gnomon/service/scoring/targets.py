"""What scorers look at: a run, a span, a whole trace, a whole conversation or an iteration, loaded from stored rows.

A trace is its root span with the steps of all its spans beside it (`{{trace}}` in a judge's prompt); its score sits on
the root span. A conversation is its turns as messages, of which the last answer is the output.
An iteration is what its agent claimed, and what was observed of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gnomon.model.jsonvalue import JsonValue, as_text
from gnomon.model.moment import to_ms
from gnomon.model.score import TargetType
from gnomon.scorers import Sample
from gnomon.service.call import Call
from gnomon.shorten import counted
from gnomon.store import datasets
from gnomon.store.conversationrows import ConversationSums
from gnomon.store.experiments import HeldRun
from gnomon.store.pages import Slice
from gnomon.store.rows import IterationRow, RunRow, SpanRow
from gnomon.store.spanstore import TraceWithRoot

NO_ROOT = "the trace has no root span, on which its score would sit"
MOST_STEPS = 1_000
MOST_TURNS = 500
_LONGEST_TEXT = 4_000
_LONGEST_TRACE = 200_000
_NOTHING = Sample()


class Target(NamedTuple):
    """A run, a span, an iteration or a conversation, with what a scorer needs to know of it."""

    project_id: str
    type: TargetType
    id: str
    sample: Sample
    trace_id: str | None = None
    experiment_id: str | None = None
    dataset_item_id: str | None = None
    error: str | None = None
    model: str | None = None
    started_ms: int | None = None
    """When a span began."""


def run_targets(call: Call, rows: Sequence[RunRow]) -> list[Target]:
    """The runs, each with its item's input and expected output."""
    items = datasets.expected_outputs(call.db, {row.dataset_item_id for row in rows}) if rows else {}
    return [_run_target(row, *items.get(row.dataset_item_id, (None, None))) for row in rows]


def _run_target(row: RunRow, item_input: JsonValue, expected_output: JsonValue) -> Target:
    return Target(
        row.project_id, "run", row.id, Sample(item_input, row.output, expected_output),
        experiment_id=row.experiment_id, dataset_item_id=row.dataset_item_id,
        error=None if row.error is None else str(row.error["message"]),
    )  # fmt: skip


def bare_target(row: HeldRun) -> Target:
    """A run that no scorer looks at: its score is given."""
    return Target(row.project_id, "run", row.id, _NOTHING, None, row.experiment_id, row.dataset_item_id)


def span_target(row: SpanRow) -> Target:
    return Target(
        row.project_id, "span", row.id, Sample(row.input, row.output), trace_id=row.trace_id, model=row.model,
        started_ms=to_ms(row.start_time),
    )  # fmt: skip


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
    depths, characters_left = _depths(rows), _LONGEST_TRACE
    for at, row in enumerate(rows[:MOST_STEPS]):
        error = None if row.error is None else row.error.get("message")
        texts = {"input": row.input, "output": row.output, "error": error}
        shown = {key: _shortened(value) for key, value in texts.items() if value is not None}
        characters_left -= sum(len(as_text(value)) for value in shown.values())
        if characters_left < 0:
            yield {"left_out": f"{counted(len(rows) - at, 'more span')}"}
            return
        kind = {} if row.operation is None else {"operation": row.operation}
        yield {"name": row.name, **kind, "depth": depths[row.id], **shown}
    if len(rows) > MOST_STEPS:
        yield {"left_out": f"{counted(len(rows) - MOST_STEPS, 'more span')}"}


def _depths(rows: Sequence[SpanRow]) -> dict[str, int]:
    """The depth of each span below a span without a known parent. A ring of parents is followed once around."""
    parents = {row.id: row.parent_span_id for row in rows}
    depths: dict[str, int] = {}
    for row in rows:
        path: list[str] = []
        at: str | None = row.id
        while at is not None and at in parents and at not in depths and at not in path:
            path.append(at)
            at = parents[at]
        below = depths.get(at, -1) if at is not None else -1
        for depth, id in enumerate(reversed(path), start=below + 1):
            depths[id] = depth
    return depths


def _shortened(value: Any) -> Any:
    text = as_text(value)
    return value if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]}… ({len(text):,} characters)"


def conversation_target(call: Call, project_id: str, id: str) -> Target | None:
    """The turns as messages; None when the conversation is gone."""
    (row, *_) = [*call.spans.find_conversation(call.db, id, project_id), None]
    if row is None:
        return None
    traces = call.spans.turns(call.db, project_id, id, Slice(MOST_TURNS))[:MOST_TURNS]
    messages = [message for turn in traces for message in _messages(turn)]
    answers = [at for at, message in enumerate(messages) if message["role"] == "assistant"]
    last = answers[-1] if answers else len(messages)
    output = messages[last]["content"] if answers else None
    return Target(project_id, "conversation", id, Sample(messages[:last], output), started_ms=_started(row))


def _messages(turn: TraceWithRoot) -> Iterator[dict[str, Any]]:
    if (value := _last_asked(turn.root_input)) is not None:
        yield {"role": "user", "content": value}
    if turn.root_output is not None:
        yield {"role": "assistant", "content": turn.root_output}


def _last_asked(value: Any) -> Any:
    """What the user said in this turn: of a list of messages, which repeats what was said before, the last of them."""
    if isinstance(value, list) and value and all(isinstance(message, dict) and "role" in message for message in value):
        return next((message.get("content") for message in reversed(value) if message["role"] == "user"), value)
    return value


def iteration_target(row: IterationRow) -> Target:
    """An iteration of a coding agent: which task it was and what was claimed as input, what was found as output."""
    about = {"source": row.source, "iteration": row.iteration, "task": row.task_id, "agent": row.agent,
             "model": row.model, "date": row.date, "commit": row.commit_id}  # fmt: skip
    claims = [
        {"role": claim["role"], "signal": claim["signal"], **_signal(claim["claimed"])} for claim in row.integrity
    ]
    output = {
        "value": row.value, "band": row.band, "coverage": row.coverage,
        "signals": {signal["signal"]: _signal(signal) for signal in row.breakdown},
        "objectives": {name: _signal(signal) for name, signal in row.objectives.items()},
    }  # fmt: skip
    known = {name: value for name, value in about.items() if value is not None}
    return Target(row.project_id, "iteration", row.id, Sample({**known, "claims": claims}, output))


def _signal(signal: Mapping[str, Any]) -> dict[str, Any]:
    """A signal's value, or that it is absent; and its detail, which says why."""
    shown = {"value": signal["sub_score"]} if signal["present"] else {"absent": True}
    return {**shown, "detail": signal["detail"]} if signal.get("detail") else shown


def _started(row: ConversationSums) -> int | None:
    return None if row.started_at is None else to_ms(row.started_at)
