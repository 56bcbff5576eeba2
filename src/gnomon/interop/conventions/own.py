"""Gnomon's own attributes, which its SDK sets. They win over all others: the program said what it means."""

from gnomon.interop.conventions.bodies import json
from gnomon.interop.conventions.convention import Convention, Row

INPUT, OUTPUT = "gnomon.input", "gnomon.output"
"""JSON text."""

CONVENTION = Convention(
    title="Gnomon",
    source="docs/tracing/trace.md",
    rows=(Row(INPUT, "input", json), Row(OUTPUT, "output", json)),
)
