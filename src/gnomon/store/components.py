"""Each item's scores as sums over its runs and their votes: what variance components are made from."""

import sqlalchemy as sa
from sqlalchemy.engine import Connection

_ITEMS = sa.text("""
SELECT dataset_item_id, count(*), sum(n), sum(s), sum(s * s / n), sum(n * n), sum(q) FROM (
    SELECT dataset_item_id, count(value) AS n, sum(value) AS s, sum(value * value) AS q FROM scores
    WHERE experiment_id = :experiment AND scorer_name = :scorer AND value IS NOT NULL
    GROUP BY dataset_item_id, target_id
) AS by_run GROUP BY dataset_item_id ORDER BY dataset_item_id
""")


def item_components(
    db: Connection, experiment_id: str, scorer: str
) -> dict[str, tuple[int, int, float, float, int, float]]:
    """Item → runs, votes, Σ, Σ over runs of (its Σ)²/votes, Σ over runs of votes², Σ of squares. Numbers only."""
    rows = db.execute(_ITEMS, {"experiment": experiment_id, "scorer": scorer})
    return {
        item: (int(runs), int(votes), float(total), float(run_squares), int(vote_squares), float(squares))
        for item, runs, votes, total, run_squares, vote_squares, squares in rows
    }
