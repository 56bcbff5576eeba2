"""Sums over an experiment's scores, made where the scores are.

One index holds all that these need (experiment, scorer, item, run, value), so that the
database reads it in order, once, and hands over a few rows instead of every score.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import fsum
from typing import Any, NamedTuple, Protocol

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.model.score import State
from gnomon.stats.describe import ItemSums, ScoreSums
from gnomon.store.fetch import fetch_all
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

# One pass over the index. Items with the same number of scores stand together, so that the sums which need that
# number are made of these afterwards. An item with labels only has n = 0 and takes no part in the numbers.
_BY_ITEM = sa.text(f"""
SELECT n, passed, count(*) AS items, sum(everything) AS everything, sum(s) AS total, sum(s * s) AS squares,
       sum(s * s * s) AS cubes, sum(q) AS value_squares, min(s) AS lowest, max(s) AS highest,
       min(lo) AS minimum, max(hi) AS maximum
FROM (
    SELECT count(*) AS everything, count(value) AS n, sum(value) AS s, sum(value * value) AS q, min(value) AS lo,
           max(value) AS hi, sum(CASE WHEN value >= :bar THEN 1 ELSE 0 END) AS passed
    FROM scores WHERE {_ONE_SCORER} GROUP BY dataset_item_id
) AS items GROUP BY n, passed
""")

# The same where every item has one score at the most: no items to group by.
_ONE_EACH = sa.text(f"""
SELECT 1 AS n, 0 AS passed, count(value) AS items, count(*) AS everything, sum(value) AS total,
       sum(value * value) AS squares, sum(value * value * value) AS cubes, sum(value * value) AS value_squares,
       min(value) AS lowest, max(value) AS highest, min(value) AS minimum, max(value) AS maximum
