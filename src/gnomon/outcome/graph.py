"""The commits that a log is about, and how they hang together: the trunk, and what was made beside it."""

from bisect import bisect_left
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from gnomon.outcome.gitfacts import Commit


@dataclass(slots=True)
class CommitGraph:
    """The trunk, newest first, and the commits beside it that the log names.

    A commit's `position` is smaller the nearer it is to the tip; commits beside the trunk come before the trunk's.
    """

    trunk: list[Commit]
    side: list[Commit]
    at: dict[str, int] = field(default_factory=dict)
    position: dict[str, int] = field(default_factory=dict)
    known: dict[str, Commit] = field(default_factory=dict)
    _on_trunk: list[str] = field(default_factory=list)
    _anywhere: list[str] = field(default_factory=list)
    _forks: dict[str, int] = field(default_factory=dict)
    _landings: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.at = {commit.sha: index for index, commit in enumerate(self.trunk)}
        beside = {commit.sha: index - len(self.side) for index, commit in enumerate(self.side)}
        self.position = beside | self.at
        self.known = {commit.sha: commit for commit in [*self.trunk, *self.side]}
        self._on_trunk = sorted(self.at)
        self._anywhere = sorted(self.known) if self.side else self._on_trunk
        for commit in reversed(self.side):  # the oldest first: parents before what was built on them
            below = [self.at.get(parent, self._forks.get(parent)) for parent in commit.parents]
            if forks := [index for index in below if index is not None]:
                self._forks[commit.sha] = min(forks)

    def by_prefix(self, prefix: str, *, beside: bool = False) -> str | None:
        """The trunk's commit whose id begins so, where there is exactly one; with `beside`, any commit's."""
        ordered = self._anywhere if beside else self._on_trunk
        index = bisect_left(ordered, prefix)
        matches = [sha for sha in ordered[index : index + 2] if sha.startswith(prefix)]
        return matches[0] if len(matches) == 1 else None

    def fork(self, sha: str) -> Commit | None:
        """The trunk's newest commit that a commit beside it was built on."""
        index = self._forks.get(sha)
        return None if index is None else self.trunk[index]

    def landed_with(self, sha: str) -> str | None:
        """The commit on the trunk's own line with which a commit came in: itself, or a merge."""
        if not self._landings and self.trunk:
            self._landings = self._find_landings()
        return self._landings.get(sha)

    def _find_landings(self) -> dict[str, str]:
        line: list[Commit] = []
        commit_on_line: Commit | None = self.trunk[0]
        while commit_on_line is not None:
            line.append(commit_on_line)
            commit_on_line = self.known.get(commit_on_line.parents[0]) if commit_on_line.parents else None
        landings = {commit.sha: commit.sha for commit in line}
        for landing in reversed(line):
            ahead = list(landing.parents[1:])
            while ahead:
                sha = ahead.pop()
                if sha not in landings and sha in self.known:
                    landings[sha] = landing.sha
                    ahead += self.known[sha].parents
        return landings

    def came_together(self, sha: str, other: str) -> bool:
        """Whether two commits came in with one merge: what one undid of the other never stood on the trunk."""
        landing = self.landed_with(sha)
        return landing is not None and landing not in (sha, other) and landing == self.landed_with(other)

    def brought_by(self, merge: Commit) -> set[str]:
        """The commits that came in with a merge on the trunk: those that its first parent does not have."""
        had: dict[int, bool] = {}  # index → whether the first parent has it
        ahead: list[int] = []

        def reach(shas: Sequence[str], by_first: bool) -> None:
            for index in (self.at[sha] for sha in shas if sha in self.at):
                if index not in had:
                    heappush(ahead, index)
                had[index] = by_first or had.get(index, False)

        reach(merge.parents[:1], True)
        reach(merge.parents[1:], False)
        brought: set[str] = set()
        # A commit comes after all that were built on it, so that its side is known when its turn comes.
        while not all(had[index] for index in ahead):
            index = heappop(ahead)
            commit = self.trunk[index]
            if not had[index]:
                brought.add(commit.sha)
            reach(commit.parents, had[index])
        return brought

    def below(self, heads: Sequence[str], *until: Container[str]) -> set[str]:
        """The commits and what they were built on, up to others."""
        reached: set[str] = set()
        ahead = list(heads)
        while ahead:
            sha = ahead.pop()
            if sha not in reached and not any(sha in others for others in until):
                reached.add(sha)
                ahead += self.known[sha].parents if sha in self.known else ()
        return reached
