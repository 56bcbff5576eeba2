"""One stored thing in full: an experiment, a dataset, a run, a trace, a conversation, an iteration, a project."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from gnomon.model.conversation import Conversation, ConversationTurn
from gnomon.model.dataset import Dataset, DatasetItem, DatasetVersion
from gnomon.model.experiment import Experiment, Summary
from gnomon.model.outcome import Iteration
from gnomon.model.review import ProjectSummary
from gnomon.model.run import RunDetail
from gnomon.model.score import Score
from gnomon.model.trace import Project, Span, Trace
from gnomon.report.text import experiments as summaries
from gnomon.report.text import inventory
from gnomon.report.text.drawing import Part, clean, number, table
from gnomon.report.text.inventory import milliseconds, minute, second, short
from gnomon.report.text.values import cut, written
from gnomon.shorten import and_more, shorten

_CELL = 48
_TEXT = 4_000
_DEEPEST = 12


def experiment(
    shown: Experiment, dataset_name: str | None, summary: Summary, newer: int, earlier: int
) -> Iterator[Part]:
    """`newer` and `earlier`: how many other experiments of this name have runs."""
    commit, branch = inventory.made_at(shown)
    where = f", at commit {commit}{f' on {branch}' if branch else ''}" if commit else ""
    yield f"experiment {short(shown.name)} of project {shown.project_id}, id {shown.id}"
    data = "a deleted dataset" if dataset_name is None else f"dataset {short(dataset_name)}"
    yield f"over version {shown.dataset_version} of {data}, made {minute(shown.created_at)}{where}"
    if newer or earlier:
        age = f"~{newer}" if newer else "the newest"
        before = f"; --at ~{newer + 1} shows the one before" if earlier else ""
        yield f"{age} of {newer + earlier + 1:,} with this name{before}"
    yield from summaries.summary(summary)


def dataset(
    shown: Dataset,
    versions: Sequence[DatasetVersion],
    items: Sequence[DatasetItem],
    over_it: Sequence[Experiment],
) -> Iterator[Part]:
    """A dataset with its newest versions, some of its items, and the newest experiments over it."""
    yield f"dataset {short(shown.name)} of project {shown.project_id}, id {shown.id}"
    if shown.description:
        yield clean(shown.description)
    yield f"{_count(shown.item_count, 'item')}, version {shown.version}, changed {minute(shown.updated_at)}"
    if versions:
        yield ""
        yield _versions(versions)
    if items:
        yield ""
        yield _items(items)
        yield from _left_out(shown.item_count - len(items), "items")
    if over_it:
        yield ""
        yield inventory.experiments(over_it, from_newest=False)


def _versions(versions: Sequence[DatasetVersion]) -> Part:
    numbers = ("version", "items", "added", "changed", "removed")
    rows = table(*numbers, "made", right=numbers)
    for version in versions:
        created = "" if version.created_at is None else minute(version.created_at)
        rows.add_row(
            *map(str, (version.version, version.item_count, version.added, version.changed, version.removed)), created
        )
    return rows


def _items(items: Sequence[DatasetItem]) -> Part:
    rows = table("input", "expected output", "key", "item")
    for item in items:
        expected = "" if item.expected_output is None else _cell(item.expected_output)
        rows.add_row(_cell(item.input), expected, short(item.key or ""), item.id)
    return inventory.with_content(rows)


def run(shown: RunDetail, experiment_name: str) -> Iterator[Part]:
    yield f"run {shown.id} of experiment {short(experiment_name)} ({shown.experiment_id})"
    yield f"item {shown.dataset_item_id}, trial {shown.trial}, stored {second(shown.created_at)}"
    error = None if shown.error is None else f"{shown.error.type}: {shown.error.message}".removeprefix("None: ")
    fields = {"input": shown.input, "output": shown.output, "expected output": shown.expected_output, "error": error}
    yield from _texts(fields)
    if shown.scores:
        yield _scores(shown.scores)
    if shown.trace_id:
        yield f"its trace: gnomon show trace {clean(shown.trace_id)}"


def _scores(scores: Sequence[Score]) -> Part:
    rows = table("scorer", "score", "by", "rationale", right=("score",))
    for score in scores:
        rows.add_row(short(score.scorer_name), _value(score), score.source, short(score.rationale or ""))
    return inventory.with_content(rows)


def _value(score: Score) -> str:
    return short(score.value) if isinstance(score.value, str) else number(score.value)


def trace(shown: Trace, scores: Sequence[Score], most: int) -> Iterator[Part]:
    """The tree of its spans, at most so many, with what went into the root and came out."""
    size = f"{_count(shown.span_count, 'span')}, {milliseconds(shown.duration_ms)} ms, {shown.tokens:,} tokens"
    failed = ", with an error" if shown.has_error else ""
    yield f"trace {clean(shown.id)} of project {shown.project_id}"
    yield f"{size}{failed}, received {second(shown.created_at)}"
    by_span: dict[str, list[Score]] = {}
    for score in scores:
        by_span.setdefault(score.target_id, []).append(score)
    tree = list(span_tree(shown.spans))
    for depth, span in tree[:most]:
        yield _span_line(span, depth, by_span.get(span.id, ()))
    yield from _left_out(len(tree) - most, "spans")
    root = next((span for span in shown.spans if span.id == shown.root_span_id), None)
    if root is not None:
        yield from _texts({"input": root.input, "output": root.output})


def span_tree(spans: Iterable[Span]) -> Iterator[tuple[int, Span]]:
    """Spans with how deep they are, parents before children. Where a parent is missing, the span stands at the top."""
    every = list(spans)
    ids = {span.id for span in every}
    children: dict[str | None, list[Span]] = {}
    for span in every:
        children.setdefault(span.parent_span_id if span.parent_span_id in ids else None, []).append(span)
    waiting = [(0, span) for span in reversed(children.get(None, ()))]
    seen: set[str] = set()
    while waiting:
        depth, span = waiting.pop()
        if span.id not in seen:
            seen.add(span.id)
            yield depth, span
            waiting += [(depth + 1, child) for child in reversed(children.get(span.id, ()))]
    yield from ((0, span) for span in every if span.id not in seen)  # parents of each other, so under no top


def _span_line(span: Span, depth: int, scores: Sequence[Score]) -> str:
    facts = [f"{milliseconds(span.duration_ms)} ms", *([short(span.model)] if span.model else [])]
    tokens = (span.tokens_input or 0) + (span.tokens_output or 0)
    facts += [f"{tokens:,} tokens"] if tokens else []
    facts += [f"{short(score.scorer_name)} {_value(score)}" for score in scores]
    facts += [f"ERROR {short(span.error.message)}"] if span.error else []
    return f"{'  ' * min(depth, _DEEPEST)}- {short(span.name)}: {', '.join(facts)}"


def conversation(shown: Conversation, turns: Sequence[ConversationTurn]) -> Iterator[Part]:
    size = f"{_count(shown.trace_count, 'turn')}, {shown.tokens:,} tokens"
    failed = f", {shown.error_count:,} with an error" if shown.error_count else ""
    yield f"conversation {clean(shown.id)} of project {shown.project_id}: {size}{failed}"
    rows = table("began", "input", "output", "trace")
    for turn in turns:
        rows.add_row(second(turn.started_at or turn.created_at), _cell(turn.input), _cell(turn.output), clean(turn.id))
    yield rows
    yield from _left_out(shown.trace_count - len(turns), "turns")


def iteration(shown: Iteration) -> Iterator[Part]:
    yield f"iteration {shown.iteration} of {short(shown.source)}, project {shown.project_id}, id {shown.id}"
    provisional = ", provisional" if shown.provisional else ""
    evidence = f"on {shown.coverage:.0%} of the evidence"
    yield f"{number(shown.value)} ({short(shown.band)}{provisional}) {evidence}, rubric {shown.rubric_version}"
    facts = {"task": shown.task_id, "commit": shown.commit, "agent": shown.agent, "model": shown.model}
    yield from (f"{name}: {short(fact)}" for name, fact in facts.items() if fact)


def project(shown: Project, summary: ProjectSummary) -> Iterator[Part]:
    counts, traces, queue = summary.experiments, summary.traces, summary.queue
    name = f" ({short(shown.name)})" if shown.name != shown.id else ""
    yield f"project {shown.id}{name}, made {minute(shown.created_at)}"
    states = f"{counts.completed_count:,} completed, {counts.running_count:,} running, {counts.created_count:,} created"
    yield f"experiments: {states}"
    yield f"traces: {traces.last_24h.count:,} in 24 hours, {traces.last_7d.count:,} in 7 days"
    yield f"review queue: {queue.pending_count:,} waiting, {queue.annotated_count:,} done"


def _texts(fields: dict[str, Any]) -> Iterator[str]:
    """A field per line. A text of several lines begins on its own line."""
    for name, value in fields.items():
        if value is not None:
            text = cut(written(value), _TEXT)
            yield f"{name}:\n{text}" if "\n" in text else f"{name}: {text}"


def _cell(value: Any) -> str:
    return shorten(" ".join(written(value).split()), _CELL)


def _count(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _left_out(count: int, noun: str) -> Iterator[str]:
    if count > 0:
        yield f"…{and_more(count, noun)}; --limit shows more"
