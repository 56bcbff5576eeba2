"""Logs of OpenAI's evals (`oaieval`): a line for the specification, then one for each event, then the final report."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gnomon.interop.conversation import refused
from gnomon.interop.foreign.bundle import Bundle, ForeignExperiment, ForeignRun, ForeignScore
from gnomon.interop.foreign.looking import look
from gnomon.interop.foreign.reading import as_list, as_object, as_text, joined, json_records, without_none
from gnomon.interop.foreign.scores import score_of

SOURCE = "openai-evals"


@dataclass(slots=True)
class _Sample:
    """The events of one sample."""

    prompt: Any = None
    sampled: Any = None
    expected: Any = None
    error: str | None = None
    scores: list[ForeignScore] = field(default_factory=list)


def detect(path: Path) -> bool:
    return look(path).has("spec", "spec.run_id", "spec.eval_name")


def read(path: Path) -> Bundle:
    bundle = Bundle(SOURCE)
    spec: dict[str, Any] = {}
    report: dict[str, Any] = {}
    samples: dict[str, _Sample] = {}
    for _, record in json_records(path):
        record = as_object(record)
        if "spec" in record:
            spec = as_object(record["spec"])
        elif "final_report" in record:
            report = as_object(record["final_report"])
        elif (id := as_text(record.get("sample_id"))) and as_text(record.get("type")):
            _add(samples.setdefault(id, _Sample()), str(record["type"]), as_object(record.get("data")), bundle)
        else:
            bundle.not_understood["line that is not an event of a sample"] += 1
    if not spec:
        raise refused(path, "has no line with spec; it is not a log of oaieval")
    eval_name = as_text(spec.get("eval_name")) or as_text(spec.get("base_eval")) or path.stem
    model = ",".join(filter(None, map(as_text, as_list(spec.get("completion_fns"))))) or None
    metadata = without_none(
        source=SOURCE, run_id=spec.get("run_id"), model=model, eval=eval_name, created=spec.get("created_at"),
        reported=report,
    )  # fmt: skip
    runs = list(_runs(samples))
    bundle.experiments.append(ForeignExperiment(joined(eval_name, model), eval_name, runs, metadata))
    return bundle


def _add(sample: _Sample, kind: str, data: dict[str, Any], bundle: Bundle) -> None:
    if kind == "sampling":
        if sample.prompt is None:
            sample.prompt = data.get("prompt")
        sampled = data.get("sampled")
        sample.sampled = sampled[0] if isinstance(sampled, list) and len(sampled) == 1 else sampled
    elif kind == "match":
        sample.expected = data.get("expected", sample.expected)
        if sample.sampled is None:
            sample.sampled = data.get("sampled", data.get("picked"))
        correct = data.get("correct")
        sample.scores.append(score_of("match", correct, metadata=without_none(picked=data.get("picked")) or None))
    elif kind == "metrics":
        for name, value in data.items():
            _add_metric(sample, name, value, bundle)
    elif kind == "error":
        sample.error = as_text(data.get("message")) or as_text(data.get("type")) or "the sample failed"
    else:
        bundle.not_understood[f"event of the type {kind[:40]}"] += 1


def _add_metric(sample: _Sample, name: str, value: Any, bundle: Bundle) -> None:
    if isinstance(value, bool | int | float | str) or value is None:
        sample.scores.append(score_of(name, value))
    else:
        bundle.not_understood["metric that is not a number or label"] += 1


def _runs(samples: dict[str, _Sample]) -> Iterator[ForeignRun]:
    for id, sample in samples.items():
        yield ForeignRun(
            item_key=id, input=sample.prompt, output=sample.sampled, expected_output=sample.expected,
            error=sample.error, scores=sample.scores,
        )  # fmt: skip
