"""A coding agent's log scored on this machine: written beside the log, shown, and made ready for a server.

The sidecar is the durable record. What a server keeps is made from sidecars, and can be made from them again.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from gnomon.atomicfile import write_atomically
from gnomon.errors import Conflict, GnomonError, InvalidInput, NotFound, Refused
from gnomon.model.fields import NAME_LIMIT
from gnomon.model.iterationfacts import RulesFile
from gnomon.model.outcome import (
    BAND_PROVISIONAL,
    DEFAULT_PROFILE,
    MAX_RULES_FILES,
    ContributionDraft,
    Honesty,
    IntegrityDraft,
    IntegrityObservation,
    IterationDraft,
    IterationsAccepted,
    OutcomeScore,
    SessionIterRef,
    SessionScore,
    SignalDraft,
    observed_signals,
)
from gnomon.outcome.diagnostics import Diagnostic
from gnomon.outcome.evidence import evidence_path, read_evidence, stale_reasons, write_evidence
from gnomon.outcome.fromgit import entry_text
from gnomon.outcome.gitfacts import Repository
from gnomon.outcome.hooks import newest_iteration
from gnomon.outcome.integrity import honesty
from gnomon.outcome.iterlog import DEFAULT_LOG, load_log
from gnomon.outcome.pipeline import OnProgress, OutcomeReport, score_log
from gnomon.outcome.record import IterationRecord
from gnomon.outcome.rubric import Rubric, profile_of_version
from gnomon.outcome.sidecar import (
    iteration_score_path,
    read_iteration_score,
    session_score_path,
    write_iteration_score_with_record,
    write_session_score,
    written_in_order,
)
from gnomon.outcome.signals import plain_mean
from gnomon.outcome.walk import ScoredIteration, ScorePlan
from gnomon.stats.describe import round_shown
from gnomon.stats.ends import Interval
from gnomon.stats.interval import interval_over

BATCH = 500
_LONGEST = 4000


@dataclass(frozen=True, slots=True)
class ScoredLog:
    report: OutcomeReport
    written: bool


# ── where things are ────────────────────────────────────────────────────────────────────────────────────────────


def repository_around(*paths: Path | None) -> Path:
    """The top folder of the repository around the first of these paths that is in one; else the first path."""
    folders = [path for path in paths if path is not None]
    for folder in folders:
        try:
            return Repository(folder).top
        except Refused:
            continue
    return folders[0]


def work_trees_around(top: Path) -> list[Path]:
    """Every folder in which the repository is checked out, this one first."""
    try:
        return list(dict.fromkeys([top, *Repository(top).worktrees()]))
    except Refused:
        return [top]


def source_name(top: Path) -> str:
    """What to call a repository: its remote's name, else its folder's."""
    try:
        return Repository(top).remote_name() or top.name
    except Refused:
        return top.name


def web_address(top: Path) -> str | None:
    """Where a repository is on the web, as far as its remote says."""
    try:
        return Repository(top).web_address()
    except Refused:
        return None


def log_around(folder: Path, top: Path | None = None) -> Path:
    """The log of a folder, else that of the repository around it (whose top may be known already)."""
    own = folder / DEFAULT_LOG
    return own if own.is_dir() else (top or repository_around(folder)) / DEFAULT_LOG


# ── scoring ─────────────────────────────────────────────────────────────────────────────────────────────────────


def score(plan: ScorePlan, now: datetime, *, write: bool, on_progress: OnProgress | None = None) -> ScoredLog:
    """Score the log; with `write` also put each score and its evidence beside its entry, and each session.

    The session of a single iteration is written too, as scoring the whole log would write it: its other iterations
    count as they are worth now, and where the file of one says otherwise, that is told.
    """
    report = _report(replace(plan, with_session=write), on_progress)
    if write:
        try:
            _write(plan.log, report, now)
        except Refused as bad:
            raise Refused(_not_all(bad), written=bad.written) from None
        report = replace(report, diagnostics=(*report.diagnostics, *_outdated(plan.log, report)))
    return ScoredLog(report, written=write)


def _not_all(bad: Refused) -> str:
    count = len(bad.written)
    before = f"{count} {'file was' if count == 1 else 'files were'} written before it; " if count else ""
    return f"{bad.message}; {before}--no-write shows the scores and writes nothing"


def _outdated(log: Path, report: OutcomeReport) -> Iterator[Diagnostic]:
    """Sessions that count an iteration otherwise than the iteration's own file does, which was not written now."""
    written = {iteration.iteration for iteration in report.iterations}
    for session in report.sessions:
        for ref in session.per_iteration:
            stored = None if ref.iteration in written else _stored(log, ref.iteration)
            if stored and not _says(stored, session.rubric_version, ref):
                file = iteration_score_path(log, ref.iteration).name
                words = (
                    f"iteration {ref.iteration} counts as it is worth now, {_worth(ref)}; "
                    f"{file} says {_worth(stored)} by {stored.rubric_version}; "
                    "`gnomon outcome score` writes all of them anew"
                )
                yield Diagnostic(session_score_path(log, session.session_id).name, "stale", words)


