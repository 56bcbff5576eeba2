"""Step 14: the gates that were evaluated, the versions of datasets with what changed in each, and an index of scorers.

The index has the scores that stand in no other sum: neither in the index by experiment nor in the daily sums, which
have the numbers on spans. So the scorers of a project are listed without a look at every score.

Versions are filled in from the items: who came and left, and the time at which items came. When a version that only
removed items was made is known for the newest one alone. An item that left in the version in which another came under
its key was replaced.
"""

from sqlalchemy.engine import Connection

STATEMENTS = """
CREATE TABLE threshold_results (
    id TEXT PRIMARY KEY, experiment_id TEXT NOT NULL, result TEXT NOT NULL, created_at BIGINT NOT NULL
);
CREATE INDEX threshold_results_by_experiment ON threshold_results (experiment_id, id);

CREATE INDEX scores_elsewhere ON scores (project_id, scorer_name, target_type, created_at, value)
    WHERE experiment_id IS NULL AND (value IS NULL OR target_type <> 'span');

CREATE TABLE dataset_versions (
    dataset_id TEXT NOT NULL, version BIGINT NOT NULL, created_at BIGINT, item_count BIGINT NOT NULL,
    added BIGINT NOT NULL, removed BIGINT NOT NULL, changed BIGINT NOT NULL,
    PRIMARY KEY (dataset_id, version)
);

INSERT INTO dataset_versions (dataset_id, version, created_at, item_count, added, removed, changed)
SELECT changes.dataset_id, changes.version, min(changes.created_at),
    sum(sum(changes.added) - sum(changes.removed)) OVER (PARTITION BY changes.dataset_id ORDER BY changes.version),
    sum(changes.added) - sum(changes.replaced), sum(changes.removed) - sum(changes.replaced), sum(changes.replaced)
FROM (
    SELECT id AS dataset_id, 1 AS version, created_at, 0 AS added, 0 AS removed, 0 AS replaced FROM datasets
    UNION ALL
    SELECT dataset_id, added_version, created_at, 1, 0, 0 FROM dataset_items
    UNION ALL
    SELECT dataset_id, removed_version, NULL, 0, 1, 0 FROM dataset_items WHERE removed_version IS NOT NULL
    UNION ALL
    SELECT came.dataset_id, came.added_version, NULL, 0, 0, 1 FROM dataset_items AS came JOIN dataset_items AS gone
        ON gone.dataset_id = came.dataset_id AND gone.key = came.key AND gone.removed_version = came.added_version
) AS changes
JOIN datasets ON datasets.id = changes.dataset_id
GROUP BY changes.dataset_id, changes.version;

UPDATE dataset_versions SET created_at = (SELECT updated_at FROM datasets WHERE id = dataset_versions.dataset_id)
WHERE created_at IS NULL AND version = (SELECT version FROM datasets WHERE id = dataset_versions.dataset_id)
"""


def apply(connection: Connection) -> None:
    for statement in STATEMENTS.split(";"):
        connection.exec_driver_sql(statement)
