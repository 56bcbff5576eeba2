"""What a notebook shows of an evaluation, a comparison or a leaderboard: the words of `print`, with drawn whiskers.

Each is a piece of HTML with its own style that runs no script and fetches nothing. Names and messages come from
outside: all of them pass through `escape`.
"""

from collections.abc import Iterable, Sequence
from html import escape

from gnomon.model.experiment import ExperimentComparison, ScorerComparison, ScorerSummary
from gnomon.model.leaderboard import Leaderboard, LeaderboardAgent
from gnomon.report.evaluation import EvaluationReport
from gnomon.report.plots import whisker
from gnomon.report.text import experiments as words
from gnomon.report.text import leaderboard as ranks
from gnomon.report.text.drawing import clean, interval, number

_LIGHT = (
    "--ink: #1c2127; --dim: #5f6b76; --grid: #dfe4e9; --paper: #fff; --mark: #0b62b8; --good: #15803d; --bad: #b91c1c"
)
_DARK = (
    "--ink: #e6e9ec; --dim: #98a4b0; --grid: #333b44; --paper: #14181c; --mark: #5aa9ff; "
    "--good: #4ade80; --bad: #f87171"
)
# A notebook's own theme is asked before the system's: a dark system may well show a light notebook.
_STYLE = f"""
.gnomon {{ {_LIGHT}; }}
@media (prefers-color-scheme: dark) {{ .gnomon {{ {_DARK}; }} }}
[data-jp-theme-light="true"] .gnomon, .vscode-light .gnomon, html[theme="light"] .gnomon {{ {_LIGHT}; }}
[data-jp-theme-light="false"] .gnomon, .vscode-dark .gnomon, html[theme="dark"] .gnomon {{ {_DARK}; }}
.gnomon {{ font: 14px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); padding: .6rem .8rem;
  overflow-x: auto; }}
.gnomon p, .gnomon ul {{ margin: .3rem 0; }} .gnomon ul {{ padding-left: 1.2rem; }}
.gnomon .dim {{ color: var(--dim); }}
.gnomon a {{ color: var(--mark); }} .gnomon .bad {{ color: var(--bad); }} .gnomon .good {{ color: var(--good); }}
.gnomon table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; white-space: nowrap; border: 0; }}
.gnomon tr, .gnomon tbody tr:nth-child(odd) {{ background: none; }}
.gnomon th {{ font-weight: 600; border-bottom: 1px solid var(--grid); }}
.gnomon td, .gnomon th {{ padding: .15rem 1rem .15rem 0; text-align: right; color: var(--ink); }}
.gnomon td:first-child, .gnomon th:first-child {{ text-align: left; max-width: 22rem; overflow: hidden;
  text-overflow: ellipsis; }}
.gnomon svg {{ display: block; }} .gnomon .grid {{ stroke: var(--grid); fill: none; }}
.gnomon .whisker {{ stroke: var(--mark); stroke-width: 2; fill: none; }}
.gnomon .dot {{ fill: var(--mark); stroke: var(--paper); stroke-width: 1.5; }}
"""
_COLOURS = {"improved": "good", "regressed": "bad"}


class _Drawn(str):
    """HTML that is ready, where other text is escaped."""

    __slots__ = ()


def evaluation(report: EvaluationReport) -> str:
    found = report.summary
    parts = [_headline(found.name, f"({found.status}): {words.size(found)}")]
    if found.stopping is not None:
        parts.append(f"<p>{escape(words.stopping(found.stopping, found.trials))}</p>")
    scorers = list(found.scores_by_scorer.values())
    if scorers:
        more = words.further_columns(scorers)
        columns = ["scorer", "mean", "95 % interval", _scale("0", "1"), *more]
        parts.append(_table(columns, [_scorer_row(one, more) for one in scorers]))
    else:
        parts.append(f"<p>{escape(words.NO_SCORES)}</p>")
    if found.metrics:
        parts.append(_table(words.METRIC_COLUMNS, [words.metric_cells(*metric) for metric in found.metrics.items()]))
    lines = [f"{clean(one.scorer_name)}: {remark}" for one in scorers for remark in words.remarks(one)]
    parts.append(_listed([*lines, *words.evaluation_remarks(report)]))
    return _whole([*parts, _link(report.url)])


