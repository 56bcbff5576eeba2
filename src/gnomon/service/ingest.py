"""Spans come in: any order, many batches, all of a batch or nothing.

Every failing span is named, not only the first. What is checked against the store: an id
used twice in a trace, a second root, a parent that lives in another trace, a ring of parents.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from gnomon.errors import Conflict, GnomonError, InvalidInput, Problem
from gnomon.model import moment
from gnomon.model.jsonvalue import dump
from gnomon.model.quickspan import ArrivedSpan
from gnomon.model.trace import Ingested
from gnomon.scorers import Sample
from gnomon.service import attach, judging, rules, scoring
from gnomon.service.call import Call, project_for_writing, project_in_scope
from gnomon.service.scoring import Planned, Target
from gnomon.store import traces as store
from gnomon.store.rows import StoredSpan
from gnomon.store.traces import TraceArrival

Batch = Mapping[int, ArrivedSpan]
"""The well-formed spans of a batch, by their position in it."""


Plans = tuple[dict[int, list[Planned]], list[Problem]]
"""The inline scores of each span, and what is wrong with some of them."""


def ingest(
    call: Call, project_id: str | None, batch: Batch, malformed: Sequence[Problem] = (), planned: Plans | None = None
) -> Ingested:
    """Store a batch of spans. `malformed` are the problems that were found while it was parsed."""
    project_id = project_in_scope(call.who, project_id)
    plans, bad_scores = planned or plan_scores(batch)
    targets = {at: _target(project_id, batch[at]) for at in plans}
    work = [(targets[at], plan) for at, scores in plans.items() for plan in scores]
    if not malformed and not bad_scores:
        scoring.need(call, work)
    project_for_writing(call, project_id)
    arrived = _arrivals(project_id, batch, call.clock.now_ms())
    # The upsert comes before the checks because it holds the traces until we are done.
    store.upsert(call.db, arrived.values())
    problems = [*malformed, *bad_scores, *(_problems(call, project_id, batch, arrived) if batch else ())]
    if problems:
        raise _refusal(problems)
    judging.refuse_unavailable([plan for _, plan in work])
    store.add_spans(call.db, [_row(project_id, span) for span in batch.values()])
    job_ids = attach.job_ids(attach.carry_out(call, work, fresh=True)) if work else []
    job_ids += rules.enqueue(call, project_id, batch.values())
    return Ingested(accepted=len(batch), trace_ids=list(arrived), job_ids=job_ids)


def plan_scores(batch: Batch) -> Plans:
    plans: dict[int, list[Planned]] = {}
    problems: list[Problem] = []
    planner = scoring.Planner()
    for index, span in batch.items():
        if span.scores:
            plans[index], bad = scoring.plan_inline(span.scores, index, planner)
            problems += bad
    return plans, problems


def _arrivals(project_id: str, batch: Batch, now_ms: int) -> dict[str, TraceArrival]:
    """What the batch brings to each trace, in order of first appearance."""
    grouped: dict[str, list[ArrivedSpan]] = {}
    for span in batch.values():
        grouped.setdefault(span.trace_id, []).append(span)
    return {
        trace_id: TraceArrival(
            id=trace_id,
            project_id=project_id,
            root_span_id=next((span.id for span in spans if span.parent_span_id is None), None),
            span_count=len(spans),
            error_count=sum(span.error is not None for span in spans),
            tokens=sum((span.tokens_input or 0) + (span.tokens_output or 0) for span in spans),
            model=next((span.model for span in spans if span.model is not None), None),
            root_duration_ms=next((span.duration for span in spans if span.parent_span_id is None), None),
            created_at=now_ms,
        )
        for trace_id, spans in grouped.items()
    }


def _problems(call: Call, project_id: str, batch: Batch, trace_ids: Iterable[str]) -> Iterator[Problem]:
    known = {span.id for span in batch.values()}
    known |= {span.parent_span_id for span in batch.values() if span.parent_span_id is not None}
    stored = set(store.places(call.db, project_id, known))
    roots = store.roots(call.db, project_id, trace_ids)
    here = {(span.id, span.trace_id) for span in batch.values()}
    places = stored | here
    everywhere = {id for id, _ in places}
    rings = _rings(call, project_id, batch, stored)
    seen: set[tuple[str, str]] = set()
    for index, span in batch.items():
        place, parent = (span.id, span.trace_id), span.parent_span_id
        if place in stored or place in seen:
            yield Problem("id", "DUPLICATE_SPAN", f"trace {span.trace_id!r} has a span {span.id!r} already", index)
        elif parent is None:
            if roots.get(span.trace_id) not in (None, span.id):
                yield Problem(
                    "parent_span_id",
                    "INVALID_SPAN",
                    f"trace {span.trace_id!r} has a root span already; name a parent",
                    index,
                )
        elif index in rings:
            yield Problem(
                "parent_span_id",
                "CIRCULAR_SPAN_REFERENCE",
                f"the parents of span {span.id!r} lead back to itself",
                index,
            )
        elif (parent, span.trace_id) not in places and parent in everywhere:
            yield Problem("parent_span_id", "INVALID_SPAN_PARENT", f"span {parent!r} belongs to another trace", index)
        seen.add(place)


def _rings(call: Call, project_id: str, batch: Batch, stored: set[tuple[str, str]]) -> set[int]:
    """Positions of the spans whose chain of parents closes on itself, stored spans included."""
    above = {
        (span.trace_id, span.id): span.parent_span_id for span in batch.values() if span.parent_span_id is not None
    }
    outside = {
        parent for (trace, _), parent in above.items() if (trace, parent) not in above and (parent, trace) in stored
    }
    if outside:
        above = {**store.ancestors(call.db, project_id, {trace for trace, _ in above}, outside), **above}
    on_ring: set[tuple[str, str]] = set()
    finished: set[tuple[str, str]] = set()
    for start in above:
        path: dict[tuple[str, str], None] = {}
        at: tuple[str, str] | None = start
        while at is not None and at not in finished and at not in path:
            path[at] = None
            parent = above.get(at)
            at = None if parent is None else (at[0], parent)
        if at in path:
            walked = list(path)
            on_ring.update(walked[walked.index(at) :])
        finished.update(path)
    return {index for index, span in batch.items() if (span.trace_id, span.id) in on_ring}


def _refusal(problems: Sequence[Problem]) -> GnomonError:
    """The answer's code is that of the lowest index."""
    ordered = sorted(problems, key=lambda problem: -1 if problem.index is None else problem.index)
    first = ordered[0]
    more = f" (and {len(ordered) - 1} more)" if len(ordered) > 1 else ""
    family = Conflict if first.code == "DUPLICATE_SPAN" else InvalidInput
    return family(f"spans[{first.index}].{first.field}: {first.message}{more}", code=first.code, problems=ordered)


def _target(project_id: str, span: ArrivedSpan) -> Target:
    return Target(
        project_id, "span", span.id, Sample(span.input, span.output), trace_id=span.trace_id, model=span.model,
        started_ms=moment.to_ms(span.start_time),
    )  # fmt: skip


def _row(project_id: str, span: ArrivedSpan) -> StoredSpan:
    return StoredSpan(  # by position, which takes half the time of names
        span.id,
        project_id,
        span.trace_id,
        span.parent_span_id,
        span.name,
        None if span.input is None else dump(span.input),
        None if span.output is None else dump(span.output),
        moment.to_ms(span.start_time),
        None if span.end_time is None else moment.to_ms(span.end_time),
        span.duration,
        span.tokens_input,
        span.tokens_output,
        span.model,
        None if span.metadata is None else dump(span.metadata),
        None if span.error is None else span.error.model_dump_json(),
    )
