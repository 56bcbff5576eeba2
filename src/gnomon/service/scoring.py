"""Scores are attached: given by the caller, or computed here by a built-in.

A draft is *planned* first (is there a value, which scorer, is its configuration sound?), so
that a bad one refuses the whole batch before anything is touched, and *measured* second.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from gnomon.errors import Conflict, GnomonError, InvalidInput, NotAvailable, NotFound, Problem
from gnomon.model.jsonvalue import dump
from gnomon.model.moment import to_ms
from gnomon.model.score import InlineScoreDraft, Score, ScoreDraft, ScoresAccepted, ScoringState, TargetType
from gnomon.scorers import Absent, Failed, Rule, Sample, Scored, Scorer, build, config_hash, is_builtin
from gnomon.service.call import Call, Listing, listing, visible
from gnomon.service.clock import created_ms
from gnomon.store import datasets, experiments, traces
from gnomon.store import scores as store
from gnomon.store.pages import Slice

log = logging.getLogger("gnomon.scoring")

JUDGE = "llm_judge"


class Target(NamedTuple):
    """A run or a span, with what a scorer needs to know of it."""

    project_id: str
    type: TargetType
    id: str
    sample: Sample
    trace_id: str | None = None
    experiment_id: str | None = None
    dataset_item_id: str | None = None
    error: str | None = None


class Planned(NamedTuple):
    """A draft that can be carried out: its own value is kept, or `scorer` computes one."""

    draft: InlineScoreDraft
    scorer: Scorer | None = None
    config_hash: str | None = None


def plan(draft: InlineScoreDraft) -> Planned:
    """Check a draft by itself; raise what is wrong with it."""
    if draft.value is not None:
        return Planned(draft)
    name = draft.scorer or draft.scorer_name
    if not is_builtin(name):
        message = f"{name!r} is no built-in scorer, so a `value` is needed"
        raise InvalidInput.of("value", message)
    scorer = build(name, draft.config)
    return Planned(draft, scorer, config_hash(scorer))


def plan_inline(drafts: Sequence[InlineScoreDraft], index: int) -> tuple[list[Planned], list[Problem]]:
    """Plan the scores inside one run or span; problems carry its index."""
    plans: list[Planned] = []
    problems: list[Problem] = []
    for number, draft in enumerate(drafts):
        try:
            plans.append(plan(draft))
        except GnomonError as bad:
            problems += [Problem(f"scores[{number}].{p.field}", p.code, p.message, index) for p in bad.problems]
    return plans, problems


def refuse_judges(plans: Iterable[Planned]) -> None:
    if any(plan.scorer is not None and plan.scorer.name == JUDGE for plan in plans):
        raise NotAvailable("llm_judge is not executed by this server yet; run it yourself and send its `value`")


def attach(call: Call, draft: ScoreDraft) -> Score | None:
    """Store one score. None when its scorer says that there is nothing to score."""
    planned = plan(draft)
    (target,) = _find_targets(call, [draft], [planned])
    refuse_judges([planned])
    (result,) = measure(call, [(target, planned)])
    return noun(store.get(call.db, target.id, result)) if isinstance(result, str) else None


def attach_all(call: Call, drafts: Sequence[ScoreDraft]) -> ScoresAccepted:
    """Store many scores, all of them or none."""
    plans: list[Planned] = []
    problems: list[Problem] = []
    for index, draft in enumerate(drafts):
        try:
            plans.append(plan(draft))
        except GnomonError as bad:
            problems += [Problem(p.field, p.code, p.message, index) for p in bad.problems]
    if problems:
        first = problems[0]
        raise InvalidInput(f"scores[{first.index}].{first.field}: {first.message}", code=first.code, problems=problems)
    targets = _find_targets(call, drafts, plans)
    refuse_judges(plans)
    results = measure(call, list(zip(targets, plans, strict=True)))
    ids = [result if isinstance(result, str) else None for result in results]
    return ScoresAccepted(accepted=sum(id is not None for id in ids), score_ids=ids, job_ids=[])


def of_target(
    call: Call, target_id: str, target_type: TargetType, trace_id: str | None, scorer_name: str | None, wanted: Slice
) -> Listing[Score]:
    rows = store.page_of_target(
        call.db,
        target_type,
        target_id,
        wanted,
        project_id=call.who.project_id,
        trace_id=trace_id,
        scorer_name=scorer_name,
    )
    return listing(rows, wanted, noun, lambda row: (row.id,))


def states(
    call: Call,
    *,
    target_id: str | None,
    experiment_id: str | None,
    state: str | None,
    scorer_name: str | None,
    wanted: Slice,
) -> Listing[ScoringState]:
    """Why things are not scored: of one target, or of all runs of an experiment."""
    if (target_id is None) == (experiment_id is None):
        raise InvalidInput.of("target_id", "name either a target_id or an experiment_id")
    if experiment_id is not None:
        visible(call.who, experiments.get(call.db, experiment_id), f"experiment {experiment_id!r}")
    rows = store.states_page(
        call.db, wanted, target_id=target_id, experiment_id=experiment_id, state=state, scorer_name=scorer_name,
        project_id=call.who.project_id,
    )  # fmt: skip
    return listing(
        rows, wanted, _state_noun, lambda row: (to_ms(row.updated_at), row.target_id, row.scorer_name, row.config_hash)
    )


def measure(
    call: Call, work: Sequence[tuple[Target, Planned]], *, fresh: bool = False, job_id: str | None = None
) -> list[str | Absent | Failed]:
    """Carry out plans; return each one's score id, or why it has none.

    `fresh` targets were stored in this transaction, so they have no earlier state to clear.
    """
    _note_repeats(call, work, fresh)
    ids = call.clock.new_ids(len(work))
    rows: list[tuple[Any, ...]] = []
    unscored: list[tuple[Any, ...]] = []
    results: list[str | Absent | Failed] = []
    now = call.clock.now_ms()
    made = created_ms(ids[0]) if ids else 0  # ids that are made together share their millisecond
    for id, (target, planned) in zip(ids, work, strict=True):
        found = planned.draft.value if planned.scorer is None else _computed(target, planned.scorer)
        if isinstance(found, Absent | Failed):
            unscored.append(_state_row(target, planned, found, job_id, now))
            results.append(found)
        else:
            rows.append(_row(id, target, planned, found, made))
            results.append(id)
    store.add(call.db, rows)
    if not fresh:
        computed = [(target, planned) for target, planned in work if planned.scorer is not None]
        store.clear_states(call.db, [_state_key(target, planned) for target, planned in computed])
    store.add_states(call.db, unscored)
    return results


def _note_repeats(call: Call, work: Sequence[tuple[Target, Planned]], fresh: bool) -> None:
    """Remember which scorers have several scores on one run: theirs are counted the slow way."""
    asked = [(target.id, planned.draft.scorer_name) for target, planned in work if target.type == "run"]
    if fresh and len(set(asked)) == len(asked):
        return
    pairs = Counter(asked)
    known = store.already_scored(call.db, pairs) if pairs and not fresh else set()
    repeated = {pair for pair, times in pairs.items() if times > 1 or pair in known}
    if repeated:
        names: dict[str, set[str]] = {}
        for target, planned in work:
            if target.experiment_id is not None and (target.id, planned.draft.scorer_name) in repeated:
                names.setdefault(target.experiment_id, set()).add(planned.draft.scorer_name)
        for experiment_id, scorers in sorted(names.items()):
            experiments.note_repeated(call.db, experiment_id, scorers)


def _computed(target: Target, scorer: Scorer) -> float | str | Absent | Failed:
    assert isinstance(scorer, Rule)  # judges were refused before anything was measured
    if target.error is not None:
        return Failed(f"the run failed: {target.error}")
    try:
        found = scorer.score(target.sample)
    except Exception as fault:  # a scorer that breaks on one sample must not take the batch with it
        log.exception("scorer %s broke on %s %s", scorer.name, target.type, target.id)
        return Failed(f"the scorer broke: {type(fault).__name__}")
    return found.value if isinstance(found, Scored) else found


def _row(id: str, target: Target, planned: Planned, value: float | str | None, made: int) -> tuple[Any, ...]:
    draft, scorer, hashed = planned
    return (
        id,
        target.project_id,
        target.type,
        target.id,
        target.trace_id if target.type == "span" else None,
        target.experiment_id,
        target.dataset_item_id,
        draft.scorer_name,
        value if isinstance(value, float) else None,
        value if isinstance(value, str) else None,
        draft.rationale,
        "api" if scorer is None and draft.source != "human" else "human" if scorer is None else "builtin",
        None if scorer is None else scorer.name,
        None if draft.config is None else dump(draft.config),
        hashed,
        None if draft.metadata is None else dump(draft.metadata),
        made,
    )


def _state_key(target: Target, planned: Planned) -> tuple[str, str, str, str, str, str]:
    name, hashed = planned.draft.scorer_name, planned.config_hash or ""
    return (target.id, target.type, target.trace_id or "", target.project_id, name, hashed)


def _state_row(
    target: Target, planned: Planned, found: Absent | Failed, job_id: str | None, now: int
) -> tuple[Any, ...]:
    id, kind, trace_id, project_id, scorer_name, hashed = _state_key(target, planned)
    state = "absent" if isinstance(found, Absent) else "failed"
    return (
        id, kind, trace_id, scorer_name, hashed, project_id, target.experiment_id, state, found.reason, job_id, now,
    )  # fmt: skip


def _find_targets(call: Call, drafts: Sequence[ScoreDraft], plans: Sequence[Planned]) -> list[Target]:
    """The targets in order. Every missing or ambiguous one is named."""
    wanted = {draft.target_id for draft in drafts if draft.target_type == "run"}
    runs = _runs_as_targets(call, wanted, with_items=any(plan.scorer is not None for plan in plans))
    found: list[Target] = []
    problems: list[Problem] = []
    for index, draft in enumerate(drafts):
        try:
            found.append(runs[draft.target_id] if draft.target_type == "run" else _find_span(call, draft))
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
    rows = [row for row in experiments.runs_by_id(call.db, ids) if call.who.sees(row.project_id)]
    hoped = datasets.expected_outputs(call.db, {row.dataset_item_id for row in rows}) if with_items else {}
    return {row.id: run_target(row, *hoped.get(row.dataset_item_id, (None, None))) for row in rows}


def run_target(row: Any, item_input: Any, expected_output: Any) -> Target:
    return Target(
        row.project_id, "run", row.id, Sample(item_input, row.output, expected_output),
        experiment_id=row.experiment_id, dataset_item_id=row.dataset_item_id,
        error=None if row.error is None else str(row.error["message"]),
    )  # fmt: skip


def _find_span(call: Call, draft: ScoreDraft) -> Target:
    rows = traces.find_span(call.db, draft.target_id, call.who.project_id, draft.trace_id)
    if not rows:
        raise NotFound(f"span {draft.target_id!r} does not exist")
    if len(rows) > 1:
        raise Conflict(f"several traces hold a span {draft.target_id!r}; add its `trace_id`", code="AMBIGUOUS_TARGET")
    span = rows[0]
    return Target(span.project_id, "span", span.id, Sample(span.input, span.output), trace_id=span.trace_id)


def noun(row: Any) -> Score:
    return Score(
        id=row.id, project_id=row.project_id, target_id=row.target_id, target_type=row.target_type,
        trace_id=row.trace_id, scorer_name=row.scorer_name, value=row.label if row.value is None else row.value,
        rationale=row.rationale, source=row.source, scorer=row.scorer, config=row.config, config_hash=row.config_hash,
        metadata=row.metadata, created_at=row.created_at,
    )  # fmt: skip


def _state_noun(row: Any) -> ScoringState:
    return ScoringState(
        target_id=row.target_id, target_type=row.target_type, trace_id=row.trace_id or None,
        scorer_name=row.scorer_name, config_hash=row.config_hash or None, state=row.state, reason=row.reason,
        job_id=row.job_id, updated_at=row.updated_at,
    )  # fmt: skip
