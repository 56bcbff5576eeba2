"""The leaderboard of a benchmark: agents by the mean of their scenarios' success rates.

Runs are gathered in gathering.py, one scenario's runs are put together in bench/aggregate.py, and who is ahead and
how surely is computed as for every other leaderboard. Here the three meet, with notes on what would mislead a reader:
runs that are missing, too few, or not alike. Which metrics there are is data of the runs' families.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum
from pathlib import Path
from typing import Any

from gnomon import shorten
from gnomon.bench.aggregate import JUDGE_SCALE, OVERALL, counted, judged, labelled, scenario_score, time_to_event
from gnomon.bench.families import by_name
from gnomon.errors import InvalidInput, Refused
from gnomon.model.bench import (
    AgentMetric,
    FamilyMetrics,
    JudgeOutput,
    LabelMeansSummary,
    MeanOverRuns,
    MeanSummary,
    MetricDefinition,
    MetricValue,
    RunScore,
    TimeSummary,
)
from gnomon.model.leaderboard import (
    ActionShare,
    BenchAgent,
    BenchLeaderboard,
    LeaderboardExclusion,
    LeaderboardOptions,
    LeaderboardRun,
    LeaderboardScenario,
    RunCost,
)
from gnomon.model.transcript import RunConfig, Usage
from gnomon.report.leaderboardwords import with_words
from gnomon.service.analysis.leaderboard import PLAIN, LeaderboardNouns, Trials, of_scores
from gnomon.shorten import list_some
from gnomon.stats.card import mean_amount
from gnomon.stats.describe import RunningMoments, round_shown
from gnomon.stats.interval import equal_weight_interval

DEFINITIONS = {
    "overall_score": "mean over scenarios of the share of runs that succeed",
    "pass_at_k": "chance that at least one of k runs succeeds, mean over scenarios",
    "pass_pow_k": "chance that all of k runs succeed, mean over scenarios",
    "metrics": "rates, figures and labels: mean over scenarios; counts: over all runs; times: median over all runs, "
               "restricted mean over scenarios",
    "judge": "mean of a judge's scores from 0 to 10, mean over scenarios",
    "cost.per_success": "what the runs with a known cost took together, divided by how many of them succeed",
}  # fmt: skip
POOLED = "runs_pooled"
"""A median over the runs of several scenarios, as if they were of one."""
_ALIKE = ("user_sim_model", "max_tool_turns")
_NAMED = 3


@dataclass(frozen=True, slots=True)
class Ran:
    """One run. What was not recorded is None."""

    agent_id: str
    scenario_id: str
    run_number: int
    path: Path
    """Where it lies, from where the search began."""
    run_score: RunScore
    judge: JudgeOutput | None = None
    rubric_hash: str | None = None
    cost_usd: float | None = None
    tokens: Usage | None = None
    latency_ms: float | None = None
    content_hash: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)
    config: RunConfig | None = None

    @property
    def scorable(self) -> bool:
        return self.run_score.scorable

    @property
    def success(self) -> float | None:
        return float(self.run_score.success is True) if self.scorable else None

    def metric(self, name: str) -> MetricValue | None:
        """A metric's value; None where it does not apply, or the run was not scored."""
        value = self.run_score.metrics.get(name)
        return None if value is None or value.is_absent else value


ByScenario = Mapping[str, Sequence[Ran]]
Measure = Callable[[Ran], float | None]


def leaderboard(
    runs: Iterable[Ran], options: LeaderboardOptions = PLAIN, notes: Iterable[str] = (), generated_at: str | None = None
) -> BenchLeaderboard:
    """Rank the agents of these runs. The order of the runs does not matter."""
    kept, copies = _without_copies(sorted(runs, key=_order))
    if not kept:
        raise InvalidInput("there is no run; a leaderboard needs one at least")
    _refuse_other_content(kept)
    agents = {agent: _by_scenario(run for run in kept if run.agent_id == agent) for agent in _agents(kept)}
    families = families_of(kept)
    all_notes = [*notes, *_about_scenarios(kept), *_about_alikeness(kept), *_about_cost(kept)]
    board = of_scores(
        {agent: _trials(runs_by_scenario) for agent, runs_by_scenario in agents.items()},
        options,
        all_notes,
        LeaderboardNouns("scenario", "run"),
    )
    unscored = [_exclusion(run, run.run_score.reason or "it has no result") for run in kept if not run.scorable]
    about = {
        "source": "bench",
        "agents": [
            BenchAgent(**{**dict(standing), **_agent(agents[standing.agent_id], families)}) for standing in board.agents
        ],
        "generated_at": generated_at,
        "schema_version": 2,
        "scorer_versions": _versions(kept),
        "rubric_hashes": sorted({run.rubric_hash for run in kept if run.rubric_hash}),
        "metric_definitions": DEFINITIONS,
        "families": families,
        "excluded_runs": [*unscored, *copies],
    }
    return with_words(BenchLeaderboard(**{**dict(board), **about}))


