"""Task packages on disk: load, verify, seal, write, hash.

FOLDER/
  package.yaml     family: tasks, the package's name, and the policy that every agent is given
  world.yaml       the JSON world at the beginning
  tools.yaml       what the agent may call, and what that does to the world
  tasks/ID.yaml    one task each: what is asked, who answers, and what counts
  manifest.json    optional: the hashes

Every file may be JSON instead (`.json`). YAML is read with JSON's types only: dates and `no` are texts. Reading is
lenient where nothing is at stake: unknown keys and files are noted. Writing is not. A task's `content_hash`
covers what decides its runs and scores, and nothing else, so that a change of one task leaves the runs of the others
valid; the `package_hash` covers every byte but the manifest's.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from pydantic import Field

from gnomon.atomicfile import open_atomically
from gnomon.bench import packagefiles
from gnomon.bench.family import Verified
from gnomon.bench.packagefiles import MANIFEST, Contents, json_bytes, named_in_refusals, read_folder, refuse, wrong
from gnomon.bench.tasks import paths
from gnomon.bench.tasks.nouns import (
    FAMILY,
    PackageFile,
    TaskFile,
    TaskManifest,
    TaskTool,
    ToolsFile,
    unknown_keys,
)
from gnomon.bench.tasks.soundness import task_problems, tool_problems
from gnomon.bench.tasks.world import World
from gnomon.errors import Problem, Refused
from gnomon.model import jsonvalue
from gnomon.model.tools import Data
from gnomon.model.yamltree import BadYaml, as_json, read

PACKAGE, WORLD, TOOLS, TASKS = "package", "world", "tools", "tasks"
ENDINGS = (".yaml", ".yml", ".json")
_JSON_NAMES = {stem: f"{stem}.json" for stem in (PACKAGE, WORLD, TOOLS)}
_Kind = TypeVar("_Kind", bound=Data)


@dataclass(frozen=True)
class TaskPackage:
    """Ten tasks or so over one world with one set of tools."""

    about: PackageFile
    world: World = field(repr=False)
    tools: dict[str, TaskTool] = field(repr=False)
    tasks: dict[str, TaskFile] = field(repr=False)
    path: Path | None = None
    package_hash: str = ""
    notes: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.about.name

    def task(self, task_id: str) -> "Task":
        return Task(self, task_id, self.tasks[task_id])

    def all_tasks(self) -> list["Task"]:
        return [self.task(task_id) for task_id in self.tasks]


@dataclass(frozen=True)
class Task:
    """One task with all that its package gives it: the unit that is run and scored."""

    package: TaskPackage = field(repr=False)
    task_id: str
    file: TaskFile = field(repr=False)

    @property
    def scenario_id(self) -> str:
        return f"{self.package.name}.{self.task_id}"

    @property
    def tools(self) -> Mapping[str, TaskTool]:
        return self.package.tools

    @cached_property
    def world(self) -> World:
        """The world as it is when the task begins."""
        world = self.package.world
        for path, value in self.file.changes.items():
            world = paths.with_value(world, paths.parse(path), value)
        return world

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 of everything that decides a run or its score: a summary does not."""
        decisive = {
            "policy": self.package.about.policy,
            "world": self.world,
            "tools": [_decisive(tool) for tool in self.tools.values()],
            "task": _decisive(self.file, leave_out={"summary", "id", "changes"}),
        }
        return hashlib.sha256(jsonvalue.canonical(decisive).encode()).hexdigest()


def _decisive(noun: Data, leave_out: Iterable[str] = ()) -> dict[str, Any]:
    """The known fields that say something: a default that is written out changes no hash."""
    known = noun.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude=set(leave_out))
    return {key: value for key, value in known.items() if key not in (noun.model_extra or {})}


class VerifiedTasks(Verified):
    """What a task package is, with its hashes checked."""

    package: str = Field(description="Name of the package")
    title: str = Field(description="For people")
    tasks: int = Field(description="How many tasks it has")
    tools: int = Field(description="How many tools an agent may call")
    with_user: int = Field(description="Tasks with a simulated user")
    sealed: bool = Field(description="Whether there is a manifest with hashes, which were checked")
    content_hashes: dict[str, str] = Field(description="SHA-256 of what decides a task, by task")
    package_hash: str = Field(description="SHA-256 over every file but the manifest")

    def lines(self) -> list[str]:
        size = f"{self.tasks} tasks, {self.with_user} with a simulated user, {self.tools} tools"
        hashes = [f"content hash {digest} of {task}" for task, digest in self.content_hashes.items()]
        checked = "checked with the manifest" if self.sealed else "there is no manifest to check it with"
        return [f"{self.package} is whole: {size}", *hashes, f"package hash {self.package_hash}, {checked}"]


