"""The judge's jobs: one target each, ending in exactly one set of scores, or in the reason why there is none.

A job is made here (`enqueue`), prepared for a worker (`take`: what to ask, what is known from earlier answers,
whether the budget allows it), and ended (`settle`: score, answers, costs and the job itself in one transaction).
Asking the model happens between the two, in worker.py, outside of any transaction.
"""

import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import msgspec

from gnomon.errors import GnomonError, NotAvailable
from gnomon.llm.answer import Answer
from gnomon.llm.limits import Limit
from gnomon.llm.prices import OwnPrices
from gnomon.llm.providers import not_installed
from gnomon.llm.retry import AskingPolicy
from gnomon.llm.spent import Spent, total
from gnomon.model.moment import to_ms
from gnomon.model.score import InlineScoreDraft, State
from gnomon.scorers import Absent, Failed, ModelScorer
from gnomon.scorers.addressing import addresses_judge
from gnomon.scorers.asking import JudgedValue, Prompt
from gnomon.scorers.judgeanswers import storable
from gnomon.service.call import Call
from gnomon.service.judges import budgets, prices
from gnomon.service.scoring import scoring
from gnomon.service.scoring.scoring import Planned
from gnomon.service.scoring.targets import (
    Target,
    conversation_target,
    iteration_target,
    run_targets,
    span_target,
    trace_target,
)
from gnomon.store import experiments, iterations, models, scores
from gnomon.store import jobs as store
from gnomon.store.jobs import JudgeJob
from gnomon.store.rows import ModelAnswerRow, ModelLimitRow, SpanRow

KIND = "judge"
USED_UP = f"gave up after {store.MAX_ATTEMPTS} attempts: the worker died each time, or could not write down the end"
WAITS_FOR = timedelta(seconds=AskingPolicy().waits_for)
"""How long a job may wait because a model asked for it, before waits are attempts."""


def enqueue(
    call: Call, work: Sequence[tuple[Target, Planned]], *, parent_id: str | None = None, no_cache: bool = False
) -> list[str | Absent | Failed]:
    """Make a job for each; the job's id, or why there is nothing to ask."""
    refuse_unavailable([planned for _, planned in work])
    return accept(call, work, parent_id=parent_id, no_cache=no_cache)


def accept(
    call: Call, work: Sequence[tuple[Target, Planned]], *, parent_id: str | None = None, no_cache: bool = False
) -> list[str | Absent | Failed]:
    """Like `enqueue`, also where no model can be asked: the demo's judges have their answers already."""
    ids, now = call.clock.new_ids(len(work)), call.clock.now()
    accepted: list[str | Absent | Failed] = []
    rows, queued = [], []
    for id, (target, planned) in zip(ids, work, strict=True):
        nothing = _nothing_to_ask(target, planned)
        if nothing is not None:
            state: State = "absent" if isinstance(nothing, Absent) else "failed"
            scoring.set_state(call, [(target, planned, parent_id)], state, nothing.reason)
            accepted.append(nothing)
            continue
        rows.append(_job_row(id, target, planned, parent_id, no_cache, now))
        queued.append((target, planned, id))
        accepted.append(id)
    store.add(call.db, rows)
    scoring.set_state(call, queued, "queued", None)
    return accepted


def refuse_unavailable(plans: Sequence[Planned]) -> None:
    """Refuse judges whose model cannot be asked here because a package is missing."""
    scorers = {id(planned.scorer): planned.scorer for planned in plans}  # a batch shares a few
    for model in {scorer.model for scorer in scorers.values() if isinstance(scorer, ModelScorer)}:
        if reason := not_installed(model, os.environ):
            raise NotAvailable(reason)


def _nothing_to_ask(target: Target, planned: Planned) -> Absent | Failed | None:
    assert isinstance(planned.scorer, ModelScorer)
    if target.error is not None:
        return Failed(f"the run failed: {target.error}")
    return planned.scorer.nothing_to_ask(target.sample)


def _job_row(
    id: str, target: Target, planned: Planned, parent_id: str | None, no_cache: bool, now: datetime
) -> store.NewJob:
    assert isinstance(planned.scorer, ModelScorer)
    draft = planned.draft
    payload = {"scorer": draft.scorer, "config": draft.config, "metadata": draft.metadata, "no_cache": no_cache}
    return store.NewJob(
        id=id, project_id=target.project_id, kind=KIND, payload=payload, total=1, created_at=now,
        experiment_id=target.experiment_id, parent_id=parent_id, model=planned.scorer.model, target_type=target.type,
        target_id=target.id, trace_id=target.trace_id, scorer_name=draft.scorer_name, config_hash=planned.config_hash,
    )  # fmt: skip


