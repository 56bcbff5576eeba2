"""Leaderboards for people: scores with whiskers, possible ranks, and which order is not settled."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gnomon.cli.show.pen import axis, clean, draw, interval, line, number, table, whisker

if TYPE_CHECKING:
    from gnomon.model.leaderboard import Leaderboard, LeaderboardAgent, LeaderboardComparison

_NEIGHBOURS = 10
_CURVES = 6
"""Up to so many agents get a line for each k; more get one line each, for their largest."""
_KS = 5
_MISSING = {"drop": "left out", "zero": "counted as 0", "bracket": "taken as anything from 0 to 1"}


def leaderboard(found: "Leaderboard", page: Path | None = None) -> None:
    line(_headline(found))
    _ranks(found)
    if any(len(one.pass_pow_k or ()) > 1 for one in found.agents):
        _curves(found.agents)
    for words in _neighbours(found):
        line(words)
    for note in found.notes:
        line(f"note: {clean(note)}")
    if page is not None:
        line(f"the page is in {clean(str(page))}")


def _headline(found: "Leaderboard") -> str:
    agents = "1 agent" if len(found.agents) == 1 else f"{len(found.agents)} agents"
    items = "1 item" if found.item_count == 1 else f"{found.item_count:,} items"
    by = f" by {clean(found.scorer_name)}" if found.scorer_name else ""
    if found.source == "preferences":
        return f"{agents} compared on {items}{by}"
    return f"{agents} on {items}{by}; missing values are {_MISSING[found.missing_policy]}"


def _ranks(found: "Leaderboard") -> None:
    rated = any(one.elo is not None for one in found.agents)
    gaps = any(one.n_missing for one in found.agents)
    columns = ["rank", "range", "agent", "score", "95 % interval", axis("0", "1"), "items", "runs"]
    columns += ["missing"] * gaps + ["Elo", "95 % of Elo"] * rated
    rows = table(*columns, right=("rank", "score", "items", "runs", "missing", "Elo"))
    for one in found.agents:
        cells = [
            "–" if one.rank is None else str(one.rank), _range(one.rank_interval), clean(one.agent_id),
            number(one.overall_score), interval(one.confidence_interval),
            whisker(one.overall_score, one.confidence_interval, 0, 1), f"{one.item_count:,}", f"{one.run_count:,}",
        ]  # fmt: skip
        cells += [f"{one.n_missing:,}"] * gaps
        if rated:
            cells += ["–" if one.elo is None else f"{one.elo:+.0f}", _points(one.elo_interval)]
        rows.add_row(*cells)
    draw(rows)


def _range(ends: tuple[int, int] | None) -> str:
    return "–" if ends is None else str(ends[0]) if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def _points(ends: tuple[float, float] | None) -> str:
    return "–" if ends is None else f"{ends[0]:+.0f} to {ends[1]:+.0f}"


def _curves(agents: "Sequence[LeaderboardAgent]") -> None:
    rows = table("agent", "k", "pass@k", "95 % interval", "pass^k", "95 % interval", right=("k", "pass@k", "pass^k"))
    for one in agents:
        passes = one.passes()
        for place, k in enumerate(_chosen(sorted(passes), all_of_them=len(agents) <= _CURVES)):
            some, some_ends, every, every_ends = passes[k]
            name = "" if place else clean(one.agent_id)
            rows.add_row(name, str(k), number(some), interval(some_ends), number(every), interval(every_ends))
    draw(rows)


def _chosen(known: list[int], *, all_of_them: bool) -> list[int]:
    """Which k to print: all of a few, else 1, 2, 4, 8 … and the largest."""
    if not all_of_them:
        return known[-1:]
    if len(known) <= _KS:
        return known
    doubling = [k for k in known if k & (k - 1) == 0]
    return sorted({*doubling[: _KS - 1], known[-1]})


def _neighbours(found: "Leaderboard") -> Iterator[str]:
    unsettled = [one for one in found.comparisons if one.adjacent and one.uncertain]
    for one in unsettled[:_NEIGHBOURS]:
        yield f"{clean(one.a)} and {clean(one.b)} {_told(one, len(found.comparisons))}"
    if len(unsettled) > _NEIGHBOURS:
        yield f"… and {len(unsettled) - _NEIGHBOURS} more neighbours cannot be told apart"


def _told(one: "LeaderboardComparison", pairs: int) -> str:
    if one.delta is None:
        return f"cannot be compared: {clean(one.reason or 'no item in common')}"
    if one.delta_ci_95 is None:
        return f"cannot be told apart: {one.delta:+.3f}, and {clean(one.reason or 'no interval')}"
    items = f"{one.common_items:,} {'item' if one.common_items == 1 else 'items'} in common"
    if one.delta == 0 and one.delta_ci_95 == (0, 0):
        return f"do not differ on any of the {items}"
    words = "are equally good" if one.verdict == "equivalent" else "cannot be told apart"
    low, high = one.delta_ci_95
    if low > 0 or high < 0:
        words += f" once all {pairs:,} pairs are allowed for"
    return f"{words}: {one.delta:+.3f} ({low:+.3f} to {high:+.3f}), {items}"
