"""Step 8: why an experiment stopped, its metrics, and who holds it until when."""

from sqlalchemy.engine import Connection

COLUMNS = ("stopping TEXT", "metrics TEXT", "holder TEXT", "held_until BIGINT")


def apply(connection: Connection) -> None:
    for column in COLUMNS:
        connection.exec_driver_sql(f"ALTER TABLE experiments ADD COLUMN {column}")
