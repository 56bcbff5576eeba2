"""Trajectories of SWE-agent (`.traj`): a run per instance, with its actions as a trace. A folder is one experiment."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from gnomon.interop import messages
from gnomon.interop.conversation import refused
from gnomon.interop.foreign.bundle import Bundle, ForeignExperiment, ForeignRun, ForeignScore
from gnomon.interop.foreign.looking import look
from gnomon.interop.foreign.reading import (
    as_count,
    as_list,
    as_object,
    as_text,
    digest,
    file_time,
    joined,
    json_object,
    without_none,
)
from gnomon.interop.jsontext import storable
from gnomon.model.trace import SpanDraft
from gnomon.model.transcript import Transcript

SOURCE = "swe-agent"
DATASET = "swe-agent"
_LONGEST_STEP = 86_400.0


def detect(path: Path) -> bool:
    if path.is_dir():
        return bool(_files(path))
    return look(path).suffix == ".traj" and look(path).head.lstrip()[:1] == b"{"


def _files(folder: Path) -> list[Path]:
    """The trajectories of a folder: in it, or one folder per instance below."""
    return sorted([*folder.glob("*.traj"), *folder.glob("*/*.traj")])


def _content(file: Path) -> dict[str, Any]:
    value = json_object(file, "a trajectory of SWE-agent")
    if not isinstance(value.get("trajectory"), list):
        raise refused(file, "has no list trajectory; name a file as SWE-agent writes it")
    return value


def read(path: Path) -> Bundle:
    bundle = Bundle(SOURCE)
    runs, models = [], []
    for file in _files(path) if path.is_dir() else [path]:
        value = _content(file)
        models.append(_model(value))
        runs.append(_run(value, file, models[-1]))
    model = models[0] if len(set(models)) == 1 else None
    name = path.name if path.is_dir() else joined(DATASET, model) if model else path.stem
    metadata = without_none(source=SOURCE, model=model)
    bundle.experiments.append(ForeignExperiment(name, DATASET, runs, metadata))
    bundle.notes.append("SWE-agent notes no times; traces begin when the file was written")
    return bundle


def transcripts(path: Path) -> list[Transcript]:
    """The conversation of a file, without the demonstrations that it began with."""
    value = _content(path)
    info = as_object(value.get("info"))
    history = [message for message in map(as_object, as_list(value.get("history"))) if not message.get("is_demo")]
    status = as_text(info.get("exit_status"))
    submitted = float(as_text(info.get("submission")) is not None)
    reported = {"submitted": submitted, **({"exit_status": status} if status else {})}
    metadata = without_none(reported=reported, instruction=_problem(value))
    transcript = messages.from_messages(history, path.stem, f"{path.stem}.1", model=_model(value), metadata=metadata)
    return [transcript.model_copy(update={"source": SOURCE})]


def _run(value: dict[str, Any], file: Path, model: str | None) -> ForeignRun:
    info, key = as_object(value.get("info")), file.stem
    status, submission = as_text(info.get("exit_status")), info.get("submission")
    submitted = submission if isinstance(submission, str) and submission.strip() else None
    scores = [ForeignScore("exit_status", status)] if status else []
    return ForeignRun(
        item_key=key,
        input=_problem(value) or key,
        output=submitted,
        error=None if submitted else f"no patch was submitted ({status or 'no exit status'})",
        scores=scores,
        spans=list(_spans(value, key, model, file_time(file))),
    )


def _problem(value: dict[str, Any]) -> Any:
    """What the agent was first asked, past its demonstrations."""
    for message in map(as_object, as_list(value.get("history"))):
        if message.get("role") == "user" and not message.get("is_demo"):
            return message.get("content")
    return None


def _model(value: dict[str, Any]) -> str | None:
    config = value.get("replay_config")
    if isinstance(config, str):
        try:
            config = msgspec.json.decode(config)
        except (ValueError, RecursionError):
            return None
    agent = as_object(as_object(config).get("agent"))
    return as_text(as_object(agent.get("model")).get("name"))


def _spans(value: dict[str, Any], key: str, model: str | None, start: datetime) -> Iterator[SpanDraft]:
    trace = digest(SOURCE, key, value.get("trajectory"), value.get("info"))
    info = as_object(value.get("info"))
    stats, at, steps = as_object(info.get("model_stats")), start, []
    for number, step in enumerate(map(as_object, as_list(value.get("trajectory")))):
        lasted = step.get("execution_time")
        seconds = lasted if isinstance(lasted, int | float) and 0 <= lasted < _LONGEST_STEP else 0.001
        end = at + timedelta(seconds=seconds)
        texts = without_none(thought=as_text(step.get("thought")), response=as_text(step.get("response")))
        steps.append(
            SpanDraft(
                id=digest(trace, number)[:16],
                trace_id=trace,
                parent_span_id=trace[:16],
                name=f"step {number + 1}",
                input=storable(step.get("action")),
                output=storable(step.get("observation")),
                start_time=at,
                end_time=end,
                metadata=storable(texts) or None,
            )
        )
        at = end
    root = SpanDraft(
        id=trace[:16], trace_id=trace, name=str(storable(key))[:256], output=storable(info.get("submission")),
        start_time=start, end_time=at, model=model,
        metadata=storable(without_none(exit_status=as_text(info.get("exit_status")))) or None,
        **without_none(
            tokens_input=as_count(stats.get("tokens_sent")), tokens_output=as_count(stats.get("tokens_received"))
        ),
    )  # fmt: skip
    yield from (root, *steps)