def comparison(found: ExperimentComparison, base_name: str, other_name: str) -> str:
    parts = [_headline(f"{base_name} → {other_name}", "")]
    if not found.scorer_comparisons:
        return _whole([*parts, f"<p>{escape(words.NEITHER)}</p>"])
    end = words.reach(found.scorer_comparisons)
    columns = ["scorer", "base", "other", "difference", "95 % interval", _scale(f"-{end:g}", f"+{end:g}"), "verdict"]
    parts.append(_table(columns, [_comparison_row(one, end) for one in found.scorer_comparisons]))
    remarks = [
        f"{clean(one.scorer_name)}: {remark}"
        for one in found.scorer_comparisons
        for remark in words.verdict_remarks(one)
    ]
    return _whole([*parts, _listed([*remarks, *words.comparison_basis(found)])])


def leaderboard(found: Leaderboard) -> str:
    gaps = any(one.n_missing for one in found.agents)
    columns = ["agent", "rank", "range", "score", "95 % interval", _scale("0", "1"), "items", "runs"]
    rows = [_agent_row(one, gaps) for one in found.agents]
    remarks = [*ranks.neighbours(found), *(f"note: {clean(note)}" for note in found.notes)]
    return _whole([_headline(ranks.headline(found), ""), _table(columns + ["missing"] * gaps, rows), _listed(remarks)])


def _scorer_row(one: ScorerSummary, more: Sequence[str]) -> list[str]:
    ends = one.confidence_interval_95
    drawn = _whisker(one.scorer_name, one.mean, ends, 0, 1)
    return [clean(one.scorer_name), number(one.mean), interval(ends), drawn, *words.further_cells(one, more)]


def _comparison_row(one: ScorerComparison, end: float) -> list[str]:
    drawn = _whisker(one.scorer_name, one.paired_delta, one.delta_ci_95, -end, end)
    verdict = _Drawn(f'<span class="{_COLOURS.get(one.verdict, "dim")}">{escape(one.verdict)}</span>')
    figures = [number(one.base_mean), number(one.compare_mean), number(one.paired_delta, "+")]
    return [clean(one.scorer_name), *figures, interval(one.delta_ci_95), drawn, verdict]


def _agent_row(one: LeaderboardAgent, gaps: bool) -> list[str]:
    rank = "–" if one.rank is None else str(one.rank)
    ends = one.confidence_interval
    cells = [clean(one.agent_id), rank, ranks.rank_range(one.rank_interval), number(one.overall_score), interval(ends)]
    cells += [_whisker(one.agent_id, one.overall_score, ends, 0, 1), f"{one.item_count:,}", f"{one.run_count:,}"]
    return cells + [f"{one.n_missing:,}"] * gaps


def _whisker(
    name: str, value: float | None, ends: tuple[float, float] | None, start: float, end: float
) -> str:  # fmt: skip
    if value is None:
        return _Drawn("")
    return _Drawn(whisker(value, ends, start, end, f"{clean(name)}: {number(value)} ({interval(ends)})"))


def _scale(start: str, end: str) -> str:
    """The head of a column of whiskers: where its scale begins and ends."""
    spread = "display: flex; justify-content: space-between; width: 180px; font-weight: normal"
    return _Drawn(f'<span class="dim" style="{spread}"><span>{escape(start)}</span><span>{escape(end)}</span></span>')


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    body = "".join(_row("td", cells) for cells in rows)
    return f"<table><thead>{_row('th', columns)}</thead><tbody>{body}</tbody></table>"


def _row(tag: str, cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{_safe(cell)}</{tag}>' for cell in cells)}</tr>"


def _safe(text: str) -> str:
    return text if isinstance(text, _Drawn) else escape(text)


def _headline(name: str, rest: str) -> str:
    return f'<p><strong>{escape(clean(name))}</strong> <span class="dim">{escape(rest)}</span></p>'


def _listed(lines: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f'<ul class="dim">{items}</ul>' if items else ""


def _link(url: str | None) -> str:
    if url is None or not url.startswith(("http://", "https://")):
        return ""
    return f'<p><a href="{escape(url)}">{escape(url)}</a></p>'


def _whole(parts: Iterable[str]) -> str:
    return f'<div class="gnomon"><style>{_STYLE}</style>{"".join(parts)}</div>'
