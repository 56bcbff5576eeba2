"""Facts from git, read with a few processes for a whole log: commits, their files, the trunk, patches.

Nothing here decides about an iteration. Values from a log reach git on its standard input or behind a check,
never as an option.
"""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import msgspec

from gnomon.atomicfile import write_atomically
from gnomon.errors import Refused
from gnomon.outcome.gitrun import GitFailed, is_bare, pipe_git, run_git, stream_git
from gnomon.outcome.regular import lies_inside
from gnomon.outcome.webaddress import web_address

HEX = re.compile(r"[0-9a-fA-F]{4,64}")
_FULL = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_FORMAT = "--format=%H%x00%P%x00%ct%x00%B%x00"
_PATCHES_AT_ONCE = 500
_SHOWN_AT_ONCE = 50
_LONGEST_MESSAGE = 20_000  # characters
_CACHE_FORMAT = 1


class Commit(msgspec.Struct, frozen=True, array_like=True):
    """A commit of the history. A merge has no files of its own here."""

    sha: str
    parents: tuple[str, ...]
    time: int
    message: str
    files: tuple[str, ...]

    @property
    def subject(self) -> str:
        return self.message.lstrip("\n").partition("\n\n")[0].replace("\n", " ").strip()


@dataclass(frozen=True, slots=True)
class Trunk:
    """The branch that work lands on. `tips` are its local and its remote end, where both exist."""

    name: str
    tips: tuple[str, ...]


