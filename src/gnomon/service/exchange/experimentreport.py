"""What a page about one or two experiments needs, asked of any backend."""

from collections import Counter
from collections.abc import Callable, Iterator, Set
from itertools import islice

from gnomon.errors import InvalidInput
from gnomon.model.backend import Backend, find_experiment
from gnomon.model.experiment import Experiment, ExperimentComparison, ItemComparison, Run, Summary
from gnomon.report.evaluation import ErrorGroup, EvaluationReport
from gnomon.report.experiments import ComparisonPart, ExperimentPart, Regression, WorstRuns, page
from gnomon.service.exchange.exporting import Selection

_SHOWN_FAILURES = 10
_SHOWN_WORST = 5
_SHOWN_REGRESSIONS = 15
_MOST = 2


def experiments_page(backend: Backend, selection: Selection) -> str:
    """A page of the experiment that is named, or of two of them and what changed from the first to the second."""
    if not 1 <= len(selection.names) <= _MOST:
        words = f"a page shows one experiment or two, and {len(selection.names)} are named; name one or two"
        raise InvalidInput.of("names", words)
    first = find_experiment(backend, selection.names[0], selection.project_id, at=selection.at)
    if len(selection.names) == 1:
        return page([_part(backend, first)], None)
    other = find_experiment(backend, selection.names[1], selection.project_id, other_than=first.id)
    parts = [_part(backend, first), _part(backend, other)]
    return page(parts, _compared(backend, first, other))


def _part(backend: Backend, experiment: Experiment) -> ExperimentPart:
    summary = backend.summary(experiment.id)
    errors, failures = failed_runs(backend, summary)
    numeric = [name for name, aggregate in summary.scores_by_scorer.items() if aggregate.mean is not None]
    return ExperimentPart(
        experiment,
        backend.dataset(experiment.dataset_id).name,
        EvaluationReport(summary, errors),
        failures,
        [WorstRuns(name, list(_worst(backend, experiment, name))) for name in numeric],
    )


def failed_runs(backend: Backend, summary: Summary) -> tuple[list[ErrorGroup], list[Run]]:
    """Failed runs by the type of their error, the most frequent first; and the first of them."""
    failures: list[Run] = []
    types: Counter[str] = Counter()
    examples: dict[str, str] = {}
    for run in backend.runs(summary.experiment_id) if summary.failed_run_count else ():
        if run.error is not None:
            type = run.error.type or "an error"
            types[type] += 1
            examples.setdefault(type, run.error.message)
            failures += [run] * (len(failures) < _SHOWN_FAILURES)
    return [ErrorGroup(type, count, examples[type]) for type, count in types.most_common()], failures


def _worst(backend: Backend, experiment: Experiment, scorer_name: str) -> Iterator[Run]:
    """The runs with the lowest scores, unless those are full ones."""
    lowest = islice(backend.runs(experiment.id, scorer_name=scorer_name, sort="score"), _SHOWN_WORST)
    return (
        run for run in lowest if any(_is_low(score.value) for score in run.scores if score.scorer_name == scorer_name)
    )


def _is_low(value: float | str) -> bool:
    return isinstance(value, float) and value < 1


def _compared(backend: Backend, base: Experiment, other: Experiment) -> ComparisonPart:
    comparison = backend.compare(base.id, other.id)
    worse = _regressed(comparison)
    shown = worse[:_SHOWN_REGRESSIONS]
    keys = {(item["dataset_item_id"], item["scorer_name"]) for item in shown}
    before, after = _examples(backend, base, keys, max), _examples(backend, other, keys, min)
    regressions = []
    for item in shown:
        key = item["dataset_item_id"], item["scorer_name"]
        scores = float(item["base_score"] or 0), float(item["compare_score"] or 0)
        regressions.append(Regression(item["scorer_name"], *scores, before.get(key), after.get(key)))
    return ComparisonPart(comparison, base.name, other.name, regressions, len(worse))


def _regressed(comparison: ExperimentComparison) -> list[ItemComparison]:
    """Items whose score fell, the largest falls first."""
    fell = [(item["delta"], item) for item in comparison.per_item_results if item["delta"] is not None]
    return [item for delta, item in sorted(fell, key=lambda pair: pair[0]) if delta < 0]


def _examples(
    backend: Backend, experiment: Experiment, keys: Set[tuple[str, str]], better: Callable[[float, float], float]
) -> dict[tuple[str, str], Run]:
    """For each item the trial that shows the difference best: the highest score before, the lowest after."""
    examples: dict[tuple[str, str], tuple[float, Run]] = {}
    items = {item_id for item_id, _ in keys}
    for run in backend.runs(experiment.id) if keys else ():
        for score in run.scores if run.dataset_item_id in items else ():
            key = run.dataset_item_id, score.scorer_name
            if key in keys and isinstance(score.value, float):
                known = examples.get(key)
                if known is None or better(known[0], score.value) != known[0]:
                    examples[key] = score.value, run
    return {key: run for key, (_, run) in examples.items()}
