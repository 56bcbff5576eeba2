"""Gnomon turns what AI applications and agents did into measurements that can be trusted."""

from gnomon._version import __version__

__all__ = ["__version__"]
