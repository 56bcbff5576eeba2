"""The decorator `trace`: each call of a function is a span, with its arguments as input and its result as output."""

import functools
import inspect
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from dataclasses import dataclass, field
from inspect import Parameter
from typing import Any, TypeVar, overload

from opentelemetry import context as otel_context

from gnomon.errors import InvalidInput
from gnomon.interop.conventions.own import INPUT, OUTPUT
from gnomon.interop.jsontext import json_text, plain
from gnomon.interop.rows import short
from gnomon.sdk.spans import OpenSpan, SpanMetadata, attributes_of, restore
from gnomon.service.evaluation.binding import callable_name, joined, kind_of

TracedFunction = TypeVar("TracedFunction", bound=Callable[..., Any])
Redact = Callable[[Any], Any]

_MOST_CHUNKS = 10_000


@overload
def trace(function: TracedFunction, /) -> TracedFunction: ...
@overload
def trace(
    *,
    name: str | None = None,
    capture_input: bool = True,
    capture_output: bool = True,
    redact: Redact | None = None,
    metadata: SpanMetadata | None = None,
) -> Callable[[TracedFunction], TracedFunction]: ...
def trace(
    function: Any = None,
    /,
    *,
    name: str | None = None,
    capture_input: bool = True,
    capture_output: bool = True,
    redact: Redact | None = None,
    metadata: SpanMetadata | None = None,
) -> Any:
    """Make each call of a function a span: functions, methods, generators, and async ones.

    The input is the arguments by name, the output what is returned; of a generator it is the list of what it yielded,
    or one text if these were texts. Calls inside become child spans. An exception becomes the span's error and goes on
    unchanged. A generator's span begins with its first step and ends when it ends, is closed or is let go of.

    `redact` gets input and output as JSON values (dicts, lists, texts, numbers) and returns what is kept. Where it
    fails, the value is not kept.

    >>> @gn.trace
    ... def answer(question: str) -> str:
    ...     return "Paris"
    >>> @gn.trace(name="look up", capture_output=False, metadata={"source": "wiki"})
    ... async def look_up(term: str) -> dict[str, str]:
    ...     return {"term": term}
    >>> answer("What is the capital of France?")
    'Paris'
    """

    def decorate(function: Any) -> Any:
        if isinstance(function, staticmethod | classmethod):
            return type(function)(decorate(function.__func__))
        if not callable(function) or inspect.isclass(function):
            words = f"{short(function)} is not a function; put @trace above a function or a method"
            raise InvalidInput.of("function", words)
        traced = _Traced(
            name=name or _name_of(function),
            arguments=_ArgumentNames.of(function) if capture_input else None,
            captures_output=capture_output,
            redact=redact,
            metadata=attributes_of(None, metadata),
        )
        return functools.wraps(function)(_WRAPPERS[kind_of(function)](function, traced))

    return decorate if function is None else decorate(function)


def _name_of(function: Any) -> str:
    """`Agent.run` for a method."""
    qualified = getattr(function, "__qualname__", None) or callable_name(function)
    return str(qualified).rpartition("<locals>.")[2].replace("<lambda>", "lambda")


@dataclass(frozen=True, slots=True)
class _ArgumentNames:
    """The names under which a function's arguments are shown; `rest` is that of *args."""

    names: tuple[str, ...]
    rest: str
    is_method: bool

    @classmethod
    def of(cls, function: Any) -> "_ArgumentNames":
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):  # written in C, and tells nothing of itself
            parameters = []
        names = [parameter.name for parameter in parameters if parameter.kind in _BY_POSITION]
        rest = next((parameter.name for parameter in parameters if parameter.kind is Parameter.VAR_POSITIONAL), "args")
        return cls(tuple(names), rest, names[:1] in (["self"], ["cls"]))

    def by_name(self, positional: tuple[Any, ...], named: Mapping[str, Any]) -> dict[str, Any]:
        """What the caller gave; the object of a method is not part of it."""
        values = dict(zip(self.names, positional, strict=False))
        if len(positional) > len(self.names):
            values[self.rest] = positional[len(self.names) :]
        if self.is_method:
            values.pop(self.names[0], None)
        values.update(named)
        return values


