"""New scores for stored outputs: the task is not run again.

Built-in scorers and judges are a job, as everywhere. Functions are called here, for every run that has no score of
theirs yet. A score that stands is not replaced: a function that has changed needs a name of its own.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import Any

from gnomon.errors import InvalidInput, NotFound
from gnomon.model.backend import Backend
from gnomon.model.experiment import Experiment, Run, ScoreExperimentDraft
from gnomon.model.score import ScoreDraft, ScorerSpec
from gnomon.model.trace import Trace
from gnomon.service.evaluation import judges
from gnomon.service.evaluation.binding import BoundScorer, bind_scorers
from gnomon.service.evaluation.data import EvaluationItem
from gnomon.service.evaluation.identity import scorer_identity
from gnomon.service.evaluation.preparing import Surroundings
from gnomon.service.evaluation.scoring import Finished, ItemTrial, Scoring
from gnomon.shorten import counted

_TOGETHER = 1000
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 0.5


def rescore(experiment: Experiment, scorers: Any, around: Surroundings, concurrency: int = 16) -> list[str]:
    """Score what is stored; returns what a user should know."""
    bound = bind_scorers(scorers)
    if not bound:
        raise InvalidInput.of("scorers", "scorers is empty; name at least one")
    functions = [scorer for scorer in bound if isinstance(scorer, BoundScorer)]
    specs = [scorer for scorer in bound if isinstance(scorer, ScorerSpec)]
    _refuse_changed(experiment, functions, around.backend)
    notes = []
    if specs:
        notes += _by_job(experiment, specs, around)
    if functions:
        notes += _by_functions(experiment, functions, around, concurrency)
    return notes


def _refuse_changed(experiment: Experiment, functions: Sequence[BoundScorer], backend: Backend) -> None:
    before = ((experiment.metadata or {}).get("gnomon") or {}).get("scorers") or {}
    for function in functions:
        if function.name not in before or before[function.name] == scorer_identity(function.scorer).hash:
            continue
        if next(iter(backend.runs(experiment.id, scorer_name=function.name)), None) is not None:
            raise InvalidInput.of(
                "scorers",
                f"scorer {function.name} has changed since {experiment.name!r} was scored by it, and those scores "
                f"stand; give the new one a name of its own, as in scorer(name='{function.name}-2'), or evaluate again",
            )


def _by_job(experiment: Experiment, specs: list[ScorerSpec], around: Surroundings) -> list[str]:
    backend = around.backend
    accepted = backend.score_experiment(experiment.id, ScoreExperimentDraft(scorers=specs))
    with judges.working(backend, around.settings, judges.models_of(specs)) as idle:
        pause = _FIRST_PAUSE
        while (job := backend.job(accepted.job_id)).status in ("queued", "running") and not around.stop.is_set():
            around.progress.judged(sum(job.counts.values()), job.total)
            idle.wait(pause)
            idle.clear()
            pause = min(_LONGEST_PAUSE, pause * 1.5)
    return [f"scoring ended as {job.status}: {job.reason}"] if job.status in ("failed", "cancelled") else []


def _by_functions(
    experiment: Experiment, functions: Sequence[BoundScorer], around: Surroundings, concurrency: int
) -> list[str]:
    backend, scoring = around.backend, Scoring(functions, loop=around.loop)
    metadata = _metadata(backend, experiment) if any("metadata" in function.wants for function in functions) else {}
    skipped = 0

    def score(run: Run) -> list[ScoreDraft]:
        scored_names = {stored.scorer_name for stored in run.scores}
        finished = scoring.scored(_as_finished(run, metadata), _LazyTrace(backend, run, experiment.project_id))
        return [
            ScoreDraft(target_id=run.id, target_type="run", **draft.model_dump(exclude_unset=True))
            for draft in finished.scores
            if draft.scorer_name not in scored_names
        ]

    try:
        with ThreadPoolExecutor(concurrency, "gnomon-scorer") as pool:
            for runs in _parts(backend.runs(experiment.id)):
                missing = [
                    run
                    for run in runs
                    if {function.name for function in functions} - {s.scorer_name for s in run.scores}
                ]
                skipped += len(runs) - len(missing)
                drafts = [draft for drafts in pool.map(score, missing) for draft in drafts]
                for start in range(0, len(drafts), _TOGETHER):
                    backend.add_scores(drafts[start : start + _TOGETHER])
                around.progress.ran(len(runs), 0, None)
    finally:
        scoring.close()
    return [f"{counted(skipped, 'run')} had these scores already"] if skipped else []


def _parts(runs: Iterator[Run]) -> Iterator[list[Run]]:
    while part := list(islice(runs, _TOGETHER)):
        yield part


def _metadata(backend: Backend, experiment: Experiment) -> dict[str, dict[str, Any] | None]:
    return {item.id: item.metadata for item in backend.items(experiment.dataset_id, experiment.dataset_version)}


def _as_finished(run: Run, metadata: dict[str, dict[str, Any] | None]) -> Finished:
    item = EvaluationItem(run.dataset_item_id, run.input, run.expected_output, metadata.get(run.dataset_item_id))
    return Finished(ItemTrial(item, run.dataset_item_id, run.trial), run.output, run.error)


@dataclass(frozen=True, slots=True)
class _LazyTrace:
    """The trace of a stored run, fetched when a scorer looks at it."""

    backend: Backend
    run: Run
    project_id: str

    def trace(self) -> Trace | None:
        if self.run.trace_id is None:
            return None
        try:
            return self.backend.trace(self.run.trace_id, self.project_id)
        except NotFound:
            return None
