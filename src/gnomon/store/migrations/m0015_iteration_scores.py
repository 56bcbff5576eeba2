"""Step 15: iterations say which agent, model and labels they are of, and their totals and signals are scores.

The scores of iterations that are stored already are made here from their breakdowns, as a push makes them: the total as
`outcome`, each signal as `outcome.SIGNAL`, and a scoring state with its reason where there is no number. They are read
a piece at a time, and the log says how far it is.
"""

import hashlib
import json
import logging
import secrets
from collections.abc import Iterator
from typing import Any

from sqlalchemy.engine import Connection

log = logging.getLogger("gnomon.store")
PIECE = 1_000
"""Iterations that are held at a time."""

COLUMNS = """
ALTER TABLE iterations ADD COLUMN agent TEXT;
ALTER TABLE iterations ADD COLUMN model TEXT;
ALTER TABLE iterations ADD COLUMN labels TEXT
"""
_NEXT = """
SELECT id, project_id, rubric_version, profile, value, band, coverage, provisional, updated_at, breakdown
FROM iterations WHERE id > {mark} ORDER BY id LIMIT {piece}
"""
_SCORE = """
INSERT INTO scores (id, project_id, target_type, target_id, scorer_name, value, rationale, source, scorer, config,
    config_hash, metadata, created_at)
VALUES ({marks})
"""
_STATE = """
INSERT INTO scoring_states (target_id, target_type, trace_id, scorer_name, config_hash, project_id, state, reason,
    updated_at)
VALUES ({marks})
"""
Row = tuple[Any, ...]


def apply(connection: Connection) -> None:
    for statement in COLUMNS.split(";"):
        connection.exec_driver_sql(statement)
    mark = "?" if connection.dialect.name == "sqlite" else "%s"
    total = connection.exec_driver_sql("SELECT count(*) FROM iterations").scalar_one()
    done, after = 0, ""
    while rows := connection.exec_driver_sql(_NEXT.format(mark=mark, piece=PIECE), (after,)).all():
        _insert(connection, _SCORE, mark, [score for row in rows for score in _scores(*row)])
        _insert(connection, _STATE, mark, [state for row in rows for state in _states(*row)])
        done, after = done + len(rows), rows[-1].id
        if total > PIECE:
            log.warning("upgrading the database: %s of %s iterations have scores", f"{done:,}", f"{total:,}")


def _insert(connection: Connection, statement: str, mark: str, rows: list[Row]) -> None:
    if rows:
        connection.exec_driver_sql(statement.format(marks=", ".join([mark] * len(rows[0]))), rows)


def _scores(
    id: str, project: str, version: str, profile: str, value: float | None, band: str, coverage: float,
    provisional: int, updated: int, breakdown: str,
) -> Iterator[Row]:  # fmt: skip
    config = {"rubric_version": version, "profile": profile}
    made_by = ("builtin", "outcome", _json(config), _hash(config))
    if value is not None:
        about = {"band": band, "coverage": float(f"{coverage:.12g}"), "provisional": bool(provisional)}
        of_total = ("outcome", min(1.0, value), None, *made_by, _json(about))
        yield (_id(updated), project, "iteration", id, *of_total, updated)
    for signal in json.loads(breakdown):
        if signal["present"]:
            of_signal = (f"outcome.{signal['signal']}", float(signal["sub_score"]), signal["detail"] or None)
            yield (_id(updated), project, "iteration", id, *of_signal, *made_by, None, updated)


def _states(
    id: str, project: str, version: str, profile: str, value: float | None, _band: str, _coverage: float,
    _provisional: int, updated: int, breakdown: str,
) -> Iterator[Row]:  # fmt: skip
    hashed = _hash({"rubric_version": version, "profile": profile})
    reasons = {} if value is not None else {"outcome": "no signal is present"}
    for signal in json.loads(breakdown):
        if not signal["present"]:
            reasons[f"outcome.{signal['signal']}"] = signal["detail"] or "no evidence"
    for name, reason in reasons.items():
        yield (id, "iteration", "", name, hashed, project, "absent", reason, updated)


def _hash(config: dict[str, str]) -> str:
    identity = {"scorer": "outcome", "version": 1, "config": config}
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _id(created_at: int) -> str:
    """As ids are elsewhere: the time first."""
    stamp, noise = f"{created_at:012x}", secrets.token_hex(9)
    return f"{stamp[:8]}-{stamp[8:]}-7{noise[:3]}-8{noise[3:6]}-{noise[6:]}"