def is_task_package(folder: Path) -> bool:
    """Whether a folder claims to be one; `load` says whether it is sound."""
    return any((folder / f"{PACKAGE}{ending}").is_file() for ending in ENDINGS)


def load(folder: Path) -> TaskPackage:
    """The package in a folder, hashes checked where it has a manifest. Whatever is wrong with it is one `Refused`."""
    with named_in_refusals(folder):
        return _parsed(read_folder(folder), folder)


def verify(folder: Path) -> VerifiedTasks:
    package = load(folder)
    return VerifiedTasks(
        family=FAMILY,
        package=package.name,
        title=package.about.title,
        tasks=len(package.tasks),
        tools=len(package.tools),
        with_user=sum(task.user is not None for task in package.tasks.values()),
        sealed=(folder / MANIFEST).is_file(),
        content_hashes={task.task_id: task.content_hash for task in package.all_tasks()},
        package_hash=package.package_hash,
        notes=package.notes,
    )


def seal(folder: Path) -> TaskPackage:
    """Write the manifest of a package as it is now; a manifest that is there is replaced."""
    with named_in_refusals(folder):
        contents = read_folder(folder)
        contents.files.pop(MANIFEST, None)
        package = _parsed(contents, folder)
    try:
        with open_atomically(folder / MANIFEST) as file:
            file.write(_manifest(package, contents))
    except OSError as bad:
        raise wrong(f"cannot write {folder / MANIFEST}: {bad.strerror or bad}") from None
    return load(folder)


def write(package: TaskPackage, folder: Path) -> Path:
    """Write a package as JSON files, as a whole or not at all, with its manifest.

    A folder that holds the same package already is left as it is; one that holds anything else is refused.
    """
    refuse([Problem(at, "unknown_key", f"{at} is not a known key; remove it") for at in _unknown(package, _JSON_NAMES)])
    contents = _composed(package)
    parsed = _parsed(contents, folder)
    contents.files[MANIFEST] = _manifest(parsed, contents)
    try:
        if folder.is_dir() and any(folder.iterdir()):
            if _holds(folder, parsed.package_hash):
                return folder
            raise wrong(f"{folder} holds something else already; remove it or name another folder")
        packagefiles.write_folder(contents, folder)
    except OSError as bad:
        raise wrong(f"cannot write {folder}: {bad.strerror or bad}") from None
    return folder


def _holds(folder: Path, package_hash: str) -> bool:
    try:
        return load(folder).package_hash == package_hash
    except Refused:
        return False


def _composed(package: TaskPackage) -> Contents:
    values: dict[str, Any] = {
        f"{PACKAGE}.json": _written(package.about),
        f"{WORLD}.json": package.world,
        f"{TOOLS}.json": {"tools": [_written(tool) for tool in package.tools.values()]},
        **{f"{TASKS}/{task_id}.json": _written(task) for task_id, task in package.tasks.items()},
    }
    return Contents({name: json_bytes(name, value) for name, value in values.items()}, {TASKS})


def _written(noun: Data) -> dict[str, Any]:
    return noun.model_dump(mode="json", by_alias=True, exclude_unset=True)


def _manifest(package: TaskPackage, contents: Contents) -> bytes:
    manifest = TaskManifest(
        package_hash=package.package_hash,
        content_hashes={task.task_id: task.content_hash for task in package.all_tasks()},
        files=packagefiles.digests(contents.files),
    )
    return json_bytes(MANIFEST, manifest.model_dump(mode="json"))


# --- from bytes to nouns -----


