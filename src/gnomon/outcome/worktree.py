"""One work tree, asked for what an entry says of its commits: which were made here and when, by whom, how much changed.

The work tree's own reflog distinguishes commits that were made here from fetched ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gnomon.errors import Refused
from gnomon.outcome.agentnames import NamedAgent, agent_called, agents_in_trailers
from gnomon.outcome.gitfacts import Repository
from gnomon.outcome.gitrun import GitFailed, is_bare

_MADE = ("commit", "cherry-pick", "revert", "rebase", "am:")
_REFLOG_ENTRIES = 500
_IN_BETWEEN = ("rebase-merge", "rebase-apply")


@dataclass(frozen=True, slots=True)
class MadeCommit:
    """A commit of this work tree. `replaced` is the commit that it amended."""

    sha: str
    time: int
    subject: str
    replaced: str = ""


@dataclass(frozen=True, slots=True)
class ChangeCounts:
    files: int = 0
    lines_added: int = 0
    lines_removed: int = 0


class WorkTree:
    def __init__(self, folder: Path) -> None:
        self.repository = Repository(folder)
        self.top = self.repository.top
        if is_bare(self.top):
            raise Refused(f"{self.top} is a bare repository, in which nobody works; go to a clone of it")

    @property
    def head(self) -> str | None:
        return self.repository.line("rev-parse", "--verify", "--quiet", "HEAD^{commit}")

    @property
    def branch(self) -> str:
        return self.repository.line("rev-parse", "--abbrev-ref", "HEAD") or ""

    @property
    def rebasing(self) -> bool:
        """Whether commits are being made anew: only what they end as is somebody's work."""
        paths = [self.git_path(name) for name in _IN_BETWEEN]
        return any(path.exists() for path in paths)

    @property
    def hooks_path(self) -> str | None:
        """core.hooksPath as it is configured; what is set for our own calls of git is the last and not it."""
        try:
            values = self.repository.run("config", "--null", "--type=path", "--get-all", "core.hooksPath")
        except GitFailed:
            return None
        configured = values.decode(errors="surrogateescape").split("\0")[:-2]
        return configured[-1] if configured else None

    def git_path(self, name: str) -> Path:
        """A file or folder of git's own; linked work trees share what belongs to the whole repository."""
        return self.top / (self.repository.line("rev-parse", "--git-path", name) or f".git/{name}")

    @property
    def own_folder(self) -> Path:
        """Where Gnomon keeps what belongs to this clone and to no commit."""
        return self.top / (self.repository.line("rev-parse", "--git-common-dir") or ".git") / "gnomon"

    @property
    def own_hooks(self) -> Path:
        """Git's own folder of hooks, wherever the hooks are configured to be."""
        return self.own_folder.parent / "hooks"

    def made_here(self) -> list[MadeCommit]:
        """The commits made in this work tree that a branch still has, the newest first.

        Without a reflog: those of the trunk's own line, by their times.
        """
        form = "--format=%H%x00%ct%x00%gs%x00%s"
        try:
            answer = self.repository.run("log", "-g", f"--max-count={_REFLOG_ENTRIES}", form, "HEAD")
        except GitFailed:
            return []
        rows = [line.split("\0") for line in answer.decode(errors="replace").splitlines()]
        if not rows:
            return self._own_line()
        commits_made = []
        for index, (sha, seconds, action, subject) in enumerate(rows):
            if action.startswith(_MADE):
                amended = rows[index + 1][0] if "(amend)" in action and index + 1 < len(rows) else ""
                commits_made.append(MadeCommit(sha, int(seconds), subject, amended))
        return self._still_there(list({commit.sha: commit for commit in reversed(commits_made)}.values())[::-1])

    def _own_line(self) -> list[MadeCommit]:
        form = "--format=%H%x00%ct%x00%s"
        answer = self.repository.run("log", "--first-parent", f"--max-count={_REFLOG_ENTRIES}", form, "HEAD")
        rows = [line.split("\0") for line in answer.decode(errors="replace").splitlines()]
        return [MadeCommit(sha, int(seconds), subject) for sha, seconds, subject in rows]

    def _still_there(self, commits_made: list[MadeCommit]) -> list[MadeCommit]:
        """The commits that were not amended or dropped since."""
        if not commits_made:
            return []
        oldest = max(0, min(commit.time for commit in commits_made) - 86_400)
        flags = ("--branches", "--remotes", "HEAD", f"--since=@{oldest} +0000")  # git takes a bare 0 for today
        kept = set(self.repository.run("rev-list", *flags).decode().split())
        return [commit for commit in commits_made if commit.sha in kept]

    def changes(self, shas: Sequence[str]) -> ChangeCounts:
        if not shas:
            return ChangeCounts()
        flags = ("--no-walk=unsorted", "--format=", "--numstat", "-z", "--no-renames", "--stdin")
        feed = "".join(f"{sha}\n" for sha in shas).encode()
        rows = [row.split(b"\t") for row in self.repository.run("log", *flags, feed=feed).split(b"\0")]
        counted = [row for row in rows if len(row) >= 3]
        added, removed = (sum(int(row[at]) for row in counted if row[at].strip().isdigit()) for at in (0, 1))
        return ChangeCounts(len({row[2] for row in counted}), added, removed)

    def agents(self, sha: str) -> list[NamedAgent]:
        """The agents that a commit names: as its author or committer where that is a bot, and as co-authors."""
        form = "--format=%an%x00%ae%x00%cn%x00%ce%x00%B"
        answer = self.repository.run("show", "-s", form, sha).decode(errors="replace")
        author, author_address, committer, committer_address, message = (answer.split("\0") + [""] * 5)[:5]
        pairs = ((author, author_address), (committer, committer_address))
        named = [agent for name, address in pairs if (agent := agent_called(name, address))]
        return list(dict.fromkeys([*named, *agents_in_trailers([message])]))

    def files(self, sha: str) -> list[str]:
        """The files that a commit changes."""
        return self.repository.shown_files([sha]).get(sha, [])
