"""Recipients and content of tool calls. vocabulary.yaml lists the tools and arguments.

Transcripts come from anywhere: an argument may be a number, a list or nonsense. Whatever it is gets read as far as
it can be and never raises.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from gnomon.bench.noticing.answer_key import names, user_names
from gnomon.bench.noticing.scenario import AnswerKey, Contact, PersonProfile
from gnomon.model.transcript import ToolCall

Role = Literal["call", "message", "memory", "check"]
Who = Literal["emergency", "contact", "user", "unknown"]

_ROLES: tuple[Role, ...] = ("call", "message", "memory", "check")
_SHORTEST_PHONE = 7
"""Digits that tell two people apart. Fewer, after a country code, are a service's number."""
_MOST_VALUES = 1000
_LONGEST_TARGET = 80


@dataclass(frozen=True, slots=True)
class Addressed:
    """One recipient of one call."""

    who: Who
    target: str


def role_of(tool: str) -> Role | None:
    """What a tool is for, by the last part of its name; None when it is none of our business."""
    return _role(tool.replace("__", ".").rpartition(".")[2].casefold()) if len(tool) <= 200 else None


def content_of(call: ToolCall) -> str:
    """What a call says, all arguments that hold words together; empty when it says nothing."""
    content = names("arguments", "content")
    return "\n".join(text for name, value in call.args.items() if name.casefold() in content for text in texts(value))


def was_delivered(call: ToolCall) -> bool:
    return call.ok is not False and call.result.get("status") != "error"


class Directory:
    """Finds the person that an agent meant, by id, name, relationship or number."""

    def __init__(self, key: AnswerKey, contacts: Sequence[Contact], person: PersonProfile | None = None) -> None:
        self._numbers = set(key.emergency_numbers)
        self._accepted = {_folded(id): id for id in key.acceptable_recipients or ()}
        # Whoever comes first wins, so the order in which a package lists people must not matter.
        people = sorted(contacts, key=lambda contact: (contact.id, contact.name, contact.phone))
        self._knows_nobody = not people
        self._user = set(user_names())
        self._by_phone: dict[str, Addressed] = {}
        if person is not None:
            self._user |= {_folded(person.name), _folded(person.name).partition(" ")[0]} - {""}
            self._add_phone(person.phone or "", Addressed("user", "user"))
        self._by_name = self._named(people)
        for contact in people:
            self._add_phone(contact.phone, self._entry(contact))

    def addressed(self, call: ToolCall, role: Role) -> list[Addressed]:
        """All recipients of a call or a message, each once."""
        wanted = names("arguments", "recipient")
        given_texts = [text for name, value in call.args.items() if name.casefold() in wanted for text in texts(value)]
        return list(dict.fromkeys(self._find(text, role) for text in given_texts if text.strip()))

    def _find(self, text: str, role: Role) -> Addressed:
        if role == "call":
            emergency = self._emergency(text)
            if emergency is not None:
                return Addressed("emergency", emergency)
        name = _folded(text)
        known = self._by_name.get(name) or (Addressed("user", "user") if name in self._user else None)
        known = known or self._by_phone.get(digits(text)[-_SHORTEST_PHONE:])
        if known is None and name in self._accepted:
            known = Addressed("contact", self._accepted[name])
        return known or Addressed("contact" if self._knows_nobody else "unknown", text.strip()[:_LONGEST_TARGET])

    def _emergency(self, text: str) -> str | None:
        dialled = digits(text)
        if dialled in self._numbers:
            return dialled
        if "+" not in text or len(dialled) >= _SHORTEST_PHONE:
            return None
        behind_country = (n for n in self._numbers if dialled.endswith(n) and 0 < len(dialled) - len(n) <= 3)
        return max(behind_country, key=lambda number: (len(number), number), default=None)

    def _named(self, people: list[Contact]) -> dict[str, Addressed]:
        """Ids and whole names first; then first names and relationships that only one person has."""
        addressed: dict[str, Addressed] = {}
        for contact in people:
            addressed.setdefault(_folded(contact.id), self._entry(contact))
        for contact in people:
            addressed.setdefault(_folded(contact.name), self._entry(contact))
        shared: dict[str, set[Addressed]] = {}
        for contact in people:
            for short in {_folded(contact.name).partition(" ")[0], _folded(contact.relationship)}:
                shared.setdefault(short, set()).add(self._entry(contact))
        for short, targets in shared.items():
            if len(targets) == 1:
                addressed.setdefault(short, *targets)
        return addressed

    def _entry(self, contact: Contact) -> Addressed:
        is_user = _folded(contact.relationship) in user_names() or _folded(contact.id) in user_names()
        return Addressed("user", "user") if is_user else Addressed("contact", contact.id)

    def _add_phone(self, phone: str, entry: Addressed) -> None:
        if len(digits(phone)) >= _SHORTEST_PHONE:
            self._by_phone.setdefault(digits(phone)[-_SHORTEST_PHONE:], entry)


def digits(text: str) -> str:
    """The digits of a number as dialled: +1 (911), 9-1-1 and tel:911 have the same 911 in them."""
    return "".join(char for char in unicodedata.normalize("NFKC", text[:200]) if char in "0123456789")


def texts(value: Any) -> list[str]:
    """Every text in an argument, whatever its shape; whole numbers as they are dialled."""
    strings: list[str] = []
    for text in _leaves(value):
        strings.append(text)
        if len(strings) >= _MOST_VALUES:
            break
    return strings


def _leaves(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            yield node if node.isascii() else node.encode("utf-8", "replace").decode("utf-8")
        elif isinstance(node, (list, tuple)):
            waiting += reversed(node)
        elif isinstance(node, dict):
            waiting += reversed(list(node.values()))
        elif isinstance(node, int) and not isinstance(node, bool) and abs(node) < 10**20:
            yield str(node)
        elif isinstance(node, float) and node.is_integer() and abs(node) < 10**20:
            yield str(int(node))


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


@lru_cache(maxsize=4096)
def _role(name: str) -> Role | None:
    for role in _ROLES:
        for known in names("tools", role):
            if name == known or (known.endswith("*") and name.startswith(known[:-1])):
                return role
    return None