FROM scores WHERE {_ONE_SCORER}
""")

_RUNS = sa.text(f"""
SELECT count(*) FROM (
    SELECT 1 AS one FROM scores WHERE {_ONE_SCORER} GROUP BY dataset_item_id, target_id
) AS scored
""")

# Only where a run has several scores of one scorer: then its mean decides whether it passed.
_PASSES = sa.text(f"""
SELECT runs, passed, count(*) AS items FROM (
    SELECT count(*) AS runs, sum(passed) AS passed FROM (
        SELECT dataset_item_id, CASE WHEN avg(value) >= :bar THEN 1 ELSE 0 END AS passed
        FROM scores WHERE {_ONE_SCORER} AND value IS NOT NULL GROUP BY dataset_item_id, target_id
    ) AS by_run GROUP BY dataset_item_id
) AS by_item GROUP BY runs, passed
""")

# Every run counts, those without a score as not passed.
_PASSES_OF_ALL = sa.text("""
SELECT runs, passed, count(*) AS items FROM (
    SELECT count(*) AS runs, sum(passed) AS passed FROM (
        SELECT runs.dataset_item_id, CASE WHEN avg(scores.value) >= :bar THEN 1 ELSE 0 END AS passed
        FROM runs LEFT JOIN scores ON scores.experiment_id = :experiment AND scores.scorer_name = :scorer
             AND scores.dataset_item_id = runs.dataset_item_id AND scores.target_id = runs.id
        WHERE runs.experiment_id = :experiment GROUP BY runs.dataset_item_id, runs.id
    ) AS by_run GROUP BY dataset_item_id
) AS by_item GROUP BY runs, passed
""")

_LABELS = sa.text(f"""
SELECT label, count(*) AS scores FROM scores WHERE {_ONE_SCORER} AND value IS NULL GROUP BY label ORDER BY label
""")

_ITEMS = sa.text(f"""
SELECT dataset_item_id, count(value), sum(value), sum(value * value), count(*)
FROM scores WHERE {_ONE_SCORER} GROUP BY dataset_item_id
""")

_SINGLE_ITEMS = sa.text(f"SELECT dataset_item_id, value FROM scores WHERE {_ONE_SCORER}")

_ITEM_ROWS = sa.text(f"""
SELECT dataset_item_id, count(value), sum(value), sum(value * value), min(value), max(value)
FROM scores WHERE {_ONE_SCORER} AND value IS NOT NULL GROUP BY dataset_item_id
""")

_ARRIVALS = sa.text(f"""
SELECT avg(value) FROM scores WHERE {_ONE_SCORER} AND value IS NOT NULL GROUP BY dataset_item_id
HAVING count(DISTINCT target_id) + (
    SELECT count(*) FROM runs WHERE runs.experiment_id = :experiment
    AND runs.dataset_item_id = scores.dataset_item_id AND runs.error IS NOT NULL
) >= :trials ORDER BY max(created_at), max(id)
""")

# Runs without any score of this scorer, item by item.
_ITEM_GAPS = sa.text("""
SELECT dataset_item_id, count(*) FROM runs
WHERE experiment_id = :experiment AND NOT EXISTS (
    SELECT 1 FROM scores WHERE scores.experiment_id = :experiment AND scores.scorer_name = :scorer
    AND scores.dataset_item_id = runs.dataset_item_id AND scores.target_id = runs.id
) GROUP BY dataset_item_id
""")

# Run by run, as the index has them: one number each, also where a run has several scores of the scorer.
_RUN_MEANS = sa.text(f"""
SELECT target_id, avg(value) FROM scores WHERE {_ONE_SCORER} AND value IS NOT NULL
GROUP BY dataset_item_id, target_id ORDER BY dataset_item_id, target_id LIMIT :most
""")

_RUN_MEAN_COUNTS = sa.text(f"""
SELECT mean, count(*) FROM (
    SELECT avg(value) AS mean FROM scores WHERE {_ONE_SCORER} AND value IS NOT NULL
    GROUP BY dataset_item_id, target_id
) AS by_run GROUP BY mean
""")

_ITEM_LABELS = sa.text(f"""
SELECT dataset_item_id, label, count(*) FROM scores WHERE {_ONE_SCORER} AND value IS NULL
GROUP BY dataset_item_id, label
""")


def scorer_names(db: Connection, experiment_id: str) -> list[str]:
    """The scorers that have scores here, found by leaps through the index instead of a scan."""
    return sorted(db.execute(_NAMES, {"experiment": experiment_id}).scalars())


class AlikeItems(Protocol):
    """Sums over the items that have `n` numbers each: what `folded` needs of a row."""

    @property
    def n(self) -> int: ...
    @property
    def items(self) -> int: ...
    @property
    def total(self) -> float: ...
    @property
    def squares(self) -> float: ...
    @property
    def cubes(self) -> float: ...
    @property
    def value_squares(self) -> float: ...
    @property
    def lowest(self) -> float: ...
    @property
    def highest(self) -> float: ...
    @property
    def minimum(self) -> float: ...
    @property
    def maximum(self) -> float: ...


class ItemGroup(NamedTuple):
    """Sums over the items that have `n` numbers each, `passed` of them above the bar."""

    n: int
    passed: int
    items: int
    everything: int | Decimal  # PostgreSQL adds up its integers to numerics
    total: float
    squares: float
    cubes: float
    value_squares: float
    lowest: float
    highest: float
    minimum: float
    maximum: float


class Gap(NamedTuple):
    """Why so many runs of an experiment have no score of a scorer."""

    experiment_id: str
    scorer_name: str
    state: State
    reason: str | None
    runs: int


@dataclass(frozen=True, slots=True)
class Totals:
    """One scorer in one experiment: how many scores, sums over its numbers, and who passed how often."""

    score_count: int
    scored_runs: int
    sums: ScoreSums | None
    """Items as clusters; None without numbers."""
    passes: dict[tuple[int, int], int]
    """(runs, runs that passed) → how many items have that; empty with a single trial."""


def totals(db: Connection, experiment_id: str, scorer: str, *, trials: int, repeated: bool, bar: float = 1.0) -> Totals:
    """All of it in one pass, unless this scorer has several scores on one run (`repeated`).

    A run passed when its score is at least `bar`.
    """
    where = {"experiment": experiment_id, "scorer": scorer}
    one_each = trials == 1 and not repeated
    by_item = where if one_each else {**where, "bar": bar}
    alike = fetch_all(db, ItemGroup, _ONE_EACH if one_each else _BY_ITEM, by_item)
    rows = [row for row in alike if row.everything]
    count = sum(int(row.everything) for row in rows)
    sums = folded([row for row in rows if row.n and row.items])
    passes: dict[tuple[int, int], int] = {}
    if trials > 1 and sums is not None:
        result = db.execute(_PASSES, by_item) if repeated else ((row.n, row.passed, row.items) for row in rows)
        passes = {(int(runs), int(passed)): int(items) for runs, passed, items in result if runs}
    runs = int(db.execute(_RUNS, where).scalar_one()) if repeated else count
    return Totals(count, runs, sums, passes)


def passes_of_all(db: Connection, experiment_id: str, scorer: str, bar: float) -> dict[tuple[int, int], int]:
    """Like `Totals.passes`, with runs that have no score counted as not passed."""
    rows = db.execute(_PASSES_OF_ALL, {"experiment": experiment_id, "scorer": scorer, "bar": bar})
    return {(int(runs), int(passed)): int(items) for runs, passed, items in rows}


def folded(rows: Sequence[AlikeItems]) -> ScoreSums | None:
    """One row of sums out of several, in each of which all items have n scores."""
    if not rows:
        return None
    ns = [(int(row.n), int(row.items), row) for row in rows]
    several = [(n, row) for n, _, row in ns if n > 1]
    return ScoreSums(
        clusters=sum(items for _, items, _ in ns),
        scores=sum(n * items for n, items, _ in ns),
        count_squares=sum(n * n * items for n, items, _ in ns),
        count_cubes=sum(n**3 * items for n, items, _ in ns),
        singles=sum(items for n, items, _ in ns if n == 1),
        total=fsum(row.total for row in rows),
        total_squares=fsum(row.squares for row in rows),
        total_cubes=fsum(row.cubes for row in rows),
        total_by_count=fsum(n * row.total for n, _, row in ns),
        squares_by_count=fsum(n * row.squares for n, _, row in ns),
        total_by_square=fsum(n * n * row.total for n, _, row in ns),
        value_squares=fsum(row.value_squares for row in rows),
        within=fsum(n * (row.value_squares - row.squares / n) / (n - 1) for n, row in several),
        lowest_cluster_mean=min(row.lowest / n for n, _, row in ns),
        highest_cluster_mean=max(row.highest / n for n, _, row in ns),
        minimum=min(row.minimum for row in rows),
        maximum=max(row.maximum for row in rows),
    )


def labels(db: Connection, experiment_id: str, scorer: str) -> dict[str, int]:
    rows = db.execute(_LABELS, {"experiment": experiment_id, "scorer": scorer})
    return {label: int(count) for label, count in rows}


@dataclass(frozen=True, slots=True)
class ItemColumns:
    """The items that have numbers: how many each, their sum, and that of their squares."""

    items: list[str]
    counts: list[int]
    totals: list[float]
    squares: list[float]
    labelled: bool
    """Whether there are labels too, on these items or others."""


def item_columns(db: Connection, experiment_id: str, scorer: str, *, trials: int, repeated: bool) -> ItemColumns:
    one_each = trials == 1 and not repeated
    value: Any = db.execute(_SINGLE_ITEMS if one_each else _ITEMS, {"experiment": experiment_id, "scorer": scorer})
    # Plain tuples from the driver, then columns: a comparison reads ten thousands of these.
    rows: list[tuple[Any, ...]] = value.cursor.fetchall()
    value.close()
    numbers = [row for row in rows if row[1] is not None and (one_each or row[1])]
    items = [row[0] for row in numbers]
    if one_each:
        values = [row[1] for row in numbers]
        return ItemColumns(items, [1] * len(items), values, [v * v for v in values], len(numbers) < len(rows))
    counts, totals, squares, everything = ([row[column] for row in numbers] for column in (1, 2, 3, 4))
    labelled = len(numbers) < len(rows) or sum(everything) > sum(counts)
    return ItemColumns(items, counts, totals, squares, labelled)


def item_sums(db: Connection, experiment_id: str, scorer: str) -> dict[str, ItemSums]:
    """Item → what its numbers add up to; only items that have any."""
    rows = db.execute(_ITEM_ROWS, {"experiment": experiment_id, "scorer": scorer})
    return {item: ItemSums(n, total, squares, least, most) for item, n, total, squares, least, most in rows}


def arrivals(db: Connection, experiment_id: str, scorer: str, *, trials: int) -> list[float]:
    """The mean of each item whose trials are all scored or failed, in the order in which they were complete."""
    rows = db.execute(_ARRIVALS, {"experiment": experiment_id, "scorer": scorer, "trials": trials})
    return [float(mean) for (mean,) in rows]


def run_means(db: Connection, experiment_id: str, scorer: str, most: int) -> list[tuple[str, float]]:
    """(run id, the mean of its numbers) of the first runs that have any, by item."""
    rows = db.execute(_RUN_MEANS, {"experiment": experiment_id, "scorer": scorer, "most": most})
    return [(run, float(mean)) for run, mean in rows]


def run_mean_counts(db: Connection, experiment_id: str, scorer: str) -> list[tuple[float, int]]:
    """How many runs have which mean."""
    rows = db.execute(_RUN_MEAN_COUNTS, {"experiment": experiment_id, "scorer": scorer})
    return [(float(mean), int(runs)) for mean, runs in rows]


def item_gaps(db: Connection, experiment_id: str, scorer: str) -> dict[str, int]:
    """Item → how many of its runs have no score of this scorer; only items that lack any."""
    rows = db.execute(_ITEM_GAPS, {"experiment": experiment_id, "scorer": scorer})
    return {item: int(runs) for item, runs in rows}


def item_labels(db: Connection, experiment_id: str, scorer: str) -> list[tuple[str, str, int]]:
    """(item id, label, how often)."""
    rows = db.execute(_ITEM_LABELS, {"experiment": experiment_id, "scorer": scorer})
    return [(item, label, count) for item, label, count in rows]


def gaps(db: Connection, experiment_ids: Collection[str]) -> list[Gap]:
    """Why runs that did not fail themselves have no score of a scorer. Of several states of one run the newest counts,
    so that every run is counted once."""
    scored = sa.select(sa.literal(1)).where(
        scores.c.experiment_id == scoring_states.c.experiment_id,
        scores.c.scorer_name == scoring_states.c.scorer_name,
        scores.c.target_id == scoring_states.c.target_id,
    )
    names = tuple(scoring_states.c[name] for name in ("experiment_id", "scorer_name", "state", "reason"))
    query = (
        sa.select(*names, sa.func.count().label("runs"))
        .join(runs, runs.c.id == scoring_states.c.target_id)
        .where(scoring_states.c.experiment_id.in_(sorted(experiment_ids)), runs.c.error.is_(None))
        .where(~scored.correlate(scoring_states).exists(), ~_newer_state().correlate(scoring_states).exists())
        .group_by(*names)
    )
    return fetch_all(db, Gap, query)


def _newer_state() -> sa.Select[Any]:
    """What the same scorer, configured otherwise, said of the same run later."""
    other = scoring_states.alias("other")
    same = ("target_id", "target_type", "trace_id", "project_id", "scorer_name")
    newer = sa.or_(
        other.c.updated_at > scoring_states.c.updated_at,
        sa.and_(other.c.updated_at == scoring_states.c.updated_at, other.c.config_hash < scoring_states.c.config_hash),
    )
    return sa.select(sa.literal(1)).where(*(other.c[name] == scoring_states.c[name] for name in same), newer)


def scored_failures(db: Connection, experiment_id: str, scorer: str) -> int:
    """Failed runs that have a score of this scorer all the same."""
    query = (
        sa.select(sa.func.count(sa.distinct(runs.c.id)))
        .join(scores, (scores.c.target_id == runs.c.id) & (scores.c.experiment_id == experiment_id))
        .where(runs.c.experiment_id == experiment_id, runs.c.error.is_not(None), scores.c.scorer_name == scorer)
    )
    return int(db.execute(query).scalar_one())
