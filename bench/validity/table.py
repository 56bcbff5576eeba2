"""What a simulation found, as a table: in the terminal, in JSON and between two marks of a Markdown page."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

TARGET = 0.93
"""What an interval that says 95 % must at least cover, to the tenth of a percent that is shown."""

Cell = str | int | float
Rows = list[tuple[Cell, ...]]

Curves = Mapping[str, Sequence[tuple[float, float]]]
"""Lines of a plot by name: points (x, y)."""


@dataclass(frozen=True)
class Table:
    """Floats are coverage and shown in percent, except in the columns named in `lengths` (plain numbers) and
    `rates` (shares that are not coverage).

    `ours` are the columns of the methods that Gnomon uses: they are held against the target.
    """

    name: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    ours: Sequence[str] = ()
    lengths: Sequence[str] = ()
    rates: Sequence[str] = ()
    labels: int = 1
    """How many of the first columns say which case a row is."""
    curves: Mapping[str, Curves] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {
            "columns": list(self.columns),
            "rows": [[_rounded(cell) for cell in row] for row in self.rows],
            "ours": list(self.ours),
            "lengths": list(self.lengths),
            "rates": list(self.rates),
        }

    def below_target(self) -> Iterable[tuple[Sequence[Cell], str, float]]:
        """Rows and columns of our own methods that cover less than they should."""
        for row in self.rows:
            for column, cell in zip(self.columns, row, strict=True):
                if column in self.ours and isinstance(cell, float) and round(cell, 3) < TARGET:
                    yield row, column, cell


def markdown(table: Mapping[str, Any]) -> str:
    """From the table's JSON, so that page and file cannot say different things. Below the target is bold."""
    columns = table["columns"]
    sides = [
        "---" if any(isinstance(row[index], str) for row in table["rows"]) else "---:" for index in range(len(columns))
    ]
    lines = ["| " + " | ".join(columns) + " |", "|" + "|".join(sides) + "|"]
    for row in table["rows"]:
        lines.append("| " + " | ".join(_shown(table, *pair) for pair in zip(columns, row, strict=True)) + " |")
    return "\n".join(lines)


def rewritten(page: str, tables: Mapping[str, Mapping[str, Any]]) -> str:
    """The page with every table between its marks renewed; a table without marks is not shown."""
    for name, table in tables.items():
        page = _renewed(page, name, markdown(table))
    return page


def _renewed(page: str, name: str, text: str) -> str:
    return marks(name).sub(lambda found: f"{found[1]}{text}{found[3]}", page)


def marks(name: str) -> re.Pattern[str]:
    return re.compile(rf"(<!-- table {re.escape(name)} -->\n\n)(.*?)(\n\n<!-- end -->)", re.DOTALL)


def _shown(table: Mapping[str, Any], column: str, cell: Cell) -> str:
    if not isinstance(cell, float):
        return str(cell)
    if column in table["lengths"]:
        return f"{cell:.3f}"
    percent = f"{100 * cell:.1f} %"
    return f"**{percent}**" if round(cell, 3) < TARGET and column not in table["rates"] else percent


def _rounded(cell: Cell) -> Cell:
    return round(float(cell), 5) if isinstance(cell, float) else cell
