"""Step 9: what OpenTelemetry says of spans, conversations, cost, and an index of metadata.

Spans get another key, (project, trace, id): one index less, and the spans of a trace lie together. Natively ingested
spans can still be found by their id alone, in `span_ids`. SQLite cannot change a key, so the table is copied there:
nobody else writes meanwhile, and the log says how far it is.
"""

import logging

import sqlalchemy as sa
from sqlalchemy.engine import Connection

log = logging.getLogger("gnomon.store")
PIECE = 100_000
"""Spans copied between two lines of the log."""

_OLD = """project_id, trace_id, id, parent_span_id, name, input, output, start_time, end_time, duration_ms,
    tokens_input, tokens_output, model, metadata, error"""

# Milliseconds may be of any year, nanoseconds end in 2262.
_NANOSECONDS = """CASE WHEN start_time > 9223372036854 THEN 9223372036854775807
    WHEN start_time < -9223372036854 THEN -9223372036854775807 ELSE start_time * 1000000 END"""
_SQLITE_SPANS = """
CREATE TABLE new_spans (
    project_id TEXT NOT NULL, trace_id TEXT NOT NULL, id TEXT NOT NULL, parent_span_id TEXT, name TEXT NOT NULL,
    input TEXT, output TEXT, start_time BIGINT NOT NULL, end_time BIGINT, duration_ms DOUBLE PRECISION,
    tokens_input BIGINT, tokens_output BIGINT, model TEXT, metadata TEXT, error TEXT, operation TEXT,
    cost_usd DOUBLE PRECISION, source_id TEXT, otlp BLOB, start_ns BIGINT,
    PRIMARY KEY (project_id, trace_id, id)
)
"""
_POSTGRESQL_SPANS = """
ALTER TABLE spans DROP CONSTRAINT spans_pkey;
ALTER TABLE spans ADD PRIMARY KEY (project_id, trace_id, id);
DROP INDEX spans_by_trace;
ALTER TABLE spans ADD COLUMN operation TEXT;
ALTER TABLE spans ADD COLUMN cost_usd DOUBLE PRECISION;
ALTER TABLE spans ADD COLUMN source_id TEXT;
ALTER TABLE spans ADD COLUMN otlp BYTEA;
ALTER TABLE spans ADD COLUMN start_ns BIGINT;
UPDATE spans SET start_ns = {nanoseconds}
"""

_TABLES = """
CREATE TABLE span_ids (
    id TEXT NOT NULL, project_id TEXT NOT NULL, trace_id TEXT NOT NULL, PRIMARY KEY (id, project_id, trace_id)
) /* SQLite: WITHOUT ROWID */;
CREATE TABLE span_sources (
    project_id TEXT NOT NULL, id TEXT NOT NULL, body BYTEA NOT NULL, PRIMARY KEY (project_id, id)
);
CREATE TABLE span_logs (
    project_id TEXT NOT NULL, trace_id TEXT NOT NULL, span_id TEXT NOT NULL, id TEXT NOT NULL, record BYTEA NOT NULL,
    source_id TEXT NOT NULL, created_at BIGINT NOT NULL, PRIMARY KEY (project_id, trace_id, span_id, id)
);
CREATE TABLE trace_values (
    project_id TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, created_at BIGINT NOT NULL,
    trace_id TEXT NOT NULL, PRIMARY KEY (project_id, key, value, created_at, trace_id)
) /* SQLite: WITHOUT ROWID */;
CREATE TABLE indexed_keys (
    project_id TEXT NOT NULL, key TEXT NOT NULL, ready BIGINT NOT NULL, created_at BIGINT NOT NULL,
    PRIMARY KEY (project_id, key)
);
CREATE TABLE conversations (
    project_id TEXT NOT NULL, id TEXT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
    PRIMARY KEY (id, project_id)
);
CREATE INDEX conversations_by_age ON conversations (project_id, created_at, id);
CREATE TABLE quiet_targets (
    rule_id TEXT NOT NULL, target_id TEXT NOT NULL, project_id TEXT NOT NULL, due_at BIGINT,
    PRIMARY KEY (rule_id, target_id)
);
CREATE INDEX quiet_targets_due ON quiet_targets (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX quiet_targets_by_target ON quiet_targets (project_id, target_id);
ALTER TABLE scoring_rules ADD COLUMN target TEXT NOT NULL DEFAULT 'span';

ALTER TABLE traces ADD COLUMN started_at BIGINT;
ALTER TABLE traces ADD COLUMN started_ns BIGINT;
ALTER TABLE traces ADD COLUMN updated_at BIGINT;
ALTER TABLE traces ADD COLUMN root_start BIGINT;
ALTER TABLE traces ADD COLUMN model_start BIGINT;
ALTER TABLE traces ADD COLUMN conversation_id TEXT;
ALTER TABLE traces ADD COLUMN conversation_rank BIGINT;
ALTER TABLE traces ADD COLUMN cost_usd DOUBLE PRECISION;
ALTER TABLE traces ADD COLUMN unpriced BIGINT NOT NULL DEFAULT 0;
CREATE INDEX traces_by_conversation ON traces (project_id, conversation_id, started_ns, id)
    WHERE conversation_id IS NOT NULL;

INSERT INTO span_ids (id, project_id, trace_id) SELECT id, project_id, trace_id FROM spans;
UPDATE traces SET
    updated_at = created_at, model_start = 0,
    started_at = (SELECT min(start_time) FROM spans
        WHERE spans.project_id = traces.project_id AND spans.trace_id = traces.id),
    root_start = (SELECT start_ns FROM spans
        WHERE spans.project_id = traces.project_id AND spans.trace_id = traces.id AND spans.id = traces.root_span_id),
    unpriced = (SELECT count(*) FROM spans WHERE spans.project_id = traces.project_id AND spans.trace_id = traces.id
        AND (spans.tokens_input IS NOT NULL OR spans.tokens_output IS NOT NULL));
UPDATE traces SET model_start = NULL WHERE model IS NULL;
UPDATE traces SET started_ns = (SELECT min(start_ns) FROM spans
    WHERE spans.project_id = traces.project_id AND spans.trace_id = traces.id)
"""

