"""The labelled sample of reverts: facts that hold together; measured where the repositories are there."""

import csv
import re
from collections import Counter
from pathlib import Path

SAMPLE = Path(__file__).parent / "data" / "reverts.csv"
VERDICTS = {"revert", "superseded", "same-merge", "temporary", "pin", "noise"}


def test_the_sample_is_large_enough_and_each_of_its_rows_is_a_fact():
    with SAMPLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) >= 200
    assert len({row["repository"] for row in rows}) >= 5
    assert len({(row["commit"], row["target"]) for row in rows}) == len(rows)
    assert {row["verdict"] for row in rows} <= VERDICTS
    assert all(re.fullmatch("[0-9a-f]{40}", row[name]) for row in rows for name in ("commit", "target"))
    assert all(row["commit"] != row["target"] and row["reason"] for row in rows)
    assert Counter("by hand" not in row["reason"] for row in rows)[True] >= 100
