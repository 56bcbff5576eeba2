"""Work that has not landed yet: the branches beside the trunk, and which of them holds a commit."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from gnomon.outcome.gitfacts import Repository

A_DAY = 86_400


@dataclass(frozen=True, slots=True, order=True)
class OpenBranch:
    """A branch with commits that the trunk does not have. The one with the newest commit is the largest."""

    time: int
    name: str
    tip: str

    def days(self, as_of: int) -> int:
        """Whole days since its last commit."""
        return max(0, as_of - self.time) // A_DAY


@dataclass(slots=True)
class OpenBranches:
    """The branches beside the trunk: local ones, those of remotes, pull requests, and what is checked out elsewhere."""

    _holders: dict[str, OpenBranch] = field(default_factory=dict)
    _subjects: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, repository: Repository, trunk_tips: Sequence[str]) -> "OpenBranches":
        """Ask git once. A commit on several branches is held by the one with the newest commit."""
        names = repository.branch_tips()
        branches = cls()
        for sha, parents, time, subject in repository.outline(sorted(names), without=trunk_tips):
            own = [OpenBranch(time, name, sha) for name in names.get(sha, ())]
            holder = max([*own, *([branches._holders[sha]] if sha in branches._holders else [])], default=None)
            if holder is None:
                continue
            branches._holders[sha] = holder
            branches._subjects.setdefault(subject, sha)
            for parent in parents:
                known = branches._holders.get(parent)
                branches._holders[parent] = max(known, holder) if known else holder
        return branches

    def holding(self, sha: str) -> OpenBranch | None:
        return self._holders.get(sha)

    def rewritten(self, subject: str) -> str | None:
        """The newest commit of an open branch with this subject: what an amended or rebased commit became."""
        return self._subjects.get(subject) if subject else None

    def tips_over(self, shas: Iterable[str]) -> list[str]:
        """The ends of the branches that hold these commits."""
        return list(dict.fromkeys(branch.tip for sha in shas if (branch := self._holders.get(sha))))
