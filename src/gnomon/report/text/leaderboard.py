"""Leaderboards for people: scores with whiskers, possible ranks, and which order is not settled."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from gnomon.model.bench import FamilyMetrics, MetricDefinition
from gnomon.model.leaderboard import (
    BenchLeaderboard,
    Leaderboard,
    LeaderboardAgent,
    LeaderboardComparison,
    RunCost,
)
from gnomon.report.metriccells import NONE, cell, headlines, percent
from gnomon.report.text.drawing import Part, axis, clean, fitting_table, interval, number, table, whisker
from gnomon.shorten import counted

if TYPE_CHECKING:
    from rich.table import Table

_NEIGHBOURS = 10
_CURVES = 6
"""Up to this many agents get a line for each k; more get one line each, for their largest."""
_KS = 5
_MISSING = {"drop": "left out", "zero": "counted as 0", "bracket": "taken as anything from 0 to 1"}
_EXCLUDED = 10
_NAME = 40


def leaderboard(board: Leaderboard, *, details: bool = False) -> Iterator[Part]:
    """`details`: a benchmark's scenarios one by one as well."""
    yield headline(board)
    yield fitting_table(lambda drawn: _ranks(board, drawn))
    if sum(agent.rank is not None for agent in board.agents) > 1:
        yield "Ranges hold for all agents at once (95 %): they end where another agent differs significantly."
    if isinstance(board, BenchLeaderboard):
        yield from _behaviour(board)
        for family in board.families if details else ():
            yield from ("", _scenarios(board, family))
        yield ""
    if any(len(agent.pass_pow_k or ()) > 1 for agent in board.agents):
        yield curves(board.agents)
    yield from neighbours(board)
    yield from (f"note: {clean(note)}" for note in board.notes)
    if isinstance(board, BenchLeaderboard):
        yield from _exclusions(board)


def headline(board: Leaderboard) -> str:
    agents = counted(len(board.agents), "agent")
    item = "scenario" if board.source == "bench" else "item"
    items = counted(board.item_count, item)
    by = f" by {clean(board.scorer_name)}" if board.scorer_name else ""
    if board.source == "preferences":
        return f"{agents} compared on {items}{by}"
    return f"{agents} on {items}{by}; missing values are {_MISSING[board.missing_policy]}"


def _ranks(board: Leaderboard, drawn: bool) -> "Table":
    rated = any(agent.elo is not None for agent in board.agents)
    gaps = any(agent.n_missing for agent in board.agents)
    bench = board.source == "bench"
    columns = ["rank", "range", "agent", "success" if bench else "score", "95 % interval", *[axis("0", "1")] * drawn]
    columns += ["scenarios" if bench else "items", "runs"]
    columns += ["missing"] * gaps + ["Elo", "95 % of Elo"] * rated
    rows = table(*columns, right=("rank", "score", "success", "scenarios", "items", "runs", "missing", "Elo"))
    for agent in board.agents:
        cells = ["–" if agent.rank is None else str(agent.rank), rank_range(agent.rank_interval), _name(agent.agent_id)]
        cells += [number(agent.overall_score), interval(agent.confidence_interval)]
        cells += [whisker(agent.overall_score, agent.confidence_interval, 0, 1)] * drawn
        cells += [f"{agent.item_count:,}", f"{agent.run_count:,}", *[f"{agent.n_missing:,}"] * gaps]
        if rated:
            cells += ["–" if agent.elo is None else f"{agent.elo:+z.0f}", _points(agent.elo_interval)]
        rows.add_row(*cells)
    return rows


def rank_range(ends: tuple[int, int] | None) -> str:
    return "–" if ends is None else str(ends[0]) if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def _points(ends: tuple[float, float] | None) -> str:
    return "–" if ends is None else f"{ends[0]:+z.0f} to {ends[1]:+z.0f}"


def curves(agents: Sequence[LeaderboardAgent]) -> "Table":
    rows = table("agent", "k", "pass@k", "95 % interval", "pass^k", "95 % interval", right=("k", "pass@k", "pass^k"))
    for agent in agents:
        passes = agent.passes()
        for index, k in enumerate(_chosen(sorted(passes), all_of_them=len(agents) <= _CURVES)):
            some, some_ends, every, every_ends = passes[k]
            name = "" if index else _name(agent.agent_id)
            rows.add_row(name, str(k), number(some), interval(some_ends), number(every), interval(every_ends))
    return rows


def _chosen(known: list[int], *, all_of_them: bool) -> list[int]:
    """Which k to print: all of a few, else 1, 2, 4, 8 … and the largest."""
    if not all_of_them:
        return known[-1:]
    if len(known) <= _KS:
        return known
    doubling = [k for k in known if k & (k - 1) == 0]
    return sorted({*doubling[: _KS - 1], known[-1]})


