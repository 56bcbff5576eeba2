"""A leaderboard as one page: who is ahead in a sentence, then scores with possible ranks, pass@k and pass^k, every
pair's verdict, what agents did, and score against cost; of a benchmark also its metrics, scenario by scenario.

It has the words and the marks of the web application. Everything is in the file: it can be mailed, kept, or put on any
web server. What the numbers mean is decided elsewhere; here they are only drawn.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from gnomon.model.bench import LabelMeansSummary
from gnomon.model.leaderboard import BenchLeaderboard, Leaderboard, LeaderboardAgent, LeaderboardComparison
from gnomon.report import leaderboardplots as plots
from gnomon.report.benchsections import meanings, of_families, of_runs
from gnomon.report.leaderboardcells import (
    BoardSection,
    SectionPart,
    interval,
    make_table,
    number,
    with_interval,
)
from gnomon.report.metriccells import percent
from gnomon.report.plots import Cell, heat, matrix
from gnomon.report.rendering import Table, drawing, render
from gnomon.shorten import counted

_VERDICTS = {
    "improved": ("▲", "better"),
    "regressed": ("▼", "worse"),
    "equivalent": ("◆", "same"),
    "inconclusive": ("?", "open"),
}
_MIRRORED = {"improved": "regressed", "regressed": "improved"}
_MISSING = {"drop": "left out", "zero": "counted as 0", "bracket": "taken as anything from 0 to 1"}
_MOST_IN_MATRIX = 50
_MOST_ACTIONS = 16


def page(board: Leaderboard, title: str | None = None) -> str:
    """The whole page."""
    words = board.words
    sections = [_scores(board), _passes(board), _pairs(board), _actions(board), *of_families(board), _costs(board)]
    if isinstance(board, BenchLeaderboard):
        sections += of_runs(board)
    return render(
        "leaderboard.html",
        title=title or _title(board),
        headline="" if words is None else words.headline,
        about=_about(board),
        sections=[section for section in sections if section is not None],
        notes=board.notes,
        meanings=meanings(board) if board.families else None,
    )


def _title(board: Leaderboard) -> str:
    return f"Leaderboard: {board.dataset_name}" if board.dataset_name else "Leaderboard"


def _about(board: Leaderboard) -> str:
    by = f", scored by {board.scorer_name}" if board.scorer_name else ""
    kind = "compared in pairs on" if board.source == "preferences" else "tried on"
    missing = "" if board.source == "preferences" else f" Missing values are {_MISSING[board.missing_policy]}."
    return f"{counted(len(board.agents), 'agent')} {kind} {counted(board.item_count, _item(board))}{by}.{missing}"


def _item(board: Leaderboard) -> str:
    return "scenario" if board.source == "bench" else "item"


# --- scores and ranks -----


def _scores(board: Leaderboard) -> BoardSection:
    words = [with_interval(agent.overall_score, agent.confidence_interval) for agent in board.agents]
    parts = [
        SectionPart("plot", drawing(plots.forest(board, words))),
        SectionPart("data", _ranking(board)),
    ]
    return BoardSection("Scores and ranks", "" if board.words is None else board.words.scores, parts)


def _ranking(board: Leaderboard) -> Table:
    rated = any(agent.elo is not None for agent in board.agents)
    gaps = any(agent.n_missing for agent in board.agents)
    names = ["rank", "range", "agent", "success" if board.source == "bench" else "score", "interval"]
    names += [f"{_item(board)}s", "runs"]
    names += ["missing"] * gaps + ["Elo", "interval"] * rated + ["group"]
    rows = []
    for agent in board.agents:
        row = [_whole(agent.rank), _range(agent.rank_interval), agent.agent_id, number(agent.overall_score)]
        row += [interval(agent.confidence_interval), f"{agent.item_count:,}", f"{agent.run_count:,}"]
        row += [f"{agent.n_missing:,}"] * gaps + list(_elo(agent)) * rated
        rows.append([*row, agent.group])
    return make_table("Ranking", names, rows)


def _elo(agent: LeaderboardAgent) -> Iterator[str]:
    yield "–" if agent.elo is None else f"{agent.elo:+z.0f}"
    yield "–" if agent.elo_interval is None else f"{agent.elo_interval[0]:+z.0f} to {agent.elo_interval[1]:+z.0f}"


def _whole(value: int | None) -> str:
    return "–" if value is None else str(value)


def _range(ends: tuple[int, int] | None) -> str:
    return "–" if ends is None else str(ends[0]) if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


# --- several trials -----


def _passes(board: Leaderboard) -> BoardSection | None:
    """A small plot per agent: bands of several agents on one plot could not be told apart."""
    if board.words is None or board.words.passes is None:
        return None
    trial = "run" if board.source == "bench" else "trial"
    agents = [agent for agent in board.agents if len(agent.passes()) > 1]
    panels = [(_ends_of_curves(agent), drawing(plots.passes(agent))) for agent in agents]
    names, rows = ["agent", "k", "pass@k", "interval", "pass^k", "interval"], []
    for agent in board.agents:
        for k, both in agent.passes().items():
            rows.append([agent.agent_id, str(k), number(both.some), interval(both.some_ends),
                         number(both.every), interval(both.every_ends)])  # fmt: skip
    parts = [
        SectionPart("key", (f"pass@k: at least one of k {trial}s passes", f"pass^k: all of k {trial}s pass")),
        SectionPart("panels", panels),
        SectionPart("data", make_table("pass@k and pass^k by k", names, rows)),
    ]
    return BoardSection(f"Several {trial}s", board.words.passes, parts)


def _ends_of_curves(agent: LeaderboardAgent) -> str:
    """`planner: pass@1 0.400 … pass@3 0.600; pass^1 0.400 … pass^3 0.100`."""
    by_k = agent.passes()
    first, last = min(by_k), max(by_k)
    some = f"pass@{first} {by_k[first].some:.3f} … pass@{last} {by_k[last].some:.3f}"
    return f"{agent.agent_id}: {some}; pass^{first} {by_k[first].every:.3f} … pass^{last} {by_k[last].every:.3f}"


# --- pairs -----


def _pairs(board: Leaderboard) -> BoardSection | None:
    names = [agent.agent_id for agent in board.agents if agent.rank is not None][:_MOST_IN_MATRIX]
    if len(names) < 2 or board.words is None or board.words.pairs is None:
        return None
    position = {name: order for order, name in enumerate(names)}
    squares = {}
    for pair in board.comparisons:
        if pair.a in position and pair.b in position:
            row, column = position[pair.a], position[pair.b]
            squares[row, column] = _square(pair, pair.verdict, _item(board))
            squares[column, row] = _square(pair, _MIRRORED.get(pair.verdict, pair.verdict), _item(board))
    key = "▲ the agent of the row is better than that of the column, ▼ worse, ◆ as good, ? cannot tell."
    more = f" The first {_MOST_IN_MATRIX} agents are drawn." if len(board.agents) > _MOST_IN_MATRIX else ""
    parts = [
        SectionPart("text", key + more),
        SectionPart("matrix", drawing(matrix(names, squares, "Verdict on every pair"))),
        SectionPart("data", _pairs_table(board)),
    ]
    return BoardSection("Pairs", board.words.pairs, parts)


def _square(pair: LeaderboardComparison, verdict: str, item: str) -> Cell:
    sign, kind = _VERDICTS[verdict]
    if pair.delta is None:
        return Cell(sign, kind, f"{pair.a} and {pair.b}: {pair.reason}")
    p_value = "" if pair.p_value_adjusted is None else f", adjusted p {pair.p_value_adjusted:.3g}"
    words = f"{pair.a} − {pair.b}: {_change(pair)}{p_value}, {pair.common_items} {item}s in common"
    return Cell(sign, kind, words)


def _change(pair: LeaderboardComparison) -> str:
    ends = "no interval" if pair.delta_ci_95 is None else f"{pair.delta_ci_95[0]:+z.3f} to {pair.delta_ci_95[1]:+z.3f}"
    return "–" if pair.delta is None else f"{pair.delta:+z.3f} ({ends})"


def _pairs_table(board: Leaderboard) -> Table:
    words = {"improved": "better", "regressed": "worse", "equivalent": "as good", "inconclusive": "cannot tell"}
    rows = [[pair.a, pair.b, f"{_VERDICTS[pair.verdict][0]} {words[pair.verdict]}", _change(pair),
             "–" if pair.p_value_adjusted is None else f"{pair.p_value_adjusted:.3g}", str(pair.common_items)]
            for pair in board.comparisons]  # fmt: skip
    names = ["agent", "other", "verdict", "difference", "adjusted p", "in common"]
    return make_table("Pairs", names, rows)


# --- actions and cost -----


def _actions(board: Leaderboard) -> BoardSection | None:
    if board.words is None or board.words.actions is None:
        return None
    totals: dict[str, float] = {}
    for agent in board.agents:
        for action, share in agent.actions.items():
            totals[action] = totals.get(action, 0.0) + share.mean
    names = sorted(totals, key=lambda action: (-totals[action], action))
    acting = [agent for agent in board.agents if agent.metrics]
    parts: list[SectionPart] = []
    for start in range(0, min(len(names), 3 * _MOST_ACTIONS), _MOST_ACTIONS):
        parts.append(SectionPart("matrix", _action_map(acting, names[start : start + _MOST_ACTIONS])))
    if rarer := len(names) - 3 * _MOST_ACTIONS:
        parts += [SectionPart("text", f"{rarer} rarer ones are not drawn.")] * (rarer > 0)
    rows = [[agent.agent_id, action, percent(share.mean, share.confidence_interval_95),
             f"{share.count} of {share.run_count}"]
            for agent in acting for action, share in agent.actions.items()]  # fmt: skip
    parts.append(SectionPart("data", make_table("Actions", ["agent", "action", "share of runs", "runs"], rows)))
    return BoardSection("Actions", board.words.actions, parts)


def _action_map(agents: Sequence[LeaderboardAgent], names: Sequence[str]) -> Any:
    shares, metrics_of = {}, _metrics_by_action(agents)
    for row, agent in enumerate(agents):
        for column, action in enumerate(names):
            share = agent.actions.get(action)
            if share is None and not metrics_of.get(action, set()) & agent.metrics.keys():
                continue  # it had no run in which it could have done so
            share_text = "in no run" if share is None else percent(share.mean, share.confidence_interval_95)
            count = "" if share is None else f", {share.count} of {counted(share.run_count, 'run')}"
            hover_text = f"{agent.agent_id}, {action}: {share_text}{count}"
            shares[row, column] = (0.0 if share is None else share.mean, hover_text)
    return drawing(heat([agent.agent_id for agent in agents], names, shares, "How often: actions"))


def _metrics_by_action(agents: Sequence[LeaderboardAgent]) -> dict[str, set[str]]:
    """Action → the metrics that count it: agents without them ran no scenario of that family."""
    metrics: dict[str, set[str]] = {}
    for agent in agents:
        for name, metric in agent.metrics.items():
            if isinstance(metric, LabelMeansSummary):
                for action in metric.means:
                    metrics.setdefault(action, set()).add(name)
    return metrics


def _costs(board: Leaderboard) -> BoardSection | None:
    words = None if board.words is None else board.words.cost
    if all(agent.cost is None for agent in board.agents):
        return None
    parts = []
    if any(agent.cost is not None and agent.cost.per_run for agent in board.agents):
        parts.append(SectionPart("plot", drawing(plots.cost_scatter(board))))
    names = ["agent", "USD per run", "interval", "USD per success", "USD in all", "known", "tokens per run",
             "seconds per run"]  # fmt: skip
    rows = [[agent.agent_id, *_cost(agent)] for agent in board.agents]
    parts.append(SectionPart("table", make_table("Cost", names, rows)))
    about = "Over the runs whose cost is known; the others are not counted as free. Seconds are those of the agent."
    return BoardSection("Score against cost", f"{words} {about}" if words else about, parts)


def _cost(agent: LeaderboardAgent) -> list[str]:
    cost = agent.cost
    if cost is None:
        return ["–"] * 7
    ends = cost.per_run_ci_95
    return [
        _dollars(cost.per_run), "–" if ends is None else f"{ends[0]:.4f} to {ends[1]:.4f}", _dollars(cost.per_success),
        _dollars(cost.total), f"{cost.known_runs:,} of {cost.run_count:,}",
        "–" if cost.tokens_per_run is None else f"{cost.tokens_per_run:,.0f}",
        "–" if cost.seconds_per_run is None else f"{cost.seconds_per_run:,.1f}",
    ]  # fmt: skip


def _dollars(amount: float | None) -> str:
    return "–" if amount is None else f"{amount:.4f}"
