"""The people whose days are drawn: who they are, where they live, whom they know. Data, in worlds/*.yaml.

A seed always meets the same person. Texts have slots such as {partner} or {mother_first} for the people of the
world, and {day_1} … {day_7} for the names of the seven days before.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

from gnomon.bench.noticing.generate.chance import Stream
from gnomon.bench.noticing.scenario import AgentIdentity, Contact, PersonProfile
from gnomon.errors import InvalidInput
from gnomon.model.yamltree import as_json, read

_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class NamedPlace(NamedTuple):
    lat: float
    lon: float
    altitude: float


class _WorldPart(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Climate(_WorldPart):
    """Usual lowest and highest temperature by month, in degrees Celsius."""

    lows: tuple[int, ...]
    highs: tuple[int, ...]


class Acquaintance(NamedTuple):
    name: str
    relationship: str
    phone: str


class DayWorldFacts(_WorldPart):
    locale: str
    hours_from_utc: int
    summer_time: Literal["us", "eu"]
    currency: str
    person: PersonProfile
    agent: AgentIdentity
    places: dict[str, NamedPlace]
    climate: Climate
    contacts: dict[str, Acquaintance]
    shops: dict[str, str]
    wish: dict[str, str]
    memories: dict[str, str]
    persona: str


@dataclass(frozen=True)
class Setting:
    """A world on a date: texts can be filled in."""

    world: DayWorldFacts
    when: date

    @property
    def offset(self) -> timedelta:
        return timedelta(hours=self.world.hours_from_utc + _is_summer(self.when, self.world.summer_time))

    @property
    def contacts(self) -> list[Contact]:
        known = self.world.contacts.values()
        return [
            Contact(
                id=f"contact-{number:03d}",
                name=acquaintance.name,
                relationship=acquaintance.relationship,
                phone=acquaintance.phone,
            )
            for number, acquaintance in enumerate(known, start=1)
        ]

    @property
    def memories(self) -> dict[str, str]:
        """Text by key, in the order in which files are read."""
        return {key: self.filled(text) for key, text in sorted(self.world.memories.items())}

    def ids_of(self, roles: tuple[str, ...]) -> list[str]:
        """Contact ids of everybody in these roles; friend stands for friend_1, friend_2, …"""
        known = dict.fromkeys(role_of(key) for key in self.world.contacts)
        for role in roles:
            if role not in known:
                raise InvalidInput.of("recipients", f"recipients has {role!r}; people are {', '.join(known)}")
        pairs = zip(self.world.contacts, self.contacts, strict=True)
        return [contact.id for key, contact in pairs if role_of(key) in roles]

    def filled(self, value: Any) -> Any:
        """The same text, list or mapping with its slots filled."""
        if isinstance(value, str):
            return self._text(value) if "{" in value else value
        if isinstance(value, Mapping):
            return {key: self.filled(inner) for key, inner in value.items()}
        if isinstance(value, list | tuple):
            return [self.filled(inner) for inner in value]
        return value

    def _text(self, text: str) -> str:
        try:
            return text.format_map(self.slots)
        except (KeyError, ValueError, IndexError, AttributeError):
            message = f"text {text!r} has a slot that nothing fills; there are {', '.join(self.slots)}"
            raise InvalidInput.of("text", message) from None

    @cached_property
    def slots(self) -> dict[str, str]:
        world = self.world
        slots = {key: contact.name for key, contact in world.contacts.items()}
        slots |= {f"{key}_first": contact.name.split()[0] for key, contact in world.contacts.items()}
        slots |= {f"day_{back}": _WEEKDAYS[(self.when - timedelta(days=back)).weekday()] for back in range(1, 8)}
        slots |= {f"shop_{key}": name for key, name in world.shops.items()}
        slots |= {f"wish_{key}": text for key, text in world.wish.items()}
        return slots | {
            "person": world.person.name,
            "person_first": world.person.name.split()[0],
            "currency": world.currency,
        }


def role_of(key: str) -> str:
    name, _, number = key.rpartition("_")
    return name if number.isdecimal() else key


def setting_of(seed: int, when: date) -> Setting:
    return Setting(Stream(seed, "world").pick(worlds()), when)


@lru_cache(maxsize=1)
def worlds() -> tuple[DayWorldFacts, ...]:
    folder = files("gnomon.bench.noticing.generate").joinpath("worlds")
    world_files = sorted((file for file in folder.iterdir() if file.name.endswith(".yaml")), key=lambda file: file.name)
    return tuple(DayWorldFacts.model_validate(as_json(read(file.read_bytes()))) for file in world_files)


def _is_summer(when: date, rule: str) -> bool:
    """Whether clocks are an hour ahead at noon; a table of zones would differ from machine to machine."""
    if rule == "us":
        return _sunday(when.year, 3, 8) <= when < _sunday(when.year, 11, 1)
    return _sunday(when.year, 3, 25) <= when < _sunday(when.year, 10, 25)


def _sunday(year: int, month: int, day: int) -> date:
    """The first Sunday on or after that day."""
    start = date(year, month, day)
    return start + timedelta(days=(6 - start.weekday()) % 7)
