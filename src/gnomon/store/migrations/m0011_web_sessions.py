"""Step 11: sessions of browsers, and the codes of login links. Of both only hashes are kept."""

from sqlalchemy.engine import Connection

STATEMENTS = """
CREATE TABLE web_sessions (
    token_hash TEXT NOT NULL PRIMARY KEY, id TEXT NOT NULL, key_id TEXT NOT NULL, created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX web_sessions_of_key ON web_sessions (key_id);
CREATE TABLE login_codes (
    code_hash TEXT NOT NULL PRIMARY KEY, key_id TEXT NOT NULL, expires_at BIGINT NOT NULL
);
CREATE INDEX login_codes_of_key ON login_codes (key_id)
"""


def apply(connection: Connection) -> None:
    for statement in STATEMENTS.split(";"):
        connection.exec_driver_sql(statement)
