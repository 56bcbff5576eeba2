"""Which files a task may write: `write_scope` in the plans' TASKS.yaml, and whether a path lies inside it."""

import posixpath
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from gnomon.model.yamltree import BadYaml, Mapping, Scalar, Series, read
from gnomon.outcome.gitfacts import Repository
from gnomon.outcome.regular import read_regular

PLANS = ".agents/workflow/plans"
ARCHIVED_PLANS = ".agents/history"
_NO_PLAN = frozenset({"", "n/a", "none"})
_LARGEST_FILE = 8 * 2**20

Tell = Callable[[str, str], None]  # which plan, and what is wrong with it
Scopes = dict[str, tuple[str, ...]]  # task id → its write_scope, where that is not empty


def scopes_of(data: bytes) -> Scopes:
    """The tasks of a plan that declare a scope. Raises BadYaml."""
    root = read(data)
    tasks = root.items.get("tasks") if isinstance(root, Mapping) else None
    scopes: Scopes = {}
    for task in tasks.items if isinstance(tasks, Series) else []:
        id = task.items.get("id") if isinstance(task, Mapping) else None
        listed = task.items.get("write_scope") if isinstance(task, Mapping) else None
        if isinstance(id, Scalar) and isinstance(listed, Series):
            entries = tuple(entry.text for entry in listed.items if isinstance(entry, Scalar) and not entry.null)
            if entries:
                scopes.setdefault(id.text, entries)
    return scopes


def plans_on_disk(root: Path, folder: str = PLANS, *, tell: Tell | None = None) -> list[tuple[str, Scopes]]:
    """(where, scopes) of every plan in the work tree, in the order of their paths. Bad ones declare nothing."""
    plans = []
    for path in sorted((root / folder).glob("*/TASKS.yaml")):
        where = path.relative_to(root).as_posix()
        try:
            plans.append((where, scopes_of(read_regular(path, _LARGEST_FILE, within=root))))
        except (OSError, BadYaml) as bad:
            if tell:
                tell(where, (bad.strerror or str(bad)) if isinstance(bad, OSError) else str(bad))
    return plans


def exact_in_scope(path: str, scope: Sequence[str]) -> bool:
    """The original's test: a trailing slash means a folder, anything else exactly that file."""
    cleaned = posixpath.normpath(path)
    for entry in (entry.strip() for entry in scope):
        if not entry:
            continue
        if entry.endswith("/"):
            prefix = posixpath.normpath(entry)
            if prefix not in (".", "/") and (cleaned == prefix or cleaned.startswith(prefix + "/")):
                return True
        elif cleaned == posixpath.normpath(entry):
            return True
    return False


def in_scope(path: str, scope: Sequence[str]) -> bool:
    """Folders with or without a slash, files, and globs (`*` within a folder, `**` across)."""
    return any(_pattern(entry).fullmatch(path) for entry in scope)


def leaves_repository(entry: str) -> bool:
    cleaned = posixpath.normpath(entry.strip() or ".")
    return cleaned == ".." or cleaned.startswith(("/", "../"))


@lru_cache(maxsize=4096)
def _pattern(entry: str) -> re.Pattern[str]:
    cleaned = posixpath.normpath(entry.strip()) if entry.strip() else ""
    if not cleaned or leaves_repository(cleaned):
        return re.compile(r"(?!)")
    if cleaned == ".":
        return re.compile(r".*", re.DOTALL)
    parts = [_glob(part) for part in re.findall(r"\*\*/?|\*|\?|[^*?]+", cleaned)]
    return re.compile("".join(parts) + r"(?:/.*)?", re.DOTALL)