_BY_POSITION = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True, slots=True)
class _Traced:
    """What is kept of a function's calls."""

    name: str
    arguments: _ArgumentNames | None
    captures_output: bool
    redact: Redact | None
    metadata: dict[str, Any]

    def begin(self, positional: tuple[Any, ...], named: Mapping[str, Any]) -> OpenSpan:
        attributes = dict(self.metadata)
        if self.arguments is not None:
            attributes[INPUT] = self._text(self.arguments.by_name(positional, named))
        return OpenSpan.begin(self.name, attributes)

    def keep_output(self, opened: OpenSpan, output: Any) -> None:
        if self.captures_output and output is not None and opened.span.is_recording():
            opened.span.set_attribute(OUTPUT, self._text(output))

    def _text(self, value: Any) -> str:
        if self.redact is None:
            return json_text(value)
        try:
            return json_text(self.redact(plain(value)))
        except Exception as bad:
            return json_text(f"redaction failed: {type(bad).__name__}")


# One wrapper per kind of function


def _function(function: Callable[..., Any], traced: _Traced) -> Callable[..., Any]:
    def call(*positional: Any, **named: Any) -> Any:
        opened = traced.begin(positional, named)
        try:
            output = function(*positional, **named)
            traced.keep_output(opened, output)
        except BaseException as error:
            opened.fail(error)
            raise
        finally:
            opened.end()
        return output

    return call


def _async_function(function: Callable[..., Any], traced: _Traced) -> Callable[..., Any]:
    async def call(*positional: Any, **named: Any) -> Any:
        opened = traced.begin(positional, named)
        try:
            output = await function(*positional, **named)
            traced.keep_output(opened, output)
        except BaseException as error:
            opened.fail(error)
            raise
        finally:
            opened.end()
        return output

    return call


@dataclass(slots=True)
class _Steps:
    """A generator's span: it is current while the generator runs, and not while its caller does."""

    traced: _Traced
    opened: OpenSpan
    inside: otel_context.Context
    """What is current inside of the generator, where it may have opened spans of its own between two steps."""
    chunks: list[Any] = field(default_factory=list)

    @classmethod
    def begin(cls, traced: _Traced, positional: tuple[Any, ...], named: Mapping[str, Any]) -> "_Steps":
        opened = traced.begin(positional, named)
        steps = cls(traced, opened, otel_context.get_current())
        opened.step_out()
        return steps

    def keep(self, chunk: Any) -> None:
        if self.traced.captures_output and len(self.chunks) <= _MOST_CHUNKS:
            whole = len(self.chunks) < _MOST_CHUNKS
            self.chunks.append((chunk if type(chunk) is str else plain(chunk)) if whole else _CUT)

    def end(self) -> None:
        if self.chunks:
            self.traced.keep_output(self.opened, joined(self.chunks))
        self.opened.end()


_CUT = f"… cut at {_MOST_CHUNKS} chunks"


def _generator(function: Callable[..., Any], traced: _Traced) -> Callable[..., Any]:
    def call(*positional: Any, **named: Any) -> Generator[Any, Any, Any]:
        steps = _Steps.begin(traced, positional, named)
        generator = function(*positional, **named)
        step, sent = generator.send, None
        try:
            while True:
                token = otel_context.attach(steps.inside)
                try:
                    chunk = step(sent)
                    steps.inside = otel_context.get_current()
                except StopIteration as stop:
                    return stop.value
                finally:
                    restore(token)
                steps.keep(chunk)
                try:
                    step, sent = generator.send, (yield chunk)
                except BaseException as thrown:
                    step, sent = generator.throw, thrown
        except BaseException as error:
            steps.opened.fail(error)
            raise
        finally:
            steps.end()

    return call


def _async_generator(function: Callable[..., Any], traced: _Traced) -> Callable[..., Any]:
    async def call(*positional: Any, **named: Any) -> AsyncGenerator[Any, Any]:
        steps = _Steps.begin(traced, positional, named)
        generator = function(*positional, **named)
        step, sent = generator.asend, None
        try:
            while True:
                token = otel_context.attach(steps.inside)
                try:
                    chunk = await step(sent)
                    steps.inside = otel_context.get_current()
                except StopAsyncIteration:
                    return
                finally:
                    restore(token)
                steps.keep(chunk)
                try:
                    step, sent = generator.asend, (yield chunk)
                except BaseException as thrown:
                    step, sent = generator.athrow, thrown
        except BaseException as error:
            steps.opened.fail(error)
            raise
        finally:
            steps.end()

    return call


_WRAPPERS = {
    "sync": _function,
    "async": _async_function,
    "generator": _generator,
    "async_generator": _async_generator,
}
