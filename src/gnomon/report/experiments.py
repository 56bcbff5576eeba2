"""One or two experiments as a page: scores with their intervals, what failed and why, the worst items, and what
changed between the two.

Everything is in the file: it can be mailed, kept, or put on any web server. Figures and words are those of
`gnomon summary` and `gnomon compare`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gnomon.model.experiment import Experiment, ExperimentComparison, Run
from gnomon.model.jsonvalue import dump
from gnomon.model.moment import iso
from gnomon.report import notebook
from gnomon.report.evaluation import EvaluationReport
from gnomon.report.plots import Bar, whiskers
from gnomon.report.rendering import drawing, render
from gnomon.report.text.drawing import clean, interval, number, shortened

if TYPE_CHECKING:
    from markupsafe import Markup

LONGEST_TEXT = 2000
"""Characters of an input or output that are shown."""


@dataclass(frozen=True, slots=True)
class WorstRuns:
    """The lowest scores of one scorer."""

    scorer_name: str
    runs: Sequence[Run]


@dataclass(frozen=True, slots=True)
class ExperimentPart:
    """What the page says of one experiment."""

    experiment: Experiment
    dataset_name: str
    report: EvaluationReport
    failures: Sequence[Run]
    """The first runs that ended in an error."""
    worst: Sequence[WorstRuns]


@dataclass(frozen=True, slots=True)
class Regression:
    """An item whose mean score fell, with the trials that show it best."""

    scorer_name: str
    base_score: float
    other_score: float
    base: Run | None
    other: Run | None


@dataclass(frozen=True, slots=True)
class ComparisonPart:
    """How the second experiment differs from the first."""

    comparison: ExperimentComparison
    base_name: str
    other_name: str
    regressions: Sequence[Regression]
    """The largest falls first."""
    regressed_count: int


@dataclass(frozen=True, slots=True)
class _Case:
    """One item: what was asked, answered and expected. What there is nothing of is left out."""

    title: str
    fields: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class _CaseGroup:
    """Items below one heading."""

    name: str
    cases: Sequence[_Case]


@dataclass(frozen=True, slots=True)
class _ExperimentSection:
    """One experiment."""

    name: str
    panel: notebook.Panel
    plot: "Markup | None"
    groups: Sequence[_CaseGroup]


@dataclass(frozen=True, slots=True)
class _Compared:
    """The comparison of two, with the items that got worse."""

    panel: notebook.Panel
    count: str
    cases: Sequence[_Case]


def page(parts: Sequence[ExperimentPart], comparison: ComparisonPart | None) -> str:
    """The whole page."""
    return render(
        "experiments.html",
        title=" → ".join(clean(part.experiment.name) for part in parts),
        origins=[_origin(part) for part in parts],
        comparison=_compared(comparison) if comparison else None,
        sections=[_section(part, is_alone=len(parts) == 1) for part in parts],
    )


def _origin(part: ExperimentPart) -> str:
    """Where the figures come from."""
    experiment = part.experiment
    words = f"{clean(experiment.name)}: dataset {clean(part.dataset_name)} (version {experiment.dataset_version}), "
    words += f"begun {iso(experiment.created_at)[:16].replace('T', ' ')} UTC"
    commit = _commit(experiment.metadata)
    return words + (f", commit {clean(commit)[:12]}" if commit else "")


def _commit(metadata: dict[str, Any] | None) -> str | None:
    about: Any = metadata
    for name in ("gnomon", "git", "commit"):
        about = about.get(name) if isinstance(about, dict) else None
    return about if isinstance(about, str) else None


# --- one experiment -----


def _section(part: ExperimentPart, *, is_alone: bool) -> _ExperimentSection:
    name = "Scores" if is_alone else clean(part.experiment.name)
    groups = [_failures(part), *map(_worst, part.worst)]
    return _ExperimentSection(
        name, notebook.evaluation_panel(part.report), _plot(part.report), [group for group in groups if group.cases]
    )


def _plot(report: EvaluationReport) -> "Markup | None":
    bars = []
    for scorer in report.summary.scores_by_scorer.values():
        if scorer.mean is not None:
            ends = scorer.confidence_interval_95
            words = number(scorer.mean) if ends is None else f"{number(scorer.mean)}  ({interval(ends)})"
            bars.append(Bar(clean(scorer.scorer_name), scorer.mean, ends, words))
    if not bars:
        return None
    return drawing(whiskers(bars, 0, 1, (0, 0.2, 0.4, 0.6, 0.8, 1), "Means with their intervals"))


def _failures(part: ExperimentPart) -> _CaseGroup:
    count = part.report.summary.failed_run_count
    shown = f", the first {len(part.failures)}" if count > len(part.failures) else ""
    cases = [
        _case(
            f"{clean(run.error.type or 'error')}, trial {run.trial}" if run.error else f"trial {run.trial}",
            [("input", run.input), ("message", run.error.message if run.error else None)],
        )
        for run in part.failures
    ]
    return _CaseGroup(f"Failed runs ({count:,}{shown})", cases)


def _worst(worst: WorstRuns) -> _CaseGroup:
    cases = [_worst_case(worst.scorer_name, run) for run in worst.runs]
    return _CaseGroup(f"Lowest scores by {clean(worst.scorer_name)}", [case for case in cases if case is not None])


def _worst_case(scorer_name: str, run: Run) -> _Case | None:
    scores = [score for score in run.scores if score.scorer_name == scorer_name and isinstance(score.value, float)]
    score = min(scores, key=lambda score: score.value, default=None)
    if score is None:
        return None
    fields = [("input", run.input), ("output", run.output), ("expected", run.expected_output)]
    return _case(f"{score.value:.3f}, trial {run.trial}", [*fields, ("why", score.rationale)])


# --- two experiments -----


def _compared(part: ComparisonPart) -> _Compared:
    shown = f", the {len(part.regressions)} largest" if part.regressed_count > len(part.regressions) else ""
    return _Compared(
        panel=notebook.comparison_panel(part.comparison, part.base_name, part.other_name),
        count=f"{part.regressed_count:,}{shown}",
        cases=[_regression(regression, part) for regression in part.regressions],
    )


def _regression(regression: Regression, part: ComparisonPart) -> _Case:
    change = f"{clean(regression.scorer_name)} {regression.base_score:.3f} → {regression.other_score:.3f}"
    known = regression.other or regression.base
    return _case(
        change,
        [
            ("input", known.input if known else None),
            (clean(part.base_name), _answer(regression.base)),
            (clean(part.other_name), _answer(regression.other)),
            ("expected", known.expected_output if known else None),
        ],
    )


def _answer(run: Run | None) -> Any:
    if run is None:
        return None
    return run.output if run.error is None else f"{run.error.type or 'error'}: {run.error.message}"


def _case(title: str, fields: Iterable[tuple[str, Any]]) -> _Case:
    return _Case(title, [(name, _shown(value)) for name, value in fields if value is not None])


def _shown(value: Any) -> str:
    """A text as it is; anything else as JSON."""
    return shortened(value if isinstance(value, str) else dump(value), LONGEST_TEXT)