def _glob(part: str) -> str:
    return {"**": ".*", "**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}.get(part, re.escape(part))


@dataclass(frozen=True, slots=True)
class Declared:
    """The scope of a task, and where it was read."""

    scope: tuple[str, ...]
    where: str


@dataclass(slots=True)
class PlansAtCommits:
    """Plans as they were at a commit, asked for in rounds: the plan that the entry names, then all others."""

    repository: Repository
    root: Path
    tell: Tell
    _parsed: dict[bytes, Scopes] = field(default_factory=dict)

    def find(self, wanted: Iterable[tuple[str, str, str]]) -> dict[tuple[str, str, str], Declared]:
        """(commit, wave, task) → what was declared. What is not found at its commit is looked up on the disk."""
        open_ones = list(dict.fromkeys(wanted))
        declared = self._by_wave(open_ones)
        declared |= self._by_any_plan([key for key in open_ones if key not in declared])
        on_disk = []
        if len(declared) < len(open_ones):
            on_disk = [
                plan for folder in (PLANS, ARCHIVED_PLANS) for plan in plans_on_disk(self.root, folder, tell=self.tell)
            ]
        for key in open_ones:
            if key not in declared:
                at = next(((where, scopes) for where, scopes in on_disk if key[2] in scopes), None)
                if at is not None:
                    declared[key] = Declared(at[1][key[2]], f"{at[0]} of today")
        return declared

    def _by_wave(self, keys: Sequence[tuple[str, str, str]]) -> dict[tuple[str, str, str], Declared]:
        named = [key for key in keys if key[1].strip().lower() not in _NO_PLAN and re.fullmatch(r"[\w.-]+", key[1])]
        paths = [f"{sha}:{PLANS}/{wave}/TASKS.yaml" for sha, wave, _ in named]
        declared = {}
        for key, data in zip(named, self.repository.content(paths), strict=True):
            scope = self._scopes(data, key[1]).get(key[2]) if data is not None else None
            if scope:
                declared[key] = Declared(scope, f"plan {key[1]} at the commit")
        return declared

    def _by_any_plan(self, keys: Sequence[tuple[str, str, str]]) -> dict[tuple[str, str, str], Declared]:
        commits = list(dict.fromkeys(sha for sha, _, _ in keys))
        trees = dict(zip(commits, self.repository.content([f"{sha}:{PLANS}" for sha in commits]), strict=True))
        names: dict[bytes, list[str]] = {}
        plan_paths: list[tuple[bytes, str]] = []
        for sha, tree in trees.items():
            if tree is not None and tree not in names:
                names[tree] = sorted(_folders(tree, len(sha) // 2))
                plan_paths += [(tree, f"{sha}:{PLANS}/{name}/TASKS.yaml") for name in names[tree]]
        contents = iter(self.repository.content([path for _, path in plan_paths]))
        plans: dict[bytes, list[tuple[str, Scopes]]] = {}
        for tree, path in plan_paths:
            data = next(contents)
            name = path.rsplit("/", 2)[1]
            plans.setdefault(tree, []).append((name, self._scopes(data, name) if data is not None else {}))
        return {key: declared for key in keys if (declared := _first(plans.get(trees[key[0]] or b"", []), key[2]))}

    def _scopes(self, data: bytes, plan: str) -> Scopes:
        if data not in self._parsed:
            try:
                self._parsed[data] = scopes_of(data)
            except BadYaml as bad:
                self._parsed[data] = {}
                self.tell(f"{PLANS}/{plan}/TASKS.yaml", str(bad))
        return self._parsed[data]


def _first(plans: Sequence[tuple[str, Scopes]], task: str) -> Declared | None:
    return next(
        (Declared(scopes[task], f"plan {name} at the commit") for name, scopes in plans if task in scopes), None
    )


def _folders(tree: bytes, id_bytes: int) -> Iterable[str]:
    """The names of the folders in a tree object: `mode name NUL id`, one after the other."""
    at = 0
    while at < len(tree):
        end = tree.index(b"\0", at)
        mode, _, name = tree[at:end].partition(b" ")
        if mode == b"40000":
            yield name.decode(errors="surrogateescape")
        at = end + 1 + id_bytes
