"""The whole walk: log, git, transcripts and sidecars in; explained scores, sessions and diagnostics out.

Every source is read once for all iterations. Scoring a single one reads the log (its neighbours say where it
begins and ends) and of the rest only what that one needs.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from gnomon.agentlogs import Timeline, WindowFacts, session_files, timeline
from gnomon.collector import collector_paused
from gnomon.errors import GnomonError, NotFound, Refused
from gnomon.model.iterationfacts import RulesFile
from gnomon.model.outcome import DEFAULT_PROFILE, OutcomeScore, Profile, SessionScore, SignalValue, absent_signal
from gnomon.model.yamltree import BadYaml
from gnomon.outcome.artefacts import Artefacts
from gnomon.outcome.ciresults import CiResults
from gnomon.outcome.claims import extract_iterlog_signals
from gnomon.outcome.compat.reading import COMPAT
from gnomon.outcome.compat.walk import CompatWalk
from gnomon.outcome.diagnostics import Diagnostic
from gnomon.outcome.evidence import digest, file_digests
from gnomon.outcome.fates import EarlierWork, WorkFate, earlier_work, work_fates
from gnomon.outcome.fromgit import iterations_from, record_of, title
from gnomon.outcome.gitfacts import History, read_history
from gnomon.outcome.gitrun import GitFailed
from gnomon.outcome.hooks import hook_path, read_hook_records
from gnomon.outcome.iterlog import IterationLog, load_log
from gnomon.outcome.labels import labels_path, read_labels
from gnomon.outcome.landing import GnomonGit
from gnomon.outcome.moments import epoch_seconds, moment_of
from gnomon.outcome.oddities import oddities
from gnomon.outcome.ownsignals import own_signals_path
from gnomon.outcome.plans import in_scope
from gnomon.outcome.profilesettings import repository_settings
from gnomon.outcome.pullrequests import PullRequestFile
from gnomon.outcome.record import IterationRecord
from gnomon.outcome.rubric import Rubric
from gnomon.outcome.rulesfiles import at_commits
from gnomon.outcome.sessions import aggregate_sessions
from gnomon.outcome.signals import SignalSet, assemble_signal_set
from gnomon.outcome.stages import NO_REPOSITORY
from gnomon.outcome.transcripts import GnomonScan
from gnomon.outcome.walk import ScoredIteration, ScorePlan, Walk, step
from gnomon.outcome.whoandwhat import CommitEvidence, facts_of
from gnomon.outcome.windows import IterationWindow, gnomon_windows
from gnomon.shorten import counted

OnProgress = Callable[[int, int], None]
NO_LOG = ".git/no-iteration-log"
"""Where no log can be: a log of the repository says nothing of its plain history, whose numbers are others."""
_NO_SIDECAR = absent_signal("plain history has no sidecars")


@dataclass(frozen=True, slots=True)
class OutcomeReport:
    rubric: Rubric
    profile: Profile
    iterations: tuple[ScoredIteration, ...]
    sessions: tuple[SessionScore, ...]
    diagnostics: tuple[Diagnostic, ...]
    fates: Mapping[int, WorkFate] = field(default_factory=dict)
    """Iteration → what became of its work, where the plan asks for it."""
    undone_before: tuple[EarlierWork, ...] = ()
    """What was undone of work from before `since`."""
    trunk: str = ""


@collector_paused()
def score_log(plan: ScorePlan, *, on_progress: OnProgress | None = None) -> OutcomeReport:
    """Score a log, or one iteration of it; that one's session is in the report where the plan asks for it."""
    rubric = plan.loaded_rubric()
    walk: Walk
    if plan.profile == COMPAT:
        log = load_log(plan.log, plan.profile, cache=plan.cache)
        needed = _needed(log, plan)
        walk = CompatWalk(plan, log, rubric)
    else:
        # Git reads its history while the log is parsed: each takes about as long.
        with ThreadPoolExecutor(max_workers=1) as beside:
            history = beside.submit(read_history, plan.repo, plan.trunk, plan.cache)
            log = load_log(plan.log, plan.profile, cache=plan.cache)
        needed = _needed(log, plan)
        walk = GnomonWalk(plan, log, rubric, history.result, needed, on_progress)
    scored = tuple(walk.scored(record) for record in needed)
    sessions: list[SessionScore] = []
    if plan.iteration is None or plan.with_session:
        sessions = aggregate_sessions(
            rubric, [iteration.record for iteration in scored], [iteration.score for iteration in scored]
        )
    selected = tuple(iteration for iteration in scored if plan.iteration in (None, iteration.iteration))
    report = OutcomeReport(rubric, plan.profile, selected, tuple(sessions), (*log.diagnostics, *walk.diagnostics))
    return _with_fates(report, walk, needed)


