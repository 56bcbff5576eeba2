"""The plots of a leaderboard, with the marks that the web application has: dots with whiskers, bars of possible ranks,
brackets of agents that cannot be told apart, curves with bands, and the step of the cheapest good ones.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from gnomon.model.aggregate import Interval
from gnomon.model.leaderboard import Leaderboard, LeaderboardAgent, group_name
from gnomon.report.plots import Scale, dot, label, names_width, points, svg, text, tooltip, whisker_mark
from gnomon.shorten import shorten_middle

WIDTH = 1080
_ROW = 28
_TOP = 34
_RANKS = 170
_BRACKET = 20
_PAD = 6
MOST_BRACKETS = 8
"""More groups than these are shown by their letters only."""
_LETTER = 6.6
_SLANTED = 4
"""Pixels between two lines of a hatching."""
_NAME = 26
"""Longest name in the plot of costs, in characters."""
_LINE = 13
_MOST_LINES = 3
"""A name without a free place within so many lines is left to its dot."""
_SHARES = (0, 0.2, 0.4, 0.6, 0.8, 1)


def forest(board: Leaderboard, words: Sequence[str]) -> str:
    """A row per agent: its possible ranks as a bar, its groups as brackets, and its score with whiskers."""
    agents = board.agents
    ranked = [agent for agent in agents if agent.rank is not None]
    names_end = names_width([agent.agent_id for agent in agents])
    groups = [(at, group) for at, group in enumerate(board.groups) if len(group) > 1][:MOST_BRACKETS]
    # Of an order of one there is nothing to draw.
    ranks = Scale(1, len(ranked), names_end + 22, names_end + 22 + _RANKS) if len(ranked) > 1 else None
    brackets = names_end + (_RANKS + 44 if ranks else 8)
    left = brackets + _BRACKET * len(groups) + 20
    right = WIDTH - 16 - max((len(text) for text in words), default=0) * _LETTER
    scores = Scale(0, 1, left, right)
    bottom = _TOP + _ROW * len(agents) + 4
    drawn = list(_stripes(len(agents)))
    if ranks is not None:
        drawn.append(text(ranks.first, 12, "possible ranks", "dim small"))
        step = max(1, round(len(ranked) / 6))
        shown_ranks = sorted({1, len(ranked), *range(1, len(ranked) - step // 2, step)})
        drawn += [_tick(ranks.at(rank), bottom, str(rank)) for rank in shown_ranks]
    drawn.append(text(scores.first, 12, "score, 95 % interval", "dim small"))
    drawn += [_share_tick(scores.at(share), bottom, f"{share:g}") for share in _SHARES]
    index_of = {agent.agent_id: index for index, agent in enumerate(agents)}
    for number, (at, group) in enumerate(groups):
        name = group_name(at, len(board.groups))
        drawn.append(_bracket(brackets + _BRACKET * number, [index_of[agent_id] for agent_id in group], name))
    for row, (agent, score_text) in enumerate(zip(agents, words, strict=True)):
        y = _TOP + _ROW * (row + 0.5)
        drawn.append(label(agent.agent_id, _PAD, y, "start"))
        drawn.append(text(WIDTH - 4, y + 4, score_text, "number"))
        if ranks is not None and agent.rank is not None and agent.rank_interval is not None:
            drawn.append(_rank_bar(ranks, y, agent.rank, agent.rank_interval))
        if agent.n_missing and agent.missing_bracket is not None:
            drawn.append(_hatch(scores, y, agent.missing_bracket))
        drawn.append(whisker_mark(scores, y, agent.overall_score, agent.confidence_interval, "small_n" in agent.flags))
    return svg(WIDTH, bottom + 20, "Scores with their intervals, and the ranks that are possible", drawn)


def _stripes(rows: int) -> Iterator[str]:
    for row in range(1, rows, 2):
        yield f'<rect class="stripe" x="0" y="{_TOP + _ROW * row}" width="{WIDTH}" height="{_ROW}"/>'


def _tick(x: float, bottom: float, words: str) -> str:
    return f'<path class="grid" d="M{x:.1f} {_TOP - 4}V{bottom}"/>{text(x, _TOP - 9, words, "middle dim small")}'


def _share_tick(x: float, bottom: float, words: str) -> str:
    return f'<path class="grid" d="M{x:.1f} {_TOP - 4}V{bottom}"/>{text(x, bottom + 14, words, "middle dim small")}'


def _hatch(scale: Scale, y: float, ends: Interval) -> str:
    """Where the score could lie if all that is missing were 0, or all were 1."""
    low, high = scale.at(ends[0]), scale.at(ends[1])
    lines = "".join(
        f"M{low + _SLANTED * column:.1f} {y + 6:g}l{min(6.0, high - low - _SLANTED * column):.1f} -12"
        for column in range(math.ceil((high - low) / _SLANTED))
    )
    return f'<path class="hatch" d="{lines}"/>'


def _rank_bar(scale: Scale, y: float, rank: int, ends: tuple[int, int]) -> str:
    low, high = scale.at(ends[0]), scale.at(ends[1])
    bar = f'<rect class="ranks" x="{low - 4:.1f}" y="{y - 5}" width="{high - low + 8:.1f}" height="10" rx="5"/>'
    return f"{bar}{dot(scale.at(rank), y)}"


def _bracket(x: float, rows: Sequence[int], letter: str) -> str:
    """A bracket beside each run of neighbours, dots past rows that are not of the group, and its letter."""
    runs: list[tuple[int, int]] = []
    for row in sorted(rows):
        if runs and row - runs[-1][1] == 1:
            runs[-1] = (runs[-1][0], row)
        else:
            runs.append((row, row))
    ends = [(_TOP + _ROW * first + 5, _TOP + _ROW * (last + 1) - 5) for first, last in runs]
    drawn = [f'<path class="bracket" d="M{x + 5:.1f} {top}H{x:.1f}V{bottom}H{x + 5:.1f}"/>' for top, bottom in ends]
    drawn += [
        f'<path class="bracket skipped" d="M{x:.1f} {above}V{below}"/>' for (_, above), (below, _) in pairwise(ends)
    ]
    top, bottom = max(ends, key=lambda run: run[1] - run[0])
    return f"{''.join(drawn)}{text(x + 6, (top + bottom) / 2 + 4, letter, 'dim small')}"


# --- pass@k and pass^k -----


def passes(agent: LeaderboardAgent, width: int = 250, height: int = 150) -> str:
    """One agent's curves: pass@k whole, pass^k dashed, each with its band."""
    by_k = agent.passes()
    ks = sorted(by_k)
    across = Scale(ks[0], max(ks[-1], ks[0] + 1), 34, width - 12)
    up = Scale(0, 1, height - 22, 10)
    drawn = []
    for share in (0, 0.5, 1):
        y = up.at(share)
        drawn.append(
            f'<path class="grid" d="M34 {y:.1f}H{width - 12}"/>{text(28, y + 4, f"{share:g}", "number small")}'
        )
    step = max(1, round(len(ks) / 6))
    drawn += [text(across.at(k), height - 6, str(k), "middle dim small") for k in ks[::step]]
    for kind, name in (("first", "pass@k"), ("second", "pass^k")):
        values = {k: both.some if kind == "first" else both.every for k, both in by_k.items()}
        ends = {k: both.some_ends if kind == "first" else both.every_ends for k, both in by_k.items()}
        outline = [(across.at(k), up.at(ends[k][0])) for k in ks] + [
            (across.at(k), up.at(ends[k][1])) for k in reversed(ks)
        ]
        drawn.append(f'<polygon class="band {kind}" points="{points(outline)}"/>')
        drawn.append(
            f'<polyline class="curve {kind}" points="{points([(across.at(k), up.at(values[k])) for k in ks])}"/>'
        )
        for k in ks:
            hover_text = f"{name}, k = {k}: {values[k]:.3f} ({ends[k][0]:.3f} to {ends[k][1]:.3f})"
            x, y = across.at(k), up.at(values[k])
            drawn.append(f'<circle class="point {kind}" cx="{x:.1f}" cy="{y:.1f}" r="3">{tooltip(hover_text)}</circle>')
    return svg(width, height, f"pass@k and pass^k of {agent.agent_id}", drawn)


