"""Sessions of Claude Code and Codex as traces: one trace per session, one more for each of its side-chains."""

from pathlib import Path

import msgspec

from gnomon.interop import agentsessions
from gnomon.interop.foreign.assembling import SESSION
from gnomon.interop.foreign.bundle import Bundle
from gnomon.interop.foreign.looking import look
from gnomon.interop.spans import to_spans
from gnomon.model.trace import SpanDraft
from gnomon.model.transcript import Transcript

SOURCE = "coding-agents"
_LINES_LOOKED_AT = 50


def detect(path: Path) -> bool:
    seen = look(path)
    if seen.suffix != ".jsonl":
        return False
    lines = seen.head.split(b"\n")[:_LINES_LOOKED_AT]
    return any(agentsessions.kind_of(_record(line)) is not None for line in lines)


def _record(line: bytes) -> object:
    try:
        return msgspec.json.decode(line)
    except (ValueError, RecursionError):
        return None


def read(path: Path) -> Bundle:
    bundle = Bundle(SOURCE)
    for transcript in agentsessions.read(path):
        bundle.source = transcript.source
        bundle.traces.append(_trace(transcript))
        notes = transcript.metadata.get("notes")
        bundle.notes += [f"{transcript.run_id}: {note}" for note in notes if isinstance(notes, list)] if notes else []
    return bundle


def _trace(transcript: Transcript) -> list[SpanDraft]:
    """The session's spans; its id is the conversation's, so that side-chains stand beside their session."""
    root, *below = to_spans(transcript)
    about = {"import.source": transcript.source, SESSION: transcript.scenario_id, "cwd": transcript.metadata.get("cwd")}
    if transcript.metadata.get("sidechain"):
        about["gnomon.parent_run_id"] = transcript.metadata.get("parent_run_id")
    known = {key: value for key, value in about.items() if value is not None}
    return [root.model_copy(update={"metadata": {**(root.metadata or {}), **known}}), *below]
