"""Leaderboards for people: scores with whiskers, possible ranks, and which order is not settled."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from gnomon.model.bench import Figure, TimeToAction
from gnomon.model.leaderboard import (
    BenchLeaderboard,
    Leaderboard,
    LeaderboardAgent,
    LeaderboardComparison,
    LeaderboardScenario,
    RunCost,
)
from gnomon.report.text.drawing import Part, axis, clean, fitting_table, interval, number, table, whisker

if TYPE_CHECKING:
    from rich.table import Table

_NEIGHBOURS = 10
_CURVES = 6
"""Up to so many agents get a line for each k; more get one line each, for their largest."""
_KS = 5
_MISSING = {"drop": "left out", "zero": "counted as 0", "bracket": "taken as anything from 0 to 1"}
_EXCLUDED = 10
_NAME = 40


def leaderboard(found: Leaderboard, *, details: bool = False) -> Iterator[Part]:
    """`details`: a benchmark's scenarios one by one as well."""
    yield headline(found)
    yield fitting_table(lambda drawn: _ranks(found, drawn))
    if sum(one.rank is not None for one in found.agents) > 1:
        yield "Ranges hold for all agents at once (95 %): they end where another agent differs significantly."
    if isinstance(found, BenchLeaderboard):
        yield from ("", _behaviour(found))
        yield from ("", _scenarios(found)) if details else ()
        yield ""
    if any(len(one.pass_pow_k or ()) > 1 for one in found.agents):
        yield _curves(found.agents)
    yield from neighbours(found)
    yield from (f"note: {clean(note)}" for note in found.notes)
    if isinstance(found, BenchLeaderboard):
        yield from _exclusions(found)


def headline(found: Leaderboard) -> str:
    agents = "1 agent" if len(found.agents) == 1 else f"{len(found.agents)} agents"
    item = "scenario" if found.source == "bench" else "item"
    items = f"1 {item}" if found.item_count == 1 else f"{found.item_count:,} {item}s"
    by = f" by {clean(found.scorer_name)}" if found.scorer_name else ""
    if found.source == "preferences":
        return f"{agents} compared on {items}{by}"
    return f"{agents} on {items}{by}; missing values are {_MISSING[found.missing_policy]}"


def _ranks(found: Leaderboard, drawn: bool) -> "Table":
    rated = any(one.elo is not None for one in found.agents)
    gaps = any(one.n_missing for one in found.agents)
    bench = found.source == "bench"
    columns = ["rank", "range", "agent", "success" if bench else "score", "95 % interval", *[axis("0", "1")] * drawn]
    columns += ["scenarios" if bench else "items", "runs"]
    columns += ["missing"] * gaps + ["Elo", "95 % of Elo"] * rated
    rows = table(*columns, right=("rank", "score", "success", "scenarios", "items", "runs", "missing", "Elo"))
    for one in found.agents:
        cells = ["–" if one.rank is None else str(one.rank), rank_range(one.rank_interval), _name(one.agent_id)]
        cells += [number(one.overall_score), interval(one.confidence_interval)]
        cells += [whisker(one.overall_score, one.confidence_interval, 0, 1)] * drawn
        cells += [f"{one.item_count:,}", f"{one.run_count:,}", *[f"{one.n_missing:,}"] * gaps]
        if rated:
            cells += ["–" if one.elo is None else f"{one.elo:+.0f}", _points(one.elo_interval)]
        rows.add_row(*cells)
    return rows


def rank_range(ends: tuple[int, int] | None) -> str:
    return "–" if ends is None else str(ends[0]) if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def _points(ends: tuple[float, float] | None) -> str:
    return "–" if ends is None else f"{ends[0]:+.0f} to {ends[1]:+.0f}"


def _curves(agents: Sequence[LeaderboardAgent]) -> "Table":
    rows = table("agent", "k", "pass@k", "95 % interval", "pass^k", "95 % interval", right=("k", "pass@k", "pass^k"))
    for one in agents:
        passes = one.passes()
        for place, k in enumerate(_chosen(sorted(passes), all_of_them=len(agents) <= _CURVES)):
            some, some_ends, every, every_ends = passes[k]
            name = "" if place else _name(one.agent_id)
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


def neighbours(found: Leaderboard) -> Iterator[str]:
    """What is said of neighbours in the list whose order is not settled."""
    unsettled = [one for one in found.comparisons if one.adjacent and one.uncertain]
    for one in unsettled[:_NEIGHBOURS]:
        item = "scenario" if found.source == "bench" else "item"
        yield f"{clean(one.a)} and {clean(one.b)} {_told(one, len(found.comparisons), item)}"
    if len(unsettled) > _NEIGHBOURS:
        yield f"… and {len(unsettled) - _NEIGHBOURS} more neighbours cannot be told apart"