# --- score against cost -----


def cost_scatter(board: Leaderboard, width: int = 760, height: int = 400) -> str:
    """Each agent's score over its cost per run, whiskers both ways, and the step of those that no other beats."""
    shown = [(agent, agent.cost) for agent in board.agents if agent.cost is not None and agent.cost.per_run is not None]
    most = max([cost.per_run or 0.0 for _, cost in shown]
               + [cost.per_run_ci_95[1] for _, cost in shown if cost.per_run_ci_95 is not None])  # fmt: skip
    top = nice_end(most)
    across, up = Scale(0, top, 48, width - 150), Scale(0, 1, height - 40, 14)
    drawn = []
    for share in _SHARES:
        y = up.at(share)
        drawn.append(
            f'<path class="grid" d="M48 {y:.1f}H{width - 150}"/>{text(40, y + 4, f"{share:g}", "number small")}'
        )
    for amount, words in cost_ticks(top):
        drawn.append(text(across.at(amount), height - 24, words, "middle dim small"))
    drawn.append(text((48 + width - 150) / 2, height - 6, "USD per run", "middle dim small"))
    drawn.append(f'<path class="front" d="{_front(board, across, up)}"/>')
    taken: list[_Named] = []
    names: list[str] = []
    for agent, cost in shown:
        x, y = across.at(cost.per_run or 0.0), up.at(agent.overall_score or 0.0)
        drawn.append(_across_whisker(across, y, cost.per_run_ci_95))
        drawn.append(_up_whisker(up, x, agent.confidence_interval))
        hover_text = f"{agent.agent_id}: {dollars(cost.per_run or 0.0)} per run, score {agent.overall_score or 0.0:.3f}"
        drawn.append(f"<g>{tooltip(hover_text)}{dot(x, y)}</g>")
        name = shorten_middle(agent.agent_id, _NAME)
        label_y = free_place(taken, x, y - 6, len(name) * _LETTER, up.first - 3)
        if label_y is not None:
            names.append(text(x + 8, label_y, name, "small over"))
    return svg(width, height, "Score against cost per run", drawn + names)


