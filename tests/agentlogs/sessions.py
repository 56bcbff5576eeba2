"""Session files as Claude Code and Codex write them, made by the tests."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from gnomon.agentlogs import Timeline, timeline

START = datetime(2026, 5, 17, 4, 0, tzinfo=UTC)
SECOND = 1_000_000
Line = dict[str, Any]


def stamp(seconds: float) -> str:
    """The moment this many seconds after START, as both agents write it."""
    return (START + timedelta(seconds=seconds)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def at(seconds: float) -> int:
    return round(START.timestamp() * SECOND + seconds * SECOND)


EVER = at(10**9)


def said(
    seconds: float,
    *blocks: Line,
    id: str | None = "msg_1",
    request: str | None = "req_1",
    session: str | None = "s1",
    cwd: str | None = "/repo",
    usage: Iterable[Any] | None = (10, 5, 300, 100),
    model: str = "claude-sonnet-4-5",
    sidechain: bool = False,
    content: Any = None,
) -> Line:
    """A line of an answer: one content block with the whole answer's usage."""
    names = ["input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"]
    message: Line = {"role": "assistant", "model": model, "content": list(blocks) if content is None else content}
    if id:
        message["id"] = id
    if usage is not None:
        message["usage"] = {**dict(zip(names, usage, strict=False)), "service_tier": "standard"}
    line: Line = {"type": "assistant", "timestamp": stamp(seconds), "isSidechain": sidechain, "message": message}
    known = {"sessionId": session, "cwd": cwd, "requestId": request}
    return line | {name: value for name, value in known.items() if value is not None}


def bash(command: Any, id: str = "t1", **more: Any) -> Line:
    return {"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command, **more}}


def read(path: str, id: str = "r1") -> Line:
    return {"type": "tool_use", "id": id, "name": "Read", "input": {"file_path": path}}


def came_back(
    seconds: float,
    id: str = "t1",
    output: Any = "fine",
    *,
    error: bool = False,
    session: str | None = "s1",
    cwd: str | None = "/repo",
) -> Line:
    result = {"type": "tool_result", "tool_use_id": id, "is_error": error, "content": output}
    line: Line = {"type": "user", "timestamp": stamp(seconds), "message": {"role": "user", "content": [result]}}
    return line | {name: value for name, value in {"sessionId": session, "cwd": cwd}.items() if value is not None}


def codex(seconds: float, kind: str, **payload: Any) -> Line:
    return {"timestamp": stamp(seconds), "type": kind, "payload": payload}


def tokens(seconds: float, last: tuple[int, int, int], total: tuple[int, int, int] | None = None) -> Line:
    names = ["input_tokens", "cached_input_tokens", "output_tokens"]
    info: Line = {"last_token_usage": dict(zip(names, last, strict=True))}
    if total:
        info["total_token_usage"] = dict(zip(names, total, strict=True))
    return codex(seconds, "event_msg", type="token_count", info=info)


def shell(seconds: float, command: Any, id: str = "call_1", name: str = "shell") -> Line:
    arguments = json.dumps({"command": command})
    return codex(seconds, "response_item", type="function_call", name=name, arguments=arguments, call_id=id)


def shell_output(seconds: float, output: Any, id: str = "call_1") -> Line:
    return codex(seconds, "response_item", type="function_call_output", call_id=id, output=output)


def write(path: Path, *lines: Line | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [line if isinstance(line, bytes) else json.dumps(line, ensure_ascii=False).encode() for line in lines]
    path.write_bytes(b"".join(row + b"\n" for row in rows))
    return path


def told(*files: Path, **options: Any) -> Timeline:
    """The timeline of these files; a problem is an error unless the test looks at `problems` itself."""
    expected = options.pop("problems", None)
    problems: list[str] = [] if expected is None else expected
    found = timeline(files, on_problem=problems.append, **options)
    assert expected is not None or not problems
    return found
