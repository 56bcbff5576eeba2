"""Step 13: root spans can be searched by their words. What is stored is indexed by a job per project.

The index itself is the databases' own: FTS5 without content on SQLite, a GIN index on PostgreSQL. Neither splits texts
into words: both get words that are separated by blanks, and SQLite's tokenizer takes every character above ASCII as
part of a word. What a transaction adds is gathered in up to 16 MB of memory, so that it is written once.
"""

import secrets
import time

from sqlalchemy.engine import Connection

_SQLITE = """
CREATE TABLE trace_texts (
    doc INTEGER PRIMARY KEY, project_id TEXT NOT NULL, created_at BIGINT NOT NULL, trace_id TEXT NOT NULL,
    span_id TEXT NOT NULL, words TEXT, UNIQUE (project_id, created_at, trace_id)
);
CREATE VIRTUAL TABLE trace_words USING fts5 (words, content = '', columnsize = 0, detail = none, tokenize = 'ascii');
INSERT INTO trace_words (trace_words, rank) VALUES ('hashsize', 16000000)
"""
_POSTGRESQL = """
CREATE TABLE trace_texts (
    doc BIGINT, project_id TEXT NOT NULL, created_at BIGINT NOT NULL, trace_id TEXT NOT NULL,
    span_id TEXT NOT NULL, words TSVECTOR, PRIMARY KEY (project_id, created_at, trace_id)
);
CREATE INDEX trace_texts_by_word ON trace_texts USING gin (words)
"""
_SETTINGS = """
CREATE TABLE text_search (
    project_id TEXT PRIMARY KEY, enabled BIGINT NOT NULL, ready BIGINT NOT NULL, job_id TEXT
)
"""
_JOB = """
INSERT INTO jobs (id, project_id, kind, status, payload, attempts, total, counts, position, due_at, created_at,
    updated_at)
VALUES ({marks})
"""


def apply(connection: Connection) -> None:
    is_sqlite = connection.dialect.name == "sqlite"
    for statement in (_SQLITE if is_sqlite else _POSTGRESQL).split(";"):
        connection.exec_driver_sql(statement)
    connection.exec_driver_sql(_SETTINGS)
    _index_what_is_there(connection, "?" if is_sqlite else "%s")


def _index_what_is_there(connection: Connection, mark: str) -> None:
    now = time.time_ns() // 1_000_000
    counts = connection.exec_driver_sql("SELECT project_id, count(*) FROM traces GROUP BY project_id").all()
    for project_id, total in counts:
        job_id = _id(now)
        job = (job_id, project_id, "index_text", "queued", '{"scorers":[]}', 0, total, "{}", "", now, now, now)
        connection.exec_driver_sql(_JOB.format(marks=", ".join([mark] * len(job))), job)
        connection.exec_driver_sql(
            f"INSERT INTO text_search (project_id, enabled, ready, job_id) VALUES ({mark}, 1, 0, {mark})",
            (project_id, job_id),
        )


def _id(now: int) -> str:
    """As ids are elsewhere: the time first."""
    stamp, noise = f"{now:012x}", secrets.token_hex(9)
    return f"{stamp[:8]}-{stamp[8:]}-7{noise[:3]}-8{noise[3:6]}-{noise[6:]}"