class _Named(NamedTuple):
    """Where a name stands: left end, baseline and width."""

    x: float
    y: float
    width: float


def free_place(taken: list[_Named], x: float, y: float, width: float, foot: float) -> float | None:
    """The baseline of a name, below the names that are there already; None where there is no room above the foot."""
    for line in range(_MOST_LINES + 1):
        candidate = _Named(x, y + line * _LINE, width + 12)
        if candidate.y > foot:
            return None
        if not any(_overlap(candidate, other) for other in taken):
            taken.append(candidate)
            return candidate.y
    return None


def _overlap(a: _Named, b: _Named) -> bool:
    return a.x < b.x + b.width and b.x < a.x + a.width and abs(a.y - b.y) < _LINE


def _front(board: Leaderboard, across: Scale, up: Scale) -> str:
    by_name = {agent.agent_id: agent for agent in board.agents}
    path = ""
    for name in board.cost_front:
        agent = by_name[name]
        x = across.at((agent.cost.per_run if agent.cost else None) or 0.0)
        y = up.at(agent.overall_score or 0.0)
        path += f"H{x:.1f}V{y:.1f}" if path else f"M{x:.1f} {up.first:.1f}V{y:.1f}"
    return f"{path}H{across.last:.1f}"


def _across_whisker(scale: Scale, y: float, ends: Interval | None) -> str:
    if ends is None:
        return ""
    low, high = scale.at(ends[0]), scale.at(ends[1])
    return f'<path class="whisker" d="M{low:.1f} {y:.1f}H{high:.1f}M{low:.1f} {y - 4:.1f}v8M{high:.1f} {y - 4:.1f}v8"/>'


def _up_whisker(scale: Scale, x: float, ends: Interval | None) -> str:
    if ends is None:
        return ""
    low, high = scale.at(ends[0]), scale.at(ends[1])
    return f'<path class="whisker" d="M{x:.1f} {low:.1f}V{high:.1f}M{x - 4:.1f} {low:.1f}h8M{x - 4:.1f} {high:.1f}h8"/>'


def nice_end(most: float) -> float:
    """The end of an axis from 0: the least of 1, 2, 2.5 or 5 times a power of ten that holds everything."""
    power = 1e-9
    while True:
        for step in (1, 2, 2.5, 5):
            if step * power >= most * (1 - 1e-12):
                return step * power
        power *= 10


def cost_ticks(top: float) -> list[tuple[float, str]]:
    """Amounts on an axis that ends at a nice number, with as many decimals as tell them apart."""
    steps = 4 if f"{top:e}".startswith("2.0") else 5
    step = top / steps
    decimals = max(2, -math.floor(math.log10(step) + 1e-9))
    return [(step * index, f"${step * index:.{decimals}f}") for index in range(steps + 1)]


def dollars(amount: float) -> str:
    """Format money as the web application does: two digits below a cent, else cents."""
    if amount == 0:
        return "$0.00"
    return f"${amount:.2f}" if amount >= 0.00995 else f"${amount:.2g}"
