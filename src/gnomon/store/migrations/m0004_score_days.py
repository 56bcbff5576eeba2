"""Step 4: daily sums of the scores on spans, which outlive the scores themselves. Filled from what is stored."""

from sqlalchemy.engine import Connection

STATEMENTS = """
CREATE TABLE score_days (
    project_id TEXT NOT NULL, scorer_name TEXT NOT NULL, config_hash TEXT NOT NULL, model TEXT NOT NULL,
    day BIGINT NOT NULL, n BIGINT NOT NULL, total DOUBLE PRECISION NOT NULL, squares DOUBLE PRECISION NOT NULL,
    lowest DOUBLE PRECISION NOT NULL, highest DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (project_id, scorer_name, config_hash, day, model)
);

INSERT INTO score_days (project_id, scorer_name, config_hash, model, day, n, total, squares, lowest, highest)
SELECT project_id, scorer_name, config_hash, model, day,
    count(*), sum(value), sum(value * value), min(value), max(value)
FROM (
    SELECT scores.project_id AS project_id, scores.scorer_name AS scorer_name,
        coalesce(scores.config_hash, '') AS config_hash, coalesce(spans.model, '') AS model, scores.value AS value,
        (spans.start_time - ((spans.start_time % 86400000) + 86400000) % 86400000) / 86400000 AS day
    FROM scores JOIN spans ON spans.id = scores.target_id AND spans.project_id = scores.project_id
        AND spans.trace_id = scores.trace_id
    WHERE scores.target_type = 'span' AND scores.value IS NOT NULL
) AS numbers
GROUP BY project_id, scorer_name, config_hash, model, day;
"""


def apply(connection: Connection) -> None:
    for statement in STATEMENTS.split(";"):
        if statement.strip():
            # A percent sign is a mark for a parameter to PostgreSQL's driver, unless it is doubled.
            own = statement.replace("%", "%%") if connection.dialect.name == "postgresql" else statement
            connection.exec_driver_sql(own)
