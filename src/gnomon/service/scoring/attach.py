"""Scores are attached to their targets: kept, computed at once by a rule, or left to a judge's job."""

from collections.abc import Sequence
from dataclasses import dataclass

from gnomon.errors import Conflict, GnomonError, InvalidInput, NotFound, Problem
from gnomon.model.job import JobAccepted
from gnomon.model.quickrun import ArrivedTargetScore
from gnomon.model.score import Score, ScoreDraft, ScoresAccepted
from gnomon.scorers import Absent, Failed, ModelScorer, Sample
from gnomon.service.call import Call, just_written
from gnomon.service.judges import judging
from gnomon.service.scoring import scoring
from gnomon.service.scoring.scoring import Planned
from gnomon.service.scoring.targets import (
    Target,
    bare_target,
    conversation_target,
    iteration_target,
    run_targets,
    span_target,
)
from gnomon.service.traces import conversations
from gnomon.store import experiments, iterations, scores


@dataclass(frozen=True, slots=True)
class QueuedJob:
    """A judge's score that a job will compute."""

    job_id: str


ScoreOutcome = str | QueuedJob | Absent | Failed
"""A score's id, or a substitute for it."""


def attach_one(call: Call, draft: ScoreDraft, planned: Planned | None = None) -> Score | JobAccepted | None:
    """Attach one score. None when its scorer says that there is nothing to score."""
    planned = planned or scoring.plan(draft)
    (target,) = _find_targets(call, [draft], [planned])
    (result,) = carry_out(call, [(target, planned)])
    if isinstance(result, QueuedJob):
        return JobAccepted(job_id=result.job_id)
    return scoring.noun(just_written(scores.get(call.db, target.id, result))) if isinstance(result, str) else None


def plan(drafts: Sequence[ArrivedTargetScore]) -> list[Planned]:
    """Check drafts by themselves; every one that is wrong is named."""
    plans: list[Planned] = []
    problems: list[Problem] = []
    planner = scoring.Planner()
    for index, draft in enumerate(drafts):
        try:
            plans.append(planner.plan(draft))
        except GnomonError as bad:
            problems += [Problem(p.field, p.code, p.message, index) for p in bad.problems]
    if not problems and planner.has_judges:  # only theirs have parts
        problems = _clashes(drafts, plans)
    if problems:
        first = problems[0]
        raise InvalidInput(f"scores[{first.index}].{first.field}: {first.message}", code=first.code, problems=problems)
    return plans


def _clashes(drafts: Sequence[ArrivedTargetScore], plans: Sequence[Planned]) -> list[Problem]:
    """Scores of one target that would have the same name and are not the same thing."""
    by_target: dict[tuple[str, str, str | None], list[int]] = {}
    for index, draft in enumerate(drafts):
        by_target.setdefault((draft.target_type, draft.target_id, draft.trace_id), []).append(index)
    return [
        Problem("scorer_name", "INVALID_REQUEST", clash, indices[0])
        for indices in by_target.values()
        if (clash := scoring.doubled_name([plans[index] for index in indices]))
    ]


def many(call: Call, drafts: Sequence[ArrivedTargetScore], plans: Sequence[Planned] | None = None) -> ScoresAccepted:
    """Attach many scores, all of them or none."""
    plans = plans or plan(drafts)
    targets = _find_targets(call, drafts, plans)
    results = carry_out(call, list(zip(targets, plans, strict=True)))
    ids = [result if isinstance(result, str) else None for result in results]
    accepted = sum(isinstance(result, str | QueuedJob) for result in results)
    return ScoresAccepted(accepted=accepted, score_ids=ids, job_ids=job_ids(results))


