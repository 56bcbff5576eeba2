"""Step 16: root spans that arrive are noted, and put into the text search's index many at a time.

SQLite's index merges its parts less often: they are larger now, and merging was a third of what it took to index.
"""

from sqlalchemy.engine import Connection

_TABLE = """
CREATE TABLE pending_texts (
    project_id TEXT NOT NULL, created_at BIGINT NOT NULL, trace_id TEXT NOT NULL, span_id TEXT NOT NULL,
    PRIMARY KEY (project_id, created_at, trace_id)
)
"""
_MERGE_LESS = "INSERT INTO trace_words (trace_words, rank) VALUES ('automerge', 16)"


def apply(connection: Connection) -> None:
    is_sqlite = connection.dialect.name == "sqlite"
    connection.exec_driver_sql(_TABLE + ("WITHOUT ROWID" if is_sqlite else ""))
    if is_sqlite:
        connection.exec_driver_sql(_MERGE_LESS)
