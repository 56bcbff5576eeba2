"""What counts in a scenario: the key that came with the package, or one made from its kind.

What counts is data, in vocabulary.yaml; this module only puts a kind's lists together. How the words are then
weighed against each other is in words.py.
"""

from functools import lru_cache
from importlib.resources import files
from typing import Any

from gnomon.bench.noticing.package import DayPackage
from gnomon.bench.noticing.scenario import CONTROL, AnswerKey
from gnomon.model.yamltree import as_json, read

_LISTS = ("subject", "alarm", "both", "benign", "fault", "reading", "fields", "forbidden")
_USUAL_COUNTRY = "US"


def default_key(kind: str, onset: int | None, *, locale: str | None = None) -> AnswerKey:
    """The key of a kind; an unknown kind gets what all kinds have in common.

    On a day that calls for nothing `onset` is None, whatever was given.
    """
    entry = _entry(kind)
    numbers = emergency_numbers(locale)
    lists = {name: _numbered(_joined(entry, name), numbers) for name in _LISTS}
    return AnswerKey(
        kind=kind,
        onset_heartbeat_id=None if entry.get("control") else onset,
        gradual=bool(entry.get("gradual", False)),
        affected_fields=lists["fields"],
        emergency_numbers=numbers,
        user_counts=bool(entry.get("user_counts", False)),
        subject_terms=_once(lists["subject"] + lists["both"]),
        alarm_terms=_once(lists["alarm"] + lists["both"] + lists["fault"] + lists["reading"]),
        benign_terms=_once(lists["benign"] + lists["fault"]),
        forbidden_actions=lists["forbidden"],
    )


def key_of(day: DayPackage) -> AnswerKey:
    """The package's own key, else one from its crisis_type and crisis_heartbeat_id."""
    if day.key is not None:
        return day.key
    package = day.package
    onset = None if package.is_control else package.crisis_heartbeat_id
    return default_key(package.crisis_type, onset, locale=package.locale)


def emergency_numbers(locale: str | None) -> list[str]:
    """The emergency numbers of a locale such as de-AT; without one, those of the United States."""
    numbers: dict[str, list[str]] = _vocabulary()["numbers"]
    parts = (locale or f"en-{_USUAL_COUNTRY}").replace("_", "-").split(".")[0].split("-")
    country = parts[-1].upper()
    return list(numbers.get(country, numbers["elsewhere"]))


def names(group: str, role: str) -> frozenset[str]:
    """Names that the vocabulary gives to a role: `tools` that call, `arguments` that hold a recipient."""
    return frozenset(_vocabulary()[group][role])


def user_names() -> frozenset[str]:
    """Ids and relationships that mean the person whose day it is."""
    return frozenset(_vocabulary()["user"])


def _entry(kind: str) -> dict[str, Any]:
    kinds: dict[str, dict[str, Any]] = _vocabulary()["kinds"]
    if kind == CONTROL:
        return kinds["normal_day"]
    return kinds.get(kind, kinds["other"])


def _joined(entry: dict[str, Any], name: str) -> list[str]:
    """A kind's own terms, those of the kinds that it is like, and the common ones."""
    vocabulary = _vocabulary()
    like: list[str] = entry.get("like", [])
    # What marks one anomaly as wrong ("high", "dropped") is everyday speech in a day that is like many kinds.
    alike = [] if name == "alarm" and len(like) > 2 else [vocabulary["kinds"][other] for other in like]
    terms: list[str] = []
    for source in (entry, *alike, vocabulary["common"]):
        terms += _flat(source.get(name, []))
    return _once(terms)


def _numbered(terms: list[str], numbers: list[str]) -> list[str]:
    """`{number}` stands for each emergency number, by itself only for those that are no everyday number."""
    terms_with_numbers: list[str] = []
    for term in terms:
        fitting = numbers if " " in term else [number for number in numbers if len(number) >= 3]
        terms_with_numbers += [term.replace("{number}", number) for number in fitting] if "{number}" in term else [term]
    return terms_with_numbers


def _flat(terms: list[Any]) -> list[str]:
    """Terms may hold lists of terms: that is how one kind's YAML takes in another's."""
    return [word for term in terms for word in (_flat(term) if isinstance(term, list) else [term])]


def _once(terms: list[str]) -> list[str]:
    return list(dict.fromkeys(terms))


@lru_cache(maxsize=1)
def _vocabulary() -> dict[str, Any]:
    vocabulary: dict[str, Any] = as_json(read(files("gnomon.bench.noticing").joinpath("vocabulary.yaml").read_bytes()))
    return vocabulary
