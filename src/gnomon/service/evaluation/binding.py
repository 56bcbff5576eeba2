"""How tasks and scorers are called: arguments are bound by name, and what cannot be bound is refused before it runs.

A task's parameters named `input`, `expected_output`, `metadata` or `item` get these. Of the others, a dict input whose
keys match them is spread; else the only one gets the input. A scorer's parameters are among `SCORER_NAMES`.
"""

import inspect
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from inspect import Parameter
from typing import Any, Literal

from gnomon.errors import InvalidInput
from gnomon.interop.rows import short
from gnomon.model.fields import NAME_LIMIT
from gnomon.model.nearest import nearest
from gnomon.model.score import ScorerSpec
from gnomon.scorers import Sample, build, is_builtin, unknown_scorer
from gnomon.service.evaluation.data import EvaluationItem

TASK_NAMES = ("input", "expected_output", "metadata", "item")
_MAKERS = "gnomon.sdk.scorers"
SCORER_NAMES = ("input", "output", "expected_output", "metadata", "trace", "sample")

CallKind = Literal["sync", "async", "generator", "async_generator"]
"""How a call has to be run. Also a `sync` function may return something to await: look at what it returned."""

_NAMED = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)


@dataclass(frozen=True, slots=True)
class _Parameters:
    """What a callable takes, by name; `keywords` is whether it takes any other name too."""

    named: Mapping[str, Parameter]
    keywords: bool
    rest: bool

    @property
    def required(self) -> list[str]:
        return [name for name, parameter in self.named.items() if parameter.default is Parameter.empty]

    def arguments(self, values: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """The values as they are passed: a parameter that has no name to callers goes by position."""
        by_position: list[Any] = []
        by_name: dict[str, Any] = {}
        for name, value in values.items():
            if name not in self.named or self.named[name].kind is not Parameter.POSITIONAL_ONLY:
                by_name[name] = value
        for name, parameter in self.named.items():
            if parameter.kind is Parameter.POSITIONAL_ONLY:
                if name not in values:
                    break  # it has a default, and so have those after it
                by_position.append(values[name])
        return by_position, by_name


@dataclass(frozen=True, slots=True)
class BoundTask:
    """A task that can be called with an item."""

    name: str
    function: Callable[..., Any]
    kind: CallKind
    parameters: _Parameters | None
    """None when Python knows no signature: the input is then the only argument."""
    free: "_Free | None" = None

    def check(self, items: Iterable[EvaluationItem]) -> None:
        """Refuse, before anything runs, items whose input cannot be bound."""
        if self.free is None:  # whatever the input is
            return
        for number, item in enumerate(items, 1):
            label = f"item {number}" if item.id is None else f"item {item.id!r}"
            if self._arguments(item) is None:
                raise self._refused(item.input, label)

    def call(self, item: EvaluationItem) -> Any:
        """What the task returns: its output, or what has to be awaited or iterated first (see `kind`)."""
        arguments = self._arguments(item)
        if arguments is None:
            raise self._refused(item.input, "the item")
        positional, named = arguments
        return self.function(*map(_copied, positional), **{name: _copied(value) for name, value in named.items()})

    def _arguments(self, item: EvaluationItem) -> tuple[list[Any], dict[str, Any]] | None:
        if self.parameters is None:
            return [item.input], {}
        values = {name: _part(item, name) for name in self.parameters.named if name in TASK_NAMES}
        free = self.free
        if free is None:
            return self.parameters.arguments(values)
        if _is_spread(item.input, free, self.parameters.keywords):
            return self.parameters.arguments({**item.input, **values})
        if free.only is not None:
            return self.parameters.arguments({**values, free.only: item.input})
        return ([item.input], values) if self.parameters.rest and not free.required else None

    def _refused(self, input: Any, label: str) -> InvalidInput:
        expected = ", ".join(self.free.names) if self.free is not None and self.free.names else "any keywords"
        received = f"the keys {', '.join(map(str, input)) or 'none'}" if isinstance(input, dict) else short(input)
        return InvalidInput.of(
            "task",
            f"task {self.name}({_written(self.parameters)}) takes {expected}, but the input of {label} is {received}; "
            f"make each input an object with these keys, or name one parameter {_either(TASK_NAMES)}",
        )


def _part(item: EvaluationItem, name: str) -> Any:
    return item.as_json() if name == "item" else getattr(item, name)


@dataclass(frozen=True, slots=True)
class _Free:
    """The parameters of a task that have no name of ours, so that they come from the input."""

    names: list[str]
    required: list[str]

    @property
    def only(self) -> str | None:
        """The one that gets an input which is not spread."""
        if len(self.required) == 1:
            return self.required[0]
        return self.names[0] if not self.required and self.names else None


def _free(parameters: _Parameters) -> _Free | None:
    """None when names of ours bind all that is needed."""
    names = [name for name in parameters.named if name not in TASK_NAMES]
    required = [name for name in parameters.required if name not in TASK_NAMES]
    bound = [name for name in parameters.named if name in TASK_NAMES]
    return None if bound and not required else _Free(names, required)


def _is_spread(input: Any, free: _Free, keywords: bool) -> bool:
    if not isinstance(input, dict) or not input or not set(free.required) <= input.keys():
        return False
    unknown = input.keys() - set(free.names)
    return not unknown or (keywords and unknown.isdisjoint(TASK_NAMES))


def bind_task(task: Any) -> BoundTask:
    """A task ready to be called, or one line that says why it cannot be."""
    if not callable(task):
        raise InvalidInput.of("task", f"task is {short(task)}, which cannot be called; give a function of the input")
    name, parameters = callable_name(task), _parameters(task)
    if parameters is not None:
        _check_task(name, parameters)
    return BoundTask(name, task, kind_of(task), parameters, _free(parameters) if parameters is not None else None)


def _check_task(name: str, parameters: _Parameters) -> None:
    written = f"task {name}({_written(parameters)})"
    if not parameters.named and not parameters.keywords and not parameters.rest:
        raise InvalidInput.of("task", f"{written} takes no argument; give it one, as in def {name}(input)")
    foreign = [parameter for parameter in parameters.required if parameter not in TASK_NAMES]
    if foreign and "input" in parameters.named:
        others = f"beside input there are {', '.join(TASK_NAMES[1:])}"
        hint = _meant(foreign, TASK_NAMES)
        raise InvalidInput.of(
            "task",
            f"{written} needs {', '.join(foreign)}, which is not available; {others}{hint}, or give a default",
        )


# Scorers


@dataclass(frozen=True, slots=True)
class FunctionScorer:
    """A function as a scorer, with the name of its scores. `version` stands for its source where that is of no use."""

    function: Callable[..., Any]
    name: str
    version: str | None = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The function itself, so that a decorated one can be used and tested as before."""
        return self.function(*args, **kwargs)


@dataclass(frozen=True, slots=True)
class BoundScorer:
    """A scorer function that can be called with what is known of a run."""

    name: str
    scorer: FunctionScorer
    kind: CallKind
    parameters: _Parameters
    wants: tuple[str, ...]
    """Which of `SCORER_NAMES` it looks at, so that others need not be made."""

    def call(self, known: Mapping[str, Any]) -> Any:
        """What the function returns (see `kind`); `measured.py` reads it. `known` has a value for each of `wants`."""
        positional, named = self.parameters.arguments({name: _copied(known[name]) for name in self.wants})
        return self.scorer.function(*positional, **named)


def bind_scorer(scorer: Any) -> BoundScorer:
    """A scorer function ready to be called, or one line that says why it cannot be."""
    if not callable(scorer):
        raise InvalidInput.of(
            "scorers", f"{short(scorer)} is not a scorer; give a function, or one such as exact_match()"
        )
    named = scorer if isinstance(scorer, FunctionScorer) else FunctionScorer(scorer, callable_name(scorer))
    check_scorer_name(named.name)
    parameters = _parameters(named.function)
    if parameters is None:
        available = _either(SCORER_NAMES)
        raise InvalidInput.of(
            "scorers",
            f"scorer {named.name}: Python does not know its parameters; wrap it in a function of {available}",
        )
    wants = _scorer_wants(named.name, parameters)
    return BoundScorer(named.name, named, kind_of(named.function), parameters, wants)


def check_scorer_name(name: Any) -> None:
    if not isinstance(name, str) or not name.strip() or len(name) > NAME_LIMIT:
        message = f"a scorer is named {short(name)}; use 1 to {NAME_LIMIT} characters that are not all blank"
        raise InvalidInput.of("name", message)


def bind_scorers(scorers: Any) -> list[ScorerSpec | BoundScorer]:
    """All of them: built-in ones by specification or by name, and functions. Two of one name are refused."""
    if not isinstance(scorers, list | tuple):
        raise InvalidInput.of("scorers", f"scorers is {short(scorers)}; give a list of scorers")
    for scorer in scorers:
        _refuse_maker(scorer)
    bound = [_built_in(scorer) if isinstance(scorer, str | ScorerSpec) else bind_scorer(scorer) for scorer in scorers]
    for name, times in Counter(map(name_of, bound)).items():
        if times > 1:
            raise InvalidInput.of("scorers", f"two scorers are named {name!r}; give one another name with name=…")
    return bound


def _refuse_maker(scorer: Any) -> None:
    """`gn.exact_match` makes a scorer when it is called; as a function it would score every output with nothing."""
    name = getattr(scorer, "__name__", None)
    if getattr(scorer, "__module__", None) == _MAKERS and is_builtin(str(name)):
        raise InvalidInput.of("scorers", f"scorers has gn.{name}, which makes a scorer; call it: gn.{name}(…)")


def name_of(scorer: ScorerSpec | BoundScorer) -> str:
    """The name of its scores."""
    return scorer.scorer_name if isinstance(scorer, ScorerSpec) else scorer.name


def _built_in(scorer: str | ScorerSpec) -> ScorerSpec:
    if isinstance(scorer, str):
        if not is_builtin(scorer):
            raise InvalidInput.of("scorers", unknown_scorer(scorer))
        scorer = ScorerSpec(scorer_name=scorer)
    build(scorer.scorer or scorer.scorer_name, scorer.config)
    return scorer


def _scorer_wants(name: str, parameters: _Parameters) -> tuple[str, ...]:
    foreign = [parameter for parameter in parameters.required if parameter not in SCORER_NAMES]
    written = f"scorer {name}({_written(parameters)})"
    if foreign:
        hint = _meant(foreign, SCORER_NAMES)
        raise InvalidInput.of(
            "scorers",
            f"{written} needs {', '.join(foreign)}, which is not available; there are {', '.join(SCORER_NAMES)}{hint}",
        )
    wants = (
        SCORER_NAMES
        if parameters.keywords
        else tuple(parameter for parameter in SCORER_NAMES if parameter in parameters.named)
    )
    if not wants:
        raise InvalidInput.of("scorers", f"{written} has no parameters; name one of {_either(SCORER_NAMES)}")
    return wants


# What a call gets


def _copied(value: Any) -> Any:
    """JSON values of their own for each call: a function may change its arguments, and the next one must not see it."""
    kind = type(value)
    if kind is str:
        return value
    if kind is dict:
        return {key: _copied(inner) for key, inner in value.items()}
    if kind is list or kind is tuple:
        return kind(_copied(inner) for inner in value)
    if kind is Sample:
        return replace(
            value,
            input=_copied(value.input),
            output=_copied(value.output),
            expected_output=_copied(value.expected_output),
        )
    return value


# What Python knows of a callable


def callable_name(function: Any) -> str:
    """The name under which a person knows it."""
    while isinstance(function, partial):
        function = function.func
    name = getattr(function, "__name__", None) or type(function).__name__
    return "lambda" if name == "<lambda>" else str(name)


def kind_of(function: Any) -> CallKind:
    while isinstance(function, partial):
        function = function.func
    if not inspect.isroutine(function) and not inspect.isclass(function):
        function = type(function).__call__
    if inspect.iscoroutinefunction(function):
        return "async"
    if inspect.isasyncgenfunction(function):
        return "async_generator"
    return "generator" if inspect.isgeneratorfunction(function) else "sync"


def _parameters(function: Any) -> _Parameters | None:
    """None for what is written in C and tells nothing of itself."""
    try:
        listed = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return None
    named = {name: parameter for name, parameter in listed.items() if parameter.kind in _NAMED}
    kinds = {parameter.kind for parameter in listed.values()}
    return _Parameters(named, Parameter.VAR_KEYWORD in kinds, Parameter.VAR_POSITIONAL in kinds)


def _written(parameters: _Parameters | None) -> str:
    if parameters is None:
        return "…"
    required = parameters.required
    shown = [name if name in required else f"{name}=…" for name in parameters.named]
    return ", ".join([*shown, *(["*args"] if parameters.rest else []), *(["**kwargs"] if parameters.keywords else [])])


def _meant(foreign: Sequence[str], known: Sequence[str]) -> str:
    near = next(filter(None, (nearest(name, known) for name in foreign)), None)
    return f"; did you mean {near}?" if near else ""


def _either(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


# What a call returned


def joined(chunks: Sequence[Any]) -> Any:
    """The output of a task that yields: pieces of text are one text, anything else stays a list."""
    if chunks and all(isinstance(chunk, str) for chunk in chunks):
        return "".join(chunks)
    return list(chunks)
