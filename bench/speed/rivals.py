"""Other tools' evaluate functions over the same items, with the same task and two equal scorers, in turns with Gnomon.

Each tool is installed from the package index into an environment of its own, once, and run as a process per round
(`rival_tools/`). A few items are evaluated before the clock starts. What a tool stores differs, and is said.
"""

import json
import os
import statistics
import subprocess
import sys
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.speed.stand import Figure

SCRIPTS = Path(__file__).parent / "rival_tools"
ITEMS = {"small": 200, "medium": 500, "full": 1_000}
MANY = 10_000
ROUNDS = {"small": 1, "medium": 3, "full": 5}
LONGEST_SECONDS = 1200


@dataclass(frozen=True)
class Tool:
    """One way to evaluate. `package` is None for Gnomon, which runs in this environment."""

    name: str
    package: str | None
    script: str
    stores: str
    options: Sequence[str] = ()
    takes_many: bool = False
    """Whether 10,000 items take seconds and not a quarter of an hour."""


TOOLS = (
    Tool(
        "Gnomon with traces", None, "run_gnomon.py", "dataset, runs, scores, a trace per run; SQLite, flushed", [], True
    ),
    Tool("Gnomon without", None, "run_gnomon.py", "dataset, runs, scores; SQLite, flushed", ["plain"], True),
    Tool("pydantic-evals", "pydantic-evals", "run_pydantic_evals.py", "nothing", [], True),
    Tool("Phoenix", "arize-phoenix", "run_phoenix.py", "dataset, runs, scores, traces; SQLite, not flushed"),
    Tool("MLflow", "mlflow", "run_mlflow.py", "a trace with its scores per run; SQLite"),
)


class CannotRunError(Exception):
    """Why a tool has no figure."""


def usual_folder() -> Path:
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "gnomon" / "rivals"


def measure(folder: Path, size: str) -> list[Figure]:
    """A figure per tool and number of items: the median of its rounds."""
    pythons = {tool.name: python_or_reason(tool, folder) for tool in TOOLS}
    figures = []
    for items in (ITEMS[size], MANY):
        tools = [tool for tool in TOOLS if items < MANY or tool.takes_many]
        found: dict[str, list[dict[str, Any] | str]] = {tool.name: [] for tool in tools}
        for _ in range(ROUNDS[size]):
            for tool in tools:
                found[tool.name].append(_run(tool, pythons[tool.name], items))
        figures += [_figure(tool, found[tool.name], items) for tool in tools]
    return figures


def _figure(tool: Tool, rounds: Sequence[dict[str, Any] | str], items: int) -> Figure:
    name = f"{tool.name}, {items:,} items, per CPU second"
    done = [figures for figures in rounds if not isinstance(figures, str)]
    if len(done) < len(rounds):
        reason = next(outcome for outcome in rounds if isinstance(outcome, str))
        return Figure(name, None, "items/s", note=reason)
    cpu = statistics.median(one["items"] / one["cpu_seconds"] for one in done)
    clock = statistics.median(one["items"] / one["seconds"] for one in done)
    note = f"{done[0]['version']}; {clock:,.0f} items/s of the clock; stores {tool.stores}"
    return Figure(name, cpu, "items/s", note=note)


def python_or_reason(tool: Tool, folder: Path) -> Path | str:
    try:
        return _python(tool, folder)
    except CannotRunError as why:
        return f"cannot be installed here: {why}"


def _python(tool: Tool, folder: Path) -> Path:
    """The interpreter that has the tool; installs it where it is not there yet."""
    if tool.package is None:
        return Path(sys.executable)
    home = folder / tool.package
    python = home / "bin" / "python"
    code = f"import importlib.metadata; importlib.metadata.version({tool.package!r})"
    if python.exists() and subprocess.run([python, "-c", code], capture_output=True).returncode == 0:
        return python
    venv.create(home, with_pip=True, clear=True)
    _finished([python, "-m", "pip", "install", "--quiet", tool.package])
    return python


def _run(tool: Tool, python: Path | str, items: int) -> dict[str, Any] | str:
    """What the tool's script reports, or why there is nothing."""
    if isinstance(python, str):
        return python
    try:
        said = _finished([python, SCRIPTS / tool.script, str(items), *tool.options])
    except CannotRunError as why:
        return f"cannot be run here: {why}"
    result: dict[str, Any] = json.loads(said.strip().splitlines()[-1])
    return result if result["mean"] == 0.5 else f"cannot be compared: its mean is {result['mean']} and not 0.5"


def _finished(command: Sequence[Path | str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_SECONDS)
    except subprocess.TimeoutExpired:
        raise CannotRunError(f"it took longer than {LONGEST_SECONDS} s") from None
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or [f"it ended with {done.returncode}"]
        raise CannotRunError(last[0][:300])
    return done.stdout


if __name__ == "__main__":
    raise SystemExit("python -m bench.speed.sdk --rivals runs this")
