"""Scenario packages on disk: load, verify, write, hash.

FOLDER/
  manifest.json     both hashes, which file has which, and what made the package
  scenario.json     whose day it is, kind and tier, where the anomaly begins
  heartbeats.json   the day, beat by beat
  tools.json        what the agent may call
  persona.md        how the simulated user answers
  memories/KEY.md   what the agent remembers at the start
  answer_key.json   optional: what counts, for scorers only

`content_hash` is the first published one: it covers the values of the beats and nothing else, so those packages
verify. `package_hash` covers every other byte. Reading is lenient where nothing is at stake: keys and files that
nobody knows are told in `notes`. Writing is not: what could not be read back without a note on it is refused.
Nothing here looks for hints; hints.py does.
"""

import hashlib
import json
import os
import re
import secrets
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gnomon.bench.soundness import (
    ANSWERS,
    BEATS,
    MANIFEST,
    MEMORIES,
    META,
    PERSONA,
    TOOLS,
    is_safe_name,
    list_problems,
    notes,
    problems,
    unknown_keys,
)
from gnomon.errors import InvalidInput, Problem, Refused
from gnomon.model import jsonvalue
from gnomon.model.scenario import (
    AnswerKey,
    HeartbeatPayload,
    MemoryFile,
    ScenarioManifest,
    ScenarioMeta,
    ScenarioPackage,
    Tier,
    ToolDefinition,
)

CODE = "INVALID_PACKAGE"
REQUIRED = (MANIFEST, META, BEATS, TOOLS, PERSONA)
LARGEST_FILE = 16 << 20
LARGEST_PACKAGE = 64 << 20
MOST_FILES = 1_000
MOST_VALUES = 200_000
"""In one JSON file. A day with all modules has about 20,000."""
_DEEPEST_FOLDER = 5
_Kind = TypeVar("_Kind", bound=BaseModel)


@dataclass(frozen=True)
class Scenario:
    """A package, where it lies, what counts in it, and what a reader should know about it."""

    path: Path | None
    package: ScenarioPackage = field(repr=False)  # half a megabyte, and debuggers ask for it
    key: AnswerKey | None = None
    notes: list[str] = field(default_factory=list)


class Verified(BaseModel):
    """What a package is, without saying where its anomaly begins."""

    model_config = ConfigDict(frozen=True)

    scenario_id: str = Field(description="Name of the package")
    kind: str = Field(description="Anomaly or look-alike, as the answer key has it, else the crisis_type")
    tier: Tier = Field(description="How much surrounds the signal")
    beats: int = Field(description="How many beats the day has")
    contacts: int = Field(description="How many people the assistant can reach")
    tools: int = Field(description="How many tools it may call")
    has_answer_key: bool = Field(description="Whether the package says what counts")
    content_hash: str = Field(description="SHA-256 of the beats' values, checked")
    package_hash: str | None = Field(description="SHA-256 over every file, checked; null where the package has none")
    notes: list[str] = Field(description="What is unusual")


@dataclass(frozen=True)
class _Contents:
    """A folder in memory: file by relative path, and which folders there are."""

    files: dict[str, bytes]
    folders: set[str]


def load(folder: Path) -> Scenario:
    """The package in a folder, with both hashes checked. Whatever is wrong with it is one `Refused`."""
    try:
        return _parsed(_contents(folder), folder)
    except Refused as bad:
        raise Refused(f"{folder}: {bad.message}", code=CODE, problems=bad.problems) from None


def verify(folder: Path) -> Verified:
    scenario = load(folder)
    package, key = scenario.package, scenario.key
    return Verified(
        scenario_id=package.scenario_id,
        kind=package.crisis_type if key is None else key.kind,
        tier=package.noise_tier,
        beats=len(package.heartbeats),
        contacts=len(package.contacts),
        tools=len(package.tool_definitions),
        has_answer_key=key is not None,
        content_hash=package.manifest.content_hash,
        package_hash=package.manifest.package_hash,
        notes=scenario.notes,
    )


