"""Renders the templates beside this module: every value is escaped, and one stylesheet serves all pages.

Jinja2 is loaded with the first page, so that importing a report stays cheap.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, Union

from gnomon.report.policy import PAGE_POLICY, served_policy
from gnomon.report.visible import visible_lines

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

FOLDER = Path(__file__).with_name("templates")
Cell: TypeAlias = Union[str, "Markup"]
"""Text, which is escaped, or a finished drawing."""

_LONG_NAME = re.compile(r"(\S{25,})")
_SEPARATOR = re.compile(r"(?<=[_./:])(?=\w)")


@dataclass(frozen=True, slots=True)
class Column:
    """The head of a column."""

    name: str
    is_text: bool = False
    """Text is aligned left and may wrap; everything else is a number."""
    scale: tuple[str, str] | None = None
    """The two ends of the axis, for a column of drawings."""
    classes: Mapping[str, str] = field(default_factory=dict)
    """Cell text → the class that colours it."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells. `caption` is shown above them; `label` is only read aloud."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    label: str
    caption: str = ""
    head: int = 0
    """The column whose cell names the row."""


def columns(*names: str, text: Sequence[str] = ()) -> list[Column]:
    """Columns of numbers, but for those whose names are in `text`."""
    return [Column(name, name in text) for name in names]


def render(template: str, **values: Any) -> str:
    """The template filled with these values."""
    return _environment().get_template(template).render(values)


def drawing(svg: str) -> "Markup":
    """A plot whose labels were escaped by `plots`, for use in a template."""
    from markupsafe import Markup

    return Markup(visible_lines(svg))


@cache
def stylesheet() -> str:
    """`style.css` without comments and needless blanks. Policies name its hash, so it must not change meanwhile."""
    text = (FOLDER / "style.css").read_text(encoding="utf-8")
    return re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)).strip()


def plot_policy() -> str:
    """The policy that a server sends with a page that has plots."""
    return served_policy(stylesheet(), with_attributes=True)


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    environment.globals |= {"style": Markup(stylesheet()), "policy": PAGE_POLICY}
    environment.filters |= {"px": _px, "capitalized": _capitalized, "breakable": _breakable}
    return environment


def _finalize(value: Any) -> Any:
    """Called with every value that a template writes, before it is escaped."""
    return visible_lines(value) if type(value) is str else value


def _breakable(cell: Cell) -> "Markup":
    """A cell whose long names may break after a separator, where they would make the table wider than the page."""
    from markupsafe import Markup, escape

    if type(cell) is not str:
        return escape(cell)
    parts = _LONG_NAME.split(visible_lines(cell))
    chance = Markup("<wbr>")
    return Markup("").join(
        chance.join(_SEPARATOR.split(part)) if at % 2 else escape(part) for at, part in enumerate(parts)
    )


def _px(value: float) -> str:
    """A coordinate of a drawing."""
    return f"{value:.1f}"


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]
