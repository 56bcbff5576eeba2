"""The stages that ask git and session files, each to be called by itself. `score_log` runs the same parts.

Every stage takes the profile that it reads by. With `gnomon` what cannot be read is absent, and `score_log` tells
why in its diagnostics; with `compat` it is refused, as in the original.
"""

from collections.abc import Sequence
from pathlib import Path

from gnomon.agentlogs import session_files, timeline
from gnomon.errors import InvalidInput, Refused
from gnomon.model.outcome import DEFAULT_PROFILE, Profile, absent_signal
from gnomon.outcome.ciresults import CiResults
from gnomon.outcome.gitfacts import GitFailed, Repository, read_history
from gnomon.outcome.landing import CompatGit, GnomonGit
from gnomon.outcome.record import IterationRecord
from gnomon.outcome.signals import BackfillSignals, GitSignals, IterationObjectives
from gnomon.outcome.transcripts import NO_WINDOW, CompatScan, GnomonScan
from gnomon.outcome.windows import IterationWindow, compat_windows, gnomon_windows

_NOT_READ = absent_signal("no git repository was read")
NO_REPOSITORY = GitSignals(_NOT_READ, _NOT_READ)


def extract_git_signals(
    record: IterationRecord,
    repo_dir: str | Path,
    *,
    records: Sequence[IterationRecord] = (),
    profile: Profile = DEFAULT_PROFILE,
    trunk: str | None = None,
) -> GitSignals:
    """Whether one iteration landed, and whether it kept to its files.

    `records` is the log that it belongs to: the others say where its work begins. Without them, only the recorded
    commit is its work.
    """
    if profile == "compat":
        return CompatGit(Repository(Path(repo_dir)), [record], trunk or "master").signals(record)
    if records and record not in records:
        words = f"iteration {record.iteration} is not one of the {len(records)} records; give the log that it is from"
        raise InvalidInput.of("records", words)
    git = _git(records or [record], repo_dir, only={record.iteration}, trunk=trunk)
    return git.signals(record) if git else NO_REPOSITORY


def iteration_windows(
    records: Sequence[IterationRecord], repo_dir: str | Path, *, profile: Profile = DEFAULT_PROFILE
) -> dict[int, IterationWindow | str]:
    """The time of each iteration of a log, or why it is not known."""
    if profile == "compat":
        known = _compat_windows(records, repo_dir)
        return {record.iteration: known.get(record.iteration, NO_WINDOW) for record in records}
    git = _git(records, repo_dir, only=set())
    return gnomon_windows(records, git.commit_time if git else lambda record: None)


def backfill_iterations(
    records: Sequence[IterationRecord],
    repo_dir: str | Path,
    *transcript_dirs: str | Path,
    profile: Profile = DEFAULT_PROFILE,
) -> list[BackfillSignals]:
    """What session files say of tokens, tool errors and tests, for all records of a log in their order."""
    if profile == "compat":
        known = _compat_windows(records, repo_dir)
        compat = CompatScan(transcript_dirs if known else ())
        return [compat.backfill(record, known.get(record.iteration)) for record in records]
    windows, scan = iteration_windows(records, repo_dir), _scan(transcript_dirs, repo_dir)
    facts = [scan.facts(record, windows[record.iteration]) for record in records]
    return [scan.backfill(record, seen, commits=()) for record, seen in zip(records, facts, strict=True)]


def extract_iteration_objectives(
    record: IterationRecord,
    window: IterationWindow | str | None,
    *transcript_dirs: str | Path,
    repo_dir: str | Path | None = None,
    profile: Profile = DEFAULT_PROFILE,
) -> IterationObjectives:
    """The three facts about the way of working, within one window of `iteration_windows`.

    With `repo_dir`, sessions of other projects are left out. Files that cannot be read add nothing.
    """
    if profile == "compat":
        known = window if isinstance(window, IterationWindow) else None
        return CompatScan(transcript_dirs, strict=False).objectives(known)
    scan = _scan(transcript_dirs, repo_dir)
    within = NO_WINDOW if window is None else window
    return scan.objectives(within, scan.facts(record, within))


def _git(
    records: Sequence[IterationRecord], repo_dir: str | Path, only: set[int], trunk: str | None = None
) -> GnomonGit | None:
    """What git knows of a log, prepared for some of its iterations; None where there is no repository."""
    try:
        return GnomonGit(read_history(Path(repo_dir), trunk, None), records, trunk=trunk, only=only)
    except (Refused, GitFailed):
        return None


def _compat_windows(records: Sequence[IterationRecord], repo_dir: str | Path) -> dict[int, IterationWindow]:
    if not records:
        return {}
    repository = Repository(Path(repo_dir))
    named = [record.commit.strip() for record in records]
    resolved = dict(zip(named, repository.resolve(named), strict=True))
    times = repository.times([sha for sha in dict.fromkeys(resolved.values()) if sha])
    return compat_windows(records, lambda record: times.get(resolved.get(record.commit.strip()) or ""))


def _scan(transcript_dirs: Sequence[str | Path], repo_dir: str | Path | None) -> GnomonScan:
    folders = [Path(folder) for folder in transcript_dirs if str(folder) and Path(folder).is_dir()]
    files = session_files(folders, recursive=True, on_problem=_unheard)
    line = timeline(files, roots=_roots(repo_dir), on_problem=_unheard) if files else None
    return GnomonScan(line, len(files), CiResults(_unheard))


def _roots(repo_dir: str | Path | None) -> list[Path]:
    """Every folder of the project: sessions that were held elsewhere are another project's."""
    if repo_dir is None:
        return []
    try:
        return Repository(Path(repo_dir)).worktrees()
    except Refused:
        return [Path(repo_dir)]


def _unheard(*problem: str) -> None:
    """`score_log` tells what is wrong with a file; a stage goes on with what can be read."""
