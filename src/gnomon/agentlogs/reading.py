"""One session file as a stream of events, whichever agent wrote it. A line with a `payload` is Codex's.

A line that cannot be read costs that line: it is counted and reported once per file. Lines without a date (titles,
snapshots) cannot be placed in time and are not events; those among them that carry work are told as well.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from gnomon.agentlogs import claude, codex
from gnomon.agentlogs.events import AnswerTokens, Event, RequestedTool, ToolResult, instant, text
from gnomon.agentlogs.lines import LARGEST_LINE, PADDING, decode, lines, shown
from gnomon.shorten import counted

OnProblem = Callable[[str], None]
UUID_AT_END = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")


class Line(Struct):
    type: Any = None
    timestamp: Any = None
    session_id: Any = msgspec.field(default=None, name="sessionId")
    cwd: Any = None
    sidechain: Any = msgspec.field(default=None, name="isSidechain")
    request_id: Any = msgspec.field(default=None, name="requestId")
    uuid: Any = None
    message: claude.Message | str | int | float | bool | list[Raw] | None = None
    payload: codex.Payload | str | int | float | bool | list[Raw] | UnsetType | None = UNSET


LINE = msgspec.json.Decoder(Line)
WHOLE = msgspec.json.Decoder(dict[str, Any])


def read_events(path: Path, *, on_problem: OnProblem) -> Iterator[Event]:
    """Every dated line of one file, in the file's order. Nothing in the file makes it raise."""
    reader = _SessionReader(path)
    try:
        for number, line in lines(path, reader.too_long.append):
            event = reader.event(number, line)
            if event is not None:
                yield event
    except OSError as why:
        on_problem(f"{shown(path)}: cannot be read ({why.strerror or why}); its events are missing")
    for problem in reader.problems():
        on_problem(f"{shown(path)}: {problem}")


def read_whole(path: Path, *, on_problem: OnProblem) -> Iterator[tuple[dict[str, Any], Event | None]]:
    """Every line with its texts, beside what can be counted of it; an undated line is only the first of the two."""
    reader = _SessionReader(path)
    for number, line in lines(path, reader.too_long.append):
        record = decode(WHOLE, line)
        event = reader.event(number, line)
        if record is not None:
            if reader.unreadable[-1:] == [number]:  # of no known shape, but its texts can be read
                reader.unreadable.pop()
            yield record, event
    reader.undated.clear()  # here the order of lines is enough
    for problem in reader.problems():
        on_problem(problem)


def first_cwd(path: Path, head: bytes) -> str | None:
    """The folder in which the session began. Its first bytes mostly tell; where not, the file is read on."""
    reader = _SessionReader(path)
    for number, line in enumerate(head.split(b"\n")[:-1], start=1):
        event = reader.event(number, line.strip(PADDING))
        if event is not None and event.cwd:
            return event.cwd
    return next((event.cwd for event in read_events(path, on_problem=lambda problem: None) if event.cwd), None)


def session_in_name(path: Path) -> str | None:
    """The session that the file's name ends with, as Codex names its files."""
    match = UUID_AT_END.search(path.stem)
    return match[0] if match else None


class _SessionReader:
    """What a file has said so far: Codex states session, folder and model once for the lines that follow."""

    def __init__(self, path: Path) -> None:
        self.session_id: str | None = None
        self.name_says = session_in_name(path)
        self.cwd: str | None = None
        self.model: str | None = None
        self.total: str | None = None
        self.too_long: list[int] = []
        self.unreadable: list[int] = []
        self.undated: list[int] = []

    def event(self, number: int, line: bytes) -> Event | None:
        read = decode(LINE, line)
        if read is None:
            self.unreadable.append(number)
            return None
        at = instant(read.timestamp)
        if at is None:
            if isinstance(read.message, claude.Message) or isinstance(read.payload, codex.Payload):
                self.undated.append(number)
            return None
        return self._claude(at, read) if read.payload is UNSET else self._codex(at, read)

    def _claude(self, at: int, line: Line) -> Event:
        message = line.message if isinstance(line.message, claude.Message) else None
        usage = claude.usage(message) if message else None
        # Without the message's own id, the line's id still tells a copy of the line from another line.
        message_id = (text(message.id) if message else None) or (text(line.uuid) if usage else None)
        return Event(
            at,
            text(line.session_id),
            text(line.cwd),
            "claude-code",
            text(line.type) or "",
            message_id,
            text(line.request_id),
            text(message.model) if message else None,
            line.sidechain is True,
            usage,
            claude.calls(message) if message else (),
            claude.results(message) if message else (),
            claude.loose(message) if message else line.message is not None,
        )

    def _codex(self, at: int, line: Line) -> Event:
        payload, kind = line.payload, text(line.type) or ""
        if not isinstance(payload, codex.Payload):
            return self._codex_event(at, kind, loose=True)
        item = text(payload.type)
        if kind == "session_meta":
            return self._session_meta(at, payload)
        if kind == "turn_context":
            self.cwd, self.model = text(payload.cwd) or self.cwd, text(payload.model) or self.model
        elif item == "token_count" and isinstance(payload.info, codex.Info):
            return self._token_count(at, kind, payload.info)
        elif item in codex.CALLS:
            return self._codex_event(at, kind, calls=(codex.call(payload),))
        elif item in codex.OUTPUTS:
            return self._codex_event(at, kind, results=(codex.result(payload),))
        elif item in codex.ENDS:
            return self._codex_event(at, kind, results=(codex.end(payload),))
        return self._codex_event(at, kind)

    def _session_meta(self, at: int, meta: codex.Payload) -> Event:
        # A fork repeats its parent's session_meta, whose folder and id are not the fork's.
        if self.session_id is None:
            self.session_id, self.cwd = text(meta.id), text(meta.cwd) or self.cwd
        return self._codex_event(at, "session_meta", origins=codex.origins(meta))

    def _token_count(self, at: int, kind: str, info: codex.Info) -> Event:
        total = codex.running_total(info)
        if total is not None and total == self.total:
            return self._codex_event(at, kind)
        self.total = total
        return self._codex_event(
            at, kind, message_id=total, model=self.model, usage=codex.usage(info), loose=codex.loose(info)
        )

    def _codex_event(
        self,
        at: int,
        kind: str,
        *,
        message_id: str | None = None,
        model: str | None = None,
        usage: AnswerTokens | None = None,
        calls: tuple[RequestedTool, ...] = (),
        results: tuple[ToolResult, ...] = (),
        loose: bool = False,
        origins: tuple[str, ...] = (),
    ) -> Event:
        return Event(
            at,
            self.session_id or self.name_says,
            self.cwd,
            "codex",
            kind,
            message_id,
            None,
            model,
            False,
            usage,
            calls,
            results,
            loose,
            origins,
        )

    def problems(self) -> Iterator[str]:
        problems_by_kind = [
            (self.unreadable, "not a JSON object"),
            (self.too_long, f"longer than {LARGEST_LINE // 2**20} MiB"),
            (self.undated, "without a readable timestamp"),
        ]
        for numbers, kind in problems_by_kind:
            if numbers:
                many = counted(len(numbers), "line is", "lines are")
                yield f"{many} {kind} and left out (line {numbers[0]}{' is the first' if len(numbers) > 1 else ''})"