def carry_out(
    call: Call, work: Sequence[tuple[Target, Planned]], *, fresh: bool = False, job_id: str | None = None,
    no_cache: bool = False,
) -> list[ScoreOutcome]:  # fmt: skip
    """Rules now, judges as jobs. With a `job_id`, these belong to that job."""
    scorers = {id(planned.scorer): planned.scorer for _, planned in work}  # a batch shares a few
    if not any(isinstance(scorer, ModelScorer) for scorer in scorers.values()):
        return list(scoring.measure(call, work, fresh=fresh, job_id=job_id))
    judged = [isinstance(planned.scorer, ModelScorer) for _, planned in work]
    rules = [pair for pair, is_judge in zip(work, judged, strict=True) if not is_judge]
    judges = [pair for pair, is_judge in zip(work, judged, strict=True) if is_judge]
    measured = iter(scoring.measure(call, rules, fresh=fresh, job_id=job_id))
    queued = iter(judging.enqueue(call, judges, parent_id=job_id, no_cache=no_cache))
    outcomes: list[ScoreOutcome] = []
    for is_judge in judged:
        if is_judge:
            answer = next(queued)
            outcomes.append(QueuedJob(answer) if isinstance(answer, str) else answer)
        else:
            outcomes.append(next(measured))
    return outcomes


def job_ids(results: Sequence[ScoreOutcome]) -> list[str]:
    return [result.job_id for result in results if isinstance(result, QueuedJob)]


def _find_targets(call: Call, drafts: Sequence[ArrivedTargetScore], plans: Sequence[Planned]) -> list[Target]:
    """The targets in order. Every missing or ambiguous one is named."""
    ids: dict[str, set[str]] = {"run": set(), "iteration": set()}
    for draft in drafts:
        if draft.target_type in ids:
            ids[draft.target_type].add(draft.target_id)
    by_type = {
        "run": _runs_as_targets(call, ids["run"], with_items=any(plan.scorer is not None for plan in plans)),
        "iteration": _iterations_as_targets(call, ids["iteration"]),
    }
    targets: list[Target] = []
    problems: list[Problem] = []
    for index, draft in enumerate(drafts):
        try:
            known = by_type.get(draft.target_type)
            targets.append(_find_traced(call, draft) if known is None else known[draft.target_id])
        except KeyError:
            message = f"{draft.target_type} {draft.target_id!r} does not exist"
            problems.append(Problem("target_id", "NOT_FOUND", message, index))
        except (NotFound, Conflict) as refusal:
            problems.append(Problem("target_id", refusal.code, refusal.message, index))
    if problems:
        family = Conflict if problems[0].code == "AMBIGUOUS_TARGET" else NotFound
        # A missing object is reported before an ambiguous one.
        missing = [problem for problem in problems if problem.code == "NOT_FOUND"]
        if missing:
            family, problems = NotFound, missing
        raise family(problems[0].message, code=problems[0].code, problems=problems)
    return targets


def _runs_as_targets(call: Call, ids: set[str], *, with_items: bool) -> dict[str, Target]:
    """Runs that this key may see; with their item's input and expected output where a scorer will ask for them."""
    if not ids:
        return {}
    if not with_items:
        held = experiments.runs_held(call.db, ids)
        return {row.id: bare_target(row) for row in held if call.principal.sees(row.project_id)}
    rows = [row for row in experiments.runs_by_id(call.db, ids) if call.principal.sees(row.project_id)]
    return {target.id: target for target in run_targets(call, rows)}


def _iterations_as_targets(call: Call, ids: set[str]) -> dict[str, Target]:
    rows = iterations.by_ids(call.db, ids) if ids else []
    return {row.id: iteration_target(row) for row in rows if call.principal.sees(row.project_id)}


def _find_traced(call: Call, draft: ArrivedTargetScore) -> Target:
    """The span or conversation. A conversation's turns are read only for a scorer that looks at them."""
    if draft.target_type == "span":
        return _find_span(call, draft)
    row = conversations.find(call, draft.target_id, draft.project_id)
    if not draft.is_computed:
        return Target(row.project_id, "conversation", row.id, Sample())
    return just_written(conversation_target(call, row.project_id, row.id))


def _find_span(call: Call, draft: ArrivedTargetScore) -> Target:
    own, named = call.principal.project_id, draft.project_id
    is_other = None not in (own, named) and own != named
    rows = [] if is_other else call.spans.find_span(call.db, draft.target_id, named or own, draft.trace_id)
    if not rows:
        raise NotFound(f"span {draft.target_id!r} does not exist")
    if len(rows) > 1:
        several, needed = ("traces", "trace_id") if draft.trace_id is None else ("projects", "project_id")
        message = f"several {several} hold a span {draft.target_id!r}; add its `{needed}`"
        raise Conflict(message, code="AMBIGUOUS_TARGET")
    return span_target(rows[0])
