"""Logs of Inspect: `.eval` (a zip of JSON files) and `.json`, a run for each sample and epoch.

Scores stay what Inspect says of them: as numbers in `metadata["reported"]`, as written in `metadata["scores"]`.
Nothing is ever unpacked to disk, names in the zip are not paths, and what a member unpacks to is counted while it is
read, so a small file cannot grow without end.
"""

import re
import zipfile
import zlib
from collections.abc import Iterator
from copy import copy
from pathlib import Path
from typing import Any, Literal

from gnomon.errors import Refused
from gnomon.interop import messages
from gnomon.interop.conversation import CODE, ConversationBuilder, name_of, named_apart, refused
from gnomon.model.transcript import RunEnd, Transcript, Usage

SOURCE = "inspect"
LARGEST_MEMBER = 256 << 20
LARGEST_TOTAL = 1 << 30
MOST_MEMBERS = 100_000
_SAMPLE = re.compile(r"samples/[^/\\]+\.json")
_HEADERS = ("header.json", "_journal/start.json")  # a log that was cut short has only the second
_REFERENCE = re.compile(r"(?:attachment|tc)://([0-9a-f]{32})")
_WORDS = {"c": 1.0, "i": 0.0, "p": 0.5, "n": 0.0, "true": 1.0, "yes": 1.0, "false": 0.0, "no": 0.0}
_ZSTANDARD = 93
_LARGEST_WINDOW = 128 << 20


def read(path: Path) -> list[Transcript]:
    if is_zip(path):
        return named_apart([transcript_of(log, sample, path, where) for log, sample, where in _from_zip(path)])
    return from_value(messages.parsed(path, messages.content_of(path)), path)


def samples_of(path: Path) -> Iterator[tuple[dict[str, Any], dict[str, Any], str]]:
    """Each sample, after the log's header that it belongs to, with a name of its place in the file."""
    if is_zip(path):
        return _from_zip(path)
    return _from_json(messages.parsed(path, messages.content_of(path)), path)


def is_zip(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(2) == b"PK"
    except OSError as bad:
        raise Refused(f"{path}: {bad.strerror or bad}; name a file that can be read", code=CODE) from None


def is_log(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("eval"), dict) and "task" in value["eval"]


def from_value(value: Any, path: Path) -> list[Transcript]:
    return named_apart([transcript_of(log, sample, path, where) for log, sample, where in _from_json(value, path)])


def _from_json(value: Any, path: Path) -> Iterator[tuple[dict[str, Any], dict[str, Any], str]]:
    if not is_log(value):
        raise refused(path, "is not a log of Inspect; its JSON has the keys eval (with task and model) and samples")
    samples = value.get("samples")
    if not isinstance(samples, list) or not samples:
        raise refused(path, "has no samples; log them (log_samples), or name the whole log, not its header")
    for at, sample in enumerate(samples, 1):
        yield value, _object(sample, path, f"sample {at}"), f"sample {at}"


def _from_zip(path: Path) -> Iterator[tuple[dict[str, Any], dict[str, Any], str]]:
    members = _members(path)
    name, header = next(members)
    if not is_log(header):
        raise refused(path, f"{name} has no eval with a task; it is not a log of Inspect")
    count = 0
    for name, sample in members:
        count += 1
        yield header, _object(sample, path, name), name
    if not count:
        raise refused(path, "has no samples; the log was cut before the first one ended")


def _object(sample: Any, path: Path, where: str) -> dict[str, Any]:
    if not isinstance(sample, dict):
        raise refused(path, f"{where} is not an object")
    return sample


def _members(path: Path) -> Iterator[tuple[str, Any]]:
    """The header, then each sample."""
    try:
        with zipfile.ZipFile(path) as log:
            members = {
                zip_info.filename: zip_info for zip_info in log.infolist()
            }  # of two with one name, the last is meant
            if len(members) > MOST_MEMBERS:
                raise refused(path, f"has more than {MOST_MEMBERS:,} members; it is not a log that can be read here")
            header = next((name for name in _HEADERS if name in members), None)
            if header is None:
                raise refused(path, "is a zip without header.json; it is not a log of Inspect")
            bytes_left = LARGEST_TOTAL
            for name in [header, *filter(_SAMPLE.fullmatch, members)]:
                content = _content(path, log, members[name], min(LARGEST_MEMBER, bytes_left))
                bytes_left -= len(content)
                yield name, _parsed(path, name, content)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError) as bad:
        # RuntimeError: a password is wanted. ValueError: sizes and places that no file has.
        why = str(bad)[:80] or "it is cut"
        raise refused(path, f"cannot be read as a zip ({why}); copy or write it again") from None


def _content(path: Path, log: zipfile.ZipFile, member: zipfile.ZipInfo, limit: int) -> bytes:
    if member.compress_type == _ZSTANDARD and not hasattr(zipfile, "ZIP_ZSTANDARD"):
        content = _from_zstandard(path, log, member, limit)
    else:
        try:
            with log.open(member) as file:
                content = file.read(limit + 1)
        except NotImplementedError:
            shown = _shown(member.filename)
            raise refused(path, f"{shown} is compressed in a way that this Python cannot read") from None
    if len(content) > limit:
        raise refused(path, f"{_shown(member.filename)} unpacks to more than {limit:,} bytes; split the log up")
    return content


