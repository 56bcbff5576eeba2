"""Exports of LangSmith: runs (one per line, or the Parquet files of a bulk export), feedback, and examples of datasets.

A run is a span; its trace is the run at the top. Runs that answer an example of a dataset are the runs of an
experiment, with the feedback on them. `feedback_stats` adds a run's feedback up; feedback itself counts more, where
the export has it. Tables of results are read by `langsmith.py`.
"""

from collections import Counter
from pathlib import Path
from typing import Any

from gnomon.interop.foreign import langsmith
from gnomon.interop.foreign.assembling import (
    COST,
    SESSION,
    TAGS,
    USER,
    Assembler,
    ForeignSpan,
    StepKind,
    error_of,
    name_of,
    number_of,
    under,
)
from gnomon.interop.foreign.bundle import (
    Bundle,
    ForeignDataset,
    ForeignExperiment,
    ForeignItem,
    ForeignRun,
    ForeignScore,
)
from gnomon.interop.foreign.exports import ExportedObject, are_all, decoded, keys_of, records
from gnomon.interop.foreign.modelcalls import add_tokens, add_values
from gnomon.interop.foreign.scores import score_of
from gnomon.interop.foreign.times import instant

SOURCE = langsmith.SOURCE
_KINDS: dict[str, StepKind] = {"llm": "model", "tool": "tool", "embedding": "embedding"}
_INSIDE = ("runs", "feedback", "examples")
_MESSAGES = ("messages", "generations", "message", "output", "choices")
_THREADS = ("session_id", "thread_id", "conversation_id")


def detect(path: Path) -> bool:
    return _has_runs(path) or _has_results(path)


def _has_results(path: Path) -> bool:
    return path.is_file() and are_all(path, langsmith.detect)


def _has_runs(path: Path) -> bool:
    return are_all(path, lambda file: _kind_of(keys_of(file, _INSIDE)) is not None)


def _kind_of(keys: frozenset[str] | ExportedObject) -> str | None:
    if "run_type" in keys and "start_time" in keys:
        return "run"
    if "run_id" in keys and "key" in keys and ("score" in keys or "value" in keys):
        return "feedback"
    if "dataset_id" in keys and "inputs" in keys:
        return "example"
    return None


def read(path: Path) -> Bundle:
    if _has_results(path) and not _has_runs(path):
        return langsmith.read(path)
    bundle = Bundle(SOURCE)
    export = _LangSmithExport(bundle, path.stem)
    for record in records(path, bundle.not_understood, _INSIDE):
        export.add(record)
    export.finish()
    return bundle


