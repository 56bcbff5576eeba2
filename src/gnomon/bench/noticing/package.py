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
verify. `package_hash` covers every other byte. Reading is lenient where nothing is at stake: unknown keys and
files are named in `notes`. Writing is not: what could not be read back without a note on it is refused.
Nothing here looks for hints; hints.py does.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field

from gnomon.bench.family import Verified
from gnomon.bench.noticing.scenario import (
    AnswerKey,
    HeartbeatPayload,
    ScenarioManifest,
    ScenarioMeta,
    ScenarioPackage,
    Tier,
)
from gnomon.bench.noticing.soundness import (
    ANSWERS,
    BEATS,
    MEMORIES,
    META,
    PERSONA,
    TOOLS,
    list_problems,
    notes,
    problems,
    unknown_keys,
)
from gnomon.bench.packagefiles import (
    MANIFEST,
    Contents,
    check_package_hash,
    digests,
    hash_of,
    json_bytes,
    named_in_refusals,
    read_folder,
    read_noun,
    read_nouns,
    read_text,
    refuse,
    require,
    text_bytes,
    write_folder,
    wrong,
)
from gnomon.errors import Problem, Refused
from gnomon.model.tools import MemoryFile, ToolDefinition

FAMILY = "noticing"
REQUIRED = (MANIFEST, META, BEATS, TOOLS, PERSONA)


@dataclass(frozen=True)
class DayPackage:
    """A package, where it lies, what counts in it, and what a reader should know about it."""

    path: Path | None
    package: ScenarioPackage = field(repr=False)  # half a megabyte, and debuggers ask for it
    key: AnswerKey | None = None
    notes: list[str] = field(default_factory=list)


class VerifiedDay(Verified):
    """What a package is, without saying where its anomaly begins."""

    scenario_id: str = Field(description="Name of the package")
    kind: str = Field(description="Anomaly or look-alike, as the answer key has it, else the crisis_type")
    tier: Tier = Field(description="How much surrounds the signal")
    beats: int = Field(description="How many beats the day has")
    contacts: int = Field(description="How many people the assistant can reach")
    tools: int = Field(description="How many tools it may call")
    has_answer_key: bool = Field(description="Whether the package says what counts")
    content_hash: str = Field(description="SHA-256 of the beats' values, checked")
    package_hash: str | None = Field(description="SHA-256 over every file, checked; null where the package has none")

    def lines(self) -> list[str]:
        size = f"{self.beats} beats, {self.tools} tools, {self.contacts} contacts"
        return [
            f"{self.scenario_id} is whole: {size}",
            f"content hash {self.content_hash}",
            f"package hash {self.package_hash or 'none: only the beats are protected'}",
            *([] if self.has_answer_key else ["it has no answer key; one is derived from its crisis_type"]),
        ]


def load(folder: Path) -> DayPackage:
    """The package in a folder, with both hashes checked. Whatever is wrong with it is one `Refused`."""
    with named_in_refusals(folder):
        return _parsed(read_folder(folder), folder)


def verify(folder: Path) -> VerifiedDay:
    day = load(folder)
    package, key = day.package, day.key
    return VerifiedDay(
        family=FAMILY,
        scenario_id=package.scenario_id,
        kind=package.crisis_type if key is None else key.kind,
        tier=package.noise_tier,
        beats=len(package.heartbeats),
        contacts=len(package.contacts),
        tools=len(package.tool_definitions),
        has_answer_key=key is not None,
        content_hash=package.manifest.content_hash,
        package_hash=package.manifest.package_hash,
        notes=day.notes,
    )


def write(package: ScenarioPackage, key: AnswerKey | None, folder: Path) -> Path:
    """Write a package as a whole or not at all, with both hashes computed anew.

    A folder that holds the same package already is left as it is; one that holds anything else is refused.
    """
    refuse([Problem(at, "unknown_key", f"{at} is not a known key; remove it") for at in unknown_keys(package)])
    contents = _composed(package, key)
    wanted = _parsed(contents, folder).package.manifest
    try:
        if folder.is_dir() and any(folder.iterdir()):
            if _holds(folder, wanted):
                return folder
            raise wrong(f"{folder} holds something else already; remove it or name another folder")
        write_folder(contents, folder)
    except OSError as bad:
        raise wrong(f"cannot write {folder}: {bad.strerror or bad}") from None
    return folder


