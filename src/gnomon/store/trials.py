"""What one scorer said of every run over a dataset: the rows behind a leaderboard.

Scored runs come from one index, in its order. Runs without a score are asked for apart, and only where some are.
"""

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gnomon.store.fetch import fetch_all
from gnomon.store.rows import ExperimentTableRow
from gnomon.store.schema import experiments

_SCORED = sa.text("""
SELECT dataset_item_id, avg(value) FROM scores
WHERE experiment_id = :experiment AND scorer_name = :scorer GROUP BY dataset_item_id, target_id
""")

_UNSCORED = sa.text("""
SELECT dataset_item_id, CASE WHEN error IS NULL THEN 0 ELSE 1 END FROM runs
WHERE experiment_id = :experiment AND NOT EXISTS (
    SELECT 1 FROM scores WHERE scores.experiment_id = :experiment AND scores.scorer_name = :scorer
    AND scores.dataset_item_id = runs.dataset_item_id AND scores.target_id = runs.id
)
""")


def experiments_on(db: Connection, dataset_id: str) -> list[ExperimentTableRow]:
    """Every experiment over a dataset, oldest first."""
    query = sa.select(experiments).where(experiments.c.dataset_id == dataset_id)
    return fetch_all(db, ExperimentTableRow, query.order_by(experiments.c.id))


def scored(db: Connection, experiment_id: str, scorer: str) -> list[tuple[str, float | None]]:
    """(item id, mean of a run's numbers) for every run with a score; None where the run has labels only."""
    rows = db.execute(_SCORED, {"experiment": experiment_id, "scorer": scorer})
    return [(item, None if mean is None else float(mean)) for item, mean in rows]


def unscored(db: Connection, experiment_id: str, scorer: str) -> list[tuple[str, bool]]:
    """(item id, whether the run failed) for every run without a score."""
    rows = db.execute(_UNSCORED, {"experiment": experiment_id, "scorer": scorer})
    return [(item, bool(failed)) for item, failed in rows]
