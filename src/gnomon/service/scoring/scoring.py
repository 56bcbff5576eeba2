"""Scores are attached: given by the caller, or computed here by a built-in.

A draft is *planned* first (is there a value, which scorer, is its configuration sound?), so
that a bad one refuses the whole batch before anything is touched, and *measured* second. What a
judge said is *recorded*; asking it is judging.py's work, and who decides between the two is attach.py.
"""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from gnomon.errors import GnomonError, InvalidInput, Problem
from gnomon.llm.providers import why_not
from gnomon.model.fields import NAME_LIMIT
from gnomon.model.jsonvalue import dump
from gnomon.model.moment import to_ms
from gnomon.model.nearest import did_you_mean
from gnomon.model.quickrun import ArrivedScore
from gnomon.model.score import InlineScoreDraft, JsonObject, Score, ScoringState, Source, State, TargetType
from gnomon.scorers import BUILTINS, Absent, Failed, ModelScorer, RuleScorer, Scorer, build, config_hash, is_builtin
from gnomon.scorers.protocol import shortened
from gnomon.service.call import Call, Listing, listing, project_in_scope, visible
from gnomon.service.clock import created_ms
from gnomon.service.scoring.measuring import ScoreToCompute
from gnomon.service.scoring.targets import Target
from gnomon.store import experiments, score_days
from gnomon.store import scores as store
from gnomon.store.pages import Slice
from gnomon.store.rows import ScoreRow, ScoringStateRow, StoredScore, StoredScoringState
from gnomon.store.score_days import NewScore

_UNSCORED = (Absent, Failed)
WHOLE = "target"
"""Key of a score's metadata that says that it is about a whole trace or conversation."""


class Planned(NamedTuple):
    """A checked draft: its own value is stored, or `scorer` computes one."""

    draft: ArrivedScore
    scorer: Scorer | None = None
    config_hash: str | None = None

    @property
    def parts(self) -> "dict[str, Planned]":
        """Part → the plan of its own score. The configuration stands on the score of the whole; a part has its hash."""
        if not isinstance(self.scorer, ModelScorer):
            return {}
        return {part: self._part(name) for part, name in self.scorer.part_names(self.draft.scorer_name).items()}

    def _part(self, name: str) -> "Planned":
        return self._replace(draft=self.draft.part(name))

    @property
    def score_names(self) -> list[str]:
        """The names of the scores that it makes, the score of the whole first."""
        name = self.draft.scorer_name
        parts = self.scorer.part_names(name) if isinstance(self.scorer, ModelScorer) else {}
        return [name, *parts.values()]


class Planner:
    """Plans the drafts of one request. A scorer that many of them name is built once."""

    def __init__(self) -> None:
        self._planned: dict[tuple[str, str | None, str | None], Planned] = {}
        self.has_judges = False

    def plan(self, draft: ArrivedScore) -> Planned:
        """Check a draft by itself; raise what is wrong with it."""
        if not draft.is_computed:
            return Planned(draft)
        key = (draft.scorer_name, draft.scorer, None if draft.config is None else dump(draft.config))
        same = self._planned.get(key)
        if same is None:
            self._planned[key] = same = plan(draft)
            self.has_judges |= isinstance(same.scorer, ModelScorer)
        return Planned(draft, same.scorer, same.config_hash)


def plan(draft: ArrivedScore) -> Planned:
    """Check a draft by itself; raise what is wrong with it."""
    if not draft.is_computed:
        return Planned(draft)
    name = draft.scorer or draft.scorer_name
    if not is_builtin(name):
        near = did_you_mean(name, BUILTINS)
        message = f"{name!r} is not a built-in scorer, so a `value` is needed, or a reason as `absent` or `failed`"
        raise InvalidInput.of("value", f"{message}; {near}" if near else message)
    scorer = build(name, draft.config)
    # Refuse a model that cannot be asked now, not after a thousand jobs have failed.
    reason = why_not(scorer.model, os.environ) if isinstance(scorer, ModelScorer) else None
    if reason is not None:
        raise InvalidInput.of("config.model", reason, code="INVALID_SCORER_CONFIG")
    planned = Planned(draft, scorer, config_hash(scorer))
    if long := next((name for name in planned.score_names if len(name) > NAME_LIMIT), None):
        words = f"the score {shortened(long)} would have a name of {len(long)} characters; {NAME_LIMIT} are the most"
        raise InvalidInput.of("scorer_name", f"{words}, so shorten scorer_name or the dimension")
    return planned


