"""A span's attributes, read by all tables at once.

Which attribute may fill which field follows from the names of the attributes alone, so it is decided once per list of
names and remembered: spans of one instrumentation share theirs. Reading a span then only looks at the values.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gnomon.interop.conventions import (
    bodies,
    claude_code,
    langfuse,
    mlflow,
    openinference,
    own,
    pydantic_ai,
    traceloop,
    values,
    vercel,
)
from gnomon.interop.conventions import genai as semconv
from gnomon.interop.conventions.convention import Convention, Field, Operation, Reader, Row
from gnomon.interop.conventions.events import NAMES as EVENT_NAMES
from gnomon.interop.conventions.events import Event, details, from_events
from gnomon.interop.conventions.numbered import Shape, filled, shape
from gnomon.interop.conventions.usage import NO_TOKENS, TokenCounts, counted

CONVENTIONS: tuple[Convention, ...] = (
    own.CONVENTION, semconv.CONVENTION, openinference.CONVENTION, traceloop.CONVENTION,
    vercel.CONVENTION, pydantic_ai.CONVENTION, claude_code.CONVENTION, langfuse.CONVENTION, mlflow.CONVENTION,
)  # fmt: skip
"""In order of preference: a field that two tables could fill comes from the earlier one."""

_CONTENTS: tuple[Field, ...] = ("input", "system", "output", "tool_calls")
_SHOWN: tuple[Field, ...] = ("model", "conversation_id", "session_id", "user_id")
_WITHOUT_TOKENS = ("tool", "agent", "retrieval", "chain")
_OWN = (own.INPUT, own.OUTPUT)
_NOTHING: tuple[tuple[()], tuple[()]] = ((), ())
_JSON = "application/json"
_MOST_PLANS, _MOST_NAMES, _LONGEST_NAMES = 512, 128, 8_000


class SpanView(NamedTuple):
    """What a span says, in Gnomon's fields. `metadata` is flat and holds what no field shows."""

    input: Any
    output: Any
    model: str | None
    tokens: TokenCounts
    operation: Operation | None
    conversation_id: str | None
    session_id: str | None
    user_id: str | None
    metadata: dict[str, str | int | float | bool | None]


class _Source(NamedTuple):
    """Where a field's value may come from: a row, and the attributes of the span that it stands for."""

    row: Row
    names: tuple[str, ...]
    shape: list[Shape] | None = None
    """For a row of numbered attributes, the list that they make up."""

    def value(self, attributes: Mapping[str, Any], is_model_call: bool) -> Any:
        name, _, read, type_in = self.row
        if name[-1] == ".":
            value: Any = None if self.shape is None else filled(self.shape, attributes)
            is_bounded = False
        else:
            value = attributes[name]
            is_bounded = type(value) is str  # how deep the value of a text may be is seen to where it is read
            if type_in is not None and attributes.get(type_in) == _JSON:
                value = values.json(value)
        value = None if value is None else read(value, is_model_call)
        return value if is_bounded else values.shallow(value)


class _Plan(NamedTuple):
    """What the names of a span's attributes say about it."""

    fields: tuple[tuple[Field, tuple[tuple[str, Reader], ...], bool], ...]
    """Model, ids and counts: where each may come from, and whether the field shows what its attributes say."""
    contents: dict[Field, tuple[tuple[_Source, ...], tuple[str, ...]]]
    """Input, output and their parts, with the names of all attributes that tell them."""
    operations: tuple[tuple[str, Mapping[str, Operation]], ...]
    sign: Operation | None
    has_plain_names: bool
    """Whether all names can be keys of metadata as they are."""


_EMPTY = _Plan((), {}, (), None, False)
_UNKNOWN = _EMPTY._replace()
"""Stands for a plan that was not made yet."""


