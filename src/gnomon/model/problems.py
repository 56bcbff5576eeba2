"""What pydantic finds wrong, as a refusal: which field, which position in a batch, and why, in our words."""

from collections.abc import Sequence
from typing import Any, Protocol

from gnomon.errors import InvalidInput, Problem

BATCHES = {"spans", "runs", "scores", "iterations"}
_SHOWN = 60


class Faulty(Protocol):
    """A `ValidationError` of pydantic, or FastAPI's of a request."""

    def errors(self) -> Sequence[Any]: ...


def from_pydantic(bad: Faulty, *, default: str = "INVALID_REQUEST") -> InvalidInput:
    problems = problems_of(bad.errors(), default=default)
    return refusal_of(problems)


def refusal_of(problems: Sequence[Problem]) -> InvalidInput:
    """One refusal for many problems; its code is that of the lowest index."""
    ordered = sorted(problems, key=lambda problem: -1 if problem.index is None else problem.index)
    first = ordered[0]
    more = f" (and {len(ordered) - 1} more)" if len(ordered) > 1 else ""
    place = first.field if first.index is None else f"[{first.index}].{first.field}"
    return InvalidInput(f"{place}: {first.message}{more}", code=first.code, problems=ordered)


def problems_of(errors: Sequence[Any], *, default: str = "INVALID_REQUEST", index: int | None = None) -> list[Problem]:
    return [_problem(error, default, index) for error in errors]


def _problem(error: Any, default: str, index: int | None) -> Problem:
    place = [part for part in error["loc"] if part not in ("query", "path", "header")]
    if index is None and len(place) >= 2 and place[0] in BATCHES and isinstance(place[1], int):
        index, place = place[1], place[2:]
    named = (error.get("ctx") or {}).get("field")
    field = _dotted([*place, named] if named else place) or "body"
    kind = str(error["type"])
    own = kind if kind.isupper() else None
    code = own or ("INVALID_REQUEST" if "scores" in place else default)
    return Problem(field, code, _words(error), index)


def _dotted(place: Sequence[Any]) -> str:
    text = ""
    for part in place:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def _words(error: Any) -> str:
    if error["type"] == "missing":
        return "is required"
    message = str(error["msg"]).removeprefix("Value error, ").removeprefix("Assertion failed, ")
    message = message[:1].lower() + message[1:]
    given = error.get("input")
    if isinstance(given, dict | list) or given is None or str(error["type"]).isupper():
        return message
    shown = repr(given)
    return f"{message} (got {shown if len(shown) <= _SHOWN else shown[:_SHOWN] + '…'})"
