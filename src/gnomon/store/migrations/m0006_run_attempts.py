"""Step 6: how often a run was attempted."""

from sqlalchemy.engine import Connection


def apply(connection: Connection) -> None:
    connection.exec_driver_sql("ALTER TABLE runs ADD COLUMN attempts BIGINT NOT NULL DEFAULT 1")