# --- taking -----


@dataclass(frozen=True, slots=True)
class ReadyJob:
    """A job that is ready to be asked: its prompt, and the answers to earlier votes that are known already."""

    job: JudgeJob
    target: Target
    planned: Planned
    judge: ModelScorer
    prompt: Prompt
    keys: list[str]
    known: dict[str, Answer]
    """By their keys."""
    prices: OwnPrices
    """The project's own."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A job that needs no model: how it ends."""

    job: JudgeJob
    target: Target | None
    planned: Planned | None
    verdict: Absent | Failed


def take(call: Call, owner: str, most: int, lease: timedelta) -> tuple[list[ReadyJob], list[Ended]]:
    """Claim up to `most` jobs as far as their models may be asked now, and prepare them."""
    rows, used_up = _claimed(call, owner, most, lease), list[JudgeJob]()
    if len(rows) < most:  # while there is enough to ask, what cannot be asked any more may wait for its end
        used_up = store.claim_used_up_judge_jobs(call.db, owner, call.clock.now(), (KIND,), most=most, lease=lease)
        rows += used_up
    if not rows:
        return [], []
    targets = _targets(call, rows)
    money, plans = _Money(call), _Plans()
    ended = {row.id: USED_UP for row in used_up}
    prepared = [
        _prepared(row, targets.get(row.id), plans, ended.get(row.id) or money.refusal(row), money) for row in rows
    ]
    questions = [job for job in prepared if isinstance(job, ReadyJob)]
    _remember(call, [question for question in questions if not question.job.payload.get("no_cache")])
    return questions, [job for job in prepared if isinstance(job, Ended)]


def _remember(call: Call, questions: Sequence[ReadyJob]) -> None:
    """Give questions the answers that are known already."""
    answers = models.answers(call.db, {key for job in questions for key in job.keys})
    for question in questions:
        question.known.update({key: _remembered(answers[key]) for key in question.keys if key in answers})


def _claimed(call: Call, owner: str, most: int, lease: timedelta) -> list[JudgeJob]:
    now, kinds = call.clock.now(), (KIND,)
    limits = {model: limit_of(row) for model, row in models.limits_to_change(call.db).items()}
    special = {model: limit.refilled(now) for model, limit in limits.items()
               if limit.closed_at(now) or limit.available_calls() is not None}  # fmt: skip
    rows = list(store.claim_judge_jobs(call.db, owner, now, kinds, most=most, lease=lease, except_models=special))
    for model, limit in sorted(special.items()):
        free_slots = min(most - len(rows), limit.available_calls() or 0)
        if free_slots > 0 and not limit.closed_at(now):
            taken = store.claim_judge_jobs(call.db, owner, now, kinds, most=free_slots, lease=lease, models=[model])
            if taken:
                models.set_limit(call.db, model, limit.taken(len(taken)))
            rows += taken
    return rows


def _targets(call: Call, rows: Sequence[JudgeJob]) -> dict[str, Target | Failed]:
    """Job id → what it is about, for those that are still there. One that cannot be read harms no other."""
    try:
        return {**_read_targets(call, rows)}
    except (ValueError, TypeError) as bad:
        if len(rows) == 1:
            return {rows[0].id: Failed(f"the target cannot be read: {type(bad).__name__}")}
        return {id: target for row in rows for id, target in _targets(call, [row]).items()}


def _read_targets(call: Call, rows: Sequence[JudgeJob]) -> dict[str, Target]:
    run_ids = {row.target_id for row in rows if row.target_type == "run"}
    run_rows = experiments.runs_by_id(call.db, run_ids) if run_ids else []
    runs = {target.id: target for target in run_targets(call, run_rows)}
    addresses = {
        row.id: (row.project_id, row.trace_id or "", row.target_id) for row in rows if row.target_type == "span"
    }
    spans = call.spans.by_id(call.db, set(addresses.values())) if addresses else {}
    iteration_ids = {row.target_id for row in rows if row.target_type == "iteration"}
    iteration_rows = {row.id: row for row in iterations.by_ids(call.db, iteration_ids)} if iteration_ids else {}
    targets: dict[str, Target] = {}
    for row in rows:
        if row.target_type == "iteration":
            if (iteration := iteration_rows.get(row.target_id)) is not None:
                targets[row.id] = iteration_target(iteration)
        elif row.target_type == "conversation":
            if (target := conversation_target(call, row.project_id, row.target_id)) is not None:
                targets[row.id] = target
        elif row.target_type == "span":  # first: a span's id is its sender's choice, and may be that of a run
            if (span := spans.get(addresses[row.id])) is not None:
                targets[row.id] = _span_target(call, row, span)
        elif (run := runs.get(row.target_id)) is not None:
            targets[row.id] = run
    return targets


