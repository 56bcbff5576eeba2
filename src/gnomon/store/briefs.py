"""Sums over the scores of several experiments at once, for a page of a list.

Each statement is the one of `aggregates` for several experiments, so that a list says what a summary says.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.stats.describe import ItemSums, ScoreSums
from gnomon.store.aggregates import folded
from gnomon.store.fetch import fetch_all
from gnomon.store.schema import runs, scores

ScorerKey = tuple[str, str]
"""The experiment's id and the scorer's name."""


def _of_several(statement: str) -> sa.TextClause:
    return sa.text(statement).bindparams(sa.bindparam("experiments", expanding=True))


_SCORER = "experiment_id, scorer_name"

_BY_ITEM = _of_several(f"""
SELECT {_SCORER}, n, passed, count(*) AS items, sum(everything) AS everything, sum(s) AS total, sum(s * s) AS squares,
       sum(s * s * s) AS cubes, sum(q) AS value_squares, min(s) AS lowest, max(s) AS highest,
       min(lo) AS minimum, max(hi) AS maximum
FROM (
    SELECT {_SCORER}, count(*) AS everything, count(value) AS n, sum(value) AS s, sum(value * value) AS q,
           min(value) AS lo, max(value) AS hi, sum(CASE WHEN value >= 1 THEN 1 ELSE 0 END) AS passed
    FROM scores WHERE experiment_id IN :experiments GROUP BY {_SCORER}, dataset_item_id
) AS items GROUP BY {_SCORER}, n, passed ORDER BY {_SCORER}
""")

_ONE_EACH = _of_several(f"""
SELECT {_SCORER}, 1 AS n, 0 AS passed, count(value) AS items, count(*) AS everything, sum(value) AS total,
       sum(value * value) AS squares, sum(value * value * value) AS cubes, sum(value * value) AS value_squares,
       min(value) AS lowest, max(value) AS highest, min(value) AS minimum, max(value) AS maximum
