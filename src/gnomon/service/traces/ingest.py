"""Spans come in: any order, many batches, all of a batch or nothing.

Every failing span is named, not only the first. What is checked against the store: an id
used twice in a trace, a second root, a parent that lives in another trace, a ring of parents.
"""

from collections.abc import Iterator, Mapping, Sequence

from gnomon.errors import Conflict, Problem
from gnomon.llm.prices import Tokens
from gnomon.model import moment
from gnomon.model.jsonvalue import dump
from gnomon.model.problems import refusal_of
from gnomon.model.quickspan import ArrivedSpan
from gnomon.model.trace import Ingested
from gnomon.scorers import Sample
from gnomon.service.call import Call, project_for_writing, project_in_scope
from gnomon.service.judges import judging
from gnomon.service.judges.costs import SpanCosts
from gnomon.service.scoring import attach, scoring
from gnomon.service.scoring.scoring import Planned
from gnomon.service.scoring.targets import Target
from gnomon.service.traces import rules
from gnomon.service.traces.metadata import MetadataIndex
from gnomon.store.rows import StoredSpan
from gnomon.store.spanstore import Arrivals, FaultyLink, LinkFault

Batch = Mapping[int, ArrivedSpan]
"""The well-formed spans of a batch, by their position in it."""


ScorePlans = tuple[dict[int, list[Planned]], list[Problem]]
"""The inline scores of each span, and what is wrong with some of them."""


def ingest(
    call: Call,
    project_id: str | None,
    batch: Batch,
    malformed: Sequence[Problem] = (),
    planned: ScorePlans | None = None,
) -> Ingested:
    """Store a batch of spans. `malformed` are the problems that were found while it was parsed."""
    project_id = project_in_scope(call.principal, project_id)
    plans, bad_scores = planned or plan_scores(batch)
    targets = {at: _target(project_id, batch[at]) for at in plans}
    work = [(targets[at], plan) for at, scores in plans.items() for plan in scores]
    if not malformed and not bad_scores:
        scoring.need(call, work)
    project_for_writing(call, project_id)
    added = call.spans.add(call.db, _arrivals(call, project_id, batch), "refuse")
    problems = [*malformed, *bad_scores, *_problems(batch, added.faults)]
    if problems:
        raise refusal_of(problems, by_code={"DUPLICATE_SPAN": Conflict}, batch="spans")
    judging.refuse_unavailable([plan for _, plan in work])
    job_ids = attach.job_ids(attach.carry_out(call, work, fresh=True)) if work else []
    job_ids += rules.enqueue(call, project_id, batch.values())
    trace_ids = list(dict.fromkeys(span.trace_id for span in batch.values()))
    return Ingested(accepted=len(batch), trace_ids=trace_ids, job_ids=job_ids)


def _arrivals(call: Call, project_id: str, batch: Batch) -> Arrivals:
    costs, index = SpanCosts(call, project_id), MetadataIndex(call, project_id)
    rows = [_row(project_id, span, costs) for span in batch.values()]
    values = [index.values(span.trace_id, span.model, span.metadata) for span in batch.values()]
    return Arrivals(project_id, rows, values, call.clock.now_ms())


def plan_scores(batch: Batch) -> ScorePlans:
    plans: dict[int, list[Planned]] = {}
    problems: list[Problem] = []
    planner = scoring.Planner()
    for index, span in batch.items():
        if span.scores:
            plans[index], bad = scoring.plan_inline(span.scores, index, planner)
            problems += bad
    return plans, problems


def _problems(batch: Batch, faults: Sequence[FaultyLink]) -> Iterator[Problem]:
    """What the store says of links between spans, in words. Its positions count the well-formed spans."""
    at = list(batch)
    for position, fault in faults:
        span = batch[at[position]]
        field, code, words = _FAULTS[fault]
        message = words.format(id=span.id, trace=span.trace_id, parent=span.parent_span_id)
        yield Problem(field, code, message, at[position])


_FAULTS: dict[LinkFault, tuple[str, str, str]] = {
    "duplicate": ("id", "DUPLICATE_SPAN", "trace {trace!r} has a span {id!r} already"),
    "second_root": ("parent_span_id", "INVALID_SPAN", "trace {trace!r} has a root span already; name a parent"),
    "circular": ("parent_span_id", "CIRCULAR_SPAN_REFERENCE", "the parents of span {id!r} lead back to itself"),
    "parent_elsewhere": ("parent_span_id", "INVALID_SPAN_PARENT", "span {parent!r} belongs to another trace"),
}


def _target(project_id: str, span: ArrivedSpan) -> Target:
    return Target(
        project_id, "span", span.id, Sample(span.input, span.output), trace_id=span.trace_id, model=span.model,
        started_ms=moment.to_ms(span.start_time),
    )  # fmt: skip


def _row(project_id: str, span: ArrivedSpan, costs: SpanCosts) -> StoredSpan:
    tokens_input, tokens_output = span.tokens_input, span.tokens_output
    start_ms = moment.to_ms(span.start_time)
    cost = None
    if tokens_input is not None or tokens_output is not None:
        cost = costs.of(span.model, None, Tokens(tokens_input or 0, tokens_output or 0), start_ms)
    return StoredSpan(  # by position, which takes half the time of names
        project_id,
        span.trace_id,
        span.id,
        span.parent_span_id,
        span.name,
        None if span.input is None else dump(span.input),
        None if span.output is None else dump(span.output),
        start_ms,
        None if span.end_time is None else moment.to_ms(span.end_time),
        span.duration,
        tokens_input,
        tokens_output,
        span.model,
        None if span.metadata is None else dump(span.metadata),
        None if span.error is None else span.error.model_dump_json(),
        None,
        cost,
        None,
        None,
        moment.nanoseconds(start_ms),
    )