def _order(run: Ran) -> tuple[str, str, int, str, str]:
    return run.agent_id, run.scenario_id, run.run_number, str(run.path), run.run_score.run_id


def _versions(runs: Iterable[Ran]) -> dict[str, list[int]]:
    """Family → the versions of its rules that runs were scored by."""
    versions_by_family: dict[str, set[int]] = {}
    for run in runs:
        if run.scorable:
            versions_by_family.setdefault(run.run_score.family, set()).add(run.run_score.scorer_version)
    return {family: sorted(versions) for family, versions in sorted(versions_by_family.items())}


def trials_by_agent(runs: Iterable[Ran]) -> dict[str, Trials]:
    """Agent → whether its runs succeeded, scenario by scenario; each run once."""
    kept, _ = _without_copies(sorted(runs, key=_order))
    _refuse_other_content(kept)
    return {agent: _trials(_by_scenario(run for run in kept if run.agent_id == agent)) for agent in _agents(kept)}


def _agents(runs: Iterable[Ran]) -> list[str]:
    return list(dict.fromkeys(run.agent_id for run in runs))


def _by_scenario(runs: Iterable[Ran]) -> dict[str, list[Ran]]:
    by_scenario: dict[str, list[Ran]] = {}
    for run in runs:
        by_scenario.setdefault(run.scenario_id, []).append(run)
    return by_scenario


def _trials(scenarios: ByScenario) -> Trials:
    trials = Trials()
    for scenario, runs in scenarios.items():
        for run in runs:
            trials.add(scenario, run.success)
            if run.success is None:
                trials.reasons[run.run_score.reason or "it has no result"] += 1
    return trials


# --- what is left out or refused -----


def _without_copies(runs: Sequence[Ran]) -> tuple[list[Ran], list[LeaderboardExclusion]]:
    """Each run once: a folder that was copied is not a second run."""
    first: dict[tuple[str, str, str], Ran] = {}
    copies = []
    for run in runs:
        known = first.setdefault((run.agent_id, run.scenario_id, run.run_score.run_id), run)
        if known is not run:
            copies.append(_exclusion(run, f"it is a copy of {known.path.as_posix()}"))
    return list(first.values()), copies


def _exclusion(run: Ran, reason: str) -> LeaderboardExclusion:
    return LeaderboardExclusion(
        agent_id=run.agent_id, scenario_id=run.scenario_id, run_number=run.run_number, run_id=run.run_score.run_id,
        path=run.path.as_posix(), reason=reason,
    )  # fmt: skip


def _refuse_other_content(runs: Sequence[Ran]) -> None:
    """Under one name there must be one scenario: nobody can be compared on two."""
    for scenario, scenario_runs in _by_scenario(run for run in runs if run.content_hash).items():
        first = scenario_runs[0]
        other = next((run for run in scenario_runs if run.content_hash != first.content_hash), None)
        if other is not None:
            both = f"{first.path} has {first.content_hash[:12]}, {other.path} has {other.content_hash[:12]}"
            message = f"scenario {scenario!r} has two different contents ({both}); keep the runs of one"
            raise Refused(message, code="MIXED_SCENARIOS")


# --- one agent -----


def _agent(scenarios: ByScenario, families: Sequence[FamilyMetrics]) -> dict[str, Any]:
    runs = [run for scenario_runs in scenarios.values() for run in scenario_runs]
    return {
        **of_runs(runs, families),
        "models": sorted({run.config.agent_model for run in runs if run.config is not None}),
        "judge": _judged(scenarios),
        "scenarios": [_scenario(scenario_runs, families) for _, scenario_runs in sorted(scenarios.items())],
    }


