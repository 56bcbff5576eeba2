"""Transcripts as they were first published, with heartbeats, and our own files from before steps had that name.

Everything that knows the old names of a transcript's fields is here. `step_transcript` and `step_line` rename what an
old file holds, `first_format` writes a transcript with exactly the keys of the first published format.
"""

from collections.abc import Mapping
from typing import Any

from gnomon.model.transcript import Step, Transcript

SOURCE = "crisis-bench"
"""What a transcript in the first published format has as its source."""
_STEPS = "heartbeats"
_CONFIG = {"max_post_crisis_heartbeats": ("window", 5), "action_log_window": ("action_log_window", 20)}
"""Key of a run's configuration → the setting that it is today, and its value where a run does not have it."""
_RENAMED = {
    "header": {"planned_beats": "planned_steps", "start_heartbeat": "start_step"},
    "step": {"heartbeat_id": "step_id"},
    "end": {"beats": "steps"},
}
_LINES = {"beat": "step"}
_STEP = ("timestamp", "scenario_hash", "context_sent", "turns", "memory_ops", "user_sim_interactions")
_CALL = {"tool", "args", "result", "routed_to"}


def is_first_format(value: Any) -> bool:
    """Whether a JSON value is a transcript in the first published format."""
    return isinstance(value, dict) and _STEPS in value


def recorded_steps(value: Mapping[str, Any]) -> Any:
    """The steps of a transcript as JSON, in the first published format or as we write it; None where it is neither."""
    if _STEPS in value:
        return value[_STEPS]
    return value["steps"] if {"scenario_id", "run_id", "steps"} <= value.keys() else None


def step_transcript(value: Mapping[str, Any]) -> dict[str, Any]:
    """A transcript in the first published format, under the names of today."""
    steps = value[_STEPS]
    return {
        **{name: part for name, part in value.items() if name != _STEPS},
        "source": value.get("source", SOURCE),
        "run_config": step_config(value.get("run_config")),
        "steps": [_renamed(step, "step") for step in steps] if isinstance(steps, list) else steps,
    }


def step_line(kind: Any, record: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """A line of a transcript and its type, under the names of today; a line of today stays as it is."""
    kind = _LINES.get(kind, kind) if isinstance(kind, str) else kind
    renamed = _renamed(record, kind)
    if "run_config" in renamed:
        renamed["run_config"] = step_config(renamed["run_config"])
    return kind, renamed


def step_config(config: Any) -> Any:
    """A run's configuration with what was a field of its own among its settings."""
    if not isinstance(config, dict):
        return config
    kept = {name: value for name, value in config.items() if name not in _CONFIG}
    moved = {_CONFIG[name][0]: value for name, value in config.items() if name in _CONFIG}
    settings = kept.get("settings")
    return {**kept, "settings": {**moved, **settings} if isinstance(settings, dict) else moved} if moved else kept


def _renamed(record: Any, kind: Any) -> Any:
    names = _RENAMED.get(kind, {})
    return {names.get(name, name): value for name, value in record.items()} if isinstance(record, dict) else record


def first_format(transcript: Transcript) -> dict[str, Any]:
    """The transcript as the first published format has it: its keys and no others."""
    return {
        "scenario_id": transcript.scenario_id,
        "run_id": transcript.run_id,
        "run_config": {} if transcript.run_config is None else _first_config(transcript),
        _STEPS: [_first_step(step) for step in transcript.steps],
    }


def _first_config(transcript: Transcript) -> dict[str, Any]:
    assert transcript.run_config is not None
    whole = transcript.run_config.model_dump(mode="json")
    settings = whole.pop("settings")
    known = {name: whole.pop(name) for name in type(transcript.run_config).model_fields if name in whole}
    return {**known, **{name: settings.get(today, usual) for name, (today, usual) in _CONFIG.items()}, **whole}


def _first_step(step: Step) -> dict[str, Any]:
    kept = {"heartbeat_id": step.step_id, **step.model_dump(mode="json", include=set(_STEP))}
    kept["context_sent"] = kept["context_sent"] or {"system_prompt_tokens": 0, "user_message_tokens": 0}
    kept["turns"] = [
        {
            "agent_text": turn.agent_text,
            "tool_calls": [call.model_dump(mode="json", include=_CALL) for call in turn.tool_calls],
        }
        for turn in step.turns
    ]
    return kept
