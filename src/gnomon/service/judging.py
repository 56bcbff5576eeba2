"""The judge's jobs: one target each, ending in exactly one set of scores, or in the reason why there is none.

A job is made here (`enqueue`), prepared for a worker (`take`: what to ask, what is known from earlier answers,
whether the budget allows it), and ended (`settle`: score, answers, costs and the job itself in one transaction).
Asking the model happens between the two, in worker.py, outside of any transaction.
"""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from importlib.util import find_spec
from typing import Any

from gnomon.errors import GnomonError, NotAvailable
from gnomon.llm.answer import Answer
from gnomon.llm.limits import Limit
from gnomon.model.moment import to_ms
from gnomon.model.score import InlineScoreDraft
from gnomon.scorers import Absent, Failed, ModelScorer
from gnomon.scorers.addressing import addresses_judge
from gnomon.scorers.answers import storable
from gnomon.scorers.asking import JudgedValue, Prompt
from gnomon.service import scoring
from gnomon.service.call import Call
from gnomon.service.scoring import Planned, Target
from gnomon.store import datasets, experiments, models, traces
from gnomon.store import jobs as store

KIND = "judge"
MAX_ATTEMPTS = 6
MAX_CLAIMS = 100
"""A job that was taken this often and never ended takes its workers down with it."""
PATIENCE = timedelta(hours=1)
"""How long a job may wait because a model asked for it."""


def enqueue(
    call: Call, work: Sequence[tuple[Target, Planned]], *, parent_id: str | None = None, no_cache: bool = False
) -> list[str | Absent | Failed]:
    """Make a job for each; the job's id, or why there is nothing to ask."""
    refuse_unavailable([planned for _, planned in work])
    ids, now = call.clock.new_ids(len(work)), call.clock.now()
    found: list[str | Absent | Failed] = []
    rows, queued = [], []
    for id, (target, planned) in zip(ids, work, strict=True):
        nothing = _nothing_to_ask(target, planned)
        if nothing is not None:
            state = "absent" if isinstance(nothing, Absent) else "failed"
            scoring.set_state(call, [(target, planned, parent_id)], state, nothing.reason)
            found.append(nothing)
            continue
        rows.append(_job_row(id, target, planned, parent_id, no_cache, now))
        queued.append((target, planned, id))
        found.append(id)
    store.add_many(call.db, rows)
    scoring.set_state(call, queued, "queued", None)
    return found


def refuse_unavailable(plans: Sequence[Planned]) -> None:
    """Without LiteLLM nobody here can ask a model."""
    if find_spec("litellm") is None and any(isinstance(planned.scorer, ModelScorer) for planned in plans):
        raise NotAvailable("a judge needs LiteLLM, which is not installed; run: pip install 'gnomon[judge]'")


def _nothing_to_ask(target: Target, planned: Planned) -> Absent | Failed | None:
    assert isinstance(planned.scorer, ModelScorer)
    if target.error is not None:
        return Failed(f"the run failed: {target.error}")
    return planned.scorer.nothing_to_ask(target.sample)


def _job_row(
    id: str, target: Target, planned: Planned, parent_id: str | None, no_cache: bool, now: datetime
) -> dict[str, Any]:
    assert isinstance(planned.scorer, ModelScorer)
    draft = planned.draft
    payload = {"scorer": draft.scorer, "config": draft.config, "metadata": draft.metadata, "no_cache": no_cache}
    return {
        "id": id, "project_id": target.project_id, "kind": KIND, "status": "queued", "payload": payload,
        "experiment_id": target.experiment_id, "attempts": 0, "total": 1, "counts": {}, "position": "", "due_at": now,
        "created_at": now, "updated_at": now, "parent_id": parent_id, "model": planned.scorer.model,
        "target_type": target.type, "target_id": target.id, "trace_id": target.trace_id,
        "scorer_name": draft.scorer_name, "config_hash": planned.config_hash,
    }  # fmt: skip


# --- taking -----


@dataclass(frozen=True, slots=True)
class Question:
    """A job that is ready to be asked: its prompt, and the answers to earlier votes that are known already."""

    job: Any
    target: Target
    planned: Planned
    judge: ModelScorer
    prompt: Prompt
    keys: list[str]
    known: dict[int, Answer]

    @property
    def open_votes(self) -> list[int]:
        return [vote for vote in range(self.judge.samples) if vote not in self.known]


@dataclass(frozen=True, slots=True)
class Ended:
    """A job that needs no model: how it ends."""

    job: Any
    target: Target | None
    planned: Planned | None
    found: Absent | Failed


