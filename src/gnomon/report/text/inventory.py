"""Lists of what is stored, as tables: projects, datasets, experiments, scorers, judges, traces and more.

The name by which a command or a tool takes a thing comes first; an id that is needed more rarely, last.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from gnomon.model.card import Judge
from gnomon.model.conversation import Conversation
from gnomon.model.dataset import Dataset, DatasetRow
from gnomon.model.experiment import Experiment
from gnomon.model.experimentrow import ExperimentRow
from gnomon.model.outcome import Iteration
from gnomon.model.review import ProjectSummary
from gnomon.model.scorerlist import ScorerInUse
from gnomon.model.trace import Project, TraceRow
from gnomon.report.text.drawing import clean, number, table
from gnomon.shorten import shorten

if TYPE_CHECKING:
    from rich.table import Table

_NAME = 80
"""The longest name that is shown whole."""
_DESCRIPTION = 50


def short(text: str) -> str:
    """A name from outside, on one line."""
    return shorten(clean(text), _NAME)


def projects(rows: Sequence[Project], summaries: Mapping[str, ProjectSummary]) -> "Table":
    drawn = table(
        "project", "name", "experiments", "traces in 7 days", "created", right=("experiments", "traces in 7 days")
    )
    for row in rows:
        summary = summaries[row.id]
        counts = summary.experiments
        experiment_count = counts.created_count + counts.running_count + counts.completed_count
        drawn.add_row(
            row.id, short(row.name), f"{experiment_count:,}", f"{summary.traces.last_7d.count:,}", day(row.created_at)
        )
    return drawn


def datasets(rows: Sequence[Dataset | DatasetRow]) -> "Table":
    drawn = table(
        "dataset", "items", "version", "experiments", "description", "changed", "project", "id",
        right=("items", "version", "experiments"),
    )  # fmt: skip
    for row in rows:
        used = f"{row.experiment_count:,}" if isinstance(row, DatasetRow) else ""
        about = shorten(clean(row.description or ""), _DESCRIPTION)
        drawn.add_row(
            short(row.name), f"{row.item_count:,}", str(row.version), used, about,
            day(row.updated_at), row.project_id, row.id,
        )  # fmt: skip
    return with_content(drawn)


def experiments(rows: Sequence[Experiment | ExperimentRow], *, from_newest: bool) -> "Table":
    """Newest first. Where the list begins with the newest of every name, `at` says how `--at` names the earlier ones
    with runs."""
    drawn = table(
        "experiment", "at", "status", "runs", "commit", "branch", "created", "project", "id", right=("runs",)
    )  # fmt: skip
    seen: Counter[tuple[str, str]] = Counter()
    for row in rows:
        commit, branch = made_at(row)
        key = (row.project_id, row.name)
        at = f"~{seen[key]}" if from_newest and row.run_count and seen[key] else ""
        seen[key] += row.run_count > 0
        drawn.add_row(
            short(row.name), at, row.status, _runs(row), commit, branch, minute(row.created_at), row.project_id, row.id
        )
    return with_content(drawn)


def _runs(row: Experiment | ExperimentRow) -> str:
    """How many there are, of how many there should be where some are missing."""
    expected = row.summary.expected_run_count if isinstance(row, ExperimentRow) and row.summary else row.run_count
    return f"{row.run_count:,} of {expected:,}" if row.run_count < expected else f"{row.run_count:,}"


def made_at(experiment: Experiment) -> tuple[str, str]:
    """Short commit (with a + where files were changed) and branch, as the metadata says; empty when it does not."""
    state: Any = (experiment.metadata or {}).get("gnomon")
    state = state.get("git") if isinstance(state, dict) else None
    if not isinstance(state, dict):
        return "", ""
    commit, branch = state.get("commit"), state.get("branch")
    changed = "+" if state.get("dirty") is True else ""
    return (
        f"{clean(commit)[:10]}{changed}" if isinstance(commit, str) else "",
        short(branch) if isinstance(branch, str) else "",
    )


def scorers(rows: Sequence[tuple[str, ScorerInUse]]) -> "Table":
    """Each with its project."""
    drawn = table("scorer", "scores", "gives", "about", "scored by", "last used", "project", right=("scores",))
    for project, row in rows:
        by = " and ".join(["a model"] * row.is_judge + ["people"] * row.is_human)
        drawn.add_row(
            short(row.name), f"{row.n:,}", row.gives, ", ".join(f"{kind}s" for kind in row.target_types), by,
            day(row.last_used), project,
        )  # fmt: skip
    return with_content(drawn)


def judges(rows: Sequence[tuple[str, Judge]]) -> "Table":
    """Each with its project."""
    right = ("scores", "agrees with people", "USD")
    drawn = table(
        "judge", "model", "scores", "agrees with people", "USD", "config_hash", "last used", "project", right=right
    )
    for project, row in rows:
        agreement = None if row.agreement is None else row.agreement.raw.value
        drawn.add_row(
            short(row.scorer_name), short(row.model or "unknown"), f"{row.scores:,}",
            "no labels" if row.agreement is None else "-" if agreement is None else f"{agreement:.0%}",
            "unknown" if row.cost_usd is None else f"{row.cost_usd:.2g}", row.config_hash, day(row.last_used), project,
        )  # fmt: skip
    return with_content(drawn)


def traces(rows: Sequence[TraceRow]) -> "Table":
    drawn = table(
        "trace", "name", "received", "ms", "tokens", "spans", "error", "project", right=("ms", "tokens", "spans")
    )
    for row in rows:
        drawn.add_row(
            clean(row.id), short(row.name or "(no root span yet)"), second(row.created_at),
            milliseconds(row.duration_ms), f"{row.tokens:,}", f"{row.span_count:,}", "error" if row.has_error else "",
            row.project_id,
        )  # fmt: skip
    return with_content(drawn)


def conversations(rows: Sequence[Conversation]) -> "Table":
    drawn = table(
        "conversation", "began", "turns", "tokens", "errors", "project", right=("turns", "tokens", "errors")
    )  # fmt: skip
    for row in rows:
        began = row.started_at or row.created_at
        drawn.add_row(
            short(row.id), second(began), f"{row.trace_count:,}", f"{row.tokens:,}", f"{row.error_count:,}",
            row.project_id,
        )  # fmt: skip
    return with_content(drawn)


def iterations(rows: Sequence[Iteration]) -> "Table":
    drawn = table("iteration", "source", "score", "band", "evidence", "task", "commit", "claimed too much", "project",
                  "id", right=("iteration", "score", "evidence"))  # fmt: skip
    for row in rows:
        band = f"{short(row.band)}{' (provisional)' if row.provisional else ''}"
        drawn.add_row(
            str(row.iteration), short(row.source), number(row.value), band, f"{row.coverage:.0%}",
            short(row.task_id or ""), short(row.commit or "")[:10], _overclaims(row), row.project_id, row.id,
        )  # fmt: skip
    return with_content(drawn)


def _overclaims(iteration: Iteration) -> str:
    return ", ".join(
        f"{pair.role} on {short(pair.signal)} {pair.delta:+z.2f}" for pair in iteration.integrity if pair.delta < 0
    )  # fmt: skip


def with_content(drawn: "Table") -> "Table":
    """The table without empty columns, and without the project where all rows have the same."""
    alike = {str(column.header) for column in drawn.columns if len(set(column.cells)) == 1}
    empty = {str(column.header) for column in drawn.columns if not any(column.cells)}
    return without(drawn, empty | (alike & {"project"}))


def without(drawn: "Table", names: Collection[str]) -> "Table":
    """The table without the columns of these names."""
    kept = [column for column in drawn.columns if column.header not in names]
    right = [str(column.header) for column in kept if column.justify == "right"]
    narrowed = table(*(str(column.header) for column in kept), right=right)
    for cells in zip(*(column.cells for column in kept), strict=True):
        narrowed.add_row(*cells)
    return narrowed


def day(at: datetime) -> str:
    return f"{at:%Y-%m-%d}"


def minute(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M}"


def second(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S}"


def milliseconds(duration: float | None) -> str:
    return "?" if duration is None else f"{duration:,.0f}"