def plan_inline(drafts: Sequence[ArrivedScore], index: int, planner: Planner) -> tuple[list[Planned], list[Problem]]:
    """Plan the scores inside one run or span; problems carry its index."""
    plans: list[Planned] = []
    problems: list[Problem] = []
    for number, draft in enumerate(drafts):
        try:
            plans.append(planner.plan(draft))
        except GnomonError as bad:
            problems += [Problem(f"scores[{number}].{p.field}", p.code, p.message, index) for p in bad.problems]
    if not problems and planner.has_judges and (clash := doubled_name(plans)):  # only theirs have parts
        problems.append(Problem("scores", "INVALID_REQUEST", clash, index))
    return plans, problems


def names_to_come(spec: JsonObject) -> list[str]:
    """The names of the scores that a scorer, kept as a job's payload keeps it, is to make."""
    name: str = spec["scorer_name"]
    try:
        scorer = build(spec["scorer"] or name, spec["config"])
    except GnomonError:  # accepted by an older Gnomon, or by one that knew more
        return [name]
    return Planned(InlineScoreDraft(scorer_name=name), scorer).score_names


def doubled_name(plans: Sequence[Planned]) -> str | None:
    """What is wrong when a part's score would have the name of another scorer's, so that the two were taken for one.

    Scorers of one name are the same judge, asked again or configured otherwise.
    """
    made_by: dict[str, str] = {}
    for planned in plans:
        own = planned.draft.scorer_name
        for name in planned.score_names:
            other = made_by.setdefault(name, own)
            if other != own:
                whole, of = (own, other) if name != own else (other, own)
                words = f"{name!r} is a dimension of {whole!r} and a score of {of!r} too"
                return f"{words}; give one of them another scorer_name"
    return None


def of_target(
    call: Call,
    target_id: str,
    target_type: TargetType | None,
    trace_id: str | None,
    scorer_name: str | None,
    page: Slice,
    project_id: str | None = None,
) -> Listing[Score]:
    if call.principal.project_id is not None:
        project_id = project_in_scope(call.principal, project_id)
    rows = store.page_of_target(
        call.db,
        target_id,
        page,
        target_type=target_type,
        project_id=project_id,
        trace_id=trace_id,
        scorer_name=scorer_name,
    )
    changed = _changed_later(call, rows)
    return listing(rows, page, lambda row: noun(row, stale=row.id in changed), lambda row: (row.id,))


def of_trace(call: Call, project_id: str, trace_id: str, most: int) -> list[Score]:
    """The scores of all spans of a trace, newest first."""
    rows = store.of_trace(call.db, project_id, trace_id, most)
    about_all = [row for row in rows if (row.metadata or {}).get(WHOLE) == "trace"]
    last = call.spans.last_change(call.db, project_id, trace_id, trace_id) if about_all else None
    stale = {row.id for row in about_all if last is not None and last > row.created_at}
    return [noun(row, stale=row.id in stale) for row in rows]


def of_traces(call: Call, project_id: str, changed: Mapping[str, datetime | None], most: int) -> dict[str, list[Score]]:
    """Trace id → the newest scores of its spans, for traces of which it is known when they last changed."""
    scores: dict[str, list[Score]] = {}
    for row in store.of_traces(call.db, project_id, changed, most) if changed else ():
        last = changed[row.trace_id or ""] if (row.metadata or {}).get(WHOLE) == "trace" else None
        stale = last is not None and last > row.created_at
        scores.setdefault(row.trace_id or "", []).append(noun(row, stale=stale))
    return scores


