"""Step 3: outcome scores of iterations, as they are pushed.

What lists and means look at stands first and the long JSON last, so that SQLite reads past it.
"""

from sqlalchemy.engine import Connection

STATEMENTS = """
CREATE TABLE iterations (
    id TEXT PRIMARY KEY, project_id TEXT NOT NULL, source TEXT NOT NULL, iteration BIGINT NOT NULL,
    rubric_version TEXT NOT NULL, profile TEXT NOT NULL, value DOUBLE PRECISION CHECK (value BETWEEN 0 AND 1.000000001),
    band TEXT NOT NULL, coverage DOUBLE PRECISION NOT NULL, provisional BIGINT NOT NULL, session_id TEXT, date TEXT,
    task_id TEXT, commit_id TEXT, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, integrity TEXT NOT NULL,
    objectives TEXT NOT NULL, breakdown TEXT NOT NULL,
    UNIQUE (project_id, source, rubric_version, iteration)
);
CREATE INDEX iterations_by_number ON iterations (project_id, iteration, id);
CREATE INDEX iterations_by_source ON iterations (project_id, source, iteration, id);
CREATE INDEX iterations_by_session ON iterations (project_id, session_id) WHERE session_id IS NOT NULL;
"""


def apply(connection: Connection) -> None:
    for statement in STATEMENTS.split(";"):
        if statement.strip():
            connection.exec_driver_sql(statement)
