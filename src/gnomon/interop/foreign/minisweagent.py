"""Trajectories of mini-swe-agent (`.traj.json`): a run per instance, with its conversation. A folder is one experiment.

Whether a patch solves its task they do not say: that is in the reports of SWE-bench.
"""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gnomon.interop import messages
from gnomon.interop.foreign.bundle import Bundle, ForeignExperiment, ForeignRun, ForeignScore
from gnomon.interop.foreign.looking import look
from gnomon.interop.foreign.reading import (
    as_list,
    as_object,
    as_text,
    digest,
    file_time,
    joined,
    json_object,
    time_of,
    without_none,
)
from gnomon.interop.jsontext import storable
from gnomon.interop.spans import to_spans
from gnomon.model.transcript import RunEnd, Transcript

SOURCE = "mini-swe-agent"
_SUFFIX = ".traj.json"
_SUBMITTED = "Submitted"


def detect(path: Path) -> bool:
    if path.is_dir():
        return bool(_files(path))
    seen = look(path)
    has_info = seen.has("info.mini_version") or seen.has("info.model_stats", "info.config")
    return seen.suffix == ".json" and has_info and ("messages" in seen.keys or path.name.endswith(_SUFFIX))


def _files(folder: Path) -> list[Path]:
    """The trajectories of a folder: in it, or one folder per instance below."""
    return sorted([*folder.glob(f"*{_SUFFIX}"), *folder.glob(f"*/*{_SUFFIX}")])


def read(path: Path) -> Bundle:
    bundle = Bundle(SOURCE)
    runs, models = [], []
    for file in _files(path) if path.is_dir() else [path]:
        value = json_object(file, "a trajectory of mini-swe-agent")
        models.append(_model(value))
        runs.append(_run(value, file))
    model = models[0] if len(set(models)) == 1 else None
    name = path.name if path.is_dir() else joined(SOURCE, model) if model else _instance({}, path)
    metadata = without_none(source=SOURCE, model=model)
    bundle.experiments.append(ForeignExperiment(name, SOURCE, runs, metadata))
    return bundle


def transcripts(path: Path) -> list[Transcript]:
    """The conversation of a file."""
    return [_transcript(json_object(path, "a trajectory of mini-swe-agent"), path)]


def _run(value: dict[str, Any], file: Path) -> ForeignRun:
    transcript = _transcript(value, file)
    info, key = as_object(value.get("info")), transcript.scenario_id
    status, submission = as_text(info.get("exit_status")), info.get("submission")
    submitted = submission if isinstance(submission, str) and submission.strip() else None
    trace = digest(SOURCE, key, info, value.get("messages"))
    return ForeignRun(
        item_key=key,
        input=_instruction(as_list(value.get("messages"))) or key,
        output=submitted,
        error=None if submitted else f"no patch was submitted ({status or 'no exit status'})",
        scores=[ForeignScore("exit_status", str(storable(status)))] if status else [],
        spans=to_spans(transcript, trace_id=trace, started=_started(value) or file_time(file)),
    )


def _transcript(value: dict[str, Any], file: Path) -> Transcript:
    info, key = as_object(value.get("info")), _instance(value, file)
    chat = [message for message in as_list(value.get("messages")) if isinstance(message, dict)]
    status = as_text(info.get("exit_status"))
    stats = as_object(info.get("model_stats"))
    cost = stats.get("instance_cost")
    cost_usd = float(cost) if isinstance(cost, int | float) and not isinstance(cost, bool) and cost >= 0 else None
    reported: dict[str, float | str] = {"submitted": float(as_text(info.get("submission")) is not None)}
    if status:
        reported |= {"exit_status": status}
    transcript = messages.from_messages(
        [message for message in chat if message.get("role") != "exit"], key, f"{key}.1", model=_model(value),
        metadata=without_none(reported=reported, instruction=_instruction(chat)),
    )  # fmt: skip
    end = RunEnd(
        status="ok" if status == _SUBMITTED else "aborted", reason=status, steps=len(transcript.steps),
        cost_usd=cost_usd,
    )  # fmt: skip
    return transcript.model_copy(update={"source": SOURCE, "end": end})


def _instruction(chat: list[Any]) -> Any:
    return next((message.get("content") for message in map(as_object, chat) if message.get("role") == "user"), None)


def _instance(value: dict[str, Any], file: Path) -> str:
    """The instance's id: as the file says it, else the file's name."""
    return as_text(value.get("instance_id")) or file.name.removesuffix(_SUFFIX).removesuffix(".json")


def _model(value: dict[str, Any]) -> str | None:
    config = as_object(as_object(value.get("info")).get("config"))
    return as_text(as_object(config.get("model")).get("model_name"))


def _started(value: dict[str, Any]) -> datetime | None:
    """When the first answer came, in files that note it."""
    for message in map(as_object, as_list(value.get("messages"))):
        started = time_of(as_object(message.get("extra")).get("timestamp"))
        if started is not None:
            return started.astimezone(UTC)
    return None
