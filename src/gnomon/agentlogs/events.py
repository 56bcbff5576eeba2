"""The content of one line of a session file, for every coding agent.

Times are microseconds since the epoch, UTC. Only what can be counted is kept: no prompts, no answers, no file
contents. How Claude Code and Codex write it down is in claude.py and codex.py.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from msgspec import Struct

Harness = Literal["claude-code", "codex"]
# done: it ran to its end · unknown: still running, or its end was not written down · refused: it never ran
ToolState = Literal["done", "unknown", "refused"]

LARGEST_COUNT = 2**53  # a token count beyond this is a broken line, not work
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
# fromisoformat alone would also take dates without a time and times without a zone.
RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([.,]\d+)?(Z|[+-]\d\d:\d\d)", re.ASCII)


class AnswerTokens(Struct, frozen=True, gc=False):
    """Tokens of one answer of a model. `input` is what no cache held."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_creation: int = 0

    @property
    def total(self) -> int:
        return self.input + self.output + self.cache_read + self.cache_creation


class RequestedTool(Struct, frozen=True):
    """A tool that the model asked for. `background`: its result says that it started, not how it ended."""

    id: str | None
    name: str
    command: str | None = None
    path: str | None = None
    background: bool = False


class ToolResult(Struct, frozen=True):
    """What came back. `tail` is the end of the output, as far as it may hold a summary of tests."""

    call_id: str | None
    is_error: bool
    exit_code: int | None = None
    state: ToolState = "done"
    tail: str = ""


class Event(Struct, frozen=True):
    """One dated line.

    `message_id` and `request_id` name the model's answer whose usage this is, over all its lines and copies; for
    Codex, which has no such ids, its running total stands in. `origins` are the sessions whose history the file
    may repeat. `loose` marks plain-text content and shapes that a strict reader would refuse.
    """

    at: int
    session_id: str | None
    cwd: str | None
    harness: Harness
    kind: str
    message_id: str | None = None
    request_id: str | None = None
    model: str | None = None
    sidechain: bool = False
    usage: AnswerTokens | None = None
    calls: tuple[RequestedTool, ...] = ()
    results: tuple[ToolResult, ...] = ()
    loose: bool = False
    origins: tuple[str, ...] = ()


def instant(timestamp: Any) -> int | None:
    """Microseconds since the epoch of an RFC 3339 time; None when it is not one."""
    if not isinstance(timestamp, str) or not RFC3339.fullmatch(timestamp):
        return None
    try:
        return (datetime.fromisoformat(timestamp) - EPOCH) // MICROSECOND
    except (ValueError, OverflowError):
        return None


def text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < LARGEST_COUNT else 0
