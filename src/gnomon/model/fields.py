"""Field types that several nouns share, so that a rule is written once."""

from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetPydanticSchema,
    PlainSerializer,
    StringConstraints,
    ValidationError,
    WithJsonSchema,
)
from pydantic_core import core_schema

from gnomon.errors import InvalidInput
from gnomon.model.nearest import not_a_field
from gnomon.model.problems import problems_of, refusal_of

if TYPE_CHECKING:
    from pydantic._internal._model_construction import ModelMetaclass
else:
    ModelMetaclass = type(BaseModel)  # under this name it is public

NAME_LIMIT = 256
ID_LIMIT = 128
REASON_LIMIT = 1000
LARGEST_COUNT = 2**53 - 1  # what every JSON reader can hold exactly


def _open_to_more(schema: dict[str, Any]) -> None:
    """Over HTTP unknown fields are ignored and named (`reading.py`), so a document must not rule them out."""
    schema.pop("additionalProperties", None)


class _DraftType(ModelMetaclass):
    """Drafts that are made in Python are refused in one line, as a server refuses them, and not by pydantic's page.

    Only `SomeDraft(...)` comes through here: what is read from JSON does not, and takes no longer.
    """

    def __call__(self, /, **fields: Any) -> Any:
        try:
            return super().__call__(**fields)
        except ValidationError as bad:
            if absent := _given_as_none(self, bad):
                return self(**{name: value for name, value in fields.items() if name not in absent})
            raise _refused(self, bad) from None


def _given_as_none(draft: Any, bad: ValidationError) -> set[str]:
    """Optional fields of which None is no value: given so they are as absent, as null is over HTTP."""
    named = {str(error["loc"][0]) for error in bad.errors() if len(error["loc"]) == 1 and error["input"] is None}
    return {name for name in named if name in draft.model_fields and not draft.model_fields[name].is_required()}


def _refused(draft: Any, bad: ValidationError) -> InvalidInput:
    errors: list[Any] = [
        {**error, "msg": not_a_field(str(error["loc"][0]), draft.model_fields), "input": None}
        if error["type"] == "extra_forbidden" and len(error["loc"]) == 1
        else error
        for error in bad.errors()
    ]
    refusal = refusal_of(problems_of(errors))
    return InvalidInput(f"{draft.__name__}: {refusal.message}", code=refusal.code, problems=refusal.problems)


class Draft(BaseModel, metaclass=_DraftType):
    """What a caller may send. JSON types are taken at their word; a field that is not known is an error in Python."""

    model_config = ConfigDict(
        frozen=True, strict=True, extra="forbid", json_schema_extra=_open_to_more,
        ser_json_inf_nan="constants",  # NaN must be refused by whoever reads it, not become null on the way
    )  # fmt: skip

    refuses_unknown: ClassVar[bool] = False
    """Whether an unknown field is refused over HTTP too, where ignoring it would change what is meant."""


def known_fields(model: type[Draft]) -> BeforeValidator:
    """For a draft inside of a noun: an answer of a newer server may have fields that are not known here."""

    def without_unknown(answer: Any) -> Any:
        if not isinstance(answer, dict):
            return answer
        return {name: value for name, value in answer.items() if name in model.model_fields}

    return BeforeValidator(without_unknown)


class Noun(BaseModel):
    """What we keep and show."""

    model_config = ConfigDict(frozen=True)


class FiniteNoun(Noun):
    """A noun without NaN and infinities: what is not known is null."""

    model_config = ConfigDict(allow_inf_nan=False)


def _whole(value: float | None) -> float | int | None:
    return int(value) if value is not None and value.is_integer() else value


# These are checked inside pydantic's core: a batch of spans has thousands, too many to call Python for.
_CLIENT_ID = core_schema.custom_error_schema(
    core_schema.str_schema(
        strict=True, min_length=1, max_length=ID_LIMIT, pattern=r"^(?: |[^\p{C}\p{Z}/])+$", regex_engine="rust-regex"
    ),
    custom_error_type="client_id",
    custom_error_message=f"an id is a string of 1 to {ID_LIMIT} printable characters without '/'",
)
_NAME = core_schema.custom_error_schema(
    core_schema.str_schema(strict=True, min_length=1, max_length=NAME_LIMIT, pattern=r"\S", regex_engine="rust-regex"),
    custom_error_type="name",
    custom_error_message=f"must be a string of 1 to {NAME_LIMIT} characters that are not all blank",
)
_REASON = core_schema.custom_error_schema(
    core_schema.str_schema(
        strict=True, min_length=1, max_length=REASON_LIMIT, pattern=r"\S", regex_engine="rust-regex"
    ),
    custom_error_type="reason",
    custom_error_message=f"a reason is a string of 1 to {REASON_LIMIT} characters that are not all blank; shorten it",
)
_FLAT = core_schema.custom_error_schema(
    core_schema.union_schema(
        [
            core_schema.str_schema(strict=True),
            core_schema.int_schema(strict=True),
            core_schema.float_schema(strict=True),
            core_schema.bool_schema(strict=True),
            core_schema.none_schema(),
        ]
    ),
    custom_error_type="nested_metadata",
    custom_error_message="metadata values are strings, numbers, booleans or null; flatten or stringify this one",
)

ClientId = Annotated[
    str,
    GetPydanticSchema(lambda _source, _handler: _CLIENT_ID),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": ID_LIMIT, "pattern": "^[^/\\x00-\\x1f\\x7f]+$"}),
]
"""A span's or trace's id: made by the client, 1 to 128 printable characters."""

ProjectId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._:-]{1,128}$")]

Name = Annotated[
    str,
    GetPydanticSchema(lambda _source, _handler: _NAME),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": NAME_LIMIT, "pattern": "\\S"}),
]
Reason = Annotated[
    str,
    GetPydanticSchema(lambda _source, _handler: _REASON),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": REASON_LIMIT, "pattern": "\\S"}),
]
"""Why there is no score, as a caller says it."""
TrimmedName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=NAME_LIMIT)]
Count = Annotated[int, Field(ge=0, le=LARGEST_COUNT)]
FlatMap = dict[
    str,
    Annotated[
        Any,
        GetPydanticSchema(lambda _source, _handler: _FLAT),
        WithJsonSchema({"type": ["string", "number", "boolean", "null"]}),
    ],
]
Milliseconds = Annotated[float, Field(ge=0, le=LARGEST_COUNT), PlainSerializer(_whole, when_used="json-unless-none")]