def write(package: ScenarioPackage, key: AnswerKey | None, folder: Path) -> Path:
    """Write a package as a whole or not at all, with both hashes computed anew.

    A folder that holds the same package already is left as it is; one that holds anything else is refused.
    """
    _refuse([Problem(at, "unknown_key", f"{at} is not a known key; remove it") for at in unknown_keys(package)])
    found = _composed(package, key)
    wanted = _parsed(found, folder).package.manifest
    try:
        if folder.is_dir() and any(folder.iterdir()):
            if _holds(folder, wanted):
                return folder
            raise _wrong(f"{folder} holds something else already; remove it or name another folder")
        _write_whole(found, folder)
    except OSError as bad:
        raise _wrong(f"cannot write {folder}: {bad.strerror or bad}") from None
    return folder


def content_hash(beats: Sequence[HeartbeatPayload]) -> str:
    """SHA-256 of the beats' values: known keys only, nulls included, the same for every layout of the file."""
    values = [_hashed(beat) for beat in beats]
    for value in values:
        if value["home"] is None:
            del value["home"]  # the first format has no such module, and its hashes hold
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def package_hash(folder: Path) -> str:
    """SHA-256 of what `sha256sum` prints for every file but the manifest, sorted by path."""
    return _package_hash(_digests(_contents(folder).files))


def _hashed(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return {name: _hashed(getattr(value, name)) for name in type(value).model_fields}
    return [_hashed(item) for item in value] if isinstance(value, list) else value


def _digests(files: Mapping[str, bytes]) -> dict[str, str]:
    return {name: hashlib.sha256(files[name]).hexdigest() for name in sorted(files) if name != MANIFEST}


def _package_hash(digests: Mapping[str, str]) -> str:
    lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(digests.items()))
    return hashlib.sha256(lines.encode()).hexdigest()


# From the disk: every file once, as bytes, and never more than the limits.


def _contents(folder: Path) -> _Contents:
    if not folder.is_dir():
        raise _wrong("there is no such folder; name the folder of a scenario package")
    found = _Contents({}, set())
    try:
        _collect(folder, "", found)
    except OSError as bad:
        raise _wrong(f"cannot read {bad.filename or 'it'}: {bad.strerror or bad}; make it readable") from None
    return found


def _collect(folder: Path, prefix: str, found: _Contents) -> None:
    for entry in os.scandir(folder):
        name = prefix + entry.name
        if len(found.files) + len(found.folders) >= MOST_FILES:
            raise _wrong(f"holds more than {MOST_FILES} files; it is no scenario package")
        if not is_safe_name(entry.name.removeprefix(".")) or prefix.count("/") > _DEEPEST_FOLDER:
            raise _wrong(f"{name!a}: a package cannot have a file of this name; rename it")
        if entry.is_symlink():
            raise _wrong(f"{name} is a symbolic link; put the file itself there")
        if entry.is_dir(follow_symlinks=False):
            found.folders.add(name)
            _collect(Path(entry.path), f"{name}/", found)
        elif entry.is_file(follow_symlinks=False):
            found.files[name] = _bytes(Path(entry.path), name)
            if sum(map(len, found.files.values())) > LARGEST_PACKAGE:
                raise _wrong(f"is larger than {LARGEST_PACKAGE >> 20} MiB; it is no scenario package")
        else:
            raise _wrong(f"{name} is neither a file nor a folder; remove it")


def _bytes(path: Path, name: str) -> bytes:
    # A link that took the file's place since it was listed is not followed.
    with open(os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)), "rb") as file:
        content = file.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise _wrong(f"{name} is larger than {LARGEST_FILE >> 20} MiB; make it smaller")
    return content


# From bytes to nouns.


def _parsed(found: _Contents, folder: Path) -> Scenario:
    _check_present(found)
    manifest = _noun(found, MANIFEST, ScenarioManifest)
    meta = _noun(found, META, ScenarioMeta)
    bulky = {
        "heartbeats": _nouns(found, BEATS, HeartbeatPayload),
        "tool_definitions": _nouns(found, TOOLS, ToolDefinition),
        "memory_files": _memories(found),
        "persona": _text(found, PERSONA),
        "manifest": manifest,
    }
    package = ScenarioPackage.model_validate({**dict(meta), **bulky})
    key = _noun(found, ANSWERS, AnswerKey) if ANSWERS in found.files else None
    _check_hashes(package, found)
    _refuse(problems(package, key))
    return Scenario(folder, package, key, [*notes(package, key), *_strays(found)])


