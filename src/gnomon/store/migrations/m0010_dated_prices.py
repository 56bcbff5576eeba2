"""Step 10: a project's own prices may begin on a day, so that a model can have several. The table is small."""

from sqlalchemy.engine import Connection

STATEMENTS = """
CREATE TABLE new_model_prices (
    project_id TEXT NOT NULL, model TEXT NOT NULL, input_usd_per_million DOUBLE PRECISION NOT NULL,
    output_usd_per_million DOUBLE PRECISION NOT NULL, cached_input_usd_per_million DOUBLE PRECISION,
    updated_at BIGINT NOT NULL, since TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (project_id, model, since)
);
INSERT INTO new_model_prices (project_id, model, input_usd_per_million, output_usd_per_million,
    cached_input_usd_per_million, updated_at)
SELECT project_id, model, input_usd_per_million, output_usd_per_million, cached_input_usd_per_million, updated_at
FROM model_prices;
DROP TABLE model_prices;
ALTER TABLE new_model_prices RENAME TO model_prices
"""


def apply(connection: Connection) -> None:
    for statement in STATEMENTS.split(";"):
        connection.exec_driver_sql(statement)
