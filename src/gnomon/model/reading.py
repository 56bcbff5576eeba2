"""A caller's JSON read as a draft: unknown fields are ignored and named, a null for an optional field is as absent.

Drafts themselves are strict, so that a misspelled field in Python is an error. Most bodies are right as they are: that
is tried first and costs nothing more. Only what does not pass is looked at field by field.
"""

import types
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin

from pydantic import ValidationError

from gnomon.model.fields import Draft
from gnomon.model.nearest import not_a_field

D = TypeVar("D", bound=Draft)
FieldPath = tuple[str | int, ...]

MAX_NAMED = 20


class UnknownField(NamedTuple):
    """A field that its draft does not have, and those that it has."""

    path: FieldPath
    known: Collection[str]

    @property
    def words(self) -> str:
        """What is wrong and what to do, to stand behind the field's name."""
        return not_a_field(str(self.path[-1]), self.known)


@dataclass
class Unknown:
    """The fields that were ignored: the first few by name, and how many there were."""

    named: list[UnknownField] = field(default_factory=list)
    count: int = 0

    def add(self, path: FieldPath, known: Collection[str]) -> None:
        self.count += 1
        if len(self.named) < MAX_NAMED:
            self.named.append(UnknownField(path, known))

    def extend(self, start: FieldPath, others: "Unknown") -> None:
        """Add what was found inside of something that lies at `start`."""
        for unknown_field in others.named[: MAX_NAMED - len(self.named)]:
            self.named.append(UnknownField((*start, *unknown_field.path), unknown_field.known))
        self.count += others.count


class NotADraft(Exception):
    """What is wrong beside unknown fields, and those fields."""

    def __init__(self, invalid: ValidationError, unknown: Unknown) -> None:
        super().__init__(str(invalid))
        self.invalid, self.unknown = invalid, unknown


def read_draft(model: type[D], value: Any, *, is_large: bool = False) -> tuple[D, Unknown]:
    """The draft and what was ignored; raises `NotADraft`.

    A large body is looked through first: it may hold a million unknown fields, and pydantic's errors about them
    would take more memory than the body itself.
    """
    if not is_large:
        try:
            return model.model_validate(value), Unknown()
        except ValidationError:
            pass  # perhaps only because of what is ignored here
    cleaned, unknown = look_through(model, value)
    try:
        return model.model_validate(cleaned, extra="ignore"), unknown
    except ValidationError as invalid:
        raise NotADraft(invalid, unknown) from None


def look_through(model: type[Draft], value: Any) -> tuple[Any, Unknown]:
    """The same without nulls that say nothing, and the fields that the draft does not have."""
    unknown = Unknown()
    return _cleaned(model, value, (), unknown), unknown


def _cleaned(model: type[Draft], content: Any, path: FieldPath, unknown: Unknown) -> Any:
    if not isinstance(content, dict):
        return content
    shape = _shape(model)
    cleaned = {}
    for name, value in content.items():
        if name not in shape.known and not model.refuses_unknown:
            unknown.add((*path, name), shape.known)
        if value is not None or name not in shape.without_null:
            inner = shape.drafts.get(name)
            cleaned[name] = value if inner is None else _cleaned_inside(inner, value, (*path, name), unknown)
    return cleaned


def _cleaned_inside(inner: "_Inner", value: Any, path: FieldPath, unknown: Unknown) -> Any:
    if inner.kind == "list" and isinstance(value, list):
        return [_cleaned(inner.model, element, (*path, at), unknown) for at, element in enumerate(value)]
    if inner.kind == "map" and isinstance(value, dict):
        return {key: _cleaned(inner.model, element, (*path, key), unknown) for key, element in value.items()}
    return _cleaned(inner.model, value, path, unknown) if inner.kind == "one" else value


class _Inner(NamedTuple):
    """Drafts inside of a draft."""

    kind: Literal["one", "list", "map"]
    model: type[Draft]


class _Shape(NamedTuple):
    known: frozenset[str]
    without_null: frozenset[str]
    """Fields of which null is no value: there it is as absent."""
    drafts: dict[str, _Inner]


@cache
def _shape(model: type[Draft]) -> _Shape:
    types_of = {name: info.annotation for name, info in model.model_fields.items()}
    drafts = {name: inner for name, kind in types_of.items() if (inner := _inner(kind)) is not None}
    return _Shape(
        frozenset(types_of), frozenset(name for name, kind in types_of.items() if not _takes_null(kind)), drafts
    )


def _inner(annotation: Any) -> _Inner | None:
    if isinstance(annotation, type) and issubclass(annotation, Draft):
        return _Inner("one", annotation)
    inside = next((inner for option in _options(annotation) if (inner := _inner(option)) is not None), None)
    origin = get_origin(annotation)
    if inside is None or origin not in (list, dict):
        return inside
    return _Inner("list" if origin is list else "map", inside.model)


def _takes_null(annotation: Any) -> bool:
    if annotation is Any or annotation is None or annotation is types.NoneType:
        return True
    if get_origin(annotation) in (Union, types.UnionType, Annotated):
        return any(_takes_null(option) for option in _options(annotation))
    return False


def _options(annotation: Any) -> Iterator[Any]:
    """The types that a type is made of, without what `Annotated` says of them."""
    inside = get_args(annotation)
    yield from inside[:1] if get_origin(annotation) is Annotated else inside
