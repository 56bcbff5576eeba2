"""Rules that look at an output as JSON or as a number.

A text that holds JSON is read as JSON; any other text is itself, a JSON string. So an output
that is not JSON never equals an object, and never satisfies a schema that asks for one.
"""

import re
from collections.abc import Iterator
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation
from functools import cached_property
from typing import Annotated, Any, Literal

import msgspec
from pydantic import Field, field_validator

from gnomon.model.jsonvalue import AnyJson, count, depth, most_values
from gnomon.scorers.cost import rounded, spend
from gnomon.scorers.jsonschema import Checker, checker, satisfies
from gnomon.scorers.protocol import Comparison, RuleScorer, UnmeasurableError, shortened, text

Tolerance = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Step = str | int | None  # a key, an index, or any of them
ValuePath = tuple[Step, ...]

_STEP = re.compile(
    r"""\[(?P<index>\d{1,9})\] | \[(?P<quoted>"(?:[^"\\]|\\.)*")\]"""
    r"""| (?P<any>\[\*\]|\.\*|^\*) | (?:^|\.)(?P<key>[^.\[\]*"]+)""",
    re.VERBOSE,
)
_NUMBER = re.compile(
    r"(?<![\w.,])(?<!\w[-+])[-+]?"
    r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"
    r"(?!\w|[.,]\d)",
    re.ASCII,
)
_PRECISE = Context(prec=60, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])


class JsonMatch(Comparison):
    """1.0 when two JSON values are equal, else 0.0; with `partial`, the share of leaves that are."""

    name: Literal["json_match"] = "json_match"
    ignore: list[str] = Field(default_factory=list)
    tolerance: Tolerance = 0.0
    partial: bool = False

    @field_validator("ignore")
    @classmethod
    def _paths_are_readable(cls, ignore: list[str]) -> list[str]:
        for written in ignore:
            parse_path(written)
        return ignore

    def _value(self, output: Any, expected: Any) -> float:
        output_leaves, expected_leaves = self._leaves(output), self._leaves(expected)
        paths = output_leaves.keys() | expected_leaves.keys()
        alike = sum(
            1
            for at in output_leaves.keys() & expected_leaves.keys()
            if _same_leaf(output_leaves[at], expected_leaves[at], self.tolerance)
        )
        if self.partial:
            return alike / len(paths) if paths else 1.0
        return float(alike == len(paths))

    def _leaves(self, value: Any) -> dict[ValuePath, Any]:
        decoded = as_json(value)
        self._spend(decoded)
        by_path = leaves(decoded)
        return {path: leaf for path, leaf in by_path if not any(_covers(wide, path) for wide in self._ignored)}

    def _spend(self, value: Any) -> None:
        """Each leaf is held against each ignored path, and each path is as long as the leaf lies deep."""
        values, steps_each = count(value), 50 + 10 * depth(value) + 30 * len(self.ignore)
        spend(values * steps_each, f"JSON of {rounded(values)} values and {len(self.ignore):,} ignored paths")

    @cached_property
    def _ignored(self) -> list[ValuePath]:
        return [parse_path(written) for written in self.ignore]


class JsonSchema(RuleScorer):
    """1.0 when the output satisfies the JSON Schema, else 0.0."""

    name: Literal["json_schema"] = "json_schema"
    definition: Annotated[AnyJson, Field(alias="schema")]

    @field_validator("definition")
    @classmethod
    def _is_a_schema(cls, definition: Any) -> Any:
        if not isinstance(definition, dict | bool):
            raise ValueError("a JSON Schema is an object, or true or false")
        checker(definition)
        return definition

    def _value(self, output: Any, expected: Any) -> float:
        return float(satisfies(self._checker, as_json(output)))

    @cached_property
    def _checker(self) -> Checker:
        return checker(self.definition)


