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
    Kind,
    ToldSpan,
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
from gnomon.interop.foreign.exports import Record, are_all, decoded, keys_of, records
from gnomon.interop.foreign.modelcalls import add_tokens, add_values
from gnomon.interop.foreign.reading import digest
from gnomon.interop.foreign.scores import scaled, score_of
from gnomon.interop.foreign.times import instant

SOURCE = "langfuse"
_KINDS: dict[str, Kind] = {"GENERATION": "model", "TOOL": "tool", "EMBEDDING": "embedding"}
_KEPT = ("environment", "release", "version", "promptName", "promptVersion", "timeToFirstToken", "modelParameters")
_INSIDE = ("data",)


def detect(path: Path) -> bool:
    return are_all(path, lambda file: _kind_of(keys_of(file, _INSIDE)) is not None)


def _kind_of(keys: frozenset[str] | Record) -> str | None:
    """What a record is, told by its keys: the API writes camelCase, blob storage snake_case."""
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
    return _Export(path).bundle


class _Export:
    """Everything of one export. Scores may come before their configuration, so records are sorted first."""

    def __init__(self, path: Path) -> None:
        self.bundle = Bundle(SOURCE)
        self._assembler = Assembler(self.bundle)
        self._sorted: dict[str, list[Record]] = {
            kind: [] for kind in ("trace", "observation", "score", "item", "run", "config")
        }
        for record in records(path, self.bundle.not_understood, _INSIDE):
            self._sort(record)
        self._traces = {id for trace in self._sorted["trace"] if (id := name_of(trace.get("id")))}
        self._ends = self._last_ends()
        self._configs = {name_of(_get(one, "id")): one for one in self._sorted["config"]}
        self._read()

    def _sort(self, record: Record) -> None:
        kind = _kind_of(record)
        if kind is None:
            self.bundle.not_understood["record of a kind that is not known"] += 1
            return
        self._sorted[kind].append(record)
        if kind == "trace":  # the API puts them inside; a list of traces has only their ids there
            for key in ("observations", "scores"):
                found = record.get(key)
                for one in found if isinstance(found, list) else ():
                    if isinstance(one, dict):
                        self._sorted[key.removesuffix("s")].append({"traceId": record.get("id"), **one})

    def _last_ends(self) -> dict[str, datetime | None]:
        """When the last observation of each trace ended: then the trace did."""
        ends: dict[str, datetime | None] = {}
        for one in self._sorted["observation"]:
            if trace := name_of(_get(one, "traceId")):
                known = [at for at in (ends.get(trace), instant(_get(one, "endTime"))) if at is not None]
                ends[trace] = max(known, default=None)
        return ends

    def _read(self) -> None:
        for trace in self._sorted["trace"]:
            self._add_trace(trace)
        for observation in self._sorted["observation"]:
            self._add_observation(observation)
        for score in {name_of(_get(one, "id")) or id(one): one for one in self._sorted["score"]}.values():
            self._add_score(score)
        self._assembler.assemble()
        self._add_datasets()
        self._add_runs()
        self._assembler.finish()

    def _add_trace(self, trace: Record) -> None:
        id, start = name_of(trace.get("id")), instant(trace.get("timestamp"))
        if id is None:
            self.bundle.not_understood["trace without an id"] += 1
            return
        about = {**under("metadata.", decoded(_get(trace, "metadata"))), **_context(trace)}
        about[COST] = number_of(_get(trace, "totalCost"))
        self._assembler.add(
            ToldSpan(
                id, _span_of_trace(id), None, _get(trace, "name") or "trace", start, self._ends.get(id),
                input=decoded(_get(trace, "input")), output=decoded(_get(trace, "output")), metadata=about,
            )
        )  # fmt: skip

    def _add_observation(self, told: Record) -> None:
        id, trace = name_of(told.get("id")), name_of(_get(told, "traceId"))
        if id is None or trace is None:
            self.bundle.not_understood["observation without ids"] += 1
            return
        parent = name_of(_get(told, "parentObservationId"))
        if parent is None and trace in self._traces:
            parent = _span_of_trace(trace)
        type = name_of(told.get("type")) or "SPAN"
        kind, level, message = _KINDS.get(type), name_of(told.get("level")), _get(told, "statusMessage")
        about = {**under("metadata.", decoded(_get(told, "metadata"))), **_context(told), "langfuse.type": type}
        about |= {LEVEL: level, "status_message": message, "trace_name": _get(told, "traceName")}
        about[COST] = number_of(_get(told, "calculatedTotalCost") or _get(told, "totalCost"))
        span = ToldSpan(
            trace, id, parent, _get(told, "name"), instant(_get(told, "startTime")), instant(_get(told, "endTime")),
            kind, model=_get(told, "model") or _get(told, "providedModelName"), metadata=about,
            error=error_of(message or "error") if level == "ERROR" else None,
        )  # fmt: skip
        _add_details(span, told)
        self._assembler.add(span)

    def _add_score(self, told: Record) -> None:
        trace, span = name_of(_get(told, "traceId")), name_of(_get(told, "observationId"))
        name = name_of(told.get("name"))
        if name is None:
            self.bundle.not_understood["score without a name"] += 1
        elif trace is None:
            what = "session" if _get(told, "sessionId") else "dataset run" if _get(told, "datasetRunId") else "nothing"
            self.bundle.not_understood[f"score of a {what}, not of a trace"] += 1
        else:
            if span is None and (trace in self._traces or trace not in self._ends):
                span = _span_of_trace(trace)
            self._assembler.score(trace, span, _score(name, told, self._configs.get(name_of(_get(told, "configId")))))

    def _add_datasets(self) -> None:
        items: dict[str, list[ForeignItem]] = {}
        for told in self._sorted["item"]:
            dataset = name_of(_get(told, "datasetName")) or name_of(_get(told, "datasetId")) or "langfuse"
            if name_of(told.get("status")) == "ARCHIVED":
                self.bundle.not_understood["archived item of a dataset"] += 1
                continue
            metadata = decoded(told.get("metadata"))
            item = ForeignItem(
                name_of(told.get("id")), decoded(told.get("input")), decoded(_get(told, "expectedOutput")),
                metadata if isinstance(metadata, dict) else None,
            )  # fmt: skip
            items.setdefault(dataset, []).append(item)
        self.bundle.datasets += [ForeignDataset(name, found) for name, found in items.items()]

    def _add_runs(self) -> None:
        """A run of a dataset is an experiment; its items link a dataset's item with the trace that answered it."""
        runs: dict[tuple[str, str], list[Record]] = {}
        for told in self._sorted["run"]:
            links = _get(told, "datasetRunItems")
            for link in links if isinstance(links, list) else [told]:
                if isinstance(link, dict):
                    name = name_of(_get(link, "datasetRunName")) or name_of(told.get("name")) or "run"
                    runs.setdefault((name, name_of(_get(told, "datasetName")) or ""), []).append(link)
        items = {item.key: (dataset.name, item) for dataset in self.bundle.datasets for item in dataset.items}
        for (name, dataset), links in runs.items():
            known = next(
                (items[key][0] for link in links if (key := name_of(_get(link, "datasetItemId"))) in items), None
            )
            trials: Counter[str] = Counter()
            found = [self._run(link, items, trials) for link in links]
            metadata = {"source": SOURCE, "dataset_run": name}
            self.bundle.experiments.append(ForeignExperiment(name, dataset or known or name, found, metadata))

    def _run(self, link: Record, items: dict[str | None, tuple[str, ForeignItem]], trials: Counter[str]) -> ForeignRun:
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


