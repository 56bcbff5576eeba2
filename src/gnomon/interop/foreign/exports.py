"""Records of other tools' exports: JSON, JSON lines, CSV and Parquet, also packed with gzip, one file or a folder.

A line that cannot be read costs that line and is counted. A whole file that cannot be read is refused.
"""

import ast
import gzip
import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from gnomon.errors import GnomonError, Refused
from gnomon.interop.conversation import CODE, refused
from gnomon.interop.foreign.looking import LOOKED_AT, look
from gnomon.interop.messages import LARGEST, content_of, parsed
from gnomon.interop.rows import lines, open_table

ExportedObject = dict[str, Any]
BAD_LINE = "line that is not a JSON object"
_TABLES = (".csv", ".tsv", ".parquet")
_LINES = (".jsonl", ".ndjson")
_ENDINGS = (*_TABLES, *_LINES, ".json", ".gz")
_MOST_FILES = 10_000
_LOOKED_AT_FILES = 50
_LONGEST_LITERAL = 1 << 20


def files(path: Path) -> Iterator[Path]:
    """The file itself, or the files of a folder that may hold records, in order of their names."""
    if not path.is_dir():
        yield path
        return
    paths = (file for file in sorted(path.rglob("*")) if file.suffix.lower() in _ENDINGS and file.is_file())
    yield from islice((file for file in paths if not file.is_symlink() and not file.name.startswith(".")), _MOST_FILES)


def are_all(path: Path, is_one: Callable[[Path], bool]) -> bool:
    """Whether this file is one, or all files of this folder (as far as they are looked at)."""
    looked_at = list(islice(files(path), _LOOKED_AT_FILES))
    try:
        return bool(looked_at) and all(map(is_one, looked_at))
    except (GnomonError, OSError):
        return False


def keys_of(path: Path, inside: Iterable[str] = ()) -> frozenset[str]:
    """The columns of a table, or the keys of the first record. `inside` are keys under which a list of them may be."""
    kind = path.suffix.lower()
    try:
        if kind in _TABLES:
            return frozenset(open_table(path).columns)
        if kind == ".gz":
            return _packed_keys(path)
    except (GnomonError, OSError, EOFError, ValueError, zlib.error):
        return frozenset()
    prefixes = ("[].", *(f"{key}[]." for key in inside))
    keys = look(path).keys
    return keys | {key.removeprefix(prefix) for prefix in prefixes for key in keys if key.startswith(prefix)}


def _packed_keys(path: Path) -> frozenset[str]:
    with gzip.open(path) as file:
        head = file.read(LOOKED_AT).decode("utf-8", "replace").lstrip("\ufeff \n\r\t[")
    if not head.startswith("{"):
        return frozenset(head.partition("\n")[0].strip().split(","))
    try:
        first, _ = json.JSONDecoder().raw_decode(head)
    except (ValueError, RecursionError):
        return frozenset()
    return frozenset(first)


def records(path: Path, left_out: Counter[str], inside: Iterable[str] = ()) -> Iterator[ExportedObject]:
    """Every record of a file or folder. `inside` are keys under which an object may hold a list of records."""
    for file in files(path):
        yield from _unwrapped(_values(file, left_out), tuple(inside), left_out)


def _unwrapped(values: Iterable[Any], inside: tuple[str, ...], left_out: Counter[str]) -> Iterator[ExportedObject]:
    for value in values:
        if isinstance(value, list):
            yield from _unwrapped(value, inside, left_out)
        elif not isinstance(value, dict):
            left_out["record that is not an object"] += 1
        elif key := next((key for key in inside if isinstance(value.get(key), list)), None):
            yield from _unwrapped(value[key], (), left_out)
        else:
            yield value


def _values(path: Path, left_out: Counter[str]) -> Iterator[Any]:
    name, kind = path, path.suffix.lower()
    if kind in _TABLES:
        yield from _rows(path)
        return
    if kind in _LINES:
        yield from _json_lines(path, left_out)
        return
    content = _unpacked(path) if kind == ".gz" else content_of(path)
    if kind == ".gz" and (name := path.with_suffix("")).suffix.lower() in (".csv", ".tsv"):
        raise refused(path, f"is a packed table; unpack it first: gunzip {path.name}")
    try:
        whole = parsed(name, content)
    except Refused as as_one:
        values = list(_decoded_lines(enumerate(content.split(b"\n"), 1), name, left_out))
        if not values:
            raise as_one from None
        yield from values
    else:
        yield whole


def _unpacked(path: Path) -> bytes:
    try:
        with gzip.open(path) as file:
            content = file.read(LARGEST + 1)
    except (OSError, EOFError, zlib.error) as bad:
        raise Refused(f"{path.name}: cannot be unpacked ({bad}); copy or export it again", code=CODE) from None
    if len(content) > LARGEST:
        raise refused(path, f"unpacks to more than {LARGEST >> 20} MiB; split it up")
    return content


def _json_lines(path: Path, left_out: Counter[str]) -> Iterator[Any]:
    try:
        with path.open("rb") as file:
            yield from _decoded_lines(lines(path, file), path, left_out)
    except OSError as bad:
        raise Refused(f"{path}: {bad.strerror or bad}; name a file that can be read", code=CODE) from None


def _decoded_lines(numbered: Iterable[tuple[int, bytes]], path: Path, left_out: Counter[str]) -> Iterator[Any]:
    for _, line in numbered:
        if not line.strip():
            continue
        try:
            value = parsed(path, line)
        except Refused:
            value = None
        if isinstance(value, dict | list):
            yield value
        else:
            left_out[BAD_LINE] += 1


def _rows(path: Path) -> Iterator[ExportedObject]:
    is_text = path.suffix.lower() != ".parquet"
    try:
        table = open_table(path)
        for _, cells in table.rows(table.columns):
            row = dict(zip(table.columns, map(cell_value, cells) if is_text else cells, strict=True))
            yield {name: value for name, value in row.items() if value is not None}
    except (OSError, ValueError, OverflowError) as bad:  # as Parquet's reader says it of a bent file, in several lines
        why = (str(bad).splitlines() or ["it is damaged"])[0][:100]
        raise Refused(f"{path.name}: cannot be read ({why}); export it again", code=CODE) from None


def cell_value(cell: Any) -> Any:
    """What a cell of a CSV file means: lists and objects are written as JSON, or as Python shows them."""
    if not isinstance(cell, str):
        return cell
    text = cell.strip()
    if not text:
        return None
    return decoded(cell) if text[0] in "[{" else cell


def decoded(value: Any) -> Any:
    """The value of a text that is a JSON list or object, or one as Python shows it; anything else as it is."""
    if not isinstance(value, str) or (text := value.strip())[:1] not in ("[", "{"):
        return value
    try:
        return json.loads(text, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        pass
    if len(text) > _LONGEST_LITERAL:
        return value
    try:
        return json.loads(json.dumps(ast.literal_eval(text)))
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return value