@collector_paused()
def score_history(plan: ScorePlan, *, on_progress: OnProgress | None = None) -> OutcomeReport:
    """Score a plain repository that has no log: each commit on the trunk's own line is an iteration."""
    rubric = plan.loaded_rubric()
    with step("read the history"):
        history = read_history(plan.repo, plan.trunk, plan.cache)
    if history.trunk is None:
        missing = f"branch {plan.trunk!r}" if plan.trunk else "origin/HEAD, main or master"
        empty = history.repository.empty
        words = "has no commits yet" if empty else f"has no {missing}; name the trunk with --trunk"
        raise Refused(f"{plan.repo} {words}")
    records, owned = iterations_from(history.commits, history.trunk.tips[0])
    if plan.since is not None:
        since = plan.since.timestamp()
        records = [record for record in records if (epoch_seconds(record.checkpoint_at) or 0) >= since]
    if plan.paths:
        records = _touching(records, owned, history, plan.paths)
    log = IterationLog(tuple(records))
    needed = _needed(log, plan)
    walk = GnomonWalk(plan, log, rubric, lambda: history, needed, on_progress, owned=owned)
    if plan.paths and not records:
        when = " in this time" if plan.since else ""
        words = f"no commit of {history.trunk.name}{when} touches {', '.join(plan.paths)}"
        walk.diagnostics.append(Diagnostic("git", "path", f"{words}; give --path from the repository's top"))
    scored = tuple(walk.scored(record) for record in needed)
    return _with_fates(OutcomeReport(rubric, plan.profile, scored, (), tuple(walk.diagnostics)), walk, needed)


@collector_paused()
def score_commits(plan: ScorePlan, shas: Sequence[str], *, on_progress: OnProgress | None = None) -> OutcomeReport:
    """Score these commits as one iteration of no log, the newest first: what a pull request would bring."""
    rubric = plan.loaded_rubric()
    with step("read the history"):
        history = read_history(plan.repo, plan.trunk, plan.cache)
    (newest,) = history.repository.log(shas[:1], without=history.repository.parents(shas[0]))
    record = record_of(1, newest)
    if len(shas) > 1:
        record = replace(record, impl=replace(record.impl, summary=f"{len(shas)} commits, last: {title(newest)}"))
    plan = replace(plan, log=plan.repo / NO_LOG)
    owned = {1: tuple(shas)}
    walk = GnomonWalk(plan, IterationLog((record,)), rubric, lambda: history, [record], on_progress, owned=owned)
    return OutcomeReport(rubric, plan.profile, (walk.scored(record),), (), tuple(walk.diagnostics))


def _with_fates(report: OutcomeReport, walk: Walk, records: Sequence[IterationRecord]) -> OutcomeReport:
    plan = walk.plan
    git = walk.git if isinstance(walk, GnomonWalk) else None
    if not plan.fates or git is None:
        return report
    fates = work_fates(git, records, authors=plan.authors)
    before = earlier_work(git, records, title) if plan.since else []
    return replace(report, fates=fates, undone_before=tuple(before), trunk=git.trunk.name if git.trunk else "")


