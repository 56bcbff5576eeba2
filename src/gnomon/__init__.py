"""Gnomon turns what AI applications and agents did into measurements that can be trusted."""

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from gnomon._version import __version__

if TYPE_CHECKING:
    from gnomon.client import AsyncClient, Client
    from gnomon.scorers import Absent, Sample, Scored
    from gnomon.sdk.comparing import ComparisonResult, compare
    from gnomon.sdk.connection import configure
    from gnomon.sdk.datasets import DatasetHandle, dataset
    from gnomon.sdk.evaluating import aevaluate, evaluate, rescore
    from gnomon.sdk.exporting import flush
    from gnomon.sdk.gating import decided, gate
    from gnomon.sdk.instrumenting import instrument
    from gnomon.sdk.leaderboards import LeaderboardResult, leaderboard
    from gnomon.sdk.result import EvaluationResult, experiment
    from gnomon.sdk.scorers import (
        choice,
        contains,
        contains_all,
        contains_any,
        exact_match,
        f1,
        json_match,
        json_schema,
        llm_judge,
        numeric,
        one_of,
        regex,
        rubric,
        scorer,
        similarity,
        tool_calls,
    )
    from gnomon.sdk.spans import current_span, score, span
    from gnomon.sdk.tasks import command, http, model
    from gnomon.sdk.tracing import trace
    from gnomon.service.analysis.aggregate import aggregate
    from gnomon.service.bench.benchmark import BenchmarkRuns, rank_runs, run_benchmark, score_runs
    from gnomon.service.evaluation.engine import EvaluationStopped
    from gnomon.service.evaluation.suites.declared import Eval

__all__ = [
    "Absent",
    "AsyncClient",
    "BenchmarkRuns",
    "Client",
    "ComparisonResult",
    "DatasetHandle",
    "Eval",
    "EvaluationResult",
    "EvaluationStopped",
    "LeaderboardResult",
    "Sample",
    "Scored",
    "__version__",
    "aevaluate",
    "aggregate",
    "choice",
    "command",
    "compare",
    "configure",
    "contains",
    "contains_all",
    "contains_any",
    "current_span",
    "dataset",
    "decided",
    "evaluate",
    "exact_match",
    "experiment",
    "f1",
    "flush",
    "gate",
    "http",
    "instrument",
    "json_match",
    "json_schema",
    "leaderboard",
    "llm_judge",
    "model",
    "numeric",
    "one_of",
    "rank_runs",
    "regex",
    "rescore",
    "rubric",
    "run_benchmark",
    "score",
    "score_runs",
    "scorer",
    "similarity",
    "span",
    "tool_calls",
    "trace",
]

_WHERE = {
    "Absent": "gnomon.scorers",
    "AsyncClient": "gnomon.client",
    "BenchmarkRuns": "gnomon.service.bench.benchmark",
    "Client": "gnomon.client",
    "ComparisonResult": "gnomon.sdk.comparing",
    "DatasetHandle": "gnomon.sdk.datasets",
    "Eval": "gnomon.service.evaluation.suites.declared",
    "EvaluationResult": "gnomon.sdk.result",
    "EvaluationStopped": "gnomon.service.evaluation.engine",
    "LeaderboardResult": "gnomon.sdk.leaderboards",
    "Sample": "gnomon.scorers",
    "Scored": "gnomon.scorers",
    "aevaluate": "gnomon.sdk.evaluating",
    "aggregate": "gnomon.service.analysis.aggregate",
    "choice": "gnomon.sdk.scorers",
    "command": "gnomon.sdk.tasks",
    "compare": "gnomon.sdk.comparing",
    "configure": "gnomon.sdk.connection",
    "contains": "gnomon.sdk.scorers",
    "contains_all": "gnomon.sdk.scorers",
    "contains_any": "gnomon.sdk.scorers",
    "current_span": "gnomon.sdk.spans",
    "dataset": "gnomon.sdk.datasets",
    "decided": "gnomon.sdk.gating",
    "evaluate": "gnomon.sdk.evaluating",
    "exact_match": "gnomon.sdk.scorers",
    "experiment": "gnomon.sdk.result",
    "f1": "gnomon.sdk.scorers",
    "flush": "gnomon.sdk.exporting",
    "gate": "gnomon.sdk.gating",
    "http": "gnomon.sdk.tasks",
    "instrument": "gnomon.sdk.instrumenting",
    "json_match": "gnomon.sdk.scorers",
    "json_schema": "gnomon.sdk.scorers",
    "leaderboard": "gnomon.sdk.leaderboards",
    "llm_judge": "gnomon.sdk.scorers",
    "model": "gnomon.sdk.tasks",
    "numeric": "gnomon.sdk.scorers",
    "one_of": "gnomon.sdk.scorers",
    "rank_runs": "gnomon.service.bench.benchmark",
    "regex": "gnomon.sdk.scorers",
    "rescore": "gnomon.sdk.evaluating",
    "rubric": "gnomon.sdk.scorers",
    "run_benchmark": "gnomon.service.bench.benchmark",
    "score": "gnomon.sdk.spans",
    "score_runs": "gnomon.service.bench.benchmark",
    "scorer": "gnomon.sdk.scorers",
    "similarity": "gnomon.sdk.scorers",
    "span": "gnomon.sdk.spans",
    "tool_calls": "gnomon.sdk.scorers",
    "trace": "gnomon.sdk.tracing",
}


def __getattr__(name: str) -> Any:
    """Load what is asked for when it is asked for: importing gnomon stays quick."""
    if name not in _WHERE:
        raise AttributeError(f"module 'gnomon' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_WHERE[name]), name)


class _Package(ModuleType):
    """`model` is a function of ours and a package inside of this one, which Python puts in the function's place."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "model" and isinstance(value, ModuleType):
            value.__class__ = _CallableModel
        super().__setattr__(name, value)


class _CallableModel(ModuleType):
    """The package `gnomon.model`, called as the function of that name."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return __getattr__("model")(*args, **kwargs)


sys.modules[__name__].__class__ = _Package
