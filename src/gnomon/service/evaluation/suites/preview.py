"""What running an evaluation would take: items, runs, calls of models, and the cost where earlier runs tell it."""

from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import Any

from gnomon.errors import GnomonError
from gnomon.model.backend import Backend
from gnomon.model.experiment import Experiment, ScoreExperimentDraft
from gnomon.model.score import ScorerSpec
from gnomon.scorers import ModelScorer, build
from gnomon.service.evaluation.preparing import Surroundings, prepare
from gnomon.service.evaluation.suites.declared import Eval
from gnomon.service.evaluation.suites.running import RunOptions, request_of
from gnomon.shorten import counted

_LOOKED_AT = 20


@dataclass(frozen=True, slots=True)
class EvalPreview:
    """What an evaluation would run. Nothing was stored, and neither the task nor a model was called."""

    name: str
    source: str
    dataset: str
    items: int
    all_items: int
    trials: int
    runs: int
    task: str
    scorers: list[str]
    calls_by_model: dict[str, int]
    """Calls that Gnomon makes itself; what a function or an endpoint asks is not known."""
    cost_usd: float | None
    """Null where nothing tells it."""
    cost_words: str
    gates: list[str]
    against: str | None
    notes: list[str]


def preview(plan: Eval, around: Surroundings, options: RunOptions) -> EvalPreview:
    """Everything is read and checked as for a run."""
    prepared = prepare(request_of(plan, options), around.backend, around.project_id)
    items, runs = len(prepared.positions), len(prepared.positions) * plan.trials
    calls: Counter[str] = Counter()
    task = prepared.task.function
    task_model = getattr(task, "model", None) if hasattr(task, "spent") else None
    if task_model is not None and not options.rescore:
        calls[task_model] += runs
    for spec in prepared.specs:
        scorer = build(spec.scorer or spec.scorer_name, spec.config)
        if isinstance(scorer, ModelScorer):
            calls[scorer.model] += runs * scorer.samples
    cost, words = _cost(plan, around, prepared.specs, runs, bool(calls))
    return EvalPreview(
        name=options.name or plan.experiment_name, source=str(plan.source), dataset=prepared.data.name, items=items,
        all_items=len(prepared.data.items), trials=plan.trials, runs=runs, task=prepared.task.name,
        scorers=prepared.score_names, calls_by_model=dict(calls), cost_usd=cost, cost_words=words,
        gates=list(plan.gates), against=plan.against, notes=list(prepared.data.notes),
    )  # fmt: skip


def _cost(
    plan: Eval, around: Surroundings, specs: list[ScorerSpec], runs: int, asks_models: bool
) -> tuple[float | None, str]:
    """The expected cost, from what the last experiment of this name took per run."""
    last = _last(around.backend, plan.experiment_name, around.project_id)
    if last is None:
        words = "not known, since no earlier experiment tells it"
        return None, words if asks_models else "not known; Gnomon itself asks no model"
    if not asks_models and around.backend.summary(last.id).cost is None:
        return None, f"not known; the last {counted(last.run_count, 'run')} traced no model call"
    task_cost = _task_cost(around.backend, last)
    judge_cost = _judge_cost(around.backend, last, specs)
    if task_cost is None or judge_cost is None:
        return None, f"not known, since a price is missing for the models of {last.name!r}"
    per_run = (task_cost + judge_cost) / last.run_count
    return per_run * runs, f"as the last {counted(last.run_count, 'run')} took"


def _last(backend: Backend, name: str, project_id: str) -> Experiment | None:
    recent = islice(backend.experiments(project_id, name=name), _LOOKED_AT)
    return next((experiment for experiment in recent if experiment.run_count), None)


def _task_cost(backend: Backend, last: Experiment) -> float | None:
    cost = backend.summary(last.id).cost
    if cost is None:
        return 0.0
    if cost.usd is None or not cost.traced_run_count:
        return None
    return cost.usd / cost.traced_run_count * last.run_count


def _judge_cost(backend: Backend, last: Experiment, specs: list[ScorerSpec]) -> float | None:
    judges = [spec for spec in specs if isinstance(build(spec.scorer or spec.scorer_name, spec.config), ModelScorer)]
    if not judges:
        return 0.0
    draft = ScoreExperimentDraft(scorers=judges, only_missing=False, no_cache=True)
    try:
        return backend.preview_experiment(last.id, draft).cost_usd_estimate
    except GnomonError:  # such as a judge that this server cannot ask
        return None


def with_options(plan: Eval, **changed: Any) -> Eval:
    """The evaluation with what a caller gave for this time; None leaves it as it is."""
    options = {key: value for key, value in changed.items() if value is not None}
    return plan.changed(**options)