def of_runs(runs: Sequence[Ran], families: Sequence[FamilyMetrics]) -> dict[str, Any]:
    """One agent's metrics, actions and cost, wherever its runs are kept."""
    scenarios = _by_scenario(runs)
    definitions = {metric.name: metric for family in families for metric in family.metrics}
    metrics = {
        name: metric
        for name, definition in definitions.items()
        if (metric := _metric(scenarios, definition)) is not None
    }
    actions = [share for name, metric in metrics.items() if isinstance(metric, LabelMeansSummary)
               for share in _action_shares(runs, name, metric)]  # fmt: skip
    actions.sort(key=lambda pair: (-pair[1].mean, pair[0]))
    return {"metrics": metrics, "actions": dict(actions), "cost": _cost(runs)}


def _action_shares(runs: Sequence[Ran], name: str, metric: LabelMeansSummary) -> Iterator[tuple[str, ActionShare]]:
    for label, mean in metric.means.items():
        yield label, ActionShare(**dict(mean), count=sum(label in (_labels(run, name) or ()) for run in runs))


def families_of(runs: Iterable[Ran]) -> list[FamilyMetrics]:
    """What the families of these runs measure."""
    return [by_name(name).metrics for name in sorted({run.run_score.family for run in runs if run.scorable})]


def _scenario(runs: Sequence[Ran], families: Sequence[FamilyMetrics]) -> LeaderboardScenario:
    first = runs[0]
    about = {
        "content_hash": next((run.content_hash for run in runs if run.content_hash), ""),
        "tags": next((dict(run.tags) for run in runs if run.tags), {}),
        "judge": judged([run.judge for run in runs if run.judge is not None]),
        "cost": _cost(runs),
        "runs": [_one_run(run) for run in runs],
    }
    # Whatever a transcript calls its scenario, these runs are in one folder, under one name.
    scores = [run.run_score.model_copy(update={"scenario_id": first.scenario_id}) for run in runs]
    names = {score.family for score in scores}
    metrics = [metric for family in families if family.family in names for metric in family.metrics]
    return LeaderboardScenario(**{**dict(scenario_score(scores, metrics)), **about})


def _one_run(run: Ran) -> LeaderboardRun:
    bare = {name: value.model_copy(update={"evidence": []}) for name, value in run.run_score.metrics.items()}
    facts = {"run_number": run.run_number, "path": run.path.as_posix(), "cost_usd": run.cost_usd}
    return LeaderboardRun(**{**dict(run.run_score), "metrics": bare, "evidence": [], **facts, "judge": run.judge})


# --- metrics over scenarios, by kind -----


def _metric(scenarios: ByScenario, metric: MetricDefinition) -> AgentMetric | None:
    """A metric over the runs that it applies to; None where there is none."""
    runs = [
        (run, value)
        for scenario_runs in scenarios.values()
        for run in scenario_runs
        if (value := run.metric(metric.name))
    ]
    if not runs:
        return None
    values = [value.value for _, value in runs]
    if metric.kind in ("rate", "figure"):
        return _mean(scenarios, metric)
    if metric.kind == "count":
        return counted([int(value) for value in values if isinstance(value, int)])
    if metric.kind == "label":
        return labelled([str(value) for value in values], metric.labels)
    if metric.kind == "labels":
        return _label_means(scenarios, metric.name)
    return _time(scenarios, metric.name, min(value.limit or 0 for _, value in runs))


def _mean(scenarios: ByScenario, metric: MetricDefinition) -> MeanSummary:
    def measure(run: Ran) -> float | None:
        value = run.metric(metric.name)
        return None if value is None or not isinstance(value.value, bool | int | float) else float(value.value)

    mean = _over(scenarios, measure, metric.maximum if metric.kind == "figure" else 1.0)
    assert mean is not None  # there are runs
    return MeanSummary(kind="rate" if metric.kind == "rate" else "figure", **dict(mean))


