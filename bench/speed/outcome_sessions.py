"""Session files for the outcome benchmark, as Claude Code and Codex write them, a gigabyte in some seconds.

What is like the real thing: folders and names, the order of keys, a message over several lines with one id and one
usage, side-chains, results of one to fifty kilobytes that are kept twice on a line, calls as JSON within JSON. What
is not: the text itself, which is slices of one long piece. Left out: torn lines.
"""

import bisect
import itertools
import json
import os
import random
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

OWN, OTHER = "-work-app", "-work-elsewhere"
LONGEST_WORK = 7200  # seconds of one iteration in which an agent is at work
STRANGER_BYTES = 3_000_000
FAILED, ASIDE = 0.06, 0.08  # shares of the calls, of the messages
# Runners' names in what is only printed, and in a target that runs none, are there on purpose.
COMMANDS = [
    "git status --short", "ls -la src", "rg -n 'def ' src", "python -m pytest -q tests", "pytest -x tests/auth",
    "git diff --stat", "echo 'pytest later'", "make test-fixtures", "npm test -- --run", "cd web && npx vitest run",
    "cat pyproject.toml", "sed -n 1,80p src/auth/part1.py", "ruff check .", "go test ./...", "git log -5", "make lint",
]  # fmt: skip


@dataclass(frozen=True)
class Work:
    """One iteration of a session, by when it began and ended."""

    session: str
    codex: bool
    began: int
    ended: int

    @property
    def span(self) -> tuple[float, float]:
        """When the agent was at work: up to two hours before the end, and not before the beginning."""
        return max(self.began + 0.5, self.ended - LONGEST_WORK), self.ended - 0.5


def write_sessions(folder: Path, work: list[Work], size: int, chance: random.Random) -> None:
    """Nine tenths of the bytes are these sessions; the rest is work on something else at the same time."""
    text = Text(chance)
    shares = [chance.uniform(0.5, 1.5) for _ in work]
    sizes = [int(share * 0.9 * size / sum(shares)) for share in shares]
    sessions: dict[str, list[tuple[Work, int]]] = {}
    for one, own in zip(work, sizes, strict=True):
        sessions.setdefault(one.session, []).append((one, own))
    written = sum(_write(folder, OWN, parts, chance, text) for parts in sessions.values())
    for one in itertools.cycle(work[::3]):
        if written >= size:
            return
        stranger = Work(new_id(chance), False, one.began, one.ended)
        written += _write(folder, OTHER, [(stranger, min(STRANGER_BYTES, size - written))], chance, text)


