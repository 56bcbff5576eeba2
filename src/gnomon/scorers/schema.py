"""JSON Schema without its open doors: nothing is fetched, and no schema can run away.

References stay inside the schema (and the published meta-schemas, which ship with the library),
patterns are RE2's, and a schema that makes checking explode is stopped by counting how many
references it follows. What the library would hand to Python's `re` is refused or replaced here.
"""

from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import re2

from gnomon.scorers.protocol import UnmeasurableError
from gnomon.scorers.text import compiled

Schema = dict[str, Any] | bool

_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_DATA = ("const", "enum", "default", "examples")
_MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_VISITS = 32
"""How often each reference may be followed for each place of the output: more is an explosion."""

_left: ContextVar[list[int]] = ContextVar("references that may still be followed")


@dataclass(frozen=True, slots=True)
class Checker:
    """A schema that was looked through and can be used."""

    validator: Any
    references: int


def checker(schema: Schema) -> Checker:
    """Look a schema through; a ValueError says in one line what is wrong with it."""
    from jsonschema import validators
    from jsonschema.exceptions import SchemaError
    from referencing import Registry

    draft = _draft(schema)
    if isinstance(schema, dict):
        schema = {key: value for key, value in schema.items() if key != "$schema"}
    try:
        # No format checker: it would compile every pattern with `re`.
        draft.check_schema(schema, format_checker=None)
    except SchemaError as bad:
        raise ValueError(f"not a JSON Schema: {bad.json_path}: {_cut(bad.message)}") from None
    parts = list(_parts(schema))
    _refuse_unsafe(parts)
    references = [str(part[key]) for part in parts for key in _REFERENCES if key in part]
    _resolve(draft, schema, references)
    extend: Any = validators.extend
    safe = extend(draft, _keywords(draft))
    return Checker(safe(schema, registry=Registry()), len(references))


def satisfies(checker: Checker, value: Any) -> bool:
    before = _left.set([_VISITS * (checker.references + 1) * _places(value)])
    try:
        return bool(checker.validator.is_valid(value))
    except RecursionError:
        raise UnmeasurableError("the schema refers to itself, or the output is nested too deeply") from None
    finally:
        _left.reset(before)


def _draft(schema: Schema) -> Any:
    from jsonschema import Draft202012Validator, validators

    known: Any = validators.validator_for
    wanted = schema.get("$schema") if isinstance(schema, dict) else None
    if wanted is None:
        return Draft202012Validator
    found = known({"$schema": wanted}, default=None) if isinstance(wanted, str) else None
    if found is None:
        raise ValueError(f"$schema {_cut(repr(wanted))} is no known draft; leave it out for 2020-12")
    return found


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
                raise ValueError(f"the pattern {_cut(repr(pattern))} is not one in RE2's dialect") from None
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
        shown = repr(_cut(reference))
        try:
            target = resolver.lookup(reference).contents
        except Unresolvable:
            raise ValueError(f"{shown} is not in the schema, and nothing is fetched; add it to $defs") from None
        published = reference.partition("#")[0] in REGISTRY
        if not (published or isinstance(target, bool) or id(target) in looked_through):
            raise ValueError(f"{shown} refers to what is no schema; put one under $defs")


def _keywords(draft: Any) -> dict[str, Callable[..., Iterator[Any]]]:
    from jsonschema.exceptions import ValidationError

    def pattern(validator: Any, wanted: str, instance: Any, schema: Any) -> Iterator[Any]:
        if validator.is_type(instance, "string") and not _found(wanted, instance):
            yield ValidationError("does not match")

    def pattern_properties(validator: Any, patterns: dict[str, Any], instance: Any, schema: Any) -> Iterator[Any]:
        if validator.is_type(instance, "object"):
            for wanted, inner in patterns.items():
                for key, value in instance.items():
                    if _found(wanted, key):
                        yield from validator.descend(value, inner)

    def additional_properties(validator: Any, inner: Any, instance: Any, schema: dict[str, Any]) -> Iterator[Any]:
        if validator.is_type(instance, "object"):
            for key, value in instance.items():
                named = key in schema.get("properties", ())
                if not named and not any(_found(wanted, key) for wanted in schema.get("patternProperties", ())):
                    yield from validator.descend(value, inner)

    def counted(follow: Callable[..., Any]) -> Callable[..., Iterator[Any]]:
        def reference(validator: Any, target: Any, instance: Any, schema: Any) -> Iterator[Any]:
            left = _left.get()
            left[0] -= 1
            if left[0] < 0:
                raise UnmeasurableError("checking takes too many steps: the schema's references multiply")
            yield from follow(validator, target, instance, schema) or ()

        return reference

    known = draft.VALIDATORS
    return {
        "pattern": pattern,
        "patternProperties": pattern_properties,
        "additionalProperties": additional_properties,
        **{key: counted(known[key]) for key in _REFERENCES if key in known},
    }


def _found(pattern: str, subject: str) -> bool:
    return compiled(pattern).search(subject.encode("utf-8", "replace")) is not None


def _places(value: Any) -> int:
    waiting, places = [value], 0
    while waiting:
        found = waiting.pop()
        places += 1
        if isinstance(found, dict):
            waiting += found.values()
        elif isinstance(found, list):
            waiting += found
    return places


def _cut(said: str) -> str:
    return said if len(said) <= 200 else said[:200] + "…"
