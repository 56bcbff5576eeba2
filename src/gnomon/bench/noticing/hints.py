"""Find hints at what is tested in what an agent sees: an agent could follow them instead of paying attention.

`find_hints` looks at every text that reaches an agent: prompts, tools with their parameters, memory, beats and
contacts. The words are in hints.yaml, in English. A word in a harmless place (a company called Pulse) is told as
well: whoever writes a scenario can find another name, and no rule can know what an agent makes of it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

from gnomon.bench.family import Hint
from gnomon.bench.noticing.package import DayPackage
from gnomon.bench.noticing.scenario import ScenarioPackage
from gnomon.model.yamltree import as_json, read
from gnomon.shorten import and_more, excerpt

Surface = Literal["prompt", "tool", "memory", "beat", "contact"]
_AROUND = 30
_TURN = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class _Seen:
    """A text that an agent sees."""

    surface: Surface
    where: str
    text: str
    is_memory_prose: bool = False


def find_hints(day: DayPackage, prompt: Sequence[tuple[str, str]] = ()) -> list[Hint]:
    """All hints. `prompt` has what the package itself does not hold: (where, text)."""
    package = day.package
    own = tuple(_own_names(package))
    hints: list[Hint] = []
    for seen in _everything(package, prompt):
        for word, context in _words(seen.text, seen.is_memory_prose, own):
            hints.append(Hint(seen.surface, seen.where, word, context))
    return hints


def _own_names(package: ScenarioPackage) -> Iterator[str]:
    """The names of this scenario, which no agent may see."""
    yield package.scenario_id
    if not package.is_control:
        yield package.crisis_type


def _everything(package: ScenarioPackage, prompt: Sequence[tuple[str, str]]) -> Iterator[_Seen]:
    for where, text in prompt:
        yield _Seen("prompt", where, _without_sensor_keys(text))
    for name, noun in (("person", package.person), ("agent_identity", package.agent_identity)):
        for path, text in _texts(noun.model_dump()):
            yield _Seen("prompt", f"scenario.json: {name}{path}", text)
    for number, tool in enumerate(package.tool_definitions):
        for path, text in _texts(tool.model_dump()):
            yield _Seen("tool", f"tools.json: [{number}]{path} ({tool.name})", text)
    for memory in package.memory_files:
        yield _Seen("memory", f"memories/{memory.key}.md (its key)", memory.key)
        for number, line in enumerate(memory.content.splitlines(), 1):
            yield _Seen("memory", f"memories/{memory.key}.md, line {number}", line, is_memory_prose=True)
    for number, contact in enumerate(package.contacts):
        for path, text in _texts(contact.model_dump()):
            yield _Seen("contact", f"scenario.json: contacts[{number}]{path}", text)
    yield from _beats(package)


def _beats(package: ScenarioPackage) -> Iterator[_Seen]:
    """Each text once a field, at the first beat that has it, with the number of beats that do."""
    first: dict[tuple[str, str], int] = {}
    times: dict[tuple[str, str], int] = {}
    for beat in package.heartbeats:
        shown = beat.shown()
        for seen in {*_texts(shown), *_keys(shown)}:
            first.setdefault(seen, beat.heartbeat_id)
            times[seen] = times.get(seen, 0) + 1
    for (path, text), beat_id in sorted(first.items(), key=lambda item: (item[1], item[0])):
        also = and_more(times[path, text] - 1)
        yield _Seen("beat", f"heartbeats.json: beat {beat_id}{also}, {path.lstrip('.')}", text)


def _texts(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every string inside of a value, with its place."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _texts(inner, f"{path}[{number}]")


def _keys(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every key inside of a value, but for those that name a sensor."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in _lists()["sensor_keys"]:
                yield f"{path}.{key} (a key)", key
            yield from _keys(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _keys(inner, f"{path}[{number}]")


def _without_sensor_keys(text: str) -> str:
    """A prompt that shows a beat shows its keys, too: in JSON they are data, in a sentence they are words."""
    names = "|".join(map(re.escape, _lists()["sensor_keys"]))
    return re.sub(rf'"(?:{names})"\s*:', '"":', text)


@lru_cache(maxsize=4096)
def _words(text: str, memory_prose: bool, own: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """The words that hint, each once, with an excerpt. camelCase is read as two words, and as one: SpO2."""
    pattern = _pattern(memory_prose, own)
    parted = _TURN.sub(" ", text)
    excerpts: dict[str, str] = {}
    for version in [text] if parted == text else [text, parted]:
        for match in pattern.finditer(version):
            excerpts.setdefault(match.group().lower(), excerpt(version, match.start(), match.end(), _AROUND))
    return tuple(excerpts.items())


@lru_cache(maxsize=64)
def _pattern(memory_prose: bool, own: tuple[str, ...]) -> re.Pattern[str]:
    lists = _lists()
    banned = [*own, *lists["everywhere"], *([] if memory_prose else lists["not_in_memory_prose"])]
    # The longest first: where a phrase and one of its words both match, the phrase says more.
    ways = "|".join(sorted(map(_hint_text, banned), key=len, reverse=True))
    return re.compile(rf"(?<![^\W_])(?:{ways})", re.IGNORECASE)


def _hint_text(entry: str) -> str:
    words = re.findall(r"[^\W_]+", entry)
    ending = r"[^\W_]*" if entry.endswith("*") else r"(?![^\W_])"
    return r"[\W_]+".join(map(re.escape, words)) + ending


@lru_cache(maxsize=1)
def _lists() -> dict[str, list[str]]:
    lists: dict[str, list[str]] = as_json(read(files("gnomon.bench.noticing").joinpath("hints.yaml").read_bytes()))
    return lists
