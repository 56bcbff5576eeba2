"""Codex's rollout lines: {timestamp, type, payload}.

A file opens with session_meta; turn_context names folder and model of what follows. A fork repeats its parent's
lines, re-dated, after a second session_meta: the first one says whose file it is. token_count lines are written
again whenever the screen is refreshed; only a new running total is a new answer of the model.
"""

import re
import shlex
from typing import Any

import msgspec
from msgspec import Raw, Struct

from gnomon.agentlogs.events import AnswerTokens, RequestedTool, ToolResult, ToolState, count, text
from gnomon.agentlogs.lines import roughly

SHELLS = {"shell", "exec_command", "local_shell", "unified_exec", "shell_command", "container.exec", "bash"}
CALLS = {"function_call", "custom_tool_call", "local_shell_call"}
OUTPUTS = {"function_call_output", "custom_tool_call_output"}
ENDS = {"exec_command_end", "patch_apply_end"}
HEAD, TAIL = 400, 500

# Before the output itself there are a few lines about it; looking further would read what programs print.
EXIT_CODE = re.compile(r"(?:^|\n)(?:Exit code:|Process exited with code) (-?\d{1,5})\b")
REFUSED = re.compile(
    r"failed to parse function arguments|unsupported call|unsupported custom tool call|aborted by user"
    r"|(?:exec command |patch )?rejected(?: by user|:)|exec_command failed|execution error"
    r"|apply_patch verification failed"
)
UNWRAPPED = {"-c", "-lc", "-ic", "-lic", "-ec"}

Other = str | int | float | bool | list[Raw] | None


class Counters(Struct, gc=False):
    input_tokens: Any = 0
    cached_input_tokens: Any = 0
    output_tokens: Any = 0
    reasoning_output_tokens: Any = 0


class Info(Struct):
    last_token_usage: Counters | Other = None
    total_token_usage: Counters | Other = None


class Action(Struct):
    command: Any = None


class Spawn(Struct):
    parent_thread_id: Any = None


class Subagent(Struct):
    thread_spawn: Spawn | Other = None


class Source(Struct):
    subagent: Subagent | Other = None


class Payload(Struct):
    type: Any = None
    id: Any = None
    cwd: Any = None
    model: Any = None
    name: Any = None
    arguments: Any = None
    call_id: Any = None
    output: Raw = Raw()
    action: Action | Other = None
    info: Info | Other = None
    exit_code: Any = None
    success: Any = None
    forked_from_id: Any = None
    source: Source | Other = None


class Arguments(Struct):
    command: Any = None
    cmd: Any = None
    file_path: Any = None


class Metadata(Struct):
    exit_code: Any = None


class Output(Struct):
    output: Raw = Raw()
    content: Raw = Raw()
    metadata: Metadata | Other = None
    success: Any = None


ARGUMENTS = msgspec.json.Decoder(Arguments)
OUTPUT = msgspec.json.Decoder(Output | Other)


def usage(info: Info) -> AnswerTokens | None:
    last = info.last_token_usage
    if not isinstance(last, Counters):
        return None
    input_tokens, cached = count(last.input_tokens), count(last.cached_input_tokens)
    return AnswerTokens(max(0, input_tokens - cached), count(last.output_tokens), cached, 0)


def running_total(info: Info) -> str | None:
    """A value that differs between answers, also in a fork's copy. None if the file keeps no total."""
    total = info.total_token_usage
    if not isinstance(total, Counters):
        return None
    counters = (total.input_tokens, total.cached_input_tokens, total.output_tokens, total.reasoning_output_tokens)
    return "total " + "/".join(str(count(value)) for value in counters)


def origins(meta: Payload) -> tuple[str, ...]:
    """The session that this one is, and those it was forked or spawned from."""
    ids = [meta.id, meta.forked_from_id]
    if isinstance(meta.source, Source) and isinstance(meta.source.subagent, Subagent):
        spawn = meta.source.subagent.thread_spawn
        ids += [spawn.parent_thread_id] if isinstance(spawn, Spawn) else []
    return tuple(id for id in map(text, ids) if id)


def call(payload: Payload) -> RequestedTool:
    if payload.type == "local_shell_call":
        action = payload.action.command if isinstance(payload.action, Action) else None
        return RequestedTool(text(payload.call_id) or text(payload.id), "local_shell", shell_text(action))
    name = text(payload.name) or ""
    arguments = _arguments(payload.arguments)
    command = shell_text(arguments.command or arguments.cmd) if name in SHELLS else None
    return RequestedTool(text(payload.call_id), name, command, text(arguments.file_path))


def _arguments(value: Any) -> Arguments:
    try:
        return ARGUMENTS.decode(value) if isinstance(value, str) else msgspec.convert(value, Arguments)
    except (ValueError, RecursionError):
        return Arguments()


def shell_text(command: Any) -> str | None:
    """Shell text of a command given as text or as a list of words."""
    if not isinstance(command, list):
        return text(command)
    words = [word for word in command if isinstance(word, str)]
    if len(words) == 3 and words[0].rpartition("/")[2] in {"bash", "sh", "zsh"} and words[1] in UNWRAPPED:
        return words[2]
    return shlex.join(words) or None


def result(payload: Payload) -> ToolResult:
    """The facts of a tool's output. The exit status is in an object, in an object as text, or in the first lines."""
    value, code, success = _output(payload.output), None, None
    if isinstance(value, str) and value.startswith("{"):
        value = _output(value) or value
    if isinstance(value, Output):
        whole = memoryview(value.output) or memoryview(value.content)
        head, tail = roughly(whole[:HEAD]), roughly(whole[-TAIL:])
        code = _exit_code(value.metadata.exit_code) if isinstance(value.metadata, Metadata) else None
        success = value.success if isinstance(value.success, bool) else None
    elif isinstance(value, list) and value:
        head, tail = roughly(memoryview(value[0])[:HEAD]), roughly(memoryview(value[-1])[-TAIL:])
    else:
        head, tail = (value[:HEAD], value[-TAIL:]) if isinstance(value, str) else ("", "")
    head = head.partition("\nOutput:\n")[0]
    if code is None and (match := EXIT_CODE.search(head)):
        code = int(match[1])
    refused = code is None and REFUSED.match(head) is not None
    is_error = refused or success is False or code not in (None, 0)
    state: ToolState = "refused" if refused else "done" if is_error or code == 0 else "unknown"
    return ToolResult(text(payload.call_id), is_error, code, state, tail)


def _output(output: Raw | str) -> Any:
    try:
        return OUTPUT.decode(output)
    except (ValueError, RecursionError):
        return None


def end(payload: Payload) -> ToolResult:
    """The facts of the event that reports the end of a command or a patch, beside its output."""
    code = _exit_code(payload.exit_code)
    failed = payload.success is False or code not in (None, 0)
    known = code is not None or isinstance(payload.success, bool)
    return ToolResult(text(payload.call_id), failed, code, "done" if known else "unknown")


def _exit_code(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**31 else None


def loose(info: Info) -> bool:
    """Whether a reader that insists on whole numbers would refuse it."""
    last = info.last_token_usage
    if not isinstance(last, Counters):
        return last is not None
    counters = (last.input_tokens, last.cached_input_tokens, last.output_tokens)
    return any(type(value) is not int for value in counters if value is not None)
