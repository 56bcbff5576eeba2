"""The only room that prints: nouns as tables for people, or as JSON for programs.

pen.py          how anything is written: lines, JSON, tables, whiskers, progress
calibration.py  a judge held against people
drift.py        has a scorer's mean moved
experiments.py  summaries, comparisons, gates
export.py       what an export wrote
house.py        the server, its keys, this machine
importing.py    what an import of other tools' results came to
leaderboard.py  leaderboards
lint.py         what is wrong with a table
plan.py         how many items and trials it takes
"""

from gnomon.cli.show.calibration import calibration
from gnomon.cli.show.drift import drift
from gnomon.cli.show.experiments import comparison, decision, file_scores, gates, summary
from gnomon.cli.show.export import exported, exporting, sent
from gnomon.cli.show.house import checked, demo, findings, keys, listening, login_link, new_key
from gnomon.cli.show.importing import imported
from gnomon.cli.show.leaderboard import leaderboard
from gnomon.cli.show.lint import linted
from gnomon.cli.show.pen import json, json_line, line, prepare, problem, progress, steps
from gnomon.cli.show.plan import planned

__all__ = [
    "calibration", "checked", "comparison", "decision", "demo", "drift", "exported", "exporting", "file_scores",
    "findings", "gates", "imported", "json", "json_line", "keys", "leaderboard", "line", "linted", "listening",
    "login_link", "new_key", "planned", "prepare", "problem", "progress", "sent", "steps", "summary",
]  # fmt: skip
