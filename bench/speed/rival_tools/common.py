"""What every tool's script shares: the items, the task, two scorers, and one way to report.

These scripts run in environments where Gnomon is not installed, so nothing here imports it.
"""

import importlib.metadata
import json
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

WARM_UP = 20


def items(count: int) -> list[dict[str, str]]:
    """Every second expected output differs from what the task returns."""
    return [{"input": f"question {n}", "expected_output": f"question {n // 2 * 2}"} for n in range(count)]


def exact_match(output: str, expected_output: str) -> float:
    return float(output == expected_output)


def contains(output: str, expected_output: str) -> float:
    return float(expected_output in output)


def report(
    package: str, evaluate: Callable[[list[dict[str, str]]], float], more_cpu: Callable[[], float] = lambda: 0.0
) -> None:
    """Evaluate a few items once, so that imports and tables are there, then all of them; print what it took.

    `evaluate` returns the mean of exact_match, which has to be a half. `more_cpu` is that of the tool's other process.
    """
    evaluate(items(WARM_UP))
    count = int(sys.argv[1])
    data = items(count)
    began, computed = time.perf_counter(), _cpu() + more_cpu()
    mean = evaluate(data)
    seconds, computed = time.perf_counter() - began, _cpu() + more_cpu() - computed
    fields: dict[str, Any] = {"version": importlib.metadata.version(package), "items": count, "mean": mean}
    print(json.dumps({**fields, "seconds": seconds, "cpu_seconds": computed}))


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
