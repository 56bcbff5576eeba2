"""A leaderboard as one page: scores, possible ranks, pass@k and pass^k, and every pair's verdict; of a benchmark also
what the agents did, scenario by scenario, and what it cost.

Everything is in the file: it can be mailed, kept, or put on any web server. What the numbers mean is decided
elsewhere; here they are only drawn.
"""

from collections.abc import Iterator, Sequence
from html import escape

from gnomon.model.bench import Figure, TimeToAction
from gnomon.model.leaderboard import (
    BenchAgent,
    BenchLeaderboard,
    Leaderboard,
    LeaderboardAgent,
    LeaderboardComparison,
    LeaderboardScenario,
    RunCost,
)
from gnomon.report.plots import LINES, Bar, Cell, Curve, curves, heat, legend, matrix, whiskers
from gnomon.report.policy import POLICY_TAG

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
rect.open { fill: var(--open); } rect.heat { fill: var(--mark); }
dt { font-weight: 600; } dd { margin: 0 0 .4rem 1.2rem; color: var(--dim); }
summary { cursor: pointer; margin: .6rem 0; } body.bench { max-width: 76rem; } .bench td.name { max-width: 17rem; }
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
_MOST_ACTIONS = 16
_WORDS = ("agent", "scenario", "kind", "run", "why")


def page(found: Leaderboard, title: str = "Leaderboard") -> str:
    """The whole page."""
    parts = [
        _head(found),
        _table(found),
        _scores(found),
        _ranks(found),
        _passes(found),
        _pairs(found),
        *(_of_a_benchmark(found) if isinstance(found, BenchLeaderboard) else ()),
        _notes(found),
        _meanings(found) if isinstance(found, BenchLeaderboard) else "",
    ]
    kind = ' class="bench"' if found.source == "bench" else ""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">{POLICY_TAG}<title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head>'
        f"<body{kind}><h1>{escape(title)}</h1>{''.join(parts)}</body></html>\n"
    )


def _head(found: Leaderboard) -> str:
    by = f", scored by {found.scorer_name}" if found.scorer_name else ""
    kind = "compared in pairs on" if found.source == "preferences" else "tried on"
    missing = "" if found.source == "preferences" else f" Missing values are {_MISSING[found.missing_policy]}."
    size = f"{_count(len(found.agents), 'agent')} {kind} {_count(found.item_count, _item(found))}{by}."
    return f'<p class="dim">{escape(size + missing)} Every interval is a 95 % interval.</p>'


def _item(found: Leaderboard) -> str:
    return "scenario" if found.source == "bench" else "item"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _table(found: Leaderboard) -> str:
    rated = any(one.elo is not None for one in found.agents)
    gaps = any(one.n_missing for one in found.agents)
    names = ["rank", "range", "agent", "success" if found.source == "bench" else "score", "interval"]
    names += [f"{_item(found)}s", "runs"]
    names += ["missing"] * gaps + ["Elo", "interval"] * rated + ["group"]
    rows = []
    for one in found.agents:
        cells = [_whole(one.rank), _range(one.rank_interval), one.agent_id, _number(one.overall_score)]
        cells += [_interval(one.confidence_interval), f"{one.item_count:,}", f"{one.run_count:,}"]
        cells += [f"{one.n_missing:,}"] * gaps + list(_elo(one)) * rated
        rows.append([*cells, one.group])
    return _rows(names, rows)


