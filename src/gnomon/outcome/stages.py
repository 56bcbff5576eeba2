"""The stages that ask git and session files, each to be called by itself. `score_log` runs the same parts.

Every stage takes the profile that it reads by. With `gnomon` what cannot be read is absent, and `score_log` tells
why in its diagnostics; with `compat` it is refused, as in the original.
"""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from gnomon.agentlogs import session_files, timeline
from gnomon.errors import InvalidInput, Refused
from gnomon.model.outcome import DEFAULT_PROFILE, Profile, absent_signal
from gnomon.outcome.ciresults import CiResults
from gnomon.outcome.compat import stages as compat
from gnomon.outcome.compat.reading import COMPAT
from gnomon.outcome.gitfacts import Repository, read_history
from gnomon.outcome.gitrun import GitFailed
from gnomon.outcome.landing import GnomonGit
from gnomon.outcome.profilesettings import repository_settings
from gnomon.outcome.record import IterationRecord
from gnomon.outcome.signals import BackfillSignals, GitSignals, IterationObjectives
from gnomon.outcome.transcripts import NO_WINDOW, GnomonScan
from gnomon.outcome.windows import IterationWindow, gnomon_windows

_NOT_READ = absent_signal("no git repository was read")
NO_REPOSITORY = GitSignals(_NOT_READ, _NOT_READ)


def extract_git_signals(
    record: IterationRecord,
    repo_dir: str | Path,
    *,
    records: Sequence[IterationRecord] = (),
    profile: Profile = DEFAULT_PROFILE,
    trunk: str | None = None,
    as_of: datetime | None = None,
) -> GitSignals:
    """Whether one iteration landed, and whether it kept to its files.

    `records` is the log that it belongs to: the others say where its work begins. Without them, only the recorded
    commit is its work. `as_of` is the moment at which open work is looked at: the last commit's unless given.
    """
    if profile == COMPAT:
        return compat.git_signals(record, repo_dir, trunk)
    if records and record not in records:
        words = f"iteration {record.iteration} is not one of the {len(records)} records; give the log that it is from"
        raise InvalidInput.of("records", words)
    git = _git(records or [record], repo_dir, only={record.iteration}, trunk=trunk, as_of=as_of)
    return git.signals(record) if git else NO_REPOSITORY


def iteration_windows(
    records: Sequence[IterationRecord], repo_dir: str | Path, *, profile: Profile = DEFAULT_PROFILE
) -> dict[int, IterationWindow | str]:
    """The time of each iteration of a log, or why it is not known."""
    if profile == COMPAT:
        return compat.windows(records, repo_dir)
    git = _git(records, repo_dir, only=set())
    return gnomon_windows(records, git.commit_time if git else lambda record: None)


def backfill_iterations(
    records: Sequence[IterationRecord],
    repo_dir: str | Path,
    *transcript_dirs: str | Path,
    profile: Profile = DEFAULT_PROFILE,
) -> list[BackfillSignals]:
    """What session files say of tokens, tool errors and tests, for all records of a log in their order."""
    if profile == COMPAT:
        return compat.backfill(records, repo_dir, transcript_dirs)
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
    if profile == COMPAT:
        return compat.objectives(window, transcript_dirs)
    scan = _scan(transcript_dirs, repo_dir)
    within = NO_WINDOW if window is None else window
    return scan.objectives(within, scan.facts(record, within))


def _git(
    records: Sequence[IterationRecord],
    repo_dir: str | Path,
    only: set[int],
    trunk: str | None = None,
    as_of: datetime | None = None,
) -> GnomonGit | None:
    """What git knows of a log, prepared for some of its iterations; None where there is no repository."""
    seconds = None if as_of is None else int(as_of.timestamp())
    try:
        history = read_history(Path(repo_dir), trunk, None)
        settings = repository_settings(history.repository.top)
        return GnomonGit(history, records, trunk=trunk, only=only, settings=settings, as_of=seconds)
    except (Refused, GitFailed):
        return None


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