def states_of_trace(call: Call, project_id: str, trace_id: str, most: int) -> list[ScoringState]:
    """Why spans of a trace have no score, the newest first."""
    return [_state_noun(row) for row in store.states_of_trace(call.db, project_id, trace_id, most)]


def _changed_later(call: Call, rows: Sequence[ScoreRow]) -> set[str]:
    """Ids of the scores of whole traces and conversations to which something came after they were scored."""
    whole = {row.id: kind for row in rows if (kind := (row.metadata or {}).get(WHOLE)) in ("trace", "conversation")}
    changed: set[str] = set()
    for row in rows:
        if row.id in whole:
            last = call.spans.last_change(call.db, row.project_id, row.target_id, row.trace_id)
            if last is not None and last > row.created_at:
                changed.add(row.id)
    return changed


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
        visible(call.principal, experiments.get(call.db, experiment_id), f"experiment {experiment_id!r}")
    rows = store.states_page(
        call.db, wanted, target_id=target_id, experiment_id=experiment_id, state=state, scorer_name=scorer_name,
        project_id=call.principal.project_id,
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
    return keep(call, work, _values(call, work), fresh=fresh, unscored=fresh, job_id=job_id)


def keep(
    call: Call,
    work: Sequence[tuple[Target, Planned]],
    values: Sequence[float | str | Absent | Failed | None],
    *,
    fresh: bool = False,
    unscored: bool = False,
    job_id: str | None = None,
) -> list[str | Absent | Failed]:
    """Store what was found out, as `measure` does. Of `unscored` targets it is known that they have no such score."""
    _note_repeats(call, work, unscored)
    ids = call.clock.new_ids(len(work))
    rows: list[StoredScore] = []
    numbers: list[NewScore] = []
    states: dict[store.StateKey, StoredScoringState] = {}
    results: list[str | Absent | Failed] = []
    now = call.clock.now_ms()
    created_at = created_ms(ids[0]) if ids else 0  # ids that are made together share their millisecond
    last: Planned | None = None
    for id, (target, planned), value in zip(ids, work, values, strict=True):
        if planned is not last:
            last, described = planned, _described(planned)
        if isinstance(value, _UNSCORED):
            states[_state_key(target, planned)] = _state_row(target, planned, value, job_id, now)
            results.append(value)
        else:
            if states:  # said of the same target before, in the same batch
                states.pop(_state_key(target, planned), None)
            rows.append(_row(id, target, planned.draft.scorer_name, value, described, created_at))
            if target.started_ms is not None:
                numbers += _number(target, planned, value)
            results.append(id)
    store.add(call.db, rows)
    score_days.add(call.db, numbers)
    if not fresh:
        _clear_states(call, work)
    store.add_states(call.db, list(states.values()))
    return results


def _clear_states(call: Call, work: Sequence[tuple[Target, Planned]]) -> None:
    if len(work) > 1:  # most experiments have no state, and most of a batch, which one query tells
        if not store.any_state(call.db, {target.experiment_id for target, _ in work}):
            return
        stated = store.stated(call.db, {target.id for target, _ in work})
        work = [(target, planned) for target, planned in work if target.id in stated] if stated else []
    store.clear_states(call.db, [_state_key(target, planned) for target, planned in work])


class Derived(NamedTuple):
    """A score that follows from what is stored of its target, or why there is none."""

    target: Target
    planned: Planned
    """What the score says besides its value; its `scorer` is None, since nothing has to be computed."""
    verdict: float | Absent


def keep_derived(call: Call, scorer: str, derived: Sequence[Derived]) -> None:
    """Store scores that this scorer derived. What was derived before is the caller's to delete."""
    now = call.clock.now_ms()
    scored = [(target, planned, value) for target, planned, value in derived if isinstance(value, float)]
    rows = []
    for id, (target, (draft, _, hashed), value) in zip(call.clock.new_ids(len(scored)), scored, strict=True):
        metadata = None if draft.metadata is None else dump(draft.metadata)
        config = None if draft.config is None else dump(draft.config)
        described: _Description = (draft.rationale, "builtin", scorer, config, hashed, metadata)
        rows.append(_row(id, target, draft.scorer_name, value, described, created_ms(id)))
    store.add(call.db, rows)
    absent = [(target, planned, value) for target, planned, value in derived if isinstance(value, Absent)]
    store.add_states(call.db, [_state_row(target, planned, value, None, now) for target, planned, value in absent])


@dataclass(frozen=True, slots=True)
class RecordedVerdict:
    """What a judge's job found out about one target, as one of the scores that it makes."""

    target: Target
    planned: Planned
    verdict: float | str | Absent | Failed
    rationale: str | None
    metadata: JsonObject
    job_id: str


def record(call: Call, judged: Sequence[RecordedVerdict]) -> list[str | None]:
    """Store what judges said: a score each, or why there is none. The ids of the scores, in order."""
    work = [(judged_score.target, judged_score.planned) for judged_score in judged]
    _note_repeats(call, work, unscored=False)
    now = call.clock.now_ms()
    rows, unscored = [], []
    numbers: list[NewScore] = []
    results: list[str | None] = []
    for id, score in zip(call.clock.new_ids(len(judged)), judged, strict=True):
        if isinstance(score.verdict, Absent | Failed):
            unscored.append(_state_row(score.target, score.planned, score.verdict, score.job_id, now))
            results.append(None)
        else:
            described = _described(score.planned, score)
            name = score.planned.draft.scorer_name
            rows.append(_row(id, score.target, name, score.verdict, described, created_ms(id)))
            numbers += _number(score.target, score.planned, score.verdict)
            results.append(id)
    store.add(call.db, rows)
    score_days.add(call.db, numbers)
    _clear_states(call, work)
    store.add_states(call.db, unscored)
    return results


def set_state(call: Call, work: Sequence[tuple[Target, Planned, str | None]], state: State, reason: str | None) -> None:
    """Set the scoring state of these targets: queued, sampled_out, cancelled."""
    now = call.clock.now_ms()
    store.add_states(
        call.db,
        [
            _state_as(target, plan_part, state, reason, job_id, now)
            for target, planned, job_id in work
            for plan_part in (planned, *planned.parts.values())
        ],
    )


def _note_repeats(call: Call, work: Sequence[tuple[Target, Planned]], unscored: bool) -> None:
    """Remember which scorers have several scores on one run: theirs are counted the slow way."""
    scored_runs = [(target.id, planned.draft.scorer_name) for target, planned in work if target.type == "run"]
    if unscored and len(set(scored_runs)) == len(scored_runs):
        return
    pairs = Counter(scored_runs)
    known = store.already_scored(call.db, pairs) if pairs and not unscored else set()
    repeated = {pair for pair, times in pairs.items() if times > 1 or pair in known}
    if repeated:
        names: dict[str, set[str]] = {}
        for target, planned in work:
            if target.experiment_id is not None and (target.id, planned.draft.scorer_name) in repeated:
                names.setdefault(target.experiment_id, set()).add(planned.draft.scorer_name)
        for experiment_id, scorers in sorted(names.items()):
            experiments.note_repeated(call.db, experiment_id, scorers)


def need(call: Call, work: Sequence[tuple[Target, Planned]]) -> None:
    """Undo this transaction now if scorers have to run first, before it has done more than read."""
    call.measured.peek(questions(work))


def questions(work: Sequence[tuple[Target, Planned]]) -> list[ScoreToCompute]:
    """What the rules among the plans are to look at."""
    return [
        ScoreToCompute(planned.scorer, target.sample, target.error)
        for target, planned in work
        if planned.scorer is not None and isinstance(planned.scorer, RuleScorer)  # judges are asked elsewhere
    ]


def _values(call: Call, work: Sequence[tuple[Target, Planned]]) -> list[float | str | Absent | Failed | None]:
    """What callers say, and what scorers have found."""
    count = sum(planned.scorer is not None for _, planned in work)
    if not count:
        return [_stated(planned.draft) for _, planned in work]
    results = call.measured.peeked(count) or call.measured.of(questions(work))
    if count == len(work):
        return list(results)
    computed = iter(results)
    return [_stated(planned.draft) if planned.scorer is None else next(computed) for _, planned in work]


def _stated(draft: ArrivedScore) -> float | str | Absent | Failed | None:
    if draft.value is not None:
        return draft.value
    return Absent(draft.absent) if draft.absent is not None else Failed(draft.failed or "")


_Description = tuple[str | None, Source, str | None, str | None, str | None, str | None]
"""Of a score: rationale, source, scorer, configuration with its hash, and metadata, as the database keeps them."""


def _described(planned: Planned, judged: RecordedVerdict | None = None) -> _Description:
    """What scores of one plan have in common."""
    draft, scorer, hashed = planned
    metadata = draft.metadata if judged is None else {**(draft.metadata or {}), **judged.metadata}
    source: Source = "judge" if judged else "builtin" if scorer else "human" if draft.source == "human" else "api"
    return (
        draft.rationale if judged is None else judged.rationale,
        source,
        None if scorer is None else scorer.name,
        None if draft.config is None else dump(draft.config),
        hashed,
        None if metadata is None else dump(metadata),
    )


def _row(
    id: str, target: Target, name: str, value: float | str | None, described: _Description, created_at: int
) -> StoredScore:
    return StoredScore(  # by position, which takes half the time of names
        id,
        target.project_id,
        target.type,
        target.id,
        target.trace_id if target.type == "span" else None,
        target.experiment_id,
        target.dataset_item_id,
        name,
        value if isinstance(value, float) else None,
        value if isinstance(value, str) else None,
        *described,
        created_at,
    )


def _number(target: Target, planned: Planned, value: float | str | None) -> list[NewScore]:
    """What the daily sums take from a score: numbers of spans, not labels and not runs."""
    if target.started_ms is None or not isinstance(value, float):
        return []
    name, hashed = planned.draft.scorer_name, planned.config_hash
    return [NewScore(target.project_id, name, hashed, target.model, target.started_ms, value)]


def _state_key(target: Target, planned: Planned) -> store.StateKey:
    name, hashed = planned.draft.scorer_name, planned.config_hash or ""
    return store.StateKey(
        target_id=target.id, target_type=target.type, trace_id=target.trace_id or "", project_id=target.project_id,
        scorer_name=name, config_hash=hashed,
    )  # fmt: skip


def _state_row(
    target: Target, planned: Planned, result: Absent | Failed, job_id: str | None, now: int
) -> StoredScoringState:
    state: State = "absent" if isinstance(result, Absent) else "failed"
    return _state_as(target, planned, state, result.reason, job_id, now)


def _state_as(
    target: Target, planned: Planned, state: State, reason: str | None, job_id: str | None, now: int
) -> StoredScoringState:
    return StoredScoringState(
        target_id=target.id, target_type=target.type, trace_id=target.trace_id or "",
        scorer_name=planned.draft.scorer_name, config_hash=planned.config_hash or "", project_id=target.project_id,
        experiment_id=target.experiment_id, state=state, reason=reason, job_id=job_id, updated_at=now,
    )  # fmt: skip


def noun(row: ScoreRow, *, stale: bool = False) -> Score:
    return Score(
        id=row.id, project_id=row.project_id, target_id=row.target_id, target_type=row.target_type,
        trace_id=row.trace_id, scorer_name=row.scorer_name, value=row.label if row.value is None else row.value,
        rationale=row.rationale, source=row.source, scorer=row.scorer, config=row.config, config_hash=row.config_hash,
        metadata=row.metadata, created_at=row.created_at, stale=stale, author=row.author,
    )  # fmt: skip


def _state_noun(row: ScoringStateRow) -> ScoringState:
    return ScoringState(
        target_id=row.target_id, target_type=row.target_type, trace_id=row.trace_id or None,
        scorer_name=row.scorer_name, config_hash=row.config_hash or None, state=row.state, reason=row.reason,
        job_id=row.job_id, updated_at=row.updated_at,
    )  # fmt: skip
