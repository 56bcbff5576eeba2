"""An evaluation from beginning to end: read the data, find or make the experiment, run, store, score, complete.

It knows a `Backend`, so it is the same with a server and without. What it prints, traces and waits for comes in as
arguments.
"""

import contextlib
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice

from gnomon.collector import collector_paused
from gnomon.errors import GnomonError
from gnomon.model.experiment import Experiment
from gnomon.model.metrics import MetricsDraft
from gnomon.model.score import InlineScoreDraft
from gnomon.service.evaluation import judges, metrics
from gnomon.service.evaluation.binding import BoundTask
from gnomon.service.evaluation.identity import task_identity
from gnomon.service.evaluation.outputcache import TaskCache
from gnomon.service.evaluation.preparing import (
    EvaluationRequest,
    Prepared,
    Surroundings,
    check_judges,
    names_of,
    prepare,
    stored_items,
    wanted,
)
from gnomon.service.evaluation.resuming import Chosen, choose
from gnomon.service.evaluation.running import Running
from gnomon.service.evaluation.scoring import Finished, ItemTrial, Scoring
from gnomon.service.evaluation.stopping import Looks, looks_for
from gnomon.service.evaluation.storing import RunStore, Unsent
from gnomon.service.evaluation.work import Work
from gnomon.shorten import counted

_SMALLEST_BLOCK = 10


@dataclass(slots=True)
class Evaluated:
    """What came of it. The numbers are in the store."""

    experiment: Experiment
    ran: int = 0
    cached: int = 0
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)


class EvaluationStopped(KeyboardInterrupt):
    """Ctrl-C, after everything that had run was stored. Its text says how to go on.

    >>> try:
    ...     result = gn.evaluate(str.upper, [{"input": "a"}], name="letters", progress=False)
    ... except gn.EvaluationStopped as stopped:
    ...     print(stopped)
    """


def evaluate(request: EvaluationRequest, around: Surroundings) -> Evaluated:
    """Carry out the request. Task and scorers that fail are results; what is raised is about the evaluation itself."""
    started = time.monotonic()
    with collector_paused():
        prepared = prepare(request, around.backend, around.project_id)
        stored = stored_items(around, prepared)
    chosen = choose(around.backend, wanted(request, around, prepared, stored.dataset))
    news = [*filter(None, [stored.note]), *chosen.notes]
    evaluated = Evaluated(chosen.experiment, notes=[*prepared.data.notes, *news])
    for note in news:
        around.progress.note(note)
    with chosen.hold:
        check_judges(around, chosen.experiment, prepared)
        _Evaluation(request, around, prepared, chosen, evaluated, stored.item_ids).run()
    evaluated.seconds = time.monotonic() - started
    evaluated.experiment = around.backend.experiment(chosen.experiment.id)
    return evaluated


# --- running -----


