"""The identity of tasks, datasets and scorers: hashes that are the same in every process.

A task is its source without comments and layout, with the values that it closes over, its defaults, and the constants
and functions of its own module that it uses. What lies in other modules counts by its name only: raise `version=` when
such code changes. A model with a prompt, an endpoint or a command is its configuration. Where something cannot be
hashed, a note says what is left out.
"""

import ast
import datetime
import decimal
import enum
import hashlib
import inspect
import json
import pathlib
import re
import textwrap
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from gnomon.errors import GnomonError
from gnomon.model import jsonvalue
from gnomon.model.score import ScorerSpec
from gnomon.scorers import build
from gnomon.service.evaluation.binding import FunctionScorer, callable_name
from gnomon.service.evaluation.configured import ConfiguredTask
from gnomon.service.evaluation.data import EvaluationItem, content_hash

_LENGTH = 16
_MOST_OBJECTS = 20_000
_SHOWN_BY_REPR = (
    re.Pattern, pathlib.PurePath, enum.Enum, decimal.Decimal, datetime.date, datetime.time, datetime.timedelta,
    complex, range, type(...),
)  # fmt: skip
_NOT_WRITTEN = {"__dict__", "__weakref__", "__module__", "__doc__", "__firstlineno__", "__static_attributes__"}
_CONSTANTS = (bool, str, bytes, int, float, Mapping, list, tuple, set, frozenset, partial, type, ConfiguredTask)

Tree = Any
"""What is hashed: lists and texts, which JSON writes in one way only."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A hash, and what a user should know about what it does not cover."""

    hash: str
    notes: tuple[str, ...] = ()


def task_identity(task: Callable[..., Any], version: str | None = None) -> Identity:
    """The identity of a task. A `version` replaces its source."""
    return _callable_identity("task", task, version)


def data_identity(items: Iterable[EvaluationItem], known: str | None = None) -> Identity:
    """Which items they are. `known` is their content's hash, where it has been computed already."""
    return Identity((known or content_hash(items))[:_LENGTH])


def scorer_identity(scorer: ScorerSpec | FunctionScorer | Callable[..., Any]) -> Identity:
    """Which scorer it is, with its whole configuration."""
    if isinstance(scorer, ScorerSpec):
        return Identity(_spec_hash(scorer))
    if isinstance(scorer, FunctionScorer):
        return _callable_identity("scorer", scorer.function, scorer.version)
    return _callable_identity("scorer", scorer, None)


def _spec_hash(spec: ScorerSpec) -> str:
    """Unlike `config_hash` with the expected output: another one is another evaluation."""
    name = spec.scorer or spec.scorer_name
    try:
        built = build(name, spec.config)
    except GnomonError:  # a scorer of which only a server knows
        return _hash([name, jsonvalue.canonical(spec.config)])
    config = built.model_dump(mode="json", exclude={"name"}, by_alias=True)
    return _hash([name, built.version, jsonvalue.canonical(config)])


def _callable_identity(role: str, function: Any, version: str | None) -> Identity:
    name = callable_name(function)
    if version is not None:
        return Identity(_hash([name, "version", str(version)]))
    description = _Description(_module_of(function))
    try:
        tree = description.of(function, name)
    except Exception as bad:  # an object's own methods may do anything
        note_text = (
            f"{role} {name} is identified by its name only ({type(bad).__name__}); give version= to tell changes"
        )
        return Identity(_hash([name]), (note_text,))
    return Identity(_hash(tree), tuple(f"{role} {name}: {note}" for note in dict.fromkeys(description.notes)))


def _hash(tree: Tree) -> str:
    return hashlib.sha256(_text(tree).encode()).hexdigest()[:_LENGTH]


def _text(tree: Tree) -> str:
    return json.dumps(tree, ensure_ascii=True, separators=(",", ":"))


def _module_of(function: Any) -> str | None:
    while isinstance(function, partial):
        function = function.func
    module = getattr(function, "__module__", None)
    return module if inspect.isroutine(function) or inspect.isclass(function) else type(function).__module__


