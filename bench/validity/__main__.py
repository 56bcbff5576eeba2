"""Do the intervals hold what they say? Known truths, drawn data, and how often the truth was inside.

`python -m bench.validity` prints every table and renews docs/concepts: the figures, the plots, and the tables in
the page. `--quick` is a smoke test of some seconds: it writes only where `--out` says, for its figures are rough.
"""

import argparse
import importlib
import time
from collections.abc import Iterator
from pathlib import Path

from bench.validity import clusters, gaps, looks, moved, pairs, ranks, real, report, shares, steps
from bench.validity.table import Table, markdown

DOCS = Path(__file__).parents[2] / "docs" / "concepts"
REPEATS, QUICK = 5_000, 40


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, help=f"data sets drawn for a cell (default {REPEATS:,}; quick {QUICK})")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="few repeats, few looks; nothing is written without --out")
    parser.add_argument("--out", type=Path, help="folder to write to (default docs/concepts)")
    wanted = parser.parse_args()
    repeats = wanted.repeats or (QUICK if wanted.quick else REPEATS)
    began = time.perf_counter()
    tables = list(measured(repeats, wanted.seed, quick=wanted.quick))
    found = report.figures(tables, {"repeats": repeats, "seed": wanted.seed, "quick": wanted.quick})
    for name, table in found["tables"].items():
        print(f"\n{name}\n\n{markdown(table)}")
    folder = wanted.out or (None if wanted.quick else DOCS)
    if folder is not None:
        report.write(found, folder)
        print(f"\nwritten to {folder}")
    print(f"\n{repeats:,} repeats, {time.perf_counter() - began:.0f} s")


def measured(repeats: int, seed: int, *, quick: bool) -> Iterator[Table]:
    yield from shares.tables()
    yield from real.tables(repeats, seed, largest=20 if quick else 200)
    yield from steps.tables(repeats, seed)
    yield from clusters.tables(repeats, seed)
    yield from pairs.tables(repeats, seed, largest=20 if quick else 200)
    yield from ranks.tables(max(2, repeats // 5), seed, largest=50 if quick else 200)
    yield from moved.tables(repeats, seed)
    yield from gaps.tables(repeats, seed)
    yield from looks.tables(repeats, seed, looks=50 if quick else 500)
    yield from corrected(repeats, seed)


def corrected(repeats: int, seed: int) -> Iterator[Table]:
    """Means corrected by people's labels, when that part is there: lowest, mean and highest of all settings."""
    try:
        rows = importlib.import_module("bench.validity.correction").run(repeats, seed)
    except ModuleNotFoundError:
        return
    by_method = {row.method: [one for one in rows if one.method == row.method] for row in rows}
    spans = [
        (method, len(ones), min(c := [one.coverage for one in ones]), sum(c) / len(c), max(c),
         sum(one.width for one in ones) / len(ones))
        for method, ones in by_method.items()
    ]  # fmt: skip
    yield Table("correction", ("method", "settings", "lowest", "mean", "highest", "width"), spans, lengths=("width",))


if __name__ == "__main__":
    main()
