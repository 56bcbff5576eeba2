"""Probes as jobs: what one would take, accepting it, preparing it for a worker, and storing what came of it.

Answers are stored as they come, so a probe that is interrupted goes on where it stopped and pays for no answer twice.
Asking happens in service/jobs/probeloop.py, outside of any transaction.
"""

import os
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from gnomon.errors import NotAvailable, NotFound, Refused
from gnomon.llm.answer import Answer
from gnomon.llm.prices import OwnPrices
from gnomon.llm.providers import not_installed
from gnomon.llm.spent import Spent
from gnomon.model.card import ProbeDraft, ProbePlan
from gnomon.model.job import JobAccepted
from gnomon.scorers import ModelScorer, Sample, build
from gnomon.scorers.judgeanswers import storable
from gnomon.scorers.protocol import Absent
from gnomon.service.call import Call, project_in_scope
from gnomon.service.judges import budgets, prices, probing
from gnomon.service.judges.cards import MOST_READ, SENT, configuration, part_of
from gnomon.service.judges.probing import INJECTIONS, Probed, with_plea
from gnomon.service.scoring.preview import QuestionsAhead, estimated_cost, estimated_tokens
from gnomon.service.scoring.targets import conversation_target, iteration_target, run_targets, span_target
from gnomon.store import cards as store
from gnomon.store import experiments, iterations, jobs, models
from gnomon.store.rows import JobRow, JudgeCardRow, ModelAnswerRow

KIND = "probe_judge"
_MARKER = "0" * 32
_ANSWER_PREFIX = "probe"


# --- the judge, and targets that it has scored before -----


@dataclass(frozen=True, slots=True)
class Questions:
    """A judge, and samples that it has scored before."""

    project_id: str
    scorer_name: str
    config_hash: str
    judge: ModelScorer
    items: list[str]
    """The item of each target that was drawn, so that a job asks about the same ones when it goes on."""
    samples: list[Sample]
    prices: OwnPrices
    """The project's own."""


def questions(
    call: Call, project_id: str | None, scorer_name: str, config_hash: str | None, n: int, seed: int = 0
) -> Questions:
    """Up to `n` of the judge's targets at random, one per item, so that no two samples belong together."""
    return _questions(
        call, project_id, scorer_name, config_hash, lambda rows: random.Random(seed).sample(rows, min(n, len(rows)))
    )


def _questions(
    call: Call, project_id: str | None, scorer_name: str, config_hash: str | None,
    choose: Callable[[list[str]], Sequence[str]],
) -> Questions:  # fmt: skip
    scope = project_in_scope(call.principal, project_id)
    chosen, _ = configuration(call, scope, scorer_name, config_hash)
    if chosen is None:
        raise Refused(f"{scorer_name!r} cannot be probed: {SENT}", code="NO_PROMPT")
    score = store.any_score(call.db, scope, scorer_name, chosen)
    if whole := part_of(score):
        words = f"{scorer_name!r} is a dimension of {whole!r}, and a probe asks the whole rubric"
        raise Refused(f"{words}; probe {whole!r}", code="PART_OF_A_RUBRIC")
    rows = {row.item: row for row in store.targets(call.db, scope, scorer_name, chosen, MOST_READ)}
    assert score is not None  # its configuration exists
    assert score.scorer is not None  # a model was asked here
    judge = build(score.scorer, {**(score.config or {}), "expected_output": None})
    assert isinstance(judge, ModelScorer)
    items, samples = [], []
    for item in choose(sorted(rows)):
        sample = _sample(call, scope, rows[item]) if item in rows else None
        if sample is not None:
            items.append(item)
            samples.append(sample)
    if not samples:
        raise NotFound(f"all targets that {scorer_name!r} scored were deleted, so there is nothing to probe with")
    return Questions(scope, scorer_name, chosen, judge, items, samples, prices.own(call, scope))


def _sample(call: Call, project_id: str, row: store.JudgedTarget) -> Sample | None:
    """What the score was about, with the expected output that its own configuration gave."""
    sample: Sample | None = None
    if row.target_type == "run":
        for target in run_targets(call, experiments.runs_by_id(call.db, [row.target_id])):
            sample = target.sample
    elif row.target_type == "iteration":
        for iteration in iterations.by_ids(call.db, [row.target_id]):
            sample = iteration_target(iteration).sample
    elif row.target_type == "conversation":
        conversation = conversation_target(call, project_id, row.target_id)
        sample = None if conversation is None else conversation.sample
    else:
        for span in call.spans.find_span(call.db, row.target_id, project_id, row.trace_id):
            sample = span_target(span).sample
    expected = (row.config or {}).get("expected_output")
    return sample if sample is None or expected is None else replace(sample, expected_output=expected)


# --- before it starts -----