class _Tables:
    """Some conventions as one table, for spans to which they apply."""

    def __init__(self, conventions: Sequence[Convention]) -> None:
        self._rows: dict[str, list[tuple[int, Row]]] = {}
        for rank, row in enumerate(row for convention in conventions for row in convention.rows):
            self._rows.setdefault(row.attribute, []).append((rank, row))
        self._prefixes = tuple(name for name in self._rows if name.endswith("."))
        self._operations = {key: by for table in conventions for key, by in table.operations.items()}
        self._signs = {key: operation for table in conventions for key, operation in table.signs.items()}
        self._plans: dict[tuple[str, ...], _Plan | None] = {}

    def plan(self, attributes: Mapping[str, Any]) -> _Plan | None:
        """None for a span of which no table knows anything."""
        names = tuple(attributes)
        plan = self._plans.get(names, _UNKNOWN)
        return self._remember(names) if plan is _UNKNOWN else plan

    def _remember(self, names: tuple[str, ...]) -> _Plan | None:
        """Make a plan, and keep it unless its names are many or long: a program has a few lists of them."""
        plan = self._plan(names)
        if len(names) <= _MOST_NAMES and sum(map(len, names)) <= _LONGEST_NAMES:
            if len(self._plans) >= _MOST_PLANS:
                self._plans.clear()
            self._plans[names] = plan
        return plan

    def _plan(self, names: tuple[str, ...]) -> _Plan | None:
        numbered: dict[str, list[str]] = {}
        ranked_sources: list[tuple[int, _Source]] = []
        for name in names:
            if name in self._rows:
                ranked_sources += [(rank, _Source(row, (name,))) for rank, row in self._rows[name]]
            elif name.startswith(self._prefixes):
                prefix = next(prefix for prefix in self._prefixes if name.startswith(prefix))
                numbered.setdefault(prefix, []).append(name)
        for prefix, below in numbered.items():
            made_up = shape(below, prefix)
            ranked_sources += [(rank, _Source(row, tuple(below), made_up)) for rank, row in self._rows[prefix]]
        ranked_sources.sort(key=lambda ranked: ranked[0])
        fields: dict[Field, tuple[_Source, ...]] = {}
        for _, source in ranked_sources:
            fields[source.row.field] = (*fields.get(source.row.field, ()), source)
        contents_first = [(field, fields.pop(field)) for field in _CONTENTS if field in fields]
        contents = {field: (sources, tuple(_names(sources))) for field, sources in contents_first}
        operations = tuple((name, by) for name, by in self._operations.items() if name in names)
        sign = next((operation for name, operation in self._signs.items() if name in names), None)
        known = fields or contents or operations or sign
        shown = tuple(
            (field, tuple((source.row.attribute, source.row.read) for source in sources), field in _SHOWN)
            for field, sources in fields.items()
        )
        return _Plan(shown, contents, operations, sign, all(map(values.is_plain_name, names))) if known else None


_UNSCOPED = _Tables([convention for convention in CONVENTIONS if not convention.scopes])
_SCOPED = tuple(
    (
        scoped.scopes,
        _Tables([convention for convention in CONVENTIONS if not convention.scopes or convention is scoped]),
    )
    for scoped in CONVENTIONS
    if scoped.scopes
)
"""Beginnings of scopes' names, and the tables for them."""


def view(name: str, scope_name: str, attributes: Mapping[str, Any], events: Sequence[Event] = ()) -> SpanView:
    """What a span says. Never raises: what cannot be read is metadata.

    No convention tells spans apart by their `name`; it is asked for so that one can. Log records that belong to the
    span are given among its events, as `log_event` makes them.
    """
    try:
        return _view(scope_name, attributes, events)
    except Exception:  # whatever an instrumentation made
        return _plain_view(attributes)


def _plain_view(attributes: Mapping[str, Any]) -> SpanView:
    return SpanView(None, None, None, NO_TOKENS, None, None, None, None, values.flat_map(attributes))


def _view(scope_name: str, attributes: Mapping[str, Any], events: Sequence[Event]) -> SpanView:
    has_events = bool(events) and any(event[0] in EVENT_NAMES for event in events)
    beside: dict[str, Any] = {}
    if has_events:
        beside = {key: value for key, value in details(events).items() if key not in attributes}
        attributes = {**beside, **attributes}
    plan = _tables_of(scope_name).plan(attributes)
    if plan is None and not has_events:
        return _plain_view(attributes)
    return _Reading(attributes, plan or _EMPTY, beside).view(events if has_events else ())


