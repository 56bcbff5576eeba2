"""Step 20: read-only links to one view."""

from sqlalchemy.engine import Connection

STATEMENTS = """
CREATE TABLE shares (
    id TEXT PRIMARY KEY, project_id TEXT NOT NULL, kind TEXT NOT NULL, object_ids TEXT NOT NULL, path TEXT NOT NULL,
    token_hash TEXT NOT NULL UNIQUE, created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL
);
CREATE INDEX shares_by_project ON shares (project_id, id)
"""


def apply(connection: Connection) -> None:
    for statement in STATEMENTS.split(";"):
        connection.exec_driver_sql(statement)
