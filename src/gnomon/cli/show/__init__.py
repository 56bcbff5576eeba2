"""The only room that prints: nouns as tables for people, or as JSON for programs.

pen.py          how anything is written: lines, JSON, tables, whiskers, progress
experiments.py  summaries, comparisons, gates
house.py        the server, its keys, this machine
"""

from gnomon.cli.show.experiments import comparison, decision, file_scores, summary, verdict
from gnomon.cli.show.house import checked, demo, findings, keys, listening, new_key
from gnomon.cli.show.pen import json, json_line, line, prepare, problem, progress

__all__ = [
    "checked", "comparison", "decision", "demo", "file_scores", "findings", "json", "json_line", "keys", "line",
    "listening", "new_key", "prepare", "problem", "progress", "summary", "verdict",
]  # fmt: skip
