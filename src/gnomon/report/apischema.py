"""JSON schemas of the OpenAPI document as people read them: fields with their types, and an example."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Schema = Mapping[str, Any]

_DEEPEST = 5
"""Below this level an example holds only what is required."""
_TEXTS = {"date-time": "2026-01-31T12:00:00Z", "date": "2026-01-31", "binary": "…"}
_LIMITS = {
    "minLength": "at least {} characters", "maxLength": "at most {} characters", "minimum": "at least {}",
    "maximum": "at most {}", "exclusiveMinimum": "above {}", "exclusiveMaximum": "below {}",
    "minItems": "at least {} items", "maxItems": "at most {} items", "pattern": "matches {}",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class TypePart:
    """A piece of a type's name; `schema` names the schema that it links to."""

    text: str
    schema: str | None = None


@dataclass(frozen=True, slots=True)
class Field:
    """A property of an object, or a parameter of an operation."""

    name: str
    type: list[TypePart]
    is_required: bool
    description: str
    limits: list[str]


def fields(schema: Schema) -> list[Field]:
    """The properties of an object; those that must be given come first."""
    required = schema.get("required", ())
    listed = [field(name, property, name in required) for name, property in schema.get("properties", {}).items()]
    return sorted(listed, key=lambda schema_field: not schema_field.is_required)


def field(name: str, schema: Schema, is_required: bool, description: str = "") -> Field:
    return Field(name, list(type_name(schema)), is_required, description or schema.get("description", ""),
                 list(_limits(schema)))  # fmt: skip


def type_name(schema: Schema) -> Iterator[TypePart]:
    """`string`, `list of Score`, `number or null`."""
    if "$ref" in schema:
        yield TypePart(readable(name := schema_name(schema["$ref"])), name)
    elif "anyOf" in schema:
        for index, option in enumerate(schema["anyOf"]):
            yield from [TypePart(" or ")] if index else []
            yield from type_name(option)
    elif "const" in schema:
        yield TypePart(f'"{schema["const"]}"')
    elif "enum" in schema:
        yield TypePart(" or ".join(f'"{value}"' for value in schema["enum"]))
    elif schema.get("type") == "array":
        yield TypePart("list of ")
        inner = schema.get("items")
        yield from type_name(inner) if inner else [TypePart("anything" if "prefixItems" not in schema else "numbers")]
    elif schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        yield TypePart("map of ")
        yield from type_name(schema["additionalProperties"])
    else:
        yield TypePart(_TIME if schema.get("format") == "date-time" else str(schema.get("type", "any JSON")))


_TIME = "time (ISO 8601)"


def schema_name(reference: str) -> str:
    return reference.rpartition("/")[2]


def readable(name: str) -> str:
    """`Page_Score_` is a page of scores."""
    return f"page of {name.removeprefix('Page_').rstrip('_')}" if name.startswith("Page_") else name


def _limits(schema: Schema) -> Iterator[str]:
    """What a value must keep, and what holds where none is given."""
    for option in (schema, *schema.get("anyOf", ())):
        yield from (words.format(option[key]) for key, words in _LIMITS.items() if _is_shown(key, option.get(key)))
    if schema.get("default") not in (None, [], {}):
        yield f"default {json.dumps(schema['default'])}"


def _is_shown(key: str, value: Any) -> bool:
    """That a name must not be empty goes without saying."""
    return value is not None and (key, value) not in (("minLength", 1), ("pattern", r"\S"))


def example(schema: Schema, schemas: Mapping[str, Schema], *, only_required: bool = False) -> Any:
    """A value that the schema allows. `only_required` leaves out properties that need not be given."""
    return _Examples(schemas, only_required).of(schema, "", 0)


@dataclass(frozen=True, slots=True)
class _Examples:
    schemas: Mapping[str, Schema]
    only_required: bool

    def of(self, schema: Schema, name: str, depth: int) -> Any:
        if "$ref" in schema:
            target = schema_name(schema["$ref"])
            return self.of(self.schemas[target], name, depth + 1)
        for source in ("examples", "enum"):
            if schema.get(source):
                return schema[source][0]
        if "const" in schema:
            return schema["const"]
        if schema.get("default") is not None:
            return schema["default"]
        if "anyOf" in schema:
            may_be_null = {"type": "null"} in schema["anyOf"]
            return None if may_be_null and depth > _DEEPEST else self.of(schema["anyOf"][0], name, depth)
        return self._by_type(schema, name, depth)

    def _by_type(self, schema: Schema, name: str, depth: int) -> Any:
        match schema.get("type"):
            case "object":
                return self._object(schema, depth)
            case "array":
                return self._array(schema, name, depth)
            case "integer":
                return max(1, schema.get("minimum", 1))
            case "number":
                return 0.75 if schema.get("maximum", 2) < 1.5 else max(1.5, schema.get("minimum", 1.5))
            case "boolean":
                return True
            case "null":
                return None
            case "string":
                return _text(schema, name)
        return "any JSON"

    def _object(self, schema: Schema, depth: int) -> dict[str, Any]:
        required = schema.get("required", ())
        return {
            name: self.of(property, name, depth + 1)
            for name, property in schema.get("properties", {}).items()
            if name in required or not (self.only_required or depth > _DEEPEST)
        }

    def _array(self, schema: Schema, name: str, depth: int) -> list[Any]:
        if "prefixItems" in schema:
            return [self.of(item, name, depth + 1) for item in schema["prefixItems"]]
        inner = schema.get("items")
        is_left_out = depth > _DEEPEST and not schema.get("minItems")
        return [] if inner is None or is_left_out else [self.of(inner, name, depth + 1)]


def _text(schema: Schema, name: str) -> str:
    """The field's own name as a placeholder, unless its format says more."""
    text = _TEXTS.get(schema.get("format", ""), "")
    return text or (name.upper() if name == "id" or name.endswith("_id") else name.replace("_", " ") or "text")
