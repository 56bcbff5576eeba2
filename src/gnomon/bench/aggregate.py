"""Runs of one agent on one scenario, together: rates with intervals, what k runs are worth, and the family's metrics.

Runs vary here and the scenario is fixed: the intervals say what other runs of the same scenario would give, and nothing
about other scenarios. Those, and agents against each other, are the leaderboard's. What a metric is comes from its
definition; how each kind is put together is here.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from math import fsum
from typing import Any

from gnomon.errors import InvalidInput
from gnomon.model.bench import (
    AggregatedScore,
    CountSummary,
    Ends,
    ExcludedRun,
    JudgeOutput,
    LabelsSummary,
    LabelSummary,
    MeanOverRuns,
    MeanSummary,
    MetricDefinition,
    MetricKind,
    MetricValue,
    RateSummary,
    RunScore,
    ScenarioMetric,
    ScenarioScore,
    Share,
    TimeSummary,
)
from gnomon.stats.card import mean_amount
from gnomon.stats.describe import RunningMoments, round_shown
from gnomon.stats.ends import Interval
from gnomon.stats.interval import interval_over, poisson_mean, wilson
from gnomon.stats.passk import pass_at_k, pass_pow_k
from gnomon.stats.survival import Wait, median_ends, median_wait, restricted_mean

JUDGE_SCALE = 10
OVERALL = "overall"
"""The name under which a judge's overall score stands among its dimensions."""


def scenario_score(runs: Sequence[RunScore], metrics: Sequence[MetricDefinition]) -> ScenarioScore:
    """Everything that the runs of one scenario say together; the unscored ones are listed with their reasons."""
    if not runs:
        raise InvalidInput.of("runs", "there is no run; give at least one")
    others = {run.scenario_id for run in runs}
    if len(others) > 1:
        message = f"runs of {len(others)} scenarios ({', '.join(sorted(others)[:3])}); aggregate one scenario at a time"
        raise InvalidInput.of("runs", message)
    scored = [run for run in runs if run.scorable]
    successes = [float(run.success is True) for run in scored]
    interval = interval_over([[value] for value in successes]) if scored else None
    some, every = pass_at_each_k(len(scored), int(fsum(successes))) if scored else ({}, {})
    return ScenarioScore(
        scenario_id=runs[0].scenario_id,
        family=next((run.family for run in runs if run.family), ""),
        run_count=len(scored),
        success=aggregated(successes) if successes else None,
        ci_method=None if interval is None else interval.method,
        flags=_flags(scored, interval),
        pass_at_k={k: value for k, (value, _) in some.items()},
        pass_pow_k={k: value for k, (value, _) in every.items()},
        pass_at_k_ci_95={k: ends for k, (_, ends) in some.items()},
        pass_pow_k_ci_95={k: ends for k, (_, ends) in every.items()},
        metrics=metrics_over(scored, metrics),
        flag_counts=dict(sorted(Counter(flag for run in scored for flag in run.flags).items())),
        excluded=[ExcludedRun(run_id=run.run_id, reason=run.reason or "no result") for run in runs if not run.scorable],
        runs=list(runs),
    )


# --- metrics, by kind -----


def metrics_over(runs: Sequence[RunScore], metrics: Sequence[MetricDefinition]) -> dict[str, ScenarioMetric]:
    """Each metric over the runs to which it applies; one that applies to none is not there."""
    summaries = {}
    for metric in metrics:
        values = [value for run in runs if (value := run.metrics.get(metric.name)) and not value.is_absent]
        if values:
            summaries[metric.name] = _SUMMARIES[metric.kind](values, metric)
    return summaries


def _rate(values: Sequence[MetricValue], metric: MetricDefinition) -> RateSummary:
    return RateSummary(**dict(aggregated([float(bool(metric_value.value)) for metric_value in values])))


def _mean(values: Sequence[MetricValue], metric: MetricDefinition) -> MeanSummary:
    return MeanSummary(
        kind="figure", **dict(figure([_number(metric_value.value) for metric_value in values], metric.maximum))
    )


def _count(values: Sequence[MetricValue], metric: MetricDefinition) -> CountSummary:
    return counted([int(_number(metric_value.value)) for metric_value in values])


def _time(values: Sequence[MetricValue], metric: MetricDefinition) -> TimeSummary:
    limit = min(metric_value.limit or 0 for metric_value in values)
    return time_to_event(
        [None if metric_value.value is None else int(_number(metric_value.value)) for metric_value in values], limit
    )


def _label(values: Sequence[MetricValue], metric: MetricDefinition) -> LabelSummary:
    return labelled([str(metric_value.value) for metric_value in values], metric.labels)


def _labels(values: Sequence[MetricValue], metric: MetricDefinition) -> LabelsSummary:
    sets = [
        set(metric_value.value) if isinstance(metric_value.value, list) else {str(metric_value.value)}
        for metric_value in values
    ]
    counts = Counter(label for labels in sets for label in labels)
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return LabelsSummary(shares={label: share(count, len(sets)) for label, count in ordered}, run_count=len(sets))


