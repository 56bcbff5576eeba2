"""Field types that several nouns share, so that a rule is written once."""

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainSerializer, StringConstraints, WithJsonSchema

NAME_LIMIT = 256
ID_LIMIT = 128
_LARGEST_COUNT = 2**53 - 1  # what every JSON reader can hold exactly


class Draft(BaseModel):
    """What a caller may send. Unknown fields are ignored, JSON types are taken at their word."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class Noun(BaseModel):
    """What we keep and show."""

    model_config = ConfigDict(frozen=True)


def _client_id(value: str) -> str:
    if not value.isprintable() or "/" in value:
        raise ValueError("an id is made of printable characters without '/'")
    return value


def _flat(value: Any) -> Any:
    if isinstance(value, dict | list):
        raise ValueError("metadata values are strings, numbers, booleans or null; flatten or stringify this one")
    return value


def _not_blank(value: str) -> str:
    if not value.strip():
        raise ValueError("must not be empty")
    return value


def _whole(value: float | None) -> float | int | None:
    return int(value) if value is not None and value.is_integer() else value


ClientId = Annotated[str, StringConstraints(min_length=1, max_length=ID_LIMIT), AfterValidator(_client_id)]
"""A span's or trace's id: made by the client, 1 to 128 printable characters."""

ProjectId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._:-]{1,128}$")]

Name = Annotated[str, StringConstraints(min_length=1, max_length=NAME_LIMIT), AfterValidator(_not_blank)]
TrimmedName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=NAME_LIMIT)]
Count = Annotated[int, Field(ge=0, le=_LARGEST_COUNT)]
FlatMap = dict[
    str,
    Annotated[Any, AfterValidator(_flat), WithJsonSchema({"type": ["string", "number", "boolean", "null"]})],
]
Milliseconds = Annotated[float, Field(ge=0, le=_LARGEST_COUNT), PlainSerializer(_whole, when_used="json-unless-none")]