class _LangSmithExport:
    def __init__(self, bundle: Bundle, name: str) -> None:
        self._bundle, self._name = bundle, name
        self._assembler = Assembler(bundle)
        self._examples: dict[str, tuple[str, ForeignItem]] = {}
        self._answered: list[ExportedObject] = []
        self._has_feedback: set[tuple[str, str]] = set()
        self._averages: list[tuple[str, str, str, Any]] = []

    def add(self, record: ExportedObject) -> None:
        kind = _kind_of(record)
        if kind == "run":
            self._add_run(record)
        elif kind == "feedback":
            self._add_feedback(record)
        elif kind == "example":
            self._add_example(record)
        else:
            self._bundle.not_understood["record that is not a run, feedback or example"] += 1

    def finish(self) -> None:
        for trace, run, key, stats in self._averages:
            if (run, key) not in self._has_feedback:
                self._add_average(trace, run, key, stats)
        self._assembler.assemble()
        datasets: dict[str, list[ForeignItem]] = {}
        for dataset, item in self._examples.values():
            datasets.setdefault(dataset, []).append(item)
        self._bundle.datasets += [ForeignDataset(name, items) for name, items in datasets.items()]
        self._add_experiments()
        self._assembler.finish()

    def _add_run(self, record: ExportedObject) -> None:
        id = name_of(record.get("id"))
        if id is None:
            self._bundle.not_understood["run without an id"] += 1
            return
        trace = name_of(record.get("trace_id")) or _first_of(record.get("dotted_order")) or id
        kind = _KINDS.get(str(record.get("run_type")).lower())
        extra = decoded(record.get("extra"))
        about = decoded(extra.get("metadata")) if isinstance(extra, dict) else None
        about = about if isinstance(about, dict) else {}
        span = ForeignSpan(
            trace, id, name_of(record.get("parent_run_id")), record.get("name"), instant(record.get("start_time")),
            instant(record.get("end_time")), kind, error=error_of(record.get("error")),
            metadata=_metadata(record, about),
        )  # fmt: skip
        _add_details(span, record, extra if isinstance(extra, dict) else {}, about)
        self._assembler.add(span)
        children = record.get("child_runs")
        for child in children if isinstance(children, list) else ():
            if isinstance(child, dict) and _kind_of(child) == "run":
                self._add_run({"trace_id": trace, "parent_run_id": id, **child})
        if span.parent is None and name_of(record.get("reference_example_id")):
            self._answered.append({**record, "trace_id": trace})
        stats = decoded(record.get("feedback_stats"))
        for key, stat in stats.items() if isinstance(stats, dict) else ():
            self._averages.append((trace, id, key, stat))

    def _add_feedback(self, record: ExportedObject) -> None:
        run, key = name_of(record.get("run_id")), name_of(record.get("key"))
        if run is None or key is None:
            self._bundle.not_understood["feedback without a run or a key"] += 1
            return
        self._has_feedback.add((run, key))
        self._assembler.score(name_of(record.get("trace_id")), run, _score(key, record))

    def _add_average(self, trace: str, run: str, key: str, stats: Any) -> None:
        """A run's feedback, added up; of one label the label itself."""
        stats = stats if isinstance(stats, dict) else {}
        labels = stats.get("values")
        number, count = number_of(stats.get("avg")), stats.get("n")
        if number is None and isinstance(labels, dict) and len(labels) == 1:
            self._assembler.score(trace, run, score_of(key, next(iter(labels))))
        elif number is not None:
            beside = None if count is None else {"n": count}
            self._assembler.score(trace, run, score_of(key, number, metadata=beside))
        else:
            self._bundle.not_understood["feedback that is not added up to a number or a label"] += 1

    def _add_example(self, record: ExportedObject) -> None:
        id, dataset = (
            name_of(record.get("id")),
            name_of(record.get("dataset_name")) or name_of(record.get("dataset_id")),
        )
        metadata = decoded(record.get("metadata"))
        item = ForeignItem(
            id, _only(decoded(record.get("inputs"))), _only(decoded(record.get("outputs"))),
            metadata if isinstance(metadata, dict) else None,
        )  # fmt: skip
        self._examples[id or f"example {len(self._examples)}"] = dataset or SOURCE, item

    def _add_experiments(self) -> None:
        grouped: dict[str, list[ExportedObject]] = {}
        for record in self._answered:
            project = name_of(record.get("session_name")) or name_of(record.get("session_id")) or ""
            grouped.setdefault(project, []).append(record)
        for project, answered in grouped.items():
            trials: Counter[str] = Counter()
            runs = [self._run(record, trials) for record in sorted(answered, key=_begin)]
            dataset = next(
                (self._examples[run.item_key][0] for run in runs if run.item_key in self._examples), self._name
            )
            unnamed = self._name if len(grouped) == 1 else f"{self._name}@{project}"
            name = project if name_of(answered[0].get("session_name")) else unnamed
            self._bundle.experiments.append(ForeignExperiment(name, dataset, runs, {"source": SOURCE}))

    def _run(self, record: ExportedObject, trials: Counter[str]) -> ForeignRun:
        key, trace = str(name_of(record.get("reference_example_id"))), str(name_of(record.get("trace_id")))
        trials[key] += 1
        item = self._examples[key][1] if key in self._examples else None
        error = error_of(record.get("error"))
        spans, scores = self._assembler.take(trace)
        return ForeignRun(
            key, item.input if item else _only(decoded(record.get("inputs"))), _only(decoded(record.get("outputs"))),
            item.expected_output if item else None, item.metadata if item else None, trials[key],
            error.message if error else None, scores, spans,
        )  # fmt: skip


