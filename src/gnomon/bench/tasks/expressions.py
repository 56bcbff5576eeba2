"""A small, safe expression language over JSON values: what conditions and computed values are written in.

    orders[order_id].status == "delivered" and amount <= 100
    sum(item.price * item.quantity for item in order.items if item.id in item_ids)

The syntax is Python's, read by Python's own parser into a tree of which only the nodes below are accepted; nothing is
ever compiled or run as Python. Names are bound by the caller. A key or index that is missing gives null, and so does
looking inside null. Arithmetic keeps nine decimal places, so that 0.1 + 0.2 == 0.3. An evaluation takes a bounded
number of steps and makes bounded values; what goes beyond, or has the wrong type, is an `ExpressionError`.
"""

import ast
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from gnomon.model import jsonvalue
from gnomon.model.nearest import did_you_mean
from gnomon.shorten import shorten

LONGEST = 500
"""Characters of an expression."""
MOST_STEPS = 20_000
"""Nodes that an evaluation visits, or all evaluations that share a budget."""
LARGEST_NUMBER = 1e15
LONGEST_TEXT = 10_000
_DECIMALS = 9
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_WORDS = {"true": True, "false": False, "null": None}

Names = Mapping[str, Any]


class ExpressionError(ValueError):
    """An expression that cannot be read, or cannot be computed with these values. The message is one sentence."""