def _label_means(scenarios: ByScenario, name: str) -> LabelMeansSummary:
    """The most frequent label first."""
    labels = {
        label for scenario_runs in scenarios.values() for run in scenario_runs for label in _labels(run, name) or ()
    }

    def contains(label: str) -> Measure:
        return lambda run: None if (labels := _labels(run, name)) is None else float(label in labels)

    means = {label: mean for label in sorted(labels) if (mean := _over(scenarios, contains(label))) is not None}
    return LabelMeansSummary(means=dict(sorted(means.items(), key=lambda pair: (-pair[1].mean, pair[0]))))


def _labels(run: Ran, name: str) -> Sequence[str] | None:
    value = run.metric(name)
    return value.value if value is not None and isinstance(value.value, list) else None


def _over(scenarios: ByScenario, measure: Measure, scale: float = 1.0) -> MeanOverRuns | None:
    """The mean over scenarios of the mean over their runs. Runs without a value have no say."""
    clusters = [[value for run in runs if (value := measure(run)) is not None] for runs in scenarios.values()]
    return _figure([[value / scale for value in cluster] for cluster in clusters if cluster], scale)


def _figure(clusters: Sequence[Sequence[float]], scale: float) -> MeanOverRuns | None:
    if not clusters:
        return None
    means = [fsum(values) / len(values) for values in clusters]
    interval = equal_weight_interval(clusters)
    spread = RunningMoments.of(means).standard_deviation
    return MeanOverRuns(
        mean=round_shown(scale * fsum(means) / len(means)),
        standard_deviation=None if spread is None else round_shown(scale * spread),
        confidence_interval_95=(round_shown(scale * interval.low), round_shown(scale * interval.high)),
        ci_method=interval.method, run_count=sum(map(len, clusters)), flags=list(interval.flags),
    )  # fmt: skip


def _judged(scenarios: ByScenario) -> dict[str, MeanOverRuns]:
    by_scenario = {name: judged([run.judge for run in runs if run.judge]) for name, runs in scenarios.items()}
    dimensions = dict.fromkeys(dimension for means in by_scenario.values() for dimension in means)
    figures = {dimension: _over(scenarios, _scored_on(dimension), JUDGE_SCALE) for dimension in dimensions}
    return {dimension: figure for dimension, figure in figures.items() if figure is not None}


def _scored_on(dimension: str) -> Measure:
    def score(run: Ran) -> float | None:
        if run.judge is None:
            return None
        if dimension == OVERALL:
            return run.judge.overall_score
        return next(
            (
                dimension_score.score
                for dimension_score in run.judge.dimension_scores
                if dimension_score.dimension == dimension
            ),
            None,
        )

    return score


def _time(scenarios: ByScenario, name: str, limit: int) -> TimeSummary:
    """The median over all runs; the restricted mean over scenarios, as every other mean."""

    def time_of(run: Ran) -> int | None:
        value = run.metric(name)
        return value.value if value is not None and isinstance(value.value, int) else None

    def steps(run: Ran) -> float:
        time = time_of(run)
        return limit + 1 if time is None or time > limit else time

    timed = {scenario: [run for run in runs if run.metric(name)] for scenario, runs in scenarios.items()}
    summary = time_to_event([time_of(run) for runs in timed.values() for run in runs], limit)
    if sum(map(bool, timed.values())) == 1:
        return summary
    mean = _over(timed, steps, limit + 1)
    assert mean is not None  # there are runs
    return summary.model_copy(
        update={
            "restricted_mean": mean.mean, "confidence_interval_95": mean.confidence_interval_95,
            "ci_method": mean.ci_method, "flags": [*mean.flags, POOLED],
        }
    )  # fmt: skip


def _cost(runs: Sequence[Ran]) -> RunCost:
    known = [run for run in runs if run.cost_usd is not None]
    amounts = sorted(run.cost_usd for run in known if run.cost_usd is not None)
    mean = mean_amount(amounts, "nobody knows what the runs cost")
    won = sum(run.success == 1 for run in known)
    tokens = [run.tokens.input + run.tokens.output for run in runs
              if run.tokens and run.tokens.input is not None and run.tokens.output is not None]  # fmt: skip
    waited = [run.latency_ms / 1000 for run in runs if run.latency_ms is not None]
    return RunCost(
        run_count=len(runs), known_runs=len(known), total=round_shown(fsum(amounts)) if known else None,
        per_run=round_shown(mean.value),
        per_run_ci_95=mean.interval and (round_shown(mean.interval[0]), round_shown(mean.interval[1])),
        per_success=round_shown(fsum(amounts) / won) if won else None,
        tokens_per_run=round_shown(fsum(tokens) / len(tokens)) if tokens else None,
        seconds_per_run=round_shown(fsum(sorted(waited)) / len(waited)) if waited else None,
        reason=mean.reason or (None if won else "no run with a known cost succeeds"),
    )  # fmt: skip


