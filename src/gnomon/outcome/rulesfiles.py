"""The files of rules that coding agents read: which there were, and a digest of what they said.

A digest is over the text with plain line ends, so that a checkout on Windows has the same.
"""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path, PurePosixPath

from gnomon.model.iterationfacts import RulesFile
from gnomon.outcome.gitfacts import Repository
from gnomon.outcome.gitrun import GitFailed
from gnomon.outcome.regular import read_regular

NAMES = (
    "AGENTS.md",
    "AGENTS.override.md",
    "CLAUDE.md",
    "CLAUDE.local.md",
    ".claude/CLAUDE.md",
    "GEMINI.md",
    ".cursorrules",
    ".windsurfrules",
    ".github/copilot-instructions.md",
)
_LARGEST_FILE = 2**20
_COMMITS_AT_ONCE = 1_000


def in_work_tree(top: Path, folder: Path) -> tuple[RulesFile, ...]:
    """The rules files of a folder and of those around it, up to the top of the repository."""
    kept = []
    for path in _candidates(top, folder):
        try:
            content = read_regular(top / path, _LARGEST_FILE, within=top)
        except OSError:
            continue
        kept.append(RulesFile(path, _digest(content)))
    return tuple(kept)


def at_commits(repository: Repository, commits: Sequence[str]) -> dict[str, tuple[RulesFile, ...]]:
    """Commit → the rules files at the top of its tree. Git is asked for many at a time, and each text is read once."""
    files: dict[str, tuple[RulesFile, ...]] = {}
    digests: dict[str | None, str] = {}
    known: dict[tuple[RulesFile, ...], tuple[RulesFile, ...]] = {}  # thousands of commits share a few
    for start in range(0, len(commits), _COMMITS_AT_ONCE):
        wanted = [(sha, name) for sha in commits[start : start + _COMMITS_AT_ONCE] for name in NAMES]
        try:
            blobs = repository.blobs(f"{sha}:{name}" for sha, name in wanted)
            digests |= _digests(repository, [blob for blob in blobs if blob and blob not in digests])
        except GitFailed:  # a partial clone has no trees, and nothing is fetched
            return {}
        for (sha, name), blob in zip(wanted, blobs, strict=True):
            own = (RulesFile(name, digests[blob]),) if blob in digests else ()
            rules = (*files.get(sha, ()), *own)
            files[sha] = known.setdefault(rules, rules)
    return files


def _digests(repository: Repository, blobs: Sequence[str]) -> dict[str | None, str]:
    distinct = list(dict.fromkeys(blobs))
    texts = zip(distinct, repository.content(distinct), strict=True)
    return {blob: _digest(text) for blob, text in texts if text is not None}


def _candidates(top: Path, folder: Path) -> list[str]:
    """Where rules may stand, the repository's top first."""
    try:
        inside = PurePosixPath(folder.resolve().relative_to(top.resolve()).as_posix())
    except ValueError:
        inside = PurePosixPath()
    folders = dict.fromkeys([PurePosixPath(), *reversed([inside, *inside.parents])])
    return [(parent / name).as_posix() for parent in folders for name in NAMES]


def _digest(content: bytes) -> str:
    return sha256(content.replace(b"\r\n", b"\n")).hexdigest()