def neighbours(board: Leaderboard) -> Iterator[str]:
    """Sentences about neighbours in the list whose order is not settled."""
    unsettled = [pair for pair in board.comparisons if pair.adjacent and pair.uncertain]
    for pair in unsettled[:_NEIGHBOURS]:
        item = "scenario" if board.source == "bench" else "item"
        yield f"{clean(pair.a)} and {clean(pair.b)} {_verdict(pair, len(board.comparisons), item)}"
    if len(unsettled) > _NEIGHBOURS:
        yield f"… and {len(unsettled) - _NEIGHBOURS} more neighbours cannot be told apart"


def _verdict(pair: LeaderboardComparison, pairs: int, item: str) -> str:
    if pair.delta is None:
        return f"cannot be compared: {clean(pair.reason or f'no {item} in common')}"
    if pair.delta_ci_95 is None:
        return f"cannot be told apart: {pair.delta:+z.3f}, and {clean(pair.reason or 'no interval')}"
    items = f"{counted(pair.common_items, item)} in common"
    words = "are equally good" if pair.verdict == "equivalent" else "cannot be told apart"
    low, high = pair.delta_ci_95
    if low > 0 or high < 0:
        words += f" once all {counted(pairs, 'pair')} are allowed for"
    return f"{words}: {pair.delta:+z.3f} ({low:+z.3f} to {high:+z.3f}), {items}"


def _name(agent: str) -> str:
    """Long names mostly differ at their end: keep both."""
    shown = clean(agent)
    return shown if len(shown) <= _NAME else f"{shown[: _NAME // 2]}…{shown[1 - _NAME // 2 :]}"


# --- of a benchmark -----


def _behaviour(board: BenchLeaderboard) -> Iterator[Part]:
    """Metrics and costs: in one table, or where there are several families, in one per family and one for costs."""
    if len(board.families) < 2:
        yield from ("", _metrics(board, headlines(board.families), costs=True))
        return
    for family in board.families:
        yield from ("", f"{family.family}:", _metrics(board, headlines([family]), costs=False))
    yield from ("", "all:", _metrics(board, [], costs=True))


def _metrics(board: BenchLeaderboard, metrics: Sequence[MetricDefinition], *, costs: bool) -> "Table":
    judged = costs and any(agent.judge for agent in board.agents)
    more = ["USD per run", "USD per success"] * costs + ["judge"] * judged
    rows = table("agent", *(metric.label for metric in metrics), *more)
    for agent in board.agents:
        cells = [_name(agent.agent_id), *(cell(metric, agent.metrics.get(metric.name), " %") for metric in metrics)]
        cells += _dollars(agent.cost) if costs else ()
        if judged:
            overall = agent.judge.get("overall")
            low, high = (None, None) if overall is None else overall.confidence_interval_95
            cells.append(NONE if overall is None else f"{overall.mean:z.1f} ({low:z.1f} to {high:z.1f})")
        rows.add_row(*cells)
    return rows


def _scenarios(board: BenchLeaderboard, family: FamilyMetrics) -> "Table":
    """The scenarios of one family, one by one."""
    metrics = [*headlines([family]), *(metric for metric in family.metrics if metric.kind == "labels")]
    rows = table("scenario", "agent", "success", "runs", *(metric.label for metric in metrics), right=("runs",))
    every = [
        (figures.scenario_id, agent.agent_id, figures)
        for agent in board.agents
        for figures in agent.scenarios
        if figures.family == family.family
    ]
    before = None
    for scenario, agent, own in sorted(every, key=lambda row: row[0]):
        success = own.success
        rows.add_row(
            "" if scenario == before else clean(scenario), _name(agent),
            NONE if success is None else percent(success.mean, success.confidence_interval_95, " %"),
            str(own.run_count), *(clean(cell(metric, own.metrics.get(metric.name), " %")) for metric in metrics),
        )  # fmt: skip
        before = scenario
    return rows


def _exclusions(board: BenchLeaderboard) -> Iterator[str]:
    for run in board.excluded_runs[:_EXCLUDED]:
        yield f"excluded: {clean(run.path)}: {clean(run.reason)}"
    if len(board.excluded_runs) > _EXCLUDED:
        yield f"… and {len(board.excluded_runs) - _EXCLUDED} more excluded runs; --json and the page have all of them"


def _dollars(cost: RunCost) -> tuple[str, str]:
    if cost.per_run is None:
        return "unknown", "unknown"
    ends = cost.per_run_ci_95
    sure = " (no interval)" if ends is None else f" ({ends[0]:.4f} to {ends[1]:.4f})"
    few = "" if cost.known_runs == cost.run_count else f", {cost.known_runs} of {cost.run_count} known"
    return f"{cost.per_run:.4f}{sure}{few}", "–" if cost.per_success is None else f"{cost.per_success:.4f}"
