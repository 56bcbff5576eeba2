"""Step 18: iterations say which files with rules for agents were there, so that they can be compared by them."""

from sqlalchemy.engine import Connection


def apply(connection: Connection) -> None:
    connection.exec_driver_sql("ALTER TABLE iterations ADD COLUMN rules_files TEXT")