def _from_zstandard(path: Path, log: zipfile.ZipFile, member: zipfile.ZipInfo, limit: int) -> bytes:
    """What Inspect writes today; zipfile knows Zstandard only in newer Pythons."""
    try:
        import zstandard
    except ImportError:
        message = "is compressed with Zstandard; install the package zstandard, or convert it"
        raise refused(path, f"{message}: inspect log convert --to json --output-dir OUT {path.name}") from None
    packed = copy(member)  # opened as if it were stored: then zipfile hands out the bytes as they are
    packed.compress_type, packed.file_size = zipfile.ZIP_STORED, member.compress_size
    try:
        with log.open(packed) as file:
            vars(file)["_expected_crc"] = None  # the sum is of what is unpacked, and checked below
            reader = zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW).stream_reader(file)
            content = reader.read(limit + 1)
    except zstandard.ZstdError as bad:
        raise refused(path, f"{_shown(member.filename)} cannot be unpacked ({str(bad)[:80]}); copy it again") from None
    if len(content) <= limit and zlib.crc32(content) != member.CRC:
        raise refused(path, f"{_shown(member.filename)} is damaged; copy the log again")
    return bytes(content)


def _parsed(path: Path, name: str, content: bytes) -> Any:
    try:
        return messages.parsed(path, content)
    except Refused as bad:
        raise refused(path, f"{_shown(name)} {bad.message.removeprefix(f'{path.name}: ')}") from None


def _shown(name: str) -> str:
    return repr(name)[1:-1][:80]


def transcript_of(log: dict[str, Any], sample: dict[str, Any], path: Path, where: str) -> Transcript:
    about = log["eval"]
    task, model = name_of(about.get("task")) or path.stem, name_of(about.get("model"))
    id, epoch = name_of(sample.get("id")) or where, name_of(sample.get("epoch")) or "1"
    conversation = ConversationBuilder()
    messages = sample.get("messages")
    if not isinstance(messages, list) or not messages:
        conversation.notes.append("the sample has no messages")
    attachments = sample.get("attachments")
    _add(
        conversation,
        messages if isinstance(messages, list) else [],
        attachments if isinstance(attachments, dict) else {},
    )
    scores = sample.get("scores")
    metadata = {
        "task": task, "epoch": epoch, "trial": epoch, "log_status": log.get("status"), "created": about.get("created"),
        "target": sample.get("target"), "choices": sample.get("choices"), "sample_metadata": sample.get("metadata"),
        "scores": scores, "reported": dict(_reported(scores)), "limit": sample.get("limit"),
    }  # fmt: skip
    whose = name_of(about.get("eval_id")) or name_of(about.get("run_id")) or path.stem
    return conversation.transcript(
        f"{task}/{id}", f"{whose}.{id}.epoch-{epoch}", SOURCE, model=model, end=_end(sample),
        metadata={key: value for key, value in metadata.items() if value not in (None, {}, [])},
    )  # fmt: skip


def _add(conversation: ConversationBuilder, listed: list[Any], attachments: dict[str, Any]) -> None:
    answers = messages.Answers()
    for message in listed:
        if isinstance(message, dict):
            message = {key: resolved(value, attachments) for key, value in message.items()}
            is_result = message.get("role") == "tool"
            ok = None if not is_result else message.get("error") is None
            messages.add(conversation, message, answer=answers.of(message), ok=ok)
        else:
            messages.add(conversation, message)


def resolved(value: Any, attachments: dict[str, Any]) -> Any:
    """Long texts are written once, beside the messages."""
    if isinstance(value, str):
        match = _REFERENCE.fullmatch(value)
        return attachments.get(match[1], value) if match else value
    if isinstance(value, list):
        return [resolved(element, attachments) for element in value]
    if isinstance(value, dict):
        return {key: resolved(element, attachments) for key, element in value.items()}
    return value


def _reported(scores: Any) -> Iterator[tuple[str, Any]]:
    """Each score's value: a number where Inspect would make it one, else as it is written."""
    for name, score in scores.items() if isinstance(scores, dict) else ():
        value = score.get("value") if isinstance(score, dict) else score
        parts = value if isinstance(value, dict) else {None: value}
        for part, part_value in parts.items():
            if part_value is not None:
                yield name if part is None else f"{name}.{part}", number_of(part_value)


def number_of(value: Any) -> Any:
    if isinstance(value, bool):
        return float(value)
    return _WORDS.get(value.lower(), value) if isinstance(value, str) else value


def _end(sample: dict[str, Any]) -> RunEnd:
    status: Literal["ok", "aborted", "error"] = "ok"
    reason = None
    error, limit = sample.get("error"), sample.get("limit")
    if error:
        status, reason = "error", str(error.get("message", error) if isinstance(error, dict) else error)
    elif limit:
        kind = limit.get("type") if isinstance(limit, dict) else limit
        status, reason = "aborted", f"limit reached: {kind}"
    return RunEnd(status=status, reason=reason, usage=_usage(sample))


def _usage(sample: dict[str, Any]) -> Usage | None:
    by_model = sample.get("model_usage")
    output = sample.get("output")
    usages = list(by_model.values()) if isinstance(by_model, dict) else []
    usages = usages or ([output.get("usage")] if isinstance(output, dict) else [])
    counts = [
        [value[key] for value in usages if isinstance(value, dict) and type(value.get(key)) is int]
        for key in ("input_tokens", "output_tokens")
    ]
    if not any(counts):
        return None
    return Usage(input=sum(counts[0]) if counts[0] else None, output=sum(counts[1]) if counts[1] else None)
