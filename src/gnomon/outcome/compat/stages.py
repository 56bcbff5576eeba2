"""Steps of the walk by themselves, as the original takes them."""

from collections.abc import Sequence
from pathlib import Path

from gnomon.outcome.compat.git import TRUNK, CompatGit
from gnomon.outcome.compat.transcripts import CompatScan
from gnomon.outcome.compat.windows import compat_windows
from gnomon.outcome.gitfacts import Repository
from gnomon.outcome.record import IterationRecord
from gnomon.outcome.signals import BackfillSignals, GitSignals, IterationObjectives
from gnomon.outcome.transcripts import NO_WINDOW
from gnomon.outcome.windows import IterationWindow


def git_signals(record: IterationRecord, repo_dir: str | Path, trunk: str | None) -> GitSignals:
    return CompatGit(Repository(Path(repo_dir)), [record], trunk or TRUNK).signals(record)


def windows(records: Sequence[IterationRecord], repo_dir: str | Path) -> dict[int, IterationWindow | str]:
    known = _windows(records, repo_dir)
    return {record.iteration: known.get(record.iteration, NO_WINDOW) for record in records}


def backfill(
    records: Sequence[IterationRecord], repo_dir: str | Path, transcript_dirs: Sequence[str | Path]
) -> list[BackfillSignals]:
    known = _windows(records, repo_dir)
    scan = CompatScan(transcript_dirs if known else ())
    return [scan.backfill(record, known.get(record.iteration)) for record in records]


def objectives(window: IterationWindow | str | None, transcript_dirs: Sequence[str | Path]) -> IterationObjectives:
    known = window if isinstance(window, IterationWindow) else None
    return CompatScan(transcript_dirs, strict=False).objectives(known)


def _windows(records: Sequence[IterationRecord], repo_dir: str | Path) -> dict[int, IterationWindow]:
    if not records:
        return {}
    repository = Repository(Path(repo_dir))
    named = [record.commit.strip() for record in records]
    resolved = dict(zip(named, repository.resolve(named), strict=True))
    times = repository.times([sha for sha in dict.fromkeys(resolved.values()) if sha])
    return compat_windows(records, lambda record: times.get(resolved.get(record.commit.strip()) or ""))