def plan(call: Call, scorer_name: str, draft: ProbeDraft) -> ProbePlan:
    """What a probe would take. Nothing is stored, and no model is asked."""
    probe_input = questions(call, draft.project_id, scorer_name, draft.config_hash, draft.samples, draft.seed)
    judge, notes = probe_input.judge, list[str]()
    askable = probing.askable_samples(judge, probe_input.samples)
    if len(probe_input.samples) > len(askable):
        notes.append(f"{len(probe_input.samples) - len(askable):,} targets lack a field that the prompt uses")
    if len(probe_input.samples) < draft.samples:
        notes.append(f"only {len(probe_input.samples):,} targets are there to probe with")
    calls = len(askable) * probing.calls_per_sample(judge)
    ahead = QuestionsAhead(calls, 0, sum(_tokens(judge, at, sample) for at, sample in enumerate(askable)))
    output, cost, source = estimated_cost(call, probe_input.project_id, judge, ahead, notes)
    budget = budgets.of(call, probe_input.project_id)
    refusal = _refusal(call, probe_input)
    if refusal is None and budget.left_usd is not None and cost is not None and cost > budget.left_usd:
        notes.append(f"today's budget has {budget.left_usd:.4g} USD left: the probe stops there, and can go on later")
    if refusal is None and budget.left_tokens is not None and ahead.tokens_input + output > budget.left_tokens:
        notes.append(
            f"today's budget has {budget.left_tokens:,} tokens left: the probe stops there, and can go on later"
        )
    return ProbePlan(
        scorer_name=scorer_name,
        config_hash=probe_input.config_hash,
        model=judge.model,
        samples=len(askable),
        seed=draft.seed,
        calls=calls,
        tokens_input_estimate=ahead.tokens_input,
        tokens_output_estimate=output,
        cost_usd_estimate=cost,
        estimate_from=source,
        budget_left_usd=budget.left_usd,
        budget_left_tokens=budget.left_tokens,
        refusal=None if refusal is None else refusal.message,
        notes=notes,
    )


def _tokens(judge: ModelScorer, at: int, sample: Sample) -> int:
    """Tokens of all prompts about one sample, at about four characters per token."""
    plain = judge.render(sample, _MARKER)
    pleading = judge.render(with_plea(sample, INJECTIONS[at % len(INJECTIONS)], judge.best_answer), _MARKER)
    assert not isinstance(plain, Absent)  # such samples were left out
    assert not isinstance(pleading, Absent)
    return (probing.calls_per_sample(judge) - 1) * estimated_tokens(plain) + estimated_tokens(pleading)


def _refusal(call: Call, probe_input: Questions) -> Refused | NotAvailable | None:
    """Why the model cannot be asked now."""
    if missing := not_installed(probe_input.judge.model, os.environ):
        return NotAvailable(missing)
    if reason := budgets.refusal(call, probe_input.project_id, probe_input.judge.model, probe_input.prices):
        unpriced = reason == budgets.price_unknown(probe_input.project_id, probe_input.judge.model)
        return Refused(reason, code="BUDGET_PRICE_UNKNOWN" if unpriced else "BUDGET_SPENT")
    return None


def accept(call: Call, scorer_name: str, draft: ProbeDraft) -> JobAccepted:
    """Queue a probe. Its targets are drawn now."""
    probe_input = questions(call, draft.project_id, scorer_name, draft.config_hash, draft.samples, draft.seed)
    askable = probing.askable_samples(probe_input.judge, probe_input.samples)
    if refusal := _refusal(call, probe_input):
        raise refusal
    id = call.clock.new_id()
    job = jobs.NewJob(
        id=id, project_id=probe_input.project_id, kind=KIND, payload={"items": probe_input.items, "seed": draft.seed},
        total=len(askable) * probing.calls_per_sample(probe_input.judge), created_at=call.clock.now(),
        model=probe_input.judge.model, scorer_name=scorer_name, config_hash=probe_input.config_hash,
    )  # fmt: skip
    jobs.add(call.db, [job])
    return JobAccepted(job_id=id)


# --- while it runs -----


@dataclass(slots=True)
class ReadyProbe:
    """A probe that a worker holds: what to ask, what was answered before, and how much may still be spent."""

    job: JobRow
    questions: Questions
    known: dict[str, Answer]
    """By their keys, of an earlier attempt."""
    spent: Spent
    """Of all attempts, as far as it is in the books."""
    left_usd: float | None
    left_tokens: int | None

    @property
    def seed(self) -> int:
        return int(self.job.payload["seed"])

    def refuse_more(self, spent: Spent) -> None:
        """Stop before a call that the budget does not allow; `spent` counts all attempts."""
        usd, tokens = spent.known_usd - self.spent.known_usd, spent.known_tokens - self.spent.known_tokens
        remedy = "raise the budget or wait until tomorrow, and retry the job: it goes on from here"
        if self.left_usd is not None and usd >= self.left_usd:
            raise Refused(f"budget: today's US dollars are spent; {remedy}", code="BUDGET_SPENT")
        if self.left_tokens is not None and tokens >= self.left_tokens:
            raise Refused(f"budget: today's tokens are used; {remedy}", code="BUDGET_SPENT")


