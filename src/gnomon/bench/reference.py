"""What the reference agents of all families share: their results are known in advance, and they need no network."""

import hashlib
import re
from collections.abc import Sequence

from gnomon.errors import InvalidInput


def unknown_reference(name: str, known: Sequence[str]) -> InvalidInput:
    """What a family says to a name that none of its reference agents has."""
    message = f"agent 'reference:{name[:60]}' does not exist; there are {', '.join(known)} (N a number, P from 0 to 1)"
    return InvalidInput.of("agent", message, code="INVALID_AGENT")


def flaky_share(name: str) -> float | None:
    """P of `flaky:P`, in how many of its runs it does its work; None for another name."""
    flaky = re.fullmatch(r"flaky:([01]|0?\.\d{1,9}|[01]\.\d{1,9})", name)
    share = float(flaky[1]) if flaky else None
    return share if share is not None and share <= 1 else None


def drawn(name: str, run_number: int) -> float:
    """A number from 0 to 1 that is the same everywhere."""
    digest = hashlib.sha256(f"{name}/{run_number}".encode()).digest()
    return int.from_bytes(digest[:6], "big") / (1 << 48)
