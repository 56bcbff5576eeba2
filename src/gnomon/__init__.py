"""Gnomon turns what AI applications and agents did into measurements that can be trusted."""

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from gnomon._version import __version__

if TYPE_CHECKING:
    from gnomon.client import AsyncClient, Client
    from gnomon.scorers import Absent, Sample, Scored
    from gnomon.sdk.connection import configure
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
    from gnomon.sdk.tasks import command, http, model
    from gnomon.service.aggregate import aggregate

__all__ = [
    "Absent",
    "AsyncClient",
    "Client",
    "Sample",
    "Scored",
    "__version__",
    "aggregate",
    "choice",
    "command",
    "configure",
    "contains",
    "contains_all",
    "contains_any",
    "exact_match",
    "f1",
    "http",
    "json_match",
    "json_schema",
    "llm_judge",
    "model",
    "numeric",
    "one_of",
    "regex",
    "rubric",
    "scorer",
    "similarity",
    "tool_calls",
]

_WHERE = {
    "Absent": "gnomon.scorers",
    "AsyncClient": "gnomon.client",
    "Client": "gnomon.client",
    "Sample": "gnomon.scorers",
    "Scored": "gnomon.scorers",
    "aggregate": "gnomon.service.aggregate",
    "choice": "gnomon.sdk.scorers",
    "command": "gnomon.sdk.tasks",
    "configure": "gnomon.sdk.connection",
    "contains": "gnomon.sdk.scorers",
    "contains_all": "gnomon.sdk.scorers",
    "contains_any": "gnomon.sdk.scorers",
    "exact_match": "gnomon.sdk.scorers",
    "f1": "gnomon.sdk.scorers",
    "http": "gnomon.sdk.tasks",
    "json_match": "gnomon.sdk.scorers",
    "json_schema": "gnomon.sdk.scorers",
    "llm_judge": "gnomon.sdk.scorers",
    "model": "gnomon.sdk.tasks",
    "numeric": "gnomon.sdk.scorers",
    "one_of": "gnomon.sdk.scorers",
    "regex": "gnomon.sdk.scorers",
    "rubric": "gnomon.sdk.scorers",
    "scorer": "gnomon.sdk.scorers",
    "similarity": "gnomon.sdk.scorers",
    "tool_calls": "gnomon.sdk.scorers",
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
