"""The only package that prints: nouns as tables for people, or as JSON for programs.

pen.py          how anything is written: lines, JSON, tables, whiskers
progress.py     how far a long command is
calibration.py  a judge's agreement with human labels
drift.py        has a scorer's mean moved
evals.py        what `gnomon eval` ran, or would run
experiments.py  summaries, comparisons, gates
export.py       what an export wrote
server.py       the server, its keys, this machine
importing.py    what an import of other tools' results came to
leaderboard.py  leaderboards
lint.py         what is wrong with a table
plan.py         how many items and trials it takes
"""

from gnomon.cli.show.calibration import calibration
from gnomon.cli.show.drift import drift
from gnomon.cli.show.evals import (
    cannot_run,
    eval_json,
    eval_preview,
    eval_report,
    first_suite,
    skipped_files,
    worse_items,
    worse_json,
)
from gnomon.cli.show.experiments import comparison, decision, file_notes, file_scores, gates, page, shared_link, summary
from gnomon.cli.show.export import exported, exporting, sent
from gnomon.cli.show.importing import imported
from gnomon.cli.show.leaderboard import leaderboard
from gnomon.cli.show.lint import linted
from gnomon.cli.show.pen import cannot_write_stdout, json, json_line, json_members, line, parts, prepare, problem
from gnomon.cli.show.plan import planned
from gnomon.cli.show.progress import progress
from gnomon.cli.show.server import (
    checked,
    deletion,
    demo,
    findings,
    keys,
    listening,
    login_link,
    new_key,
    prune_preview,
    pruned,
    review_link,
    version,
)

__all__ = [
    "calibration", "cannot_run", "cannot_write_stdout", "checked", "comparison", "decision", "deletion", "demo",
    "drift", "eval_json", "eval_preview", "eval_report", "exported", "exporting", "file_notes", "file_scores",
    "findings", "first_suite", "gates", "imported", "json", "json_line", "json_members", "keys", "leaderboard",
    "line", "linted", "listening", "login_link", "new_key", "page", "parts", "planned", "prepare", "problem",
    "progress", "prune_preview", "pruned", "review_link", "sent", "shared_link", "skipped_files", "summary",
    "version", "worse_items", "worse_json",
]  # fmt: skip