def _strays(found: _Contents) -> list[str]:
    known = {*REQUIRED, ANSWERS, *_memory_names(found)}
    return [f"{name} is no file of a package; it is left aside" for name in sorted(found.files) if name not in known]


def _check_present(found: _Contents) -> None:
    for name in REQUIRED:
        if name in found.folders:
            raise _wrong(f"{name} is a folder; a package has a file of that name")
        if name not in found.files:
            raise _wrong(f"Missing required file: {name}")
    if MEMORIES not in found.folders:
        raise _wrong(f"Missing required file: {MEMORIES}/")
    if not _memory_names(found):
        raise _wrong(f"The directory {MEMORIES}/ is empty; a package has at least one {MEMORIES}/KEY.md")


def _noun(found: _Contents, name: str, kind: type[_Kind]) -> _Kind:
    return _checked(kind, _json(found, name), name, ())


def _nouns(found: _Contents, name: str, kind: type[_Kind]) -> list[_Kind]:
    """One after the other: a hostile file ends at its first bad item, not after a million complaints."""
    items = _json(found, name)
    if not isinstance(items, list):
        raise _wrong(f"{name} holds no JSON array; a package has one there")
    return [_checked(kind, item, name, (place,)) for place, item in enumerate(items)]


def _json(found: _Contents, name: str) -> Any:
    content = found.files[name]
    if content.count(b",") > MOST_VALUES:
        raise _wrong(f"{name} holds more than {MOST_VALUES:,} values; make it smaller")
    try:
        return jsonvalue.not_too_deep(jsonvalue.read(content))
    except InvalidInput as bad:
        words = bad.message.removeprefix("the body is not JSON that Gnomon can take: ").removeprefix("the body ")
    except ValueError as bad:
        words = str(bad)
    raise _wrong(f"{name} is not JSON that can be read: {words}")


def _checked(kind: type[_Kind], value: Any, name: str, start: tuple[int, ...]) -> _Kind:
    try:
        return kind.model_validate(value)
    except ValidationError as bad:
        raise _refused([_schema_problem(name, start, error) for error in bad.errors(include_url=False)[:100]]) from None


def _schema_problem(name: str, start: tuple[int, ...], error: Any) -> Problem:
    steps = [*start, *error["loc"]]
    place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).lstrip(".")
    where = f"{name}: {place}" if place else name
    shown = "" if error["type"] == "missing" else f" {str(error['input'])[:60]!r}"
    return Problem(where, error["type"], f"{where}{shown}: {error['msg'][:1].lower()}{error['msg'][1:]}")


def _text(found: _Contents, name: str) -> str:
    try:
        text = found.files[name].decode()
    except UnicodeDecodeError as bad:
        raise _wrong(f"{name} is not UTF-8 text: byte {bad.start} cannot be read") from None
    if "\0" in text:
        raise _wrong(f"{name} holds the character NUL; remove it")
    return text


def _memory_names(found: _Contents) -> list[str]:
    return sorted(name for name in found.files if re.fullmatch(rf"{MEMORIES}/[^./][^/]*\.md", name))


def _memories(found: _Contents) -> list[MemoryFile]:
    """By file name, as the first loader orders them."""
    return [
        MemoryFile(key=name.removeprefix(f"{MEMORIES}/").removesuffix(".md"), content=_text(found, name))
        for name in _memory_names(found)
    ]


# What the manifest vouches for.