def take(call: Call, owner: str, most: int, lease: timedelta) -> tuple[list[Question], list[Ended]]:
    """Claim up to `most` jobs as far as their models may be asked now, and prepare them."""
    rows = _claimed(call, owner, most, lease)
    if not rows:
        return [], []
    targets = _targets(call, rows)
    over = {project: _over_budget(call, project) for project in {row.project_id for row in rows}}
    prepared = [_prepared(row, targets.get(row.id), over[row.project_id]) for row in rows]
    questions = [one for one in prepared if isinstance(one, Question)]
    keys = {key for one in questions if not one.job.payload["no_cache"] for key in one.keys}
    answers = models.answers(call.db, keys)
    for one in questions:
        if not one.job.payload["no_cache"]:
            one.known.update({vote: _remembered(answers[k]) for vote, k in enumerate(one.keys) if k in answers})
    return questions, [one for one in prepared if isinstance(one, Ended)]


def _claimed(call: Call, owner: str, most: int, lease: timedelta) -> list[Any]:
    now, kinds = call.clock.now(), (KIND,)
    limits = {model: Limit(row.per_second, row.permits, row.failures, row.open_until, row.updated_at)
              for model, row in models.limits_to_change(call.db).items()}  # fmt: skip
    special = {model: limit.refilled(now) for model, limit in limits.items()
               if limit.closed_at(now) or limit.room() is not None}  # fmt: skip
    rows = list(store.claim(call.db, owner, now, kinds, most=most, lease=lease, except_models=special))
    for model, limit in sorted(special.items()):
        room = min(most - len(rows), limit.room() or 0)
        if room > 0 and not limit.closed_at(now):
            taken = store.claim(call.db, owner, now, kinds, most=room, lease=lease, models=[model])
            if taken:
                models.set_limit(call.db, model, limit.taken(len(taken)))
            rows += taken
    return rows


def _targets(call: Call, rows: Sequence[Any]) -> dict[str, Target]:
    """Job id → what it is about, for those that are still there."""
    run_ids = {row.target_id for row in rows if row.target_type == "run"}
    runs = {row.id: row for row in experiments.runs_by_id(call.db, run_ids)} if run_ids else {}
    hoped = datasets.expected_outputs(call.db, {row.dataset_item_id for row in runs.values()}) if runs else {}
    addresses = {row.id: (row.project_id, row.trace_id, row.target_id) for row in rows if row.target_type == "span"}
    spans = traces.spans_by_id(call.db, set(addresses.values())) if addresses else {}
    found: dict[str, Target] = {}
    for row in rows:
        if row.target_type == "span":  # first: a span's id is its sender's choice, and may be that of a run
            if (span := spans.get(addresses[row.id])) is not None:
                found[row.id] = scoring.span_target(span)
        elif (run := runs.get(row.target_id)) is not None:
            found[row.id] = scoring.run_target(run, *hoped.get(run.dataset_item_id, (None, None)))
    return found


def _over_budget(call: Call, project_id: str) -> str | None:
    limit = models.budget(call.db, project_id)
    if limit is None:
        return None
    usd, tokens = models.spent(call.db, project_id, models.day_of(call.clock.now()))
    if limit.usd_per_day is not None and usd >= limit.usd_per_day:
        return f"budget: {usd:.4g} of {limit.usd_per_day:g} USD a day are spent; raise it, or retry tomorrow"
    if limit.tokens_per_day is not None and tokens >= limit.tokens_per_day:
        return f"budget: {tokens:,} of {limit.tokens_per_day:,} tokens a day are used; raise it, or retry tomorrow"
    return None


def _prepared(row: Any, target: Target | None, over_budget: str | None) -> Question | Ended:
    if target is None:
        return Ended(row, None, None, Failed("the target is gone"))
    try:
        planned = scoring.plan(_draft(row))
    except GnomonError as bad:  # accepted by an older Gnomon, or by one that knew more
        return Ended(row, target, None, Failed(bad.message))
    assert isinstance(planned.scorer, ModelScorer)
    if row.attempts > MAX_CLAIMS:
        return Ended(row, target, planned, Failed(f"gave up: taken {MAX_CLAIMS} times and never finished"))
    if over_budget is not None:
        return Ended(row, target, planned, Failed(over_budget))
    prompt = planned.scorer.render(target.sample, secrets.token_hex(16))
    if isinstance(prompt, Absent):
        return Ended(row, target, planned, prompt)
    keys = vote_keys(row.project_id, planned.scorer, prompt)
    return Question(row, target, planned, planned.scorer, prompt, keys, {})


def vote_keys(project_id: str, judge: ModelScorer, prompt: Prompt) -> list[str]:
    """Under which key each vote's answer is kept. A project pays for its own answers, and sees no other's."""
    return [f"{project_id}:{judge.cache_key(prompt, vote)}" for vote in range(judge.samples)]


def _draft(row: Any) -> InlineScoreDraft:
    given = row.payload
    return InlineScoreDraft(
        scorer_name=row.scorer_name, scorer=given["scorer"], config=given["config"], metadata=given["metadata"]
    )


def _remembered(row: Any) -> Answer:
    return Answer(row.answer, row.model, row.tokens_input, row.tokens_output, row.cost_usd, 0.0)


# --- settling -----


