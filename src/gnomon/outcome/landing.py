"""Did the work reach the trunk and stay, and did it keep to its files? Two readings of the same git facts.

`CompatGit` reads as the original does. `GnomonGit` finds the trunk, owns several commits, recognises squashed,
rebased and reverted work, and reads scopes as they were at the commit. Both are prepared once for a whole log.
"""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from gnomon.model.outcome import SignalValue, absent_signal, present_signal
from gnomon.outcome.diagnostics import Diagnostic
from gnomon.outcome.gitfacts import HEX, History, Repository
from gnomon.outcome.graph import CommitGraph
from gnomon.outcome.moments import epoch_seconds
from gnomon.outcome.plans import (
    Declared,
    PlansAtCommits,
    exact_in_scope,
    in_scope,
    leaves_repository,
    plans_on_disk,
)
from gnomon.outcome.record import IterationRecord
from gnomon.outcome.reverts import HEX_RUN, Reverts, find_reverts
from gnomon.outcome.signals import GitSignals

_PULL_REQUEST = re.compile(r"\s*\(#\d+\)$")
_LONGEST_RANGE = 100
_A_DAY = 86_400
_SQUASHED = "patch-id of the squashed branch"


def short(sha: str) -> str:
    return sha[:12]


# ── as the original ─────────────────────────────────────────────────────────────────────────────────────────────


class CompatGit:
    def __init__(self, repository: Repository, records: Sequence[IterationRecord], trunk: str = "master") -> None:
        self.repository = repository
        named = list(dict.fromkeys(record.commit.strip() for record in records if record.commit.strip()))
        resolved = repository.resolve([*named, trunk])
        self.resolved = dict(zip(named, resolved, strict=False))
        self.tip = resolved[-1]
        self.trunk = trunk
        commits = repository.log([self.tip], by_date=True) if self.tip else []
        self.places = {commit.sha: place for place, commit in enumerate(commits)}
        self.subjects: dict[str, str] = {}
        for commit in commits:
            self.subjects.setdefault(commit.subject.lower(), commit.sha)
        self.reverts = [
            (place, runs) for place, commit in enumerate(commits) if (runs := reverting_runs(commit.message))
        ]
        self.plans = plans_on_disk(repository.root)
        shas = list(dict.fromkeys(sha for sha in self.resolved.values() if sha))
        self.files = repository.shown_files(shas)
        self.times = repository.times(shas)

    def signals(self, record: IterationRecord) -> GitSignals:
        return GitSignals(self.landed(record), self.scope(record))

    def commit_time(self, record: IterationRecord) -> int | None:
        return self.times.get(self.resolved.get(record.commit.strip()) or "")

    def landed(self, record: IterationRecord) -> SignalValue:
        commit = record.commit.strip()
        if not commit:
            return absent_signal("no commit SHA recorded")
        sha = self.resolved.get(commit)
        if sha is None:
            return self._by_subject(record.impl.summary)
        if sha not in self.places:
            return present_signal(0.0, f"{short(sha)} is not reachable from {self.trunk}")
        if self._reverted(sha):
            return present_signal(0.0, f"{short(sha)} was reverted on {self.trunk}")
        return present_signal(1.0, f"{short(sha)} is reachable from {self.trunk}")

    def _by_subject(self, summary: str) -> SignalValue:
        sha = self.subjects.get(summary.strip().lower()) if summary.strip() else None
        if sha is None:
            return absent_signal("the commit does not resolve, and no subject on the trunk equals the summary")
        if self._reverted(sha):
            return present_signal(0.0, f"message-matched {short(sha)}, which was reverted")
        return present_signal(1.0, f"message-matched {short(sha)}")

    def _reverted(self, sha: str) -> bool:
        """Whether a commit nearer to the tip speaks of reverting and holds a prefix of the id."""
        here = self.places[sha]
        return any(place < here and any(sha.startswith(run) for run in runs) for place, runs in self.reverts)

    def scope(self, record: IterationRecord) -> SignalValue:
        sha = self.resolved.get(record.commit.strip())
        if sha is None:
            return absent_signal("no commit that resolves")
        task = record.task_id.strip()
        scope = next((scopes[task] for _, scopes in self.plans if task in scopes), None) if task else None
        if scope is None:
            return absent_signal(f"no write_scope declared for task {task!r}")
        files = [name.strip() for name in self.files.get(sha, []) if name.strip()]
        if not files:
            return present_signal(1.0, f"{short(sha)} changes no files")
        inside = sum(_unquoted(name) and exact_in_scope(name, scope) for name in files)
        return present_signal(inside / len(files), f"{inside}/{len(files)} changed files in scope")


