"""What pydantic finds wrong, as a refusal: which field, which position in a batch, and why, in our words."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol

from gnomon.errors import GnomonError, InvalidInput, Problem
from gnomon.shorten import count_more, shorten_repr

BATCHES = {"spans", "runs", "scores", "iterations"}
_SHOWN = 60


class Faulty(Protocol):
    """A `ValidationError` of pydantic, or FastAPI's of a request."""

    def errors(self) -> Sequence[Any]: ...


def from_pydantic(bad: Faulty, *, default: str = "INVALID_REQUEST") -> GnomonError:
    return refusal_of(problems_of(bad.errors(), default=default))


def refusal_of(
    problems: Iterable[Problem],
    family: type[GnomonError] = InvalidInput,
    *,
    by_code: Mapping[str, type[GnomonError]] = MappingProxyType({}),
    batch: str = "",
) -> GnomonError:
    """One refusal for many problems: its message and code are those of the lowest index.

    Its class is the one that `by_code` has for that code, or `family`. `batch` is the name of the list in the message.
    """
    ordered = sorted(problems, key=lambda problem: -1 if problem.index is None else problem.index)
    first = ordered[0]
    path = first.field if first.index is None else f"{batch}[{first.index}].{first.field}"
    message = count_more(f"{path}: {first.message}", len(ordered))
    return by_code.get(first.code, family)(message, code=first.code, problems=ordered)


def problems_of(errors: Sequence[Any], *, default: str = "INVALID_REQUEST", index: int | None = None) -> list[Problem]:
    return [_problem(error, default, index) for error in errors]


def _problem(error: Any, default: str, index: int | None) -> Problem:
    path = [part for part in error["loc"] if part not in ("query", "path", "header")]
    if index is None and len(path) >= 2 and path[0] in BATCHES and isinstance(path[1], int):
        index, path = path[1], path[2:]
    named = (error.get("ctx") or {}).get("field")
    field = _dotted([*path, named] if named else path) or "body"
    kind = str(error["type"])
    own = kind if kind.isupper() else None
    code = own or ("INVALID_REQUEST" if "scores" in path else default)
    return Problem(field, code, _words(error), index)


def _dotted(path: Sequence[Any]) -> str:
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def _words(error: Any) -> str:
    if error["type"] == "missing":
        return "is required"
    message = str(error["msg"]).removeprefix("Value error, ").removeprefix("Assertion failed, ")
    message = message[:1].lower() + message[1:]
    value = error.get("input")
    if isinstance(value, dict | list) or value is None or str(error["type"]).isupper():
        return message
    return f"{message} (got {shorten_repr(value, _SHOWN)})"
