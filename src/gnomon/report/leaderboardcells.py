"""Numbers and tables of a leaderboard's page, and the sections that it is made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from gnomon.report.rendering import Table, columns

_WORDS = ("agent", "other", "verdict", "action", "scenario", "kind", "run", "why")


@dataclass(frozen=True, slots=True)
class SectionPart:
    """A piece of a section, with what it is drawn as. `data` is a folded table of a plot's numbers."""

    kind: Literal["table", "folded", "data", "plot", "matrix", "key", "panels", "text"]
    content: Any


@dataclass(frozen=True, slots=True)
class BoardSection:
    title: str
    about: str
    parts: Sequence[SectionPart] = ()


def make_table(label: str, names: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """A table whose columns `_WORDS` hold text, all others numbers. The agent names its row, else the first cell."""
    head = names.index("agent") if "agent" in names else 0
    return Table(columns(*names, text=_WORDS), rows, label, head=head)


def number(value: float | None) -> str:
    return "–" if value is None else f"{value:z.3f}"


def interval(ends: tuple[float, float] | None) -> str:
    return "–" if ends is None else f"{ends[0]:z.3f} to {ends[1]:z.3f}"


def with_interval(value: float | None, ends: tuple[float, float] | None) -> str:
    return number(value) if ends is None else f"{number(value)} ({interval(ends)})"
