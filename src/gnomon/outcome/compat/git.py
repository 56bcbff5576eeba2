"""Did the work land, and did it keep to its files, as the original reads git: trunk `master`, exact paths."""

import re
from collections.abc import Sequence

from gnomon.model.outcome import SignalValue, absent_signal, present_signal
from gnomon.outcome.gitfacts import Repository
from gnomon.outcome.landing import short
from gnomon.outcome.plans import exact_in_scope, plans_on_disk
from gnomon.outcome.record import IterationRecord
from gnomon.outcome.signals import GitSignals

HEX_RUN = re.compile(r"[0-9a-f]+")
TRUNK = "master"


class CompatGit:
    def __init__(self, repository: Repository, records: Sequence[IterationRecord], trunk: str = TRUNK) -> None:
        self.repository = repository
        named = list(dict.fromkeys(record.commit.strip() for record in records if record.commit.strip()))
        resolved = repository.resolve([*named, trunk])
        self.resolved = dict(zip(named, resolved, strict=False))
        self.tip = resolved[-1]
        self.trunk = trunk
        commits = repository.log([self.tip], by_date=True) if self.tip else []
        self.position_of = {commit.sha: index for index, commit in enumerate(commits)}
        self.subjects: dict[str, str] = {}
        for commit in commits:
            self.subjects.setdefault(commit.subject.lower(), commit.sha)
        self.reverts = [
            (index, runs) for index, commit in enumerate(commits) if (runs := reverting_runs(commit.message))
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
        if sha not in self.position_of:
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
        position = self.position_of[sha]
        return any(index < position and any(sha.startswith(run) for run in runs) for index, runs in self.reverts)

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