def _told(one: LeaderboardComparison, pairs: int, item: str) -> str:
    if one.delta is None:
        return f"cannot be compared: {clean(one.reason or f'no {item} in common')}"
    if one.delta_ci_95 is None:
        return f"cannot be told apart: {one.delta:+z.3f}, and {clean(one.reason or 'no interval')}"
    items = f"{one.common_items:,} {item if one.common_items == 1 else f'{item}s'} in common"
    words = "are equally good" if one.verdict == "equivalent" else "cannot be told apart"
    low, high = one.delta_ci_95
    if low > 0 or high < 0:
        words += f" once all {pairs:,} pairs are allowed for"
    return f"{words}: {one.delta:+z.3f} ({low:+z.3f} to {high:+z.3f}), {items}"


def _name(agent: str) -> str:
    """Long names mostly differ at their end: keep both."""
    shown = clean(agent)
    return shown if len(shown) <= _NAME else f"{shown[: _NAME // 2]}…{shown[1 - _NAME // 2 :]}"


# --- of a benchmark -----


def _behaviour(found: BenchLeaderboard) -> "Table":
    judged = any(one.judge for one in found.agents)
    columns = ["agent", "noticed", "false alarms", "beats to action", "USD a run", "USD a success"]
    rows = table(*columns, *["judge"] * judged)
    for one in found.agents:
        cells = [_name(one.agent_id), _share(one.detection), _share(one.false_alarm_rate), _beats(one.time_to_action)]
        cells += _dollars(one.cost)
        if judged:
            overall = one.judge.get("overall")
            low, high = (None, None) if overall is None else overall.confidence_interval_95
            cells.append("–" if overall is None else f"{overall.mean:.1f} ({low:.1f} to {high:.1f})")
        rows.add_row(*cells)
    return rows


def _scenarios(found: BenchLeaderboard) -> "Table":
    columns = ["scenario", "agent", "success", "runs", "noticed", "false alarms", "beats to action", "mostly did"]
    rows = table(*columns, right=("runs",))
    every = [(one.scenario_id, agent.agent_id, one) for agent in found.agents for one in agent.scenarios]
    before = None
    for scenario, agent, one in sorted(every, key=lambda row: row[0]):
        success, noticed, alarms = one.success, one.detection, one.false_alarm_rate
        rows.add_row(
            "" if scenario == before else clean(scenario), _name(agent),
            "–" if success is None else _percent(success.mean, success.confidence_interval_95), str(one.run_count),
            "–" if noticed is None else _percent(noticed.mean, noticed.confidence_interval_95),
            "–" if alarms is None else _percent(alarms.share, alarms.confidence_interval_95),
            _beats(one.time_to_action), _mostly(one),
        )  # fmt: skip
        before = scenario
    return rows


def _mostly(one: LeaderboardScenario) -> str:
    if not one.action_frequency:
        return "false alarms" if one.false_alarms else "nothing"
    action, *others = one.action_frequency
    more = f" (+{len(others)})" if others else ""
    return f"{clean(action)} {100 * one.action_frequency[action].share:.0f} %{more}"


def _exclusions(found: BenchLeaderboard) -> Iterator[str]:
    for one in found.excluded_runs[:_EXCLUDED]:
        yield f"excluded: {clean(one.path)}: {clean(one.reason)}"
    if len(found.excluded_runs) > _EXCLUDED:
        yield f"… and {len(found.excluded_runs) - _EXCLUDED} more excluded runs; --json and the page have all of them"


def _share(found: Figure | None) -> str:
    return "–" if found is None else _percent(found.mean, found.confidence_interval_95)


def _percent(share: float, ends: tuple[float, float]) -> str:
    return f"{100 * share:.0f} % ({100 * ends[0]:.0f} to {100 * ends[1]:.0f})"


def _beats(found: TimeToAction | None) -> str:
    return "–" if found is None else found.median_in_words()


def _dollars(found: RunCost) -> tuple[str, str]:
    if found.per_run is None:
        return "unknown", "unknown"
    ends = found.per_run_ci_95
    sure = "" if ends is None else f" ({ends[0]:.4f} to {ends[1]:.4f})"
    few = "" if found.known_runs == found.run_count else f", {found.known_runs} of {found.run_count} known"
    return f"{found.per_run:.4f}{sure}{few}", "–" if found.per_success is None else f"{found.per_success:.4f}"