def _rows(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table whose columns `_WORDS` hold names, all others numbers."""
    kinds = ["name" if name in _WORDS else "" for name in names]

    def row(tag: str, cells: Sequence[str]) -> str:
        filled = zip(kinds, cells, strict=True)
        return "<tr>" + "".join(_td(tag, kind, text) for kind, text in filled) + "</tr>"

    body = "".join(row("td", cells) for cells in rows)
    return f'<div class="wide"><table><thead>{row("th", names)}</thead><tbody>{body}</tbody></table></div>'


def _td(tag: str, kind: str, text: str) -> str:
    whole = f' title="{escape(text)}"' if kind and tag == "td" else ""  # long names are cut
    return f'<{tag} class="{kind}"{whole}>{escape(text)}</{tag}>'


def _scores(found: Leaderboard) -> str:
    bars = []
    for one in found.agents:
        words = _with_interval(one.overall_score, one.confidence_interval)
        bars.append(Bar(one.agent_id, one.overall_score, one.confidence_interval, words))
    drawn = whiskers(bars, 0, 1, (0, 0.2, 0.4, 0.6, 0.8, 1), "Scores with their intervals")
    about = (
        "Two intervals may overlap and the order be settled all the same, for pairs are compared "
        f"{_item(found)} by {_item(found)}."
    )
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
        "1 + how many agents are significantly better. The range ends where others are significantly worse; the ranges "
        "of all agents hold at once, with 95 %."
    )
    return _section("Ranks", about, f'<figure class="wide plot">{drawn}</figure>')


def _passes(found: Leaderboard) -> str:
    agents = found.agents
    if not _has_curves(agents):
        return ""
    trial = "run" if found.source == "bench" else "trial"
    shown = [one for one in agents if one.pass_at_k][:LINES]
    at, every = [], []
    for one in shown:
        passes = one.passes()
        some_of = {k: both.some for k, both in passes.items()}, {k: both.some_ends for k, both in passes.items()}
        all_of = {k: both.every for k, both in passes.items()}, {k: both.every_ends for k, both in passes.items()}
        at.append(Curve(one.agent_id, *some_of))
        every.append(Curve(one.agent_id, *all_of))
    more = f" The first {LINES} agents are drawn." if len(agents) > LINES else ""
    panels = "".join(
        f"<figure><figcaption>{escape(words)}</figcaption>{curves(lines, words)}</figure>"
        for words, lines in (
            (f"pass@k: at least one of k {trial}s passes", at),
            (f"pass^k: all of k {trial}s pass", every),
        )
    )
    about = f"What k {trial}s are worth, over the {_item(found)}s.{more}"
    table = _rows(["agent", "largest k", "pass@k", "pass^k"], [[one.agent_id, *_at_largest_k(one)] for one in agents])
    drawn = f'{legend([one.agent_id for one in shown])}<div class="pair">{panels}</div>{table}'
    return _section(f"Several {trial}s", about, drawn)


def _pairs(found: Leaderboard) -> str:
    names = [one.agent_id for one in found.agents if one.rank is not None][:_MOST_IN_MATRIX]
    if len(names) < 2:
        return ""
    place = {name: at for at, name in enumerate(names)}
    cells = {}
    for one in found.comparisons:
        if one.a in place and one.b in place:
            row, column = place[one.a], place[one.b]
            cells[row, column] = _cell(one, one.verdict, _item(found))
            cells[column, row] = _cell(one, _MIRRORED.get(one.verdict, one.verdict), _item(found))
    about = (
        "▲ the agent of the row is better than that of the column, ▼ worse, = equally good, · not settled. "
        f"Paired over the {_item(found)}s that both have, "
        f"adjusted for {_count(len(found.comparisons), 'comparison')} (Holm)."
    )
    more = f" The first {_MOST_IN_MATRIX} agents are drawn." if len(place) == _MOST_IN_MATRIX else ""
    return _section("Pairs", about + more, f'<div class="wide">{matrix(names, cells, "Verdict on every pair")}</div>')


def _cell(one: LeaderboardComparison, verdict: str, item: str) -> Cell:
    sign, kind = _SAID[verdict]
    if one.delta is None:
        return Cell(sign, kind, f"{one.a} and {one.b}: {one.reason}")
    ends = "no interval" if one.delta_ci_95 is None else f"{one.delta_ci_95[0]:+z.3f} to {one.delta_ci_95[1]:+z.3f}"
    p_value = "" if one.p_value_adjusted is None else f", adjusted p {one.p_value_adjusted:.3g}"
    return Cell(
        sign, kind, f"{one.a} − {one.b}: {one.delta:+z.3f} ({ends}){p_value}, {one.common_items} {item}s in common"
    )


# --- of a benchmark -----


def _of_a_benchmark(found: BenchLeaderboard) -> Iterator[str]:
    yield _behaviour(found.agents)
    yield _actions(found.agents)
    yield _scenarios(found.agents)
    yield _judges(found.agents)
    yield _costs(found.agents)
    yield _excluded(found)


def _meanings(found: BenchLeaderboard) -> str:
    rules = "different versions of the rules" if found.scorer_version is None else f"rules {found.scorer_version}"
    meanings = found.metric_definitions.items()
    defined = "".join(f"<dt>{escape(name)}</dt><dd>{escape(words)}</dd>" for name, words in meanings)
    return f'<h2>What the numbers mean</h2><p class="dim">Scored by {escape(rules)}.</p><dl>{defined}</dl>'


def _behaviour(agents: Sequence[BenchAgent]) -> str:
    names = ["agent", "noticed", "in memory", "called", "told somebody", "false alarms", "median beats", "mean beats",
             "composite"]  # fmt: skip
    rows = [
        [
            one.agent_id, _share(one.detection), _share(one.detection_in_memory), _share(one.called_911),
            _share(one.contacted_someone), _share(one.false_alarm_rate), _median(one.time_to_action),
            _restricted(one.time_to_action), _figure(one.composite, 2),
        ]
        for one in agents
    ]  # fmt: skip
    about = (
        "In percent of the runs, every scenario counting the same; days without an anomaly count for false alarms "
        "only. Beats are those from the onset to the first action; in their mean a run that never acts counts as one "
        "more than the window."
    )
    return _section("Noticing and acting", about, _rows(names, rows))


def _actions(agents: Sequence[BenchAgent]) -> str:
    totals: dict[str, float] = {}
    for one in agents:
        for action, figure in one.action_frequency.items():
            totals[action] = totals.get(action, 0.0) + figure.mean
    if not totals:
        return _section("Actions", "No run contains an action.", "")
    actions = sorted(totals, key=lambda action: (-totals[action], action))
    shown = actions[:_MOST_ACTIONS]
    shares = {}
    for row, one in enumerate(agents):
        for column, action in enumerate(shown):
            found = one.action_frequency.get(action)
            words = f"{one.agent_id}, {action}: {'in no run' if found is None else _share(found)}"
            shares[row, column] = (0.0 if found is None else found.mean, words)
    left = f" {len(actions) - len(shown)} rarer actions are not drawn." if len(actions) > len(shown) else ""
    about = f"In how many percent of its runs an agent did it at least once.{left}"
    drawn = heat([one.agent_id for one in agents], shown, shares, "How often agents did what")
    return _section("Actions", about, f'<div class="wide">{drawn}</div>')


def _scenarios(agents: Sequence[BenchAgent]) -> str:
    every = {(place, one.scenario_id): one for place, agent in enumerate(agents) for one in agent.scenarios}
    scenarios = sorted({scenario for _, scenario in every})
    shares = {}
    for (row, scenario), one in every.items():
        if one.success is not None:
            words = f"{agents[row].agent_id}, {scenario}: {_success(one)}, {_count(one.run_count, 'run')}"
            shares[row, scenarios.index(scenario)] = (one.success.mean, words)
    names = ["scenario", "kind", "agent", "success", "interval", "runs", "noticed", "false alarms", "median beats",
             "largest k", "pass@k", "pass^k", "USD a run"]  # fmt: skip
    order = sorted(every, key=lambda key: (key[1], key[0]))
    rows = [_scenario_row(agents[place].agent_id, every[place, scenario]) for place, scenario in order]
    drawn = heat([one.agent_id for one in agents], scenarios, shares, "Success by agent and scenario")
    about = "In how many percent of its runs an agent succeeded. Below, intervals over the runs of the one scenario."
    opened = " open" if len(rows) <= 12 else ""
    table = f"<details{opened}><summary>Scenario by scenario</summary>{_rows(names, rows)}</details>"
    return _section("Scenarios", about, f'<div class="wide">{drawn}</div>{table}')


def _scenario_row(agent: str, one: LeaderboardScenario) -> list[str]:
    kind = " ".join(word for word in ("quiet day" if one.control else one.crisis_type, one.noise_tier) if word)
    noticed, alarms = one.detection, one.false_alarm_rate
    k = max(map(int, one.pass_at_k), default=0)
    passes = ["–", "–", "–"]
    if k:
        some, every = one.pass_at_k[str(k)], one.pass_pow_k[str(k)]
        ends = one.pass_at_k_ci_95[str(k)], one.pass_pow_k_ci_95[str(k)]
        passes = [str(k), _with_interval(some, ends[0]), _with_interval(every, ends[1])]
    return [
        one.scenario_id, kind or "–", agent, _number(one.success.mean if one.success else None),
        _interval(one.success.confidence_interval_95 if one.success else None), str(one.run_count),
        "–" if noticed is None else _percent(noticed.mean, noticed.confidence_interval_95),
        "–" if alarms is None else _percent(alarms.share, alarms.confidence_interval_95),
        _median(one.time_to_action), *passes, _dollars(one.cost.per_run),
    ]  # fmt: skip


def _success(one: LeaderboardScenario) -> str:
    return "–" if one.success is None else _percent(one.success.mean, one.success.confidence_interval_95)


def _judges(agents: Sequence[BenchAgent]) -> str:
    dimensions = list(dict.fromkeys(dimension for one in agents for dimension in one.judge))
    if not dimensions:
        return ""
    rows = [[one.agent_id, *(_figure(one.judge.get(name), 1) for name in dimensions)] for one in agents]
    about = "From 0 to 10, as a judge saw it; a judge is no fact, and what rules found stands whatever it says."
    return _section("What a judge said", about, _rows(["agent", *dimensions], rows))


def _costs(agents: Sequence[BenchAgent]) -> str:
    names = ["agent", "USD a run", "interval", "USD a success", "USD in all", "known", "tokens a run", "seconds a run"]
    rows = [[one.agent_id, *_cost(one.cost)] for one in agents]
    about = "Over the runs whose cost is known; the others are not counted as free. Seconds are those of the agent."
    return _section("Cost", about, _rows(names, rows))


def _cost(one: RunCost) -> list[str]:
    ends = one.per_run_ci_95
    return [
        _dollars(one.per_run), "–" if ends is None else f"{ends[0]:.4f} to {ends[1]:.4f}", _dollars(one.per_success),
        _dollars(one.total), f"{one.known_runs:,} of {one.run_count:,}",
        "–" if one.tokens_per_run is None else f"{one.tokens_per_run:,.0f}",
        "–" if one.seconds_per_run is None else f"{one.seconds_per_run:,.1f}",
    ]  # fmt: skip


def _excluded(found: BenchLeaderboard) -> str:
    if not found.excluded_runs:
        return _section("Excluded runs", "Every run was scored.", "")
    rows = [[one.path, one.reason] for one in found.excluded_runs]
    about = "They count for nobody and against nobody."
    return _section("Excluded runs", about, _rows(["run", "why"], rows))


def _share(found: Figure | None) -> str:
    return "–" if found is None else _percent(found.mean, found.confidence_interval_95)


def _percent(share: float, ends: tuple[float, float]) -> str:
    return f"{100 * share:.0f} ({100 * ends[0]:.0f} to {100 * ends[1]:.0f})"


def _figure(found: Figure | None, digits: int) -> str:
    if found is None:
        return "–"
    low, high = found.confidence_interval_95
    return f"{found.mean:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def _median(found: TimeToAction | None) -> str:
    return "–" if found is None else found.median_in_words()


def _restricted(found: TimeToAction | None) -> str:
    if found is None:
        return "–"
    low, high = found.confidence_interval_95
    return f"{found.restricted_mean:.1f} ({low:.1f} to {high:.1f})"


def _dollars(amount: float | None) -> str:
    return "–" if amount is None else f"{amount:.4f}"


# --- both -----


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
