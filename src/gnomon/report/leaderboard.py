"""A leaderboard as one page: scores, possible ranks, pass@k and pass^k, and every pair's verdict.

Everything is in the file: it can be mailed, kept, or put on any web server. What the numbers mean is decided
elsewhere; here they are only drawn.
"""

from collections.abc import Iterator, Sequence
from html import escape

from gnomon.model.leaderboard import Leaderboard, LeaderboardAgent, LeaderboardComparison
from gnomon.report.plots import LINES, Bar, Cell, Curve, curves, legend, matrix, whiskers

_STYLE = """
:root { color-scheme: light dark; --ink: #1c2127; --dim: #5f6b76; --grid: #dfe4e9; --paper: #fff; --mark: #0b62b8;
  --good: #cdebd3; --bad: #fbd5d2; --same: #d6e6f7; --open: #eef0f3;
  --line-0: #0b62b8; --line-1: #c2410c; --line-2: #15803d; --line-3: #9333ea;
  --line-4: #be185d; --line-5: #0f766e; --line-6: #a16207; --line-7: #475569; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --dim: #98a4b0; --grid: #333b44; --paper: #14181c;
  --mark: #5aa9ff; --good: #1d4a2a; --bad: #5a2422; --same: #1d3d5c; --open: #262c33;
  --line-0: #5aa9ff; --line-1: #fb923c; --line-2: #4ade80; --line-3: #c084fc;
  --line-4: #f472b6; --line-5: #2dd4bf; --line-6: #facc15; --line-7: #94a3b8; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 60rem; margin: 2rem auto; padding: 0 1.25rem 3rem; }
h1 { margin: 0 0 .2rem; } h2 { margin: 2.2rem 0 .3rem; font-size: 1.15rem; } p { margin: .2rem 0 .6rem; }
.dim, figcaption { color: var(--dim); } .wide { overflow-x: auto; } figure { margin: 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; white-space: nowrap; }
th { font-weight: 600; border-bottom: 1px solid var(--grid); }
td, th { padding: .2rem 1rem .2rem 0; text-align: right; } td.name, th.name { text-align: left; }
td.name { max-width: 22rem; overflow: hidden; text-overflow: ellipsis; }
figure.plot svg { min-width: 40rem; }
svg { display: block; font: 12px system-ui, sans-serif; max-width: 100%; height: auto; }
svg text { fill: var(--ink); } svg .number { text-anchor: end; font-variant-numeric: tabular-nums; }
svg .middle { text-anchor: middle; } svg .dim { fill: var(--dim); } svg .small { font-size: 11px; }
svg .sign { font-size: 11px; }
.grid { stroke: var(--grid); fill: none; } .whisker { stroke: var(--mark); stroke-width: 2; fill: none; }
.dot { fill: var(--mark); stroke: var(--paper); stroke-width: 1.5; } .curve { fill: none; stroke-width: 2; }
rect.better { fill: var(--good); } rect.worse { fill: var(--bad); } rect.same { fill: var(--same); }
rect.open { fill: var(--open); }
.pair { display: flex; flex-wrap: wrap; gap: 1rem; } .pair figure { flex: 1 1 20rem; }
.legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .1rem 1.2rem; margin: .4rem 0; }
.legend span { display: inline-block; width: .8rem; height: .8rem; border-radius: 3px; margin-right: .4rem;
  vertical-align: -1px; }
"""
_SAID = {
    "improved": ("▲", "better"),
    "regressed": ("▼", "worse"),
    "equivalent": ("=", "same"),
    "inconclusive": ("·", "open"),
}
_MIRRORED = {"improved": "regressed", "regressed": "improved"}
_MISSING = {"drop": "left out", "zero": "counted as 0", "bracket": "taken as anything from 0 to 1"}
_MOST_IN_MATRIX = 60


def page(found: Leaderboard, title: str = "Leaderboard") -> str:
    """The whole page."""
    parts = [
        _head(found),
        _table(found),
        _scores(found),
        _ranks(found),
        _passes(found.agents),
        _pairs(found),
        _notes(found),
    ]
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head>'
        f"<body><h1>{escape(title)}</h1>{''.join(parts)}</body></html>\n"
    )


