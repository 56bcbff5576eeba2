"""Spans of other tools as traces that Gnomon takes.

Native ingest wants one root per trace, parents without rings and an end after the start; other tools do not promise
that. What does not fit is kept in another way, and said:

| in the file | here |
|---|---|
| several roots in one trace | a trace per root; the first keeps the id, the others have it as `import.trace_id` |
| a parent that is not in the file | kept as it is: the parent may come with another file |
| a parent in another trace, a ring of parents | the span is a root; `import.parent_span_id` is what the file said |
| no start time | the start of the trace's first span, or 1970; `import.start_time` is `unknown` |
| an end before the start | it ends when it started; `import.end_time` says what the file said |
| one span twice | the later one counts |
| an id that is not an id here | a digest of the tool's name and the id, the same each time |
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

from gnomon.errors import GnomonError
from gnomon.interop.conventions.genai import EXECUTES_TOOL, OPERATION, TOOL_NAME
from gnomon.interop.foreign.bundle import Bundle, ForeignScore, SpanScore
from gnomon.interop.foreign.reading import digest
from gnomon.interop.jsontext import storable
from gnomon.model import moment
from gnomon.model.fields import LARGEST_COUNT, ClientId
from gnomon.model.jsonvalue import dump
from gnomon.model.trace import SpanDraft, SpanError

USER, SESSION, TAGS, LEVEL = "user.id", "session.id", "tags", "level"
COST = "reported_cost_usd"
"""What the tool says that a call cost; never computed here."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_PLAIN_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}")
_CLIENT_ID: TypeAdapter[str] = TypeAdapter(ClientId)
_MILLISECOND = timedelta(milliseconds=1)
_TRACEBACK = "Traceback (most recent call last)"
_OPERATIONS = {"model": "chat", "tool": EXECUTES_TOOL, "embedding": "embeddings"}

StepKind = Literal["model", "tool", "embedding"]


@dataclass(slots=True)
class ForeignSpan:
    """A span as its tool tells it: ids are the tool's own."""

    trace: str
    id: str
    parent: str | None
    name: Any
    start: datetime | None
    end: datetime | None = None
    kind: StepKind | None = None
    input: Any = None
    output: Any = None
    model: Any = None
    tokens_input: Any = None
    tokens_output: Any = None
    error: SpanError | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