@dataclass(slots=True)
class Repository:
    """A work tree, or a bare repository, whose own folder is its top. Raises `Refused` when there is none."""

    root: Path
    top: Path = field(default_factory=Path)
    partial: bool = False
    """Whether files may be missing that a server has. Nothing is ever fetched."""

    def __post_init__(self) -> None:
        self._find_top()
        promisor = self.line("config", "--get-regexp", r"^(extensions\.partialclone|remote\..*\.promisor)$")
        self.partial = promisor is not None

    def _find_top(self) -> None:
        if is_bare(self.root):
            self.top = self.root
            if self.line("rev-parse", "--git-dir") is None:
                raise Refused(f"{self.root} is not a git repository")
            return
        try:
            self.top = Path(os.fsdecode(self.run("rev-parse", "--show-toplevel").rstrip(b"\n")))
        except GitFailed as bad:
            raise Refused(f"{self.root} is not a git repository's work tree: {bad}") from None
        if not lies_inside(self.root, self.top):  # core.worktree may name any folder, and scores are written into it
            raise Refused(f"{self.root}: its repository's work tree lies elsewhere, in {self.top}; go there")

    def run(self, subcommand: str, *arguments: str, feed: bytes = b"") -> bytes:
        return run_git(self.root, subcommand, *arguments, feed=feed)

    def line(self, subcommand: str, *arguments: str) -> str | None:
        """The single line that git prints, or None if it prints nothing."""
        try:
            return self.run(subcommand, *arguments).decode(errors="replace").strip() or None
        except GitFailed:
            return None

    def cut_off(self) -> frozenset[str]:
        """The commits of a shallow clone whose parents are not here; empty in a whole one."""
        listed = self.root / (self.line("rev-parse", "--git-path", "shallow") or "shallow")
        try:
            return frozenset(listed.read_text(encoding="ascii", errors="replace").split())
        except OSError:
            return frozenset()

    @property
    def empty(self) -> bool:
        return self.line("rev-parse", "--verify", "--quiet", "HEAD") is None

    def worktrees(self) -> list[Path]:
        """All work trees of this repository."""
        listed = self.line("worktree", "list", "--porcelain") or ""
        return [Path(line[9:]) for line in listed.splitlines() if line.startswith("worktree ")]

    def remote_name(self) -> str | None:
        """owner/name of where it came from, without the host or anything secret in the address."""
        parts = [part for part in re.split(r"[/:]", self._remote().rstrip("/")) if part]
        name = "/".join(parts[-2:]).removesuffix(".git") if len(parts) > 1 else ""
        return name.rpartition("@")[2] or None

    def web_address(self) -> str | None:
        """Where it is on the web, when its remote is on a forge that is known."""
        return web_address(self._remote())

    def _remote(self) -> str:
        return (self.line("config", "--get", "remote.origin.url") or "").strip()

    # ── the trunk ───────────────────────────────────────────────────────────────────────────────────────────

    def trunk(self, wanted: str | None = None) -> Trunk | None:
        """The branch that was named, else the remote's default one, else main or master."""
        refs = self._refs()
        wanted = wanted or self.line("config", "--get", "gnomon.trunk")
        if wanted:
            return self._named(wanted, refs)
        default = refs.get("symbolic refs/remotes/origin/HEAD", "")
        names = [default.removeprefix("refs/remotes/origin/")] if default else []
        for name in [*names, "main", "master"]:
            trunk = self._named(name, refs)
            if trunk:
                return trunk
        return None

    def _named(self, name: str, refs: dict[str, str]) -> Trunk | None:
        refnames = [f"refs/heads/{name}", f"refs/remotes/origin/{name}", f"refs/remotes/{name}", f"refs/tags/{name}"]
        tips = dict.fromkeys(refs[ref] for ref in [*refnames, name] if ref in refs)
        if not tips and HEX.fullmatch(name):
            sha = self.resolve([name])[0]
            tips = {sha: None} if sha else {}
        return Trunk(name, tuple(tips)) if tips else None

    def _refs(self) -> dict[str, str]:
        """Name → commit, of tags what they point to; `symbolic NAME` → the name that it stands for."""
        form = "--format=%(refname)%00%(objectname)%00%(*objectname)%00%(symref)"
        rows = [line.split("\0") for line in self.run("for-each-ref", form).decode(errors="replace").splitlines()]
        refs = {name: peeled or sha for name, sha, peeled, _ in rows}
        return refs | {f"symbolic {name}": target for name, _, _, target in rows if target}

    def branch_tips(self) -> dict[str, list[str]]:
        """Commit → the branches that end there: local and remote ones, pull requests, and detached work trees."""
        tips: dict[str, list[str]] = {}
        for ref, sha in self._refs().items():
            for kind in ("refs/heads/", "refs/remotes/", "refs/pull/"):
                if ref.startswith(kind) and not ref.endswith("/HEAD"):
                    prefix = "refs/" if kind == "refs/pull/" else kind
                    tips.setdefault(sha, []).append(ref.removeprefix(prefix).removesuffix("/head"))
        for sha in self._detached():
            tips.setdefault(sha, ["(detached)"])
        return tips

    def newest_commit(self) -> int:
        """When the last commit was made that any branch ends with, in seconds; 0 without any."""
        options = ("--sort=-committerdate", "--count=1", "--format=%(committerdate:unix)")
        seconds = self.line("for-each-ref", *options, "refs/heads", "refs/remotes", "refs/pull")
        return int(seconds) if seconds and seconds.isdigit() else 0

    def _detached(self) -> list[str]:
        """The commits that are checked out in some work tree without being on a branch."""
        trees = (self.line("worktree", "list", "--porcelain") or "").split("\n\n")
        heads = [re.search(r"^HEAD ([0-9a-f]{40,64})$", tree, re.MULTILINE) for tree in trees if "\ndetached" in tree]
        return [head[1] for head in heads if head and set(head[1]) != {"0"}]

    # ── commits ─────────────────────────────────────────────────────────────────────────────────────────────

    def parents(self, sha: str) -> list[str]:
        """What a commit was built on."""
        return (self.line("rev-parse", f"{sha}^@") or "").split()

    def resolve(self, names: Sequence[str]) -> list[str | None]:
        """The full id of each commit; None where there is none, or more than one."""
        safe_names = [name if name and not set(name) & set("\n\r\0") else "" for name in names]
        lines = "".join(f"{name}^{{commit}}\n" if name else "-\n" for name in safe_names)
        answer = self.run("cat-file", "--batch-check=%(objecttype) %(objectname)", feed=os.fsencode(lines))
        return [_resolved(line) for line in _answers(answer, len(safe_names))]

    def log(self, tips: Sequence[str], *, without: Sequence[str] = (), by_date: bool = False) -> list[Commit]:
        """The commits reachable from the tips, the newest first, with the files that each changed."""
        if not tips:
            return []
        flags = ["-z", "--no-renames", "--name-status", "--encoding=UTF-8", _FORMAT, "--stdin"]
        flags += [] if by_date else ["--topo-order"]
        wanted = ("\n".join([*tips, *(f"^{sha}" for sha in without)]) + "\n").encode()
        try:
            return list(_commits(stream_git(self.root, "log", *flags, feed=wanted)))
        except GitFailed:
            if not self.partial:
                raise
            # Without trees nobody knows which files a commit changes; what it says is still here.
            flags.remove("--name-status")
            return list(_commits(stream_git(self.root, "log", *flags, feed=wanted)))

    def outline(self, tips: Sequence[str], *, without: Sequence[str]) -> Iterator[tuple[str, list[str], int, str]]:
        """(commit, parents, time, subject) of what the tips have and the others have not, children before parents."""
        if not tips:
            return
        wanted = "\n".join([*tips, *(f"^{sha}" for sha in without)]) + "\n"
        form = "--format=%H%x00%P%x00%ct%x00%s"
        answer = self.run("log", "--topo-order", "--encoding=UTF-8", form, "--stdin", feed=wanted.encode())
        for row in answer.decode(errors="replace").split("\n"):
            sha, parents, time, subject = (row.split("\0") + [""] * 3)[:4]
            if time:
                yield sha, parents.split(), int(time), subject

    def times(self, shas: Sequence[str]) -> dict[str, int]:
        """When each commit was made, in seconds."""
        if not shas:
            return {}
        listed = self.run("log", "--no-walk=unsorted", "--format=%H %ct", "--stdin", feed=_lines(shas)).decode()
        return {row[0]: int(row[1]) for row in (line.split() for line in listed.splitlines())}

    def authors(self, shas: Sequence[str]) -> dict[str, str]:
        """Who wrote each commit, by the name alone."""
        answer = self.run(
            "log", "--no-walk=unsorted", "--encoding=UTF-8", "--format=%H %an", "--stdin", feed=_lines(shas)
        )
        rows = (line.partition(" ") for line in answer.decode(errors="replace").split("\n"))
        return {sha: name.strip() or "no name" for sha, _, name in rows if sha}

    def shown_files(self, shas: Sequence[str]) -> dict[str, list[str]]:
        """The files as `git show --name-only` lists them: renames by their new name, merges by their conflicts."""
        if not shas:
            return {}
        answer = self.run("diff-tree", "--stdin", "-r", "-z", "--root", "-M", "-c", "--name-status", feed=_lines(shas))
        return {sha: [names[-1] for names in changes] for sha, changes in _changes(answer)}

    def files_between(self, pairs: Sequence[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
        """Commit → the files in which it differs from the commit named beside it."""
        if not pairs:
            return {}
        flags = ["--stdin", "-r", "-z", "--no-renames", "--name-status"]
        answer = self.run("diff-tree", *flags, feed=_lines(f"{sha} {other}" for sha, other in pairs))
        return {sha: tuple(names[-1] for names in changes) for sha, changes in _changes(answer)}

    def blobs(self, names: Iterable[str]) -> list[str | None]:
        """The id of the file at each `<commit>:<path>`; None where there is none."""
        wanted = list(names)
        request = "".join(f"{name}\n" if "\n" not in name else "-\n" for name in wanted)
        answer = self.run("cat-file", "--batch-check=%(objecttype) %(objectname)", feed=os.fsencode(request))
        rows = [line.split(b" ") for line in _answers(answer, len(wanted))]
        return [row[1].decode() if row[0] == b"blob" and _FULL.fullmatch(row[1]) else None for row in rows]

    def content(self, names: Sequence[str]) -> list[bytes | None]:
        """What stands at each `<commit>:<path>`; None where nothing does. A tree comes as git stores it."""
        if not names:
            return []
        request = "".join(f"{name}\n" if "\n" not in name else "-\n" for name in names)
        answer = self.run("cat-file", "--batch=%(objectsize)", feed=os.fsencode(request))
        contents: list[bytes | None] = []
        at = 0
        for _ in names:
            end = answer.index(b"\n", at)
            size, at = answer[at:end], end + 1
            if size.isdigit():
                contents.append(answer[at : at + int(size)])
                at += int(size) + 1
            else:
                contents.append(None)
        return contents

    def patch_ids(self, commits: Iterable[tuple[str, str | None]], *, inverse: bool = False) -> dict[str, str]:
        """Commit → id of its patch: against the commit named beside it, else against its parent.

        In a partial clone, where files may be missing, the ids of the files before and after stand for the patch.
        """
        wanted = [sha if against is None else f"{sha} {against}" for sha, against in commits]
        # An inverse patch names its two sides the other way round, and the names are part of the id.
        turned = ["-R", "--src-prefix=b/", "--dst-prefix=a/"] if inverse else []
        flags = ["--stdin", "-p", "-r", "--root", "--no-renames", "--full-index", *turned]
        if not wanted:
            return {}
        if self.partial:
            return self._change_ids(wanted, inverse=inverse)
        try:
            listed = pipe_git(self.root, ["diff-tree", *flags], ["patch-id", "--stable"], _lines(wanted))
        except GitFailed:  # a file of some commit is missing: that commit has no patch, the others have
            listed = b"".join(
                self.run("patch-id", "--stable", feed=self._patches(wanted[start : start + _PATCHES_AT_ONCE], flags))
                for start in range(0, len(wanted), _PATCHES_AT_ONCE)
            )
        return {row[1]: row[0] for row in (line.split() for line in listed.decode().splitlines())}

    def _change_ids(self, wanted: Sequence[str], *, inverse: bool) -> dict[str, str]:
        """Commit → digest of what it changes: each path with its file's id before and after."""
        flags = ["--stdin", "-r", "-z", "--root", "--no-renames", "--raw", "--no-abbrev"]
        changes_by_commit: dict[str, list[bytes]] = {}
        sha, row = "", b""
        for token in _tokens(stream_git(self.root, "diff-tree", *flags, feed=_lines(wanted))):
            if _FULL.fullmatch(token):
                sha = token.decode()
            elif row:
                before, after = row.split()[2:4]
                sides = [after, before] if inverse else [before, after]
                changes_by_commit.setdefault(sha, []).append(b" ".join([*sides, token]))
                row = b""
            elif token.startswith(b":"):
                row = token
        return {sha: sha256(b"\0".join(sorted(changes))).hexdigest() for sha, changes in changes_by_commit.items()}

    def patches(self, shas: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Commit and patch, one after the other, of those whose files are here."""
        flags = ["--stdin", "-p", "-r", "--root", "--no-renames", "--unified=0"]
        for start in range(0, len(shas), _SHOWN_AT_ONCE):
            answer = self._patches(shas[start : start + _SHOWN_AT_ONCE], flags).decode(errors="replace")
            parts = re.split(r"^([0-9a-f]{40}(?:[0-9a-f]{24})?)$", answer, flags=re.MULTILINE)
            yield from zip(parts[1::2], parts[2::2], strict=True)

    def _patches(self, wanted: Sequence[str], flags: Sequence[str]) -> bytes:
        if not wanted:
            return b""
        try:
            return self.run("diff-tree", *flags, feed=_lines(wanted))
        except GitFailed:
            # A file of some commit is missing from the repository: that commit has no patch, the others have.
            half = len(wanted) // 2
            return self._patches(wanted[:half], flags) + self._patches(wanted[half:], flags) if half else b""


def _lines(shas: Iterable[str]) -> bytes:
    return "".join(f"{sha}\n" for sha in shas).encode()


def _answers(answer: bytes, count: int) -> list[bytes]:
    return answer.split(b"\n")[:count]


def _resolved(line: bytes) -> str | None:
    kind, _, sha = line.partition(b" ")
    return sha.decode() if kind == b"commit" and _FULL.fullmatch(sha) else None


def _tokens(pieces: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\0")
        yield from whole
    yield rest


def _commits(pieces: Iterable[bytes]) -> Iterator[Commit]:
    """Four fields a commit, then pairs of a status letter and a name. A name cannot hold the separator."""
    tokens = _tokens(pieces)
    names: dict[bytes, str] = {}  # a name is kept once, however many commits change the file
    token = next(tokens, b"")
    while (sha := token.lstrip(b"\n")) != b"":
        parents, time, message = next(tokens), next(tokens), next(tokens)
        files = []
        token = next(tokens, b"")
        if token == b"":
            token = next(tokens, b"")
        while token.strip() and len(token.lstrip(b"\n")) < 5:
            name = next(tokens)
            files.append(names.setdefault(name, os.fsdecode(name)))
            token = next(tokens, b"")
        text = message.decode(errors="replace")
        yield Commit(sha.decode(), tuple(parents.decode().split()), int(time), text[:_LONGEST_MESSAGE], tuple(files))


def _changes(answer: bytes) -> Iterator[tuple[str, list[list[str]]]]:
    tokens = answer.split(b"\0")
    at, sha, changes = 0, "", list[list[str]]()
    while at < len(tokens) - 1:
        if _FULL.fullmatch(tokens[at]):
            if sha:
                yield sha, changes
            sha, changes = tokens[at].decode(), []
            at += 1
            continue
        names = 2 if tokens[at][:1] in b"RC" and tokens[at][1:].isdigit() else 1
        changes.append([os.fsdecode(name) for name in tokens[at + 1 : at + 1 + names]])
        at += 1 + names
    if sha:
        yield sha, changes


# ── remembered between runs ─────────────────────────────────────────────────────────────────────────────────────


class _Remembered(msgspec.Struct, array_like=True):
    format: int
    tips: tuple[str, ...]
    commits: list[Commit]


@dataclass(frozen=True, slots=True)
class History:
    """A repository with its trunk's commits, the newest first; without any where no trunk was found."""

    repository: Repository
    trunk: Trunk | None
    commits: list[Commit]


def read_history(repo: Path, trunk: str | None, cache: Path | None) -> History:
    """Find the trunk and read it; `cache` is a folder. Raises Refused and GitFailed."""
    repository = Repository(repo)
    found_trunk = repository.trunk(trunk)
    name = sha256(str(repository.top.resolve()).encode(errors="surrogatepass")).hexdigest()[:20]
    kept = cache / f"history-{name}.msgpack" if cache else None
    return History(repository, found_trunk, remembered_log(repository, found_trunk.tips, kept) if found_trunk else [])


def remembered_log(repository: Repository, tips: Sequence[str], cache: Path | None) -> list[Commit]:
    """`Repository.log`, cached: only commits that are new since the last call are read. Commits never change.

    Those of a shallow clone do: they have their parents once it is made whole.
    """
    if cache is None or repository.cut_off():
        return repository.log(tips)
    known = _recall(cache)
    if known is not None and known.tips == tuple(tips):
        return known.commits
    commits = (_continued(repository, known, tips) if known else None) or repository.log(tips)
    try:
        cache.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(cache, msgspec.msgpack.encode(_Remembered(_CACHE_FORMAT, tuple(tips), commits)), private=True)
    except (OSError, Refused, UnicodeEncodeError):
        pass  # a cache that cannot be written costs time and nothing else
    return commits


def _recall(cache: Path) -> _Remembered | None:
    try:
        remembered = msgspec.msgpack.decode(cache.read_bytes(), type=_Remembered)
    except (OSError, msgspec.MsgspecError, ValueError):
        return None
    return remembered if remembered.format == _CACHE_FORMAT else None


def _continued(repository: Repository, known: _Remembered, tips: Sequence[str]) -> list[Commit] | None:
    """What is known and what is new, in the order in which the whole log has it; None when that takes more."""
    try:
        new = repository.log(tips, without=known.tips)
    except GitFailed:
        return None
    commits = {commit.sha: commit for commit in [*known.commits, *new]}
    order = repository.run("rev-list", "--topo-order", "--stdin", feed=_lines(tips)).decode().split()
    return [commits[sha] for sha in order] if all(sha in commits for sha in order) else None