FROM scores WHERE experiment_id IN :experiments GROUP BY {_SCORER} ORDER BY {_SCORER}
""")

_RUNS = _of_several(f"""
SELECT {_SCORER}, count(*) AS runs FROM (
    SELECT {_SCORER} FROM scores WHERE experiment_id IN :experiments GROUP BY {_SCORER}, dataset_item_id, target_id
) AS scored GROUP BY {_SCORER}
""")

_LABELS = _of_several(f"""
SELECT {_SCORER}, label, count(*) AS scores FROM scores WHERE experiment_id IN :experiments AND value IS NULL
GROUP BY {_SCORER}, label
""")

_ITEM_LABELS = _of_several(f"""
SELECT {_SCORER}, dataset_item_id, label, count(*) AS scores FROM scores
WHERE experiment_id IN :experiments AND value IS NULL GROUP BY {_SCORER}, dataset_item_id, label
""")

_ITEM_ROWS = _of_several(f"""
SELECT {_SCORER}, dataset_item_id, count(value), sum(value), sum(value * value), min(value), max(value)
FROM scores WHERE experiment_id IN :experiments AND value IS NOT NULL GROUP BY {_SCORER}, dataset_item_id
ORDER BY {_SCORER}, dataset_item_id
""")


class _AlikeItems(NamedTuple):
    experiment_id: str
    scorer_name: str
    n: int
    passed: int
    items: int
    everything: int | Decimal
    total: float
    squares: float
    cubes: float
    value_squares: float
    lowest: float
    highest: float
    minimum: float
    maximum: float


@dataclass(frozen=True, slots=True)
class Counted:
    """One scorer of one experiment: how many scores, on how many runs, and sums over its numbers."""

    score_count: int
    scored_runs: int
    sums: ScoreSums | None
    """Items as clusters; None without numbers."""


def totals(
    db: Connection, single_trial: Collection[str], several_trials: Collection[str], repeated: Collection[ScorerKey]
) -> dict[ScorerKey, Counted]:
    """Every scorer of these experiments. `repeated` are the scorers that gave some run several scores."""
    grouped = {*several_trials, *(experiment for experiment, _ in repeated)}
    rows = _fetched(db, _ONE_EACH, single_trial)
    again = {(row.experiment_id, row.scorer_name) for row in rows} & set(repeated)
    rows = [row for row in rows if (row.experiment_id, row.scorer_name) not in again]
    several = set(several_trials)
    rows += [
        row
        for row in _fetched(db, _BY_ITEM, grouped)
        if row.experiment_id in several or (row.experiment_id, row.scorer_name) in again
    ]
    runs_of = _runs_of(db, {experiment for experiment, _ in repeated})
    rows.sort(key=lambda row: (row.experiment_id, row.scorer_name))
    return {
        key: _counted(list(scorer_rows), runs_of.get(key) if key in set(repeated) else None)
        for key, scorer_rows in groupby(rows, key=lambda row: (row.experiment_id, row.scorer_name))
    }


def _fetched(db: Connection, statement: sa.TextClause, experiments: Collection[str]) -> list[_AlikeItems]:
    return fetch_all(db, _AlikeItems, statement, {"experiments": sorted(experiments)}) if experiments else []


def _counted(rows: Sequence[_AlikeItems], scored_runs: int | None) -> Counted:
    count = sum(int(row.everything) for row in rows)
    sums = folded([row for row in rows if row.everything and row.n and row.items])
    return Counted(count, count if scored_runs is None else scored_runs, sums)


def _runs_of(db: Connection, experiments: Collection[str]) -> dict[ScorerKey, int]:
    if not experiments:
        return {}
    rows = db.execute(_RUNS, {"experiments": sorted(experiments)})
    return {(experiment, scorer): int(count) for experiment, scorer, count in rows}


def labels(db: Connection, experiments: Collection[str]) -> dict[ScorerKey, dict[str, int]]:
    """Label → how often, by scorer."""
    counts: dict[ScorerKey, dict[str, int]] = {}
    for experiment, scorer, label, count in _rows(db, _LABELS, experiments):
        counts.setdefault((experiment, scorer), {})[label] = int(count)
    return counts


def item_labels(db: Connection, experiments: Collection[str]) -> dict[ScorerKey, list[tuple[str, str, int]]]:
    """(item id, label, how often), by scorer."""
    rows: dict[ScorerKey, list[tuple[str, str, int]]] = {}
    for experiment, scorer, item, label, count in _rows(db, _ITEM_LABELS, experiments):
        rows.setdefault((experiment, scorer), []).append((item, label, int(count)))
    return rows


def item_sums(db: Connection, experiments: Collection[str]) -> Mapping[ScorerKey, list[ItemSums]]:
    """What the numbers of each item add up to, in the order of the items, by scorer."""
    by_scorer: dict[ScorerKey, list[ItemSums]] = {}
    for experiment, scorer, _, *sums in _rows(db, _ITEM_ROWS, experiments):
        by_scorer.setdefault((experiment, scorer), []).append(ItemSums(*sums))
    return by_scorer


def _rows(db: Connection, statement: sa.TextClause, experiments: Collection[str]) -> list[Any]:
    return list(db.execute(statement, {"experiments": sorted(experiments)})) if experiments else []


def scored_failures(db: Connection, experiments: Collection[str]) -> dict[ScorerKey, int]:
    """Failed runs that have a score all the same, by scorer."""
    if not experiments:
        return {}
    same = (scores.c.target_id == runs.c.id) & (scores.c.experiment_id == runs.c.experiment_id)
    query = (
        sa.select(runs.c.experiment_id, scores.c.scorer_name, sa.func.count(sa.distinct(runs.c.id)))
        .join(scores, same)
        .where(runs.c.experiment_id.in_(sorted(experiments)), runs.c.error.is_not(None))
        .group_by(runs.c.experiment_id, scores.c.scorer_name)
    )
    return {(experiment, scorer): int(count) for experiment, scorer, count in db.execute(query)}
