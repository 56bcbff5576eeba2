"""Step 21: iterations say where their repository is on the web, so that pages link commits."""

from sqlalchemy.engine import Connection


def apply(connection: Connection) -> None:
    connection.exec_driver_sql("ALTER TABLE iterations ADD COLUMN repository_url TEXT")