@dataclass(slots=True)
class _Description:
    """Walks through a callable and what it uses, each thing once."""

    module: str | None
    """Code of this module counts with its source, other code with its name."""
    notes: list[str] = field(default_factory=list)
    _known: dict[int, Tree] = field(default_factory=dict)
    _kept: list[Any] = field(default_factory=list)

    def of(self, value: Any, where: str) -> Tree:
        if value is None or isinstance(value, bool | str | bytes | int | float):
            return _scalar(value)
        if id(value) not in self._known:
            self._known[id(value)] = "itself"  # until it is described: functions may name themselves and each other
            self._kept.append(value)  # as long as it lives, no other object gets its id
            self._known[id(value)] = _hash(self._object(value, where))
        return self._known[id(value)]

    def _object(self, value: Any, where: str) -> Tree:
        if len(self._kept) > _MOST_OBJECTS:
            self.notes.append(f"{where} holds more than {_MOST_OBJECTS:,} objects, and not all of them count")
            return ["too many"]
        if isinstance(value, Mapping):
            pairs = [[self.of(key, where), self.of(inner, where)] for key, inner in value.items()]
            return ["dict", sorted(pairs, key=_text)]
        if isinstance(value, list | tuple):
            return [type(value).__name__, [self.of(inner, where) for inner in value]]
        if isinstance(value, set | frozenset):
            return ["set", sorted((self.of(inner, where) for inner in value), key=_text)]
        if isinstance(value, _SHOWN_BY_REPR):
            return [type(value).__qualname__, repr(value)]
        if isinstance(value, partial):
            return ["partial", *(self.of(part, where) for part in (value.func, value.args, value.keywords))]
        if isinstance(value, types.MethodType):
            return ["method", self.of(value.__func__, where), self.of(value.__self__, where)]
        if isinstance(value, types.FunctionType):
            return self._function(value)
        if isinstance(value, type):
            return self._class(value)
        if callable(wrapped := getattr(value, "__wrapped__", None)):  # such as one with a cache
            return ["wraps", _qualified(type(value)), self.of(wrapped, where)]
        if inspect.isroutine(value) or isinstance(value, types.ModuleType):
            return ["name", _qualified(value)]
        return self._instance(value, where)

    def _function(self, function: types.FunctionType) -> Tree:
        if function.__module__ != self.module:
            return ["name", _qualified(function)]
        code = function.__code__
        source = _source(function)
        if source is None:
            self.notes.append(
                f"the source of {callable_name(function)} is not available, so its bytecode counts, "
                "which changes with the version of Python"
            )
        return [
            "function",
            _code(code) if source is None else source,
            self.of(function.__defaults__, f"a default of {function.__name__}"),
            self.of(function.__kwdefaults__, f"a default of {function.__name__}"),
            self._closure(function),
            self._globals(function),
        ]

    def _closure(self, function: types.FunctionType) -> Tree:
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        return [[name, self.of(_cell(cell), f"the variable {name}")] for name, cell in cells]

    def _globals(self, function: types.FunctionType) -> Tree:
        """Constants, functions and classes that it names; other objects, such as clients, count by their type."""
        names = sorted(_names(function.__code__) & function.__globals__.keys())
        return [[name, self._global(function.__globals__[name], name)] for name in names]

    def _global(self, value: Any, name: str) -> Tree:
        if value is None or isinstance(value, _CONSTANTS) or inspect.isroutine(value):
            return self.of(value, f"the variable {name}")
        return repr(value) if isinstance(value, _SHOWN_BY_REPR) else ["name", _qualified(type(value))]

    def _class(self, cls: type) -> Tree:
        if cls.__module__ != self.module:
            return ["name", _qualified(cls)]
        source = _source(cls)
        members = {name: _bare(member) for name, member in vars(cls).items() if name not in _NOT_WRITTEN}
        if source is not None:  # methods made by a decorator have no source of their own
            members = {
                name: value
                for name, value in members.items()
                if isinstance(value, types.FunctionType) and _source(value)
            }
        else:
            self.notes.append(f"the source of {cls.__name__} is not available, so the bytecode of its methods counts")
        bases = [self.of(base, cls.__name__) for base in cls.__bases__]
        return [
            "class",
            cls.__qualname__,
            source,
            bases,
            [[name, self._member(members[name])] for name in sorted(members)],
        ]

    def _member(self, member: Any) -> Tree:
        if isinstance(member, property):
            return ["property", [self.of(part, "a property") for part in (member.fget, member.fset)]]
        return self._global(member, "of a class")

    def _instance(self, value: Any, where: str) -> Tree:
        if isinstance(value, ConfiguredTask):
            return ["task", type(value).__name__, jsonvalue.canonical(value.configuration())]
        state = getattr(value, "__dict__", None)
        if type(value).__module__ != self.module or state is None:
            kind = type(value).__qualname__
            self.notes.append(
                f"{where} is a {kind}, whose content is not part of the hash; give version= to tell changes"
            )
            return ["name", _qualified(type(value))]
        return ["object", self.of(type(value), where), self.of(dict(state), where)]


