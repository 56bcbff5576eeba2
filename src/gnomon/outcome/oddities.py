"""Oddities of a readable log: each is reported once, and the log is scored nevertheless."""

from collections.abc import Sequence

from gnomon.outcome.claims import scope_claim
from gnomon.outcome.diagnostics import Diagnostic
from gnomon.outcome.moments import epoch_micros
from gnomon.outcome.record import IterationRecord


def oddities(records: Sequence[IterationRecord]) -> list[Diagnostic]:
    return [*_commits(records), *_notes(records)]


def _commits(records: Sequence[IterationRecord]) -> list[Diagnostic]:
    diagnostics = []
    without = [record.iteration for record in records if not record.commit.strip()]
    if without:
        diagnostics.append(Diagnostic("log", "commit", f"no commit is recorded in {listed(without)}"))
    sharing: dict[str, list[int]] = {}
    for record in records:
        if record.commit.strip():
            sharing.setdefault(record.commit.strip(), []).append(record.iteration)
    for commit, numbers in sharing.items():
        if len(numbers) > 1:
            shown = commit[:12]
            diagnostics.append(Diagnostic("log", "commit", f"{listed(numbers)} share the commit {shown}"))
    return diagnostics


def _notes(records: Sequence[IterationRecord]) -> list[Diagnostic]:
    diagnostics = []
    prose = [
        record.iteration
        for record in records
        if record.impl.scope_note.strip() and not scope_claim(record.impl.scope_note).present
    ]
    if prose:
        words = f"scope_note is free text in {listed(prose)}; write on-target, partial or scope-breach"
        diagnostics.append(Diagnostic("log", "scope_note", words))
    for record in records:
        where = f"iter-{record.iteration}"
        diagnostics += [Diagnostic(where, "field", note) for note in record.notes]
        if min([record.impl.retries, *(verifier.retries for verifier in record.verifiers)]) < 0:
            diagnostics.append(Diagnostic(where, "retries", "retries are below 0; read as not written down"))
        if record.checkpoint_at and epoch_micros(record.checkpoint_at) is None:
            words = f"checkpoint_at {record.checkpoint_at[:40]!r} is not a time such as 2026-05-17T03:50:55Z; not used"
            diagnostics.append(Diagnostic(where, "checkpoint_at", words))
    return diagnostics


def listed(numbers: Sequence[int]) -> str:
    """iterations 1 to 4, 7 and 9: runs of numbers as runs."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    words = [str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs]
    kept = [*words[:8], f"{len(words) - 8} more"] if len(words) > 9 else words
    joined = kept[0] if len(kept) == 1 else f"{', '.join(kept[:-1])} and {kept[-1]}"
    return f"iteration{'s' if len(numbers) > 1 else ''} {joined}"