class Assembler:
    """Collects spans and scores in any order; `assemble` makes traces of them, `finish` puts them into the bundle."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self._tool = bundle.source
        self._spans: dict[str, dict[str, ForeignSpan]] = {}
        self._traces_of: dict[str, list[str]] = {}
        self._scores: list[tuple[str | None, str | None, ForeignScore]] = []
        self._addresses: dict[tuple[str, str], tuple[str, str]] = {}
        self._traces: dict[str, Sequence[SpanDraft]] = {}
        self._scored: dict[tuple[str, str], list[ForeignScore]] = {}

    def add(self, span: ForeignSpan) -> None:
        known = self._spans.setdefault(span.trace, {})
        if span.id in known:
            if known[span.id] != span:
                self._count("span exported twice; the later one is kept")
        else:
            self._traces_of.setdefault(span.id, []).append(span.trace)
        known[span.id] = span

    def score(self, trace: str | None, span: str | None, score: ForeignScore) -> None:
        """A score of a span, or of a trace as a whole where `span` is None. They may come before the span."""
        self._scores.append((trace, span, score))

    def assemble(self) -> None:
        """Make traces of what came. Between this and `finish`, runs take theirs."""
        for trace, spans in self._spans.items():
            for id, group in self._groups(trace, spans):
                if drafts := list(self._drafts(id, trace, group)):
                    self._traces[id] = drafts
        for trace_id, span_id, score in self._scores:
            address = self._address(trace_id, span_id)
            if address is None and trace_id is not None and span_id is not None and trace_id not in self._spans:
                address = self._id(trace_id), self._id(span_id)  # it may have come with another file
            if address is None:
                self._count("score of a span that is not in the file; import them together")
            else:
                self._scored.setdefault(address, []).append(score)

    def take(self, trace: str) -> tuple[Sequence[SpanDraft], list[ForeignScore]]:
        """The trace of a run, and the scores of the trace as a whole: they are stored with the run."""
        address = self._address(trace, None)
        if address is None:
            return (), []
        return self._traces.pop(address[0], ()), self._scored.pop(address, [])

    def finish(self) -> None:
        """Put what no run took into the bundle."""
        self._bundle.traces += self._traces.values()
        for (trace_id, span_id), scores in self._scored.items():
            self._bundle.span_scores += [SpanScore(trace_id, span_id, score) for score in scores]

    def _address(self, trace: str | None, span: str | None) -> tuple[str, str] | None:
        if span is None:
            spans = self._spans.get(trace or "")
            span = min(spans.values(), key=_root_first).id if spans else None
        elif trace is None or (trace, span) not in self._addresses:
            traces = self._traces_of.get(span, ())
            trace = traces[0] if len(traces) == 1 else None
        return self._addresses.get((trace or "", span or ""))

    def _groups(self, trace: str, spans: dict[str, ForeignSpan]) -> Iterable[tuple[str, list[ForeignSpan]]]:
        """Trace id and spans, per root; spans without a root stay with the first."""
        self._cut_foreign_parents(trace, spans)
        self._cut_rings(spans)
        top = _tops(spans)
        roots = sorted((span for span in spans.values() if span.parent is None), key=_begin)
        ids = {
            root.id: self._id(trace) if index == 0 else self._split(trace, root.id) for index, root in enumerate(roots)
        }
        if len(roots) > 1:
            self._bundle.notes.append(f"trace {trace} has {len(roots)} roots: each is a trace")
        grouped: dict[str, list[ForeignSpan]] = {}
        for span in spans.values():
            grouped.setdefault(ids.get(top[span.id], self._id(trace)), []).append(span)
        return grouped.items()

    def _split(self, trace: str, root: str) -> str:
        return digest(self._tool, storable(trace), storable(root))

    def _cut_foreign_parents(self, trace: str, spans: dict[str, ForeignSpan]) -> None:
        for span in spans.values():
            if span.parent is not None and span.parent not in spans and span.parent in self._traces_of:
                self._count("parent in another trace; kept as import.parent_span_id")
                _cut_parent(span)

    def _cut_rings(self, spans: dict[str, ForeignSpan]) -> None:
        finished: set[str] = set()
        for start in spans:
            path: dict[str, None] = {}
            at: str | None = start
            while at is not None and at in spans and at not in finished and at not in path:
                path[at] = None
                at = spans[at].parent
            if at is not None and at in path:
                walked = list(path)
                first = min((spans[id] for id in walked[walked.index(at) :]), key=_begin)
                self._count("ring of parents; opened at its first span")
                _cut_parent(first)
            finished.update(path)

    def _drafts(self, id: str, trace: str, spans: list[ForeignSpan]) -> Iterator[SpanDraft]:
        known = [span.start for span in spans if span.start is not None]
        beginning = min(known) if known else _EPOCH
        for span in sorted(spans, key=lambda span: (span.start or beginning, span.parent is not None)):
            try:
                draft = self._draft(span, id, beginning)
            except GnomonError as bad:
                self._count(f"span that cannot be kept: {bad.message}")
                continue
            self._addresses[trace, span.id] = id, draft.id
            yield draft

    def _draft(self, span: ForeignSpan, trace_id: str, beginning: datetime) -> SpanDraft:
        about = dict(span.metadata)
        if span.kind is not None:
            about.setdefault(OPERATION, _OPERATIONS[span.kind])
        if span.kind == "tool":
            about.setdefault(TOOL_NAME, span.name)
        if span.parent is None:
            about["import.source"] = self._tool
            about["import.trace_id"] = span.trace if trace_id != span.trace else None
        start, end = span.start or beginning, span.end
        about["import.start_time"] = None if span.start else "unknown"
        if end is not None and end < start:
            self._count("end before the start; kept as import.end_time")
            about["import.end_time"], end = end.isoformat(), start
        fields: dict[str, Any] = {
            "input": storable(span.input), "output": storable(span.output), "model": _text(span.model),
            "tokens_input": count_of(span.tokens_input), "tokens_output": count_of(span.tokens_output),
            "error": span.error, "parent_span_id": None if span.parent is None else self._id(span.parent),
            "metadata": flat(about) or None, "end_time": end if end is None else moment.parse(end),
            "duration_ms": None if end is None else (end - start) / _MILLISECOND,
        }  # fmt: skip
        return SpanDraft(
            id=self._id(span.id), trace_id=trace_id, name=_text(span.name) or "unnamed", start_time=moment.parse(start),
            **{name: value for name, value in fields.items() if value is not None},
        )  # fmt: skip

    def _id(self, foreign_id: str) -> str:
        return legal_id(self._tool, foreign_id)

    def _count(self, reason: str) -> None:
        self._bundle.not_understood[reason] += 1


def legal_id(tool: str, foreign_id: str) -> str:
    """The tool's id where it is one here too."""
    if _PLAIN_ID.fullmatch(foreign_id):
        return foreign_id
    try:
        return _CLIENT_ID.validate_python(foreign_id)
    except ValidationError:
        return digest(tool, storable(foreign_id))


