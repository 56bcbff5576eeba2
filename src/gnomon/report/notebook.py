"""What a notebook shows of an evaluation, a comparison or a leaderboard: the words of `print`, with drawn whiskers.

Each is a piece of HTML with its own style that runs no script and fetches nothing. The panels are also parts of pages
(`report.experiments`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gnomon.model.experiment import ExperimentComparison, ScorerComparison, ScorerSummary
from gnomon.model.leaderboard import Leaderboard, LeaderboardAgent
from gnomon.report.evaluation import EvaluationReport
from gnomon.report.plots import whisker
from gnomon.report.rendering import Cell, Column, Table, columns, drawing, render
from gnomon.report.text import experiments as words
from gnomon.report.text import leaderboard as ranks
from gnomon.report.text.drawing import clean, interval, number, reach

_SCORER, _INTERVAL = Column("scorer", is_text=True), Column("95 % interval")
_VERDICT = Column(
    "verdict", classes={"improved": "good", "regressed": "bad", "equivalent": "dim", "inconclusive": "dim"}
)


@dataclass(frozen=True, slots=True)
class Panel:
    """What is shown of one result: a headline, sentences, tables, remarks, and an address with more."""

    name: str
    about: str = ""
    lines: Sequence[str] = ()
    tables: Sequence[Table] = ()
    remarks: Sequence[str] = ()
    url: str | None = None


def evaluation(report: EvaluationReport) -> str:
    return render("notebook.html", panel=evaluation_panel(report))


def comparison(comparison: ExperimentComparison, base_name: str, other_name: str) -> str:
    return render("notebook.html", panel=comparison_panel(comparison, base_name, other_name))


def leaderboard(board: Leaderboard) -> str:
    return render("notebook.html", panel=leaderboard_panel(board))


def evaluation_panel(report: EvaluationReport) -> Panel:
    summary = report.summary
    scorers = list(summary.scores_by_scorer.values())
    lines = [] if summary.stopping is None else [words.stopping(summary.stopping, summary.trials)]
    tables = []
    if scorers:
        more = words.further_columns(scorers)
        heads = [_SCORER, Column("mean"), _INTERVAL, Column("", scale=("0", "1")), *columns(*more)]
        tables.append(Table(heads, [_scorer_row(scorer, more) for scorer in scorers], "Scores"))
    else:
        lines.append(words.NO_SCORES)
    if summary.metrics:
        rows = [words.metric_cells(*metric) for metric in summary.metrics.items()]
        tables.append(Table(columns(*words.METRIC_COLUMNS, text=("metric", "remark")), rows, "Metrics"))
    remarks = [f"{clean(scorer.scorer_name)}: {remark}" for scorer in scorers for remark in words.remarks(scorer)]
    return Panel(
        name=clean(summary.name),
        about=f"({summary.status}): {words.size(summary)}",
        lines=lines,
        tables=tables,
        remarks=[*remarks, *words.evaluation_remarks(report)],
        url=_web_address(report.url),
    )


def comparison_panel(comparison: ExperimentComparison, base_name: str, other_name: str) -> Panel:
    name = clean(f"{base_name} → {other_name}")
    if not comparison.scorer_comparisons:
        return Panel(name, lines=[words.NEITHER])
    end = reach(compared.delta_ci_95 for compared in comparison.scorer_comparisons)
    heads = [_SCORER, *columns("base", "other", "difference"), _INTERVAL]
    heads += [Column("", scale=(f"-{end:g}", f"+{end:g}")), _VERDICT]
    rows = [_comparison_row(compared, end) for compared in comparison.scorer_comparisons]
    remarks = [
        f"{clean(compared.scorer_name)}: {remark}"
        for compared in comparison.scorer_comparisons
        for remark in words.verdict_remarks(compared)
    ]
    remarks += words.comparison_basis(comparison)
    return Panel(name, tables=[Table(heads, rows, "Comparison")], remarks=remarks)


def leaderboard_panel(board: Leaderboard) -> Panel:
    gaps = any(agent.n_missing for agent in board.agents)
    heads = [Column("agent", is_text=True), *columns("rank", "range", "score"), _INTERVAL, Column("", scale=("0", "1"))]
    heads += columns("items", "runs", *["missing"] * gaps)
    rows = [_agent_row(agent, gaps) for agent in board.agents]
    remarks = [*ranks.neighbours(board), *(f"note: {clean(note)}" for note in board.notes)]
    return Panel(clean(ranks.headline(board)), tables=[Table(heads, rows, "Leaderboard")], remarks=remarks)


def _scorer_row(scorer: ScorerSummary, more: Sequence[str]) -> list[Cell]:
    ends = scorer.confidence_interval_95
    drawn = _whisker(scorer.scorer_name, scorer.mean, ends, 0, 1)
    return [clean(scorer.scorer_name), number(scorer.mean), interval(ends), drawn, *words.further_cells(scorer, more)]


def _comparison_row(compared: ScorerComparison, end: float) -> list[Cell]:
    drawn = _whisker(compared.scorer_name, compared.paired_delta, compared.delta_ci_95, -end, end)
    figures = [number(compared.base_mean), number(compared.compare_mean), number(compared.paired_delta, "+")]
    return [clean(compared.scorer_name), *figures, interval(compared.delta_ci_95), drawn, compared.verdict]


def _agent_row(agent: LeaderboardAgent, gaps: bool) -> list[Cell]:
    rank = "–" if agent.rank is None else str(agent.rank)
    score, ends = agent.overall_score, agent.confidence_interval
    cells: list[Cell] = [clean(agent.agent_id), rank, ranks.rank_range(agent.rank_interval), number(score)]
    cells += [interval(ends), _whisker(agent.agent_id, score, ends, 0, 1), f"{agent.item_count:,}"]
    return [*cells, f"{agent.run_count:,}", *[f"{agent.n_missing:,}"] * gaps]


def _whisker(name: str, value: float | None, ends: tuple[float, float] | None, start: float, end: float) -> Cell:
    if value is None:
        return ""
    return drawing(whisker(value, ends, start, end, f"{clean(name)}: {number(value)} ({interval(ends)})"))


def _web_address(url: str | None) -> str | None:
    """The address if it is safe to link to; `javascript:` and the like become None."""
    return url if url is not None and url.startswith(("http://", "https://")) else None
