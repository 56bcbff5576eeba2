"""Gnomon: `gn.evaluate` without a server. Stores dataset, runs, scores and, unless told `plain`, a trace per run."""

import os
import sys
import tempfile

import common

import gnomon as gn


def task(input: str) -> str:
    return input


def evaluate(items: list[dict[str, str]]) -> float:
    scorers = [gn.exact_match(), gn.contains()]
    found = gn.evaluate(task, items, scorers, traces="plain" not in sys.argv, progress=False, concurrency=16)
    return float(found.summary.scores_by_scorer["exact_match"].mean or 0)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GNOMON_HOME"] = folder
        common.report("gnomon", evaluate)
