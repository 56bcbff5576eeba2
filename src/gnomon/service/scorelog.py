"""A coding agent's log scored on this machine: written beside the log, shown, and made ready for a server.

The sidecar is the durable record. What a server keeps is made from sidecars, and can be made from them again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from gnomon.errors import Conflict, GnomonError, NotFound, Refused
from gnomon.model.outcome import (
    ContributionDraft,
    Honesty,
    IntegrityDraft,
    IntegrityObservation,
    IterationDraft,
    OutcomeScore,
    Profile,
    SignalDraft,
)
from gnomon.outcome.atomic import write_whole
from gnomon.outcome.diagnostics import Diagnostic
from gnomon.outcome.evidence import read_evidence, stale_reasons, write_evidence
from gnomon.outcome.fromgit import entry_text
from gnomon.outcome.hooks import newest_iteration
from gnomon.outcome.integrity import honesty
from gnomon.outcome.iterlog import load_log
from gnomon.outcome.pipeline import OnProgress, OutcomeReport, ScoredIteration, ScorePlan, score_log
from gnomon.outcome.record import IterationRecord
from gnomon.outcome.sidecar import (
    iteration_score_path,
    read_iteration_score,
    write_iteration_score_with_record,
    write_session_scores,
)
from gnomon.stats.interval import Interval, interval_over

_LONGEST = 4000


@dataclass(frozen=True, slots=True)
class Scored:
    report: OutcomeReport
    written: int


def score(plan: ScorePlan, now: datetime, *, write: bool, on_progress: OnProgress | None = None) -> Scored:
    """Score the log; with `write` also put each score and its evidence beside its entry."""
    report = score_log(plan, on_progress=on_progress)
    return Scored(report, written(plan.log, report, now) if write else 0)


def written(log: Path, report: OutcomeReport, now: datetime) -> int:
    for one in report.iterations:
        write_iteration_score_with_record(log, one.score, one.record)
        write_evidence(log, one.evidence(now))
    return len(report.iterations) + len(write_session_scores(log, report.sessions))


def write_history(folder: Path, report: OutcomeReport, now: datetime) -> int:
    """A plain history as a log of its own: an entry, a score and the evidence for each iteration."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if newest_iteration(folder) is not None:
            raise Conflict(f"{folder} holds iterations already; give another folder")
    except OSError as bad:
        raise Refused(f"cannot make {folder}: {bad.strerror or bad}") from None
    for one in report.iterations:
        write_whole(folder / f"iter-{one.iteration}.yaml", entry_text(one.record))
    return written(folder, report, now)


def mean_of(values: Sequence[float]) -> Interval | None:
    """The interval of a mean; None for fewer than two values."""
    return interval_over([[value] for value in values]) if len(values) > 1 else None


def profile_of(report: OutcomeReport) -> Honesty:
    return honesty((one.signals.integrity for one in report.iterations), report.rubric.version)


# ── as JSON ─────────────────────────────────────────────────────────────────────────────────────────────────────


def as_json(report: OutcomeReport) -> dict[str, Any]:
    return {
        "rubric_version": report.rubric.version,
        "profile": report.profile,
        "iterations": [iteration_json(one) for one in report.iterations],
        "sessions": [_session_json(session.model_dump(mode="json")) for session in report.sessions],
        "diagnostics": [diagnostic.as_json() for diagnostic in report.diagnostics],
    }


def iteration_json(one: ScoredIteration) -> dict[str, Any]:
    score = one.score
    return {
        "iteration": score.iteration,
        "scored": score.scored,
        "value": score.value if score.scored else None,
        "band": score.band,
        "coverage": score.coverage,
        "provisional": score.provisional,
        "breakdown": [row.model_dump(mode="json") for row in score.breakdown],
        "integrity": [_pair_json(pair) for pair in one.signals.integrity],
        "objectives": {name: value.model_dump(mode="json") for name, value in one.objectives.items()},
        "date": one.record.date,
        "task_id": one.record.task_id,
        "session_id": one.record.agent.session_id,
        "commits": list(one.inputs.get("commits", [])),
    }


def _pair_json(pair: IntegrityObservation) -> dict[str, Any]:
    delta = pair.delta if pair.comparable else None
    return {**pair.model_dump(mode="json"), "comparable": pair.comparable, "delta": delta}


def _session_json(session: dict[str, Any]) -> dict[str, Any]:
    """With the interval of the mean, and without numbers where there is no score."""
    values = [ref["value"] for ref in session["per_iteration"] if ref["scored"]]
    found = mean_of(values)
    ends = None if found is None else [found.low, found.high]
    refs = [{**ref, "value": ref["value"] if ref["scored"] else None} for ref in session["per_iteration"]]
    value = session["value"] if session["scored"] else None
    return {**session, "value": value, "confidence_interval_95": ends, "per_iteration": refs}