def _parsed(contents: Contents, folder: Path) -> TaskPackage:
    files = {name: _only(contents, name) for name in (PACKAGE, WORLD, TOOLS)}
    about = _noun(contents, files[PACKAGE], PackageFile)
    world = _value(contents, files[WORLD])
    if not isinstance(world, dict):
        raise wrong(f"{files[WORLD]} is not an object; a world has keys with values")
    tools = _noun(contents, files[TOOLS], ToolsFile).tools
    refuse([*_task_name_problems(contents), *tool_problems(files[TOOLS], tools, world)])
    named = {tool.name: tool for tool in tools}
    tasks = {name: _noun(contents, name, TaskFile) for name in _task_files(contents)}
    refuse([problem for name, task in tasks.items() for problem in task_problems(name, task, named, world)])
    package = TaskPackage(
        about, world, named, {_stem(name): task for name, task in tasks.items()}, folder,
        packagefiles.hash_of(packagefiles.digests(contents.files)),
    )  # fmt: skip
    _check_manifest(package, contents)
    package.notes.extend(_notes(package, contents, files))
    return package


def _only(contents: Contents, stem: str) -> str:
    """The one file of this name, whichever ending it has."""
    names = [f"{stem}{ending}" for ending in ENDINGS if f"{stem}{ending}" in contents.files]
    if not names:
        raise wrong(f"{stem}.yaml is missing; a task package has it, or {stem}.json")
    if len(names) > 1:
        raise wrong(f"{' and '.join(names)} say the same twice; remove one of them")
    return names[0]


def _task_files(contents: Contents) -> list[str]:
    names = [name for name in contents.files if name.startswith(f"{TASKS}/") and name.endswith(ENDINGS)]
    if not names:
        raise wrong(f"{TASKS}/ has no task; a package has at least one {TASKS}/ID.yaml")
    return sorted(name for name in names if name.count("/") == 1 and not _stem(name).startswith("."))


def _stem(name: str) -> str:
    return name.rpartition("/")[2].rpartition(".")[0]


def _task_name_problems(contents: Contents) -> Iterable[Problem]:
    seen: dict[str, str] = {}
    for name in _task_files(contents):
        other = seen.setdefault(_stem(name).lower(), name)
        if other != name:
            yield Problem(name, "duplicate", f"{name}: {other} is the same task; rename one of them")


def _value(contents: Contents, name: str) -> Any:
    if name.endswith(".json"):
        return packagefiles.read_json(contents, name)
    try:
        return as_json(read(contents.files[name]))
    except BadYaml as bad:
        raise wrong(f"{name} cannot be read: {bad}") from None


def _noun(contents: Contents, name: str, kind: type[_Kind]) -> _Kind:
    value = _value(contents, name)
    if not isinstance(value, dict):
        raise wrong(f"{name} is not an object; it has keys with values")
    return packagefiles.checked_noun(kind, value, name)


def _check_manifest(package: TaskPackage, contents: Contents) -> None:
    if MANIFEST not in contents.files:
        return
    manifest = _noun(contents, MANIFEST, TaskManifest)
    packagefiles.check_package_hash(contents, manifest.package_hash, manifest.files)
    for task in package.all_tasks():
        if manifest.content_hashes.get(task.task_id) != task.content_hash:
            words = f"{MANIFEST}: the content hash of {task.task_id} is not {task.content_hash}; seal the package anew"
            raise wrong(words)


def _unknown(package: TaskPackage, files: Mapping[str, str]) -> list[str]:
    """Unknown keys, with file and place; `files` are the names of the files by what they hold."""
    nouns: list[tuple[str, Data]] = [(files[PACKAGE], package.about)]
    nouns += [(f"{files[TOOLS]}: {tool.name}", tool) for tool in package.tools.values()]
    nouns += [
        (files.get(f"{TASKS}/{task_id}", f"{TASKS}/{task_id}.json"), task) for task_id, task in package.tasks.items()
    ]
    return [at for name, noun in nouns for at in unknown_keys(noun, name)]


def _notes(package: TaskPackage, contents: Contents, files: Mapping[str, str]) -> Iterable[str]:
    tasks = {f"{TASKS}/{_stem(name)}": name for name in _task_files(contents)}
    known = {*files.values(), *tasks.values(), MANIFEST, "README.md"}
    for name in sorted(contents.files):
        if name not in known:
            yield f"{name} is not a file of a task package; it is left aside"
    for at in _unknown(package, {**files, **tasks}):
        yield f"{at} is not a known key; it is left aside"
    if MANIFEST not in contents.files:
        yield "there is no manifest, so a change would not be seen; `gnomon bench seal` writes one"
