"""A law: spans and log records in any order, split anyhow and repeated, make the same traces."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from contract import otlp
from contract.otlp import SCORE, START, evaluation
from gnomon.interop.otlp.decoding import decode_logs, decode_traces
from gnomon.model.access import Principal
from gnomon.service.call import Call
from gnomon.service.clock import Clock
from gnomon.service.scoring import scoring
from gnomon.service.traces import otlp as receiving
from gnomon.service.traces import otlplogs, traces
from gnomon.store import score_days
from gnomon.store.engine import Store
from gnomon.store.pages import Slice
from gnomon.store.spanstore import TraceFilter

EXAMPLES = {"sqlite": 30, "postgresql": 8}
# Every request is a commit: an example that fails is shown as it was found, since shrinking it would take minutes.
PHASES = [Phase.explicit, Phase.generate]
TRACES = ["a" * 32, "b" * 32]
MILLISECOND = 1_000_000
_projects = count()

Item = Span | LogRecord


def call_of(model: str) -> dict[str, Any]:
    return {"gen_ai.operation.name": "chat", "gen_ai.request.model": model, "gen_ai.usage.input_tokens": 1000}


ATTRIBUTES: list[dict[str, Any]] = [
    {},
    call_of("gpt-4o"),
    call_of("gpt-4o-mini"),
    call_of("a model without a price"),
    {"session.id": "s1", "user.id": "u1"},
    {"session.id": "s2", "env": "prod"},
    {"gen_ai.conversation.id": "c1", **call_of("gpt-4o")},
    {"gen_ai.conversation.id": "c0", "session.id": "s2"},
    {"gen_ai.operation.name": "invoke_agent", "gen_ai.usage.input_tokens": 5000},
    {"gnomon.input": '{"q": 1}', "gnomon.output": '"x"'},
]
EVENTS: list[list[Span.Event]] = [
    [],
    [otlp.event(SCORE, evaluation("tone", 0.5)), otlp.event(SCORE, evaluation("tone", 0.75))],
    [otlp.event("exception", {"exception.message": "broke", "exception.type": "ValueError"})],
    [otlp.event("gen_ai.user.message", {"content": "from an event"})],
]
MESSAGES = '[{"role": "user", "parts": [{"type": "text", "content": "from details"}]}]'
RECORDS: list[tuple[str, dict[str, Any], Any]] = [
    (SCORE, evaluation("tone", 0.25), None),
    (SCORE, evaluation("kind", "polite"), None),
    ("gen_ai.user.message", {}, {"content": "asked"}),
    ("gen_ai.system.message", {}, {"content": "be brief"}),
    ("gen_ai.choice", {}, {"message": {"content": "said"}}),
    ("gen_ai.client.inference.operation.details", {"gen_ai.input.messages": MESSAGES}, None),
]
numbers = st.integers(1, 6)
places = st.tuples(st.sampled_from(TRACES), numbers)
times = st.integers(0, 4).map(lambda step: START + step * MILLISECOND // 2)


@st.composite
def a_span(draw: st.DrawFn, trace: str, number: int) -> Span:
    start = draw(times)
    return otlp.span(
        number, trace=trace, parent=draw(st.none() | numbers), name=draw(st.sampled_from("ab")), start=start,
        end=start + draw(st.sampled_from([-1, 0, MILLISECOND])), attributes=draw(st.sampled_from(ATTRIBUTES)),
        events=draw(st.sampled_from(EVENTS)), status=Status(code=draw(st.sampled_from([0, 1, 2]))),
    )  # fmt: skip


@st.composite
def a_record(draw: st.DrawFn, trace: str, number: int) -> LogRecord:
    name, attributes, body = draw(st.sampled_from(RECORDS))
    return otlp.log(name, attributes, of=number, trace=trace, body=body, time=draw(times))


@dataclass
class Delivery:
    """What there is to be told, and how it is told: requests of items, some of which come more than once."""

    items: list[Item]
    requests: list[list[Item]]


@st.composite
def deliveries(draw: st.DrawFn, records: int) -> Delivery:
    """Several spans of one or two traces, with so many log records, most of them for spans that come."""
    where = draw(st.lists(places, min_size=4, max_size=9, unique=True))
    items: list[Item] = [draw(a_span(*place)) for place in where]
    items += [draw(a_record(*draw(st.sampled_from(where) | places))) for _ in range(records)]
    chance = Random(draw(st.integers(0, 2**32)))  # hypothesis itself would shuffle little and cut seldom
    order = items + chance.choices(items, k=chance.randrange(6))
    chance.shuffle(order)
    requests: list[list[Item]] = [[]]
    for item in order:
        requests[-1].append(item)
        if chance.random() < 0.4:
            requests.append([])
    return Delivery(items, requests)


def told(store: Store, requests: Sequence[Sequence[Item]]) -> dict[str, Any]:
    """Everything that is there once a project of its own was told these requests."""
    who, clock = Principal("test", "admin", f"project-{next(_projects)}"), Clock()
    for request in requests:
        spans = [item for item in request if isinstance(item, Span)]
        records = [item for item in request if isinstance(item, LogRecord)]
        made = receiving.prepare_traces(decode_traces(otlp.traces(*spans).SerializeToString(), "protobuf"))
        logged = otlplogs.prepare_logs(decode_logs(otlp.logs(*records).SerializeToString(), "protobuf"))
        assert (len(made.spans), len(logged.logs)) == (len(spans), len(records))
        if spans:
            store.write(lambda db, made=made: receiving.receive_traces(Call(db, who, clock), made))
        if records:
            store.write(lambda db, logged=logged: otlplogs.receive_logs(Call(db, who, clock), logged))
    return store.read(lambda db: _everything(Call(db, who, clock)))


def _everything(call: Call) -> dict[str, Any]:
    project = call.principal.project_id
    assert project is not None
    rows = traces.all_of(call, None, TraceFilter(), Slice(100, None)).items
    found = [_plain(traces.get(call, row.id, None)) for row in rows]
    listed = {
        name: sorted(row.id for row in traces.all_of(call, None, TraceFilter(metadata=(pair,)), Slice(100, None)).items)
        for name in ("session.id", "user.id", "gen_ai.conversation.id", "env")
        for pair in [(name, {"session.id": "s2", "user.id": "u1", "env": "prod"}.get(name, "c0"))]
    }
    conversations = call.spans.conversations(call.db, project, Slice(100, None))
    return {
        "traces": sorted(found, key=lambda trace: trace["id"]),
        "listed": listed,
        "models": sorted(
            row.id for row in traces.all_of(call, None, TraceFilter(model="gpt-4o"), Slice(100, None)).items
        ),
        "conversations": sorted(
            (one.id, one.trace_count, one.span_count, one.error_count, one.tokens, one.started_at, one.unpriced)
            for one in conversations
        ),
        "scores": {
            (trace["id"], span["id"]): _scores(call, trace["id"], span["id"])
            for trace in found
            for span in trace["spans"]
        },
        "days": [
            (day.scorer_name, day.model, day.day, day.n, pytest.approx(day.total))
            for day in sorted(score_days.of_project(call.db, project, None), key=lambda day: (day.model, day.day))
        ],
    }


def _plain(trace: Any) -> dict[str, Any]:
    """As it is shown, without the times of arrival and the project. Sums of costs are rounded by the order."""
    shown = trace.model_dump(mode="json", exclude={"project_id", "created_at", "updated_at"})
    for key in ("cost_usd", "known_cost_usd"):
        shown[key] = None if shown[key] is None else pytest.approx(shown[key])
    return dict(shown)


def _scores(call: Call, trace_id: str, span_id: str) -> list[Any]:
    found = scoring.of_target(call, span_id, "span", trace_id, None, Slice(100, None)).items
    return sorted((score.scorer_name, str(score.value), score.source) for score in found)


def hold(store: Store, database: str, records: int) -> None:
    @settings(max_examples=EXAMPLES[database], phases=PHASES, suppress_health_check=list(HealthCheck))
    @given(deliveries(records))
    def is_the_same(delivery: Delivery) -> None:
        assert told(store, delivery.requests) == told(store, [delivery.items])

    is_the_same()


def test_spans_in_any_order_split_anyhow_and_repeated_make_the_same_traces(store: Store, database: str):
    hold(store, database, records=0)


def test_so_do_log_records_among_the_spans(store: Store, database: str):
    hold(store, database, records=6)
