"""What a caller gives in Python, checked as a server checks what it is sent, and refused in the same way."""

from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from gnomon.errors import InvalidInput
from gnomon.model import jsonvalue
from gnomon.model.problems import from_pydantic, problems_of, refusal_of

M = TypeVar("M", bound=BaseModel)


def build(draft: type[M], **fields: Any) -> M:
    """A draft of these fields."""
    try:
        return draft.model_validate(fields)
    except ValidationError as bad:
        raise from_pydantic(bad) from None


def body_of(draft: BaseModel) -> bytes:
    """The draft as JSON: what was set, and no defaults."""
    if not isinstance(draft, BaseModel):
        raise InvalidInput(f"{repr(draft)[:60]} is not a draft; make one, as in DatasetDraft(name='capitals')")
    try:
        body = draft.model_dump_json(exclude_unset=True).encode()
    except (PydanticSerializationError, UnicodeEncodeError) as bad:
        raise InvalidInput(f"{type(draft).__name__} holds a value that JSON cannot represent: {bad}") from None
    if (b"NaN" in body or b"Infinity" in body) and not _is_json(body):
        raise InvalidInput(
            f"{type(draft).__name__} holds NaN or an infinity, which JSON cannot represent; send null instead"
        )
    return body


def _is_json(body: bytes) -> bool:
    try:
        jsonvalue.read(body)
    except InvalidInput:
        return False
    return True


def read_back(draft: type[M], body: bytes) -> M:
    """The draft that a server reads in this body."""
    try:
        return draft.model_validate(jsonvalue.read(body))
    except ValidationError as bad:
        raise from_pydantic(bad) from None


def as_sent(draft: M) -> M:
    """The draft as a server would read it: JSON has no tuples and no NaN, and databases take no NUL."""
    return read_back(type(draft), body_of(draft))


def option(field: str, adapter: TypeAdapter[Any], value: Any) -> Any:
    """One option, as its type reads it."""
    try:
        return adapter.validate_python(value)
    except ValidationError as bad:
        problems = [{**error, "loc": (field, *error["loc"])} for error in bad.errors()]
        raise refusal_of(problems_of(problems)) from None


def text(field: str, value: str) -> str:
    """A text that can stand in an address."""
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InvalidInput.of(field, f"{field} holds half a character (a lone surrogate); remove it") from None
    if "\0" in value:
        raise InvalidInput.of(field, f"{field} has the character NUL, which names cannot contain; remove it")
    return value
