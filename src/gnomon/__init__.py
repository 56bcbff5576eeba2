"""Gnomon turns what AI applications and agents did into measurements that can be trusted."""

from typing import TYPE_CHECKING, Any

from gnomon._version import __version__

if TYPE_CHECKING:
    from gnomon.client import AsyncClient, Client
    from gnomon.service.aggregate import aggregate

__all__ = ["AsyncClient", "Client", "__version__", "aggregate"]

_WHERE = {
    "AsyncClient": "gnomon.client",
    "Client": "gnomon.client",
    "aggregate": "gnomon.service.aggregate",
}


def __getattr__(name: str) -> Any:
    """Load what is asked for when it is asked for: importing gnomon stays quick."""
    if name not in _WHERE:
        raise AttributeError(f"module 'gnomon' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_WHERE[name]), name)
