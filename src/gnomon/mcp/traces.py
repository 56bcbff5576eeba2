"""Tools about traces: finding them, and showing one as a tree of spans."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Annotated, Any

from pydantic import Field

from gnomon.errors import InvalidInput
from gnomon.mcp.context import ToolContext
from gnomon.mcp.text import short
from gnomon.mcp.tools import Limit, Pieces, ProjectName, Skip, tool
from gnomon.model.backend import Backend
from gnomon.model.moment import Moment
from gnomon.model.trace import Span, Trace, TraceRow
from gnomon.report.text.drawing import clean, number, plain_lines, table

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
    limit: Limit = 20,
    skip: Skip = 0,
    project: ProjectName = None,
) -> Pieces:
    """Find traces, newest first: id, name, duration, tokens, number of spans, and whether there was an error. Show one
    with show_trace."""
    where = context.project(project)
    rows = context.backend.traces(where, after=after, before=before, has_error=has_error, metadata=metadata)
    read = _Counted(rows if text is None else islice(rows, _TRACES_READ))
    shown, more = context.page((row for row in read if text is None or _holds(row, text)), limit, skip)
    if shown:
        yield from plain_lines([_listed(shown)])
    else:
        yield f"no trace of project {where} matches"
    yield from more
    if text is not None and read.count == _TRACES_READ:
        yield f"only the newest {_TRACES_READ:,} traces were searched; narrow it with after and before"


class _Counted:
    """Rows, and how many of them were read."""

    def __init__(self, rows: Iterable[TraceRow]) -> None:
        self._rows, self.count = rows, 0

    def __iter__(self) -> Iterator[TraceRow]:
        for row in self._rows:
            self.count += 1
            yield row


def _holds(row: TraceRow, text: str) -> bool:
    return text.casefold() in (row.name or "").casefold()


def _listed(rows: Iterable[TraceRow]) -> Any:
    drawn = table("trace", "name", "received", "ms", "tokens", "spans", "error", right=("ms", "tokens", "spans"))
    for row in rows:
        drawn.add_row(
            clean(row.id), short(row.name or "(no root span yet)"), _moment(row), _ms(row.duration_ms),
            f"{row.tokens:,}", f"{row.span_count:,}", "error" if row.has_error else "",
        )  # fmt: skip
    return drawn


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
    found = context.backend.trace(trace, where)
    size = f"{found.span_count:,} spans, {_ms(found.duration_ms)} ms, {found.tokens:,} tokens"
    failed = ", with an error" if found.has_error else ""
    yield f"trace {clean(found.id)} of project {found.project_id}: {size}{failed}, received {_moment(found)}"
    if span is not None:
        yield from _one_span(context, found, span)
        return
    tree = list(_tree(found.spans))
    for deep, one in context.fitting(tree, context.limits.rows):
        yield _shown(context, found, one, deep, times=1)
    if len(tree) > context.limits.rows:
        ids = ", ".join(clean(one.id) for _, one in tree[context.limits.rows :][:5])
        yield f"… {len(tree) - context.limits.rows:,} more spans (ask with span=ID; the next are {ids})"
    for said in islice(context.backend.annotations(trace, project_id=where), context.limits.rows):
        fields = {"label": said.label, "correction": said.correction, "notes": said.notes}
        about = f" of span {clean(said.span_id)}" if said.span_id else ""
        told = {key: value for key, value in fields.items() if value is not None}
        yield f"annotation{about} by {short(said.annotator)}\n{context.data(told)}"


def _one_span(context: ToolContext, found: Trace, span: str) -> Iterator[str]:
    one = next((one for one in found.spans if one.id == span), None)
    if one is None:
        known = ", ".join(clean(one.id) for one in found.spans[:5])
        raise InvalidInput.of("span", f"trace {found.id!r} has no span {span[:60]!r}; it has {known}")
    yield _shown(context, found, one, 0, times=8, metadata=True)


def _tree(spans: Iterable[Span]) -> Iterator[tuple[int, Span]]:
    """Spans with how deep they are, parents before children. Where a parent is missing, the span stands at the top."""
    every = list(spans)
    ids = {one.id for one in every}
    children: dict[str | None, list[Span]] = {}
    for one in every:
        children.setdefault(one.parent_span_id if one.parent_span_id in ids else None, []).append(one)
    waiting = [(0, one) for one in reversed(children.get(None, ()))]
    seen: set[str] = set()
    while waiting:
        deep, one = waiting.pop()
        if one.id not in seen:
            seen.add(one.id)
            yield deep, one
            waiting += [(deep + 1, child) for child in reversed(children.get(one.id, ()))]
    yield from ((0, one) for one in every if one.id not in seen)  # parents of each other, so under no top


def _shown(context: ToolContext, found: Trace, one: Span, deep: int, *, times: int, metadata: bool = False) -> str:
    facts = [f"{_ms(one.duration_ms)} ms"]
    facts += [short(one.model)] if one.model else []
    facts += [f"tokens {_count(one.tokens_input)} in, {_count(one.tokens_output)} out"] if _has_tokens(one) else []
    facts += ["ERROR"] if one.error else []
    head = f"{'  ' * min(deep, _DEEPEST)}- {short(one.name)} (span {clean(one.id)}): {', '.join(facts)}"
    scores = _scored(context.backend, found, one)
    fields = {"input": one.input, "output": one.output} | _error(one)
    fields |= {"metadata": one.metadata} if metadata and one.metadata else {}
    texts = {key: value for key, value in fields.items() if value is not None}
    return "\n".join([head, *filter(None, [scores]), *([context.data(texts, times=times)] if texts else [])])


def _error(one: Span) -> dict[str, Any]:
    if one.error is None:
        return {}
    return {"error": f"{one.error.type}: {one.error.message}" if one.error.type else one.error.message}


def _scored(backend: Backend, found: Trace, one: Span) -> str:
    scores = islice(backend.scores(one.id, "span", trace_id=found.id), 20)
    told = [
        f"{short(score.scorer_name)} {number(score.value) if isinstance(score.value, float) else clean(score.value)}"
        for score in scores
    ]
    return f"scores: {', '.join(told)}" if told else ""


def _moment(row: TraceRow) -> str:
    return f"{row.created_at:%Y-%m-%d %H:%M:%S}"


def _has_tokens(one: Span) -> bool:
    return one.tokens_input is not None or one.tokens_output is not None


def _count(tokens: int | None) -> str:
    return "unknown" if tokens is None else f"{tokens:,}"


def _ms(duration: float | None) -> str:
    return "?" if duration is None else f"{duration:,.0f}"
