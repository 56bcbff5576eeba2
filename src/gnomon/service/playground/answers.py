"""The answers of a playground run: what is still to be asked, and how an answer is stored.

An answer is a run with its scores and a trace, written in one transaction with the progress of the job and the books.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import product
from typing import Any

from gnomon.errors import NotFound
from gnomon.llm.prices import OwnPrices
from gnomon.llm.spent import CallUsage, Spent
from gnomon.model.experiment import RunDraft, RunError
from gnomon.model.playground import CandidateDraft
from gnomon.model.score import InlineScoreDraft, ScorerSpec
from gnomon.model.trace import SpanDraft, SpanError
from gnomon.service.call import Call
from gnomon.service.experiments import experiments
from gnomon.service.judges import prices
from gnomon.service.scoring import spanjobs
from gnomon.service.traces import ingest
from gnomon.store import datasets, models
from gnomon.store import experiments as experiment_store
from gnomon.store import jobs as store
from gnomon.store.rows import DatasetItemRow, JobRow

SPAN_NAME = "playground"


class NotHeld(Exception):
    """The job was cancelled, or is another worker's by now."""


@dataclass(frozen=True, slots=True)
class WantedAnswer:
    """One answer to compute: an item, a trial and a candidate."""

    candidate: int
    item: DatasetItemRow
    trial: int


@dataclass(frozen=True, slots=True)
class CandidateAnswer:
    """What came of a question: a text, or why there is none. `took` are all calls that came back."""

    question: WantedAnswer
    messages: Sequence[Mapping[str, Any]]
    text: str | None
    error: RunError | None
    began: datetime
    ended: datetime
    took: Sequence[CallUsage] = ()


@dataclass(slots=True)
class PlaygroundRun:
    """A job that a worker holds, and how far it is."""

    job: JobRow
    experiment_ids: Sequence[str]
    candidates: Sequence[CandidateDraft]
    scores: list[InlineScoreDraft]
    prices: OwnPrices
    """The project's own."""
    open: Sequence[WantedAnswer]
    to_store: list[CandidateAnswer] = field(default_factory=list)
    stored: int = 0
    halted: str | None = None
    """Why nothing more is asked: the budget is spent."""


def prepare(call: Call, job: JobRow) -> PlaygroundRun:
    """What a job still has to ask: all that has no run yet, item by item."""
    payload = job.payload
    items = datasets.items_of_version(call.db, payload["dataset_id"], payload["dataset_version"], payload["item_ids"])
    pairs = list(product(payload["item_ids"], range(payload["trials"])))
    stored_runs = [experiment_store.runs_at(call.db, id, pairs) for id in payload["experiment_ids"]]
    if missing := [id for id in payload["item_ids"] if id not in items]:
        raise NotFound(f"item {missing[0]!r} is gone, with its dataset; begin again on another one")
    open_questions = [
        WantedAnswer(number, items[item_id], trial)
        for item_id, trial in pairs
        for number, runs in enumerate(stored_runs)
        if (item_id, trial) not in runs
    ]
    return PlaygroundRun(
        job=job,
        experiment_ids=payload["experiment_ids"],
        candidates=[CandidateDraft.model_validate(candidate) for candidate in payload["candidates"]],
        scores=[spanjobs.as_draft(ScorerSpec.model_validate(spec)) for spec in payload["scorers"]],
        prices=prices.own(call, job.project_id),
        open=open_questions,
    )


def keep(call: Call, run: PlaygroundRun, owner: str, answered: Sequence[CandidateAnswer]) -> None:
    """Store answers as runs, while the job is held; or raise `NotHeld`."""
    job = _held(call, run, owner)
    spans: list[SpanDraft] = []
    for number, experiment_id in enumerate(run.experiment_ids):
        drafts = [_run(call, run, answer, spans) for answer in answered if answer.question.candidate == number]
        if drafts:
            experiments.add_runs(call, experiment_id, drafts, job_id=job.id)
    if spans:
        ingest.ingest(call, job.project_id, dict(enumerate(spans)))
    cost = _book(call, run, answered)
    counts = Counter(job.counts)
    counts.update("failed" if answer.text is None else "answered" for answer in answered)
    known = cost if job.cost_usd is None else job.cost_usd + (cost or 0.0)
    store.change(call.db, job.id, counts=dict(counts), cost_usd=known, updated_at=call.clock.now())


def close(call: Call, run: PlaygroundRun, owner: str) -> None:
    """End the job; or give it back, when its worker stops before all was asked."""
    job, now = _held(call, run, owner), call.clock.now()
    if run.stored == len(run.open):
        for id in run.experiment_ids:
            if experiments.row(call, id).status != "completed":
                experiments.complete(call, id)
        store.end_or_wait(call.db, job.id, now, Counter(job.counts).total())
    elif run.halted is not None:
        store.finish(call.db, job.id, now, "failed", run.halted, owner=owner)
    else:
        store.release_uncounted(call.db, [job.id], owner, due_at=now)


def _held(call: Call, run: PlaygroundRun, owner: str) -> JobRow:
    row = store.get(call.db, run.job.id, lock=True)
    if row is None or row.lease_owner != owner or row.status != "running":
        raise NotHeld
    return row


def _run(call: Call, run: PlaygroundRun, answer: CandidateAnswer, spans: list[SpanDraft]) -> RunDraft:
    """The run, and the span of its trace where a model was asked."""
    question, trace_id = answer.question, None
    if answer.messages:
        trace_id = call.clock.new_id()
        spans.append(_span(call, run, answer, trace_id))
    return RunDraft(
        dataset_item_id=question.item.id, trial=question.trial, output=answer.text, error=answer.error,
        trace_id=trace_id, scores=run.scores,
    )  # fmt: skip


def _span(call: Call, run: PlaygroundRun, answer: CandidateAnswer, trace_id: str) -> SpanDraft:
    spent, error = Spent.of(answer.took), answer.error
    metadata = {"experiment_id": run.experiment_ids[answer.question.candidate], "job_id": run.job.id}
    return SpanDraft(
        id=call.clock.new_id(), trace_id=trace_id, name=SPAN_NAME, input=list(answer.messages), output=answer.text,
        start_time=answer.began, end_time=max(answer.began, answer.ended),
        tokens_input=spent.tokens_input if answer.took else None,
        tokens_output=spent.tokens_output if answer.took else None,
        model=run.candidates[answer.question.candidate].model, metadata=metadata,
        error=None if error is None else SpanError(message=error.message, type=error.type),
    )  # fmt: skip


def _book(call: Call, run: PlaygroundRun, answered: Sequence[CandidateAnswer]) -> float | None:
    """Charge the calls to today's budget. Return their known cost, or None."""
    day, costs = models.day_of(call.clock.now()), list[float]()
    for number, candidate in enumerate(run.candidates):
        took = [usage for answer in answered if answer.question.candidate == number for usage in answer.took]
        if took:
            sums = Spent.of(took)
            models.spend(
                call.db, run.job.project_id, day, candidate.model,
                calls=sums.calls, tokens=sums.known_tokens, usd=sums.known_usd,
            )  # fmt: skip
            costs += [usage.cost_usd for usage in took if usage.cost_usd is not None]
    return sum(costs) if costs else None