class OperationBudget:
    """Steps that are left. Evaluations that share one cannot together run for long, either."""

    def __init__(self, steps: int = MOST_STEPS) -> None:
        self._steps = self._left = steps

    def spend(self, steps: int = 1) -> None:
        self._left -= steps
        if self._left < 0:
            raise ExpressionError(f"this takes more than {self._steps} steps; loop over less")


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression that was read and accepted. `names` are those that somebody has to bind."""

    text: str
    names: frozenset[str]
    _tree: ast.expr

    def value(self, names: Names, budget: OperationBudget | None = None) -> Any:
        """The value with these names bound; the same for the same values, always."""
        try:
            return _ExpressionEvaluator(budget or OperationBudget()).value(self._tree, dict(names))
        except RecursionError:
            raise ExpressionError(f"{_quoted(self.text)} is nested too deeply; simplify it") from None

    def holds(self, names: Names, budget: OperationBudget | None = None) -> bool:
        """Whether it is true: conditions give true or false and nothing else."""
        value = self.value(names, budget)
        if not isinstance(value, bool):
            raise ExpressionError(
                f"the condition {_quoted(self.text)} gives {shown(value)}, not true or false; compare it"
            )
        return value


@lru_cache(maxsize=4096)
def parse(text: str) -> Expression:
    """Read an expression; raises `ExpressionError` for anything that this language does not have."""
    if len(text) > LONGEST:
        raise ExpressionError(f"an expression of {len(text)} characters is longer than {LONGEST}; split it")
    if "\\" in text or "\0" in text:
        raise ExpressionError(f"{_quoted(text)} has a backslash or a NUL character; write texts without them")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as bad:
        detail = bad.msg if isinstance(bad, SyntaxError) else "it cannot be read"
        raise ExpressionError(f"{_quoted(text)} is not an expression: {detail}") from None
    try:
        free = frozenset(_free_names(tree, text))
    except RecursionError:
        raise ExpressionError(f"{_quoted(text)} is nested too deeply; simplify it") from None
    return Expression(text, free, tree)


def shown(value: Any) -> str:
    """A value as an error message shows it."""
    return shorten(jsonvalue.canonical(value), 60)


def _quoted(text: str) -> str:
    return repr(shorten(text, 100))


def equal(left: Any, right: Any) -> bool:
    """Equality of JSON values: 1 and 1.0 are the same, 1 and true are not."""
    return jsonvalue.canonical(left) == jsonvalue.canonical(right)


def as_number(value: float) -> Any:
    """A number as the language keeps it: nine decimal places, whole numbers without a point."""
    if abs(value) > LARGEST_NUMBER or not math.isfinite(value):
        raise _too_large()
    rounded = round(value, _DECIMALS)
    return int(rounded) if float(rounded).is_integer() else rounded


# --- reading: which nodes are accepted, and which names are free -----

_ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "%",
}  # fmt: skip
_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.In: "in",
    ast.NotIn: "not in",
}  # fmt: skip


def _free_names(node: ast.AST, text: str) -> Iterator[str]:
    match node:
        case ast.Constant(value=bool() | int() | float() | str() | None):
            return
        case ast.Name(id=name):
            if name not in _WORDS:
                yield name
        case ast.GeneratorExp(generators=[loop]) | ast.ListComp(generators=[loop]):
            yield from _free_in_loop(node, loop, text)
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            if name not in FUNCTIONS:
                raise _unknown_function(name, text)
            for argument in arguments:
                yield from _free_names(argument, text)
        case ast.Attribute(value=inner):
            yield from _free_names(inner, text)
        case _ if _is_accepted(node):
            for child in ast.iter_child_nodes(node):
                if not isinstance(child, ast.expr_context | ast.operator | ast.unaryop | ast.boolop | ast.cmpop):
                    yield from _free_names(child, text)
        case _:
            raise ExpressionError(f"{_quoted(text)} has {_described(node)}, which is not part of this language")


def _free_in_loop(node: Any, loop: ast.comprehension, text: str) -> Iterator[str]:
    if not isinstance(loop.target, ast.Name) or loop.is_async:
        raise ExpressionError(f"{_quoted(text)} has a loop over more than one name; write `for NAME in LIST`")
    yield from _free_names(loop.iter, text)
    for part in (node.elt, *loop.ifs):
        yield from (name for name in _free_names(part, text) if name != loop.target.id)


def _is_accepted(node: ast.AST) -> bool:
    match node:
        case ast.BoolOp() | ast.IfExp() | ast.List():
            return True
        case ast.Dict(keys=keys):
            return all(keys)
        case ast.Subscript(slice=index):
            return not isinstance(index, ast.Slice | ast.Tuple)
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            return True
        case ast.BinOp(op=operator):
            return type(operator) in _ARITHMETIC
        case ast.Compare(ops=operators):
            return all(type(operator) in _COMPARISONS for operator in operators)
    return False


def _described(node: ast.AST) -> str:
    match node:
        case ast.BinOp(op=operator) | ast.UnaryOp(op=operator):
            return f"the operator {type(operator).__name__}"
        case ast.Constant(value=value):
            return f"a constant of type {type(value).__name__}"
        case ast.Call():
            return "a call of something that is not a function's name, or with named arguments"
    return f"a {type(node).__name__}"


def _unknown_function(name: str, text: str) -> ExpressionError:
    hint = did_you_mean(name, FUNCTIONS, f"there are {', '.join(sorted(FUNCTIONS))}")
    return ExpressionError(f"{_quoted(text)} calls {name!r}, which is not a function here; {hint}")


# --- computing -----


class _ExpressionEvaluator:
    """One evaluation: every node that it visits is paid for, so that no expression can run for long."""

    def __init__(self, budget: OperationBudget) -> None:
        self._budget = budget

    def value(self, node: ast.expr, names: dict[str, Any]) -> Any:
        self._budget.spend()
        match node:
            case ast.Constant(value=float() | int() as number) if not isinstance(number, bool):
                return as_number(number)
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name):
                return self._name(name, names)
            case ast.Attribute(value=inner, attr=key):
                return member(self.value(inner, names), key)
            case ast.Subscript(value=inner, slice=index):
                return member(self.value(inner, names), self.value(index, names))
            case ast.List(elts=items):
                return [self.value(item, names) for item in items]
            case ast.Dict(keys=keys, values=values):
                return {
                    self._key(key, names): self.value(value, names) for key, value in zip(keys, values, strict=True)
                }
            case ast.GeneratorExp() | ast.ListComp():
                return list(self._loop(node, names))
            case ast.Call(func=ast.Name(id=function), args=arguments):
                return self._call(function, [self.value(argument, names) for argument in arguments])
        return self._operation(node, names)

    def _operation(self, node: ast.expr, names: dict[str, Any]) -> Any:
        match node:
            case ast.BoolOp(op=operator, values=parts):
                decisive = isinstance(operator, ast.Or)
                return decisive if any(self._truth(part, names) == decisive for part in parts) else not decisive
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return not self._truth(operand, names)
            case ast.UnaryOp(operand=operand):
                return as_number(-_number(self.value(operand, names), "-"))
            case ast.BinOp(left=left, op=binary, right=right):
                return _arithmetic(_ARITHMETIC[type(binary)], self.value(left, names), self.value(right, names))
            case ast.IfExp(test=test, body=body, orelse=otherwise):
                return self.value(body if self._truth(test, names) else otherwise, names)
            case ast.Compare():
                return self._compare(node, names)
        raise AssertionError(f"{type(node).__name__} was accepted but cannot be computed")

    def _compare(self, node: ast.Compare, names: dict[str, Any]) -> bool:
        left = self.value(node.left, names)
        for operator, operand in zip(node.ops, node.comparators, strict=True):
            right = self.value(operand, names)
            self._budget.spend(_size(left) + _size(right))
            if not _compared(_COMPARISONS[type(operator)], left, right):
                return False
            left = right
        return True

    def _loop(self, node: ast.GeneratorExp | ast.ListComp, names: dict[str, Any]) -> Iterator[Any]:
        loop = node.generators[0]
        items = self.value(loop.iter, names)
        if not isinstance(items, list):
            raise ExpressionError(f"a loop goes over a list, not over {shown(items)}; use values(…) for an object")
        assert isinstance(loop.target, ast.Name)
        for item in items:
            inner = {**names, loop.target.id: item}
            if all(self._truth(condition, inner) for condition in loop.ifs):
                yield self.value(node.elt, inner)

    def _truth(self, node: ast.expr, names: dict[str, Any]) -> bool:
        value = self.value(node, names)
        if not isinstance(value, bool):
            raise ExpressionError(f"{ast.unparse(node)!r} gives {shown(value)}, not true or false; compare it")
        return value

    def _name(self, name: str, names: dict[str, Any]) -> Any:
        if name in _WORDS:
            return _WORDS[name]
        if name not in names:
            raise ExpressionError(f"the name {name!r} is not defined here")
        return names[name]

    def _key(self, node: ast.expr | None, names: dict[str, Any]) -> str:
        key = None if node is None else self.value(node, names)
        if not isinstance(key, str):
            raise ExpressionError(f"the key {shown(key)} of an object is not a text; quote it")
        return key

    def _call(self, function: str, arguments: list[Any]) -> Any:
        function_of, least, most = FUNCTIONS[function]
        if not least <= len(arguments) <= most:
            takes = str(least) if least == most else f"{least} to {most}"
            raise ExpressionError(f"{function}() takes {takes} arguments, not {len(arguments)}")
        # Functions walk through what they are given, so a long list costs as much as a loop over it.
        self._budget.spend(sum(map(_size, arguments)))
        return function_of(*arguments)


def _size(value: Any) -> int:
    """How many values a function or a comparison has to look at."""
    return jsonvalue.count(value) if isinstance(value, list | dict) else 0


def member(value: Any, key: Any) -> Any:
    """What an object or a list has at a key or an index; null where there is nothing."""
    if isinstance(value, dict):
        return value.get(key) if isinstance(key, str) else None
    if isinstance(value, list) and isinstance(key, int) and not isinstance(key, bool):
        return value[key] if -len(value) <= key < len(value) else None
    return None


def _arithmetic(operator: str, left: Any, right: Any) -> Any:
    if operator == "+" and isinstance(left, str) and isinstance(right, str):
        return _bounded_text(left + right)
    if operator == "+" and isinstance(left, list) and isinstance(right, list):
        return [*left, *right]
    first, second = _number(left, operator), _number(right, operator)
    if operator in "/%" and second == 0:
        raise ExpressionError(f"{shown(left)} {operator} 0 has no value")
    match operator:
        case "+":
            return as_number(first + second)
        case "-":
            return as_number(first - second)
        case "*":
            return as_number(first * second)
        case "/":
            return as_number(first / second)
    return as_number(first % second)


def _compared(operator: str, left: Any, right: Any) -> bool:
    match operator:
        case "==":
            return equal(left, right)
        case "!=":
            return not equal(left, right)
        case "in":
            return _contains(right, left)
        case "not in":
            return not _contains(right, left)
    both_texts = isinstance(left, str) and isinstance(right, str)
    if not both_texts:
        _number(left, operator), _number(right, operator)
    ordered: dict[str, Callable[[Any, Any], bool]] = {
        "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
    }  # fmt: skip
    return ordered[operator](left, right)


def _contains(container: Any, wanted: Any) -> bool:
    if isinstance(container, str) and isinstance(wanted, str):
        return wanted in container
    if isinstance(container, dict):
        return isinstance(wanted, str) and wanted in container
    if isinstance(container, list):
        return any(equal(item, wanted) for item in container)
    raise ExpressionError(f"'in' looks into a text, a list or an object, not into {shown(container)}")


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ExpressionError(f"{where!r} takes numbers, not {shown(value)}")
    if abs(value) > LARGEST_NUMBER:
        raise _too_large()
    return value


def _too_large() -> ExpressionError:
    return ExpressionError(f"the number is beyond {LARGEST_NUMBER:g}; use smaller ones")


def _bounded_text(text: str) -> str:
    if len(text) > LONGEST_TEXT:
        raise ExpressionError(f"the text is longer than {LONGEST_TEXT} characters")
    return text


# --- functions -----


def as_text(value: Any) -> str:
    """A value inside a text: texts and numbers as they are, null as nothing, all else as JSON."""
    return "" if value is None else _bounded_text(jsonvalue.as_text(value))


def _listed(value: Any, function: str) -> list[Any]:
    if not isinstance(value, list):
        raise ExpressionError(f"{function}() takes a list, not {shown(value)}")
    return value


def _numbers(value: Any, function: str) -> list[float]:
    return [_number(item, f"{function}()") for item in _listed(value, function)]


def _text(value: Any, function: str) -> str:
    if not isinstance(value, str):
        raise ExpressionError(f"{function}() takes a text, not {shown(value)}")
    return value


def _length(value: Any) -> int:
    if not isinstance(value, str | list | dict):
        raise ExpressionError(f"len() takes a text, a list or an object, not {shown(value)}")
    return len(value)


def _extreme(choose: Callable[..., float], function: str) -> Callable[..., Any]:
    def chosen(first: Any, *others: Any) -> Any:
        values = (
            [_number(value, f"{function}()") for value in (first, *others)] if others else _numbers(first, function)
        )
        return as_number(choose(values)) if values else None

    return chosen


def _truths(value: Any, function: str) -> list[bool]:
    items = _listed(value, function)
    if not all(isinstance(item, bool) for item in items):
        raise ExpressionError(f"{function}() takes a list of true and false, not {shown(value)}")
    return items


def _rounded(value: Any, places: Any = 0) -> Any:
    if not isinstance(places, int) or not 0 <= places <= _DECIMALS:
        raise ExpressionError(f"round() takes 0 to {_DECIMALS} decimal places, not {shown(places)}")
    # Half away from zero, as people round money; the tiny addend undoes what binary fractions lose.
    number, scale = _number(value, "round()"), 10**places
    return as_number(math.copysign(math.floor(abs(number) * scale + 0.5 + 1e-9) / scale, number))


def _sorted(value: Any) -> list[Any]:
    items = _listed(value, "sorted")
    if all(isinstance(item, str) for item in items) or all(_is_number(item) for item in items):
        return sorted(items)
    raise ExpressionError(f"sorted() takes a list of texts or of numbers, not {shown(value)}")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _members(value: Any, function: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ExpressionError(f"{function}() takes an object, not {shown(value)}")
    return value


def _time(value: Any, function: str) -> datetime:
    try:
        time = datetime.fromisoformat(_text(value, function))
    except ValueError:
        raise ExpressionError(f"{function}(): {shown(value)} is not a time like 2027-03-04T10:00") from None
    return time.replace(tzinfo=None)


def _minutes_between(start: Any, end: Any) -> Any:
    return as_number((_time(end, "minutes_between") - _time(start, "minutes_between")).total_seconds() / 60)


def _plus_minutes(time: Any, minutes: Any) -> str:
    try:
        moved = _time(time, "plus_minutes") + timedelta(minutes=_number(minutes, "plus_minutes()"))
    except OverflowError:
        raise ExpressionError(f"plus_minutes(): {shown(minutes)} minutes lead out of the calendar") from None
    return moved.isoformat(timespec="minutes")


def _weekday(time: Any) -> str:
    return _WEEKDAYS[_time(time, "weekday").weekday()]


FUNCTIONS: dict[str, tuple[Callable[..., Any], int, int]] = {
    "len": (_length, 1, 1),
    "sum": (lambda items: as_number(math.fsum(_numbers(items, "sum"))), 1, 1),
    "min": (_extreme(min, "min"), 1, 10),
    "max": (_extreme(max, "max"), 1, 10),
    "abs": (lambda value: as_number(abs(_number(value, "abs()"))), 1, 1),
    "round": (_rounded, 1, 2),
    "any": (lambda items: any(_truths(items, "any")), 1, 1),
    "all": (lambda items: all(_truths(items, "all")), 1, 1),
    "sorted": (_sorted, 1, 1),
    "keys": (lambda value: list(_members(value, "keys")), 1, 1),
    "values": (lambda value: list(_members(value, "values").values()), 1, 1),
    "lower": (lambda value: _text(value, "lower").lower(), 1, 1),
    "text": (as_text, 1, 1),
    "minutes_between": (_minutes_between, 2, 2),
    "plus_minutes": (_plus_minutes, 2, 2),
    "weekday": (_weekday, 1, 1),
}
"""What a function does, and how many arguments it takes at least and at most."""