def _metadata(record: ExportedObject, about: ExportedObject) -> dict[str, Any]:
    thread = next((about[key] for key in _THREADS if about.get(key)), None)
    project = record.get("session_name") or record.get("session_id")
    tags, tokens = (
        record.get("tags"),
        {key: record.get(key) for key in ("prompt_tokens", "completion_tokens", "total_tokens")},
    )
    beside = {
        "langsmith.run_type": record.get("run_type"), "langsmith.status": record.get("status"),
        "langsmith.project": project,
        "langsmith.reference_example_id": record.get("reference_example_id"), TAGS: decoded(tags), SESSION: thread,
        USER: about.get("user_id"), COST: number_of(record.get("total_cost")),
    }  # fmt: skip
    # A chain's tokens are those of the model calls below it, which say them themselves.
    above = under("reported.", tokens) if str(record.get("run_type")).lower() != "llm" else {}
    return {**under("metadata.", about), **beside, **above}


def _add_details(span: ForeignSpan, record: ExportedObject, extra: ExportedObject, about: ExportedObject) -> None:
    value, came_out = decoded(record.get("inputs")), decoded(record.get("outputs"))
    if span.kind != "model":
        add_values(span, _single(value), _single(came_out))
        return
    add_values(span, _plain_messages(value), _plain_messages(came_out))
    parameters = extra.get("invocation_params")
    parameters = parameters if isinstance(parameters, dict) else {}
    names = [about.get("ls_model_name"), parameters.get("model"), parameters.get("model_name")]
    span.model = next((name for name in names if isinstance(name, str) and name), None)
    add_tokens(span, came_out.get("usage_metadata") if isinstance(came_out, dict) else None)
    span.tokens_input = _either(record.get("prompt_tokens"), span.tokens_input)
    span.tokens_output = _either(record.get("completion_tokens"), span.tokens_output)


def _plain_messages(value: Any) -> Any:
    """LangChain writes a message as the call of its constructor: what it was called with is the message."""
    if isinstance(value, list):
        return [_plain_messages(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    called = value.get("kwargs")
    if value.get("lc") == 1 and isinstance(called, dict):
        return called
    return {key: _plain_messages(entry) if key in _MESSAGES else entry for key, entry in value.items()}


def _score(key: str, record: ExportedObject) -> ForeignScore:
    """A number, a label, or both: then the number is the score and the label stands beside it."""
    source = decoded(record.get("feedback_source"))
    source = source if isinstance(source, dict) else {}
    number, label = record.get("score"), record.get("value")
    number = number if isinstance(number, bool) else number_of(number)
    correction = record.get("correction")
    # Annotations that people make in the application have the source `app`.
    beside = {
        "source": name_of(source.get("type")),
        "correction": correction,
        "langsmith.id": name_of(record.get("id")),
    }
    beside |= {"value": label} if number is not None and label not in (None, number) else {}
    return score_of(
        key, label if number is None else number, rationale=name_of(record.get("comment")),
        source="human" if source.get("type") == "app" else None,
        metadata={name: value for name, value in beside.items() if value},
    )  # fmt: skip


def _only(value: Any) -> Any:
    """The value itself where an item has only one, as in {"question": …}."""
    return next(iter(value.values())) if isinstance(value, dict) and len(value) == 1 else value


def _begin(record: ExportedObject) -> str:
    at = instant(record.get("start_time"))
    return at.isoformat(timespec="microseconds") if at else ""


def _single(value: Any) -> Any:
    """LangSmith wraps what is not an object: {"input": …}, {"output": …}."""
    if isinstance(value, dict) and len(value) == 1 and next(iter(value)) in ("input", "output"):
        return next(iter(value.values()))
    return value


def _first_of(dotted: Any) -> str | None:
    """The trace in a run's dotted order: `20260221T220000000000Z<run>.<child's>`."""
    first = dotted.partition(".")[0] if isinstance(dotted, str) else ""
    return first.partition("Z")[2] or None


def _either(first: Any, second: Any) -> Any:
    return second if first is None else first