def _stored(log: Path, iteration: int) -> OutcomeScore | None:
    """A written score; None when there is none that can be read."""
    try:
        return read_iteration_score(iteration_score_path(log, iteration))
    except GnomonError:
        return None


def _says(stored: OutcomeScore, rubric_version: str, ref: SessionIterRef) -> bool:
    same = (stored.rubric_version, stored.scored, stored.band) == (rubric_version, ref.scored, ref.band)
    return same and math.isclose(stored.value, ref.value, abs_tol=1e-9)


def _worth(score: OutcomeScore | SessionIterRef) -> str:
    return f"{score.value:.3f}" if score.scored else "no score"


def _report(plan: ScorePlan, on_progress: OnProgress | None) -> OutcomeReport:
    try:
        return score_log(plan, on_progress=on_progress)
    except NotFound:
        # An entry that cannot be read is not in the log either; that it is there, and why, is the better answer.
        name = f"iter-{plan.iteration}.yaml"
        for diagnostic in load_log(plan.log, plan.profile).diagnostics:
            if diagnostic.where == name:
                raise Refused(f"{name} cannot be scored: {diagnostic.message}") from None
        raise


def _write(log: Path, report: OutcomeReport, now: datetime) -> None:
    written_in_order(_writes(log, report, now))


def _writes(log: Path, report: OutcomeReport, now: datetime) -> Iterator[Path]:
    for iteration in report.iterations:
        yield write_iteration_score_with_record(log, iteration.score, iteration.record)
        yield write_evidence(log, iteration.evidence(now))
    for session in report.sessions:
        yield write_session_score(log, session)


