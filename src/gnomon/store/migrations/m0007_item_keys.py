"""Step 7: callers' own ids of dataset items. Of the items in the newest version no two have the same."""

from sqlalchemy.engine import Connection

STATEMENTS = """
ALTER TABLE dataset_items ADD COLUMN key TEXT;
CREATE UNIQUE INDEX dataset_items_by_key ON dataset_items (dataset_id, key)
    WHERE key IS NOT NULL AND removed_version IS NULL;
"""


def apply(connection: Connection) -> None:
    for statement in STATEMENTS.split(";"):
        if statement.strip():
            connection.exec_driver_sql(statement)