def reverting_runs(message: str) -> list[str]:
    """The hex texts of a message that speaks of reverting, as far as they can be commit ids."""
    lowered = message.lower()
    if "revert" not in lowered:
        return []
    return [run for run in HEX_RUN.findall(lowered) if 7 <= len(run) <= 40]


def _unquoted(name: str) -> bool:
    """Git lists other names in quotes, and the original compares them as they are listed."""
    return name.isascii() and name.isprintable() and not set(name) & set('"\\')


# ── with better evidence ────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Owned:
    """The commits that are an iteration's work, the newest first, and how they were found."""

    commits: tuple[str, ...]
    how: str
    why_none: str = ""


@dataclass(slots=True)
class Fate:
    """What became of one commit: the commit on the trunk that carries it, and what undid it."""

    sha: str
    landed_as: str | None = None
    how: str = ""
    undone_by: str | None = None


class GnomonGit:
    """`diagnostics` are filled on the way; `trunk` is None where none could be found."""

    def __init__(
        self,
        history: History,
        records: Sequence[IterationRecord],
        *,
        trunk: str | None = None,
        only: set[int] | None = None,
        owned: Mapping[int, tuple[str, ...]] | None = None,
    ) -> None:
        self.repository = repository = history.repository
        self.diagnostics: list[Diagnostic] = []
        self.trunk, on_trunk = history.trunk, history.commits
        if self.trunk is None:
            self._tell_no_trunk(trunk)
        reached = {commit.sha for commit in on_trunk}
        self.resolved = self._resolve(records, reached)
        tips = self.trunk.tips if self.trunk else ()
        asked = [record for record in records if only is None or record.iteration in only]
        # Where one of a branch's iterations is asked for, the others tell how far the branch went.
        strayed = any(sha not in reached for record in asked if (sha := self.resolved[record.iteration]))
        named = dict.fromkeys(sha for sha in self.resolved.values() if sha and sha not in reached)
        beside = list(named) if strayed else []
        self.graph = CommitGraph(on_trunk, repository.log(beside, without=tips) if beside else [])
        self.owned = self._owned(records, {record.iteration for record in asked}) if owned is None else _as_told(owned)
        gone = [record for record in asked if not self.owned[record.iteration].commits]
        self.squashes: dict[str, str] = {}
        self.reverts = Reverts()
        self.fates = self._fates(
            [sha for record in asked for sha in self.owned[record.iteration].commits],
            also={sha for record in gone if (sha := self._became(record))},
        )
        unseen = {sha for sha in self.resolved.values() if sha and sha not in self.graph.known}
        self.times = repository.times(sorted(unseen)) | {sha: commit.time for sha, commit in self.graph.known.items()}
        self.scopes = self._scopes(asked)
        self.brought = self._brought([self.owned[record.iteration].commits for record in asked])

    # ── preparation ─────────────────────────────────────────────────────────────────────────────────────────

    def _tell_no_trunk(self, wanted: str | None) -> None:
        wanted = wanted or self.repository.said("config", "--get", "gnomon.trunk")
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
        found = dict(zip(names, self.repository.resolve(names), strict=True)) if names else {}
        found |= {name: name for name in usable.values() if name in reached}
        # A branch may be named like an id, and git would take the branch.
        own = {name: sha for name, sha in found.items() if sha and sha.startswith(name)}
        return {record.iteration: own.get(usable.get(record.iteration, "")) for record in records}

    @cached_property
    def _cut_off(self) -> frozenset[str]:
        return self.repository.cut_off()

    def _owned(self, records: Sequence[IterationRecord], asked: set[int]) -> dict[int, Owned]:
        owned: dict[int, Owned] = {}
        before: IterationRecord | None = None
        for record in records:
            sha = self.resolved[record.iteration]
            if record.iteration in asked:
                owned[record.iteration] = self._range(record, sha, before)
            if sha or epoch_seconds(record.checkpoint_at) is not None:
                before = record
        return owned

    def _range(self, record: IterationRecord, sha: str | None, before: IterationRecord | None) -> Owned:
        if sha is None:
            return Owned((), "", self._why_none(record.commit.strip()))
        if before is None:
            return Owned((sha,), "the recorded commit")
        start, since = self.resolved[before.iteration], epoch_seconds(before.checkpoint_at)
        if start == sha:
            return Owned((sha,), f"the recorded commit, shared with iteration {before.iteration}")
        line = self._line(sha, start, since)
        if line is None:
            return Owned((sha,), f"the recorded commit alone; no line leads to it from iteration {before.iteration}")
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

    def _why_none(self, commit: str) -> str:
        if not commit:
            return "no commit recorded"
        if not is_commit_id(commit):
            return "what is recorded as the commit is not a commit id"
        return f"commit {short(commit)}: not in this {'shallow clone' if self._cut_off else 'repository'}"

    def _line(self, sha: str, start: str | None, since: int | None) -> list[str] | None:
        """The commits from `sha` back to the one before which the previous iteration ended."""
        line: list[str] = []
        here: str | None = sha
        while here is not None and len(line) <= _LONGEST_RANGE:
            commit = self.graph.known.get(here)
            if here == start or (commit and start is None and since is not None and commit.time <= since and line):
                return line
            if commit is None:
                return None
            line.append(here)
            here = commit.parents[0] if commit.parents else None
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
        asked = also | {sha for fate in fates.values() for sha in (fate.sha, fate.landed_as) if sha}
        if self.trunk:
            self.reverts = find_reverts(self.graph, self.repository, asked, self.squashes)
        for fate in fates.values():
            # A squash carries what its branch took back as well: the branch itself tells.
            own = self.reverts.undone.get(fate.sha) if fate.how == _SQUASHED else None
            fate.undone_by = self.reverts.undone.get(fate.landed_as or "") or own
        return fates

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
        found = self._same_patch({sha: (forks[sha], files) for sha, files in changed.items()})
        carried: dict[str, str] = {}
        for head in (sha for sha in self.resolved.values() if sha in found):
            carried |= dict.fromkeys(self.graph.below([head], self.graph.at, carried), found[head])
        return carried | found

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
        mine = self.repository.patch_ids((sha, against) for sha, (against, _) in wanted.items())
        return {sha: on_trunk[patch] for sha, patch in mine.items() if patch in on_trunk}

    def _with_files(self, sets: set[frozenset[str]]) -> list[str]:
        """The commits of the trunk that change exactly one of these sets of files."""
        sizes = {len(files) for files in sets}
        return [c.sha for c in self.graph.trunk if len(c.files) in sizes and frozenset(c.files) in sets]

    def _match_subjects(self, strayed: Sequence[Fate]) -> None:
        for fate in strayed:
            commit = self.graph.known.get(fate.sha)
            fork = self.graph.fork(fate.sha)
            # What the branch was built on, and all before it, was there already.
            after = max(commit.time - _A_DAY, fork.time + 1 if fork else 0) if commit else 0
            found = self._by_subject(commit.subject, not_before=after) if commit else None
            if found:
                fate.landed_as, fate.how = found, "subject"

    def _by_subject(self, subject: str, *, not_before: int = 0) -> str | None:
        wanted = _plain_subject(subject)
        sha = self._subjects.get(wanted) if wanted else None
        return sha if sha and self.graph.known[sha].time >= not_before else None

    @cached_property
    def _subjects(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for commit in self.graph.trunk:
            found.setdefault(_plain_subject(commit.subject), commit.sha)
        for commit in self.graph.trunk:  # a squashed branch lists what it was made of, a line each
            for line in commit.message.splitlines()[1:] if "* " in commit.message else []:
                if line.startswith("* "):
                    found.setdefault(_plain_subject(line[2:]), commit.sha)
        return found

    def commit_time(self, record: IterationRecord) -> int | None:
        return self.times.get(self.resolved[record.iteration] or "")

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
        reverts = self._taking_back(fates)
        work = [fate for fate in fates if fate not in reverts]
        if not work:
            return absent_signal("; ".join([_only_reverts(reverts), owned.how]))
        return self._share(work, [_not_counted(reverts), owned.how] if reverts else [owned.how])

    def _share(self, work: Sequence[Fate], more: Sequence[str]) -> SignalValue:
        """How much of the work stands; `more` is told behind it."""
        standing = [fate for fate in work if fate.landed_as and not fate.undone_by]
        detailed = work
        words = []
        if len(work) > 1:
            words = [f"{len(standing)}/{len(work)} commits on {self.trunk.name if self.trunk else ''}"]
            detailed = [fate for fate in work if fate.undone_by or fate.how != "reachable"][:3]
        words += [self._fate_words(fate) for fate in detailed]
        return present_signal(len(standing) / len(work), "; ".join([*words, *more]))

    def _taking_back(self, fates: Sequence[Fate]) -> list[Fate]:
        """The commits of an iteration that take work back, and are no work themselves.

        What brings work back, a revert of a revert or the same patch once more, is work; unless the iteration itself
        took it away before.
        """
        mine = {sha for fate in fates for sha in _names(fate)}
        no_work, takes_back = self.reverts.commits, self.reverts.takes_back
        return [
            fate for fate in fates if any(sha in no_work or mine & takes_back.get(sha, set()) for sha in _names(fate))
        ]

    def _fate_words(self, fate: Fate) -> str:
        name = self.trunk.name if self.trunk else ""
        if fate.landed_as is None:
            return f"{short(fate.sha)} is not reachable from {name}, by id, patch or subject"
        via = "" if fate.how == "reachable" else f" as {short(fate.landed_as)} by {fate.how}"
        if fate.undone_by:
            return f"{short(fate.sha)}{via} was reverted by {short(fate.undone_by)}"
        return f"{short(fate.sha)} is reachable from {name}{via}"

    def _gone(self, record: IterationRecord, owned: Owned) -> SignalValue:
        """The commit is not here: the summary may still be the subject of what it became."""
        found = self._became(record)
        if found is None:
            return absent_signal(owned.why_none)
        words = f"{owned.why_none}; message-matched {short(found)}"
        if found in self.reverts.commits:
            return absent_signal(f"{words}, a revert, which is no work that could land")
        by = self.reverts.undone.get(found)
        return present_signal(0.0, f"{words}, reverted by {short(by)}") if by else present_signal(1.0, words)

    def _became(self, record: IterationRecord) -> str | None:
        summary = record.impl.summary.strip()
        return self._by_subject(summary.splitlines()[0]) if summary and is_commit_id(record.commit.strip()) else None

    def _scopes(self, records: Sequence[IterationRecord]) -> dict[int, Declared]:
        keys = {
            record.iteration: (sha, record.wave.strip(), record.task_id.strip())
            for record in records
            if (sha := self.resolved[record.iteration]) and record.task_id.strip()
        }
        found = PlansAtCommits(self.repository, self.repository.top, self._bad_plan).find(keys.values())
        for key, declared in found.items():
            for entry in declared.scope:
                if leaves_repository(entry):
                    words = f"write_scope {entry!r} of task {key[2]} leaves the repository; it covers nothing"
                    self.diagnostics.append(Diagnostic(declared.where, "scope", words))
        return {iteration: found[key] for iteration, key in keys.items() if key in found}

    def _bad_plan(self, where: str, words: str) -> None:
        told = Diagnostic(where, "plan", f"{words}; it declares no scopes")
        if all(other.where != where or other.code != "plan" for other in self.diagnostics):
            self.diagnostics.append(told)

    def scope(self, record: IterationRecord) -> SignalValue:
        owned, declared = self.owned[record.iteration], self.scopes.get(record.iteration)
        if not owned.commits:
            return absent_signal(owned.why_none)
        if declared is None:
            return absent_signal(f"no write_scope declared for task {clipped(record.task_id.strip())!r}")
        if not self._cut_off.isdisjoint(owned.commits):
            return absent_signal("the shallow clone ends here, and what changed is not known; git fetch --unshallow")
        files = self.changed_files(owned.commits)
        if not files:
            return present_signal(1.0, f"no files changed ({owned.how})")
        inside = [name for name in files if in_scope(name, declared.scope)]
        words = f"{len(inside)}/{len(files)} changed files in the scope of {declared.where}"
        outside = next((name for name in files if name not in set(inside)), None)
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
    return text if len(text) <= 60 else text[:60] + "…"


def _shown(name: str) -> str:
    """A file's name as text that can be written anywhere, whatever bytes it is made of."""
    return clipped(os.fsencode(name).decode(errors="replace"))


def _plain_subject(subject: str) -> str:
    return _PULL_REQUEST.sub("", subject.strip()).lower()