def content_hash(beats: Sequence[HeartbeatPayload]) -> str:
    """SHA-256 of the heartbeats' values: known keys only, nulls included. The file's layout does not matter."""
    values = [_hashed(beat) for beat in beats]
    for value in values:
        if value["home"] is None:
            del value["home"]  # the first format has no such module, and its hashes hold
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def _hashed(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return {name: _hashed(getattr(value, name)) for name in type(value).model_fields}
    return [_hashed(item) for item in value] if isinstance(value, list) else value


# From bytes to nouns.


def _parsed(contents: Contents, folder: Path) -> DayPackage:
    _check_present(contents)
    manifest = read_noun(contents, MANIFEST, ScenarioManifest)
    meta = read_noun(contents, META, ScenarioMeta)
    bulky = {
        "heartbeats": read_nouns(contents, BEATS, HeartbeatPayload),
        "tool_definitions": read_nouns(contents, TOOLS, ToolDefinition),
        "memory_files": _memories(contents),
        "persona": read_text(contents, PERSONA),
        "manifest": manifest,
    }
    package = ScenarioPackage.model_validate({**dict(meta), **bulky})
    key = read_noun(contents, ANSWERS, AnswerKey) if ANSWERS in contents.files else None
    _check_hashes(package, contents)
    refuse(problems(package, key))
    return DayPackage(folder, package, key, [*notes(package, key), *_strays(contents)])


def _strays(contents: Contents) -> list[str]:
    known = {*REQUIRED, ANSWERS, *_memory_names(contents)}
    return [
        f"{name} is not a file of a package; it is left aside" for name in sorted(contents.files) if name not in known
    ]


def _check_present(contents: Contents) -> None:
    require(contents, REQUIRED)
    if MEMORIES not in contents.folders:
        raise wrong(f"Missing required file: {MEMORIES}/")
    if not _memory_names(contents):
        raise wrong(f"The directory {MEMORIES}/ is empty; a package has at least one {MEMORIES}/KEY.md")


def _memory_names(contents: Contents) -> list[str]:
    return sorted(name for name in contents.files if re.fullmatch(rf"{MEMORIES}/[^./][^/]*\.md", name))


def _memories(contents: Contents) -> list[MemoryFile]:
    """The memory files by name, in the order of the first loader."""
    return [
        MemoryFile(key=name.removeprefix(f"{MEMORIES}/").removesuffix(".md"), content=read_text(contents, name))
        for name in _memory_names(contents)
    ]


# What the manifest vouches for.


def _check_hashes(package: ScenarioPackage, contents: Contents) -> None:
    manifest = package.manifest
    computed = content_hash(package.heartbeats)
    if computed != manifest.content_hash:
        raise wrong(f"{BEATS}: Content hash mismatch: expected {manifest.content_hash} computed {computed}")
    check_package_hash(contents, manifest.package_hash, manifest.files)


# To the disk.


def _composed(package: ScenarioPackage, key: AnswerKey | None) -> Contents:
    values: dict[str, Any] = {
        META: package.model_dump(include=set(ScenarioMeta.model_fields), exclude_none=True),
        BEATS: [_beat_as_json(beat) for beat in package.heartbeats],
        TOOLS: [tool.model_dump() for tool in package.tool_definitions],
    }
    if key is not None:
        values[ANSWERS] = key.model_dump()
    refuse(list(list_problems(package)))  # before a memory's key becomes a path
    texts = {PERSONA: package.persona, **{f"{MEMORIES}/{m.key}.md": m.content for m in package.memory_files}}
    files = {name: json_bytes(name, value) for name, value in values.items()}
    files |= {name: text_bytes(name, text) for name, text in texts.items()}
    files = dict(sorted(files.items()))
    listed = digests(files)
    manifest = {
        "content_hash": content_hash(package.heartbeats),
        "generator_version": package.manifest.generator_version,
        "generated_at": package.manifest.generated_at,
        "package_hash": hash_of(listed),
        "files": listed,
    }
    return Contents(files | {MANIFEST: json_bytes(MANIFEST, manifest)}, {MEMORIES})


def _beat_as_json(beat: HeartbeatPayload) -> dict[str, Any]:
    return beat.model_dump(exclude=None if beat.home else {"home"})


def _holds(folder: Path, wanted: ScenarioManifest) -> bool:
    try:
        return load(folder).package.manifest.package_hash == wanted.package_hash
    except Refused:
        return False
