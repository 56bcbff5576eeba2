"""Runs of one agent on one scenario, together: rates with intervals, what k runs are worth, how fast it acts.

Runs vary here and the scenario is fixed: the intervals say what other runs of the same day would give, and nothing
about other days. Those, and agents against each other, are the leaderboard's.
"""

from collections import Counter
from collections.abc import Sequence
from math import fsum
from typing import get_args

from gnomon.errors import InvalidInput
from gnomon.model.bench import (
    ActionType,
    AggregatedScore,
    Ends,
    ExcludedRun,
    Figure,
    JudgeOutput,
    RunScore,
    ScenarioScore,
    ScoringResult,
    Share,
    TimeToAction,
)
from gnomon.stats.describe import Moments, round_shown
from gnomon.stats.ends import Interval
from gnomon.stats.interval import interval_over, wilson
from gnomon.stats.passk import pass_at_k, pass_pow_k
from gnomon.stats.survival import Wait, median_ends, median_wait, restricted_mean

JUDGE_SCALE = 10
OVERALL = "overall"
"""The name under which a judge's overall score stands among its dimensions."""


def scenario_score(runs: Sequence[RunScore]) -> ScenarioScore:
    """Everything that the runs of one scenario say together; the unscored ones are listed with their reasons."""
    if not runs:
        raise InvalidInput.of("runs", "there is no run; give at least one")
    others = {run.scenario_id for run in runs}
    if len(others) > 1:
        message = f"the runs are of {len(others)} scenarios ({', '.join(sorted(others)[:3])}); aggregate each by itself"
        raise InvalidInput.of("runs", message)
    scored = [(run, run.result) for run in runs if run.result is not None]
    results = [result for _, result in scored]
    control = any(run.control for run, _ in scored) if scored else all(run.control for run in runs)
    successes = [float(run.success is True) for run, _ in scored]
    interval = interval_over([[value] for value in successes]) if scored else None
    asked = [] if control else results
    some, every = pass_at_each_k(len(scored), int(fsum(successes))) if scored else ({}, {})
    return ScenarioScore(
        scenario_id=runs[0].scenario_id,
        control=control,
        run_count=len(scored),
        success=_rate(successes),
        ci_method=None if interval is None else interval.method,
        flags=_flags([run for run, _ in scored], interval),
        detection=_rate([float(result.detection) for result in asked]),
        detection_in_memory=_rate([float(result.detection_in_memory) for result in asked]),
        called_911=_rate([float(result.action_type in ("called_911", "both")) for result in asked]),
        contacted_someone=_rate([float(result.action_type in ("contacted_someone", "both")) for result in asked]),
        pass_at_k={k: value for k, (value, _) in some.items()},
        pass_pow_k={k: value for k, (value, _) in every.items()},
        pass_at_k_ci_95={k: ends for k, (_, ends) in some.items()},
        pass_pow_k_ci_95={k: ends for k, (_, ends) in every.items()},
        action_frequency=action_frequency(results),
        action_type_counts=action_type_counts(results),
        time_to_action=None if control or not scored else _time_to_action([run for run, _ in scored]),
        false_alarm_rate=share(sum(run.false_alarms > 0 for run, _ in scored), len(scored)) if scored else None,
        false_alarms=sum(run.false_alarms for run, _ in scored),
        composite=_composite([run for run, _ in scored]),
        flag_counts=dict(sorted(Counter(flag for run, _ in scored for flag in run.flags).items())),
        excluded=[
            ExcludedRun(run_id=run.run_id, reason=run.reason or "no result") for run in runs if run.result is None
        ],
        runs=list(runs),
    )


def aggregated(values: Sequence[float]) -> AggregatedScore:
    """One metric in [0, 1] over several runs. k is their number, and a value of 1 is a success.

    A single run has a deviation of 0 there; its interval says how little that is worth.
    """
    if not values:
        raise InvalidInput.of("values", "there is no run; without one there is no score")
    interval = interval_over([[value] for value in values])
    moments = Moments.of(values)
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


def figure(values: Sequence[float], scale: float = 1.0) -> Figure:
    """The mean of real values from 0 to `scale`."""
    if not values:
        raise InvalidInput.of("values", "there is no run; without one there is no mean")
    interval = interval_over([[value / scale] for value in values])
    moments = Moments.of(values)
    return Figure(
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


def action_frequency(results: Sequence[ScoringResult]) -> dict[str, Share]:
    """For each action, the share of the runs that contain it, the most frequent first."""
    found = Counter(action for result in results for action in set(result.actions_taken))
    ordered = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
    return {action: share(count, len(results)) for action, count in ordered}


def action_type_counts(results: Sequence[ScoringResult]) -> dict[ActionType, int]:
    found = Counter(result.action_type for result in results)
    kinds: tuple[ActionType, ...] = get_args(ActionType)
    return {kind: found[kind] for kind in kinds}


def time_to_action(times: Sequence[int | None], window: int) -> TimeToAction:
    """How fast the runs acted within the window. None is a run that did not; so is a time beyond the window."""
    seen = [None if time is None or time > window else time for time in times]
    waits = [Wait(window + 1, False) if time is None else Wait(time, True) for time in seen]
    mean, interval = restricted_mean(seen, window + 1)
    ends = median_ends(waits)
    return TimeToAction(
        median=median_wait(waits),
        median_interval_95=(ends.low, ends.high),
        restricted_mean=round_shown(mean),
        confidence_interval_95=_ends(interval),
        ci_method=interval.method,
        acted=sum(wait.happened for wait in waits),
        censored=sum(not wait.happened for wait in waits),
        window=window,
        flags=list(interval.flags),
    )


def judged(opinions: Sequence[JudgeOutput]) -> dict[str, Figure]:
    """A judge's scores over several runs, by dimension, on the judge's own scale from 0 to 10; `overall` is last.

    A dimension that some opinions lack is over those that have it, as its run_count says.
    """
    by_dimension: dict[str, list[float]] = {}
    for opinion in opinions:
        for scored in opinion.dimension_scores:
            by_dimension.setdefault(scored.dimension, []).append(scored.score)
    found = {name: figure(scores, JUDGE_SCALE) for name, scores in sorted(by_dimension.items()) if name != OVERALL}
    if opinions:
        found[OVERALL] = figure([opinion.overall_score for opinion in opinions], JUDGE_SCALE)
    return found


def _time_to_action(runs: list[RunScore]) -> TimeToAction:
    window = min(run.window for run in runs)
    return time_to_action([run.result.time_to_action for run in runs if run.result is not None], window)


def _composite(runs: list[RunScore]) -> Figure | None:
    values = [run.composite for run in runs if run.composite is not None]
    return figure(values) if values else None


def _rate(values: Sequence[float]) -> AggregatedScore | None:
    return aggregated(values) if values else None


def _flags(runs: list[RunScore], interval: Interval | None) -> list[str]:
    flags = set() if interval is None else set(interval.flags)
    if len({run.window for run in runs}) > 1:
        flags.add("mixed_windows")
    if len({run.scorer_version for run in runs}) > 1:
        flags.add("mixed_scorers")
    return sorted(flags)


def _around(value: float, low: float, high: float) -> Ends:
    return round_shown(min(value, low)), round_shown(max(value, high))


def _ends(interval: Interval, scale: float = 1.0) -> Ends:
    return round_shown(interval.low * scale), round_shown(interval.high * scale)