def take(call: Call, job: JobRow) -> ReadyProbe:
    """Prepare a job that was claimed."""
    wanted = list(job.payload["items"])
    probe_input = _questions(call, job.project_id, job.scorer_name or "", job.config_hash, lambda rows: wanted)
    if refusal := _refusal(call, probe_input):
        raise refusal
    left = budgets.of(call, job.project_id)
    before: dict[str, Any] | None = job.payload.get("spent")
    known = {} if before is None else _known(call, job)
    return ReadyProbe(job, probe_input, known, Spent(**(before or {})), left.left_usd, left.left_tokens)


def _known(call: Call, job: JobRow) -> dict[str, Answer]:
    prefix = _key(job, "")
    return {
        row.cache_key.removeprefix(prefix): Answer(
            row.answer, row.model, row.tokens_input, row.tokens_output, row.cost_usd, 0.0
        )
        for row in models.answers_from(call.db, prefix)
    }


def _key(job: JobRow, key: str) -> str:
    return f"{job.project_id}:{_ANSWER_PREFIX}:{job.id}:{key}"


def write_down(
    call: Call, owner: str, ready: ReadyProbe, answers: Mapping[str, Answer], spent: Spent, counts: Mapping[str, int]
) -> bool:
    """Keep the answers that came, book what they took, and say how far the probe is. False when the job was lost."""
    if not jobs.held(call.db, [ready.job.id], owner):
        return False
    now, before = call.clock.now(), ready.spent
    rows = [_answer_row(call, ready, key, answer) for key, answer in sorted(answers.items())]
    models.keep_answers(call.db, rows)
    models.spend(
        call.db, ready.job.project_id, models.day_of(now), ready.questions.judge.model,
        calls=spent.calls - before.calls, tokens=spent.known_tokens - before.known_tokens,
        usd=spent.known_usd - before.known_usd,
    )  # fmt: skip
    payload = {**ready.job.payload, "spent": asdict(spent)}
    jobs.change(
        call.db, ready.job.id, payload=payload, counts=dict(counts), updated_at=now, cost_usd=spent.cost_usd
    )  # fmt: skip
    ready.known.update(answers)
    return True


def _answer_row(call: Call, ready: ReadyProbe, key: str, answer: Answer) -> ModelAnswerRow:
    return ModelAnswerRow(
        cache_key=_key(ready.job, key), project_id=ready.job.project_id, model=answer.model,
        answer=storable(answer.text), tokens_input=answer.tokens_input, tokens_output=answer.tokens_output,
        cost_usd=answer.cost_usd, created_at=call.clock.now(),
    )  # fmt: skip


def left_now(call: Call, project_id: str) -> tuple[float | None, int | None]:
    """US dollars and tokens that the project may still spend today."""
    budget = budgets.of(call, project_id)
    return budget.left_usd, budget.left_tokens


# --- its end -----


def finish(call: Call, owner: str, ready: ReadyProbe, probed: Probed, counts: Mapping[str, int]) -> bool:
    """Store the probe and end the job. False when it was lost."""
    job = ready.job
    if not jobs.held(call.db, [job.id], owner):
        return False
    add(call, ready.questions, probed)
    models.forget_answers(call.db, [_key(job, key) for key in sorted(ready.known)])
    now, calls_ended = call.clock.now(), sum(counts.values())
    jobs.change(call.db, job.id, total=calls_ended)
    ended = jobs.JobEnd(job.id, "done", None, probed.spent.cost_usd, dict(counts), None, None)
    jobs.end_many(call.db, now, [ended])
    return True


def add(call: Call, probe_input: Questions, probed: Probed) -> None:
    """Store a probe; the card shows the newest."""
    probe = probed.probe
    row = JudgeCardRow(
        id=call.clock.new_id(), project_id=probe_input.project_id, scorer_name=probe_input.scorer_name,
        config_hash=probe_input.config_hash, card=probe.model_dump(mode="json", exclude={"made_at"}),
        created_at=probe.made_at,
    )  # fmt: skip
    store.add_probe(call.db, row)


def keep(call: Call, probe_input: Questions, probed: Probed) -> None:
    """Store a probe that was no job, and book what it took as far as that is known."""
    add(call, probe_input, probed)
    spent = probed.spent
    models.spend(
        call.db, probe_input.project_id, models.day_of(call.clock.now()), probe_input.judge.model, calls=spent.calls,
        tokens=spent.known_tokens, usd=spent.known_usd,
    )  # fmt: skip
