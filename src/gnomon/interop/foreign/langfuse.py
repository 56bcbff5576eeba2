"""Exports of Langfuse: traces, observations and scores from the API or blob storage; datasets and their runs.

A trace of Langfuse is a thing of its own, with a name, an input, a user and scores, above its observations: it becomes
the root span. Where a file has only observations (as the enriched export has), their own root is the root. Files of
one export belong together: name the folder, so that scores find their traces and runs their items.
"""

from collections import Counter
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from gnomon.interop.foreign.assembling import (
    COST,
    LEVEL,
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
from gnomon.interop.foreign.reading import digest
from gnomon.interop.foreign.scores import scaled, score_of
from gnomon.interop.foreign.times import instant

SOURCE = "langfuse"
_KINDS: dict[str, StepKind] = {"GENERATION": "model", "TOOL": "tool", "EMBEDDING": "embedding"}
_KEPT = ("environment", "release", "version", "promptName", "promptVersion", "timeToFirstToken", "modelParameters")
_INSIDE = ("data",)


def detect(path: Path) -> bool:
    return are_all(path, lambda file: _kind_of(keys_of(file, _INSIDE)) is not None)


def _kind_of(keys: frozenset[str] | ExportedObject) -> str | None:
    """What a record is, recognised by its keys: the API writes camelCase, blob storage snake_case."""
    has: Callable[..., bool] = lambda *names: all(name in keys or _snake(name) in keys for name in names)  # noqa: E731
    if has("traceId", "startTime", "parentObservationId") or has("traceId", "startTime", "type", "level"):
        return "observation"
    if has("dataType", "name", "source") and (has("traceId") or has("sessionId")):
        return "score"
    if has("datasetRunItems") or has("datasetRunName", "datasetItemId"):
        return "run"
    if has("datasetName", "status", "expectedOutput") or has("datasetId", "sourceTraceId"):
        return "item"
    if has("timestamp", "name", "sessionId") or has("timestamp", "htmlPath"):
        return "trace"
    if has("minValue", "maxValue", "dataType"):
        return "config"
    return None


def read(path: Path) -> Bundle:
    return _LangfuseExport(path).bundle


class _LangfuseExport:
    """Everything of one export. Scores may come before their configuration, so records are sorted first."""

    def __init__(self, path: Path) -> None:
        self.bundle = Bundle(SOURCE)
        self._assembler = Assembler(self.bundle)
        self._sorted: dict[str, list[ExportedObject]] = {
            kind: [] for kind in ("trace", "observation", "score", "item", "run", "config")
        }
        for record in records(path, self.bundle.not_understood, _INSIDE):
            self._sort(record)
        self._traces = {id for trace in self._sorted["trace"] if (id := name_of(trace.get("id")))}
        self._ends = self._last_ends()
        self._configs = {name_of(_get(config, "id")): config for config in self._sorted["config"]}
        self._read()

    def _sort(self, record: ExportedObject) -> None:
        kind = _kind_of(record)
        if kind is None:
            self.bundle.not_understood["record of a kind that is not known"] += 1
            return
        self._sorted[kind].append(record)
        if kind == "trace":  # the API puts them inside; a list of traces has only their ids there
            for key in ("observations", "scores"):
                content = record.get(key)
                for value in content if isinstance(content, list) else ():
                    if isinstance(value, dict):
                        self._sorted[key.removesuffix("s")].append({"traceId": record.get("id"), **value})

    def _last_ends(self) -> dict[str, datetime | None]:
        """When the last observation of each trace ended: then the trace did."""
        ends: dict[str, datetime | None] = {}
        for observation in self._sorted["observation"]:
            if trace := name_of(_get(observation, "traceId")):
                known = [at for at in (ends.get(trace), instant(_get(observation, "endTime"))) if at is not None]
                ends[trace] = max(known, default=None)
        return ends

    def _read(self) -> None:
        for trace in self._sorted["trace"]:
            self._add_trace(trace)
        for observation in self._sorted["observation"]:
            self._add_observation(observation)
        for score in {name_of(_get(record, "id")) or id(record): record for record in self._sorted["score"]}.values():
            self._add_score(score)
        self._assembler.assemble()
        self._add_datasets()
        self._add_runs()
        self._assembler.finish()

    def _add_trace(self, trace: ExportedObject) -> None:
        id, start = name_of(trace.get("id")), instant(trace.get("timestamp"))
        if id is None:
            self.bundle.not_understood["trace without an id"] += 1
            return
        about = {**under("metadata.", decoded(_get(trace, "metadata"))), **_context(trace)}
        about[COST] = number_of(_get(trace, "totalCost"))
        self._assembler.add(
            ForeignSpan(
                id, _span_of_trace(id), None, _get(trace, "name") or "trace", start, self._ends.get(id),
                input=decoded(_get(trace, "input")), output=decoded(_get(trace, "output")), metadata=about,
            )
        )  # fmt: skip

    def _add_observation(self, record: ExportedObject) -> None:
        id, trace = name_of(record.get("id")), name_of(_get(record, "traceId"))
        if id is None or trace is None:
            self.bundle.not_understood["observation without ids"] += 1
            return
        parent = name_of(_get(record, "parentObservationId"))
        if parent is None and trace in self._traces:
            parent = _span_of_trace(trace)
        type = name_of(record.get("type")) or "SPAN"
        kind, level, message = _KINDS.get(type), name_of(record.get("level")), _get(record, "statusMessage")
        about = {**under("metadata.", decoded(_get(record, "metadata"))), **_context(record), "langfuse.type": type}
        about |= {LEVEL: level, "status_message": message, "trace_name": _get(record, "traceName")}
        about[COST] = number_of(_get(record, "calculatedTotalCost") or _get(record, "totalCost"))
        span = ForeignSpan(
            trace, id, parent, _get(record, "name"), instant(_get(record, "startTime")),
            instant(_get(record, "endTime")), kind,
            model=_get(record, "model") or _get(record, "providedModelName"), metadata=about,
            error=error_of(message or "error") if level == "ERROR" else None,
        )  # fmt: skip
        _add_details(span, record)
        self._assembler.add(span)

    def _add_score(self, record: ExportedObject) -> None:
        trace, span = name_of(_get(record, "traceId")), name_of(_get(record, "observationId"))
        name = name_of(record.get("name"))
        if name is None:
            self.bundle.not_understood["score without a name"] += 1
        elif trace is None:
            scored_thing = (
                "session" if _get(record, "sessionId") else "dataset run" if _get(record, "datasetRunId") else "nothing"
            )
            self.bundle.not_understood[f"score of a {scored_thing}, not of a trace"] += 1
        else:
            if span is None and (trace in self._traces or trace not in self._ends):
                span = _span_of_trace(trace)
            self._assembler.score(
                trace, span, _score(name, record, self._configs.get(name_of(_get(record, "configId"))))
            )

    def _add_datasets(self) -> None:
        items: dict[str, list[ForeignItem]] = {}
        for record in self._sorted["item"]:
            dataset = name_of(_get(record, "datasetName")) or name_of(_get(record, "datasetId")) or "langfuse"
            if name_of(record.get("status")) == "ARCHIVED":
                self.bundle.not_understood["archived item of a dataset"] += 1
                continue
            metadata = decoded(record.get("metadata"))
            item = ForeignItem(
                name_of(record.get("id")), decoded(record.get("input")), decoded(_get(record, "expectedOutput")),
                metadata if isinstance(metadata, dict) else None,
            )  # fmt: skip
            items.setdefault(dataset, []).append(item)
        self.bundle.datasets += [ForeignDataset(name, foreign_items) for name, foreign_items in items.items()]

    def _add_runs(self) -> None:
        """A run of a dataset is an experiment; its items link a dataset's item with the trace that answered it."""
        runs: dict[tuple[str, str], list[ExportedObject]] = {}
        for record in self._sorted["run"]:
            links = _get(record, "datasetRunItems")
            for link in links if isinstance(links, list) else [record]:
                if isinstance(link, dict):
                    name = name_of(_get(link, "datasetRunName")) or name_of(record.get("name")) or "run"
                    runs.setdefault((name, name_of(_get(record, "datasetName")) or ""), []).append(link)
        items = {item.key: (dataset.name, item) for dataset in self.bundle.datasets for item in dataset.items}
        for (name, dataset), links in runs.items():
            known = next(
                (items[key][0] for link in links if (key := name_of(_get(link, "datasetItemId"))) in items), None
            )
            trials: Counter[str] = Counter()
            foreign_runs = [self._run(link, items, trials) for link in links]
            metadata = {"source": SOURCE, "dataset_run": name}
            self.bundle.experiments.append(ForeignExperiment(name, dataset or known or name, foreign_runs, metadata))

    def _run(
        self, link: ExportedObject, items: dict[str | None, tuple[str, ForeignItem]], trials: Counter[str]
    ) -> ForeignRun:
        key, trace = name_of(_get(link, "datasetItemId")) or "unknown", name_of(_get(link, "traceId")) or ""
        item = items[key][1] if key in items else None
        trials[key] += 1
        spans, scores = self._assembler.take(trace)
        root = spans[0] if spans else None
        if root is None:
            self.bundle.not_understood["run whose trace is not in the file"] += 1
        return ForeignRun(
            key, item.input if item else root.input if root else None, root.output if root else None,
            item.expected_output if item else None, item.metadata if item else None,
            trial=trials[key], error=root.error.message if root and root.error else None, scores=scores, spans=spans,
        )  # fmt: skip


def _span_of_trace(trace: str) -> str:
    return digest(SOURCE, "trace", trace)[:16]


def _context(record: ExportedObject) -> dict[str, Any]:
    kept = {_snake(name): _get(record, name) for name in _KEPT}
    return {**kept, USER: _get(record, "userId"), SESSION: _get(record, "sessionId"), TAGS: _get(record, "tags")}


def _add_details(span: ForeignSpan, record: ExportedObject) -> None:
    add_values(span, decoded(_get(record, "input")), decoded(_get(record, "output")))
    usage, older = decoded(_get(record, "usageDetails")), decoded(_get(record, "usage"))
    usage = usage if isinstance(usage, dict) and usage else older if isinstance(older, dict) else {}
    add_tokens(span, usage)
    span.metadata |= {f"usage.{key}": value for key, value in usage.items() if key not in ("input", "output", "unit")}


def _score(name: str, record: ExportedObject, config: ExportedObject | None) -> ForeignScore:
    kind, source = name_of(_get(record, "dataType")), name_of(record.get("source"))
    comment, about = name_of(record.get("comment")), decoded(record.get("metadata"))
    beside = {
        "source": source,
        "author": name_of(_get(record, "authorUserId")),
        "langfuse.id": name_of(record.get("id")),
    }
    metadata = {key: value for key, value in beside.items() if value} | (about if isinstance(about, dict) else {})
    more: dict[str, Any] = {
        "rationale": comment, "metadata": metadata, "source": "human" if source == "ANNOTATION" else None,
    }  # fmt: skip
    text, number = name_of(_get(record, "stringValue")), number_of(record.get("value"))
    if kind in ("TEXT", "CORRECTION"):
        more["rationale"] = "\n".join(part for part in (text, comment) if part) or None
        return ForeignScore(name, absent="a text, not a score", **more)
    if kind == "CATEGORICAL" or (kind is None and text is not None):
        return score_of(name, text, **more)
    if kind == "BOOLEAN":
        return score_of(name, None if number is None else number != 0, **more)
    low, high = (number_of(_get(config or {}, key)) for key in ("minValue", "maxValue"))
    if number is not None and low is not None and high is not None and low < high:
        return scaled(name, number, low, high, **more)
    return score_of(name, number, **more)


def _get(record: ExportedObject, name: str) -> Any:
    """A field under its name in the API, or in blob storage; an empty text there means that it is not set."""
    value = record.get(name)
    value = record.get(_snake(name)) if value is None else value
    return None if value == "" else value


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
