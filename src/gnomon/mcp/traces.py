"""Tools about traces: finding them, and showing one as a tree of spans."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Annotated, Any

from pydantic import Field

from gnomon.errors import InvalidInput
from gnomon.mcp.context import ToolContext
from gnomon.mcp.tools import Pieces, ProjectName, RowLimit, Skip, tool
from gnomon.model.backend import Backend
from gnomon.model.moment import Moment
from gnomon.model.trace import Span, Trace, TraceRow
from gnomon.report.text import inventory
from gnomon.report.text.details import span_tree
from gnomon.report.text.drawing import clean, number, plain_lines
from gnomon.report.text.inventory import short
from gnomon.shorten import counted

_TRACES_READ = 5_000
"""So many traces are read to find those whose name holds a text."""
_DEEPEST = 12


@tool
def search_traces(
    context: ToolContext,
    text: Annotated[
        str | None, Field(description="Only traces whose name holds this, in capitals or not. Default: all.")
    ] = None,
    has_error: Annotated[
        bool | None, Field(description="true: only traces with an error; false: only those without. Default: all.")
    ] = None,
    metadata: Annotated[
        dict[str, str] | None,
        Field(description='Only traces whose root span has these values, such as {"user": "42"}. Default: all.'),
    ] = None,
    after: Annotated[
        Moment | None, Field(description="Only traces received at this time or later, such as 2026-01-31T00:00:00Z.")
    ] = None,
    before: Annotated[Moment | None, Field(description="Only traces received before this time.")] = None,
    limit: RowLimit = 20,
    skip: Skip = 0,
    project: ProjectName = None,
) -> Pieces:
    """Find traces, newest first: id, name, duration, tokens, number of spans, and whether there was an error. Show one
    with show_trace."""
    where = context.project(project)
    rows = context.backend.traces(where, after=after, before=before, has_error=has_error, metadata=metadata)
    read = _CountedRows(rows if text is None else islice(rows, _TRACES_READ))
    shown, more = context.page((row for row in read if text is None or _holds(row, text)), limit, skip)
    if shown:
        yield from plain_lines([inventory.traces(shown)])
    else:
        yield f"no trace of project {where} matches"
    yield from more
    if text is not None and read.count == _TRACES_READ:
        yield f"only the newest {_TRACES_READ:,} traces were searched; narrow it with after and before"


class _CountedRows:
    """Rows, and how many of them were read."""

    def __init__(self, rows: Iterable[TraceRow]) -> None:
        self._rows, self.count = rows, 0

    def __iter__(self) -> Iterator[TraceRow]:
        for row in self._rows:
            self.count += 1
            yield row


def _holds(row: TraceRow, text: str) -> bool:
    return text.casefold() in (row.name or "").casefold()


@tool
def show_trace(
    context: ToolContext,
    trace: Annotated[str, Field(description="Id of the trace.")],
    span: Annotated[
        str | None, Field(description="Only this span, with longer texts. Default: all spans, with texts shortened.")
    ] = None,
    project: ProjectName = None,
) -> Pieces:
    """Show a trace as a tree of spans with durations, model, tokens, errors and scores, each with its input and output
    (shortened). Ask again with one span for longer texts."""
    where = project or context.default_project
    shown = context.backend.trace(trace, where)
    spans, tokens = counted(shown.span_count, "span"), counted(shown.tokens, "token")
    size = f"{spans}, {inventory.milliseconds(shown.duration_ms)} ms, {tokens}"
    failed = ", with an error" if shown.has_error else ""
    received = inventory.second(shown.created_at)
    yield f"trace {clean(shown.id)} of project {shown.project_id}: {size}{failed}, received {received}"
    if span is not None:
        yield from _one_span(context, shown, span)
        return
    tree = list(span_tree(shown.spans))
    for deep, node in context.fitting(tree, context.limits.rows):
        yield _shown(context, shown, node, deep, times=1)
    if len(tree) > context.limits.rows:
        ids = ", ".join(clean(span_view.id) for _, span_view in tree[context.limits.rows :][:5])
        yield f"… {counted(len(tree) - context.limits.rows, 'more span')} (ask with span=ID; the next are {ids})"
    for annotation in islice(context.backend.annotations(trace, project_id=where), context.limits.rows):
        fields = {"label": annotation.label, "correction": annotation.correction, "notes": annotation.notes}
        about = f" of span {clean(annotation.span_id)}" if annotation.span_id else ""
        known = {key: value for key, value in fields.items() if value is not None}
        yield f"annotation{about} by {short(annotation.annotator)}\n{context.data(known)}"


def _one_span(context: ToolContext, trace: Trace, span: str) -> Iterator[str]:
    candidate = next((span_view for span_view in trace.spans if span_view.id == span), None)
    if candidate is None:
        known = ", ".join(clean(span_view.id) for span_view in trace.spans[:5])
        raise InvalidInput.of("span", f"trace {trace.id!r} has no span {span[:60]!r}; it has {known}")
    yield _shown(context, trace, candidate, 0, times=8, metadata=True)


def _shown(context: ToolContext, trace: Trace, span: Span, deep: int, *, times: int, metadata: bool = False) -> str:
    facts = [f"{inventory.milliseconds(span.duration_ms)} ms"]
    facts += [short(span.model)] if span.model else []
    facts += [f"tokens {_count(span.tokens_input)} in, {_count(span.tokens_output)} out"] if _has_tokens(span) else []
    facts += ["ERROR"] if span.error else []
    head = f"{'  ' * min(deep, _DEEPEST)}- {short(span.name)} (span {clean(span.id)}): {', '.join(facts)}"
    scores = _scored(context.backend, trace, span)
    fields = {"input": span.input, "output": span.output} | _error(span)
    fields |= {"metadata": span.metadata} if metadata and span.metadata else {}
    texts = {key: value for key, value in fields.items() if value is not None}
    return "\n".join([head, *filter(None, [scores]), *([context.data(texts, times=times)] if texts else [])])


def _error(span: Span) -> dict[str, Any]:
    if span.error is None:
        return {}
    return {"error": f"{span.error.type}: {span.error.message}" if span.error.type else span.error.message}


def _scored(backend: Backend, trace: Trace, span: Span) -> str:
    scores = islice(backend.scores(span.id, "span", trace_id=trace.id), 20)
    lines = [
        f"{short(score.scorer_name)} {number(score.value) if isinstance(score.value, float) else clean(score.value)}"
        for score in scores
    ]
    return f"scores: {', '.join(lines)}" if lines else ""


def _has_tokens(span: Span) -> bool:
    return span.tokens_input is not None or span.tokens_output is not None


def _count(tokens: int | None) -> str:
    return "unknown" if tokens is None else f"{tokens:,}"
