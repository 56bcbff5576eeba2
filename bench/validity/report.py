"""Everything that was found, written down: figures as JSON, plots as SVG, tables into the page that explains them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.validity.chart import line_chart
from bench.validity.table import Cell, Table, rewritten

PAGE, FIGURES, PLOTS = "intervals.md", "validity.json", "img"


@dataclass(frozen=True)
class Plot:
    """Which curves of which table, and how they are drawn."""

    file: str
    table: str
    curves: str
    title: str
    x_label: str
    x_ticks: Sequence[float]
    y_range: tuple[float, float] = (0.5, 1.0)
    log_x: bool = True


DRAWN = (
    Plot("shares-by-n", "shares", "by n", "Scores of 0 and 1: average coverage", "number of scores",
         (3, 5, 10, 20, 50, 200)),
    Plot("shares-by-p", "shares", "by p", "Five scores of 0 and 1: coverage at each true share", "true share",
         (0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95), (0.0, 1.0), log_x=False),
    Plot("real", "real_lowest", "by n", "Real scores: coverage in the hardest case", "number of scores",
         (3, 5, 10, 20, 50, 100, 200), (0.0, 1.0)),
    Plot("clusters", "clusters", "by items", "Several trials per item (ICC 0.6): average coverage", "number of items",
         (5, 10, 20, 50)),
    Plot("looks", "looks", "by look", "Looking after every score: right at every look so far", "number of looks",
         (1, 10, 100, 500), (0.0, 1.0)),
)  # fmt: skip


def figures(tables: Sequence[Table], settings: Mapping[str, Any]) -> dict[str, Any]:
    """What JSON keeps: everything that a table or a plot shows."""
    return {
        **settings,
        "tables": {table.name: table.as_json() for table in [*tables, _below(tables)]},
        "curves": {
            table.name: {key: _points(curves) for key, curves in table.curves.items()}
            for table in tables
            if table.curves
        },
    }


def plots(found: Mapping[str, Any]) -> dict[str, str]:
    """File name → SVG, from the figures alone."""
    drawn = {}
    for plot in DRAWN:
        curves = found["curves"][plot.table][plot.curves]
        drawn[f"{plot.file}.svg"] = line_chart(
            plot.title, plot.x_label, curves, plot.y_range, x_ticks=plot.x_ticks, log_x=plot.log_x
        )
    return drawn


def write(found: Mapping[str, Any], folder: Path) -> None:
    (folder / PLOTS).mkdir(parents=True, exist_ok=True)
    (folder / FIGURES).write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    for name, drawing in plots(found).items():
        (folder / PLOTS / name).write_text(drawing, encoding="utf-8")
    page = folder / PAGE
    if page.exists():
        page.write_text(rewritten(page.read_text("utf-8"), found["tables"]), encoding="utf-8")


def _below(tables: Sequence[Table]) -> Table:
    """Every cell of our own methods that misses the target, so that none is overlooked."""
    rows = [
        (table.name, ", ".join(f"{name} {label}" for name, label in _labels(table, row)), column, cell)
        for table in tables
        for row, column, cell in table.below_target()
    ]
    return Table("below", ("table", "where", "method or data", "coverage"), rows)


def _labels(table: Table, row: Sequence[Cell]) -> list[tuple[str, Cell]]:
    return list(zip(table.columns, row, strict=True))[: table.labels]


def _points(curves: Mapping[str, Sequence[tuple[float, float]]]) -> dict[str, list[list[float]]]:
    return {name: [[x, round(y, 5)] for x, y in points] for name, points in curves.items()}
