"""Runs of an experiment as they are looked at: pages of them, whole or lean, and one by itself."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar, cast, get_args

from gnomon.errors import InvalidInput, NotFound
from gnomon.model.cutting import as_text, cut, size
from gnomon.model.experiment import Run, RunError, RunOrder, RunScoreState
from gnomon.model.jsonvalue import JsonValue
from gnomon.model.run import LEAN_CHARACTERS, LeanRun, LeanScore, RunDetail, ScoreWithJob
from gnomon.model.score import Score
from gnomon.service.call import Call, Listing, listing, visible
from gnomon.service.experiments import experiments
from gnomon.service.scoring import scoring
from gnomon.service.scoring.standing import NEVER_ASKED, RUN_FAILED, pending_names, standing
from gnomon.service.traces.searching import Effort, says, search
from gnomon.store import aggregates, datasets, scores
from gnomon.store import runpages as store
from gnomon.store.pages import PageKey, Slice
from gnomon.store.rows import RunRow, ScoreRow, ScoringStateRow
from gnomon.store.runpages import RunFilter, RunWithMean, Unscored

SORTS = get_args(RunOrder)
_EFFORT = Effort(rows=200, most=2_000)
_TEXT_PER_RUN = 10_000  # characters that count as one run looked through
T = TypeVar("T")
Content = tuple[JsonValue, JsonValue]
"""An item's input and expected output."""


def all_of(
    call: Call, experiment_id: str, page: Slice, only: RunFilter | None = None, sort: str = "-created_at"
) -> Listing[Run]:
    return _page(call, experiment_id, page, only or RunFilter(), sort, _noun)


def lean(call: Call, experiment_id: str, page: Slice, only: RunFilter, sort: str) -> Listing[LeanRun]:
    """The same, each cut to what a row of a table shows."""
    return _page(call, experiment_id, page, only, sort, _lean_noun)


def get(call: Call, id: str, max_bytes: int | None = None) -> RunDetail:
    """One run with all that is known of it."""
    run = visible(call.principal, store.get(call.db, id), f"run {id!r}")
    if not call.principal.sees_runs_of(run.experiment_id):
        raise NotFound(f"run {id!r} does not exist")
    parts = _RunParts.of(call, run.experiment_id, [run])
    whole = _noun(run, parts)
    jobs = store.jobs_of(call.db, id)
    names = ("input", "output", "expected_output")
    cuts = {name: cut(getattr(whole, name), max_bytes) for name in names}
    fields = {name: getattr(whole, name) for name in Run.model_fields}
    fields |= {name: cut.value for name, cut in cuts.items()}
    fields |= {f"{name}_size": cut.size for name, cut in cuts.items()}
    fields["scores"] = [ScoreWithJob(**score.model_dump(), job_id=_job_of(score, jobs)) for score in whole.scores]
    return RunDetail(**fields, truncated=[name for name, cut in cuts.items() if cut.truncated])


def _job_of(score: Score, jobs: Sequence[store.JobOfScore]) -> str | None:
    """The job that made a score. A rubric's job names only the score of the whole; those of its parts begin alike."""
    if score.source != "judge":
        return None
    for job in jobs:
        if job.score_id == score.id:
            return job.id
    of_whole = [job.id for job in jobs if job.scorer_name and score.scorer_name.startswith(f"{job.scorer_name}.")]
    return of_whole[-1] if of_whole else None


def _page(
    call: Call,
    experiment_id: str,
    page: Slice,
    only: RunFilter,
    sort: str,
    make: "Callable[[RunWithMean, _RunParts], T]",
) -> Listing[T]:
    _refuse_impossible(only, sort)
    experiments.row(call, experiment_id)
    is_pending = only.asks_about_states and only.scorer_name in pending_names(call, [experiment_id])[experiment_id]
    unscored = Unscored(RUN_FAILED, NEVER_ASKED, is_pending)

    def read(part: Slice) -> list[RunWithMean]:
        return store.page(call.db, experiment_id, part, only, unscored, sort=sort)

    key = _KEYS.get(sort, _by_age)
    if only.q is None:
        listing_of_rows = listing(read(page), page, lambda row: row, key)
    else:
        listing_of_rows = search(page, read, key, _matches(call, only.q.casefold()), _EFFORT, _weight)
    parts = _RunParts.of(call, experiment_id, listing_of_rows.items)
    return Listing([make(row, parts) for row in listing_of_rows.items], listing_of_rows.next_key)


def _refuse_impossible(only: RunFilter, sort: str) -> None:
    if sort not in SORTS:
        raise InvalidInput.of("sort", f"sort is {sort!r}; it is one of {', '.join(SORTS)}")
    by_score = sort.endswith("score")
    filters = (only.least, only.most, only.state, only.reason, only.label)
    if only.scorer_name is None and (by_score or any(value is not None for value in filters)):
        raise InvalidInput.of("scorer_name", "min, max, state, reason, label and sort by score need a scorer_name")
    if by_score and (only.reason is not None or only.state not in (None, "scored")):
        raise InvalidInput.of("sort", f"runs without a score cannot be sorted by {sort!r}; sort by created_at or item")


