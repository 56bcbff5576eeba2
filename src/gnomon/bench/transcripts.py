"""Transcripts on disk: our own, one line per step, and the first published format, a single JSON object.

A line is handed to the system whole before the next step begins, so whatever kills a run, all steps but the one in
flight are there. Only a machine that loses its power may lose the last seconds: waiting for the disk after every step
takes longer than the steps of a fast agent. Whoever reads leaves out a last line that was cut.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Self, TypeVar

import msgspec
from pydantic import BaseModel, ValidationError

from gnomon.errors import Refused
from gnomon.model.firstformat import is_first_format, step_line, step_transcript
from gnomon.model.transcript import RunEnd, RunHeader, Step, Transcript

NAME = "transcript.jsonl"
CODE = "INVALID_TRANSCRIPT"
LARGEST = 1 << 30
Kind = TypeVar("Kind", bound=BaseModel)


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

    def step(self, step: Step) -> None:
        self._line("step", step)

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
        value = msgspec.json.decode(head)
    except (msgspec.DecodeError, RecursionError):
        return False
    return isinstance(value, dict) and "type" in value


def _single(path: Path, content: bytes) -> Transcript:
    value = _parsed(path, "", content)
    if not isinstance(value, dict):
        raise _wrong(path, "is not a JSON object; a transcript has a header line, or is one object")
    if not is_first_format(value):
        raise _wrong(
            path, "is not a transcript: it has neither a header line nor the keys of the first published format"
        )
    return _checked(path, "", Transcript, step_transcript(value))


def _lines(path: Path, content: bytes) -> Transcript:
    header: RunHeader | None = None
    end: RunEnd | None = None
    steps: dict[int, Step] = {}
    for number, kind, record in _records(path, content):
        where = f", line {number}"
        if kind == "header":
            header = header or _checked(path, where, RunHeader, record)
        elif kind == "step":
            step = _checked(path, where, Step, record)
            # A step is written once; after a resume the first record stands.
            steps.setdefault(step.step_id, step)
        elif kind == "end":
            end = _checked(path, where, RunEnd, record)
        else:
            raise _wrong(path, f"has a line of type {kind!r}; there are header, step and end", where)
    if header is None:
        raise _wrong(path, "has no header line; the run never began")
    return Transcript(
        scenario_id=header.scenario_id, run_id=header.run_id, run_config=header.run_config,
        steps=list(steps.values()), header=header, end=end,
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
        yield number, *step_line(record.pop("type", None), record)


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
