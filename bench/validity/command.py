"""What studies by simulation have in common as commands: show their tables, renew their page in the docs."""

import argparse
import json
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from bench.validity.table import Table, markdown, rewritten

DOCS = Path(__file__).parents[2] / "docs" / "concepts"


@dataclass(frozen=True, slots=True)
class Study:
    """A page of the docs, the file of its figures, and what draws them."""

    tables: Callable[[int, int], Iterable[Table]]
    """Of so many repeats and a seed."""
    page: str
    figures: str
    repeats: int
    """As many as usual, and the fewest for a page."""
    unit: str
    """What is drawn, for the help."""


def run(study: Study, about: str | None, seed: int = 0) -> None:
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=study.repeats, help=study.unit)
    parser.add_argument("--write", action="store_true", help="renew the figures and the page in docs/concepts")
    wanted = parser.parse_args()
    if wanted.write and wanted.repeats < study.repeats:
        parser.error(f"--write takes at least {study.repeats:,} repeats")
    began = time.perf_counter()
    tables = {one.name: one.as_json() for one in study.tables(wanted.repeats, seed)}
    for name, table in tables.items():
        print(f"\n{name}\n\n{markdown(table)}")
    print(f"\n{wanted.repeats:,} repeats, {time.perf_counter() - began:.0f} s")
    if wanted.write:
        fields = {"repeats": wanted.repeats, "seed": seed, "tables": tables}
        (DOCS / study.figures).write_text(json.dumps(fields, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        page = DOCS / study.page
        page.write_text(rewritten(page.read_text("utf-8"), tables), encoding="utf-8")