def _span_target(call: Call, row: JudgeJob, span: SpanRow) -> Target:
    """The span, or the whole trace whose root it is."""
    payload: object = row.payload  # of a damaged row it may be anything
    metadata = payload.get("metadata") if isinstance(payload, dict) else None
    if isinstance(metadata, dict) and metadata.get(scoring.WHOLE) == "trace":
        return trace_target(call, row.project_id, span.trace_id) or span_target(span)
    return span_target(span)


class _Money:
    """Prices of projects, and whether they may spend more today: each looked up once per batch."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._prices: dict[str, OwnPrices] = {}
        self._refusals: dict[tuple[str, str], str | None] = {}

    def prices(self, project_id: str) -> OwnPrices:
        if project_id not in self._prices:
            self._prices[project_id] = prices.own(self._call, project_id)
        return self._prices[project_id]

    def refusal(self, row: JudgeJob) -> str | None:
        key = (row.project_id, row.model)
        if key not in self._refusals:
            self._refusals[key] = budgets.refusal(self._call, *key, self.prices(row.project_id))
        return self._refusals[key]


class _Plans:
    """What jobs are to do. Most of a batch do the same, which is planned once."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, bytes], Planned | Failed] = {}

    def of(self, row: JudgeJob) -> Planned | Failed:
        alike = (row.scorer_name, msgspec.json.encode(row.payload))
        if alike not in self._made:
            self._made[alike] = self._plan(row)
        return self._made[alike]

    def _plan(self, row: JudgeJob) -> Planned | Failed:
        try:
            return scoring.plan(_draft(row))
        except GnomonError as bad:  # accepted by an older Gnomon, or by one that knew more
            return Failed(bad.message)
        except (KeyError, TypeError, ValueError) as bad:
            return Failed(f"the job's payload cannot be read: {type(bad).__name__} {bad}")


def _prepared(
    row: JudgeJob, target: Target | Failed | None, plans: _Plans, refusal: str | None, money: _Money
) -> ReadyJob | Ended:
    if target is None or isinstance(target, Failed):
        return Ended(row, None, None, target or Failed("the target is gone"))
    planned = plans.of(row)
    if isinstance(planned, Failed):
        return Ended(row, target, None, planned)
    assert isinstance(planned.scorer, ModelScorer)
    if refusal is not None:
        return Ended(row, target, planned, Failed(refusal))
    prompt = planned.scorer.render(target.sample, secrets.token_hex(16))
    if isinstance(prompt, Absent):
        return Ended(row, target, planned, prompt)
    keys = vote_keys(row.project_id, planned.scorer, prompt)
    return ReadyJob(row, target, planned, planned.scorer, prompt, keys, {}, money.prices(row.project_id))


def vote_keys(project_id: str, judge: ModelScorer, prompt: Prompt) -> list[str]:
    """Under which key each vote's answer is kept. A project pays for its own answers, and sees no other's."""
    return [f"{project_id}:{judge.cache_key(prompt, vote)}" for vote in range(judge.samples)]


def _draft(row: JudgeJob) -> InlineScoreDraft:
    payload = row.payload
    return InlineScoreDraft(
        scorer_name=row.scorer_name, scorer=payload["scorer"], config=payload["config"], metadata=payload["metadata"]
    )


def limit_of(row: ModelLimitRow) -> Limit:
    return Limit(row.per_second, row.permits, row.failures, row.open_until, row.updated_at)


def _remembered(row: ModelAnswerRow) -> Answer:
    return Answer(row.answer, row.model, row.tokens_input, row.tokens_output, row.cost_usd, 0.0)


# --- settling -----


@dataclass(slots=True)
class Settled:
    """The result of one job, as a worker reports it."""

    job: JudgeJob
    target: Target | None
    planned: Planned | None
    verdict: JudgedValue | Absent | Failed
    parts: Mapping[str, JudgedValue] = field(default_factory=dict)
    """Part of a rubric → its score, beside the score of the whole."""
    answers: dict[str, Answer] = field(default_factory=dict)
    """Cache key → what was asked for and answered now."""
    unreadable: frozenset[str] = frozenset()
    """Keys of answers without a score in them: paid for, and not kept, so that asking again may do better."""

    @property
    def cost_usd(self) -> float | None:
        """What was paid for this job now; None when nothing was asked, or a part of it has no known price."""
        return total(answer.cost_usd for answer in self.answers.values()) if self.answers else None


