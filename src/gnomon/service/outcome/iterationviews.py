"""Iterations as pages show them: values over time, and the context of one of them."""

from collections.abc import Sequence
from dataclasses import replace

from gnomon.model.iterationviews import (
    POINTS,
    IterationContext,
    IterationPoint,
    IterationTrend,
    IterationTrendOptions,
    OtherRubric,
    SignalLoss,
)
from gnomon.model.outcome import OutcomeSession, SignalContribution, observed_signals
from gnomon.service.call import Call, project_in_scope, visible
from gnomon.service.outcome import groups, outcomes
from gnomon.stats.describe import SAME, round_shown
from gnomon.store import iterations as store
from gnomon.store.iterations import Filter
from gnomon.store.rows import IterationRow
from gnomon.store.spanstore import SESSION, TraceFilter

MOST_TRACES = 1_000
"""Of one session, that are counted."""


def trend(call: Call, project_id: str | None, options: IterationTrendOptions) -> IterationTrend:
    """The newest iterations of one source by one rubric version, ascending, with their sessions."""
    project_id = project_in_scope(call.principal, project_id)
    only = replace(groups.chosen(options), provisional=options.provisional)
    only, source, versions = _one_kind(call, project_id, only)
    limit = options.limit or POINTS
    rows = store.newest(call.db, project_id, only, options.before, limit + 1) if source else []
    shown = rows[:limit][::-1]
    return IterationTrend(
        project_id=project_id, source=source, sources=_sources(call, project_id),
        rubric_version=only.rubric_version if source else None, rubric_versions=versions,
        total=store.count(call.db, project_id, only) if source else 0, has_older=len(rows) > limit,
        iterations=[point(row) for row in shown], sessions=_sessions(call, shown),
    )  # fmt: skip


def context(call: Call, id: str) -> IterationContext:
    row = visible(call.principal, store.get(call.db, id), f"iteration {id!r}")
    before, after = store.neighbours(call.db, row)
    session = next(iter(_sessions(call, [row])), None)
    traces, capped = _traces(call, row)
    return IterationContext(
        previous=None if before is None else point(before), next=None if after is None else point(after),
        session=session,
        other_rubrics=[
            OtherRubric(id=other.id, rubric_version=other.rubric_version, value=other.value, band=other.band)
            for other in store.by_other_rubrics(call.db, row)
        ],
        trace_count=traces, trace_count_capped=capped,
    )  # fmt: skip


def point(row: IterationRow) -> IterationPoint:
    breakdown = [SignalContribution(**signal) for signal in row.breakdown]
    return IterationPoint(
        id=row.id, iteration=row.iteration, value=row.value, band=row.band, coverage=round_shown(row.coverage),
        provisional=bool(row.provisional),
        why_provisional=outcomes.reason_provisional(row),
        session_id=row.session_id, date=row.date, task_id=row.task_id, commit=row.commit_id, agent=row.agent,
        model=row.model, labels=row.labels or [], rules_files=row.rules_files, observed=observed_signals(breakdown),
        largest_loss=_largest_loss(breakdown),
    )  # fmt: skip


def _largest_loss(breakdown: Sequence[SignalContribution]) -> SignalLoss | None:
    present = [signal for signal in breakdown if signal.present]
    worst = max(present, key=lambda signal: signal.effective_weight - signal.contribution, default=None)
    if worst is None or worst.effective_weight - worst.contribution <= SAME:
        return None
    lost = round_shown(worst.effective_weight - worst.contribution)
    return SignalLoss(signal=worst.signal, label=worst.label, lost=lost, detail=worst.detail)


def _one_kind(call: Call, project_id: str, only: Filter) -> tuple[Filter, str | None, list[str]]:
    """The filter with a source and a rubric version, the source, and the rubric versions of this source."""
    kinds = store.stored(call.db, project_id, only)
    if not kinds:
        return only, None, []
    source = kinds[0].source
    only, versions = groups.of_one_rubric(call, project_id, replace(only, source=source))
    return only, source, versions


def _sources(call: Call, project_id: str) -> list[str]:
    return list(dict.fromkeys(kind.source for kind in store.stored(call.db, project_id)))


def _sessions(call: Call, rows: Sequence[IterationRow]) -> list[OutcomeSession]:
    """The whole sessions of these iterations of one source and rubric version, in the order of their first one."""
    names = list(dict.fromkeys(row.session_id for row in rows if row.session_id is not None))
    if not names:
        return []
    first = rows[0]
    whole = Filter(first.source, first.rubric_version)
    by_session: dict[str, list[store.IterationInBrief]] = {name: [] for name in names}
    for member in store.in_sessions(call.db, first.project_id, whole, names):
        by_session[member.session_id].append(member)
    return [outcomes.session_noun(by_session[name]) for name in names]


def _traces(call: Call, row: IterationRow) -> tuple[int, bool]:
    """How many traces name the iteration's session, and whether there may be more."""
    if row.session_id is None:
        return 0, False
    only = TraceFilter(metadata=((SESSION, row.session_id),))
    traces, capped = call.spans.to_count(call.db, row.project_id, only, {SESSION}, MOST_TRACES)
    return len(traces), capped
