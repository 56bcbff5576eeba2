"""Did the work reach the trunk and stay, and did it keep to its files?

`GnomonGit` finds the trunk, owns several commits, recognises squashed, rebased and reverted work, and reads scopes as
they were at the commit. It is prepared once for a whole log.
"""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from gnomon.model.outcome import SignalValue, absent_signal, present_signal
from gnomon.outcome.diagnostics import Diagnostic
from gnomon.outcome.gitfacts import HEX, Commit, History
from gnomon.outcome.graph import CommitGraph
from gnomon.outcome.moments import epoch_seconds
from gnomon.outcome.openwork import A_DAY, OpenBranch, OpenBranches
from gnomon.outcome.plans import (
    Declared,
    PlansAtCommits,
    in_scope,
    leaves_repository,
)
from gnomon.outcome.profilesettings import ProfileSettings
from gnomon.outcome.record import IterationRecord
from gnomon.outcome.reverts import Reverts, find_reverts
from gnomon.outcome.signals import GitSignals
from gnomon.shorten import counted, shorten

_PULL_REQUEST = re.compile(r"\s*\(#\d+\)$")
_LONGEST_RANGE = 100
_SQUASHED = "patch-id of the squashed branch"


def short(sha: str) -> str:
    return sha[:12]


@dataclass(frozen=True, slots=True)
class Owned:
    """The commits that are an iteration's work, the newest first, and how they were found."""

    commits: tuple[str, ...]
    how: str
    why_none: str = ""


@dataclass(slots=True)
class Fate:
    """What became of one commit: the commit on the trunk that carries it, and what undid it.

    `branch` is where it waits while it has not landed; `open` says that it may still land.
    """

    sha: str
    landed_as: str | None = None
    how: str = ""
    undone_by: str | None = None
    branch: OpenBranch | None = None
    open: bool = False
    withdrawn: bool = False
    """Undone by the merge that brought it: it never stood on the trunk."""
    worth: float = 0.0
    """1 where it stands, 0 where it does not, something between where it was superseded after a long time."""
    stood_days: int = 0


