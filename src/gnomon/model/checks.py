"""What a caller gave, checked before it is used: refused as a server refuses it, not with pydantic's own error."""

from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from gnomon.errors import InvalidInput

M = TypeVar("M", bound=BaseModel)


def build(draft: type[M], **fields: Any) -> M:
    """A draft of these fields."""
    try:
        return draft(**fields)
    except ValidationError as bad:
        raise _refusal(bad, "body") from None


def check(field: str, adapter: TypeAdapter[Any], value: Any) -> Any:
    """One option, as its type reads it."""
    try:
        return adapter.validate_python(value)
    except ValidationError as bad:
        raise _refusal(bad, field) from None


def _refusal(bad: ValidationError, unnamed: str) -> InvalidInput:
    first = bad.errors()[0]
    field = str(first["loc"][0]) if first["loc"] and isinstance(first["loc"][0], str) else unnamed
    message = first["msg"].removeprefix("Value error, ")
    code = first["type"] if first["type"].isupper() else "INVALID_REQUEST"
    return InvalidInput.of(field, f"{field}: {message[:1].lower()}{message[1:]}", code=code)
