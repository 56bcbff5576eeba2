"""The built-in scorers by name. The union is the registry: add a class there and it is known."""

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, get_args

from pydantic import BaseModel, Field, ValidationError
from pydantic_core import ErrorDetails

from gnomon.errors import InvalidInput, Problem
from gnomon.model.jsonvalue import canonical
from gnomon.model.nearest import did_you_mean
from gnomon.scorers.choice import Choice
from gnomon.scorers.judge import LlmJudge
from gnomon.scorers.protocol import WrongKeyError, shortened
from gnomon.scorers.rubricjudge import RubricJudge
from gnomon.scorers.structured import JsonMatch, JsonSchema, Numeric
from gnomon.scorers.text import F1, Contains, ContainsAll, ContainsAny, ExactMatch, OneOf, Regex, Similarity
from gnomon.scorers.tool_calls import ToolCalls

_CODE = "INVALID_SCORER_CONFIG"

_Rules = (
    ExactMatch
    | Contains
    | Regex
    | OneOf
    | ContainsAll
    | ContainsAny
    | Similarity
    | F1
    | Choice
    | JsonMatch
    | JsonSchema
    | Numeric
    | ToolCalls
)
Scorer = Annotated[_Rules | LlmJudge | RubricJudge, Field(discriminator="name")]

_BY_NAME: dict[str, type[Any]] = {cls.model_fields["name"].default: cls for cls in get_args(get_args(Scorer)[0])}

BUILTINS: tuple[str, ...] = tuple(_BY_NAME)


def is_builtin(name: str) -> bool:
    return name in _BY_NAME


def unknown_scorer(name: str) -> str:
    """The message about a name that is not a built-in scorer."""
    others = f"there are {', '.join(BUILTINS)}"
    return f"{name!r} is not a built-in scorer; {did_you_mean(name, BUILTINS, others)}"


@cache
def config_keys(name: str) -> frozenset[str]:
    """The keys that this scorer's configuration may have."""
    fields = _BY_NAME[name].model_fields
    return frozenset(field.alias or key for key, field in fields.items() if key != "name")


def build(name: str, config: Mapping[str, Any] | None = None) -> Scorer:
    """A scorer ready to measure, or `InvalidInput` that names each key that is wrong."""
    if name not in _BY_NAME:
        raise InvalidInput.of("scorer", unknown_scorer(name), code=_CODE)
    if config is not None and not isinstance(config, Mapping):
        raise InvalidInput.of("config", "config must be an object with the scorer's keys", code=_CODE)
    known = config_keys(name)  # null in one of these is as absent; in any other it is an unknown key all the same
    options = {key: value for key, value in (config or {}).items() if value is not None or key not in known}
    # `name` tells the classes apart inside the union; a caller who writes it in a config is mistaken.
    reserved = [_unknown_key(name, "name")] if "name" in options else []
    try:
        scorer: Scorer = _BY_NAME[name].model_validate({**options, "name": name})
    except ValidationError as bad:
        raise _refused(name, reserved + [_problem(name, error) for error in bad.errors()]) from None
    if reserved:
        raise _refused(name, reserved)
    return scorer


def config_hash(scorer: Scorer) -> str:
    """Which configuration made a score: equal for equal rules, whatever each was compared with."""
    config = scorer.model_dump(exclude={"name", "expected_output"}, by_alias=True)
    identity = {"scorer": scorer.name, "version": scorer.version, "config": config}
    return hashlib.sha256(canonical(identity).encode()).hexdigest()[:16]


def _refused(name: str, problems: list[Problem]) -> InvalidInput:
    return InvalidInput(f"{name}: " + "; ".join(problem.message for problem in problems), code=_CODE, problems=problems)


def _problem(name: str, error: ErrorDetails) -> Problem:
    cause = error.get("ctx", {}).get("error")
    path = [*map(str, error["loc"]), *([cause.key] if isinstance(cause, WrongKeyError) else [])]
    field = ".".join(["config", *path])
    if error["type"] in ("extra_forbidden", "invalid_key"):
        return _unknown_key(name, *path)
    if error["type"] == "missing":
        return Problem(field, _CODE, f"{field} is required")
    if cause is not None:
        return Problem(field, _CODE, f"{field}: {cause}")
    rule = error["msg"].replace("Input should", "should", 1)
    return Problem(field, _CODE, f"{field} {rule[:1].lower()}{rule[1:]}, not {shortened(error['input'])}")


def _unknown_key(name: str, *path: str) -> Problem:
    *outer, key = ("config", *path)
    field, where = f"{'.'.join(outer)}.{key}", ".".join(outer)
    within = _model_at(_BY_NAME[name], path[:-1])
    whole = within is _BY_NAME[name]
    known = sorted(config_keys(name) if whole else within.model_fields)
    others = f"{'it' if whole else where} takes {', '.join(known)}"
    return Problem(field, _CODE, f"{field} is not known{f' to {name}' * whole}; {did_you_mean(key, known, others)}")


def _model_at(outer: type[BaseModel], path: Sequence[str]) -> type[BaseModel]:
    """The class whose keys stand at a path of a configuration; positions in lists and names in objects are not keys."""
    for key in path:
        if key in outer.model_fields:
            outer = _inner_model(outer.model_fields[key].annotation) or outer
    return outer


def _inner_model(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_inner_model, get_args(annotation))), None)
