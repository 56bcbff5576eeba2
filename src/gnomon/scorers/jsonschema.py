"""JSON Schema without its risks: nothing is fetched, and no schema can take unlimited time.

References stay inside the schema (and the published meta-schemas, which ship with the library), patterns are RE2's,
and every part of a schema that is held against a value is counted (cost.py), so that a schema that makes checking
explode is stopped. What the library would hand to Python's `re` is refused or replaced here.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec
import re2

from gnomon.model.jsonvalue import count, dump
from gnomon.scorers.cost import Meter, current, rounded
from gnomon.scorers.protocol import UnmeasurableError
from gnomon.scorers.text import compiled, occurs
from gnomon.shorten import shorten, shorten_repr

Schema = dict[str, Any] | bool

_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_DATA = ("const", "enum", "default", "examples")
_MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_STEPS_PER_PART = 500
_STEPS_PER_REFERENCE = 4_000
_STEPS_PER_COMPARED_VALUE = 100
_LARGEST_REMEMBERED = 100_000
_DEEPEST = 200
"""Keywords within each other; an array of an array takes two. Python's own limit is no measure: where it is reached
inside the library's compiled parts, they panic, which is no `Exception`."""
_LONGEST_SHOWN = 200

# The meter and the sizes that a refusal names travel in the validator's `format_checker`, which nothing here uses.


class _Object(dict[str, Any]):
    """The library puts the checked value into every error; they are never read, and may be large."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "{…}"


class _ShortArray(list[Any]):
    __slots__ = ()

    def __repr__(self) -> str:
        return "[…]"


class _ShortText(str):
    __slots__ = ()

    def __repr__(self) -> str:
        return "'…'"


@dataclass(frozen=True, slots=True)
class Checker:
    """A schema that was checked and can be used."""

    validator: Any
    parts: int


@dataclass(slots=True)
class _Count:
    """Counts what one check takes."""

    meter: Meter
    sizes: str
    depth: int = 0
    """How many keywords are being checked within each other."""

    def part(self, steps: int = _STEPS_PER_PART) -> None:
        self.meter.spend(steps, self.sizes)


def checker(schema: Schema) -> Checker:
    """Check a schema; a ValueError says in one line what is wrong with it."""
    written = dump(schema)
    return _remembered(written) if len(written) <= _LARGEST_REMEMBERED else _checker(schema)


@lru_cache(maxsize=64)
def _remembered(written: str) -> Checker:
    """A batch has one schema, as a rule, and looking it through takes milliseconds."""
    return _checker(msgspec.json.decode(written))


def _checker(schema: Schema) -> Checker:
    from referencing import Registry

    draft = _draft(schema)
    if isinstance(schema, dict):
        schema = {key: value for key, value in schema.items() if key != "$schema"}
    parts = list(_parts(schema))
    counting = _Count(current(), f"a schema of {rounded(len(parts))} parts")
    _refuse_malformed(draft, schema, counting)
    _refuse_unsafe(parts)
    references = [str(part[key]) for part in parts for key in _REFERENCES if key in part]
    counting.part(_STEPS_PER_PART * (len(parts) + len(references)))
    _resolve(draft, schema, references)
    return Checker(_safe(draft)(_quiet(schema), registry=Registry()), len(parts))


def satisfies(checker: Checker, value: Any) -> bool:
    sizes = f"JSON of {rounded(count(value))} values and a schema of {rounded(checker.parts)} parts"
    counting = _Count(current(), sizes)
    try:
        return bool(checker.validator.evolve(format_checker=counting).is_valid(_quiet(value)))
    except RecursionError:
        raise UnmeasurableError("the schema refers to itself, or the output is nested too deeply") from None


def faults(checker: Checker, value: Any) -> Iterator[str]:
    """What is wrong with a value, one line per fault: where, and what the schema asks for there."""
    sizes = f"JSON of {rounded(count(value))} values and a schema of {rounded(checker.parts)} parts"
    counting = _Count(current(), sizes)
    try:
        for error in checker.validator.evolve(format_checker=counting).iter_errors(_quiet(value)):
            path = error.json_path.removeprefix("$").removeprefix(".")
            wanted = shorten(json.dumps(error.validator_value, ensure_ascii=False), _LONGEST_SHOWN)
            yield f"{shorten(path, _LONGEST_SHOWN) or 'the value'} does not satisfy {error.validator}: {wanted}"
    except RecursionError:
        raise UnmeasurableError("the schema refers to itself, or the value is nested too deeply") from None


def _quiet(value: Any) -> Any:
    """The same value, written as nothing in the library's error messages."""
    if isinstance(value, dict):
        return _Object((key, _quiet(inner)) for key, inner in value.items())
    if isinstance(value, list | tuple):
        return _ShortArray(map(_quiet, value))
    return _ShortText(value) if isinstance(value, str) else value


