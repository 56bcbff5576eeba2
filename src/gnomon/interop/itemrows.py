"""Dataset items from the rows of a CSV file: what its columns mean.

`input`, `expected_output` and `key` (or `id`) stand for themselves, `metadata` holds a JSON object, and every other
column is a key of the metadata. Cells are text and stay so; an empty cell is as absent, but for `input`.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from gnomon.errors import InvalidInput
from gnomon.model import jsonvalue
from gnomon.model.nearest import nearest
from gnomon.shorten import counted

OWN = ("input", "expected_output", "metadata", "key", "id")


def check_header(columns: Sequence[str]) -> None:
    """Refuse a first line that names no input, or one column twice."""
    twice = next((column for column in columns if columns.count(column) > 1), None)
    if twice is not None:
        raise InvalidInput(f"line 1 names the column {twice!r} twice; rename all but one")
    if "input" not in columns:
        near = nearest("input", columns)
        remedy = f"rename {near!r} to 'input'" if near else "name one of them 'input'"
        raise InvalidInput(f"line 1 names no column 'input', only {', '.join(columns)}; {remedy}")
    if "key" in columns and "id" in columns:
        raise InvalidInput("line 1 names the columns 'key' and 'id', which mean the same; leave one out")


def item_of(columns: Sequence[str], cells: Sequence[str]) -> dict[str, Any]:
    """One row as the JSON of an item."""
    if len(cells) != len(columns):
        words = f"it has {counted(len(cells), 'cell')} where the first line has {len(columns)}"
        raise InvalidInput(f"{words}; quote cells that hold a comma or a line end")
    row = dict(zip(columns, cells, strict=True))
    item: dict[str, Any] = {"input": row["input"]}
    if row.get("expected_output"):
        item["expected_output"] = row["expected_output"]
    if key := row.get("key") or row.get("id"):
        item["key"] = key
    if metadata := dict(_metadata(row)):
        item["metadata"] = metadata
    return item


def _metadata(row: dict[str, str]) -> Iterator[tuple[str, Any]]:
    others = [(column, cell) for column, cell in row.items() if column not in OWN and cell]
    if row.get("metadata"):
        yield from _object(row["metadata"], {column for column, _ in others})
    yield from others


def _object(text: str, columns: Iterable[str]) -> Iterator[tuple[str, Any]]:
    try:
        metadata = jsonvalue.read(text.encode())
    except InvalidInput as bad:
        raise InvalidInput(f"metadata is not JSON ({bad.message}); write an object") from None
    if not isinstance(metadata, dict):
        raise InvalidInput('metadata is JSON but not an object; write {"key": "value"}')
    for key in metadata.keys() & set(columns):
        raise InvalidInput(f"{key!r} is a column and also a key of metadata; rename one of them")
    yield from metadata.items()