def new_id(chance: random.Random) -> str:
    digits = f"{chance.getrandbits(128):032x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def _json(value: Any) -> str:
    """As programs in other languages write it: no spaces, no escapes that are not needed."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Text:
    """Output of tools, as it is within JSON, in slices that begin and end at a line."""

    _LINES = (
        '  %d→\tif "x" in found:',
        "src/auth/part%d.py:12: error",
        "%d passed — 2 skipped",
        '\t\t{"n": %d, "of": 9},',
    )

    def __init__(self, chance: random.Random) -> None:
        lines, self._starts, size = [], [], 0
        while size < 4_000_000:
            line = chance.choice(self._LINES) % chance.randrange(1000) + f"  # {chance.getrandbits(64):x}\n"
            lines.append(_json(line)[1:-1].encode())
            self._starts.append(size)
            size += len(lines[-1])
        self._whole = b"".join(lines)

    def slice(self, chance: random.Random) -> bytes:
        """One to fifty kilobytes, more often short."""
        length = int(1000 * 50 ** (chance.random() ** 2))
        first = chance.randrange(len(self._starts) - 2000)
        last = bisect.bisect_left(self._starts, self._starts[first] + length)
        return self._whole[self._starts[first] : self._starts[min(last, len(self._starts) - 1)]]


@dataclass
class Session:
    """One file under way."""

    out: BinaryIO
    id: str
    chance: random.Random
    text: Text
    now: float
    step: float = 0.0
    """Seconds from one line to the next."""
    written: int = 0

    def tick(self) -> str:
        self.now += self.step
        return moment(self.now)

    def write(self, *parts: bytes | str) -> None:
        for part in parts:
            self.written += self.out.write(part if isinstance(part, bytes) else part.encode())

    def open(self) -> None:
        raise NotImplementedError

    def turn(self) -> None:
        """What the model says once and what comes back: a few lines."""
        raise NotImplementedError


def _write(folder: Path, project: str, parts: list[tuple[Work, int]], chance: random.Random, text: Text) -> int:
    first = parts[0][0]
    began, ended = first.span
    if first.codex:
        day, time = moment(began)[:19].split("T")
        name = f"rollout-{day}T{time.replace(':', '-')}-{first.session}.jsonl"
        path = folder / "codex/sessions" / day.replace("-", "/") / name
    else:
        path = folder / "claude/projects" / project / f"{first.session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb", buffering=1 << 20) as out:
        session = (Codex if first.codex else Claude)(out, first.session, chance, text, began)
        session.open()
        for one, size in parts:
            began, ended = one.span
            start = session.written
            while (done := (session.written - start) / size) < 1:
                session.now = max(session.now, began + 0.99 * done * (ended - began))
                session.step = (ended - session.now) / 1000
                session.turn()
    os.utime(path, (ended, ended))
    return session.written


# --- Claude Code -----

HEAD = (
    '{"parentUuid":%s,"isSidechain":%s,"userType":"external","cwd":"/work/app","sessionId":"%s","version":"2.1.40",'
    '"gitBranch":"main",'
)
SAID = (
    '"message":{"model":"model-1","id":"%s","type":"message","role":"assistant","content":[%s],"stop_reason":null,'
    '"stop_sequence":null,"usage":%s},"requestId":"%s","type":"assistant",'
)
USAGE = (
    '{"input_tokens":%d,"cache_creation_input_tokens":%d,"cache_read_input_tokens":%d,"cache_creation":'
    '{"ephemeral_5m_input_tokens":%d,"ephemeral_1h_input_tokens":0},"output_tokens":%d,"service_tier":"standard"}'
)
RESULT = '"type":"user","message":{"role":"user","content":[{"tool_use_id":"%s","type":"tool_result","content":"'
THOUGHT = '{"type":"thinking","thinking":"%s","signature":"%x"}'
CALL = '{"type":"tool_use","id":"%s","name":"%s","input":%s}'


@dataclass
class Claude(Session):
    parent: str = "null"

    def open(self) -> None:
        first = new_id(self.chance)
        self.write(
            f'{{"type":"file-history-snapshot","messageId":"{first}","snapshot":{{}},"isSnapshotUpdate":false}}\n'
        )
        self._head("false")
        self.write('"type":"user","message":{"role":"user","content":"The next task."},', self._tail(), "}\n")

    def _head(self, aside: str) -> None:
        self.write(HEAD % (self.parent, aside, self.id))

    def _tail(self) -> str:
        """This line's id, which the next one names as its parent, and its time."""
        self.parent = f'"{new_id(self.chance)}"'
        return f'"uuid":{self.parent},"timestamp":"{self.tick()}"'

    def turn(self) -> None:
        chance = self.chance
        aside = "true" if chance.random() < ASIDE else "false"
        message, request = f"msg_{chance.getrandbits(96):024x}", f"req_{chance.getrandbits(96):024x}"
        created = chance.randint(0, 4000)
        usage = USAGE % (chance.randint(1, 40), created, chance.randint(1, 150_000), created, chance.randint(20, 900))
        calls = [(f"toolu_{chance.getrandbits(96):024x}", *self._call()) for _ in range(1 + (chance.random() < 0.2))]
        contents = [THOUGHT % ("Now then. " * 30, chance.getrandbits(512))] if chance.random() < 0.3 else []
        contents += ['{"type":"text","text":"Let me look at this."}'] if chance.random() < 0.7 else []
        contents += [CALL % call for call in calls]
        for content in contents:
            self._head(aside)
            self.write(SAID % (message, content, usage, request), self._tail(), "}\n")
        for id, name, _ in calls:
            self._result(id, name, aside)

    def _call(self) -> tuple[str, str]:
        kind, chance = self.chance.random(), self.chance
        file = f"/work/app/src/auth/part{chance.randrange(12)}.py"
        if kind < 0.5:
            return "Bash", _json({"command": chance.choice(COMMANDS), "description": "Look"})
        if kind < 0.8:
            return "Read", _json({"file_path": "/work/app/.agents/loop-state.md" if kind > 0.795 else file})
        if kind < 0.95:
            return "Edit", _json({"file_path": file, "old_string": "    return 1", "new_string": "    return 2"})
        return "Grep", _json({"pattern": "def ", "path": "/work/app/src"})

    def _result(self, id: str, name: str, aside: str) -> None:
        text = self.text.slice(self.chance)
        failed = ',"is_error":true' if self.chance.random() < FAILED else ""
        self._head(aside)
        self.write(RESULT % id, text, f'"{failed}}}]}},', self._tail())
        if name == "Bash":  # what is shown is kept beside what is sent
            self.write(',"toolUseResult":{"stdout":"', text, '","stderr":"","interrupted":false,"isImage":false}')
        self.write("}\n")


