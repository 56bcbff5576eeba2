"""How anything is written: lines, JSON, tables.

Results go to stdout; problems and progress to stderr. Which words and columns a noun gets is for the other
files of this package, and for `report/text` where `print` in Python shows the same.
"""

import json as _json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, is_dataclass
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

import click

from gnomon.errors import Refused
from gnomon.report.text.drawing import any_letter, clean, table_lines

if TYPE_CHECKING:
    from rich.table import Table

    from gnomon.report.text.drawing import Part

_CONTROLS = re.compile("[\x7f-\x9f]")


def prepare() -> None:
    """A terminal that lacks a letter gets a question mark for it, not a crash; a stream that is closed takes all."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # started with it closed, as by `>&-`
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def line(text: str = "") -> None:
    _write(text)


def _write(text: str, *, err: bool = False, end: str = "\n") -> None:
    """Write a line. Where nobody reads on, as after `| head`, the rest is dropped and the command goes on to its end:
    its exit code says what came of it, not who was listening."""
    try:
        click.echo(text + end, err=err, nl=False)
    except BrokenPipeError:
        stream = sys.stderr if err else sys.stdout
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except OSError as fault:
        if not err:  # of a stderr that takes nothing, nobody can be told
            raise cannot_write_stdout(fault) from None


def cannot_write_stdout(fault: OSError) -> Refused:
    return Refused(f"cannot write to stdout: {fault.strerror or fault}")


def parts(written: "Iterable[Part]") -> None:
    """Lines and tables, one after the other."""
    for part in written:
        line(part) if isinstance(part, str) else draw(part)


def problem(text: str) -> None:
    """What went wrong, on one line of stderr."""
    _write(f"gnomon: {clean(text)}", err=True)


def json(value: Any) -> None:
    """A noun, or a list of them, as the HTTP contract writes it."""
    _write(_written(value, indent=2))


def json_members(members: Mapping[str, Any]) -> None:
    """An object as `json` writes it. Members that are iterators are lists whose elements are written one by one, so
    that a list of many thousands is never in memory as a whole."""
    for index, (name, value) in enumerate(members.items()):
        begin = f"{',' if index else '{'}\n  {_written(name)}: "
        if isinstance(value, Iterator):
            count = 0
            for count, element in enumerate(value, start=1):
                _write(f"{f'{begin}[' if count == 1 else ','}\n    {_nested(element, 4)}", end="")
            _write("\n  ]" if count else f"{begin}[]", end="")
        else:
            _write(begin + _nested(value, 2), end="")
    _write("\n}" if members else "{}")


def _nested(value: Any, spaces: int) -> str:
    return _written(value, indent=2).replace("\n", "\n" + " " * spaces)


def json_line(value: Any) -> None:
    _write(_written(value))


def _written(value: Any, indent: int | None = None) -> str:
    """JSON, with every letter as it is but those that a terminal obeys."""
    text = _json.dumps(_plain(value), indent=indent, ensure_ascii=not any_letter())
    return _CONTROLS.sub(lambda control: f"\\u{ord(control[0]):04x}", text)


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, list):
        return [_plain(element) for element in value]
    return value.model_dump(mode="json") if hasattr(value, "model_dump") else value


def draw(table: "Table") -> None:
    """Print a table; its header is bold in a terminal."""
    for row in table_lines(table, styled=True):
        line(row)
