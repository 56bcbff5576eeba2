"""Texts with expressions in braces: `orders.{order_id}.status`, `Refunded {amount} to {order.customer}.`

A value that is nothing but one expression keeps its type: `"{amount}"` may be a number or an object. `{{` and `}}`
stand for braces. In a path each expression is one key, whatever characters it has.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from gnomon.bench.tasks import paths
from gnomon.bench.tasks.expressions import Expression, ExpressionError, Names, OperationBudget, as_text, parse

LONGEST = 4_000
_PART = re.compile(r"\{\{|\}\}|[{}]|[^{}]+")


@dataclass(frozen=True, slots=True)
class Template:
    """A text that was read: its parts, each a text or an expression."""

    parts: tuple[str | Expression, ...]

    @property
    def names(self) -> frozenset[str]:
        return frozenset(name for part in self.parts if isinstance(part, Expression) for name in part.names)

    def value(self, names: Names, budget: OperationBudget | None = None) -> Any:
        """The value: of any type if the template is one expression, else a text."""
        if len(self.parts) == 1 and isinstance(self.parts[0], Expression):
            return self.parts[0].value(names, budget)
        return self.text(names, budget)

    def text(self, names: Names, budget: OperationBudget | None = None) -> str:
        return "".join(part if isinstance(part, str) else as_text(part.value(names, budget)) for part in self.parts)


@lru_cache(maxsize=4096)
def template(text: str) -> Template:
    """Read a template; raises `ExpressionError` when braces do not match or hold no expression."""
    if len(text) > LONGEST:
        raise ExpressionError(f"a text of {len(text)} characters is longer than {LONGEST}; shorten it")
    return Template(tuple(_parts(text)))


def _parts(text: str) -> Iterator[str | Expression]:
    literal, at = "", 0
    while at < len(text):
        part = _PART.match(text, at)
        assert part is not None
        at = part.end()
        if part[0] == "{":
            end = text.find("}", at)
            if end < 0:
                raise ExpressionError(f"{text!r} has a {{ without a }}; write {{{{ for a brace")
            if literal:
                yield literal
            literal = ""
            yield parse(text[at:end])
            at = end + 1
        elif part[0] == "}":
            raise ExpressionError(f"{text!r} has a }} without a {{; write }}}} for a brace")
        else:
            literal += {"{{": "{", "}}": "}"}.get(part[0], part[0])
    if literal:
        yield literal


def filled(value: Any, names: Names, budget: OperationBudget | None = None) -> Any:
    """A JSON value with every text in it filled in."""
    if isinstance(value, str):
        return template(value).value(names, budget)
    if isinstance(value, list):
        return [filled(item, names, budget) for item in value]
    if isinstance(value, dict):
        return {key: filled(item, names, budget) for key, item in value.items()}
    return value


def templates_in(value: Any) -> Iterator[Template]:
    """Every template inside a JSON value."""
    if isinstance(value, str):
        yield template(value)
    elif isinstance(value, list):
        for item in value:
            yield from templates_in(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from templates_in(item)


@lru_cache(maxsize=4096)
def path_template(text: str) -> tuple[Template, ...]:
    """A path whose keys may be templates, read key by key."""
    expressions = re.findall(r"\{[^}]*\}", text)
    marked = re.sub(r"\{[^}]*\}", "\1", text)  # dots inside braces separate nothing
    if "\1" in text:
        raise paths.PathError(f"{text!r} is not a path")
    keys = paths.parse(marked)
    waiting = iter(expressions)
    return tuple(template(re.sub("\1", lambda _: next(waiting), key)) for key in keys)


def filled_path(text: str, names: Names, budget: OperationBudget | None = None) -> paths.Path:
    """A path with its keys filled in."""
    return tuple(key.text(names, budget) for key in path_template(text))