def write_history(folder: Path, report: OutcomeReport, now: datetime) -> None:
    """A plain history as a log of its own: an entry, a score and the evidence for each iteration."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as bad:
        raise Refused(f"cannot make the folder {folder}: {bad.strerror or bad}; give another with --out") from None
    if newest_iteration(folder) is not None:
        raise Conflict(f"{folder} holds iterations already; give another folder with --out")
    for iteration in report.iterations:
        write_atomically(folder / f"iter-{iteration.iteration}.yaml", entry_text(iteration.record))
    _write(folder, report, now)


def mean_of(values: Sequence[float]) -> Interval | None:
    """The interval of a mean; None for fewer than two values."""
    return interval_over([[value] for value in values]) if len(values) > 1 else None


def profile_of(report: OutcomeReport) -> Honesty:
    return honesty((iteration.signals.integrity for iteration in report.iterations), report.rubric.version)


# ── as JSON ─────────────────────────────────────────────────────────────────────────────────────────────────────


def json_parts(report: OutcomeReport) -> dict[str, Any]:
    """A report as JSON, with an iterator for its iterations: a long history would take many times its size."""
    return {
        "rubric_version": report.rubric.version,
        "profile": report.profile,
        "iterations": (iteration_json(iteration) for iteration in report.iterations),
        "mean": _headline_json(report),
        "sessions": sessions_json(report),
        "diagnostics": [diagnostic.as_json() for diagnostic in report.diagnostics],
    }


def as_json(report: OutcomeReport) -> dict[str, Any]:
    parts = json_parts(report)
    return {**parts, "iterations": list(parts["iterations"])}


def sessions_json(report: OutcomeReport) -> list[dict[str, Any]]:
    return [_session_json(session, report.rubric) for session in report.sessions]


def iteration_json(iteration: ScoredIteration) -> dict[str, Any]:
    score = iteration.score
    return {
        "iteration": score.iteration,
        "rubric_version": score.rubric_version,
        "scored": score.scored,
        "value": score.value if score.scored else None,
        "band": score.band,
        "coverage": score.coverage,
        "provisional": score.provisional,
        "why_provisional": score.why_provisional if score.scored else None,
        "observed": observed_signals(score.breakdown),
        "breakdown": [row.model_dump(mode="json") for row in score.breakdown],
        "integrity": [_pair_json(pair) for pair in iteration.signals.integrity],
        "objectives": {name: value.model_dump(mode="json") for name, value in iteration.objectives.items()},
        "date": iteration.record.date,
        "task_id": iteration.record.task_id,
        "session_id": iteration.record.agent.session_id,
        "commits": list(iteration.inputs.get("commits", [])),
        "facts": iteration.facts.as_json(),
    }


def _pair_json(pair: IntegrityObservation) -> dict[str, Any]:
    delta = pair.delta if pair.comparable else None
    return {**pair.model_dump(mode="json"), "comparable": pair.comparable, "delta": delta}


@dataclass(frozen=True, slots=True)
class Headline:
    """The mean that a report shows first, and the provisional scores, which are kept apart."""

    mean: float | None
    interval: Interval | None
    n: int
    provisional_mean: float | None
    n_provisional: int


def headline(scores: Iterable[OutcomeScore | SessionIterRef], rubric_version: str) -> Headline:
    """The mean of the scores that are a verdict, and that of the provisional ones. `compat` knows one mean only."""
    apart = profile_of_version(rubric_version) == DEFAULT_PROFILE
    scored = [score for score in scores if score.scored]
    firm = [score.value for score in scored if not (apart and score.provisional)]
    little = [score.value for score in scored if apart and score.provisional]
    return Headline(_mean(firm), mean_of(firm), len(firm), _mean(little), len(little))


def _mean(values: Sequence[float]) -> float | None:
    return plain_mean(values) if values else None


def _headline_json(report: OutcomeReport) -> dict[str, Any]:
    summary = headline([iteration.score for iteration in report.iterations], report.rubric.version)
    return {"value": summary.mean, "n_scored": summary.n + summary.n_provisional, **_sureness(summary)}


def _sureness(summary: Headline) -> dict[str, Any]:
    ends = None if summary.interval is None else [summary.interval.low, summary.interval.high]
    return {
        "confidence_interval_95": ends,
        "n_provisional": summary.n_provisional,
        "provisional_value": summary.provisional_mean,
    }


def _session_json(session: SessionScore, rubric: Rubric) -> dict[str, Any]:
    """The session as JSON: the mean of its verdicts with the interval, and no numbers where there is no score."""
    shown = session.model_dump(mode="json")
    summary = headline(session.per_iteration, session.rubric_version)
    refs = [{**ref, "value": ref["value"] if ref["scored"] else None} for ref in shown["per_iteration"]]
    band = (
        rubric.band(summary.mean) if summary.mean is not None else BAND_PROVISIONAL if session.scored else session.band
    )
    return {**shown, "value": summary.mean, "band": band, **_sureness(summary), "per_iteration": refs}


# ── one iteration, beside what was stored ───────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Shown:
    """A score as it is today, and what became of the one that was written: None when none was, or none can be read."""

    scored: ScoredIteration
    stored: OutcomeScore | None
    stale: list[str]
    diagnostics: tuple[Diagnostic, ...]


def shown(plan: ScorePlan, on_progress: OnProgress | None = None) -> Shown:
    report = _report(plan, on_progress)
    (iteration,) = report.iterations
    path = iteration_score_path(plan.log, iteration.iteration)
    if not path.exists():
        return Shown(iteration, None, [], report.diagnostics)
    try:
        stored = read_iteration_score(path)
    except GnomonError as bad:
        return Shown(iteration, None, [bad.message], report.diagnostics)
    return Shown(
        iteration,
        stored,
        stale_reasons(read_evidence(plan.log, iteration.iteration), iteration.inputs),
        report.diagnostics,
    )


def shown_json(result: Shown) -> dict[str, Any]:
    stored = None if result.stored is None else _side(result.stored)
    diagnostics = [diagnostic.as_json() for diagnostic in result.diagnostics]
    return {**iteration_json(result.scored), "stored": stored, "stale": result.stale, "diagnostics": diagnostics}


def _side(score: OutcomeScore) -> dict[str, Any]:
    return {
        "rubric_version": score.rubric_version,
        "scored": score.scored,
        "value": score.value if score.scored else None,
        "band": score.band,
        "coverage": score.coverage,
    }


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
    diagnostics: tuple[Diagnostic, ...]


def recomputed(before: OutcomeReport, after: OutcomeReport) -> Recomputed:
    known = {iteration.iteration: iteration.score for iteration in before.iterations}
    rows = [
        (known[iteration.iteration], iteration.score) for iteration in after.iterations if iteration.iteration in known
    ]
    deltas = [delta for old, new in rows if (delta := change(old, new)) is not None]
    # Differences lie in [−1, 1] and the interval of a mean in [0, 1]: there and back.
    scaled = mean_of([(delta + 1) / 2 for delta in deltas])
    return Recomputed(
        before_version=before.rubric.version,
        after_version=after.rubric.version,
        rows=rows,
        mean_delta=round_shown(math.fsum(deltas) / len(deltas)) if deltas else None,
        interval=None if scaled is None else (round_shown(2 * scaled.low - 1), round_shown(2 * scaled.high - 1)),
        changed_bands=sum(old.band != new.band for old, new in rows),
        diagnostics=after.diagnostics,
    )


def change(old: OutcomeScore, new: OutcomeScore) -> float | None:
    """How much more it is worth; None where one of the two is not a score. What floats leave behind is no change."""
    return round(new.value - old.value, 9) + 0.0 if old.scored and new.scored else None


def recomputed_json(result: Recomputed) -> dict[str, Any]:
    rows = [
        {"iteration": old.iteration, "before": _side(old), "after": _side(new), "delta": change(old, new)}
        for old, new in result.rows
    ]
    return {
        "before": result.before_version,
        "after": result.after_version,
        "iterations": rows,
        "mean_delta": result.mean_delta,
        "confidence_interval_95": result.interval,
        "changed_bands": result.changed_bands,
        "diagnostics": [diagnostic.as_json() for diagnostic in result.diagnostics],
    }


# ── for a server ────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Ready:
    """What to send, and the sidecars that cannot be sent."""

    iterations: list[IterationDraft]
    diagnostics: list[Diagnostic]


def from_sidecars(log: Path, labels: Sequence[str] = ()) -> Ready:
    """Everything that was scored and written, as a server takes it, with these labels."""
    records = {record.iteration: record for record in load_log(log, "gnomon").records}
    ready = Ready([], [])
    for path in sorted(log.glob("iter-*.score.yaml")) if log.is_dir() else []:
        try:
            iteration = _ready(log, path, records, ready.diagnostics)
            ready.iterations.append(iteration.model_copy(update={"labels": list(labels)}))
        except GnomonError as bad:
            ready.diagnostics.append(Diagnostic(path.name, "sidecar", f"{bad.message}; not sent"))
    if not ready.iterations:
        first = ready.diagnostics[0] if ready.diagnostics else None
        words = f"its scores cannot be sent ({first.where}: {first.message})" if first else "it has no scores to send"
        raise NotFound(f"{log}: {words}; `gnomon outcome score` writes them")
    ready.iterations.sort(key=lambda draft: draft.iteration)
    return ready


def _ready(
    log: Path, path: Path, records: Mapping[int, IterationRecord], diagnostics: list[Diagnostic]
) -> IterationDraft:
    score = read_iteration_score(path)
    if path != iteration_score_path(log, score.iteration):
        raise Refused(f"it holds the score of iteration {score.iteration}")
    record = records.get(score.iteration)
    plain = draft(score, record, None)
    if record is None:
        words = "no entry that can be read belongs to it; sent without session, date, task and commit"
        diagnostics.append(Diagnostic(path.name, "sidecar", words))
    try:
        return draft(score, record, read_evidence(log, score.iteration))
    except (InvalidInput, KeyError, TypeError, AttributeError):
        words = "it is not as `gnomon outcome score` writes it; sent without claims and ways of working"
        diagnostics.append(Diagnostic(evidence_path(log, score.iteration).name, "sidecar", words))
        return plain


def draft(score: OutcomeScore, record: IterationRecord | None, evidence: dict[str, Any] | None) -> IterationDraft:
    """A score with its entry and its evidence, as a server takes it. Refuses what no server takes."""
    more = _from_evidence(evidence, score.rubric_version, record)
    try:
        return IterationDraft(
            iteration=score.iteration,
            rubric_version=score.rubric_version,
            profile=profile_of_version(score.rubric_version),
            scored=score.scored,
            value=score.value if score.scored else None,
            band=score.band,
            breakdown=[_cut(ContributionDraft, row.model_dump()) for row in score.breakdown],
            session_id=record.agent.session_id[:NAME_LIMIT] or None if record else None,
            date=record.date[:_LONGEST] or None if record else None,
            task_id=record.task_id[:_LONGEST] or None if record else None,
            commit=record.commit[:_LONGEST] or None if record else None,
            **{**_who(record, None), **more},
        )
    except InvalidInput as bad:
        first = bad.problems[0]
        raise Refused(f"{first.field}: {first.message}") from None


def _from_evidence(
    evidence: dict[str, Any] | None, rubric_version: str, record: IterationRecord | None
) -> dict[str, Any]:
    """What the evidence adds to a score; nothing when it belongs to another one."""
    if evidence is None or evidence.get("rubric_version") != rubric_version:
        return {}
    return {
        "integrity": [_pair(pair) for pair in evidence.get("integrity", [])],
        "objectives": {name: _cut(SignalDraft, value) for name, value in evidence.get("objectives", {}).items()},
        **_who(record, evidence.get("facts")),
    }


def _who(record: IterationRecord | None, facts: dict[str, Any] | None) -> dict[str, Any]:
    """Agent, model and rules files: as scoring found them out, else as the entry says."""
    known: dict[str, Any] = {
        "agent": record.agent.harness if record else "",
        "model": record.agent.model if record else "",
        "rules_files": None,
    }
    known |= {name: facts[name] for name in known if facts and facts.get(name) is not None}
    rules = known["rules_files"]
    return {
        "agent": known["agent"][:NAME_LIMIT] or None,
        "model": known["model"][:NAME_LIMIT] or None,
        "rules_files": None if rules is None else [RulesFile(**file).name for file in rules][:MAX_RULES_FILES],
    }


def _pair(stored: dict[str, Any]) -> IntegrityDraft:
    sides = {side: _cut(SignalDraft, stored[side]) for side in ("claimed", "observed")}
    return IntegrityDraft(signal=stored["signal"], role=stored["role"], **sides)


def _cut(noun: Any, fields: dict[str, Any]) -> Any:
    return noun(**{**fields, "detail": str(fields.get("detail", ""))[:_LONGEST]})


@dataclass(frozen=True, slots=True)
class Sent:
    accepted: IterationsAccepted
    diagnostics: list[Diagnostic]


Push = Callable[[list[IterationDraft]], IterationsAccepted]


def send(ready: Ready, push: Push, on_progress: OnProgress) -> Sent:
    """Send in batches. What a server refuses is reported, and the rest of the batch is sent without it."""
    answers: list[IterationsAccepted] = []
    diagnostics = list(ready.diagnostics)
    for start in range(0, len(ready.iterations), BATCH):
        batch = ready.iterations[start : start + BATCH]
        answers += _sent(batch, push, diagnostics)
        on_progress(start + len(batch), len(ready.iterations))
    if not answers:
        raise Refused(f"no iteration could be sent: {diagnostics[-1].where}: {diagnostics[-1].message}")
    total = {name: sum(getattr(answer, name) for answer in answers) for name in IterationsAccepted.model_fields}
    return Sent(IterationsAccepted(**total), diagnostics)


def _sent(batch: list[IterationDraft], push: Push, diagnostics: list[Diagnostic]) -> Iterator[IterationsAccepted]:
    try:
        yield push(batch)
    except GnomonError as bad:
        refused = {problem.index: problem for problem in bad.problems if problem.index is not None}
        if not refused:
            raise
        for index, problem in sorted(refused.items()):
            where = iteration_score_path("", batch[index].iteration).name
            diagnostics.append(Diagnostic(where, "sidecar", f"{problem.field}: {problem.message}; not sent"))
        rest = [draft for index, draft in enumerate(batch) if index not in refused]
        if rest:
            yield push(rest)
