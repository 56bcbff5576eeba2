"""Signals of a rubric of your own: numbers in `iter-N.signals.yaml`, by the id that the rubric gives them.

signals:
    coverage: 0.82
    design_review: {value: 0.5, detail: two open remarks}
"""

import math
from collections.abc import Iterable
from pathlib import Path

from gnomon.model.outcome import SignalValue, absent_signal, present_signal
from gnomon.model.yamltree import BadYaml, Mapping, Node, Scalar, read
from gnomon.outcome.regular import read_regular

_LARGEST_FILE = 2**20


def own_signals_path(directory: str | Path, iteration: int) -> Path:
    return Path(directory) / f"iter-{iteration}.signals.yaml"


def extract_own_signals(directory: str | Path, iteration: int, ids: Iterable[str]) -> dict[str, SignalValue]:
    """The signals that the file gives for these ids; each id without a number is absent, with the reason."""
    path = own_signals_path(directory, iteration)
    try:
        root = read(read_regular(path, _LARGEST_FILE, within=path.parent))
        signals = root.items.get("signals") if isinstance(root, Mapping) else None
        if not isinstance(signals, Mapping):
            raise BadYaml("it has no mapping `signals`")
    except FileNotFoundError:
        return {id: absent_signal(f"no {path.name}") for id in ids}
    except (OSError, BadYaml) as bad:
        words = (bad.strerror or str(bad)) if isinstance(bad, OSError) else str(bad)
        return {id: absent_signal(f"cannot read {path.name}: {words}") for id in ids}
    return {id: _signal(signals.items.get(id), path.name) for id in ids}


def _signal(node: Node | None, source: str) -> SignalValue:
    detail = ""
    if isinstance(node, Mapping):
        detail_node = node.items.get("detail")
        detail = detail_node.text if isinstance(detail_node, Scalar) and not detail_node.null else ""
        node = node.items.get("value")
    if node is None or (isinstance(node, Scalar) and node.null):
        return absent_signal(detail or f"{source} says nothing of it")
    try:
        value = float(node.text) if isinstance(node, Scalar) else math.nan
    except ValueError:
        value = math.nan
    if not 0 <= value <= 1:
        return absent_signal(f"{source}, line {node.line}: not a number from 0 to 1")
    return present_signal(value, detail or f"from {source}")
