"""Which commits take others back, and which of those were taken back themselves.

A commit takes another back when it says so ("This reverts commit …") or when its patch is the other's inverse.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gnomon.outcome.gitfacts import Commit, Repository
from gnomon.outcome.graph import CommitGraph

HEX_RUN = re.compile(r"[0-9a-f]+")
# A sentence of its own: "do not revert commit …" and "partially reverts commit …" undo nothing.
_SENTENCE = re.compile(
    r"(?:^|[.!?:]\s)\s*(?:this )?reverts commits?\s+([0-9a-f]{7,64}(?:(?:,?\s+and\s+|,\s*)[0-9a-f]{7,64})*)\b",
    re.IGNORECASE | re.MULTILINE,
)
_LISTED = "\n* "  # a squashed branch lists the commits that it was made of, a line each

Pair = tuple[str, str]  # a commit, and the commit that takes it back


@dataclass(frozen=True, slots=True)
class Reverts:
    """What became of the commits that were asked about, and of those that this depends on.

    `undone`: commit → the commit that took it back and stands itself. `takes_back`: commit → the commits that it takes
    back. `commits`: those that take work back and are no work themselves; what brings work back is not one of them.
    """

    undone: Mapping[str, str] = field(default_factory=dict)
    takes_back: Mapping[str, set[str]] = field(default_factory=dict)
    commits: frozenset[str] = frozenset()


def find_reverts(
    graph: CommitGraph, repository: Repository, asked: Iterable[str], squashes: Mapping[str, str]
) -> Reverts:
    """Look up the reverts of and by the commits. `squashes`: commit beside the trunk → the squash that carries it."""
    return _Search(graph, repository, squashes).run(set(asked))


class _Search:
    def __init__(self, graph: CommitGraph, repository: Repository, squashes: Mapping[str, str]) -> None:
        self.graph, self.repository, self.squashes = graph, repository, squashes
        self.stated: dict[str, set[Pair]] = {}  # commit → the pairs that it is one of, as messages state them
        for pair in self._stated():
            for sha in pair:
                self.stated.setdefault(sha, set()).add(pair)
        self.undoers: dict[str, set[str]] = {}
        self.takes_back: dict[str, set[str]] = {}
        self.brought: dict[str, list[str]] = {}  # merge → the commits that it brought, without merges

    def run(self, asked: set[str]) -> Reverts:
        seen: set[str] = set()
        wanted = asked
        while wanted:
            seen |= wanted
            self._look_into(merge for sha in wanted if len((merge := self.graph.known[sha]).parents) > 1)
            inverse, stated = self._inverse(wanted), {pair for sha in wanted for pair in self.stated.get(sha, ())}
            self._keep(inverse, stated)
            brought = {sha for merge in wanted for sha in self.brought.get(merge, ())}
            wanted = ({sha for pair in inverse | stated for sha in pair} | brought) - seen
        newest_first = sorted(seen, key=self.graph.place.__getitem__)
        reverts = self._no_work(reversed(newest_first))
        return Reverts(self._undone(newest_first, reverts), self.takes_back, frozenset(reverts))

    def _look_into(self, merges: Iterable[Commit]) -> None:
        for merge in merges:
            if merge.sha in self.graph.at and merge.sha not in self.brought:
                brought = sorted(self.graph.brought_by(merge), key=self.graph.place.__getitem__)
                self.brought[merge.sha] = [sha for sha in brought if len(self.graph.known[sha].parents) == 1]

    def _keep(self, inverse: set[Pair], stated: set[Pair]) -> None:
        for target, by in inverse | stated:
            if self._lands_with(target, by):
                self.undoers.setdefault(target, set()).add(by)
        for target, by in inverse | {pair for pair in stated if _LISTED not in self.graph.known[pair[1]].message}:
            self.takes_back.setdefault(by, set()).add(target)

    def _lands_with(self, target: str, by: str) -> bool:
        """Whether what takes it back is where it is itself: on the trunk, or in the same squash."""
        if target in self.graph.at or by in self.graph.at:
            return target in self.graph.at and by in self.graph.at
        return target in self.squashes and self.squashes[target] == self.squashes.get(by)

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
            undoers = sorted(self.undoers.get(target, ()), key=self.graph.place.__getitem__)
            if by := next((by for by in undoers if by not in undone), None):
                undone[target] = by
        for merge, brought in self.brought.items():
            work = [sha for sha in brought if sha not in reverts]
            if work and all(sha in undone for sha in work):
                undone.setdefault(merge, undone[work[0]])
        return undone

    # ── by the message ──────────────────────────────────────────────────────────────────────────────────────

    def _stated(self) -> Iterator[Pair]:
        for commit in [*self.graph.trunk, *self.graph.side]:
            if "evert" not in commit.message and "EVERT" not in commit.message:
                continue
            for prefix in HEX_RUN.findall(" ".join(_SENTENCE.findall(commit.message)).lower()):
                for target in self._targets(prefix, commit.sha) if len(prefix) >= 7 else ():
                    yield target, commit.sha

    def _targets(self, prefix: str, by: str) -> set[str]:
        """The commits that a prefix names: of a merge, those that it brought too."""
        graph = self.graph
        target = graph.by_prefix(prefix, beside=by not in graph.at)
        if target is None or not self._older(target, by):
            return set()
        merge = graph.known[target]
        brought = graph.brought_by(merge) if len(merge.parents) > 1 and target in graph.at else set()
        return {target} | brought

    def _older(self, target: str, by: str) -> bool:
        if target in self.graph.at:
            return self.graph.place[target] > self.graph.place[by]
        return target != by and target in self.graph.below([by], self.graph.at)

    # ── by the patch ────────────────────────────────────────────────────────────────────────────────────────

    def _inverse(self, wanted: set[str]) -> set[Pair]:
        """Pairs with one of these in which the later patch undoes the earlier one."""
        lines = [line for line in self._same_files(wanted) if len(line) > 1]
        forward, inverse = list[str](), list[str]()
        for line in lines:  # newest first; only pairs with a wanted commit are looked for
            places = [place for place, sha in enumerate(line) if sha in wanted]
            forward += line[: min(places[-1] + 1, len(line) - 1)]
            inverse += line[max(places[0], 1) :]
        patches, inverses = self._patch_ids(forward), self._patch_ids(inverse, inverse=True)
        pairs = {pair for line in lines for pair in _matching(line, patches, inverses)}
        return {(target, by) for target, by in pairs if {target, by} & wanted and self._older(target, by)}

    def _patch_ids(self, shas: Sequence[str], *, inverse: bool = False) -> dict[str, str]:
        # Git is quicker with neighbours one after the other.
        in_order = sorted(shas, key=self.graph.place.__getitem__)
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