class _Evaluation:
    """One evaluation on its way."""

    def __init__(
        self, request: EvaluationRequest, around: Surroundings, prepared: Prepared, chosen: Chosen,
        evaluated: Evaluated, item_ids: Sequence[str],
    ) -> None:  # fmt: skip
        self._request, self._around, self._prepared, self._chosen = request, around, prepared, chosen
        self._evaluated = evaluated
        self._backend, self._experiment = around.backend, chosen.experiment
        self._items = {item_ids[position]: prepared.data.items[position] for position in prepared.positions}
        self._models = judges.models_of(prepared.specs)
        unsent = Unsent(around.settings.home / "unsent", self._experiment.id)
        self._store = RunStore(self._backend, self._experiment.id, unsent, replace_failed=request.retry_failed)

    def run(self) -> None:
        looks = self._looks()
        pairs = self._pairs()
        total = len(self._items) * self._request.trials
        self._around.progress.begin(self._prepared.name, total, total - len(pairs))
        cache = self._cache()
        work = self._work(cache)
        judging = judges.working(self._backend, self._around.settings, self._models)
        try:
            with judging if self._models else contextlib.nullcontext():
                if looks is None:
                    self._run_pairs(work, pairs)
                else:
                    self._run_until_decided(work, pairs, looks)
                self._end(looks)
        finally:
            self._around.progress.end()
            work.scoring.close()
            if cache is not None:
                cache.close()

    def _pairs(self) -> list[ItemTrial]:
        """What is still to be run: every item once before any item twice."""
        trials, done = range(self._request.trials), self._chosen.done
        with collector_paused():
            return [
                ItemTrial(item, id, trial)
                for trial in trials
                for id, item in self._items.items()
                if (id, trial) not in done
            ]

    def _cache(self) -> TaskCache | None:
        if not self._request.cache:
            return None
        task = task_identity(self._prepared.task.function, self._request.version)
        self._evaluated.notes += task.notes
        return TaskCache(self._around.settings.home / "outputs.db", task.hash)

    def _work(self, cache: TaskCache | None) -> Work:
        drafts = [InlineScoreDraft.model_validate(spec.model_dump(exclude_unset=True)) for spec in self._prepared.specs]
        names = [name for spec in self._prepared.specs for name in names_of(spec)]
        scoring = Scoring(self._prepared.functions, drafts, names_of_specs=names, loop=self._around.loop)
        return Work(
            self._prepared.task, scoring, experiment=self._prepared.name, tracing=self._around.tracing, cache=cache,
            timeout=self._request.timeout,
        )  # fmt: skip

    def _run_pairs(self, work: Work, pairs: Sequence[ItemTrial]) -> None:
        with Running(work, pairs, self._request.concurrency) as running:
            try:
                while not running.is_done:
                    self._take(running.take())
                    if self._around.stop.is_set():
                        raise KeyboardInterrupt
            except KeyboardInterrupt:
                running.stop()
                self._take(running.take(0))
                raise self._stopped() from None
        self._store.flush()

    def _take(self, finished: Sequence[Finished]) -> None:
        self._store.add(finished)
        failed = [run for run in finished if run.error is not None]
        self._evaluated.ran += len(finished)
        self._evaluated.cached += sum(run.cached for run in finished)
        if finished:
            self._around.progress.ran(len(finished), len(failed), _cost_so_far(self._prepared.task))
        if failed and self._request.on_error == "raise":
            self._store.finish()
            raise failed[0].exception or GnomonError(str(failed[0].error))

    def _stopped(self) -> EvaluationStopped:
        self._store.finish()
        self._flush_traces()
        total = len(self._items) * self._request.trials
        done = self._backend.experiment(self._experiment.id).run_count
        stored = f"{done:,} of {counted(total, 'run')} of {self._prepared.name!r} are stored"
        words = f"{stored}; run the same call again to go on"
        self._around.progress.note(words)
        return EvaluationStopped(words)

    def _end(self, looks: Looks | None) -> None:
        self._store.finish()
        self._flush_traces()
        if self._store.duplicates:
            self._evaluated.notes.append(
                f"{counted(self._store.duplicates, 'run')} had been stored by another process meanwhile"
            )
        if self._models and self._request.wait:
            self._wait_for_judges()
        if self._prepared.metrics:
            drafts = metrics.measure(self._prepared.metrics, list(self._backend.runs(self._experiment.id)))
            self._backend.set_metrics(self._experiment.id, MetricsDraft(metrics=drafts))
        if self._experiment.status != "completed":
            self._backend.complete(self._experiment.id, None if looks is None else looks.draft())

    def _wait_for_judges(self) -> None:
        try:
            judges.wait(self._backend, self._experiment.id, self._around.progress.judged, self._around.stop)
        except KeyboardInterrupt:
            words = "all runs are stored, and judges have not said all; a worker, or rescore, goes on with them"
            raise EvaluationStopped(words) from None

    def _flush_traces(self) -> None:
        if self._around.tracing is not None:
            self._around.tracing.flush()

    # --- stopping when it is decided -----

    def _looks(self) -> Looks | None:
        if self._request.stop_when is None:
            return None
        return looks_for(
            self._request.stop_when, self._backend, scorers=self._prepared.score_names, item_ids=list(self._items),
            project_id=self._around.project_id, experiment_id=self._experiment.id, trials=self._request.trials,
        )  # fmt: skip

    def _run_until_decided(self, work: Work, pairs: Sequence[ItemTrial], looks: Looks) -> None:
        """Run items block after block, in the order of the looks, and look after each."""
        by_item: dict[str, list[ItemTrial]] = {}
        for pair in pairs:
            by_item.setdefault(pair.item_id, []).append(pair)
        left = [id for id in looks.order if id in by_item]
        scorer_name, size = looks.gate.scorer_name, max(_SMALLEST_BLOCK, self._request.concurrency)
        before = self._means(scorer_name) if self._chosen.done else {}
        means = {id: mean for id, mean in before.items() if id not in by_item}
        while True:
            finished = len(looks.order) - len(left)
            if finished and looks.look(means, finished=finished).should_stop:
                break
            if not left:
                break
            block, left = left[:size], left[size:]
            runs = [pair for id in block for pair in by_item[id]]
            self._run_pairs(work, runs)
            self._store.finish()
            if scorer_name in self._judged_names:
                self._wait_for_judges()
            # Of items that an evaluation before had begun, older runs count too.
            new_means = self._means(scorer_name, newest=None if self._chosen.done else len(runs))
            means |= {id: new_means[id] for id in block if id in new_means}
        self._evaluated.notes.append(str(looks))

    @property
    def _judged_names(self) -> set[str]:
        """Scores that come later than the runs."""
        judged = [spec for spec in self._prepared.specs if judges.models_of([spec])]
        return {name for spec in judged for name in names_of(spec)}

    def _means(self, scorer_name: str, newest: int | None = None) -> dict[str, float]:
        """Item → the mean of its numbers under this name, over all runs or the newest."""
        by_item: dict[str, list[float]] = {}
        for run in islice(self._backend.runs(self._experiment.id, sort="-created_at"), newest):
            values = [score.value for score in run.scores if score.scorer_name == scorer_name]
            by_item.setdefault(run.dataset_item_id, []).extend(value for value in values if isinstance(value, float))
        return {id: math.fsum(values) / len(values) for id, values in by_item.items() if values}


def _cost_so_far(task: BoundTask) -> float | None:
    """The cost so far of a task that asks a model itself and keeps count."""
    spent = getattr(task.function, "spent", None)
    return getattr(spent, "cost_usd", None)
