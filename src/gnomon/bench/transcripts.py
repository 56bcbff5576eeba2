"""Transcripts on disk: our own, a line a beat, and the first published format, a single JSON object.

A line is handed to the system whole before the next beat begins, so whatever kills a run, all beats but the one in
flight are there. Only a machine that loses its power may lose the last seconds: waiting for the disk after every beat
takes longer than the beats of a fast agent. Whoever reads leaves out a last line that was cut.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Self, TypeVar

import msgspec
from pydantic import BaseModel, ValidationError

from gnomon.errors import Refused
from gnomon.model.transcript import Beat, RunEnd, RunHeader, Transcript

NAME = "transcript.jsonl"
CODE = "INVALID_TRANSCRIPT"
LARGEST = 1 << 30
Kind = TypeVar("Kind", bound=BaseModel)
_ORIGINAL_BEAT = {
    "heartbeat_id", "timestamp", "scenario_hash", "context_sent", "turns", "memory_ops", "user_sim_interactions",
}  # fmt: skip
_ORIGINAL_CALL = {"tool", "args", "result", "routed_to"}


class Writer:
    """Appends to a transcript. Each line has left this process when the method returns; the end is on disk."""

    def __init__(self, path: Path) -> None:
        self._file: BinaryIO = path.open("ab")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def header(self, header: RunHeader) -> None:
        self._line("header", header)

    def beat(self, beat: Beat) -> None:
        self._line("beat", beat)

    def end(self, end: RunEnd) -> None:
        self._line("end", end)
        os.fsync(self._file.fileno())

    def _line(self, kind: str, noun: BaseModel) -> None:
        text = msgspec.json.encode({"type": kind, **noun.model_dump(mode="json", exclude_none=True)})
        self._file.write(text + b"\n")
        self._file.flush()


def read_transcript(path: Path) -> Transcript:
    """A transcript, whichever of the two formats the file has."""
    try:
        if path.stat().st_size > LARGEST:
            raise _wrong(path, f"is larger than {LARGEST >> 30} GiB; it is not a transcript")
        content = path.read_bytes()
    except OSError as bad:
        raise Refused(f"{path}: {bad.strerror or bad}; name a transcript that can be read", code=CODE) from None
    if not content.strip():
        raise _wrong(path, "is empty; the run never began")
    head, _, _ = content.partition(b"\n")
    return _lines(path, content) if _is_line(head) else _single(path, content)


def _is_line(head: bytes) -> bool:
    """Whether the first line is an object by itself, with a type: ours. A single JSON text has no type."""
    try:
        found = msgspec.json.decode(head)
    except (msgspec.DecodeError, RecursionError):
        return False
    return isinstance(found, dict) and "type" in found


def _single(path: Path, content: bytes) -> Transcript:
    found = _parsed(path, "", content)
    if not isinstance(found, dict):
        raise _wrong(path, "is not a JSON object; a transcript has scenario_id, run_id and heartbeats")
    return _checked(path, "", Transcript, {**found, "source": found.get("source", "crisis-bench")})


def _lines(path: Path, content: bytes) -> Transcript:
    header: RunHeader | None = None
    end: RunEnd | None = None
    beats: dict[int, Beat] = {}
    for number, kind, record in _records(path, content):
        where = f", line {number}"
        if kind == "header":
            header = header or _checked(path, where, RunHeader, record)
        elif kind == "beat":
            beat = _checked(path, where, Beat, record)
            # A beat is written once; after a resume the first telling stands.
            beats.setdefault(beat.heartbeat_id, beat)
        elif kind == "end":
            end = _checked(path, where, RunEnd, record)
        else:
            raise _wrong(path, f"has a line of type {kind!r}; there are header, beat and end", where)
    if header is None:
        raise _wrong(path, "has no header line; the run never began")
    return Transcript(
        scenario_id=header.scenario_id, run_id=header.run_id, run_config=header.run_config,
        heartbeats=list(beats.values()), header=header, end=end,
    )  # fmt: skip


def _records(path: Path, content: bytes) -> Iterator[tuple[int, Any, dict[str, Any]]]:
    lines = content.split(b"\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if number == len(lines) and not _is_line(line):
            return  # cut while it was written
        record = _parsed(path, f", line {number}", line)
        if not isinstance(record, dict):
            raise _wrong(path, "is not a JSON object", f", line {number}")
        yield number, record.pop("type", None), record


def _parsed(path: Path, where: str, text: bytes) -> Any:
    try:
        return msgspec.json.decode(text)
    except RecursionError:
        raise _wrong(path, "is nested too deep", where) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as bad:
        raise _wrong(path, f"is not JSON ({bad})", where) from None


def _checked(path: Path, where: str, kind: type[Kind], record: dict[str, Any]) -> Kind:
    try:
        return kind.model_validate(record)
    except ValidationError as bad:
        first = bad.errors()[0]
        field = ".".join(map(str, first["loc"])) or "the object"
        shown = "" if first["type"] == "missing" else f" {str(first['input'])[:60]!r}"
        raise _wrong(path, f"{field}{shown}: {first['msg'][:1].lower()}{first['msg'][1:]}", where) from None


def _wrong(path: Path, words: str, where: str = "") -> Refused:
    return Refused(f"{path}{where}: {words}" if where else f"{path} {words}", code=CODE)


def original(transcript: Transcript) -> dict[str, Any]:
    """The transcript as the first published format has it: its keys and no others."""
    config = transcript.run_config
    return {
        "scenario_id": transcript.scenario_id,
        "run_id": transcript.run_id,
        "run_config": {} if config is None else config.model_dump(mode="json"),
        "heartbeats": [_original_beat(beat) for beat in transcript.heartbeats],
    }


def _original_beat(beat: Beat) -> dict[str, Any]:
    kept = beat.model_dump(mode="json", include=_ORIGINAL_BEAT)
    kept["context_sent"] = kept["context_sent"] or {"system_prompt_tokens": 0, "user_message_tokens": 0}
    kept["turns"] = [
        {
            "agent_text": turn.agent_text,
            "tool_calls": [call.model_dump(mode="json", include=_ORIGINAL_CALL) for call in turn.tool_calls],
        }
        for turn in beat.turns
    ]
    return kept
