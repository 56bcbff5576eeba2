"""The formats of other tools that can be imported, recognised by what is in a file.

A new format is a module with `detect` and `read`, and a row here. The order decides where two would both say yes:
those that look more closely come first, and the table, which would take nearly anything, comes last.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from gnomon.errors import InvalidInput
from gnomon.interop.columns import ColumnNames
from gnomon.interop.foreign import (
    braintrustspans,
    codingagents,
    deepeval,
    gnomon_export,
    inspectlogs,
    langfuse,
    langsmithruns,
    minisweagent,
    mlflow,
    openaievals,
    otlpjson,
    phoenix,
    promptfoo,
    pydanticevals,
    sweagent,
    swebench,
    table,
    taubench,
    terminalbench,
)
from gnomon.interop.foreign.bundle import Bundle
from gnomon.interop.foreign.scores import settle
from gnomon.interop.rows import BadLines, refuse_unreadable

AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Reader:
    """How the files of one tool are recognised and read."""

    title: str
    """What it reads, for people: `Inspect logs (.eval, .json)`."""
    detect: Callable[[Path], bool]
    """Whether this file, or this folder as a whole, is of that tool: quick, and never an error about its content."""
    read: Callable[[Path], Bundle]


READERS: dict[str, Reader] = {
    # --- evaluation results -----
    "inspect": Reader("Inspect logs (.eval, .json)", inspectlogs.detect, inspectlogs.read),
    "promptfoo": Reader("promptfoo results (eval -o results.json)", promptfoo.detect, promptfoo.read),
    "deepeval": Reader("DeepEval test runs (.json)", deepeval.detect, deepeval.read),
    "pydantic-evals": Reader("pydantic-evals reports (.json)", pydanticevals.detect, pydanticevals.read),
    "openai-evals": Reader("OpenAI evals logs (.jsonl)", openaievals.detect, openaievals.read),
    "tau2": Reader("tau2-bench results (.json, or a folder)", taubench.detect_2, taubench.read_2),
    "tau-bench": Reader("tau-bench results (.json)", taubench.detect, taubench.read),
    "terminal-bench": Reader(
        "terminal-bench runs (a folder, or results.json)", terminalbench.detect, terminalbench.read
    ),
    "swe-bench": Reader("SWE-bench reports (.json, or a folder)", swebench.detect, swebench.read),
    "mini-swe-agent": Reader(
        "mini-swe-agent trajectories (.traj.json, or a folder)", minisweagent.detect, minisweagent.read
    ),
    "swe-agent": Reader("SWE-agent trajectories (.traj, or a folder)", sweagent.detect, sweagent.read),
    gnomon_export.SOURCE: Reader(
        "Gnomon's own exports (.jsonl, .csv, .parquet)", gnomon_export.detect, gnomon_export.read
    ),
    # --- traces, and what stands beside them -----
    "langfuse": Reader("Langfuse exports (.json, .jsonl, .csv, .parquet, or a folder)", langfuse.detect, langfuse.read),
    "phoenix": Reader("Phoenix exports (.json, .jsonl, .csv, .parquet, or a folder)", phoenix.detect, phoenix.read),
    "mlflow": Reader("MLflow traces (.json, .jsonl, .csv, .parquet)", mlflow.detect, mlflow.read),
    "braintrust": Reader(
        "Braintrust logs, experiments and datasets (.json, .jsonl, .csv)",
        braintrustspans.detect,
        braintrustspans.read,
    ),
    "langsmith": Reader(
        "LangSmith runs, feedback, examples and results (.jsonl, .json, .csv, .parquet, or a folder)",
        langsmithruns.detect,
        langsmithruns.read,
    ),
    "otlp": Reader("OpenTelemetry traces as OTLP/JSON (.json, .jsonl)", otlpjson.detect, otlpjson.read),
    "coding-agents": Reader("sessions of Claude Code and Codex (.jsonl)", codingagents.detect, codingagents.read),
    # --- anything with columns -----
    table.SOURCE: Reader("tables (.csv, .tsv, .jsonl, .json, .parquet)", table.detect, table.read),
}


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file, or a folder that is read as a whole, and its format; None where no reader knows it."""

    path: Path
    format: str | None


def format_of(path: Path) -> str | None:
    """The format of a file, or of a folder that one reader takes as a whole."""
    return next((name for name, reader in READERS.items() if reader.detect(path)), None)


def find_files(path: Path, format: str = AUTO) -> Iterator[FoundFile]:
    """What there is to read at a path: the file itself, or a folder's files, down to the last one."""
    if format != AUTO and format not in READERS:
        raise InvalidInput.of("format", f"format {format!r} is not known; use {AUTO}, {', '.join(READERS)}")
    if not path.exists():
        raise InvalidInput.of("path", f"{path} does not exist; name a file or a folder")
    if path.is_file():
        refuse_unreadable(path)
    if path.is_file() and format != AUTO:
        yield FoundFile(path, format)
    else:
        yield from _files_in(path, format)


def _files_in(path: Path, format: str) -> Iterator[FoundFile]:
    """Files of a folder have a format that is named only where they look like it."""
    chosen = format_of(path) if format == AUTO else format if _fits(path, format) else None
    if chosen is not None or not path.is_dir():
        yield FoundFile(path, chosen)
        return
    try:
        children = sorted(path.iterdir())
    except OSError as bad:
        raise InvalidInput.of("path", f"{path}: {bad.strerror or bad}; name a folder that can be read") from None
    for child in children:
        if not child.name.startswith(".") and not child.is_symlink() and (child.is_file() or child.is_dir()):
            yield from _files_in(child, format)


def _fits(path: Path, format: str) -> bool:
    if format == table.SOURCE:  # its columns may have any names
        return path.is_file() and path.suffix.lower() in table.SUFFIXES
    return READERS[format].detect(path)


def read_any(
    path: Path, format: str = AUTO, columns: ColumnNames | None = None, bad_lines: BadLines | None = None
) -> Bundle:
    """What a file, or a folder that one reader takes as a whole, holds. `format` is one of `READERS`."""
    chosen = format_of(path) if format == AUTO else format
    if chosen is None or chosen not in READERS:
        raise unknown(path)
    return settle(table.read(path, columns, bad_lines) if chosen == table.SOURCE else READERS[chosen].read(path))


def unknown(path: Path) -> InvalidInput:
    known = ", ".join(READERS)
    words = f"{path.name} has no known format; name it with --format ({known}), or its columns with --columns"
    return InvalidInput.of("path", words)
