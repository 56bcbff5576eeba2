"""Scores are attached to runs, spans and conversations: kept, computed at once by a rule, or left to a judge's job."""

from collections.abc import Sequence
from dataclasses import dataclass

from gnomon.errors import Conflict, GnomonError, InvalidInput, NotFound, Problem
from gnomon.model.job import JobAccepted
from gnomon.model.quickrun import ArrivedTargetScore
from gnomon.model.score import Score, ScoreDraft, ScoresAccepted
from gnomon.scorers import Absent, Failed, ModelScorer, Sample
from gnomon.service import conversations, judging, scoring, whole
from gnomon.service.call import Call, just_written
from gnomon.service.scoring import Planned, Target
from gnomon.store import datasets, experiments, scores


@dataclass(frozen=True, slots=True)
class Queued:
    """A judge will say; this job asks it."""

    job_id: str


Outcome = str | Queued | Absent | Failed
"""A score's id, or what stands in for it."""


def one(call: Call, draft: ScoreDraft, planned: Planned | None = None) -> Score | JobAccepted | None:
    """Attach one score. None when its scorer says that there is nothing to score."""
    planned = planned or scoring.plan(draft)
    (target,) = _find_targets(call, [draft], [planned])
    (result,) = carry_out(call, [(target, planned)])
    if isinstance(result, Queued):
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
    accepted = sum(isinstance(result, str | Queued) for result in results)
    return ScoresAccepted(accepted=accepted, score_ids=ids, job_ids=job_ids(results))


def carry_out(
    call: Call, work: Sequence[tuple[Target, Planned]], *, fresh: bool = False, job_id: str | None = None,
    no_cache: bool = False,
) -> list[Outcome]:  # fmt: skip
    """Rules now, judges as jobs. With a `job_id`, these belong to that job."""
    scorers = {id(planned.scorer): planned.scorer for _, planned in work}  # a batch shares a few
    if not any(isinstance(scorer, ModelScorer) for scorer in scorers.values()):
        return list(scoring.measure(call, work, fresh=fresh, job_id=job_id))
    judged = [isinstance(planned.scorer, ModelScorer) for _, planned in work]
    rules = [one for one, is_judge in zip(work, judged, strict=True) if not is_judge]
    judges = [one for one, is_judge in zip(work, judged, strict=True) if is_judge]
    measured = iter(scoring.measure(call, rules, fresh=fresh, job_id=job_id))
    asked = iter(judging.enqueue(call, judges, parent_id=job_id, no_cache=no_cache))
    found: list[Outcome] = []
    for is_judge in judged:
        if is_judge:
            answer = next(asked)
            found.append(Queued(answer) if isinstance(answer, str) else answer)
        else:
            found.append(next(measured))
    return found


def job_ids(results: Sequence[Outcome]) -> list[str]:
    return [result.job_id for result in results if isinstance(result, Queued)]


def _find_targets(call: Call, drafts: Sequence[ArrivedTargetScore], plans: Sequence[Planned]) -> list[Target]:
    """The targets in order. Every missing or ambiguous one is named."""
    wanted = {draft.target_id for draft in drafts if draft.target_type == "run"}
    runs = _runs_as_targets(call, wanted, with_items=any(plan.scorer is not None for plan in plans))
    found: list[Target] = []
    problems: list[Problem] = []
    for index, draft in enumerate(drafts):
        try:
            found.append(runs[draft.target_id] if draft.target_type == "run" else _find_traced(call, draft))
        except KeyError:
            problems.append(Problem("target_id", "NOT_FOUND", f"run {draft.target_id!r} does not exist", index))
        except (NotFound, Conflict) as refusal:
            problems.append(Problem("target_id", refusal.code, refusal.message, index))
    if problems:
        family = Conflict if problems[0].code == "AMBIGUOUS_TARGET" else NotFound
        # An object that is missing is said before one that is ambiguous.
        missing = [problem for problem in problems if problem.code == "NOT_FOUND"]
        if missing:
            family, problems = NotFound, missing
        raise family(problems[0].message, code=problems[0].code, problems=problems)
    return found


def _runs_as_targets(call: Call, ids: set[str], *, with_items: bool) -> dict[str, Target]:
    """Runs that this key may see; with their item's input and expected output where a scorer will ask for them."""
    if not ids:
        return {}
    if not with_items:
        held = experiments.runs_held(call.db, ids)
        return {row.id: scoring.bare_target(row) for row in held if call.who.sees(row.project_id)}
    rows = [row for row in experiments.runs_by_id(call.db, ids) if call.who.sees(row.project_id)]
    hoped = datasets.expected_outputs(call.db, {row.dataset_item_id for row in rows})
    return {row.id: scoring.run_target(row, *hoped.get(row.dataset_item_id, (None, None))) for row in rows}


def _find_traced(call: Call, draft: ArrivedTargetScore) -> Target:
    """The span or conversation. A conversation's turns are read only for a scorer that looks at them."""
    if draft.target_type == "span":
        return _find_span(call, draft)
    row = conversations.find(call, draft.target_id, draft.project_id)
    if not draft.is_computed:
        return Target(row.project_id, "conversation", row.id, Sample())
    return just_written(whole.conversation_target(call, row.project_id, row.id))


def _find_span(call: Call, draft: ArrivedTargetScore) -> Target:
    own, asked = call.who.project_id, draft.project_id
    is_other = None not in (own, asked) and own != asked
    rows = [] if is_other else call.spans.find_span(call.db, draft.target_id, asked or own, draft.trace_id)
    if not rows:
        raise NotFound(f"span {draft.target_id!r} does not exist")
    if len(rows) > 1:
        several, needed = ("traces", "trace_id") if draft.trace_id is None else ("projects", "project_id")
        message = f"several {several} hold a span {draft.target_id!r}; add its `{needed}`"
        raise Conflict(message, code="AMBIGUOUS_TARGET")
    return scoring.span_target(rows[0])