@dataclass(frozen=True, slots=True)
class Postponed:
    """A job to be tried again, with the votes that were answered meanwhile."""

    job: JudgeJob
    seconds: float
    counts_as_attempt: bool
    target: Target | None = None
    planned: Planned | None = None
    answers: dict[str, Answer] = field(default_factory=dict)
    unreadable: frozenset[str] = frozenset()


def settle(call: Call, owner: str, results: Sequence[Settled | Postponed]) -> None:
    """End or postpone jobs, as far as this worker still holds them: scores, answers, costs and jobs together."""
    held = store.held(call.db, [result.job.id for result in results], owner)
    held_results = [result for result in results if result.job.id in held]
    now = call.clock.now()
    _keep_answers(call, held_results, now)
    ended = [result for result in held_results if isinstance(result, Settled)]
    judged = [score for result in ended for score in _judged(result)]
    score_ids: dict[str, str | None] = {}
    for score, id in zip(judged, scoring.record(call, judged), strict=True):
        score_ids.setdefault(score.job_id, id)  # the first one is the score of the whole
    store.end_many(call.db, now, [_ended_columns(result, score_ids.get(result.job.id)) for result in ended])
    for settled in ended:
        if settled.planned is None and isinstance(
            settled.verdict, Failed
        ):  # which scores it was to make cannot be told any more
            scores.fail_states(call.db, settled.job.target_id, settled.job.id, settled.verdict.reason, to_ms(now))
    for later in held_results:
        if isinstance(later, Postponed):
            _put_back(call, later, now)
    if any(result.job.parent_id for result in ended):
        store.finish_parents(call.db, now)


def _ended_columns(settled: Settled, score_id: str | None) -> store.JobEnd:
    failed = isinstance(settled.verdict, Failed)
    return store.JobEnd(
        job_id=settled.job.id, status="failed" if failed else "done", score_id=score_id, cost_usd=settled.cost_usd,
        counts={"failed" if failed else "ended": 1},
        reason=None if isinstance(settled.verdict, JudgedValue) else settled.verdict.reason,
        evidence=settled.verdict.evidence if isinstance(settled.verdict, Failed) else None,
    )  # fmt: skip


def _judged(settled: Settled) -> Iterator[scoring.RecordedVerdict]:
    """Every score that the job makes, the score of the whole first; or for each of them why there is none."""
    if settled.target is None or settled.planned is None:
        return
    parts = settled.planned.parts
    plans = [settled.planned, *parts.values()]
    if not isinstance(settled.verdict, JudgedValue):
        yield from (
            scoring.RecordedVerdict(settled.target, planned, settled.verdict, None, {}, settled.job.id)
            for planned in plans
        )
        return
    flagged = {"addresses_judge": True} if addresses_judge(settled.target.sample) else {}
    judged_values = [settled.verdict, *(settled.parts[part] for part in parts)]
    for planned, score in zip(plans, judged_values, strict=True):
        metadata = {**score.metadata, **flagged}
        yield scoring.RecordedVerdict(settled.target, planned, score.value, score.rationale, metadata, settled.job.id)


def _keep_answers(call: Call, results: Sequence[Settled | Postponed], now: datetime) -> None:
    """Cache the answers, and add their known cost to the spending of the day."""
    day = models.day_of(now)
    paid: dict[tuple[str, str], list[Answer]] = {}
    rows = []
    for result in results:
        for key, answer in result.answers.items():
            if key not in result.unreadable:
                rows.append(_answer_row(key, result.job, answer, now))
            paid.setdefault((result.job.project_id, result.job.model), []).append(answer)
    models.keep_answers(call.db, rows)
    for (project_id, model), answers in sorted(paid.items()):
        sums = Spent.of(answers)
        models.spend(call.db, project_id, day, model, calls=sums.calls, tokens=sums.known_tokens, usd=sums.known_usd)


def _answer_row(key: str, job: JudgeJob, answer: Answer, now: datetime) -> ModelAnswerRow:
    return ModelAnswerRow(
        cache_key=key, project_id=job.project_id, model=job.model, answer=storable(answer.text),
        tokens_input=answer.tokens_input, tokens_output=answer.tokens_output, cost_usd=answer.cost_usd, created_at=now,
    )  # fmt: skip


def _put_back(call: Call, postponed: Postponed, now: datetime) -> None:
    patient_until = postponed.job.patient_until
    if not postponed.counts_as_attempt and patient_until is None:
        patient_until = now + WAITS_FOR
    attempts = postponed.job.attempts if postponed.counts_as_attempt else postponed.job.attempts - 1
    due = now + timedelta(seconds=postponed.seconds)
    store.put_back(call.db, postponed.job.id, now, due, attempts=attempts, patient_until=patient_until)