@dataclass(slots=True)
class Settled:
    """What a worker found out about one job."""

    job: Any
    target: Target | None
    planned: Planned | None
    found: JudgedValue | Absent | Failed
    parts: Mapping[str, JudgedValue] = field(default_factory=dict)
    """Part of a rubric → its score, beside the score of the whole."""
    answers: dict[str, Answer] = field(default_factory=dict)
    """Cache key → what was asked for and answered now."""
    unreadable: frozenset[str] = frozenset()
    """Keys of answers without a score in them: paid for, and not kept, so that asking again may do better."""


@dataclass(frozen=True, slots=True)
class Postponed:
    """A job to be tried again, with the votes that were answered meanwhile."""

    job: Any
    seconds: float
    counts_as_attempt: bool
    answers: dict[str, Answer] = field(default_factory=dict)
    unreadable: frozenset[str] = frozenset()


def settle(call: Call, owner: str, found: Sequence[Settled | Postponed]) -> None:
    """End or postpone jobs, as far as this worker still holds them: scores, answers, costs and jobs together."""
    held = store.held(call.db, [one.job.id for one in found], owner)
    mine = [one for one in found if one.job.id in held]
    now = call.clock.now()
    _keep_answers(call, mine, now)
    ended = [one for one in mine if isinstance(one, Settled)]
    judged = [score for one in ended for score in _judged(one)]
    score_ids: dict[str, str | None] = {}
    for score, id in zip(judged, scoring.record(call, judged), strict=True):
        score_ids.setdefault(score.job_id, id)  # the first one is the score of the whole
    store.end_many(call.db, now, [_ended_columns(one, score_ids.get(one.job.id)) for one in ended])
    for later in mine:
        if isinstance(later, Postponed):
            _put_back(call, later, now)
    if any(one.job.parent_id for one in ended):
        store.finish_parents(call.db, now)


def _ended_columns(one: Settled, score_id: str | None) -> dict[str, Any]:
    failed = isinstance(one.found, Failed)
    return {
        "job_id": one.job.id, "status": "failed" if failed else "done", "score_id": score_id, "cost_usd": _cost(one),
        "counts": {"failed" if failed else "ended": 1},
        "reason": None if isinstance(one.found, JudgedValue) else one.found.reason,
        "evidence": one.found.evidence if isinstance(one.found, Failed) else None,
    }  # fmt: skip


def _judged(one: Settled) -> Iterator[scoring.Judged]:
    """Every score that the job makes, the score of the whole first; or for each of them why there is none."""
    if one.target is None or one.planned is None:
        return
    yield _one_score(one.target, one.planned, one.found, one.job.id)
    for part, planned in one.planned.parts.items():
        found = one.parts[part] if isinstance(one.found, JudgedValue) else one.found
        yield _one_score(one.target, planned, found, one.job.id)


def _one_score(target: Target, planned: Planned, found: JudgedValue | Absent | Failed, job_id: str) -> scoring.Judged:
    if not isinstance(found, JudgedValue):
        return scoring.Judged(target, planned, found, None, {}, job_id)
    flagged = {"addresses_judge": True} if addresses_judge(target.sample) else {}
    return scoring.Judged(target, planned, found.value, found.rationale, {**found.metadata, **flagged}, job_id)


def _cost(one: Settled) -> float | None:
    known = [answer.cost_usd for answer in one.answers.values() if answer.cost_usd is not None]
    return sum(known) if known else None


def _keep_answers(call: Call, found: Sequence[Settled | Postponed], now: datetime) -> None:
    day = models.day_of(now)
    spent: dict[tuple[str, str], list[float]] = {}
    rows = []
    for one in found:
        for key, answer in one.answers.items():
            if key not in one.unreadable:
                rows.append(_answer_row(key, one.job, answer, to_ms(now)))
            sums = spent.setdefault((one.job.project_id, one.job.model), [0, 0, 0.0])
            sums[0] += 1
            sums[1] += (answer.tokens_input or 0) + (answer.tokens_output or 0)
            sums[2] += answer.cost_usd or 0.0
    models.keep_answers(call.db, rows)
    for (project_id, model), (calls, tokens, usd) in sorted(spent.items()):
        models.spend(call.db, project_id, day, model, calls=int(calls), tokens=int(tokens), usd=usd)


def _answer_row(key: str, job: Any, answer: Answer, now: int) -> dict[str, Any]:
    return {
        "cache_key": key, "project_id": job.project_id, "model": job.model, "answer": storable(answer.text),
        "tokens_input": answer.tokens_input, "tokens_output": answer.tokens_output, "cost_usd": answer.cost_usd,
        "created_at": now,
    }  # fmt: skip


def _put_back(call: Call, one: Postponed, now: datetime) -> None:
    patient_until = one.job.patient_until
    if not one.counts_as_attempt and patient_until is None:
        patient_until = now + PATIENCE
    attempts = one.job.attempts if one.counts_as_attempt else one.job.attempts - 1
    due = now + timedelta(seconds=one.seconds)
    store.put_back(call.db, one.job.id, now, due, attempts=attempts, patient_until=patient_until)
