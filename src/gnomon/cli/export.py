"""`gnomon export`: experiments, datasets, traces and scores as files, as a page, or to an OpenTelemetry receiver."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, get_args

import click

from gnomon.cli import show
from gnomon.cli.backend import one_project, with_backend
from gnomon.cli.flags import as_json, at, in_project
from gnomon.errors import InvalidInput

if TYPE_CHECKING:
    from gnomon.model.backend import Backend
    from gnomon.service.exchange.exporting import Selection

Exported = Literal["experiments", "datasets", "traces", "scores"]
OutputFormat = Literal["jsonl", "csv", "parquet", "html", "otlp-json"]

_STDOUT = "-"
_SUFFIXES: dict[str, OutputFormat] = {
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".parquet": "parquet", ".html": "html", ".json": "otlp-json",
}  # fmt: skip
_KINDS: dict[OutputFormat, tuple[Exported, ...]] = {"html": ("experiments",), "otlp-json": ("traces",)}
"""What cannot be written in every format."""


@click.command()
@click.argument("kind", type=click.Choice(get_args(Exported)))
@click.argument("names", metavar="[NAME_OR_ID]...", nargs=-1)
@click.option("--out", metavar="FILE", help="File to write; - for stdout.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(get_args(OutputFormat)),
    help="File format (default: by the file name, else jsonl).",
)
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@click.option("--otlp", "endpoint", metavar="URL", help="Instead of a file: send to this OTLP/HTTP endpoint.")
@click.option("--header", "headers", multiple=True, metavar="NAME=VALUE", help="With --otlp: a header; repeatable.")
@click.option(
    "--scores/--no-scores", default=True, show_default=True, help="With traces: include the scores of their spans."
)
@click.option("--after", metavar="TIME", help="Only what was created (traces: received) after this time.")
@click.option("--before", metavar="TIME", help="Only what was created (traces: received) before this time.")
@click.option("--errors", is_flag=True, help="Only traces with an error.")
@click.option("--metadata", multiple=True, metavar="KEY=VALUE", help="Only traces with this metadata; repeatable.")
@in_project
@at
@with_backend
@as_json
def export(
    backend: "Backend", kind: Exported, names: tuple[str, ...], out: str | None,
    format_: OutputFormat | None, force: bool,
    endpoint: str | None, headers: tuple[str, ...], as_json: bool, **narrowed: Any,
) -> None:  # fmt: skip
    """Write experiments, datasets, traces or scores into a file, or send them to an OpenTelemetry receiver.

    Without names: everything of that kind in the project. `gnomon import` reads jsonl, csv and parquet files again.

    \b
    gnomon export experiments answers-v2 --out answers.csv
    gnomon export experiments answers-v1 answers-v2 --out report.html
    gnomon export traces --after 2026-02-01T00:00:00Z --out traces.jsonl
    gnomon export traces --otlp http://127.0.0.1:4318
    """
    if (out is None) == (endpoint is None):
        raise InvalidInput.of("out", "no destination; use --out FILE, --out - for stdout, or --otlp URL")
    selection = _selection(backend, kind, names, **narrowed)
    if endpoint is not None:
        from gnomon.cli.export_otlp import send

        _refuse(force=force, format=format_)
        send(backend, selection, endpoint, headers, as_json)
        return
    if headers:
        raise InvalidInput.of("header", "--header goes with --otlp; leave it out")
    _to_file(backend, selection, out or "", format_, force, as_json)


def _refuse(**flags: Any) -> None:
    for name, value in flags.items():
        if value:
            raise InvalidInput.of(name, f"--{name} goes with --out, not with --otlp; leave it out")


def _selection(
    backend: "Backend", kind: Exported, names: tuple[str, ...], project: str | None, at: str | None,
    after: str | None, before: str | None,
    errors: bool, metadata: tuple[str, ...], scores: bool,
) -> "Selection":  # fmt: skip
    from gnomon.service.exchange.exporting import Selection

    if (errors or metadata) and kind not in ("traces", "scores"):
        raise InvalidInput.of("errors", f"--errors and --metadata choose traces, not {kind}; leave them out")
    if names and (after or before or errors or metadata):
        raise InvalidInput.of("names", f"names say which {kind}; leave out --after, --before, --errors and --metadata")
    if at is not None and (kind not in ("experiments", "scores") or len(names) != 1):
        raise InvalidInput.of("at", f"--at {at!r} chooses among experiments of one name; name that one experiment")
    if project is not None or not names:  # in one that does not exist there would be nothing, and no word of it
        project = one_project(backend, project, f"{kind} are of a project")
    return Selection(
        kind, names, project, _moment("after", after), _moment("before", before), errors or None,
        dict(_pair("metadata", pair) for pair in metadata) or None, scores, at,
    )  # fmt: skip


def _moment(flag: str, text: str | None) -> datetime | None:
    from gnomon.model import moment

    try:
        return None if text is None else moment.parse(text)
    except ValueError as bad:
        raise InvalidInput.of(flag, f"--{flag} {text!r}: {bad}") from None


def _pair(flag: str, text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise InvalidInput.of(flag, f"--{flag} {text!r} is not KEY=VALUE")
    return name, value


# --- files -----


def _to_file(
    backend: "Backend", selection: "Selection", out: str, format_: OutputFormat | None, force: bool, as_json: bool
) -> None:
    format_ = format_ or _SUFFIXES.get(Path(out).suffix.lower(), "jsonl")
    if selection.kind not in _KINDS.get(format_, (selection.kind,)):
        (only,) = _KINDS[format_]
        raise InvalidInput.of("format", f"{format_} is a format of {only}, not of {selection.kind}; use jsonl or csv")
    if out == _STDOUT and (as_json or format_ == "parquet"):
        flag = "--json" if as_json else "--format parquet"
        raise InvalidInput.of("out", f"{flag} needs a file, not stdout; name one with --out")
    with _target(out, force) as file, show.exporting(_total(backend, selection, format_), quiet=as_json) as progress:
        counts = _written(backend, selection, format_, file, progress)
    if out != _STDOUT:
        report = {"kind": selection.kind, "format": format_, "path": out, **counts}
        show.json(report) if as_json else show.exported(report)


def _total(backend: "Backend", selection: "Selection", format_: OutputFormat) -> int | None:
    from gnomon.service.exchange import exporting

    return None if format_ == "html" or not sys.stderr.isatty() else exporting.size(backend, selection)


def _written(
    backend: "Backend", selection: "Selection", format_: OutputFormat, file: BinaryIO, progress: Any
) -> dict[str, Any]:
    """Write the file; return a summary of its content."""
    from gnomon.service.exchange import exporting

    if format_ == "html":
        from gnomon.service.exchange.experimentreport import experiments_page

        text = experiments_page(backend, selection)
        return {"counts": {"experiments": len(selection.names)}, "bytes": file.write(text.encode())}
    if format_ == "otlp-json":
        from gnomon.service.exchange.otlpexport import write_json

        return {"counts": dict(write_json(backend, selection, file, progress))}
    written = exporting.write(backend, selection, format_, file, progress)
    return {"counts": dict(written.counts), "rows": written.rows}


@contextmanager
def _target(out: str, force: bool) -> Iterator[BinaryIO]:
    from gnomon.interop.exports.target import whole_file

    if out != _STDOUT:
        with whole_file(Path(out), force=force) as file:
            yield file
        return
    try:
        yield sys.stdout.buffer
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read it has seen enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as fault:
        raise show.cannot_write_stdout(fault) from None
