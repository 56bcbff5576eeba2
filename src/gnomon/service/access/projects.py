"""Projects: list, make, and the few numbers that say how one is doing."""

import math
from datetime import timedelta

from gnomon.errors import Conflict, Forbidden, InvalidInput, NotFound
from gnomon.model.access import Principal
from gnomon.model.moment import to_ms
from gnomon.model.review import (
    CompletedExperiment,
    ExperimentCounts,
    ProjectSummary,
    QueueCounts,
    TraceWindow,
    TraceWindows,
)
from gnomon.model.trace import Deleted, Project, ProjectDraft
from gnomon.service.analysis import summarize
from gnomon.service.analysis.aggregate import shown
from gnomon.service.call import Call, Listing, listing
from gnomon.stats.describe import round_shown
from gnomon.stats.interval import wilson
from gnomon.stats.tails import t_critical
from gnomon.store import projects as store
from gnomon.store import removals, reviewcards, reviews
from gnomon.store.pages import Slice
from gnomon.store.rows import ExperimentTableRow, ProjectRow

_ROUNDING = 1e-12
"""Of the mean square: a spread this small is what floats leave between equal durations."""


def may_create(principal: Principal) -> None:
    """A key of one project makes no others."""
    if principal.project_id is not None:
        raise Forbidden(f"this key is bound to project {principal.project_id!r}; a new project needs an unbound key")


def create(call: Call, draft: ProjectDraft) -> Project:
    may_create(call.principal)
    row = ProjectRow(id=draft.id, name=draft.name or draft.id, created_at=call.clock.now())
    if not store.add(call.db, row):
        raise Conflict(f"there is a project {draft.id!r} already; choose another id")
    return _noun(row)


def get(call: Call, id: str) -> Project:
    row = store.get(call.db, id) if call.principal.sees(id) else None
    if row is None:
        raise NotFound(f"project {id!r} does not exist")
    return _noun(row)


def delete(call: Call, id: str, confirm: str | None) -> Deleted:
    """Delete a project with everything in it. `confirm` repeats its id, as a guard against slips."""
    get(call, id)
    if confirm != id:
        confirmation = "is missing" if confirm is None else f"is {confirm!r}"
        message = f"confirm {confirmation}; deleting a project cannot be undone, so repeat its id: confirm={id}"
        raise InvalidInput.of("confirm", message)
    removals.remove_project(call.db, id, call.clock.now())
    return Deleted(id=id)


def all_of(call: Call, page: Slice) -> Listing[Project]:
    """Newest first; a key that is bound to a project sees that one only."""
    rows = store.page(call.db, page, call.principal.project_id)
    return listing(rows, page, _noun, lambda row: (to_ms(row.created_at), row.id))


def summary(call: Call, id: str) -> ProjectSummary:
    get(call, id)
    waiting = reviewcards.counts(call.db, id, reviewcards.reviews_wanted(call.db, id), None)
    return ProjectSummary(
        project_id=id,
        traces=TraceWindows(
            last_24h=_window(call, id, timedelta(hours=24)), last_7d=_window(call, id, timedelta(days=7))
        ),
        experiments=_experiments(call, id),
        queue=QueueCounts(
            pending_count=waiting.pending,
            annotated_count=waiting.annotated,
        ),
    )


def _window(call: Call, project_id: str, length: timedelta) -> TraceWindow:
    sums = reviews.trace_sums(call.db, project_id, call.clock.now() - length)
    return TraceWindow(
        count=sums.traces,
        error_count=sums.error_count,
        error_rate=round(sums.error_count / sums.traces, 3) if sums.traces else 0.0,
        error_rate_ci_95=shown(wilson(sums.error_count, sums.traces)) if sums.traces else None,
        avg_duration_ms=round_shown(sums.avg_duration_ms),
        avg_duration_ci_95_ms=duration_interval(sums.timed, sums.avg_duration_ms, sums.squared_ms),
    )


def duration_interval(n: int, mean: float | None, squares: float | None) -> tuple[float, float] | None:
    """Where the mean duration lies; of two root spans at least, and never below 0. Equal durations have none."""
    if n < 2 or mean is None or squares is None:
        return None
    spread = squares - mean * mean
    if spread <= _ROUNDING * squares:
        return None
    reach = t_critical(n - 1) * math.sqrt(spread / (n - 1))
    return round_shown(max(0.0, mean - reach)), round_shown(mean + reach)


def _experiments(call: Call, project_id: str) -> ExperimentCounts:
    by_status = reviews.experiment_counts(call.db, project_id)
    last = reviews.last_completed(call.db, project_id)
    return ExperimentCounts(
        created_count=by_status.get("created", 0),
        running_count=by_status.get("running", 0),
        completed_count=by_status.get("completed", 0),
        most_recent_completed=None if last is None else _completed(call, last),
    )


def _completed(call: Call, row: ExperimentTableRow) -> CompletedExperiment:
    scorers = summarize.summary(call, row.id).scores_by_scorer
    return CompletedExperiment(
        id=row.id,
        name=row.name,
        completed_at=row.completed_at,
        mean_by_scorer={
            name: scorer_summary.mean for name, scorer_summary in scorers.items() if scorer_summary.mean is not None
        },
        ci_95_by_scorer={
            name: scorer_summary.confidence_interval_95
            for name, scorer_summary in scorers.items()
            if scorer_summary.confidence_interval_95 is not None
        },
    )


def _noun(row: ProjectRow) -> Project:
    return Project(id=row.id, name=row.name, created_at=row.created_at)