# --- what a reader should know -----


def _about_scenarios(runs: Sequence[Ran]) -> Iterator[str]:
    scored = [run.run_score for run in runs if run.scorable]
    for family in sorted({score.family for score in scored}):
        yield from by_name(family).cautions([score for score in scored if score.family == family])
    counts = Counter((run.agent_id, run.scenario_id) for run in runs)
    if set(counts.values()) == {1}:
        yield "there is one run of each scenario: nothing says how far a second one would differ"


def _about_alikeness(runs: Sequence[Ran]) -> Iterator[str]:
    """Warn where agents were run with different settings: their figures are compared as if they had the same."""
    concerned: dict[str, list[Ran]] = {setting: list(runs) for setting in _ALIKE}
    for run in runs:
        # A setting of one family says nothing about the runs of another.
        for name in by_name(run.run_score.family).settings.model_fields if run.scorable else ():
            concerned.setdefault(f"settings.{name}", []).append(run)
    for setting, each_run in concerned.items():
        values = {agent: _values(each_run, agent, setting) for agent in _agents(each_run)}
        if len({value for agent_values in values.values() for value in agent_values}) > 1:
            yield f"runs are not alike in {setting}: {_shown_by_agent(values)}"
    for setting in ("agent_model", "model_params"):
        for agent in _agents(runs):
            each_value = _values(runs, agent, setting)
            if len(each_value) > 1:
                yield f"{agent!r} was not always run with the same {setting}: {' | '.join(each_value[:_NAMED])}"
    yield from _about_score_settings(runs)
    for family, versions in _versions(runs).items():
        if len(versions) > 1:
            listed = ", ".join(map(str, versions))
            yield f"runs were scored by different versions of the rules of {family} ({listed}); score them again"
    judged_runs = sum(run.judge is not None for run in runs)
    if 0 < judged_runs < len(runs):
        yield f"{judged_runs} of {shorten.counted(len(runs), 'run')} were judged; a judge's means are over these"


def _about_score_settings(runs: Sequence[Ran]) -> Iterator[str]:
    """Warn about scores under different settings: they do not mean the same."""
    for scenario, scenario_runs in _by_scenario(run for run in runs if run.scorable).items():
        for name in sorted({name for run in scenario_runs for name in run.run_score.settings}):
            values = {
                agent: sorted({str(run.run_score.settings.get(name)) for run in scenario_runs if run.agent_id == agent})
                for agent in _agents(scenario_runs)
            }
            if len({value for agent_values in values.values() for value in agent_values}) > 1:
                yield f"on {scenario!r} runs were scored with a different {name}: {_shown_by_agent(values)}"


def _values(runs: Iterable[Ran], agent: str, setting: str) -> list[str]:
    return sorted({_value(run.config, setting) for run in runs if run.agent_id == agent and run.config})


def _value(config: RunConfig, setting: str) -> str:
    name = setting.removeprefix("settings.")
    return str(getattr(config, setting) if name == setting else config.settings.get(name))


def _shown_by_agent(values: Mapping[str, Sequence[str]]) -> str:
    shown = [f"{agent!r} {', '.join(settings)}" for agent, settings in values.items() if settings]
    return list_some(shown, _NAMED, noun="agents", separator="; ")


def _about_cost(runs: Sequence[Ran]) -> Iterator[str]:
    unknown = sum(run.cost_usd is None for run in runs)
    if unknown:
        of_all = shorten.counted(len(runs), "run")
        others = "amounts are over the others" if unknown < len(runs) else "there are no amounts"
        yield f"the cost of {unknown:,} of {of_all} is not known; {others}"
