"""Which commits take others back, and which of those were taken back themselves.

A commit takes another back when it says so, by the commit's id, by the number of its pull request or by its subject, or
when its patch is the other's inverse. A version or a pin that toggles back undoes no work.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gnomon.outcome.gitfacts import Commit, Repository
from gnomon.outcome.graph import CommitGraph
from gnomon.outcome.openwork import OpenBranches
from gnomon.outcome.revertwords import Statement, plain_subject, pull_request, stated
from gnomon.outcome.toggles import is_passing, is_toggle

_LISTED = "\n* "  # a squashed branch lists the commits that it was made of, a line each
_SHORTEST_CUT = 20  # characters: less of a subject could be the beginning of anything

Pair = tuple[str, str]  # a commit, and the commit that takes it back


@dataclass(frozen=True, slots=True)
class Reverts:
    """The fate of the requested commits, and of those that it depends on.

    `undone`: commit → the commit that took it back and stands itself. `takes_back`: commit → the commits that it takes
    back. `commits`: those that take work back and are no work themselves; what brings work back is not one of them.
    """

    undone: Mapping[str, str] = field(default_factory=dict)
    takes_back: Mapping[str, set[str]] = field(default_factory=dict)
    commits: frozenset[str] = frozenset()
    pairs: frozenset[Pair] = frozenset()
    """Every commit with each commit that took it back after it had landed, whatever became of that later."""


def find_reverts(
    graph: CommitGraph,
    repository: Repository,
    shas: Iterable[str],
    squashes: Mapping[str, str],
    branches: OpenBranches | None = None,
    superseded_after: float = math.inf,
) -> Reverts:
    """Look up the reverts of and by the commits. `squashes`: commit beside the trunk → the squash that carries it.

    What is undone more than `superseded_after` seconds later was superseded, and what supersedes it is work.
    """
    return _Search(graph, repository, squashes, branches or OpenBranches(), superseded_after).run(set(shas))


class _Search:
    def __init__(
        self,
        graph: CommitGraph,
        repository: Repository,
        squashes: Mapping[str, str],
        branches: OpenBranches,
        superseded_after: float,
    ) -> None:
        self.graph, self.repository, self.squashes, self.branches = graph, repository, squashes, branches
        self.superseded_after = superseded_after
        self._by_number: dict[int, list[str]] = {}
        self._by_subject: dict[str, list[str]] = {}
        self.stated: dict[str, set[Pair]] = {}  # commit → the pairs that it is one of, as messages state them
        for pair in self._stated():
            for sha in pair:
                self.stated.setdefault(sha, set()).add(pair)
        self.undoers: dict[str, set[str]] = {}
        self.takes_back: dict[str, set[str]] = {}
        self.brought: dict[str, list[str]] = {}  # merge → the commits that it brought, without merges

    def run(self, shas: set[str]) -> Reverts:
        seen: set[str] = set()
        wanted = shas
        while wanted:
            seen |= wanted
            self._look_into(merge for sha in wanted if len((merge := self.graph.known[sha]).parents) > 1)
            inverse, stated = self._inverse(wanted), {pair for sha in wanted for pair in self.stated.get(sha, ())}
            self._keep(inverse, stated)
            brought = {sha for merge in wanted for sha in self.brought.get(merge, ())}
            wanted = ({sha for pair in inverse | stated for sha in pair} | brought) - seen
        newest_first = sorted(seen, key=self.graph.position.__getitem__)
        reverts = self._no_work(reversed(newest_first))
        pairs = {(target, by) for target, undoers in self.undoers.items() for by in undoers}
        landed = frozenset(pair for pair in pairs if not self.graph.came_together(*pair))
        return Reverts(self._undone(newest_first, reverts), self.takes_back, frozenset(reverts), landed)

    def _look_into(self, merges: Iterable[Commit]) -> None:
        for merge in merges:
            if merge.sha in self.graph.at and merge.sha not in self.brought:
                brought = sorted(self.graph.brought_by(merge), key=self.graph.position.__getitem__)
                self.brought[merge.sha] = [sha for sha in brought if len(self.graph.known[sha].parents) == 1]

    def _keep(self, inverse: set[Pair], stated: set[Pair]) -> None:
        for target, by in inverse | stated:
            if self._lands_with(target, by):
                self.undoers.setdefault(target, set()).add(by)
        for target, by in inverse | {pair for pair in stated if _LISTED not in self.graph.known[pair[1]].message}:
            if self.graph.known[by].time - self.graph.known[target].time < self.superseded_after:
                self.takes_back.setdefault(by, set()).add(target)

    def _lands_with(self, target: str, by: str) -> bool:
        """Whether what takes it back is where it is itself: on the trunk, in the same squash, on the same branch."""
        if target in self.graph.at or by in self.graph.at:
            return target in self.graph.at and by in self.graph.at
        if target in self.squashes or by in self.squashes:
            return self.squashes.get(target) == self.squashes.get(by)
        branch = self.branches.holding(target)
        return branch is not None and branch == self.branches.holding(by)

    def _no_work(self, oldest_first: Iterable[str]) -> set[str]:
        """A commit that takes work back, or a merge that brought nothing else. What it takes back is known by then."""
        reverts: set[str] = set()
        for sha in oldest_first:
            brought = self.brought.get(sha)
            if (brought and reverts.issuperset(brought)) or not reverts.issuperset(self.takes_back.get(sha, ())):
                reverts.add(sha)
        return reverts

    def _undone(self, newest_first: Sequence[str], reverts: set[str]) -> dict[str, str]:
        """Whatever undid an undoing lies nearer to the tip, and is known by then."""
        undone: dict[str, str] = {}
        for target in newest_first:
            undoers = sorted(self.undoers.get(target, ()), key=self.graph.position.__getitem__)
            if by := next((by for by in undoers if by not in undone), None):
                undone[target] = by
        for merge, brought in self.brought.items():
            work = [sha for sha in brought if sha not in reverts]
            if work and all(sha in undone for sha in work):
                undone.setdefault(merge, undone[work[0]])
        return undone

    # ── by the message ──────────────────────────────────────────────────────────────────────────────────────

    def _stated(self) -> Iterator[Pair]:
        statements = {}
        for commit in [*self.graph.trunk, *self.graph.side]:
            if statement := stated(commit.subject, commit.message):
                statements[commit.sha] = statement
        if any(statement.numbers or statement.subject for statement in statements.values()):
            self._index()
        for sha, statement in statements.items():
            for target in self._meant(sha, statement):
                yield target, sha

    def _index(self) -> None:
        """The trunk's commits by pull request and by subject, the newest first."""
        for commit in self.graph.trunk:
            number = pull_request(commit.subject)
            if number is not None:
                self._by_number.setdefault(number, []).append(commit.sha)
            self._by_subject.setdefault(plain_subject(commit.subject), []).append(commit.sha)

    def _meant(self, by: str, statement: Statement) -> set[str]:
        """The commits that a statement names: by their ids, else by pull requests, else by the subject."""
        named = {target for prefix in statement.ids for target in self._targets(prefix, by)}
        if named or by not in self.graph.at:
            return named
        numbered = [self._nearest(self._by_number.get(number, ()), by) for number in statement.numbers]
        heads = [head for head in numbered if head] or [head for head in [self._by_words(statement, by)] if head]
        return {target for head in heads for target in self._whole(head)}

    def _by_words(self, statement: Statement, by: str) -> str | None:
        words = statement.subject
        if not words:
            return None
        if statement.brings_back:
            return self._nearest(self._by_subject.get(f'revert "{words}"', ()), by)
        if not statement.cut:
            return self._nearest(self._by_subject.get(words, ()), by)
        if len(words) < _SHORTEST_CUT:
            return None
        known = [sha for subject, shas in self._by_subject.items() if subject.startswith(words) for sha in shas]
        return self._nearest(sorted(known, key=self.graph.position.__getitem__), by)

    def _nearest(self, shas: Sequence[str], by: str) -> str | None:
        """The newest of these that is older than what takes it back, and touches a file that this touches."""
        position, files = self.graph.position, set(self.graph.known[by].files)
        for sha in shas:  # the newest first
            own = self.graph.known[sha].files
            if position[sha] > position[by] and (not own or not files or not files.isdisjoint(own)):
                return sha
        return None

    def _targets(self, prefix: str, by: str) -> set[str]:
        """The commits that a prefix names: of a merge, those that it brought too."""
        graph = self.graph
        target = graph.by_prefix(prefix, beside=by not in graph.at)
        if target is None or not self._older(target, by):
            return set()
        return self._whole(target)

    def _whole(self, target: str) -> set[str]:
        """A commit and, if it is a merge, the commits that it brought."""
        commit = self.graph.known[target]
        merged = len(commit.parents) > 1 and target in self.graph.at
        return {target} | (self.graph.brought_by(commit) if merged else set())

    def _older(self, target: str, by: str) -> bool:
        if target in self.graph.at:
            return self.graph.position[target] > self.graph.position[by]
        return target != by and target in self.graph.below([by], self.graph.at)

    # ── by the patch ────────────────────────────────────────────────────────────────────────────────────────

    def _inverse(self, wanted: set[str]) -> set[Pair]:
        """Pairs with one of these in which the later patch undoes the earlier one."""
        lines = [line for line in self._same_files(wanted) if len(line) > 1]
        forward, inverse = list[str](), list[str]()
        for line in lines:  # newest first; only pairs with a wanted commit are looked for
            indexes = [index for index, sha in enumerate(line) if sha in wanted]
            forward += line[: min(indexes[-1] + 1, len(line) - 1)]
            inverse += line[max(indexes[0], 1) :]
        patches, inverses = self._patch_ids(forward), self._patch_ids(inverse, inverse=True)
        pairs = {pair for line in lines for pair in _matching(line, patches, inverses)}
        undoing = {(target, by) for target, by in pairs if {target, by} & wanted and self._older(target, by)}
        return undoing - self._toggles(undoing)

    def _toggles(self, pairs: set[Pair]) -> set[Pair]:
        """The commits that only set a version or a pin back, without calling it a revert."""
        unsaid = {(target, by) for target, by in pairs if (target, by) not in self.stated.get(target, ())}
        targets = sorted({target for target, _ in unsaid}, key=self.graph.position.__getitem__)
        toggled = {sha for sha, patch in self.repository.patches(targets) if is_toggle(patch)}
        subject = {sha: self.graph.known[sha].subject for pair in unsaid for sha in pair}
        return {(target, by) for target, by in unsaid if target in toggled or is_passing(subject[target], subject[by])}

    def _patch_ids(self, shas: Sequence[str], *, inverse: bool = False) -> dict[str, str]:
        # Git is quicker with neighbours one after the other.
        in_order = sorted(shas, key=self.graph.position.__getitem__)
        return self.repository.patch_ids(((sha, None) for sha in in_order), inverse=inverse)

    def _same_files(self, wanted: set[str]) -> Iterable[list[str]]:
        """For each set of files that one of these changes: the commits that change exactly it, newest first."""
        graph = self.graph
        lines: dict[tuple[bool, frozenset[str]], list[str]] = {
            (sha in graph.at, frozenset(files)): [] for sha in wanted if (files := graph.known[sha].files)
        }
        sizes = {len(files) for _, files in lines}
        for commits, on_trunk in ((graph.side, False), (graph.trunk, True)):
            for commit in commits:
                line = lines.get((on_trunk, frozenset(commit.files))) if len(commit.files) in sizes else None
                if line is not None:
                    line.append(commit.sha)
        return lines.values()


def _matching(line: Sequence[str], patches: Mapping[str, str], inverses: Mapping[str, str]) -> Iterator[Pair]:
    by_patch: dict[str, list[str]] = {}
    for sha in line:  # the newest first: those that are known already are later than this one
        for by in by_patch.get(inverses.get(sha, ""), ()):
            yield sha, by
        if patch := patches.get(sha):
            by_patch.setdefault(patch, []).append(sha)
