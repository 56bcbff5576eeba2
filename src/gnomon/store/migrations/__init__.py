"""The schema's history: an ordered list of small steps, forward only.

One text of SQL serves both databases: SQLite takes PostgreSQL's type names for their
affinity. Steps are applied under a lock, so that several processes may start at once, each
step in one transaction with the number it reaches.
"""

from collections.abc import Callable

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from gnomon.errors import StoreTrouble
from gnomon.store.migrations import (
    m0001_platform,
    m0002_judge,
    m0003_outcome,
    m0004_score_days,
    m0005_model_prices,
    m0006_run_attempts,
    m0007_item_keys,
    m0008_stopping,
    m0009_otel_spans,
    m0010_dated_prices,
    m0011_web_sessions,
    m0012_trace_lists,
    m0013_text_search,
    m0014_histories,
    m0015_iteration_scores,
    m0016_pending_texts,
    m0017_retention,
    m0018_rules_files,
    m0019_review,
    m0020_shares,
    m0021_repository_addresses,
    m0022_change_counts,
)

STEPS: list[Callable[[Connection], None]] = [
    m0001_platform.apply, m0002_judge.apply, m0003_outcome.apply, m0004_score_days.apply, m0005_model_prices.apply,
    m0006_run_attempts.apply,
    m0007_item_keys.apply,
    m0008_stopping.apply,
    m0009_otel_spans.apply,
    m0010_dated_prices.apply,
    m0011_web_sessions.apply,
    m0012_trace_lists.apply,
    m0013_text_search.apply,
    m0014_histories.apply,
    m0015_iteration_scores.apply,
    m0016_pending_texts.apply,
    m0017_retention.apply,
    m0018_rules_files.apply,
    m0019_review.apply,
    m0020_shares.apply,
    m0021_repository_addresses.apply,
    m0022_change_counts.apply,
]  # fmt: skip

_LOCK = 0x676E6F6D6F6E  # "gnomon", for PostgreSQL's advisory lock


def migrate(engine: Engine, on_step: Callable[[int, int], None] = lambda done, total: None) -> int:
    """Apply the missing steps; return the version reached. `on_step` is called with how many are done, of how many."""
    while (done := _next_step(engine)) < len(STEPS):
        on_step(done, len(STEPS))
    return done


def version(connection: Connection) -> int:
    """How many steps this database has behind it."""
    if not sa.inspect(connection).has_table("gnomon_schema"):
        return 0
    newest = connection.exec_driver_sql("SELECT max(version) FROM gnomon_schema").scalar()
    return int(newest or 0)


def remedy_for(step: int) -> str:
    """What brings a schema at another step and this Gnomon together."""
    return "run `gnomon db upgrade`" if step < len(STEPS) else "upgrade Gnomon"


def _next_step(engine: Engine) -> int:
    # SQLite's readers begin deferred transactions; a migration must hold the write lock from the start.
    with engine.connect() as connection, connection.begin():
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("COMMIT")
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
        done = version(connection)
        if done > len(STEPS):
            raise StoreTrouble(
                f"this database is at step {done}, this Gnomon at {len(STEPS)}; {remedy_for(done)}",
                code="STORE_TOO_NEW",
            )
        if done == len(STEPS):
            return done
        if done == 0:
            connection.exec_driver_sql("CREATE TABLE gnomon_schema (version BIGINT NOT NULL)")
        STEPS[done](connection)
        connection.exec_driver_sql(f"INSERT INTO gnomon_schema (version) VALUES ({done + 1})")
        return done + 1