def _context(told: Record) -> dict[str, Any]:
    kept = {_snake(name): _get(told, name) for name in _KEPT}
    return {**kept, USER: _get(told, "userId"), SESSION: _get(told, "sessionId"), TAGS: _get(told, "tags")}


def _add_details(span: ToldSpan, told: Record) -> None:
    add_values(span, decoded(_get(told, "input")), decoded(_get(told, "output")))
    usage, older = decoded(_get(told, "usageDetails")), decoded(_get(told, "usage"))
    usage = usage if isinstance(usage, dict) and usage else older if isinstance(older, dict) else {}
    add_tokens(span, usage)
    span.metadata |= {f"usage.{key}": value for key, value in usage.items() if key not in ("input", "output", "unit")}


def _score(name: str, told: Record, config: Record | None) -> ForeignScore:
    kind, source = name_of(_get(told, "dataType")), name_of(told.get("source"))
    comment, about = name_of(told.get("comment")), decoded(told.get("metadata"))
    beside = {"source": source, "author": name_of(_get(told, "authorUserId")), "langfuse.id": name_of(told.get("id"))}
    metadata = {key: value for key, value in beside.items() if value} | (about if isinstance(about, dict) else {})
    more: dict[str, Any] = {
        "rationale": comment, "metadata": metadata, "source": "human" if source == "ANNOTATION" else None,
    }  # fmt: skip
    text, number = name_of(_get(told, "stringValue")), number_of(told.get("value"))
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


def _get(told: Record, name: str) -> Any:
    """A field under its name in the API, or in blob storage; an empty text there means that it is not set."""
    value = told.get(name)
    value = told.get(_snake(name)) if value is None else value
    return None if value == "" else value


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