def _scalar(value: Any) -> Tree:
    if isinstance(value, bytes):
        return ["bytes", hashlib.sha256(value).hexdigest()]
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return ["int", hex(value)]
    return str(value) if isinstance(value, str) else ["float", repr(float(value))]


def _cell(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # it is filled later
        return None


def _qualified(value: Any) -> str:
    return f"{getattr(value, '__module__', None)}.{getattr(value, '__qualname__', None) or value.__name__}"


def _names(code: types.CodeType) -> set[str]:
    """The global and closure names that a function and its inner functions use."""
    inner = [_names(co_const) for co_const in code.co_consts if isinstance(co_const, types.CodeType)]
    return set(code.co_names).union(*inner)


def _bare(member: Any) -> Any:
    return member.__func__ if isinstance(member, staticmethod | classmethod) else member


def _source(written: types.FunctionType | type) -> str | None:
    """The source without comments and layout; None where there is none, or where it may be that of a neighbour."""
    try:
        if isinstance(written, type):
            return ast.unparse(_parsed(inspect.getsource(written)))
        if written.__name__ == "<lambda>":
            return _lambda_source(written.__code__)
        return ast.unparse(_parsed(inspect.getsource(written.__code__)))  # its own source, not that of what it wraps
    except (OSError, TypeError, SyntaxError, ValueError, RecursionError):
        return None


def _lambda_source(code: types.CodeType) -> str | None:
    """A line may hold several lambdas, and be no statement by itself, so the file is searched by position."""
    whole = ast.parse("".join(inspect.findsource(code)[0]))
    nodes = [node for node in ast.walk(whole) if isinstance(node, ast.Lambda) and node.lineno == code.co_firstlineno]
    if len(nodes) > 1:
        nodes = [node for node in nodes if _position(node.body) == _compiled_from(code)]
    return ast.unparse(nodes[0]) if len(nodes) == 1 else None


def _position(node: ast.expr) -> Tree:
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)


def _compiled_from(code: types.CodeType) -> Tree:
    """Where the instructions come from, all together; some come from nowhere."""
    positions = [position for position in code.co_positions() if None not in position and position[2:] != (0, 0)]
    starts = [(line, column) for line, _, column, _ in positions]
    ends = [(line, column) for _, line, _, column in positions]
    return (min(starts), max(ends)) if positions else None


def _parsed(written: str) -> ast.AST:
    try:
        return ast.parse(textwrap.dedent(written))
    except SyntaxError:  # a text over several lines may begin further left than the function
        return ast.parse(f"if True:\n{written}")


def _code(code: types.CodeType) -> Tree:
    return ["code", code.co_code.hex(), list(code.co_names), list(code.co_varnames), [*map(_constant, code.co_consts)]]


def _constant(value: Any) -> Tree:
    if isinstance(value, types.CodeType):
        return _code(value)
    if isinstance(value, tuple | frozenset):
        inner: Sequence[Tree] = [_constant(element) for element in value]
        return sorted(inner, key=_text) if isinstance(value, frozenset) else inner
    return [type(value).__name__, repr(value)]
