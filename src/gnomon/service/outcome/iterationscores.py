"""The scores that an iteration has by itself: its total as `outcome`, and each signal as `outcome.SIGNAL`.

They are derived from what was pushed, whose source are the sidecars beside the log. So they are replaced when the
iteration is pushed again, and pushing everything again builds them anew. Scores that others attach to an iteration (a
person's `human_label`, a judge's) are never touched. An absent signal is a scoring state with its reason.
"""

import hashlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, get_args

from gnomon.model.fields import NAME_LIMIT
from gnomon.model.jsonvalue import canonical
from gnomon.model.outcome import Profile
from gnomon.model.score import InlineScoreDraft
from gnomon.scorers import Absent, Sample
from gnomon.service.call import Call
from gnomon.service.scoring import scoring
from gnomon.service.scoring.scoring import Derived, Planned
from gnomon.service.scoring.targets import Target
from gnomon.stats.describe import round_shown
from gnomon.store import scores as store
from gnomon.store.rows import IterationRow, ScoreRow, ScoringStateRow

SCORER = "outcome"
"""The name of the total's score, and the scorer that all derived scores name."""
NOT_SCORED = "no signal is present"
NO_EVIDENCE = "no evidence"
LONGEST_SIGNAL = NAME_LIMIT - len(SCORER) - 1
_VERSION = 1

Key = tuple[str, str]
"""Iteration id and scorer name."""


def signal_scorer(signal: str) -> str:
    """The name under which a signal's scores are stored."""
    return f"{SCORER}.{signal}"


@lru_cache(maxsize=1024)
def config_hash(rubric_version: str, profile: Profile) -> str:
    """Which rubric made a score: numbers of two rubrics or profiles are never taken for one scorer's."""
    config = {"rubric_version": rubric_version, "profile": profile}
    identity = {"scorer": SCORER, "version": _VERSION, "config": config}
    return hashlib.sha256(canonical(identity).encode()).hexdigest()[:16]


def replace(call: Call, rows: Sequence[IterationRow]) -> None:
    """Make the derived scores of these iterations what the rows say. What says so already keeps its id and age."""
    wanted = {(row.id, derived.planned.draft.scorer_name): derived for row in rows for derived in _derived(row)}
    ids = [row.id for row in rows]
    hashes = {config_hash(row.rubric_version, profile) for row in rows for profile in get_args(Profile)}
    scores = store.derived(call.db, ids, SCORER)
    states = store.derived_states(call.db, ids, hashes)
    same = {_key(row) for row in scores if _is_said_by(row, wanted.get(_key(row)))}
    same |= {_key(row) for row in states if _is_reason_of(row, wanted.get(_key(row)))}
    store.delete(call.db, [row for row in scores if _key(row) not in same])
    store.clear_states(call.db, [_state_key(row) for row in states if _key(row) not in same])
    scoring.keep_derived(call, SCORER, [derived for key, derived in wanted.items() if key not in same])


def _derived(row: IterationRow) -> Iterator[Derived]:
    about = {"band": row.band, "coverage": round_shown(row.coverage), "provisional": bool(row.provisional)}
    # A sum of weights may end an ulp above 1, which no score is.
    total = Absent(NOT_SCORED) if row.value is None else min(1.0, row.value)
    yield _derived_score(row, SCORER, total, None, about)
    for signal in row.breakdown:
        detail: str = signal["detail"]
        value = float(signal["sub_score"]) if signal["present"] else Absent(detail or NO_EVIDENCE)
        yield _derived_score(row, signal_scorer(signal["signal"]), value, detail or None, None)


def _derived_score(
    row: IterationRow, name: str, value: float | Absent, rationale: str | None, metadata: dict[str, Any] | None
) -> Derived:
    config = {"rubric_version": row.rubric_version, "profile": row.profile}
    draft = InlineScoreDraft.model_construct(scorer_name=name, config=config, rationale=rationale, metadata=metadata)
    planned = Planned(draft, None, config_hash(row.rubric_version, row.profile))
    return Derived(Target(row.project_id, "iteration", row.id, Sample()), planned, value)


def _is_said_by(row: ScoreRow, derived: Derived | None) -> bool:
    if derived is None:
        return False
    draft = derived.planned.draft
    stored = (row.value, row.rationale, row.metadata, row.config_hash)
    return stored == (derived.verdict, draft.rationale, draft.metadata, derived.planned.config_hash)


def _is_reason_of(row: ScoringStateRow, derived: Derived | None) -> bool:
    return (
        derived is not None
        and row.config_hash == derived.planned.config_hash
        and isinstance(derived.verdict, Absent)
        and (row.state, row.reason) == ("absent", derived.verdict.reason)
    )


def _key(row: ScoreRow | ScoringStateRow) -> Key:
    return row.target_id, row.scorer_name


def _state_key(row: ScoringStateRow) -> store.StateKey:
    return store.StateKey(**{name: getattr(row, name) for name in store.StateKey._fields})