def _head(found: Leaderboard) -> str:
    by = f", scored by {found.scorer_name}" if found.scorer_name else ""
    kind = "compared in pairs on" if found.source == "preferences" else "tried on"
    missing = "" if found.source == "preferences" else f" Missing values are {_MISSING[found.missing_policy]}."
    size = f"{_count(len(found.agents), 'agent')} {kind} {_count(found.item_count, 'item')}{by}."
    return f'<p class="dim">{escape(size + missing)} Every interval is a 95 % interval.</p>'


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _table(found: Leaderboard) -> str:
    rated = any(one.elo is not None for one in found.agents)
    gaps = any(one.n_missing for one in found.agents)
    names = ["rank", "range", "agent", "score", "interval", "items", "runs"]
    names += ["missing"] * gaps + ["Elo", "interval"] * rated + ["group"]
    rows = []
    for one in found.agents:
        cells = [_whole(one.rank), _range(one.rank_interval), one.agent_id, _number(one.overall_score)]
        cells += [_interval(one.confidence_interval), f"{one.item_count:,}", f"{one.run_count:,}"]
        cells += [f"{one.n_missing:,}"] * gaps + list(_elo(one)) * rated
        rows.append([*cells, one.group])
    return _rows(names, rows)


def _rows(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table whose column `agent` holds names, all others numbers."""
    kinds = ["name" if name == "agent" else "" for name in names]

    def row(tag: str, cells: Sequence[str]) -> str:
        filled = zip(kinds, cells, strict=True)
        return "<tr>" + "".join(f'<{tag} class="{kind}">{escape(text)}</{tag}>' for kind, text in filled) + "</tr>"

    body = "".join(row("td", cells) for cells in rows)
    return f'<div class="wide"><table><thead>{row("th", names)}</thead><tbody>{body}</tbody></table></div>'


def _scores(found: Leaderboard) -> str:
    bars = []
    for one in found.agents:
        words = _with_interval(one.overall_score, one.confidence_interval)
        bars.append(Bar(one.agent_id, one.overall_score, one.confidence_interval, words))
    drawn = whiskers(bars, 0, 1, (0, 0.2, 0.4, 0.6, 0.8, 1), "Scores with their intervals")
    about = "Two intervals may overlap and the order be settled all the same, for pairs are compared item by item."
    return _section("Scores", about, f'<figure class="wide plot">{drawn}</figure>')


def _ranks(found: Leaderboard) -> str:
    ranked = [one for one in found.agents if one.rank is not None and one.rank_interval is not None]
    if len(ranked) < 2:
        return ""
    bars = [
        Bar(one.agent_id, one.rank, one.rank_interval, f"{one.rank}  ({_range(one.rank_interval)})") for one in ranked
    ]
    step = max(1, round(len(ranked) / 10))
    ticks = sorted({1, *range(step, len(ranked) + 1, step), len(ranked)})
    drawn = whiskers(bars, 1, len(ranked), ticks, "Ranks and their ranges")
    about = (
        f"1 + how many agents are significantly better, and its range over {found.resamples:,} resamples of the items."
    )
    return _section("Ranks", about, f'<figure class="wide plot">{drawn}</figure>')


def _passes(agents: Sequence[LeaderboardAgent]) -> str:
    if not _has_curves(agents):
        return ""
    shown = [one for one in agents if one.pass_at_k][:LINES]
    at, every = [], []
    for one in shown:
        passes = one.passes()
        some_of = {k: found.some for k, found in passes.items()}, {k: found.some_ends for k, found in passes.items()}
        all_of = {k: found.every for k, found in passes.items()}, {k: found.every_ends for k, found in passes.items()}
        at.append(Curve(one.agent_id, *some_of))
        every.append(Curve(one.agent_id, *all_of))
    more = f" The first {LINES} agents are drawn." if len(agents) > LINES else ""
    panels = "".join(
        f"<figure><figcaption>{escape(words)}</figcaption>{curves(lines, words)}</figure>"
        for words, lines in (("pass@k: at least one of k trials passes", at), ("pass^k: all of k trials pass", every))
    )
    about = f"What k trials are worth, over the items.{more}"
    table = _rows(["agent", "largest k", "pass@k", "pass^k"], [[one.agent_id, *_at_largest_k(one)] for one in agents])
    drawn = f'{legend([one.agent_id for one in shown])}<div class="pair">{panels}</div>{table}'
    return _section("Several trials", about, drawn)


def _pairs(found: Leaderboard) -> str:
    names = [one.agent_id for one in found.agents if one.rank is not None][:_MOST_IN_MATRIX]
    if len(names) < 2:
        return ""
    place = {name: at for at, name in enumerate(names)}
    cells = {}
    for one in found.comparisons:
        if one.a in place and one.b in place:
            row, column = place[one.a], place[one.b]
            cells[row, column] = _cell(one, one.verdict)
            cells[column, row] = _cell(one, _MIRRORED.get(one.verdict, one.verdict))
    about = "▲ the agent of the row is better than that of the column, ▼ worse, = equally good, · not settled. " + (
        f"Paired over the items that both have, adjusted for {_count(len(found.comparisons), 'comparison')} (Holm)."
    )
    more = f" The first {_MOST_IN_MATRIX} agents are drawn." if len(place) == _MOST_IN_MATRIX else ""
    return _section("Pairs", about + more, f'<div class="wide">{matrix(names, cells, "Verdict on every pair")}</div>')


def _cell(one: LeaderboardComparison, verdict: str) -> Cell:
    sign, kind = _SAID[verdict]
    if one.delta is None:
        return Cell(sign, kind, f"{one.a} and {one.b}: {one.reason}")
    ends = "no interval" if one.delta_ci_95 is None else f"{one.delta_ci_95[0]:+.3f} to {one.delta_ci_95[1]:+.3f}"
    p_value = "" if one.p_value_adjusted is None else f", adjusted p {one.p_value_adjusted:.3g}"
    return Cell(
        sign, kind, f"{one.a} − {one.b}: {one.delta:+.3f} ({ends}){p_value}, {one.common_items} items in common"
    )


def _notes(found: Leaderboard) -> str:
    if not found.notes:
        return ""
    listed = "".join(f"<li>{escape(note)}</li>" for note in found.notes)
    return f"<h2>Good to know</h2><ul>{listed}</ul>"


def _section(title: str, about: str, drawn: str) -> str:
    return f'<h2>{escape(title)}</h2><p class="dim">{escape(about)}</p>{drawn}'


def _has_curves(agents: Sequence[LeaderboardAgent]) -> bool:
    return any(len(one.pass_at_k or ()) > 1 for one in agents)


def _at_largest_k(one: LeaderboardAgent) -> Iterator[str]:
    passes = one.passes()
    if not passes:
        yield from ("–", "–", "–")
        return
    k = max(passes)
    yield str(k)
    yield _with_interval(passes[k].some, passes[k].some_ends)
    yield _with_interval(passes[k].every, passes[k].every_ends)


def _elo(one: LeaderboardAgent) -> Iterator[str]:
    yield "–" if one.elo is None else f"{one.elo:+.0f}"
    yield "–" if one.elo_interval is None else f"{one.elo_interval[0]:+.0f} to {one.elo_interval[1]:+.0f}"


def _whole(number: int | None) -> str:
    return "–" if number is None else str(number)


def _range(ends: tuple[int, int] | None) -> str:
    return "–" if ends is None else str(ends[0]) if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _interval(ends: tuple[float, float] | None) -> str:
    return "–" if ends is None else f"{ends[0]:.3f} to {ends[1]:.3f}"


def _with_interval(value: float | None, ends: tuple[float, float] | None) -> str:
    return _number(value) if ends is None else f"{_number(value)}  ({_interval(ends)})"
