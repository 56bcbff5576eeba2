"""Logs of Inspect with the scores that its scorers gave: a run for each sample and epoch, with its conversation."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gnomon.interop import inspect
from gnomon.interop.foreign.bundle import Bundle, ForeignExperiment, ForeignRun, ForeignScore
from gnomon.interop.foreign.looking import look
from gnomon.interop.foreign.reading import as_list, as_object, as_text, digest, file_time, joined, time_of, without_none
from gnomon.interop.foreign.scores import label_of, score_of
from gnomon.interop.spans import to_spans

SOURCE = "inspect"
UNSCORED = "Inspect left it unscored"


def detect(path: Path) -> bool:
    seen = look(path)
    return seen.suffix == ".eval" if seen.is_zip else seen.has("eval", "eval.task")


def read(path: Path) -> Bundle:
    bundle = Bundle(SOURCE)
    runs: list[ForeignRun] = []
    log: dict[str, Any] = {}
    for log, sample, where in inspect.samples_of(path):
        runs.append(_run(log, sample, path, where, bundle.not_understood))
    about = as_object(log.get("eval"))
    task, model = as_text(about.get("task")) or path.stem, as_text(about.get("model"))
    dataset = as_text(as_object(about.get("dataset")).get("name")) or task
    metadata = without_none(
        source=SOURCE, task=task, model=model, eval_id=about.get("eval_id"), run_id=about.get("run_id"),
        created=about.get("created"), status=log.get("status"), tags=about.get("tags"),
        reported=_reported(as_object(log.get("results"))),
    )  # fmt: skip
    bundle.experiments.append(ForeignExperiment(joined(task, model), dataset, runs, metadata))
    return bundle


def _run(
    log: dict[str, Any], sample: dict[str, Any], path: Path, where: str, not_understood: Counter[str]
) -> ForeignRun:
    attachments = as_object(sample.get("attachments"))
    key, epoch = as_text(sample.get("id")) or where, sample.get("epoch")
    trial = epoch if isinstance(epoch, int) and epoch > 0 else 1
    error = as_object(sample.get("error"))
    output = as_object(inspect.resolved(sample.get("output"), attachments))
    about = log["eval"]
    trace = digest(SOURCE, about.get("eval_id"), about.get("run_id"), about.get("created"), key, trial)
    started = time_of(sample.get("started_at"), about.get("created")) or file_time(path)
    item = without_none(
        **as_object(sample.get("metadata")), choices=sample.get("choices"), sandbox=sample.get("sandbox")
    )
    return ForeignRun(
        item_key=key,
        input=inspect.resolved(sample.get("input"), attachments),
        output=output.get("completion") or _last_message(output),
        expected_output=sample.get("target") or None,
        item_metadata=item or None,
        trial=trial,
        error=as_text(error.get("message")) or ("the sample failed" if error else None),
        scores=list(_scores(sample.get("scores"), not_understood)),
        spans=to_spans(inspect.transcript_of(log, sample, path, where), trace_id=trace, started=started),
    )


def _last_message(output: dict[str, Any]) -> Any:
    """What the model said in logs without a completion: its text, or the message where that is more than text."""
    choices = as_list(output.get("choices"))
    message = as_object(as_object(choices[0]).get("message")) if choices else {}
    content = message.get("content")
    return content if isinstance(content, str) and content and not message.get("tool_calls") else message or None


def _scores(scores: Any, not_understood: Counter[str]) -> Iterator[ForeignScore]:
    for name, score in as_object(scores).items():
        score = score if isinstance(score, dict) else {"value": score}
        value = score.get("value")
        more = {
            "rationale": as_text(score.get("explanation")),
            "metadata": without_none(answer=score.get("answer"), **as_object(score.get("metadata"))) or None,
        }
        if isinstance(value, list):
            not_understood["score whose value is a list"] += 1
            continue
        parts = value if isinstance(value, dict) else {None: value}
        for part, part_value in parts.items():
            yield _score(name if part is None else f"{name}.{part}", part_value, more)


def _score(name: str, value: Any, more: dict[str, Any]) -> ForeignScore:
    """C, I, P and N, yes and no are numbers to Inspect; other words are labels."""
    if value is None:
        return ForeignScore(name, absent=UNSCORED, **more)
    number = inspect.number_of(value)
    if isinstance(value, str) and isinstance(number, str):
        return label_of(name, value, **more)
    return ForeignScore(name, number, raw=value, **more) if isinstance(value, str) else score_of(name, value, **more)


def _reported(results: dict[str, Any]) -> dict[str, float]:
    """The metrics that Inspect computed, as `match.accuracy`."""
    reported: dict[str, float] = {}
    for score in map(as_object, as_list(results.get("scores"))):
        name = as_text(score.get("name"))
        for metric, about in as_object(score.get("metrics")).items():
            value = as_object(about).get("value")
            if name and isinstance(value, int | float):
                reported[f"{name}.{metric}"] = value
    return reported