def _refuse_malformed(draft: Any, schema: Schema, counting: _Count) -> None:
    """No format checker of the library's own: it would compile every pattern with `re`."""
    from jsonschema import validators

    known: Any = validators.validator_for
    meta = _safe(known(draft.META_SCHEMA, default=draft))(draft.META_SCHEMA, format_checker=counting)
    for bad in meta.iter_errors(schema):
        raise ValueError(f"not a JSON Schema: {bad.json_path}: {shorten(bad.message, _LONGEST_SHOWN)}")


@lru_cache(maxsize=16)
def _safe(draft: Any) -> Any:
    """The library's validator of this draft, with every keyword counted and some replaced."""
    import attrs
    from jsonschema import validators

    extend: Any = validators.extend
    keywords = {**draft.VALIDATORS, **_keywords(draft)}
    safe = extend(draft, {name: _counted(name, check) for name, check in keywords.items()})
    carried = [(field.name, field.alias) for field in attrs.fields(safe) if field.init]

    def evolve(self: Any, **changes: Any) -> Any:
        """Like the library's own, but counted; a part that names a draft stays in this class."""
        if self.format_checker is not None:
            self.format_checker.part()
        return safe(**{alias: getattr(self, name) for name, alias in carried if alias not in changes}, **changes)

    safe.evolve = evolve
    return safe


def _counted(name: str, check: Callable[..., Any]) -> Callable[..., Iterator[Any]]:
    steps, compares = _STEPS_PER_REFERENCE if name in _REFERENCES else _STEPS_PER_PART, name in ("const", "enum")

    def counted(validator: Any, wanted: Any, instance: Any, schema: Any) -> Iterator[Any]:
        counting = validator.format_checker
        counting.part(_STEPS_PER_COMPARED_VALUE * count(wanted) if compares else steps)
        if counting.depth == _DEEPEST:
            raise RecursionError
        counting.depth += 1
        try:
            for error in check(validator, wanted, instance, schema) or ():
                counting.part(_STEPS_PER_COMPARED_VALUE)
                yield error
        finally:
            counting.depth -= 1

    return counted


def _draft(schema: Schema) -> Any:
    from jsonschema import Draft202012Validator, validators

    known: Any = validators.validator_for
    dialect = schema.get("$schema") if isinstance(schema, dict) else None
    if dialect is None:
        return Draft202012Validator
    draft = known({"$schema": dialect}, default=None) if isinstance(dialect, str) else None
    if draft is None:
        raise ValueError(
            f"$schema {shorten_repr(dialect, _LONGEST_SHOWN)} is not a known draft; leave it out for 2020-12"
        )
    return draft


def _parts(schema: Any) -> Iterator[dict[str, Any]]:
    """The schema and every schema inside it, data (`const`, `enum`, …) left aside."""
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, list):
            waiting += part
        elif isinstance(part, dict):
            yield part
            for key, inner in part.items():
                if key in _MAPS and isinstance(inner, dict):
                    waiting += inner.values()
                elif key not in _DATA:
                    waiting.append(inner)