# ── one iteration, beside what was stored ───────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Shown:
    """A score as it is today, and what became of the one that was written: None when none was."""

    one: ScoredIteration
    stored: OutcomeScore | None
    stale: list[str]
    diagnostics: tuple[Diagnostic, ...]


def shown(plan: ScorePlan, on_progress: OnProgress | None = None) -> Shown:
    report = score_log(plan, on_progress=on_progress)
    (one,) = report.iterations
    path = iteration_score_path(plan.log, one.iteration)
    try:
        stored = read_iteration_score(path) if path.exists() else None
    except GnomonError:
        stored = None
    reasons = stale_reasons(read_evidence(plan.log, one.iteration), one.inputs) if stored else []
    return Shown(one, stored, reasons, report.diagnostics)


# ── under another rubric ────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Recomputed:
    """Each iteration by two rubrics. `mean_delta` is over those that both of them score."""

    before_version: str
    after_version: str
    rows: list[tuple[OutcomeScore, OutcomeScore]]
    mean_delta: float | None
    interval: tuple[float, float] | None
    changed_bands: int


def recomputed(before: OutcomeReport, after: OutcomeReport) -> Recomputed:
    rows = [(old.score, new.score) for old, new in zip(before.iterations, after.iterations, strict=True)]
    deltas = [new.value - old.value for old, new in rows if old.scored and new.scored]
    # Differences lie in [−1, 1] and the interval of a mean in [0, 1]: there and back.
    found = mean_of([(delta + 1) / 2 for delta in deltas])
    return Recomputed(
        before_version=before.rubric.version,
        after_version=after.rubric.version,
        rows=rows,
        mean_delta=sum(deltas) / len(deltas) if deltas else None,
        interval=None if found is None else (2 * found.low - 1, 2 * found.high - 1),
        changed_bands=sum(old.band != new.band for old, new in rows),
    )


def recomputed_json(found: Recomputed) -> dict[str, Any]:
    def side(score: OutcomeScore) -> dict[str, Any]:
        value = score.value if score.scored else None
        return {"scored": score.scored, "value": value, "band": score.band, "coverage": score.coverage}

    return {
        "before": found.before_version,
        "after": found.after_version,
        "iterations": [
            {
                "iteration": old.iteration,
                "before": side(old),
                "after": side(new),
                "delta": new.value - old.value if old.scored and new.scored else None,
            }
            for old, new in found.rows
        ],
        "mean_delta": found.mean_delta,
        "confidence_interval_95": found.interval,
        "changed_bands": found.changed_bands,
    }


# ── for a server ────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Ready:
    """What to send, and the sidecars that cannot be sent."""

    iterations: list[IterationDraft]
    diagnostics: list[Diagnostic]


def from_sidecars(log: Path) -> Ready:
    """Everything that was scored and written, as a server takes it."""
    records = {record.iteration: record for record in load_log(log, "gnomon").records}
    ready = Ready([], [])
    for path in sorted(log.glob("iter-*.score.yaml")) if log.is_dir() else []:
        try:
            score = read_iteration_score(path)
            if path != iteration_score_path(log, score.iteration):
                raise Refused(f"{path.name} holds the score of iteration {score.iteration}")
            ready.iterations.append(_draft(score, records.get(score.iteration), read_evidence(log, score.iteration)))
        except GnomonError as bad:
            ready.diagnostics.append(Diagnostic(path.name, "sidecar", f"{bad.message}; not sent"))
    if not ready.iterations and not ready.diagnostics:
        raise NotFound(f"{log} has no scores to send; run `gnomon outcome score` first")
    return ready


def _draft(score: OutcomeScore, record: IterationRecord | None, evidence: dict[str, Any] | None) -> IterationDraft:
    known = evidence if evidence and evidence.get("rubric_version") == score.rubric_version else {}
    profile: Profile = "gnomon" if "+gnomon." in score.rubric_version else "compat"
    return IterationDraft(
        iteration=score.iteration,
        rubric_version=score.rubric_version,
        profile=profile,
        scored=score.scored,
        value=score.value if score.scored else None,
        band=score.band,
        breakdown=[_cut(ContributionDraft, row.model_dump()) for row in score.breakdown],
        integrity=list(_pairs(known.get("integrity", []))),
        objectives={name: _cut(SignalDraft, value) for name, value in known.get("objectives", {}).items()},
        session_id=record.agent.session_id[:256] or None if record else None,
        date=record.date or None if record else None,
        task_id=record.task_id[:_LONGEST] or None if record else None,
        commit=record.commit[:_LONGEST] or None if record else None,
    )


def _pairs(stored: list[dict[str, Any]]) -> Iterator[IntegrityDraft]:
    for pair in stored:
        sides = {side: _cut(SignalDraft, pair[side]) for side in ("claimed", "observed")}
        yield IntegrityDraft(signal=pair["signal"], role=pair["role"], **sides)


def _cut(noun: Any, fields: dict[str, Any]) -> Any:
    return noun(**{**fields, "detail": str(fields.get("detail", ""))[:_LONGEST]})
