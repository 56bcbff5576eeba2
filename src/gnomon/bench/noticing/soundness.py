"""Whether a scenario package holds together: what is wrong with it, and what a reader should know.

A problem is something that would make a run or its score mean nothing: beats out of order, an onset outside of the
day, two contacts with one id. A note is something that may be meant: a tier with more tools than usual, an unknown
key. Files and hashes are package.py's.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import chain, islice
from typing import Any

from pydantic import BaseModel

from gnomon.bench.noticing.scenario import MODULES, AnswerKey, HeartbeatPayload, ScenarioPackage, Tier
from gnomon.bench.packagefiles import MANIFEST, is_safe_name
from gnomon.errors import Problem
from gnomon.shorten import counted

META, BEATS, TOOLS, PERSONA = "scenario.json", "heartbeats.json", "tools.json", "persona.md"
MEMORIES, ANSWERS = "memories", "answer_key.json"
_MOST_TOLD = 100
_LONGEST_KEY = 200  # bytes; with its ending it fits into a file name everywhere
_MODULES_OF_TIER: dict[Tier, int] = {"T1": 1, "T2": 3, "T3": 5, "T4": 6}
_TOOLS_OF_TIER: dict[Tier, int] = {"T1": 9, "T2": 10, "T3": 16, "T4": 18}


def problems(package: ScenarioPackage, key: AnswerKey | None) -> list[Problem]:
    """The first hundred problems; more would not help."""
    all_problems = chain(_day_problems(package), list_problems(package), _key_problems(package, key))
    return list(islice(all_problems, _MOST_TOLD))


def notes(package: ScenarioPackage, key: AnswerKey | None) -> list[str]:
    """What is unusual, in the order of the files."""
    unknown = unknown_keys(package)
    lines = [
        f"{where} is not a known key; it is kept" + (f" ({times} times)" if times > 1 else "")
        for where, times in islice(unknown.items(), _MOST_TOLD)
    ]
    if len(unknown) > _MOST_TOLD:
        lines.append(f"{counted(len(unknown) - _MOST_TOLD, 'more key')} are not known; they are kept")
    if package.manifest.package_hash is None:
        lines.append(f"{MANIFEST} has no package_hash: changes outside of {BEATS} would go unseen")
    contacts = {contact.id for contact in package.contacts}
    recipients = (key.acceptable_recipients if key else None) or []
    strangers = [name for name in recipients if name not in contacts]
    lines += [f"{ANSWERS}: acceptable_recipients names {name!r}, who is not a contact" for name in strangers]
    return [*lines, *_tier_notes(package)]


def unknown_keys(package: ScenarioPackage) -> Counter[str]:
    """Keys that the format does not have, as file and path, with how often each occurs."""
    parts: list[tuple[str, BaseModel]] = [(MANIFEST, package.manifest)]
    parts += [(BEATS, beat) for beat in package.heartbeats]
    parts += [(TOOLS, tool) for tool in package.tool_definitions]
    rest = package.model_copy(update={"heartbeats": [], "tool_definitions": [], "manifest": None})
    return Counter(f"{file}: {field}" for file, noun in [*parts, (META, rest)] for field in _extras(noun, ""))


def list_problems(package: ScenarioPackage) -> Iterator[Problem]:
    """Names that are not unique, or that would lead a file out of its folder."""
    for file, field, names in (
        (META, "contacts.id", [contact.id for contact in package.contacts]),
        (TOOLS, "name", [tool.name for tool in package.tool_definitions]),
    ):
        for name, times in Counter(names).items():
            if times > 1:
                yield _problem(file, field, name, f"stands {times} times; each has one of its own")
            if not name:
                yield _problem(file, field, name, "is empty; give it one")
    folded = Counter(_folded(memory.key) for memory in package.memory_files)
    for memory in package.memory_files:
        where, shown = f"{MEMORIES}/", repr(memory.key[:60])
        if not is_safe_name(memory.key) or len(memory.key.encode()) > _LONGEST_KEY:
            yield Problem(where, "name", f"{where}: the key {shown} is not a safe file name; rename it")
        elif folded[_folded(memory.key)] > 1:
            yield Problem(where, "name", f"{where}: the key {shown} appears twice, perhaps in another case; rename it")


def _day_problems(package: ScenarioPackage) -> Iterator[Problem]:
    beats, onset = package.heartbeats, package.crisis_heartbeat_id
    for index, beat in enumerate(beats):
        if beat.heartbeat_id != index:
            yield _problem(BEATS, f"[{index}].heartbeat_id", beat.heartbeat_id, f"ids go 0, 1, 2, …; write {index}")
    yield from _time_problems(beats)
    if not beats:
        yield Problem(BEATS, "empty", f"{BEATS} holds no beat; a day has at least one")
    elif package.is_control and onset != len(beats):
        rule = f"on a day with crisis_type none it is the number of beats, {len(beats)}"
        yield _problem(META, "crisis_heartbeat_id", onset, rule)
    elif not package.is_control and not 0 <= onset < len(beats):
        yield _problem(META, "crisis_heartbeat_id", onset, f"the beats are 0 to {len(beats) - 1}; name one of them")


def _time_problems(beats: Sequence[HeartbeatPayload]) -> Iterator[Problem]:
    before: datetime | None = None
    for index, beat in enumerate(beats):
        where = f"[{index}].timestamp"
        try:
            now = datetime.fromisoformat(beat.timestamp)
        except ValueError:
            yield _problem(BEATS, where, beat.timestamp, "not an ISO 8601 time, like 2027-06-15T06:30:00-04:00")
            continue
        if before is not None and (now.tzinfo is None) != (before.tzinfo is None):
            yield _problem(BEATS, where, beat.timestamp, "some times have an offset and some have none; give all one")
        elif before is not None and now <= before:
            yield _problem(BEATS, where, beat.timestamp, "not later than the beat before; times increase")
        before = now


def _key_problems(package: ScenarioPackage, key: AnswerKey | None) -> Iterator[Problem]:
    onset = None if package.is_control else package.crisis_heartbeat_id
    if key is not None and key.onset_heartbeat_id != onset:
        onset_shown = "null" if onset is None else onset
        yield _problem(
            ANSWERS, "onset_heartbeat_id", key.onset_heartbeat_id, f"{META} says {onset_shown}; make them agree"
        )


def _tier_notes(package: ScenarioPackage) -> Iterator[str]:
    """A tier promises how much surrounds the signal. What carries the signal may come on top: a module, a tool."""
    tier = package.noise_tier
    seen = [name for name in (*MODULES, "home") if any(getattr(beat, name) is not None for beat in package.heartbeats)]
    modules, tools = _MODULES_OF_TIER[tier], _TOOLS_OF_TIER[tier]
    if len(seen) not in (modules, modules + 1):
        yield f"{BEATS} has modules {', '.join(seen) or 'none'}; tier {tier} goes with {modules}"
    if len(package.tool_definitions) not in (tools, tools + 1):
        yield f"{TOOLS} has {len(package.tool_definitions)} tools; tier {tier} goes with {tools}"


def _extras(noun: BaseModel, prefix: str) -> Iterator[str]:
    yield from (f"{prefix}{key}" for key in noun.model_extra or ())
    for name, value in noun:
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, BaseModel):
                yield from _extras(inner, f"{prefix}{name}.")


def _folded(key: str) -> str:
    """The name as file systems compare it that ignore case and how an accent is composed."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", key).casefold())


def _problem(file: str, field: str, value: Any, rule: str) -> Problem:
    shown = "null" if value is None else repr(value[:60]) if isinstance(value, str) else str(value)[:60]
    return Problem(f"{file}: {field}", "rule", f"{file}: {field} {shown}: {rule}")
