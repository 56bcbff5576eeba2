"""Step 12: the scores of a trace's spans are found by the trace, for lists of traces and for one trace."""

from sqlalchemy.engine import Connection

STATEMENT = "CREATE INDEX scores_by_trace ON scores (project_id, trace_id, scorer_name) WHERE trace_id IS NOT NULL"


def apply(connection: Connection) -> None:
    connection.exec_driver_sql(STATEMENT)