def _check_hashes(package: ScenarioPackage, found: _Contents) -> None:
    manifest = package.manifest
    computed = content_hash(package.heartbeats)
    if computed != manifest.content_hash:
        raise _wrong(f"{BEATS}: Content hash mismatch: expected {manifest.content_hash} computed {computed}")
    digests = _digests(found.files)
    listed = manifest.files
    _check_names(listed or ())
    if manifest.package_hash is None:
        if listed is not None:
            raise _wrong(f"{MANIFEST}: package_hash is missing although files is there; restore it")
        return
    computed = _package_hash(digests)
    if computed != manifest.package_hash:
        changed = _changed(listed, digests)
        raise _wrong(f"{changed}Package hash mismatch: expected {manifest.package_hash} computed {computed}")
    if listed is not None and listed != digests:
        raise _wrong(f"{_changed(listed, digests)}the files that {MANIFEST} lists are not those of the package")


def _check_names(listed: Iterable[str]) -> None:
    """Whoever goes by the list must not be led out of the folder."""
    for name in listed:
        if not all(is_safe_name(part.removeprefix(".")) for part in name.split("/")):
            raise _wrong(f"{MANIFEST}: files names {name[:200]!a}, which no file of a package is called; remove it")


def _changed(listed: Mapping[str, str] | None, digests: Mapping[str, str]) -> str:
    """Which files are not what they were, as far as the manifest's list tells."""
    if listed is None:
        return ""
    told = [f"{name} has changed" for name, digest in digests.items() if listed.get(name, digest) != digest]
    told += [f"{name} was added" for name in digests if name not in listed]
    told += [f"{name!a} is gone" for name in listed if name not in digests]
    return "; ".join([*told[:5], *(["and more"] if len(told) > 5 else [])]) + ": " if told else ""


# To the disk.


def _composed(package: ScenarioPackage, key: AnswerKey | None) -> _Contents:
    values: dict[str, Any] = {
        META: package.model_dump(include=set(ScenarioMeta.model_fields), exclude_none=True),
        BEATS: [_beat_as_json(beat) for beat in package.heartbeats],
        TOOLS: [tool.model_dump() for tool in package.tool_definitions],
    }
    if key is not None:
        values[ANSWERS] = key.model_dump()
    _refuse(list(list_problems(package)))  # before a memory's key becomes a path
    texts = {PERSONA: package.persona, **{f"{MEMORIES}/{m.key}.md": m.content for m in package.memory_files}}
    files = {name: _json_bytes(name, value) for name, value in values.items()}
    files |= {name: _encoded(name, text) for name, text in texts.items()}
    files = dict(sorted(files.items()))
    digests = _digests(files)
    manifest = {
        "content_hash": content_hash(package.heartbeats),
        "generator_version": package.manifest.generator_version,
        "generated_at": package.manifest.generated_at,
        "package_hash": _package_hash(digests),
        "files": digests,
    }
    return _Contents(files | {MANIFEST: _json_bytes(MANIFEST, manifest)}, {MEMORIES})


def _beat_as_json(beat: HeartbeatPayload) -> dict[str, Any]:
    return beat.model_dump(exclude=None if beat.home else {"home"})


def _json_bytes(name: str, value: Any) -> bytes:
    try:
        return _encoded(name, json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n")
    except ValueError as bad:
        raise _wrong(f"{name} cannot be written: {bad}") from None


def _encoded(name: str, text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as bad:
        raise _wrong(f"{name} cannot be written: character {bad.start} is half a character") from None


def _holds(folder: Path, wanted: ScenarioManifest) -> bool:
    try:
        return load(folder).package.manifest.package_hash == wanted.package_hash
    except Refused:
        return False


def _write_whole(found: _Contents, folder: Path) -> None:
    aside = folder.parent / f".{folder.name[:60]}-{secrets.token_hex(6)}.tmp"
    (aside / MEMORIES).mkdir(parents=True)
    try:
        for name, content in found.files.items():
            (aside / name).write_bytes(content)
        os.rename(aside, folder)  # takes the place of an empty folder, never of a full one
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise


# How a package is refused.


def _refuse(found: Sequence[Problem]) -> None:
    if found:
        raise _refused(found)


def _refused(found: Sequence[Problem]) -> Refused:
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return Refused(found[0].message + more, code=CODE, problems=found)


def _wrong(message: str) -> Refused:
    return Refused(message, code=CODE)