def _tables_of(scope_name: str) -> _Tables:
    for scopes, tables in _SCOPED:
        if scope_name.startswith(scopes):
            return tables
    return _UNSCOPED


class _Reading:
    """One span while it is read. `_values` are fields' values, `_shown` the attributes that a field shows, or an event
    beside the span."""

    __slots__ = ("_attributes", "_is_model_call", "_plan", "_shown", "_values")

    def __init__(self, attributes: Mapping[str, Any], plan: _Plan, beside: Iterable[str]) -> None:
        self._attributes, self._plan = attributes, plan
        self._values: dict[str, Any] = {}
        self._shown: set[str] = set(beside)
        self._is_model_call = False

    def view(self, events: Sequence[Event]) -> SpanView:
        self._read_fields()
        operation, values_by_field = self._operation(), self._values
        self._is_model_call = operation == "model_call"
        input, output = self._input(), self._output()
        if events and (input is None or output is None):
            input_of_events, output_of_events = map(values.shallow, from_events(events))
            input, output = input_of_events if input is None else input, output_of_events if output is None else output
        tokens = NO_TOKENS if operation in _WITHOUT_TOKENS or operation is None else self._tokens()
        session_id = values_by_field.get("session_id")
        return SpanView(
            input, output, values_by_field.get("model"), tokens, operation,
            values_by_field.get("conversation_id") or session_id, session_id, values_by_field.get("user_id"),
            values.flat_map(self._attributes, self._shown, has_plain_names=self._plan.has_plain_names),
        )  # fmt: skip

    def _read_fields(self) -> None:
        """For each field the first source with a value. Others with the same value are shown with it."""
        attributes, values_by_field, shown = self._attributes, self._values, self._shown
        for field, sources, shows in self._plan.fields:
            first_value = None
            for name, read in sources:
                value = read(attributes[name], False)
                if value is None:
                    continue
                if first_value is None:
                    values_by_field[field] = first_value = value
                if shows and value == first_value:
                    shown.add(name)

    def _operation(self) -> Operation | None:
        for name, by_value in self._plan.operations:
            value = self._attributes[name]
            if type(value) is str and (operation := by_value.get(value) or by_value.get(value.strip('"'))):
                return operation
        if self._plan.sign is not None:
            return self._plan.sign
        values_by_field = self._values
        asks = (
            "model" in values_by_field
            or "tokens_input" in values_by_field
            or "tokens_output" in values_by_field
            or "tokens" in values_by_field
        )
        return "model_call" if asks else None

    def _content(self, field: Field) -> Any:
        """Where Gnomon's own attribute tells the value, others stay metadata, since they may say something else."""
        sources, names = self._plan.contents.get(field, _NOTHING)
        for source in sources:
            value = source.value(self._attributes, self._is_model_call)
            if value is not None:
                self._shown.update(source.names if source.row.attribute in _OWN else names)
                return value
        return None

    def _input(self) -> Any:
        input = self._content("input")
        if "system" in self._plan.contents and (input is None or type(input) is list):
            system = self._content("system")
            return bodies.with_system(system, input) if input else system or input
        return input

    def _output(self) -> Any:
        output = self._content("output")
        if "tool_calls" in self._plan.contents and (output is None or type(output) is str):
            calls = self._content("tool_calls")
            if calls:
                text = {"content": output} if output else {}
                return {"role": "assistant", **text, "tool_calls": calls}
        return output

    def _tokens(self) -> TokenCounts:
        """The token counts. Attributes that are shown as reported are not metadata as well."""
        values_by_field = self._values
        tokens = counted(
            {**values_by_field["tokens"], **values_by_field} if "tokens" in values_by_field else values_by_field
        )
        for field, sources, _ in self._plan.fields:
            if field == "tokens_input" or field == "tokens_output":
                count = tokens.input if field == "tokens_input" else tokens.output
                for name, _ in sources:
                    if self._attributes[name] == count:
                        self._shown.add(name)
        return tokens


def _names(sources: tuple[_Source, ...]) -> Iterator[str]:
    """The attributes behind the sources, with those that name their types."""
    for row, names, _ in sources:
        yield from names
        if row.type_in is not None:
            yield row.type_in