def _refuse_unsafe(parts: list[dict[str, Any]]) -> None:
    for part in parts:
        for key in ("$schema", "$id"):
            if isinstance(part.get(key), str) and part is not parts[0]:
                raise ValueError(f"{key} may stand only at the top of a schema; refer to parts by #/$defs/…")
        patterns = [*part.get("patternProperties", ()), *([part["pattern"]] if "pattern" in part else ())]
        for pattern in patterns:
            try:
                compiled(pattern)
            except re2.error:
                raise ValueError(
                    f"the pattern {shorten_repr(pattern, _LONGEST_SHOWN)} is not one in RE2's dialect"
                ) from None
    if all(any(key in part for part in parts) for key in ("patternProperties", "unevaluatedProperties")):
        raise ValueError("patternProperties and unevaluatedProperties cannot be used together here")


def _resolve(draft: Any, schema: Schema, references: list[str]) -> None:
    from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]
    from referencing.exceptions import Unresolvable
    from referencing.jsonschema import specification_with

    specification = specification_with(draft.ID_OF(draft.META_SCHEMA))
    resolver = REGISTRY.resolver_with_root(specification.create_resource(schema))
    looked_through = {id(part) for part in _parts(schema)}
    for reference in references:
        shown = repr(shorten(reference, _LONGEST_SHOWN))
        try:
            target = resolver.lookup(reference).contents
        except Unresolvable:
            raise ValueError(f"{shown} is not in the schema, and nothing is fetched; add it to $defs") from None
        published = reference.partition("#")[0] in REGISTRY
        if not (published or isinstance(target, bool) or id(target) in looked_through):
            raise ValueError(f"{shown} refers to something that is not a schema; put one under $defs")


def _keywords(draft: Any) -> dict[str, Callable[..., Iterator[Any]]]:
    from jsonschema.exceptions import ValidationError

    def pattern(validator: Any, wanted: str, instance: Any, schema: Any) -> Iterator[Any]:
        if validator.is_type(instance, "string") and not _matches(wanted, instance):
            yield ValidationError("does not match")

    def pattern_properties(validator: Any, patterns: dict[str, Any], instance: Any, schema: Any) -> Iterator[Any]:
        if validator.is_type(instance, "object"):
            for expression, inner in patterns.items():
                for key, value in instance.items():
                    if _matches(expression, key):
                        yield from validator.descend(value, inner)

    def additional_properties(validator: Any, inner: Any, instance: Any, schema: dict[str, Any]) -> Iterator[Any]:
        if validator.is_type(instance, "object"):
            for key, value in instance.items():
                named = key in schema.get("properties", ())
                if not named and not any(_matches(wanted, key) for wanted in schema.get("patternProperties", ())):
                    yield from validator.descend(value, inner)

    def unique_items(validator: Any, wanted: bool, instance: Any, schema: Any) -> Iterator[Any]:
        if wanted and validator.is_type(instance, "array"):
            validator.format_checker.part(_STEPS_PER_COMPARED_VALUE * count(instance))
            if len(set(map(_identity, instance))) < len(instance):
                yield ValidationError("has items that are the same")

    def annotation(*_: Any) -> Iterator[Any]:
        return iter(())

    replaced: dict[str, Callable[..., Iterator[Any]]] = {
        "pattern": pattern,
        "patternProperties": pattern_properties,
        "additionalProperties": additional_properties,
        "uniqueItems": unique_items,
        "format": annotation,
    }
    return {name: check for name, check in replaced.items() if name in draft.VALIDATORS}


def _matches(pattern: str, subject: str) -> bool:
    return occurs(pattern, subject.encode("utf-8", "replace"))


def _identity(value: Any) -> str:
    """A text that two values share when JSON Schema holds them for equal: 1 is 1.0, and not true."""
    if isinstance(value, dict):
        return "{" + ",".join(sorted(f"{dump(key)}:{_identity(inner)}" for key, inner in value.items())) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_identity, value)) + "]"
    if isinstance(value, str):
        return dump(str(value))  # a `_Text` is not one that can be written
    return str(int(value)) if isinstance(value, float) and value.is_integer() else dump(value)