def name_of(value: Any) -> str | None:
    """An id or a name as text: some tools write numbers."""
    if isinstance(value, str):
        return value or None
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def count_of(value: Any) -> int | None:
    """A number of tokens; some tables hold them as floating point numbers or as text."""
    number = value if type(value) is int else number_of(value)
    if number is None or not 0 <= number <= LARGEST_COUNT:  # NaN is in no range
        return None
    return int(number) if number == int(number) else None


def number_of(value: Any) -> float | None:
    try:
        return None if isinstance(value, bool | None) else float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def flat(about: Mapping[str, Any]) -> dict[str, Any]:
    """Metadata is flat: lists and objects are JSON text, and what says nothing is left out."""
    return {str(storable(key)): _scalar(value) for key, value in about.items() if value not in (None, "", [], {})}


def under(prefix: str, values: Any) -> dict[str, Any]:
    """An object's keys with a prefix, as metadata."""
    if isinstance(values, dict):
        return {f"{prefix}{key}": value for key, value in values.items()}
    return {prefix.removesuffix("."): values}


def error_of(value: Any, default: str = "error") -> SpanError | None:
    """What went wrong: a text, or an object with a message."""
    if value in (None, "", False, {}, []):
        return None
    if isinstance(value, dict):
        message = next((value[key] for key in ("message", "error", "detail") if value.get(key)), value)
        type, stack = (
            _text(value.get("type") or value.get("name")),
            _text(value.get("stack") or value.get("stacktrace")),
        )
        return SpanError(message=_text(message) or default, type=type, stack=stack)
    text = _text(value) or default
    if _TRACEBACK not in text:
        return SpanError(message=text)
    message = text.strip().rpartition("\n")[2]
    return SpanError(message=message, type=message.partition(":")[0] or None, stack=text)


def _text(value: Any) -> str | None:
    if value in (None, ""):
        return None
    text = storable(value)
    return text if isinstance(text, str) else dump(text)


def _scalar(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    clean = storable(value)
    return clean if clean is None or isinstance(clean, str | int | float) else _json(clean)


def _json(value: Any) -> str:
    try:
        return dump(value)
    except (TypeError, ValueError):
        return str(storable(str(value)))


def _begin(span: ForeignSpan) -> tuple[datetime, str]:
    return span.start or datetime.max.replace(tzinfo=UTC), span.id


def _root_first(span: ForeignSpan) -> tuple[bool, datetime, str]:
    return (span.parent is not None, *_begin(span))


def _cut_parent(span: ForeignSpan) -> None:
    span.metadata["import.parent_span_id"], span.parent = span.parent, None


def _tops(spans: Mapping[str, ForeignSpan]) -> dict[str, str]:
    """Each span's highest ancestor in the file. There are no rings left; a trace may be very deep."""
    top: dict[str, str] = {}
    for id in spans:
        path: list[str] = []
        at = id
        while at not in top and (parent := spans[at].parent) in spans:
            path.append(at)
            at = str(parent)
        top[at] = top.get(at, at)
        top.update(dict.fromkeys(path, top[at]))
    return top