# The values of keys that every project has an index of; `:model` is not a key of metadata, which cannot begin so.
_VALUES = """
INSERT INTO trace_values (project_id, key, value, created_at, trace_id)
SELECT DISTINCT spans.project_id, {key}, {value}, traces.created_at, spans.trace_id
FROM spans JOIN traces ON traces.project_id = spans.project_id AND traces.id = spans.trace_id
WHERE {value} IS NOT NULL AND length({value}) <= 200
"""
_CONVERSATIONS = """
CREATE INDEX values_by_trace ON trace_values (project_id, trace_id);
UPDATE traces SET conversation_rank = 0, conversation_id =
    (SELECT min(value) FROM trace_values WHERE trace_values.project_id = traces.project_id
        AND trace_values.trace_id = traces.id AND key = 'gen_ai.conversation.id');
UPDATE traces SET conversation_rank = 1, conversation_id =
    (SELECT min(value) FROM trace_values WHERE trace_values.project_id = traces.project_id
        AND trace_values.trace_id = traces.id AND key = 'session.id') WHERE conversation_id IS NULL;
UPDATE traces SET conversation_rank = NULL WHERE conversation_id IS NULL;
DROP INDEX values_by_trace;
INSERT INTO conversations (project_id, id, created_at, updated_at)
SELECT project_id, conversation_id, min(created_at), max(created_at) FROM traces
WHERE conversation_id IS NOT NULL GROUP BY project_id, conversation_id
"""


def apply(connection: Connection) -> None:
    is_sqlite = connection.dialect.name == "sqlite"
    if is_sqlite:
        _copy_spans(connection)
    else:
        _run(connection, _POSTGRESQL_SPANS.format(nanoseconds=_NANOSECONDS))
    _run(connection, _TABLES.replace("/* SQLite: WITHOUT ROWID */", "WITHOUT ROWID" if is_sqlite else ""))
    _fill_index(connection, is_sqlite)
    _run(connection, _CONVERSATIONS)


def _copy_spans(connection: Connection) -> None:
    connection.exec_driver_sql(_SQLITE_SPANS)
    last, total = _range(connection)
    done = 0
    while done < last:
        connection.exec_driver_sql(
            f"INSERT INTO new_spans ({_OLD}, start_ns) SELECT {_OLD}, {_NANOSECONDS} FROM spans"
            " WHERE rowid > ? AND rowid <= ?",
            (done, done + PIECE),
        )
        done += PIECE
        if total > PIECE:
            log.warning("upgrading the database: %s of %s spans are copied", f"{min(done, last):,}", f"{last:,}")
    connection.exec_driver_sql("DROP TABLE spans")
    connection.exec_driver_sql("ALTER TABLE new_spans RENAME TO spans")


def _range(connection: Connection) -> tuple[int, int]:
    last, total = connection.exec_driver_sql("SELECT max(rowid), count(*) FROM spans").one()
    return int(last or 0), int(total)


def _fill_index(connection: Connection, is_sqlite: bool) -> None:
    """Metadata is text that the databases' own functions read; only strings are compared with those keys."""
    sql_of = {key: _string_at(key, is_sqlite) for key in ("gen_ai.conversation.id", "session.id", "user.id")}
    sql_of[":model"] = "spans.model"
    for key, value in sql_of.items():
        connection.execute(sa.text(_VALUES.format(key=":key", value=value)), {"key": key})


def _string_at(key: str, is_sqlite: bool) -> str:
    if is_sqlite:
        return f"""CASE WHEN json_type(spans.metadata, '$."{key}"') = 'text'
            THEN json_extract(spans.metadata, '$."{key}"') END"""
    return f"""CASE WHEN json_typeof(CAST(spans.metadata AS json) -> '{key}') = 'string'
            THEN CAST(spans.metadata AS json) ->> '{key}' END"""


def _run(connection: Connection, statements: str) -> None:
    for statement in statements.split(";"):
        if statement.strip():
            connection.exec_driver_sql(statement)
