"""Session files by the rules of the `compat` profile: strict shapes, no de-duplication, one folder deep.

Tokens and tool errors follow one rule, the objective checks another, so a line may count for either alone: a
token count that is not a whole number drops the line for tokens, content that is plain text drops it for both.
Deliberately kept: a message's usage counts once per line, and Codex's tool calls are not seen. Elsewhere, use
timeline.py.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from gnomon.agentlogs.events import AnswerTokens, instant
from gnomon.agentlogs.files import SUFFIX
from gnomon.agentlogs.lines import LARGEST_LINE, decode, lines, shown


class CompatLine(Struct, frozen=True):
    """What one dated line adds. `covers`: the objective checks take it as a sign that the window was recorded."""

    at: int
    usage: AnswerTokens | None = None
    tool_calls: int = 0
    tool_errors: int = 0
    covers: bool = False
    bash: bool = False
    commands: tuple[str, ...] = ()
    read_paths: tuple[str, ...] = ()


class _Envelope(Struct):
    timestamp: str
    type: str | None = None
    message: Raw | UnsetType = UNSET
    payload: Raw | UnsetType = UNSET


class _Tokens(Struct):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None


class _Item(Struct):
    type: str | None = None
    is_error: bool | None = None


class _CompatMessage(Struct):
    usage: _Tokens | None = None
    content: list[_Item | None] | None = None


class _Last(Struct):
    input_tokens: int | None = None
    cached_input_tokens: int | None = None
    output_tokens: int | None = None


class _Info(Struct):
    last_token_usage: _Last | None = None


class _Payload(Struct):
    type: str | None = None
    info: _Info | None = None


class _Use(Struct):
    type: str | None = None
    name: str | None = None
    input: Raw = Raw()


class _Said(Struct):
    content: list[_Use | None] | None = None


class _Bash(Struct):
    command: str | None = None


class _ReadInput(Struct):
    file_path: str | None = None


ENVELOPE = msgspec.json.Decoder(_Envelope)
MESSAGE = msgspec.json.Decoder(_CompatMessage)
PAYLOAD = msgspec.json.Decoder(_Payload)
SAID = msgspec.json.Decoder(_Said)
BASH = msgspec.json.Decoder(_Bash)
READ = msgspec.json.Decoder(_ReadInput)


def compat_files(directories: Iterable[Path | str]) -> list[Path]:
    """The session files directly inside these folders. Folders that are not there or have no name are skipped; one
    that cannot be listed raises OSError. A folder named twice counts twice."""
    paths: list[Path] = []
    for directory in directories:
        if str(directory) and Path(directory).exists():
            entries = sorted(Path(directory).iterdir())
            paths += [entry for entry in entries if entry.name.endswith(SUFFIX) and not entry.is_dir()]
    return paths


def compat_events(path: Path) -> Iterator[CompatLine]:
    """Every line that counts for something. OSError when the file cannot be read, ValueError on too long a line."""

    def refuse(number: int) -> None:
        limit = LARGEST_LINE // 2**20
        raise ValueError(f"{shown(path)}: line {number} is longer than {limit} MiB; shorten or remove the file")

    for _, line in lines(path, refuse):
        envelope = decode(ENVELOPE, line)
        at = None if envelope is None else instant(envelope.timestamp)
        if envelope is not None and at is not None:
            yield _line(at, envelope)


def _line(at: int, envelope: _Envelope) -> CompatLine:
    message = b"null" if envelope.message is UNSET else bytes(envelope.message)
    usage, results = None, list[_Item]()
    if envelope.payload is not UNSET:
        usage = _codex_usage(decode(PAYLOAD, bytes(envelope.payload)))
    elif envelope.type in ("assistant", "user") and (read := decode(MESSAGE, message)):
        usage = _claude_usage(read.usage)
        results = [item for item in read.content or () if item and item.type == "tool_result"]
    body = _Said() if message == b"null" else decode(SAID, message)
    uses = [use for use in (body.content if body else None) or () if use and use.type == "tool_use"]
    commands = (decode(BASH, bytes(use.input)) for use in uses if use.name == "Bash")
    reads = (decode(READ, bytes(use.input)) for use in uses if use.name == "Read")
    return CompatLine(
        at,
        usage,
        len(results),
        sum(1 for item in results if item.is_error),
        covers=body is not None,
        bash=any(use.name == "Bash" for use in uses),
        commands=tuple(command.command for command in commands if command and command.command),
        read_paths=tuple(read_input.file_path for read_input in reads if read_input and read_input.file_path),
    )


def _claude_usage(tokens: _Tokens | None) -> AnswerTokens | None:
    if tokens is None:
        return None
    return AnswerTokens(
        tokens.input_tokens or 0,
        tokens.output_tokens or 0,
        tokens.cache_read_input_tokens or 0,
        tokens.cache_creation_input_tokens or 0,
    )


def _codex_usage(payload: _Payload | None) -> AnswerTokens | None:
    if payload is None or payload.type != "token_count" or payload.info is None:
        return None
    last = payload.info.last_token_usage
    if last is None:
        return None
    input_tokens, cached = last.input_tokens or 0, last.cached_input_tokens or 0
    return AnswerTokens(input_tokens, last.output_tokens or 0, cached, max(0, input_tokens - cached))