def _touching(
    records: Sequence[IterationRecord], owned: dict[int, tuple[str, ...]], history: History, paths: Sequence[str]
) -> list[IterationRecord]:
    """The iterations with a commit that touches one of the paths. Their numbers stay those of the whole line."""
    kept = {commit.sha for commit in history.commits if any(in_scope(name, paths) for name in commit.files)}
    touching = [record for record in records if not kept.isdisjoint(owned[record.iteration])]
    for record in touching:
        own = owned[record.iteration]
        owned[record.iteration] = tuple(sha for index, sha in enumerate(own) if sha in kept or index == 0)
    return touching


def build_signal_sets(
    directory: str | Path,
    repo_dir: str | Path,
    *transcript_dirs: str | Path,
    profile: Profile = DEFAULT_PROFILE,
    rubric: Rubric | str | Path | None = None,
    trunk: str | None = None,
    as_of: datetime | None = None,
) -> list[SignalSet]:
    """Every iteration's signals, in the order of the log. A rubric of your own names the signals of its own."""
    plan = ScorePlan(Path(directory), Path(repo_dir), _paths(transcript_dirs), profile, rubric, trunk, as_of=as_of)
    return [iteration.signals for iteration in score_log(plan).iterations]


def score_iteration(
    directory: str | Path,
    repo_dir: str | Path,
    iteration: int,
    *transcript_dirs: str | Path,
    profile: Profile = DEFAULT_PROFILE,
    rubric: Rubric | str | Path | None = None,
    as_of: datetime | None = None,
) -> tuple[OutcomeScore, IterationRecord]:
    """The score of one iteration, and its record."""
    folders = _paths(transcript_dirs)
    plan = ScorePlan(Path(directory), Path(repo_dir), folders, profile, rubric, iteration=iteration, as_of=as_of)
    (scored,) = score_log(plan).iterations
    return scored.score, scored.record


def _paths(directories: Sequence[str | Path]) -> tuple[Path, ...]:
    return tuple(Path(directory) for directory in directories if str(directory))


def _needed(log: IterationLog, plan: ScorePlan) -> Sequence[IterationRecord]:
    """The iterations to score: all, or the one that is asked for, with the others of its session where it counts."""
    if plan.iteration is None:
        return log.records
    needed = [record for record in log.records if record.iteration == plan.iteration]
    if not needed:
        numbers = f"it has {counted(len(log.records), 'iteration')}" if log.records else "it has no iterations"
        raise NotFound(f"iter-{plan.iteration} is not in the log {plan.log}; {numbers}")
    session = needed[0].agent.session_id
    if plan.with_session and session:
        return [record for record in log.records if record.agent.session_id == session]
    return needed


