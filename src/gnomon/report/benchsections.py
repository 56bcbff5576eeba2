"""Sections that only a benchmark's leaderboard has: metrics of its families, scenarios, judges, excluded runs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gnomon.model.bench import FamilyMetrics, MetricDefinition, MetricGroup
from gnomon.model.leaderboard import BenchAgent, BenchLeaderboard, Leaderboard, LeaderboardScenario
from gnomon.report.leaderboardcells import BoardSection, SectionPart, make_table, number, with_interval
from gnomon.report.metriccells import cells, columns, figure, percent
from gnomon.report.plots import heat
from gnomon.report.rendering import drawing
from gnomon.shorten import counted

_MOST_COLUMNS = 16
"""More scenarios get a plot below: no page scrolls sideways."""


@dataclass(frozen=True, slots=True)
class _Meanings:
    rules: str
    definitions: Sequence[tuple[str, str]]


def meanings(board: Leaderboard) -> _Meanings:
    """What the metrics mean, and by which rules runs were scored."""
    rules, definitions = [], []
    if isinstance(board, BenchLeaderboard):
        rules = [f"{family} {', '.join(map(str, versions))}" for family, versions in board.scorer_versions.items()]
        definitions = list(board.metric_definitions.items())
    for family in board.families:
        definitions.append((f"success ({family.family})", family.success))
        definitions += [(metric.name, metric.description) for metric in family.metrics]
    return _Meanings(f"Scored by the rules of {' and of '.join(rules)}." if rules else "", definitions)


def of_families(board: Leaderboard) -> Iterator[BoardSection]:
    """A table for each group of metrics. What agents did has a section of its own."""
    for family in board.families:
        for group in family.groups:
            if section := _group(family, group, board):
                yield section


def _group(family: FamilyMetrics, group: MetricGroup, board: Leaderboard) -> BoardSection | None:
    metrics = [metric for metric in family.metrics if metric.group == group.name and metric.kind != "labels"]
    if not metrics:
        return None
    title = group.label if len(board.families) == 1 else f"{family.family}: {group.label}"
    names = [name for metric in metrics for name in columns(metric)]
    rows = [
        [agent.agent_id, *(text for metric in metrics for text in cells(metric, agent.metrics.get(metric.name)))]
        for agent in board.agents
        if any(metric.name in agent.metrics for metric in metrics)
    ]
    return BoardSection(title, group.description, [SectionPart("table", make_table(title, ["agent", *names], rows))])


def of_runs(board: BenchLeaderboard) -> Iterator[BoardSection | None]:
    """What is known where the runs themselves are at hand."""
    yield _scenarios(board)
    yield _judges(board.agents)
    yield _excluded(board)


def _scenarios(board: BenchLeaderboard) -> BoardSection:
    agents = board.agents
    every = {(index, figures.scenario_id): figures for index, agent in enumerate(agents) for figures in agent.scenarios}
    scenarios = sorted({scenario for _, scenario in every})
    parts = []
    for start in range(0, len(scenarios), _MOST_COLUMNS):
        shown = scenarios[start : start + _MOST_COLUMNS]
        shares = {}
        for (row, scenario), own in every.items():
            if own.success is not None and scenario in shown:
                words = f"{agents[row].agent_id}, {scenario}: {_success(own)}, {counted(own.run_count, 'run')}"
                shares[row, shown.index(scenario)] = (own.success.mean, words)
        drawn = heat([agent.agent_id for agent in agents], shown, shares, "Success by agent and scenario")
        parts.append(SectionPart("matrix", drawing(drawn)))
    parts += [_scenario_table(board, family, every) for family in board.families]
    about = "In how many percent of its runs an agent succeeded. Below, intervals over the runs of the one scenario."
    return BoardSection("Scenarios", about, parts)


def _scenario_table(
    board: BenchLeaderboard, family: FamilyMetrics, every: dict[tuple[int, str], LeaderboardScenario]
) -> SectionPart:
    metrics = [metric for metric in family.metrics if metric.headline]
    names = ["scenario", "kind", "agent", "runs", "success", *(columns(metric)[0] for metric in metrics), "k", "pass@k",
             "pass^k", "USD per run"]  # fmt: skip
    order = sorted((key for key, own in every.items() if own.family == family.family), key=lambda key: (key[1], key[0]))
    rows = [_scenario_row(board.agents[index].agent_id, every[index, scenario], metrics) for index, scenario in order]
    if all(row[1] == "–" for row in rows):
        names, rows = [names[0], *names[2:]], [[row[0], *row[2:]] for row in rows]
    label = "Scenario by scenario" if len(board.families) == 1 else f"Scenario by scenario: {family.family}"
    return SectionPart("folded", make_table(label, names, rows))


def _scenario_row(agent: str, figures: LeaderboardScenario, metrics: Sequence[MetricDefinition]) -> list[str]:
    k = max(map(int, figures.pass_at_k), default=0)
    passes = ["–", "–", "–"]
    if k:
        some, every = figures.pass_at_k[str(k)], figures.pass_pow_k[str(k)]
        passes = [str(k), number(some), number(every)]
    success = figures.success
    success_cell = "–" if success is None else with_interval(success.mean, success.confidence_interval_95)
    tags = " ".join(tag for tag in figures.tags.values() if tag not in figures.scenario_id)
    return [
        figures.scenario_id, tags or "–", agent, str(figures.run_count), success_cell,
        *(cells(metric, figures.metrics.get(metric.name))[0] for metric in metrics), *passes,
        "–" if figures.cost.per_run is None else f"{figures.cost.per_run:.4f}",
    ]  # fmt: skip


def _success(figures: LeaderboardScenario) -> str:
    return "–" if figures.success is None else percent(figures.success.mean, figures.success.confidence_interval_95)


def _judges(agents: Sequence[BenchAgent]) -> BoardSection | None:
    dimensions = list(dict.fromkeys(dimension for agent in agents for dimension in agent.judge))
    if not dimensions:
        return None
    rows = [[agent.agent_id, *(figure(agent.judge.get(name), 1) for name in dimensions)] for agent in agents]
    about = "From 0 to 10, as a judge saw it. A judge is no fact: what the rules found stands whatever it says."
    table = make_table("What a judge said", ["agent", *dimensions], rows)
    return BoardSection("What a judge said", about, [SectionPart("table", table)])


def _excluded(board: BenchLeaderboard) -> BoardSection:
    if not board.excluded_runs:
        return BoardSection("Excluded runs", "Every run was scored.")
    rows = [[excluded.path, excluded.reason] for excluded in board.excluded_runs]
    table = make_table("Excluded runs", ["run", "why"], rows)
    return BoardSection("Excluded runs", "They are left out of every score.", [SectionPart("table", table)])