def _number(value: Any) -> float:
    """A number of a score; a label in its place is a defect of the family's scorer."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"a metric's value is {value!r}, and its kind asks for a number")
    return value


_SUMMARIES: dict[MetricKind, Callable[[Sequence[MetricValue], MetricDefinition], ScenarioMetric]] = {
    "rate": _rate, "figure": _mean, "count": _count, "time": _time, "label": _label, "labels": _labels,
}  # fmt: skip


def counted(values: Sequence[int]) -> CountSummary:
    """A count over several runs. Student's interval needs a spread; equal counts have the exact Poisson interval."""
    if not values:
        raise InvalidInput.of("values", "there is no run; without one there is no count")
    total, runs = sum(values), len(values)
    mean = mean_amount(sorted(map(float, values)), "")
    if mean.interval is not None:
        (low, high), method, flags = mean.interval, mean.method, []
    else:
        exact = poisson_mean(total, runs)
        low, high, method, flags = exact.low, exact.high, exact.method, ["single_run" if runs == 1 else "equal_counts"]
    return CountSummary(
        total=total, run_count=runs, mean=round_shown(total / runs),
        confidence_interval_95=(round_shown(low), round_shown(high)), ci_method=method, flags=flags,
    )  # fmt: skip


def labelled(values: Sequence[str], labels: Sequence[str] = ()) -> LabelSummary:
    """How many runs have each label: the known ones in their order, then any other."""
    counts = Counter(values)
    known = {label: counts[label] for label in labels}
    return LabelSummary(counts={**known, **dict(sorted(counts.items())), **known}, run_count=len(values))


def aggregated(values: Sequence[float]) -> AggregatedScore:
    """One metric in [0, 1] over several runs. k is their number, and a value of 1 is a success.

    A single run has a deviation of 0 there; its interval says how little that is worth.
    """
    if not values:
        raise InvalidInput.of("values", "there is no run; without one there is no score")
    interval = interval_over([[value] for value in values])
    moments = RunningMoments.of(values)
    passed = sum(value >= 1 for value in values)
    return AggregatedScore(
        mean=round_shown(fsum(values) / len(values)),
        standard_deviation=round_shown(moments.standard_deviation or 0.0),
        confidence_interval_95=_ends(interval),
        run_count=len(values),
        pass_at_k=1.0 if passed else 0.0,
        pass_pow_k=1.0 if passed == len(values) else 0.0,
    )


def share(count: int, runs: int) -> Share:
    return Share(
        count=count, run_count=runs, share=round_shown(count / runs), confidence_interval_95=_ends(wilson(count, runs))
    )


def figure(values: Sequence[float], scale: float = 1.0) -> MeanOverRuns:
    """The mean of real values from 0 to `scale`."""
    if not values:
        raise InvalidInput.of("values", "there is no run; without one there is no mean")
    interval = interval_over([[value / scale] for value in values])
    moments = RunningMoments.of(values)
    return MeanOverRuns(
        mean=round_shown(fsum(values) / len(values)),
        standard_deviation=round_shown(moments.standard_deviation),
        confidence_interval_95=_ends(interval, scale),
        ci_method=interval.method,
        run_count=len(values),
        flags=list(interval.flags),
    )


Curve = dict[str, tuple[float, Ends]]


def pass_at_each_k(runs: int, passed: int) -> tuple[Curve, Curve]:
    """pass@k and pass^k for every k up to the number of runs, each with its interval.

    Both rise with the rate of success, so the ends of its interval give theirs. What is estimated without bias can
    lie outside (4 of 5 passed: all of 5 never do); then the interval reaches to it.
    """
    rate = wilson(passed, runs)
    some: Curve = {}
    every: Curve = {}
    for k in range(1, runs + 1):
        at, pow = pass_at_k(runs, passed, k), pass_pow_k(runs, passed, k)
        assert at is not None  # k is at most the number of runs
        assert pow is not None
        some[str(k)] = at, _around(at, 1 - (1 - rate.low) ** k, 1 - (1 - rate.high) ** k)
        every[str(k)] = pow, _around(pow, rate.low**k, rate.high**k)
    return some, every


def time_to_event(times: Sequence[int | None], limit: int) -> TimeSummary:
    """How soon it happened, up to the limit. None is a run in which it did not; so is a time beyond the limit."""
    seen = [None if time is None or time > limit else time for time in times]
    waits = [Wait(limit + 1, False) if time is None else Wait(time, True) for time in seen]
    mean, interval = restricted_mean(seen, limit + 1)
    ends = median_ends(waits)
    return TimeSummary(
        median=median_wait(waits),
        median_interval_95=(ends.low, ends.high),
        restricted_mean=round_shown(mean),
        confidence_interval_95=_ends(interval),
        ci_method=interval.method,
        happened=sum(wait.happened for wait in waits),
        censored=sum(not wait.happened for wait in waits),
        limit=limit,
        flags=list(interval.flags),
    )


def judged(opinions: Sequence[JudgeOutput]) -> dict[str, MeanOverRuns]:
    """A judge's scores over several runs, by dimension, on the judge's own scale from 0 to 10; `overall` is last.

    A dimension that some opinions lack is over those that have it, as its run_count says.
    """
    by_dimension: dict[str, list[float]] = {}
    for opinion in opinions:
        for scored in opinion.dimension_scores:
            by_dimension.setdefault(scored.dimension, []).append(scored.score)
    by_name = {name: figure(scores, JUDGE_SCALE) for name, scores in sorted(by_dimension.items()) if name != OVERALL}
    if opinions:
        by_name[OVERALL] = figure([opinion.overall_score for opinion in opinions], JUDGE_SCALE)
    return by_name


def _flags(runs: Sequence[RunScore], interval: Interval | None) -> list[str]:
    flags = set() if interval is None else set(interval.flags)
    if any(run.settings != runs[0].settings for run in runs):
        flags.add("mixed_settings")
    if len({run.scorer_version for run in runs}) > 1:
        flags.add("mixed_scorers")
    return sorted(flags)


def _around(value: float, low: float, high: float) -> Ends:
    return round_shown(min(value, low)), round_shown(max(value, high))


def _ends(interval: Interval, scale: float = 1.0) -> Ends:
    return round_shown(interval.low * scale), round_shown(interval.high * scale)