def _by_age(row: RunWithMean) -> PageKey:
    return (row.id,)


_KEYS: dict[str, Callable[[RunWithMean], PageKey]] = {
    "score": lambda row: (row.mean, row.id),
    "-score": lambda row: (row.mean, row.id),
    "item": lambda row: (row.dataset_item_id, row.trial),
}


def _matches(call: Call, text: str) -> Callable[[Sequence[RunWithMean]], Iterable[bool]]:
    def matches(rows: Sequence[RunWithMean]) -> list[bool]:
        items = datasets.expected_outputs(call.db, {row.dataset_item_id for row in rows})
        matching = {id for id, content in items.items() if says(list(content), text)}
        return [row.dataset_item_id in matching or says(row.output, text) for row in rows]

    return matches


def _weight(rows: Sequence[RunWithMean]) -> int:
    return sum(1 + size(as_text(row.output)) // _TEXT_PER_RUN for row in rows)


@dataclass(frozen=True, slots=True)
class _RunParts:
    """What belongs to the runs of a page."""

    contents: Mapping[str, Content]
    scores: Mapping[str, Sequence[ScoreRow]]
    states: Mapping[str, Mapping[str, ScoringStateRow]]
    scorers: Sequence[str]
    """Those of the experiment, by name."""
    pending: frozenset[str]

    @classmethod
    def of(cls, call: Call, experiment_id: str, rows: Sequence[RunWithMean | RunRow]) -> "_RunParts":
        ids = [row.id for row in rows]
        states = store.states(call.db, ids)
        pending = pending_names(call, [experiment_id])[experiment_id]
        stated = {name for by_scorer in states.values() for name in by_scorer}
        names = {*aggregates.scorer_names(call.db, experiment_id), *pending, *stated}
        contents = datasets.expected_outputs(call.db, {row.dataset_item_id for row in rows})
        return cls(contents, scores.of_runs(call.db, ids), states, sorted(names), frozenset(pending))

    def content(self, row: RunWithMean | RunRow) -> Content:
        return self.contents.get(row.dataset_item_id, (None, None))

    def unscored(self, row: RunWithMean | RunRow) -> list[RunScoreState]:
        """The scorers of which a run has no score, and why."""
        scored = {score.scorer_name for score in self.scores[row.id]}
        stored = self.states.get(row.id, {})
        return [
            self._state(row, name, stored.get(name))
            for name in self.scorers
            if name not in scored
        ]  # fmt: skip

    def _state(self, row: RunWithMean | RunRow, name: str, stored: ScoringStateRow | None) -> RunScoreState:
        state, reason = standing(row.error is not None, stored, is_pending=name in self.pending)
        return RunScoreState(
            scorer_name=name,
            state=cast(Literal["absent", "failed", "pending"], state),
            reason=reason,
            config_hash=(stored.config_hash or None) if stored else None,
            job_id=stored.job_id if stored else None,
        )


def _noun(row: RunWithMean | RunRow, parts: _RunParts) -> Run:
    item_input, expected = parts.content(row)
    return Run(
        id=row.id, experiment_id=row.experiment_id, dataset_item_id=row.dataset_item_id, trial=row.trial,
        output=row.output, error=None if row.error is None else RunError(**row.error), trace_id=row.trace_id,
        input=item_input, expected_output=expected, scores=[scoring.noun(score) for score in parts.scores[row.id]],
        created_at=row.created_at, attempts=row.attempts, score_states=parts.unscored(row),
    )  # fmt: skip


def _lean_noun(row: RunWithMean, parts: _RunParts) -> LeanRun:
    texts = [as_text(value) for value in (*parts.content(row), row.output)]
    item_input, expected, output = (None if text is None else text[:LEAN_CHARACTERS] for text in texts)
    input_size, expected_size, output_size = map(size, texts)
    return LeanRun(
        id=row.id, experiment_id=row.experiment_id, dataset_item_id=row.dataset_item_id, trial=row.trial,
        input=item_input, input_size=input_size, output=output, output_size=output_size, expected_output=expected,
        expected_output_size=expected_size, error=None if row.error is None else RunError(**row.error),
        trace_id=row.trace_id, scores=_lean_scores(row, parts), created_at=row.created_at, attempts=row.attempts,
    )  # fmt: skip


def _lean_scores(row: RunWithMean, parts: _RunParts) -> list[LeanScore]:
    scored = [
        LeanScore(
            scorer_name=score.scorer_name, value=score.label if score.value is None else score.value, state="scored",
            reason=None, has_rationale=score.rationale is not None,
        )
        for score in parts.scores[row.id]
    ]  # fmt: skip
    others = [
        LeanScore(
            scorer_name=unscored.scorer_name,
            value=None,
            state=unscored.state,
            reason=unscored.reason,
            has_rationale=False,
        )
        for unscored in parts.unscored(row)
    ]
    return sorted([*scored, *others], key=lambda score: score.scorer_name)