class GnomonGit:
    """`diagnostics` are filled on the way; `trunk` is None where none could be found.

    `as_of` is the moment, in seconds, at which open work is looked at: the last commit anywhere, unless it is given.
    """

    def __init__(
        self,
        history: History,
        records: Sequence[IterationRecord],
        *,
        trunk: str | None = None,
        only: set[int] | None = None,
        owned: Mapping[int, tuple[str, ...]] | None = None,
        settings: ProfileSettings | None = None,
        as_of: int | None = None,
        bookkeeping: Sequence[str] = (),
        paths: Sequence[str] = (),
    ) -> None:
        self.repository = repository = history.repository
        self.settings = settings or ProfileSettings()
        self.paths = paths
        self.bookkeeping = (*self.settings.bookkeeping, *bookkeeping)
        self.diagnostics: list[Diagnostic] = []
        self.trunk, on_trunk = history.trunk, history.commits
        if self.trunk is None:
            self._tell_no_trunk(trunk)
        elif self._cut_off:
            words = f"this is a shallow clone, with {counted(len(on_trunk), 'commit')} of {self.trunk.name}"
            self.diagnostics.append(Diagnostic("git", "shallow", f"{words}; git fetch --unshallow brings older work"))
        reached = {commit.sha for commit in on_trunk}
        self.resolved = self._resolve(records, reached)
        tips = self.trunk.tips if self.trunk else ()
        chosen = [record for record in records if only is None or record.iteration in only]
        # Where one of a branch's iterations is asked for, the others tell how far the branch went.
        strayed = any(sha not in reached for record in chosen if (sha := self.resolved[record.iteration]))
        named = dict.fromkeys(sha for sha in self.resolved.values() if sha and sha not in reached)
        self.branches = OpenBranches.read(repository, tips) if strayed and self.trunk else OpenBranches()
        beside = list(dict.fromkeys([*self.branches.tips_over(named), *named])) if strayed else []
        self.as_of = repository.newest_commit() if as_of is None else as_of
        self.graph = CommitGraph(on_trunk, repository.log(beside, without=tips) if beside else [])
        self.owned = self._owned(records, {record.iteration for record in chosen}) if owned is None else _as_told(owned)
        without_commits = [record for record in chosen if not self.owned[record.iteration].commits]
        self.squashes: dict[str, str] = {}
        self.reverts = Reverts()
        self.fates = self._fates(
            [sha for record in chosen for sha in self.owned[record.iteration].commits],
            also={sha for record in without_commits if (sha := self._became(record))},
        )
        unseen = {sha for sha in self.resolved.values() if sha and sha not in self.graph.known}
        self.times = repository.times(sorted(unseen)) | {sha: commit.time for sha, commit in self.graph.known.items()}
        self.scopes = self._scopes(chosen)
        self.brought = self._brought([self.owned[record.iteration].commits for record in chosen])

    # ── preparation ─────────────────────────────────────────────────────────────────────────────────────────

    def _tell_no_trunk(self, wanted: str | None) -> None:
        wanted = wanted or self.repository.line("config", "--get", "gnomon.trunk")
        words = f"no branch {wanted!r} exists" if wanted else "no trunk: neither origin/HEAD, main nor master exists"
        words = f"{words}; name the branch with --trunk"
        if self.repository.empty:
            words = "the repository has no commits"
        self.diagnostics.append(Diagnostic("git", "trunk", words))

    def _resolve(self, records: Sequence[IterationRecord], reached: set[str]) -> dict[int, str | None]:
        """Commits by their hex ids only: a branch name or HEAD would always have landed."""
        usable = {}
        for record in records:
            commit = record.commit.strip()
            if commit and not is_commit_id(commit):
                words = f"commit {clipped(commit)!r} is not a commit id (7 to 64 hex digits); read as none"
                self.diagnostics.append(Diagnostic(f"iter-{record.iteration}", "commit", words))
            elif commit:
                usable[record.iteration] = commit.lower()
        names = [name for name in dict.fromkeys(usable.values()) if name not in reached]
        resolved = dict(zip(names, self.repository.resolve(names), strict=True)) if names else {}
        resolved |= {name: name for name in usable.values() if name in reached}
        # A branch may be named like an id, and git would take the branch.
        own = {name: sha for name, sha in resolved.items() if sha and sha.startswith(name)}
        return {record.iteration: own.get(usable.get(record.iteration, "")) for record in records}

    @cached_property
    def _cut_off(self) -> frozenset[str]:
        return self.repository.cut_off()

    def _owned(self, records: Sequence[IterationRecord], chosen: set[int]) -> dict[int, Owned]:
        owned: dict[int, Owned] = {}
        before: IterationRecord | None = None
        for record in records:
            sha = self.resolved[record.iteration]
            if record.iteration in chosen:
                owned[record.iteration] = self._range(record, sha, before)
            if sha or epoch_seconds(record.checkpoint_at) is not None:
                before = record
        return owned

    def _range(self, record: IterationRecord, sha: str | None, before: IterationRecord | None) -> Owned:
        if sha is None:
            return Owned((), "", self._why_none(record.commit.strip()))
        if (own := self._recorded(record)) and sha in own:
            return Owned(own, "the recorded commit" if len(own) == 1 else f"the {len(own)} recorded commits")
        if before is None:
            return Owned((sha,), "the recorded commit")
        start, since = self.resolved[before.iteration], epoch_seconds(before.checkpoint_at)
        if start == sha:
            return Owned((sha,), f"the recorded commit, shared with iteration {before.iteration}")
        line = self._line(sha, start, since)
        if line is None:
            return Owned((sha,), f"the recorded commit alone; no line leads to it from iteration {before.iteration}")
        line = self._touching(line) or line
        task = record.task_id.strip()
        whole = re.compile(rf"(?<![\w-]){re.escape(task)}(?![\w-])")
        named = [commit for commit in line if task and whole.search(self.graph.known[commit].message)]
        if named and len(named) < len(line):
            return Owned(
                tuple(named), f"{len(named)} of {len(line)} commits since iteration {before.iteration}, naming {task}"
            )
        if len(line) == 1:
            return Owned(tuple(line), "the recorded commit")
        return Owned(tuple(line), f"{len(line)} commits since iteration {before.iteration}")

    def _recorded(self, record: IterationRecord) -> tuple[str, ...]:
        """The commits that were recorded when they were made, as far as they are still known."""
        shas = record.recorded.commits if record.recorded else ()
        known = tuple(sha for sha in shas if sha in self.graph.known)
        return tuple(self._touching(known) or known)

    def _touching(self, line: Sequence[str]) -> list[str]:
        """The commits that touch the part of the repository which is looked at; all of them without such a part."""
        known = self.graph.known
        return [sha for sha in line if not self.paths or any(in_scope(name, self.paths) for name in known[sha].files)]

    def _why_none(self, commit: str) -> str:
        if not commit:
            return "no commit recorded"
        if not is_commit_id(commit):
            return "what is recorded as the commit is not a commit id"
        return f"commit {short(commit)}: not in this {'shallow clone' if self._cut_off else 'repository'}"

    def _line(self, sha: str, start: str | None, since: int | None) -> list[str] | None:
        """The commits from `sha` back to the one before which the previous iteration ended."""
        line: list[str] = []
        current: str | None = sha
        while current is not None and len(line) <= _LONGEST_RANGE:
            commit = self.graph.known.get(current)
            if current == start or (commit and start is None and since is not None and commit.time <= since and line):
                return line
            if commit is None:
                return None
            line.append(current)
            current = commit.parents[0] if commit.parents else None
        return None

    # ── landed ──────────────────────────────────────────────────────────────────────────────────────────────

    def _fates(self, shas: Iterable[str], also: set[str]) -> dict[str, Fate]:
        fates = {sha: Fate(sha) for sha in shas}
        strayed = []
        for fate in fates.values():
            if fate.sha in self.graph.at:
                fate.landed_as, fate.how = fate.sha, "reachable"
            else:
                strayed.append(fate)
        if self.trunk and strayed:
            self._match_patches(strayed)
            self._match_subjects([fate for fate in strayed if fate.landed_as is None])
        shas_of_interest = also | {sha for fate in fates.values() for sha in (fate.sha, fate.landed_as) if sha}
        if self.trunk:
            after = self.settings.superseded_after_days * A_DAY
            self.reverts = find_reverts(
                self.graph, self.repository, shas_of_interest, self.squashes, self.branches, after
            )
        for fate in fates.values():
            # A squash carries what its branch took back as well: the branch itself tells.
            own = self.reverts.undone.get(fate.sha) if fate.how == _SQUASHED else None
            fate.undone_by = self.reverts.undone.get(fate.landed_as or "") or own
            self._weigh(fate)
        for fate in strayed if self.trunk else ():
            if fate.landed_as is None:
                self._look_on_branches(fate)
        return fates

    def _weigh(self, fate: Fate) -> None:
        """What landed work is worth: what was undone at once is worth nothing, what stood long was superseded."""
        if fate.landed_as is None or not fate.undone_by:
            fate.worth = 1.0 if fate.landed_as else 0.0
            return
        fate.withdrawn = self.graph.came_together(fate.landed_as, fate.undone_by)
        fate.stood_days, fate.worth = self._stood(fate.landed_as, fate.undone_by)

    def _stood(self, sha: str, by: str) -> tuple[int, float]:
        """How many days work stood before it was undone, and its value for that."""
        days = max(0, self.graph.known[by].time - self.graph.known[sha].time) / A_DAY
        superseded = days >= self.settings.superseded_after_days and not self.graph.came_together(sha, by)
        return int(days), self.settings.worth_after(days) if superseded else 0.0

    def _look_on_branches(self, fate: Fate) -> None:
        """Where work waits that has not landed, as itself or as what it was rewritten to."""
        commit = self.graph.known.get(fate.sha)
        held_sha = fate.sha if self.branches.holding(fate.sha) else None
        held_sha = held_sha or (self.branches.rewritten(commit.subject) if commit else None)
        fate.branch = self.branches.holding(held_sha) if held_sha else None
        fate.undone_by = self.reverts.undone.get(fate.sha)
        if fate.branch and not fate.undone_by:
            fate.how = "" if held_sha == fate.sha else f"rewritten as {short(held_sha)}" if held_sha else ""
            fate.open = fate.branch.days(self.as_of) < self.settings.abandoned_after_days

    def _match_patches(self, strayed: Sequence[Fate]) -> None:
        """Rebased and cherry-picked commits have the same patch; a squashed branch the patch of its whole line."""
        shas = [fate.sha for fate in strayed]
        alone = self._same_patch({sha: (None, self.graph.known[sha].files) for sha in shas if sha in self.graph.known})
        self.squashes = squashed = self._squashed(shas)
        for fate in strayed:
            if fate.sha in alone:
                fate.landed_as, fate.how = alone[fate.sha], "patch-id"
            elif fate.sha in squashed:
                fate.landed_as, fate.how = squashed[fate.sha], _SQUASHED

    def _squashed(self, shas: Sequence[str]) -> dict[str, str]:
        """Commit → the squash that carries its branch, up to it or up to a later iteration's commit."""
        heads = list(dict.fromkeys([*shas, *self._built_on(set(shas))]))
        forks = {sha: fork.sha for sha in heads if (fork := self.graph.fork(sha))}
        changed = self.repository.files_between(list(forks.items()))
        squashes = self._same_patch({sha: (forks[sha], files) for sha, files in changed.items()})
        carried: dict[str, str] = {}
        for head in (sha for sha in self.resolved.values() if sha in squashes):
            carried |= dict.fromkeys(self.graph.below([head], self.graph.at, carried), squashes[head])
        return carried | squashes

    def _built_on(self, shas: set[str]) -> list[str]:
        """The commits of iterations that were built on these."""
        above = set(shas)
        for commit in reversed(self.graph.side):
            if not above.isdisjoint(commit.parents):
                above.add(commit.sha)
        return [sha for sha in self.resolved.values() if sha in above]

    def _same_patch(self, wanted: Mapping[str, tuple[str | None, Sequence[str]]]) -> dict[str, str]:
        """Commit → the trunk's commit with the same patch, given against what and which files it changes."""
        wanted = {sha: (against, files) for sha, (against, files) in wanted.items() if files}
        candidates = self._with_files({frozenset(files) for _, files in wanted.values()})
        if not candidates:
            return {}
        on_trunk: dict[str, str] = {}
        for sha, patch in self.repository.patch_ids((sha, None) for sha in candidates).items():
            on_trunk.setdefault(patch, sha)
        patch_ids = self.repository.patch_ids((sha, against) for sha, (against, _) in wanted.items())
        return {sha: on_trunk[patch] for sha, patch in patch_ids.items() if patch in on_trunk}

    def _with_files(self, sets: set[frozenset[str]]) -> list[str]:
        """The commits of the trunk that change exactly one of these sets of files."""
        sizes = {len(files) for files in sets}
        return [c.sha for c in self.graph.trunk if len(c.files) in sizes and frozenset(c.files) in sets]

    def _match_subjects(self, strayed: Sequence[Fate]) -> None:
        for fate in strayed:
            commit = self.graph.known.get(fate.sha)
            fork = self.graph.fork(fate.sha)
            # What the branch was built on, and all before it, was there already.
            after = max(commit.time - A_DAY, fork.time + 1 if fork else 0) if commit else 0
            landed_as = self._by_subject(commit.subject, not_before=after) if commit else None
            if landed_as:
                fate.landed_as, fate.how = landed_as, "subject"

    def _by_subject(self, subject: str, *, not_before: int = 0) -> str | None:
        wanted = _plain_subject(subject)
        sha = self._subjects.get(wanted) if wanted else None
        return sha if sha and self.graph.known[sha].time >= not_before else None

    @cached_property
    def _subjects(self) -> dict[str, str]:
        subjects: dict[str, str] = {}
        for commit in self.graph.trunk:
            subjects.setdefault(_plain_subject(commit.subject), commit.sha)
        for commit in self.graph.trunk:  # a squashed branch lists what it was made of, a line each
            for line in commit.message.splitlines()[1:] if "* " in commit.message else []:
                if line.startswith("* "):
                    subjects.setdefault(_plain_subject(line[2:]), commit.sha)
        return subjects

    def commit_time(self, record: IterationRecord) -> int | None:
        return self.times.get(self.resolved[record.iteration] or "")

    def commits_of(self, record: IterationRecord) -> tuple[list[Commit], list[Commit]]:
        """An iteration's commits, the newest first, and those on the trunk that brought them."""
        known = self.graph.known
        owned = [sha for sha in self.owned[record.iteration].commits if sha in known]
        landed = [fate.landed_as for sha in owned if (fate := self.fates.get(sha)) and fate.landed_as]
        brought = dict.fromkeys(by for sha in landed for by in (sha, self.graph.landed_with(sha)) if by)
        return [known[sha] for sha in owned], [known[sha] for sha in brought if sha in known and sha not in owned]

    # ── the signals ─────────────────────────────────────────────────────────────────────────────────────────

    def signals(self, record: IterationRecord) -> GitSignals:
        return GitSignals(self.landed(record), self.scope(record))

    def landed(self, record: IterationRecord) -> SignalValue:
        if self.trunk is None:
            return absent_signal("no trunk was found to land on")
        owned = self.owned[record.iteration]
        if not owned.commits:
            return self._gone(record, owned)
        fates = [self.fates[sha] for sha in owned.commits]
        unseen = next((fate.sha for fate in fates if fate.landed_as is None), None) if self._cut_off else None
        if unseen:
            why = f"{short(unseen)} is not on {self.trunk.name} as far back as this shallow clone goes"
            return absent_signal(f"{why}; git fetch --unshallow")
        reverts = self.taking_back(fates)
        work = [fate for fate in fates if fate not in reverts]
        if not work:
            return absent_signal("; ".join([_only_reverts(reverts), owned.how]))
        return self._share(work, [_not_counted(reverts), owned.how] if reverts else [owned.how])

    def _share(self, work: Sequence[Fate], more: Sequence[str]) -> SignalValue:
        """How much of the work stands; `more` is appended to the words. What may still land has no vote."""
        waiting = [fate for fate in work if fate.open]
        if waiting:
            work = [fate for fate in work if not fate.open]
            why = self.waiting_words(waiting)
            if not work:
                return absent_signal("; ".join([why, *more]))
            more = [f"no vote: {why}", *more]
        # What a branch tried and dropped before it was merged is how it came about, unless nothing else came of it.
        work = [fate for fate in work if not fate.withdrawn] or work
        standing = [fate for fate in work if fate.worth]
        detailed = work
        words = []
        if len(work) > 1:
            words = [f"{len(standing)}/{len(work)} commits on {self.trunk.name if self.trunk else ''}"]
            detailed = [fate for fate in work if fate.undone_by or fate.how != "reachable"][:3]
        words += [self._fate_words(fate) for fate in detailed]
        return present_signal(sum(fate.worth for fate in work) / len(work), "; ".join([*words, *more]))

    def taking_back(self, fates: Sequence[Fate]) -> list[Fate]:
        """The commits of an iteration that take work back, and are no work themselves.

        What brings work back, a revert of a revert or the same patch once more, is work; unless the iteration itself
        took it away before.
        """
        own_shas = {sha for fate in fates for sha in _names(fate)}
        no_work, takes_back = self.reverts.commits, self.reverts.takes_back
        return [
            fate
            for fate in fates
            if any(sha in no_work or own_shas & takes_back.get(sha, set()) for sha in _names(fate))
        ]

    def _fate_words(self, fate: Fate) -> str:
        name = self.trunk.name if self.trunk else ""
        if fate.landed_as is None:
            return self._not_landed_words(fate, name)
        via = "" if fate.how == "reachable" else f" as {short(fate.landed_as)} by {fate.how}"
        if fate.undone_by:
            undone = _undone_words(fate.undone_by, fate.stood_days, fate.worth, fate.withdrawn)
            return f"{short(fate.sha)}{via} {undone}"
        return f"{short(fate.sha)} is reachable from {name}{via}"

    def _not_landed_words(self, fate: Fate, name: str) -> str:
        if fate.undone_by:
            where = f" on branch {fate.branch.name}" if fate.branch else ""
            return f"{short(fate.sha)} was taken back by {short(fate.undone_by)}{where}, before it landed"
        if fate.branch:
            days, after = fate.branch.days(self.as_of), self.settings.abandoned_after_days
            return f"{short(fate.sha)} was abandoned on branch {fate.branch.name} ({days} days, {after:g} are the most)"
        return f"{short(fate.sha)} is not reachable from {name}, by id, patch or subject, and is on no branch any more"

    def waiting_words(self, waiting: Sequence[Fate]) -> str:
        """Where work waits, and for how long; empty where none does."""
        if not waiting:
            return ""
        branch = max(fate.branch for fate in waiting if fate.branch)
        rewritten = next((f"; {short(fate.sha)} {fate.how}" for fate in waiting if fate.how), "")
        commits = f", {len(waiting)} commits" if len(waiting) > 1 else ""
        days = branch.days(self.as_of)
        age = f"{days} day{'' if days == 1 else 's'}"
        return f"not landed yet (branch {clipped(branch.name)}, {age}{commits}){rewritten}"

    def open_work(self, record: IterationRecord) -> list[dict[str, object]]:
        """The branches on which an iteration's work waits or waited, for the evidence."""
        fates = [self.fates[sha] for sha in self.owned[record.iteration].commits]
        branches = {fate.branch: fate.open for fate in fates if fate.branch}
        return [
            {"branch": branch.name, "tip": branch.tip, "last_commit": branch.time, "abandoned": not waits}
            for branch, waits in sorted(branches.items())
        ]

    def _gone(self, record: IterationRecord, owned: Owned) -> SignalValue:
        """The commit is not here: the summary may still be the subject of what it became."""
        sha = self._became(record)
        if sha is None:
            return absent_signal(owned.why_none)
        words = f"{owned.why_none}; message-matched {short(sha)}"
        if sha in self.reverts.commits:
            return absent_signal(f"{words}, a revert, which is no work that could land")
        by = self.reverts.undone.get(sha)
        if by is None:
            return present_signal(1.0, words)
        days, worth = self._stood(sha, by)
        return present_signal(worth, f"{words}, {_undone_words(by, days, worth, False).removeprefix('was ')}")

    def _became(self, record: IterationRecord) -> str | None:
        summary = record.impl.summary.strip()
        return self._by_subject(summary.splitlines()[0]) if summary and is_commit_id(record.commit.strip()) else None

    def _scopes(self, records: Sequence[IterationRecord]) -> dict[int, Declared]:
        keys = {
            record.iteration: (sha, record.wave.strip(), record.task_id.strip())
            for record in records
            if (sha := self.resolved[record.iteration]) and record.task_id.strip()
        }
        scopes = PlansAtCommits(self.repository, self.repository.top, self._bad_plan).find(keys.values())
        for key, declared in scopes.items():
            for entry in declared.scope:
                if leaves_repository(entry):
                    words = f"write_scope {entry!r} of task {key[2]} leaves the repository; it covers nothing"
                    self.diagnostics.append(Diagnostic(declared.where, "scope", words))
        return {iteration: scopes[key] for iteration, key in keys.items() if key in scopes}

    def _bad_plan(self, where: str, words: str) -> None:
        diagnostic = Diagnostic(where, "plan", f"{words}; it declares no scopes")
        if all(other.where != where or other.code != "plan" for other in self.diagnostics):
            self.diagnostics.append(diagnostic)

    def scope(self, record: IterationRecord) -> SignalValue:
        owned, declared = self.owned[record.iteration], self.scopes.get(record.iteration)
        if not owned.commits:
            return absent_signal(owned.why_none)
        if declared is None:
            return absent_signal(f"no write_scope declared for task {clipped(record.task_id.strip())!r}")
        if not self._cut_off.isdisjoint(owned.commits):
            return absent_signal("the shallow clone ends here, and what changed is not known; git fetch --unshallow")
        changed = self.changed_files(owned.commits)
        if not changed:
            return present_signal(1.0, f"no files changed ({owned.how})")
        inside = [name for name in changed if in_scope(name, declared.scope)]
        kept = set(inside)
        files = [name for name in changed if name in kept or not in_scope(name, self.bookkeeping)]
        left_out = len(changed) - len(files)
        if not files:
            return absent_signal(f"nothing but bookkeeping changed ({left_out} file{'' if left_out == 1 else 's'})")
        words = f"{len(inside)}/{len(files)} changed files in the scope of {declared.where}"
        words += f"; {left_out} of bookkeeping left out" if left_out else ""
        outside = next((name for name in files if name not in kept), None)
        return present_signal(len(inside) / len(files), words + (f"; outside: {_shown(outside)}" if outside else ""))

    def _brought(self, owned: Sequence[Sequence[str]]) -> dict[str, tuple[str, ...]]:
        """Merge → the files that it brought. Asked for where an iteration has nothing but merges."""
        merges = [
            [(sha, commit.parents[0]) for sha in shas if len((commit := self.graph.known[sha]).parents) > 1]
            for shas in owned
        ]
        whole = [pairs for pairs, shas in zip(merges, owned, strict=True) if len(pairs) == len(shas)]
        return self.repository.files_between(list(dict.fromkeys(pair for pairs in whole for pair in pairs)))

    def changed_files(self, shas: Sequence[str]) -> list[str]:
        """Every file that the commits touched, under its old and its new name. A merge stands for its branch."""
        return sorted({name for sha in shas for name in (self.brought.get(sha) or self.graph.known[sha].files)})


