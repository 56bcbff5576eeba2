"""Every speed benchmark, one after the other, within some twelve minutes."""

import argparse
import importlib
import json
import subprocess
import sys
import time

from bench.speed.stand import Figure, main

PARTS = (
    "startup", "ingest", "otlp", "single", "rescore", "aggregates", "pages", "filters", "leaderboard", "judge",
    "worker", "online", "outcome", "benchmarks", "agents", "hostile", "tracing", "sdk",
)  # fmt: skip
ROWS = {"small": 100_000, "medium": 300_000, "full": 1_000_000}


def measure(options: argparse.Namespace) -> list[Figure]:
    figures: list[Figure] = []
    for part in PARTS:
        began = time.perf_counter()
        figures += importlib.import_module(f"bench.speed.{part}").measure(options)
        if not options.json:
            print(f"{part}: {time.perf_counter() - began:.0f} s", flush=True)
    return figures + _scorers(ROWS[options.size])


def _scorers(rows: int) -> list[Figure]:
    """In a process of its own: columns are scored by packages that no server loads."""
    command = [sys.executable, "-m", "bench.speed.scorers", "--rows", str(rows), "--json"]
    result = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return [
        Figure(
            f"scoring {rows:,} rows in columns against a loop: {figure['case']}",
            figure["ratio"],
            "×",
            f"≥ {figure['target']:g} ×" if figure["target"] else "",
            figure["ratio"] >= figure["target"] if figure["target"] else None,
        )
        for figure in result["results"]
    ]


if __name__ == "__main__":
    main(__doc__, measure)
