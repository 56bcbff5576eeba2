"""Step 5: a project's own prices of models."""

from sqlalchemy.engine import Connection

STATEMENTS = """
CREATE TABLE model_prices (
    project_id TEXT NOT NULL, model TEXT NOT NULL, input_usd_per_million DOUBLE PRECISION NOT NULL,
    output_usd_per_million DOUBLE PRECISION NOT NULL, cached_input_usd_per_million DOUBLE PRECISION,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (project_id, model)
);
"""


def apply(connection: Connection) -> None:
    for statement in STATEMENTS.split(";"):
        if statement.strip():
            connection.exec_driver_sql(statement)
