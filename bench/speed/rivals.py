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


TOOLS = (
    Tool("Gnomon with traces", None, "run_gnomon.py", "dataset, runs, scores, a trace per run; SQLite, flushed"),
    Tool("Gnomon without", None, "run_gnomon.py", "dataset, runs, scores; SQLite, flushed", ["plain"]),
    Tool("pydantic-evals", "pydantic-evals", "run_pydantic_evals.py", "nothing"),
    Tool("Phoenix", "arize-phoenix", "run_phoenix.py", "dataset, runs, scores, traces; SQLite, not flushed"),
    Tool("MLflow", "mlflow", "run_mlflow.py", "a trace with its scores per run; SQLite"),
)


class CannotRunError(Exception):
    """Why a tool has no figure."""


def usual_folder() -> Path:
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "gnomon" / "rivals"


def measure(folder: Path, size: str) -> list[Figure]:
    """A figure per tool: the median of its rounds."""
    pythons: dict[str, Path] = {}
    reasons: dict[str, str] = {}
    for tool in TOOLS:
        try:
            pythons[tool.name] = _python(tool, folder)
        except CannotRunError as why:
            reasons[tool.name] = f"cannot be installed here: {why}"
    found: dict[str, list[dict[str, Any]]] = {tool.name: [] for tool in TOOLS}
    for _ in range(ROUNDS[size]):
        for tool in TOOLS:
            if tool.name not in reasons:
                try:
                    found[tool.name].append(_run(tool, pythons[tool.name], ITEMS[size]))
                except CannotRunError as why:
                    reasons[tool.name] = f"cannot be run here: {why}"
    return [_figure(tool, found[tool.name], reasons.get(tool.name), ITEMS[size]) for tool in TOOLS]


def _figure(tool: Tool, rounds: Sequence[dict[str, Any]], reason: str | None, items: int) -> Figure:
    if reason is not None:
        return Figure(f"{tool.name}, {items:,} items, per CPU second", None, "items/s", note=reason)
    cpu = statistics.median(one["items"] / one["cpu_seconds"] for one in rounds)
    clock = statistics.median(one["items"] / one["seconds"] for one in rounds)
    note = f"{rounds[0]['version']}; {clock:,.0f} items/s of the clock; stores {tool.stores}"
    return Figure(f"{tool.name}, {items:,} items, per CPU second", cpu, "items/s", note=note)


def _python(tool: Tool, folder: Path) -> Path:
    """The interpreter that has the tool; installs it where it is not there yet."""
    if tool.package is None:
        return Path(sys.executable)
    home = folder / tool.package
    python = home / "bin" / "python"
    asked = f"import importlib.metadata; importlib.metadata.version({tool.package!r})"
    if python.exists() and subprocess.run([python, "-c", asked], capture_output=True).returncode == 0:
        return python
    venv.create(home, with_pip=True, clear=True)
    _finished([python, "-m", "pip", "install", "--quiet", tool.package])
    return python


def _run(tool: Tool, python: Path, items: int) -> dict[str, Any]:
    said = _finished([python, SCRIPTS / tool.script, str(items), *tool.options])
    told: dict[str, Any] = json.loads(said.strip().splitlines()[-1])
    if told["mean"] != 0.5:
        raise CannotRunError(f"its mean is {told['mean']} and not 0.5")
    return told


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