class Numeric(Comparison):
    """1.0 when output and expected output are the same number within the tolerances, else 0.0."""

    name: Literal["numeric"] = "numeric"
    abs_tol: Tolerance = 0.0
    rel_tol: Tolerance = 0.0
    extract: bool = False

    @field_validator("expected_output")
    @classmethod
    def _expects_a_number(cls, expected: Any) -> Any:
        if expected is not None and number(expected) is None:
            raise ValueError(f"{shortened(expected)} is not a number")
        return expected

    def _value(self, output: Any, expected: Any) -> float:
        target = number(expected)
        if target is None:
            raise UnmeasurableError("expected_output is not a number", shortened(expected))
        answer = last_number(output) if self.extract and isinstance(output, str) else number(output)
        if answer is None:
            return 0.0
        allowed = max(_decimal(self.abs_tol), _PRECISE.multiply(_decimal(self.rel_tol), target.copy_abs()))
        return float(answer == target or _PRECISE.subtract(answer, target).copy_abs() <= allowed)


def as_json(value: Any) -> Any:
    """The JSON value that a text holds; any other value, and a text that holds none, as it is."""
    if not isinstance(value, str):
        text(value)  # refuses what is not a JSON value
        return value
    values = most_values(value.encode("utf-8", "replace"))
    spend(13 * values, f"JSON of up to {rounded(values)} values in a text", unbroken=True)
    try:
        return msgspec.json.decode(value)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return value


def leaves(value: Any) -> Iterator[tuple[ValuePath, Any]]:
    """Each plain value, and each empty container, with the path to it."""
    waiting: list[tuple[ValuePath, Any]] = [((), value)]
    while waiting:
        path, node = waiting.pop()
        if isinstance(node, dict) and node:
            waiting += (((*path, key), inner) for key, inner in node.items())
        elif isinstance(node, list | tuple) and node:
            waiting += (((*path, index), inner) for index, inner in enumerate(node))
        else:
            yield path, node


def parse_path(written: str) -> ValuePath:
    """`a.b[0].c`, with `*` for any key or index and `["a.b"]` for a key with dots."""
    steps: list[Step] = []
    at = 0
    while at < len(written) and (match := _STEP.match(written, at)):
        at = match.end()
        if match["index"] is not None:
            steps.append(int(match["index"]))
        elif match["quoted"] is not None:
            steps.append(str(msgspec.json.decode(match["quoted"])))
        else:
            steps.append(match["key"])
    if not written or written[0] == "." or at < len(written):
        raise ValueError(f'{written!r} is not a path; write it like a.b[0].c, items[*].id or ["a.b"]')
    return tuple(steps)


def number(value: Any) -> Decimal | None:
    """The number that a value is: a JSON number, or a text that is nothing but one."""
    if isinstance(value, str):
        spend(4 * len(value), f"{rounded(len(value))} characters", unbroken=True)
        match = _NUMBER.fullmatch(value.strip())
        return _read(match[0]) if match else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    exact = _decimal(value)
    return exact if exact.is_finite() else None


def last_number(answer: str) -> Decimal | None:
    """The last number in a text: models reason first and conclude last."""
    spend(4 * len(answer), f"{rounded(len(answer))} characters", unbroken=True)
    last = None
    for match in _NUMBER.finditer(answer):
        last = match[0]
    return None if last is None else _read(last)


def _read(written: str) -> Decimal | None:
    try:
        return Decimal(written.replace(",", ""))
    except InvalidOperation:  # an exponent beyond what can be held
        return None


def _decimal(value: int | float) -> Decimal:
    # repr: 0.1 is meant as one tenth, not as the double next to it.
    return Decimal(repr(value)) if isinstance(value, float) else Decimal(value)


def _covers(ignored: ValuePath, path: ValuePath) -> bool:
    return len(ignored) <= len(path) and all(
        pattern is None or pattern == step for pattern, step in zip(ignored, path, strict=False)
    )


def _same_leaf(value: Any, expected: Any, tolerance: float) -> bool:
    if isinstance(value, bool) or isinstance(expected, bool):
        return value is expected
    if isinstance(value, int | float) and isinstance(expected, int | float):
        if value == expected:
            return True
        apart = _PRECISE.subtract(_decimal(value), _decimal(expected)).copy_abs()
        return bool(tolerance) and apart <= _decimal(tolerance)
    return type(value) is type(expected) and bool(value == expected)
