"""Leaderboards for people."""

from pathlib import Path
from typing import TYPE_CHECKING

from gnomon.cli.show.pen import line, parts
from gnomon.report.text.drawing import clean

if TYPE_CHECKING:
    from gnomon.model.leaderboard import Leaderboard


def leaderboard(ranking: "Leaderboard", page: Path | None = None, *, details: bool = False) -> None:
    """`details`: a benchmark's scenarios one by one as well."""
    from gnomon.report.text import leaderboard as text

    parts(text.leaderboard(ranking, details=details))
    if page is not None:
        line(f"the page is in {clean(str(page))}")
