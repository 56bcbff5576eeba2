"""What readers of foreign files share: JSON that is cut or strange, ids that follow from the file, and times."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from gnomon.errors import Refused
from gnomon.interop import messages
from gnomon.interop.conversation import refused
from gnomon.interop.rows import BadLines, lines
from gnomon.model import moment
from gnomon.model.fields import LARGEST_COUNT
from gnomon.model.jsonvalue import dump

_CHUNK = 1 << 20


def json_value(path: Path) -> Any:
    """The whole file as one JSON value."""
    return messages.parsed(path, messages.content_of(path))


def json_object(path: Path, expected: str) -> dict[str, Any]:
    value = json_value(path)
    if not isinstance(value, dict):
        raise refused(path, f"holds no JSON object; it should be {expected}")
    return value


def json_records(path: Path, bad_lines: BadLines | None = None) -> Iterator[tuple[int, Any]]:
    """The records of a file with their numbers: one per line, or the elements of one list."""
    if path.suffix.lower() in (".jsonl", ".ndjson", ".log"):
        yield from _json_lines(path, bad_lines)
        return
    value = json_value(path)
    yield from enumerate(value if isinstance(value, list) else [value], 1)


def _json_lines(path: Path, bad_lines: BadLines | None) -> Iterator[tuple[int, Any]]:
    with path.open("rb") as file:
        for number, line in lines(path, file):
            if line.strip():
                try:
                    yield number, messages.parsed(path, line)
                except Refused as bad:
                    words = bad.message.removeprefix(f"{path.name}: ")
                    if bad_lines is not None:
                        bad_lines.add(number, words.partition("; ")[0])
                        continue
                    raise refused(path, f"line {number} {words}") from None


def as_object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def as_text(value: Any) -> str | None:
    """A text or a number as text; nothing of anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return str(value) if str(value).strip() else None


def as_count(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value <= LARGEST_COUNT else None


def without_none(**fields: Any) -> dict[str, Any]:
    """What is there: the fields that are not None, and not empty."""
    return {name: value for name, value in fields.items() if value not in (None, {}, [], "")}


def joined(*names: str | None) -> str:
    """A name of parts, as `capitals@openai/small`."""
    return "@".join(name for name in names if name)


def digest(*names: Any) -> str:
    """An id that is the same each time the same file is read."""
    return sha256(dump(list(names)).encode()).hexdigest()[:32]


def content_hash(path: Path) -> str:
    """The hash of a file's bytes, or of all files below a folder with their names."""
    total = sha256()
    files = [path]
    if path.is_dir():
        files = sorted(
            path_of_file for path_of_file in path.rglob("*") if path_of_file.is_file() and not path_of_file.is_symlink()
        )
    for path_of_file in files:
        if path.is_dir():
            total.update(f"\0{path_of_file.relative_to(path).as_posix()}\0".encode())
        with path_of_file.open("rb") as file:
            while chunk := file.read(_CHUNK):
                total.update(chunk)
    return total.hexdigest()


def time_of(*value: Any) -> datetime | None:
    """The first of these that is a time: ISO 8601 (in UTC without an offset), or seconds since 1970."""
    for text in value:
        if isinstance(text, bool) or not isinstance(text, str | int | float):
            continue
        try:
            at = datetime.fromisoformat(text) if isinstance(text, str) else datetime.fromtimestamp(text, UTC)
            return moment.parse(at if at.tzinfo is not None else at.replace(tzinfo=UTC))
        except (ValueError, OverflowError, OSError):
            continue
    return None


def file_time(path: Path) -> datetime:
    """When the file was written: for traces of tools that note no times."""
    return moment.parse(datetime.fromtimestamp(path.stat().st_mtime, UTC))


def numbered(keys: Sequence[str]) -> list[int]:
    """Which occurrence of its key each one is, counted from 1."""
    seen: dict[str, int] = {}
    numbered_parts = []
    for key in keys:
        seen[key] = seen.get(key, 0) + 1
        numbered_parts.append(seen[key])
    return numbered_parts
