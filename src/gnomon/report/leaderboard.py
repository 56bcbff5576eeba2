"""A leaderboard as one page: scores, possible ranks, pass@k and pass^k, and every pair's verdict; of a benchmark also
its metrics, scenario by scenario, and what it cost.

Everything is in the file: it can be mailed, kept, or put on any web server. What the numbers mean is decided
elsewhere; here they are only drawn.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from gnomon.model.bench import FamilyMetrics, LabelMeansSummary, MetricDefinition, MetricGroup
from gnomon.model.leaderboard import (
    BenchAgent,
    BenchLeaderboard,
    Leaderboard,
    LeaderboardAgent,
    LeaderboardComparison,
    LeaderboardScenario,
    RunCost,
)
from gnomon.report.metriccells import cells, columns, figure, headlines, percent
from gnomon.report.plots import LINES, Bar, Cell, Curve, curves, heat, legend, matrix, whiskers
from gnomon.report.rendering import Table, drawing, render
from gnomon.report.rendering import columns as text_columns
from gnomon.shorten import counted

_SAID = {
    "improved": ("▲", "better"),
    "regressed": ("▼", "worse"),
    "equivalent": ("=", "same"),
    "inconclusive": ("·", "open"),
}
_MIRRORED = {"improved": "regressed", "regressed": "improved"}
_MISSING = {"drop": "left out", "zero": "counted as 0", "bracket": "taken as anything from 0 to 1"}
_MOST_IN_MATRIX = 60
_MOST_LABELS = 16
_WORDS = ("agent", "scenario", "kind", "run", "why")


@dataclass(frozen=True, slots=True)
class _SectionPart:
    """A piece of a section, with what it is drawn as."""

    kind: Literal["table", "folded", "plot", "matrix", "legend", "pair", "text"]
    content: Any


@dataclass(frozen=True, slots=True)
class _BoardSection:
    title: str
    about: str
    parts: Sequence[_SectionPart] = ()


@dataclass(frozen=True, slots=True)
class _Meanings:
    rules: str
    definitions: Sequence[tuple[str, str]]


def page(board: Leaderboard, title: str = "Leaderboard") -> str:
    """The whole page."""
    sections = [_scores(board), _ranks(board), _passes(board), _pairs(board)]
    if isinstance(board, BenchLeaderboard):
        sections += _of_a_benchmark(board)
    return render(
        "leaderboard.html",
        title=title,
        is_broad=board.source == "bench",
        about=_about(board),
        ranking=_ranking(board),
        sections=[section for section in sections if section is not None],
        notes=board.notes,
        meanings=_meanings(board) if isinstance(board, BenchLeaderboard) else None,
    )


def _about(board: Leaderboard) -> str:
    by = f", scored by {board.scorer_name}" if board.scorer_name else ""
    kind = "compared in pairs on" if board.source == "preferences" else "tried on"
    missing = "" if board.source == "preferences" else f" Missing values are {_MISSING[board.missing_policy]}."
    return f"{counted(len(board.agents), 'agent')} {kind} {counted(board.item_count, _item(board))}{by}.{missing}"


def _item(board: Leaderboard) -> str:
    return "scenario" if board.source == "bench" else "item"


def _ranking(board: Leaderboard) -> Table:
    rated = any(agent.elo is not None for agent in board.agents)
    gaps = any(agent.n_missing for agent in board.agents)
    names = ["rank", "range", "agent", "success" if board.source == "bench" else "score", "interval"]
    names += [f"{_item(board)}s", "runs"]
    names += ["missing"] * gaps + ["Elo", "interval"] * rated + ["group"]
    rows = []
    for agent in board.agents:
        row = [_whole(agent.rank), _range(agent.rank_interval), agent.agent_id, _number(agent.overall_score)]
        row += [_interval(agent.confidence_interval), f"{agent.item_count:,}", f"{agent.run_count:,}"]
        row += [f"{agent.n_missing:,}"] * gaps + list(_elo(agent)) * rated
        rows.append([*row, agent.group])
    return _table("Ranking", names, rows)


def _table(label: str, names: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """A table whose columns `_WORDS` hold text, all others numbers. The agent names its row, else the first cell."""
    head = names.index("agent") if "agent" in names else 0
    return Table(text_columns(*names, text=_WORDS), rows, label, head=head)


def _scores(board: Leaderboard) -> _BoardSection:
    bars = []
    for agent in board.agents:
        words = _with_interval(agent.overall_score, agent.confidence_interval)
        bars.append(Bar(agent.agent_id, agent.overall_score, agent.confidence_interval, words))
    drawn = whiskers(bars, 0, 1, (0, 0.2, 0.4, 0.6, 0.8, 1), "Scores with their intervals")
    about = (
        "Two intervals may overlap and the order be settled all the same, because pairs are compared "
        f"{_item(board)} by {_item(board)}."
    )
    return _BoardSection("Scores", about, [_SectionPart("plot", drawing(drawn))])


def _ranks(board: Leaderboard) -> _BoardSection | None:
    ranked = [agent for agent in board.agents if agent.rank is not None and agent.rank_interval is not None]
    if len(ranked) < 2:
        return None
    bars = [
        Bar(agent.agent_id, agent.rank, agent.rank_interval, f"{agent.rank}  ({_range(agent.rank_interval)})")
        for agent in ranked
    ]
    step = max(1, round(len(ranked) / 10))
    ticks = sorted({1, *range(step, len(ranked) + 1, step), len(ranked)})
    drawn = whiskers(bars, 1, len(ranked), ticks, "Ranks and their ranges")
    about = (
        "An agent's rank is 1 + the number of agents that are significantly better. Its range ends where others are "
        "significantly worse; the ranges of all agents hold at once, with 95 %."
    )
    return _BoardSection("Ranks", about, [_SectionPart("plot", drawing(drawn))])


def _passes(board: Leaderboard) -> _BoardSection | None:
    agents = board.agents
    if not any(len(agent.pass_at_k or ()) > 1 for agent in agents):
        return None
    trial = "run" if board.source == "bench" else "trial"
    shown = [agent for agent in agents if agent.pass_at_k][:LINES]
    more = f" The first {LINES} agents are drawn." if len(agents) > LINES else ""
    panels = [
        (caption, drawing(curves(lines, caption)))
        for caption, lines in (
            (f"pass@k: at least one of k {trial}s passes", [_some_pass(agent) for agent in shown]),
            (f"pass^k: all of k {trial}s pass", [_all_pass(agent) for agent in shown]),
        )
    ]
    names, rows = (
        ["agent", "largest k", "pass@k", "pass^k"],
        [[agent.agent_id, *_at_largest_k(agent)] for agent in agents],
    )
    parts = [
        _SectionPart("legend", drawing(legend([agent.agent_id for agent in shown]))),
        _SectionPart("pair", panels),
        _SectionPart("table", _table("pass@k and pass^k at the largest k", names, rows)),
    ]
    return _BoardSection(f"Several {trial}s", f"What k {trial}s are worth, over the {_item(board)}s.{more}", parts)


def _some_pass(agent: LeaderboardAgent) -> Curve:
    passes = agent.passes()
    return Curve(agent.agent_id, {k: both.some for k, both in passes.items()},
                 {k: both.some_ends for k, both in passes.items()})  # fmt: skip


def _all_pass(agent: LeaderboardAgent) -> Curve:
    passes = agent.passes()
    return Curve(agent.agent_id, {k: both.every for k, both in passes.items()},
                 {k: both.every_ends for k, both in passes.items()})  # fmt: skip


def _pairs(board: Leaderboard) -> _BoardSection | None:
    names = [agent.agent_id for agent in board.agents if agent.rank is not None][:_MOST_IN_MATRIX]
    if len(names) < 2:
        return None
    place = {name: number for number, name in enumerate(names)}
    squares = {}
    for pair in board.comparisons:
        if pair.a in place and pair.b in place:
            row, column = place[pair.a], place[pair.b]
            squares[row, column] = _square(pair, pair.verdict, _item(board))
            squares[column, row] = _square(pair, _MIRRORED.get(pair.verdict, pair.verdict), _item(board))
    about = (
        "▲ the agent of the row is better than that of the column, ▼ worse, = equally good, · not settled. "
        f"Paired over the {_item(board)}s that both have, "
        f"adjusted for {counted(len(board.comparisons), 'comparison')} (Holm)."
    )
    more = f" The first {_MOST_IN_MATRIX} agents are drawn." if len(place) == _MOST_IN_MATRIX else ""
    drawn = matrix(names, squares, "Verdict on every pair")
    return _BoardSection("Pairs", about + more, [_SectionPart("matrix", drawing(drawn))])


def _square(pair: LeaderboardComparison, verdict: str, item: str) -> Cell:
    sign, kind = _SAID[verdict]
    if pair.delta is None:
        return Cell(sign, kind, f"{pair.a} and {pair.b}: {pair.reason}")
    ends = "no interval" if pair.delta_ci_95 is None else f"{pair.delta_ci_95[0]:+z.3f} to {pair.delta_ci_95[1]:+z.3f}"
    p_value = "" if pair.p_value_adjusted is None else f", adjusted p {pair.p_value_adjusted:.3g}"
    words = f"{pair.a} − {pair.b}: {pair.delta:+z.3f} ({ends}){p_value}, {pair.common_items} {item}s in common"
    return Cell(sign, kind, words)


# --- of a benchmark -----


def _of_a_benchmark(board: BenchLeaderboard) -> Iterator[_BoardSection | None]:
    for family in board.families:
        yield from (_group(family, group, board) for group in family.groups)
    yield _scenarios(board)
    yield _judges(board.agents)
    yield _costs(board.agents)
    yield _excluded(board)


def _meanings(board: BenchLeaderboard) -> _Meanings:
    rules = [f"{family} {', '.join(map(str, versions))}" for family, versions in board.scorer_versions.items()]
    definitions = list(board.metric_definitions.items())
    for family in board.families:
        definitions.append((f"success ({family.family})", family.success))
        definitions += [(metric.name, metric.description) for metric in family.metrics]
    return _Meanings(f"Scored by the rules of {' and of '.join(rules)}." if rules else "", definitions)


def _group(family: FamilyMetrics, group: MetricGroup, board: BenchLeaderboard) -> _BoardSection:
    """One section per group of metrics: a table, and a plot for each metric that is a list of labels."""
    metrics = [metric for metric in family.metrics if metric.group == group.name]
    title = group.label if len(board.families) == 1 else f"{family.family}: {group.label}"
    parts = []
    if tabled := [metric for metric in metrics if metric.kind != "labels"]:
        names = [name for metric in tabled for name in columns(metric)]
        rows = [
            [agent.agent_id, *(text for metric in tabled for text in cells(metric, agent.metrics.get(metric.name)))]
            for agent in board.agents
        ]
        parts.append(_SectionPart("table", _table(title, ["agent", *names], rows)))
    for metric in metrics:
        if metric.kind == "labels":
            parts += _label_plot(metric, board.agents)
    return _BoardSection(title, group.description, parts)


def _label_plot(metric: MetricDefinition, agents: Sequence[BenchAgent]) -> Iterator[_SectionPart]:
    means = {place: summary.means for place, agent in enumerate(agents)
             if isinstance(summary := agent.metrics.get(metric.name), LabelMeansSummary)}  # fmt: skip
    totals: dict[str, float] = {}
    for each in means.values():
        for label, mean in each.items():
            totals[label] = totals.get(label, 0.0) + mean.mean
    if not totals:
        yield _SectionPart("text", f"{metric.label}: no run has any.")
        return
    labels = sorted(totals, key=lambda label: (-totals[label], label))
    shown = labels[:_MOST_LABELS]
    shares = {}
    for row, agent in enumerate(agents):
        for column, label in enumerate(shown):
            share = means.get(row, {}).get(label)
            words = "in no run" if share is None else percent(share.mean, share.confidence_interval_95)
            shares[row, column] = (0.0 if share is None else share.mean, f"{agent.agent_id}, {label}: {words}")
    drawn = heat([agent.agent_id for agent in agents], shown, shares, f"How often: {metric.label}")
    yield _SectionPart("matrix", drawing(drawn))
    if rarer := len(labels) - len(shown):
        yield _SectionPart("text", f"{rarer} rarer ones are not drawn.")


def _scenarios(board: BenchLeaderboard) -> _BoardSection:
    agents, metrics = board.agents, headlines(board.families)
    every = {(place, own.scenario_id): own for place, agent in enumerate(agents) for own in agent.scenarios}
    scenarios = sorted({scenario for _, scenario in every})
    shares = {}
    for (row, scenario), own in every.items():
        if own.success is not None:
            words = f"{agents[row].agent_id}, {scenario}: {_success(own)}, {counted(own.run_count, 'run')}"
            shares[row, scenarios.index(scenario)] = (own.success.mean, words)
    names = ["scenario", "kind", "agent", "success", "interval", "runs", *(columns(metric)[0] for metric in metrics),
             "largest k", "pass@k", "pass^k", "USD per run"]  # fmt: skip
    order = sorted(every, key=lambda key: (key[1], key[0]))
    rows = [_scenario_row(agents[place].agent_id, every[place, scenario], metrics) for place, scenario in order]
    drawn = heat([agent.agent_id for agent in agents], scenarios, shares, "Success by agent and scenario")
    about = "In how many percent of its runs an agent succeeded. Below, intervals over the runs of the one scenario."
    parts = [
        _SectionPart("matrix", drawing(drawn)),
        _SectionPart("folded", _table("Scenario by scenario", names, rows)),
    ]
    return _BoardSection("Scenarios", about, parts)


def _scenario_row(agent: str, own: LeaderboardScenario, metrics: Sequence[MetricDefinition]) -> list[str]:
    kind = " ".join(own.tags.values())
    k = max(map(int, own.pass_at_k), default=0)
    passes = ["–", "–", "–"]
    if k:
        some, every = own.pass_at_k[str(k)], own.pass_pow_k[str(k)]
        ends = own.pass_at_k_ci_95[str(k)], own.pass_pow_k_ci_95[str(k)]
        passes = [str(k), _with_interval(some, ends[0]), _with_interval(every, ends[1])]
    return [
        own.scenario_id, kind or "–", agent, _number(own.success.mean if own.success else None),
        _interval(own.success.confidence_interval_95 if own.success else None), str(own.run_count),
        *(cells(metric, own.metrics.get(metric.name))[0] for metric in metrics), *passes, _dollars(own.cost.per_run),
    ]  # fmt: skip


def _success(own: LeaderboardScenario) -> str:
    return "–" if own.success is None else percent(own.success.mean, own.success.confidence_interval_95)


def _judges(agents: Sequence[BenchAgent]) -> _BoardSection | None:
    dimensions = list(dict.fromkeys(dimension for agent in agents for dimension in agent.judge))
    if not dimensions:
        return None
    rows = [[agent.agent_id, *(figure(agent.judge.get(name), 1) for name in dimensions)] for agent in agents]
    about = "From 0 to 10, as a judge saw it. A judge is no fact: what the rules found stands whatever it says."
    return _BoardSection(
        "What a judge said", about, [_SectionPart("table", _table("What a judge said", ["agent", *dimensions], rows))]
    )


def _costs(agents: Sequence[BenchAgent]) -> _BoardSection:
    names = ["agent", "USD per run", "interval", "USD per success", "USD in all", "known", "tokens per run",
             "seconds per run"]  # fmt: skip
    rows = [[agent.agent_id, *_cost(agent.cost)] for agent in agents]
    about = "Over the runs whose cost is known; the others are not counted as free. Seconds are those of the agent."
    return _BoardSection("Cost", about, [_SectionPart("table", _table("Cost", names, rows))])


def _cost(cost: RunCost) -> list[str]:
    ends = cost.per_run_ci_95
    return [
        _dollars(cost.per_run), "–" if ends is None else f"{ends[0]:.4f} to {ends[1]:.4f}", _dollars(cost.per_success),
        _dollars(cost.total), f"{cost.known_runs:,} of {cost.run_count:,}",
        "–" if cost.tokens_per_run is None else f"{cost.tokens_per_run:,.0f}",
        "–" if cost.seconds_per_run is None else f"{cost.seconds_per_run:,.1f}",
    ]  # fmt: skip


def _excluded(board: BenchLeaderboard) -> _BoardSection:
    if not board.excluded_runs:
        return _BoardSection("Excluded runs", "Every run was scored.")
    rows = [[excluded.path, excluded.reason] for excluded in board.excluded_runs]
    about = "They are left out of every score."
    return _BoardSection("Excluded runs", about, [_SectionPart("table", _table("Excluded runs", ["run", "why"], rows))])


# --- numbers as text -----


def _dollars(amount: float | None) -> str:
    return "–" if amount is None else f"{amount:.4f}"


def _at_largest_k(agent: LeaderboardAgent) -> Iterator[str]:
    passes = agent.passes()
    if not passes:
        yield from ("–", "–", "–")
        return
    k = max(passes)
    yield str(k)
    yield _with_interval(passes[k].some, passes[k].some_ends)
    yield _with_interval(passes[k].every, passes[k].every_ends)


def _elo(agent: LeaderboardAgent) -> Iterator[str]:
    yield "–" if agent.elo is None else f"{agent.elo:+z.0f}"
    yield "–" if agent.elo_interval is None else f"{agent.elo_interval[0]:+z.0f} to {agent.elo_interval[1]:+z.0f}"


def _whole(number: int | None) -> str:
    return "–" if number is None else str(number)


def _range(ends: tuple[int, int] | None) -> str:
    return "–" if ends is None else str(ends[0]) if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:z.3f}"


def _interval(ends: tuple[float, float] | None) -> str:
    return "–" if ends is None else f"{ends[0]:z.3f} to {ends[1]:z.3f}"


def _with_interval(value: float | None, ends: tuple[float, float] | None) -> str:
    return _number(value) if ends is None else f"{_number(value)}  ({_interval(ends)})"