def _undone_words(by: str, days: int, worth: float, withdrawn: bool) -> str:
    if withdrawn:
        return f"was taken back by {short(by)} in the same merge, before it landed"
    return f"was superseded by {short(by)} after {days} days ({worth:.2f})" if worth else f"was reverted by {short(by)}"


def _names(fate: Fate) -> list[str]:
    return [fate.sha, fate.landed_as] if fate.landed_as else [fate.sha]


def _listed(fates: Sequence[Fate]) -> str:
    shown = ", ".join(short(fate.sha) for fate in fates[:3])
    return shown if len(fates) <= 3 else f"{shown}, …"


def _only_reverts(reverts: Sequence[Fate]) -> str:
    words = f"{_listed(reverts)} is a revert" if len(reverts) == 1 else f"{_listed(reverts)} are reverts"
    return f"{words}, and there is no other work that could land"


def _not_counted(reverts: Sequence[Fate]) -> str:
    return f"not counted: {len(reverts)} {'revert' if len(reverts) == 1 else 'reverts'} ({_listed(reverts)})"


def _as_told(owned: Mapping[int, tuple[str, ...]]) -> dict[int, Owned]:
    words = {1: "one commit"}
    return {n: Owned(shas, words.get(len(shas), f"a merge of {len(shas) - 1} commits")) for n, shas in owned.items()}


def is_commit_id(text: str) -> bool:
    return len(text) >= 7 and HEX.fullmatch(text) is not None


def clipped(text: str) -> str:
    return shorten(text, 61)


def _shown(name: str) -> str:
    """A file's name as text that can be written anywhere, whatever bytes it is made of."""
    return clipped(os.fsencode(name).decode(errors="replace"))


def _plain_subject(subject: str) -> str:
    return _PULL_REQUEST.sub("", subject.strip()).lower()