# --- Codex -----

ITEM = '{"timestamp":"%s","type":"response_item","payload":{'
COUNTS = '{"input_tokens":%d,"cached_input_tokens":%d,"output_tokens":%d,"reasoning_output_tokens":0,"total_tokens":%d}'
TOKENS = (
    '{"timestamp":"%s","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":%s,'
    '"last_token_usage":%s,"model_context_window":272000},"rate_limits":null}}\n'
)
REASONING = '"type":"reasoning","summary":[],"content":null,"encrypted_content":"%x"}}\n'
FUNCTION = '"type":"function_call","name":"shell","arguments":%s,"call_id":"%s"}}\n'
OUTPUT = '"type":"function_call_output","call_id":"%s","output":"{\\"output\\":\\"'
EXIT = '\\",\\"metadata\\":{\\"exit_code\\":%d,\\"duration_seconds\\":0.4}}"}}\n'


@dataclass
class Codex(Session):
    totals: list[int] = field(default_factory=lambda: [0, 0, 0])

    def open(self) -> None:
        about = {"id": self.id, "timestamp": moment(self.now), "cwd": "/work/app", "originator": "codex_cli_rs"}
        for kind, payload in (
            ("session_meta", {**about, "cli_version": "0.58.0", "git": {"branch": "main"}}),
            ("turn_context", {"cwd": "/work/app", "approval_policy": "never", "model": "model-2"}),
            ("event_msg", {"type": "user_message", "message": "The next task."}),
        ):
            self.write(_json({"timestamp": self.tick(), "type": kind, "payload": payload}), "\n")

    def turn(self) -> None:
        chance, call = self.chance, f"call_{self.chance.getrandbits(96):024x}"
        self.write(ITEM % self.tick(), REASONING % chance.getrandbits(4000))
        arguments = {"command": ["bash", "-lc", chance.choice(COMMANDS)], "workdir": "/work/app"}
        self.write(ITEM % self.tick(), FUNCTION % (_json(_json(arguments)), call))
        # The output is JSON within JSON: what is escaped already is escaped again.
        text = self.text.slice(chance).replace(b"\\", b"\\\\").replace(b'"', b'\\"')
        self.write(ITEM % self.tick(), OUTPUT % call, text, EXIT % (chance.random() < FAILED))
        cached, output = chance.randint(5_000, 100_000), chance.randint(20, 900)
        last = [cached + chance.randint(50, 5000), cached, output]
        self.totals = [total + more for total, more in zip(self.totals, last, strict=True)]
        counts = [COUNTS % (*found, found[0] + found[2]) for found in (self.totals, last)]
        self.write(TOKENS % (self.tick(), *counts))
