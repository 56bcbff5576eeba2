"""A project's front page: a fixed number of queries, whatever is stored."""

from datetime import timedelta

from gnomon.model.dashboard import (
    Dashboard,
    DriftAlarms,
    LastCompleted,
    StatusCounts,
    TraceFigures,
    Window,
    WindowCost,
)
from gnomon.model.drift import DriftOptions
from gnomon.model.review import QueueCounts
from gnomon.service.access import projects
from gnomon.service.analysis import drift, summarize
from gnomon.service.analysis.aggregate import shown
from gnomon.service.call import Call
from gnomon.service.experiments import datasets, experiments
from gnomon.stats.describe import round_shown
from gnomon.stats.interval import wilson
from gnomon.store import reviewcards, reviews
from gnomon.store.reviews import TraceSums

WINDOWS: dict[Window, timedelta] = {"24h": timedelta(hours=24), "7d": timedelta(days=7), "30d": timedelta(days=30)}
SHOWN_DATASETS = 5


def of_project(call: Call, project_id: str, window: Window) -> Dashboard:
    project = projects.get(call, project_id)
    after = call.clock.now() - WINDOWS[window]
    by_status = reviews.experiment_counts(call.db, project_id)
    waiting = reviewcards.counts(call.db, project_id, reviewcards.reviews_wanted(call.db, project_id), None)
    return Dashboard(
        project=project,
        window=window,
        after=after,
        traces=_traces(reviews.trace_sums(call.db, project_id, after)),
        experiments=StatusCounts(
            created_count=by_status.get("created", 0),
            running_count=by_status.get("running", 0),
            completed_count=by_status.get("completed", 0),
        ),
        last_completed=_last_completed(call, project_id),
        queue=QueueCounts(
            pending_count=waiting.pending,
            annotated_count=waiting.annotated,
        ),
        datasets=datasets.last_changed(call, project_id, SHOWN_DATASETS),
        drift=_drift(call, project_id),
    )


def _traces(sums: TraceSums) -> TraceFigures:
    count, errors = sums.traces, sums.error_count
    return TraceFigures(
        count=count,
        error_count=errors,
        error_rate=round_shown(errors / count) if count else None,
        error_rate_ci_95=shown(wilson(errors, count)) if count else None,
        timed_count=sums.timed,
        mean_duration_ms=round_shown(sums.avg_duration_ms),
        mean_duration_ci_95_ms=projects.duration_interval(sums.timed, sums.avg_duration_ms, sums.squared_ms),
        tokens=int(sums.tokens or 0),
        cost=_cost(sums),
    )


def _cost(sums: TraceSums) -> WindowCost:
    known, unpriced = round_shown(sums.cost_usd or 0.0), int(sums.unpriced or 0)
    reason = None
    if unpriced:
        reason = f"{unpriced:,} model calls have no known price; set prices in the project's settings"
    elif sums.cost_usd is None:
        reason = "no trace has a model call with tokens"
    return WindowCost(
        usd=known if reason is None else None, known_usd=known, unpriced_span_count=unpriced, reason=reason
    )


def _last_completed(call: Call, project_id: str) -> LastCompleted | None:
    row = reviews.last_completed(call.db, project_id)
    if row is None:
        return None
    return LastCompleted(experiment=experiments.get(call, row.id), summary=summarize.summary(call, row.id))


def _drift(call: Call, project_id: str) -> DriftAlarms:
    report = drift.drift(call, project_id, DriftOptions())
    alarms = [series.model_copy(update={"days": []}) for series in report.series if series.status == "alarm"]
    return DriftAlarms(status=report.status, watched_count=len(report.series), alarms=alarms)
