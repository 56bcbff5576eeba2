"""The parts of a report on two experiments: the gates on their difference, and the items that lost most."""

import heapq
from collections.abc import Iterator
from itertools import islice

from gnomon.errors import InvalidInput
from gnomon.model.aggregate import MissingPolicy
from gnomon.model.backend import Backend
from gnomon.model.experiment import ExperimentComparison, ScorerSummary, Summary
from gnomon.model.gates import BetterGate, DifferenceGate, NotWorseGate
from gnomon.model.nearest import nearest
from gnomon.report.evaluation import WorseItem

SHOWN_WORSE = 5


def difference_gates(
    summary: Summary,
    against: str,
    *,
    scorer_name: str | None = None,
    margin: float | None = None,
    better: bool = False,
) -> list[DifferenceGate]:
    """One gate per scorer that can be better or worse, or that failed everywhere; or one for the named scorer."""
    known = summary.scores_by_scorer
    if scorer_name is not None and scorer_name not in known and known:
        near = nearest(scorer_name, known)
        hint = f"did you mean {near!r}?" if near else f"the scorers here are {', '.join(known)}"
        raise InvalidInput.of("scorer", f"there is no scorer {scorer_name!r} in {summary.name}; {hint}")
    names = [scorer_name] if scorer_name is not None else [name for name in known if _has_numbers(known[name])]
    if better:
        return [BetterGate(name, against) for name in names]
    return [NotWorseGate(name, against, margin) for name in names]


def _has_numbers(scorer: ScorerSummary) -> bool:
    """Whether it gives numbers, or would if it did not fail; labels are neither better nor worse."""
    return scorer.mean is not None or (scorer.n_failed > 0 and not scorer.distribution)


def worst_items(
    backend: Backend,
    comparison: ExperimentComparison,
    most: int = SHOWN_WORSE,
    missing: MissingPolicy | None = None,
) -> list[WorseItem]:
    """The items that lost most, over all scorers, worst first."""
    if not most:
        return []
    every = _worse_items(backend, comparison, most, missing)
    return heapq.nsmallest(most, every, key=lambda worse: worse.item.delta or 0.0)


def _worse_items(
    backend: Backend, comparison: ExperimentComparison, most: int, missing: MissingPolicy | None
) -> Iterator[WorseItem]:
    base_id, other_id = comparison.base_experiment_id, comparison.compare_experiment_id
    for scorer in comparison.scorer_comparisons:
        if not scorer.regressed_count:
            continue
        items = backend.compared_items(
            base_id, other_id, scorer.scorer_name, missing=missing, show="regressed", sort="delta"
        )
        yield from (WorseItem(scorer.scorer_name, item) for item in islice(items, most))
