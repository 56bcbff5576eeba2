"""Values as cells of a table: text that loses nothing, and that no spreadsheet takes for a formula.

A cell of JSON holds a text as it is where that cannot be mistaken for JSON, and JSON otherwise: `Paris`, `"42"`, `42`,
`{"a": 1}`. In CSV a text that begins with one of `FORMULA` gets an apostrophe in front, as do a text that begins with
an apostrophe and the empty text; an empty cell is nothing.
"""

from typing import Any

from gnomon.errors import InvalidInput
from gnomon.model.jsonvalue import dump, read

FORMULA = "=+-@\t\r\n"
"""How a cell begins that a spreadsheet runs."""
_GUARDED = frozenset(FORMULA + "'")
_JSON_BEGINS = frozenset('{["-0123456789tfn')


def json_cell(value: Any) -> str | None:
    """The text of a JSON value; None for null."""
    if value is None:
        return None
    return value if isinstance(value, str) and not _is_json(value) else dump(value)


def json_value(cell: str | None) -> Any:
    """What `json_cell` was given."""
    if cell is None or not _may_be_json(cell):
        return cell
    try:
        return read(cell)
    except InvalidInput:
        return cell


def guarded(text: str) -> str:
    """The text as a cell of CSV."""
    return f"'{text}" if not text or text[0] in _GUARDED else text


def unguarded(cell: str) -> str | None:
    """Undo `guarded`; None for an empty cell."""
    return cell.removeprefix("'") if cell else None


def _is_json(text: str) -> bool:
    if not _may_be_json(text):
        return False
    try:
        read(text)
    except InvalidInput:
        return False
    return True


def _may_be_json(text: str) -> bool:
    """A glance that tells most texts apart."""
    return text.lstrip(" \t\r\n")[:1] in _JSON_BEGINS
