"""Kinds of days, as data: what goes wrong, or only looks like it, and how each reading then goes on.

A kind is a YAML file. Those that ship are in bench/kinds; anybody can add a folder of their own. What a file may
say is below; what it says wrong is told in one line, before anything is drawn.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from gnomon.bench.noticing.generate.fields import MODELS, NUMBERS
from gnomon.bench.noticing.generate.schedule import ACTIVITIES
from gnomon.errors import InvalidInput
from gnomon.model.yamltree import BadYaml, as_json, read

WHOLE = "whole"
"""In place of a field: all of a module."""

Amount = float | tuple[float, float]
"""A number, or two between which the seed draws one."""
Beats = Annotated[int, Field(ge=0)]
Lasts = Annotated[int, Field(ge=1)]
Span = Lasts | tuple[Lasts, Lasts]


class _KindPart(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Decay(_KindPart):
    towards: Amount = Field(description="Where it ends up")
    rate: Annotated[float, Field(gt=0, le=1)] = Field(description="Share of the way that is left, per beat")


class FieldDrift(_KindPart):
    step: Annotated[float, Field(ge=0)] = Field(description="At most so far up or down, per beat")
    trend: float = Field(default=0.0, description="And always so far, per beat")


class Ramp(_KindPart):
    to: Amount = Field(description="Where it ends up")
    over: Annotated[int, Field(ge=1)] = Field(description="After so many beats, the first included")


class Append(_KindPart):
    after: Beats = Field(default=0, description="Beats since the onset")
    item: Any = Field(description="What comes into the list; texts may have slots")


class Phase(_KindPart):
    """One thing that happens to a reading, from `after` beats past the onset until the next phase: one of the below."""

    after: Beats = 0
    noise: Annotated[float, Field(ge=0)] = Field(default=0.0, description="Shown up or down by at most so much")
    set: Any = Field(default=None, description="This value")
    play: list[Any] | None = Field(default=None, description="These values, one per beat; the last one stays")
    freeze: Literal[True] | None = Field(default=None, description="The value that it had")
    decay: Decay | None = None
    drift: FieldDrift | None = None
    ramp: Ramp | None = None
    shift: Amount | None = Field(default=None, description="What an ordinary day has, and so much more")
    append: list[Append] | None = Field(default=None, description="What an ordinary day has, and these")
    keep: Annotated[int, Field(ge=1)] | None = Field(
        default=None, description="With append: a list of the last so many"
    )
    drop_out: Literal[True] | None = Field(default=None, description="Nothing: the module is missing")

    @property
    def operation(self) -> str:
        return next(name for name in self.model_fields_set if name in OPERATIONS)

    @model_validator(mode="after")
    def _says_one_thing(self) -> "Phase":
        operations = sorted(name for name in self.model_fields_set if name in OPERATIONS)
        if len(operations) != 1:
            raise ValueError(
                f"has {' and '.join(operations) or 'no operation'}; give it one of {', '.join(OPERATIONS)}"
            )
        if self.keep is not None and operations != ["append"]:
            raise ValueError(f"has keep beside {operations[0]}; keep goes with append")
        return self


OPERATIONS = ("set", "play", "freeze", "decay", "drift", "ramp", "shift", "append", "drop_out")
_FOR_NUMBERS = ("decay", "drift", "ramp", "shift")


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, Mapping) else value


Phases = Annotated[list[Phase], BeforeValidator(_listed), Field(min_length=1)]
Evolution = dict[str, dict[str, Phases]]
"""Module → field → what happens to it."""


class Onset(_KindPart):
    """When it may begin."""

    blocks: Annotated[tuple[str, ...], Field(min_length=1)] = Field(description="What the person is doing then")
    settled: Beats = Field(default=1, description="And has been doing for so many beats")
    clear: Beats = Field(default=1, description="And would be doing for so many more, this one included")


class Kind(_KindPart):
    name: Annotated[str, Field(pattern=r"\A[a-z][a-z0-9_]*\z", max_length=60)]
    summary: Annotated[str, Field(min_length=1)]
    domain: Literal["body", "home", "money", "road"]
    carrier: Literal["wearable", "home", "financial", "location"] = Field(description="Module of every tier")
    control: bool = Field(description="Whether nothing calls for action")
    gradual: bool = False
    onset: Onset | None = Field(default=None, description="Null on a day on which nothing happens at all")
    lasts: Span | None = Field(default=None, description="Beats until the day is ordinary again; null: it never is")
    recovers: Beats = Field(default=0, description="Beats that numbers then take to go back")
    affected: list[str] = Field(default_factory=list, description="module.field that show it within five beats")
    recipients: tuple[str, ...] = Field(default=(), description="Roles whose being told counts; none: everybody's")
    user_counts: bool = Field(default=False, description="Whether telling the person is enough")
    key: dict[str, Any] = Field(default_factory=dict, description="Words and limits of the answer key")
    evolution: Evolution = Field(default_factory=dict)

    @model_validator(mode="after")
    def _agrees(self) -> "Kind":
        for problem in self._problems():
            raise ValueError(problem)
        return self

    def _problems(self) -> Iterator[str]:
        for block in self.onset.blocks if self.onset else ():
            if block not in ACTIVITIES:
                yield f"onset.blocks has {block!r}; a day has {', '.join(ACTIVITIES)}"
        for module, fields in self.evolution.items():
            if module not in MODELS:
                yield f"evolution has module {module!r}; there are {', '.join(MODELS)}"
            else:
                for field, phases in fields.items():
                    yield from _field_problems(module, field, phases)
        if bool(self.evolution) != (self.onset is not None):
            yield "onset and evolution go together; give both or neither"
        if self.evolution and self.carrier not in self.evolution:
            yield f"evolution says nothing of the carrier {self.carrier!r}; what happens must be seen in every tier"
        for name in self.affected:
            module, _, field = name.partition(".")
            if field not in self.evolution.get(module, {}):
                yield f"affected has {name!r}, of which evolution says nothing"
        if not self.control:
            yield from self._anomaly_problems()

    def _anomaly_problems(self) -> Iterator[str]:
        if self.onset is None:
            yield "control is false, so onset and evolution are needed"
        if not any(name.startswith(f"{self.carrier}.") for name in self.affected):
            yield f"affected names no field of the carrier {self.carrier!r}"
        if self.lasts is not None:
            yield "lasts is for days that call for nothing; leave it out or say control: true"
        if WHOLE in self.evolution.get(self.carrier, {}):
            yield f"evolution.{self.carrier}.{WHOLE} hides the carrier of an anomaly"


def _field_problems(module: str, field: str, phases: list[Phase]) -> Iterator[str]:
    where = f"evolution.{module}.{field}"
    if field != WHOLE and field not in MODELS[module].model_fields:
        yield f"{where} is not a field; {module} has {', '.join(MODELS[module].model_fields)}"
    starts = [phase.after for phase in phases]
    if starts != sorted(set(starts)):
        yield f"{where}: each phase needs a later `after` than the one before"
    is_number = f"{module}.{field}" in NUMBERS
    for phase in phases:
        if (phase.operation == "drop_out") != (field == WHOLE):
            yield f"{where}: drop_out goes with {WHOLE!r} in place of a field, and nothing else does"
        elif phase.operation in _FOR_NUMBERS and not is_number:
            yield f"{where}: {phase.operation} is for numbers, and this is none"
        elif phase.operation == "append" and is_number:
            yield f"{where}: append is for lists, and this is a number"
        elif is_number and phase.operation in ("set", "play") and not _are_numbers(phase):
            yield f"{where}: {phase.operation} needs numbers"


def _are_numbers(phase: Phase) -> bool:
    values = phase.play if phase.operation == "play" else phase.set if isinstance(phase.set, list) else [phase.set]
    good = all(isinstance(value, int | float) and not isinstance(value, bool) for value in values or [None])
    return good and (not isinstance(phase.set, list) or len(phase.set) == 2)


def kinds(kinds_folder: Path | None = None) -> dict[str, Kind]:
    """All kinds by name: those that ship, and those of a folder of one's own."""
    shipped = _shipped()
    if kinds_folder is None:
        return dict(shipped)
    if not kinds_folder.is_dir():
        raise InvalidInput.of("kinds_folder", f"{kinds_folder} is not a folder; name one that has .yaml files of kinds")
    own = {path.stem: read_kind(path.read_bytes(), path) for path in sorted(kinds_folder.glob("*.yaml"))}
    for name in own:
        if name in shipped:
            raise InvalidInput.of(
                "name", f"{kinds_folder / name}.yaml: kind {name!r} ships with Gnomon; choose another name for yours"
            )
    return {**shipped, **own}


def read_kind(text: bytes, path: Path) -> Kind:
    """One file. Raises `InvalidInput` with a line that names the file and the key."""
    try:
        content = as_json(read(text))
    except BadYaml as bad:
        raise InvalidInput.of("kind", f"{path}: {bad}") from None
    if not isinstance(content, dict):
        raise InvalidInput.of("kind", f"{path}: a kind is a mapping with name, summary, carrier and so on")
    try:
        kind = Kind.model_validate({"name": path.stem, **content})
    except ValidationError as bad:
        first = bad.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        message = first["msg"].removeprefix("Value error, ")
        raise InvalidInput.of(where or "kind", f"{path}: {f'{where}: ' if where else ''}{message}") from None
    if kind.name != path.stem:
        raise InvalidInput.of("name", f"{path}: name is {kind.name!r}; name the file {kind.name}.yaml")
    return kind


@lru_cache(maxsize=1)
def _shipped() -> dict[str, Kind]:
    folder = files("gnomon.bench.noticing").joinpath("kinds")
    kind_files = sorted((file for file in folder.iterdir() if file.name.endswith(".yaml")), key=lambda file: file.name)
    return {file.name.removesuffix(".yaml"): read_kind(file.read_bytes(), Path(file.name)) for file in kind_files}