class GnomonWalk(Walk):
    def __init__(
        self,
        plan: ScorePlan,
        log: IterationLog,
        rubric: Rubric,
        history: Callable[[], History],
        needed: Sequence[IterationRecord],
        on_progress: OnProgress | None = None,
        owned: Mapping[int, tuple[str, ...]] | None = None,
    ) -> None:
        super().__init__(plan, log, rubric)
        self.owned = owned
        self.only = None if plan.iteration is None else {record.iteration for record in needed}
        if owned is None:
            self._folders("log", [plan.log])
        self.diagnostics += oddities(log.records)
        self.git = self._git(history)
        self.windows = gnomon_windows(log.records, self.commit_time)
        self.pull_requests = PullRequestFile.read(plan.pull_requests) if plan.pull_requests else PullRequestFile()
        self.results = CiResults.under(self._folders("ci", plan.ci), self._ci_trouble)
        self.sessions = self._session_files()
        self.scan = GnomonScan(self._timeline(on_progress), len(self.sessions), self.results)
        self.diagnostics += self.git.diagnostics if self.git else []

    @cached_property
    def of_all(self) -> dict[str, Any]:
        """The inputs that all iterations share, made once."""
        trunk = self.git.trunk if self.git else None
        return {
            "rubric_version": self.rubric.version,
            "rubric_digest": self.rubric_digest,
            "profile": "gnomon",
            "trunk": {"name": trunk.name, "tips": list(trunk.tips)} if trunk else None,
            "as_of": moment_of(self.git.as_of) if self.git else None,
            "settings": self.git.settings.as_json() if self.git else None,
        }

    def commit_time(self, record: IterationRecord) -> int | None:
        return self.git.commit_time(record) if self.git else None

    def _git(self, history: Callable[[], History]) -> GnomonGit | None:
        plan = self.plan
        try:
            read = history()
            return GnomonGit(
                read, self.log.records, trunk=plan.trunk, only=self.only, owned=self.owned,
                settings=plan.settings or repository_settings(read.repository.top), bookkeeping=self._own_folder(read),
                as_of=None if plan.as_of is None else int(plan.as_of.timestamp()), paths=plan.paths,
            )  # fmt: skip
        except (Refused, GitFailed) as bad:
            words = bad.message if isinstance(bad, GnomonError) else str(bad)
            self.diagnostics.append(Diagnostic("git", "repository", f"{words}; landed and scope cannot be seen"))
            return None

    def _own_folder(self, history: History) -> list[str]:
        """The log's folder, wherever it lies in the repository: what stands there is bookkeeping."""
        log, top = Path(os.path.realpath(self.plan.log)), Path(os.path.realpath(history.repository.top))
        return [log.relative_to(top).as_posix()] if log != top and log.is_relative_to(top) else []

    def _session_files(self) -> list[Path]:
        folders = self._folders("transcripts", self.plan.transcripts)
        return session_files(folders, recursive=True, on_problem=self._transcript_trouble)

    def _folders(self, code: str, directories: Sequence[Path]) -> list[Path]:
        for directory in directories:
            if not directory.is_dir():
                self.diagnostics.append(Diagnostic(str(directory), code, "there is no such folder"))
        return [directory for directory in directories if directory.is_dir()]

    def _ci_trouble(self, where: str, words: str) -> None:
        self.diagnostics.append(Diagnostic(where, "ci", f"{words}; left out"))

    def _timeline(self, on_progress: OnProgress | None) -> Timeline | None:
        plan = self.plan
        windows = [window for n in self.only or () if not isinstance(window := self.windows[n], str)]
        if not self.sessions or (self.only is not None and not windows):
            return None
        roots = self.git.repository.worktrees() if self.git else []
        return timeline(
            self.sessions,
            roots=roots or [plan.repo],
            window=_around(windows),
            cache=plan.cache / "sessions" if plan.cache else None,
            runners=plan.runners,
            on_problem=self._transcript_trouble,
            on_progress=on_progress,
        )

    def _tell_bad_sidecars(self, n: int, hooks: SignalValue, label: SignalValue) -> None:
        """An absent signal may have no source, or one that cannot be read; the second is a diagnostic."""
        log = self.plan.log
        readers: list[tuple[Path, Callable[[], object]]] = []
        if not hooks.present:
            readers.append((hook_path(log, n), lambda: read_hook_records(hook_path(log, n))))
        if not label.present and self.rubric.signal("human_label"):
            readers.append((labels_path(log, n), lambda: read_labels(log, n)))
        for path, read in readers:
            try:
                read()
            except FileNotFoundError:
                continue
            except (OSError, BadYaml) as bad:
                words = (bad.strerror or str(bad)) if isinstance(bad, OSError) else str(bad)
                self.diagnostics.append(Diagnostic(path.name, "sidecar", f"{words}; its signal is absent"))

    def _transcript_trouble(self, problem: str) -> None:
        where, _, words = problem.partition(": ")
        self.diagnostics.append(Diagnostic(where, "transcript", words or problem))

    def scored(self, record: IterationRecord) -> ScoredIteration:
        if self.owned is None:
            hooks, label, more = self.sidecar_signals(record.iteration)
            self._tell_bad_sidecars(record.iteration, hooks, label)
        else:
            hooks, label, more = _NO_SIDECAR, _NO_SIDECAR, dict[str, SignalValue]()
        artefacts = Artefacts(self.plan.repo, "gnomon")
        window = self.windows[record.iteration]
        facts = self.scan.facts(record, window)
        commits = self.git.owned[record.iteration].commits if self.git else ()
        signals = assemble_signal_set(
            record,
            extract_iterlog_signals(record, profile="gnomon", artefacts=artefacts),
            self.git.signals(record) if self.git else NO_REPOSITORY,
            self.scan.backfill(record, facts, commits),
            self.scan.objectives(window, facts),
            hooks,
            label,
            profile="gnomon",
            more=more,
        )
        score = self.rubric.score(signals)
        known = facts_of(record, facts if isinstance(facts, WindowFacts) else None, self._commit_evidence(record))
        return ScoredIteration(record, score, signals, self._inputs(record, artefacts, facts, commits), known)

    def _commit_evidence(self, record: IterationRecord) -> CommitEvidence:
        if self.git is None:
            return CommitEvidence(pull_requests=self.pull_requests)
        commits, merges = self.git.commits_of(record)
        rules = self.rules.get(commits[0].sha) if commits else None
        return CommitEvidence(commits, merges, rules, self.pull_requests)

    @cached_property
    def rules(self) -> dict[str, tuple[RulesFile, ...]]:
        """The rules files at the newest commit of each iteration that is scored and did not record them."""
        if self.git is None:
            return {}
        chosen = [record for record in self.log.records if self.only is None or record.iteration in self.only]
        unknown = [record for record in chosen if record.recorded is None or record.recorded.rules_files is None]
        owned = (self.git.owned[record.iteration].commits for record in unknown)
        return at_commits(self.git.repository, list(dict.fromkeys(commits[0] for commits in owned if commits)))

    def _inputs(
        self, record: IterationRecord, artefacts: Artefacts, facts: WindowFacts | str, commits: Sequence[str]
    ) -> dict[str, Any]:
        log, n = self.plan.log, record.iteration
        beside = [hook_path(log, n), labels_path(log, n), own_signals_path(log, n)]
        files = file_digests([self.log.read[n], *beside] if n in self.log.read else [])
        files |= {name: digest(data) for name, data in artefacts.read.items()}
        files |= {f"ci: {name}": file_digest for name, file_digest in self.results.digests(commits).items()}
        declared = self.git.scopes.get(n) if self.git else None
        return {
            **self.of_all,
            "commits": list(commits),
            "commits_how": self.git.owned[n].how or self.git.owned[n].why_none if self.git else "no repository",
            "open_work": self.git.open_work(record) if self.git else [],
            "scope": {"of": declared.where, "entries": list(declared.scope)} if declared else None,
            "files": dict(sorted(files.items())),
            "transcripts": _shown_facts(facts),
        }


def _around(windows: Sequence[IterationWindow]) -> tuple[int | None, int] | None:
    """The stretch of time that holds all windows; None without any."""
    if not windows:
        return None
    starts = [window.start for window in windows if window.start is not None]
    return min(starts) if len(starts) == len(windows) else None, max(window.end for window in windows)


def _shown_facts(facts: WindowFacts | str) -> dict[str, Any]:
    if isinstance(facts, str):
        return {"covered": False, "why": facts}
    usage = facts.usage
    return {
        "covered": True,
        "sessions": sorted(facts.sessions),
        "turns": facts.turns,
        "tokens": [usage.input, usage.output, usage.cache_read, usage.cache_creation],
        "tool_calls": facts.tool_calls,
        "tool_errors": facts.tool_errors,
        "test_runs": [sum(run.passed is passed for run in facts.test_runs) for passed in (True, False, None)],
    }
