"""Step 17: how long projects keep traces, what is being deleted, and indexes that say which traces are in use.

The index of runs has those that name a trace, the index of items those that were made of one.
"""

from sqlalchemy.engine import Connection

STATEMENTS = """
CREATE TABLE retention (
    project_id TEXT PRIMARY KEY, days BIGINT, keep_scored BIGINT NOT NULL, due_at BIGINT NOT NULL,
    position TEXT NOT NULL
);
CREATE TABLE removals (
    kind TEXT NOT NULL, id TEXT NOT NULL, project_id TEXT NOT NULL, created_at BIGINT NOT NULL,
    PRIMARY KEY (kind, id)
);
CREATE INDEX runs_by_trace ON runs (trace_id, project_id) WHERE trace_id IS NOT NULL;
CREATE INDEX dataset_items_of_traces ON dataset_items (dataset_id) WHERE {made_of_trace};
CREATE INDEX model_answers_of_project ON model_answers (project_id, created_at)
"""
_MADE_OF_TRACE = {
    "sqlite": "instr(metadata, '\"source_trace_id\"') > 0",
    "postgresql": "strpos(metadata, '\"source_trace_id\"') > 0",
}


def apply(connection: Connection) -> None:
    made_of_trace = _MADE_OF_TRACE[connection.dialect.name]
    for statement in STATEMENTS.format(made_of_trace=made_of_trace).split(";"):
        connection.exec_driver_sql(statement)
