"""Sums over an experiment's scores, made where the scores are.

One index holds all that these need (experiment, scorer, item, run, value), so that the
database reads it in order, once, and hands over a few rows instead of every score.
"""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.store.schema import runs, scores, scoring_states

_ONE_SCORER = "experiment_id = :experiment AND scorer_name = :scorer"

_NAMES = sa.text("""
WITH RECURSIVE names (name) AS (
    SELECT (SELECT min(scorer_name) FROM scores WHERE experiment_id = :experiment)
    UNION ALL
    SELECT (SELECT min(scorer_name) FROM scores WHERE experiment_id = :experiment AND scorer_name > names.name)
    FROM names WHERE names.name IS NOT NULL
) SELECT name FROM names WHERE name IS NOT NULL
""")

_SUMS = sa.text(f"""
SELECT count(*) AS clusters, sum(n) AS scores, sum(s) AS total, sum(s * s) AS total_squares,
       sum(s * n) AS total_by_count, sum(n * n) AS count_squares, sum(q) AS value_squares,
       min(s / n) AS lowest_cluster_mean, max(s / n) AS highest_cluster_mean,
       min(lo) AS minimum, max(hi) AS maximum
FROM (
    SELECT count(*) AS n, sum(value) AS s, sum(value * value) AS q, min(value) AS lo, max(value) AS hi
    FROM scores WHERE {_ONE_SCORER} AND value IS NOT NULL GROUP BY dataset_item_id
) AS items
""")

_RUNS = sa.text(f"""
SELECT count(*) FROM (
    SELECT 1 AS one FROM scores WHERE {_ONE_SCORER} GROUP BY dataset_item_id, target_id
) AS scored
""")

_PASSES = sa.text(f"""
SELECT runs, passed, count(*) AS items FROM (
    SELECT count(*) AS runs, sum(passed) AS passed FROM (
        SELECT dataset_item_id, CASE WHEN avg(value) >= 1 THEN 1 ELSE 0 END AS passed
        FROM scores WHERE {_ONE_SCORER} AND value IS NOT NULL GROUP BY dataset_item_id, target_id
    ) AS by_run GROUP BY dataset_item_id
) AS by_item GROUP BY runs, passed
""")

_LABELS = sa.text(f"""
SELECT label, count(*) AS scores FROM scores WHERE {_ONE_SCORER} AND value IS NULL GROUP BY label ORDER BY label
""")

_ITEMS = sa.text(f"""
SELECT dataset_item_id, sum(value) / count(*)
FROM scores WHERE {_ONE_SCORER} AND value IS NOT NULL GROUP BY dataset_item_id
""")

_ITEM_LABELS = sa.text(f"""
SELECT dataset_item_id, label, count(*) FROM scores WHERE {_ONE_SCORER} AND value IS NULL
GROUP BY dataset_item_id, label
""")


def scorer_names(db: Connection, experiment_id: str) -> list[str]:
    """The scorers that have scores here, found by leaps through the index instead of a scan."""
    return sorted(db.execute(_NAMES, {"experiment": experiment_id}).scalars())


def sums(db: Connection, experiment_id: str, scorer: str) -> dict[str, Any] | None:
    """One row of sums over the scorer's numbers, items as clusters; None when it has none."""
    row = db.execute(_SUMS, {"experiment": experiment_id, "scorer": scorer}).one()
    if row.clusters == 0:
        return None
    whole = {name: int(getattr(row, name)) for name in ("clusters", "scores", "count_squares")}
    reals = {
        name: float(getattr(row, name))
        for name in ("total", "total_squares", "total_by_count", "value_squares", "lowest_cluster_mean",
                     "highest_cluster_mean", "minimum", "maximum")
    }  # fmt: skip
    return {**whole, **reals}


def scored_runs(db: Connection, experiment_id: str, scorer: str) -> int:
    return int(db.execute(_RUNS, {"experiment": experiment_id, "scorer": scorer}).scalar_one())


def passes(db: Connection, experiment_id: str, scorer: str) -> dict[tuple[int, int], int]:
    """(runs, runs that passed) → how many items have that."""
    rows = db.execute(_PASSES, {"experiment": experiment_id, "scorer": scorer})
    return {(int(runs), int(passed)): int(items) for runs, passed, items in rows}


def labels(db: Connection, experiment_id: str, scorer: str) -> dict[str, int]:
    rows = db.execute(_LABELS, {"experiment": experiment_id, "scorer": scorer})
    return {label: int(count) for label, count in rows}


def item_means(db: Connection, experiment_id: str, scorer: str) -> Sequence[Any]:
    """(item id, mean of its scores)."""
    return db.execute(_ITEMS, {"experiment": experiment_id, "scorer": scorer}).all()


def item_labels(db: Connection, experiment_id: str, scorer: str) -> Sequence[Any]:
    """(item id, label, how often)."""
    return db.execute(_ITEM_LABELS, {"experiment": experiment_id, "scorer": scorer}).all()


def gaps(db: Connection, experiment_id: str) -> Sequence[Any]:
    """(scorer, state, reason, runs): why runs that did not fail themselves have no score of a scorer."""
    scored = sa.select(sa.literal(1)).where(
        scores.c.experiment_id == experiment_id,
        scores.c.scorer_name == scoring_states.c.scorer_name,
        scores.c.target_id == scoring_states.c.target_id,
    )
    found = (
        sa.select(
            scoring_states.c.scorer_name,
            scoring_states.c.state,
            scoring_states.c.reason,
            sa.func.count(sa.distinct(scoring_states.c.target_id)),
        )
        .join(runs, runs.c.id == scoring_states.c.target_id)
        .where(scoring_states.c.experiment_id == experiment_id, runs.c.error.is_(None))
        .where(~scored.correlate(scoring_states).exists())
        .group_by(scoring_states.c.scorer_name, scoring_states.c.state, scoring_states.c.reason)
    )
    return db.execute(found).all()


def scored_failures(db: Connection, experiment_id: str, scorer: str) -> int:
    """Failed runs that have a score of this scorer all the same."""
    found = (
        sa.select(sa.func.count(sa.distinct(runs.c.id)))
        .join(scores, (scores.c.target_id == runs.c.id) & (scores.c.experiment_id == experiment_id))
        .where(runs.c.experiment_id == experiment_id, runs.c.error.is_not(None), scores.c.scorer_name == scorer)
    )
    return int(db.execute(found).scalar_one())
