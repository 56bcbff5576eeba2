"""The team's report: iterations that were scored, and what became of them, as one noun."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from statistics import median
from typing import Literal

from gnomon.model.outcome import IntegrityObservation
from gnomon.model.workreport import (
    BrokenClaim,
    CostPerChange,
    ReportBy,
    UndoneWork,
    WorkChange,
    WorkGroup,
    WorkReport,
    WorthALook,
)
from gnomon.outcome.fates import EarlierWork, Undoing, WorkFate
from gnomon.outcome.pipeline import OutcomeReport
from gnomon.outcome.scorelog import headline
from gnomon.outcome.walk import ScoredIteration
from gnomon.shorten import counted
from gnomon.stats.describe import SAME, round_shown
from gnomon.stats.ends import Interval
from gnomon.stats.interval import wilson
from gnomon.stats.ratio import ratio_of_sums

LANDED_STATES = {"landed", "partly undone", "undone", "superseded"}
_TAKEN_BACK = {"partly undone", "undone"}
_NOT_KNOWN = WorkFate("not known")
_DEAR = 3.0
_FEWEST_COSTS = 5
_POOR = "poor"


@dataclass(frozen=True, slots=True)
class ReportFrame:
    """What the report is about."""

    source: str
    since: datetime | None
    as_of: datetime
    plain_history: bool = False
    by: ReportBy | None = None


@dataclass(frozen=True, slots=True)
class _Looked:
    """An iteration with what became of it."""

    iteration: ScoredIteration
    fate: WorkFate

    @property
    def standing(self) -> bool:
        return self.fate.state in ("landed", "partly undone", "superseded")


def work_report(scored: OutcomeReport, frame: ReportFrame) -> WorkReport:
    """The report over the iterations that landed in its time, or were last worked on in it; see `WorkReport`."""
    every = [_Looked(work, scored.fates.get(work.iteration, _NOT_KNOWN)) for work in scored.iterations]
    looked = sorted((work for work in every if _is_in(work, frame)), key=_newest_first)
    landed = [work for work in looked if work.fate.state in LANDED_STATES]
    undone = sum(work.fate.state in _TAKEN_BACK for work in landed)
    firm = headline([work.iteration.score for work in looked], scored.rubric.version)
    pairs = [(work, pair) for work in looked for pair in work.iteration.signals.integrity if pair.comparable]
    broken = [(work, pair) for work, pair in pairs if pair.delta < -SAME]
    return WorkReport(
        source=frame.source, trunk=scored.trunk, since=frame.since, as_of=frame.as_of,
        plain_history=frame.plain_history, rubric_version=scored.rubric.version, n_changes=len(looked),
        n_landed=len(landed), n_undone=undone, undone_ci_95=_share_ends(undone, len(landed)),
        n_waiting=sum(work.fate.state == "waiting" for work in looked),
        n_not_landed=sum(work.fate.state == "not landed" for work in looked), mean=round_shown(firm.mean),
        mean_ci_95=_ends(firm.interval), n_firm=firm.n, n_provisional=firm.n_provisional,
        why_provisional=_why_provisional(looked), n_claims=len(pairs),
        broken_claims_ci_95=_share_ends(len(broken), len(pairs)), cost=_cost(looked),
        changes=[_change(work) for work in looked], undone=_undone(every, scored.undone_before, frame),
        claims=[_claim(work, pair) for work, pair in broken], look_at=_worth_a_look(looked), by=frame.by,
        groups=_groups(looked, frame.by) if frame.by else [],
        notes=[f"{note.where}: {note.message}" for note in scored.diagnostics],
    )  # fmt: skip


def _is_in(work: _Looked, frame: ReportFrame) -> bool:
    """Whether it landed in the time of the report. What has no time at all belongs to a report without a beginning."""
    at = work.fate.at
    if at is None:
        return frame.since is None
    return (frame.since is None or at >= frame.since.timestamp()) and at <= frame.as_of.timestamp()


def _newest_first(work: _Looked) -> tuple[int, int]:
    return -(work.fate.at or 0), -work.iteration.iteration


def _share_ends(part: int, whole: int) -> tuple[float, float] | None:
    return _ends(wilson(part, whole)) if whole else None


def _ends(interval: Interval | None) -> tuple[float, float] | None:
    return None if interval is None else (round_shown(interval.low), round_shown(interval.high))


def _why_provisional(looked: Iterable[_Looked]) -> dict[str, int]:
    """Reason → how many, the commonest first; how much evidence exactly there was is left out."""
    scores = (work.iteration.score for work in looked if work.iteration.score.scored)
    reasons = Counter(re.sub(r"^on \d+%", "on too little", why) for score in scores if (why := score.why_provisional))
    return dict(reasons.most_common())


# --- the parts -----


def title_of(iteration: ScoredIteration) -> str:
    lines = iteration.record.impl.summary.strip().splitlines()
    return lines[0] if lines else f"iteration {iteration.iteration}"


def _commit(work: _Looked) -> str:
    commits = work.iteration.inputs.get("commits") or [work.iteration.record.commit]
    return str(commits[0])[:12]


def _moment(seconds: int | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _change(work: _Looked) -> WorkChange:
    score, facts = work.iteration.score, work.iteration.facts
    request = facts.pull_requests[0] if facts.pull_requests else None
    return WorkChange(
        iteration=score.iteration, commit=_commit(work), at=_moment(work.fate.at), title=title_of(work.iteration),
        state=work.fate.state, agent=facts.agent, model=facts.model,
        pull_request=f"#{request.number}" if request else "",
        value=round_shown(score.value) if score.scored else None, band=score.band, provisional=score.provisional,
        cost_usd=facts.cost_usd, authors=work.fate.authors, folders=work.fate.folders,
    )  # fmt: skip


def _undone(every: Iterable[_Looked], before: Iterable[EarlierWork], frame: ReportFrame) -> list[UndoneWork]:
    """What was undone in the time of the report, whenever it landed; the last undone first."""
    rows = [
        _undone_work(work.fate.undoing, work.iteration.iteration, _commit(work), title_of(work.iteration), work.fate)
        for work in every
        if work.fate.undoing and _undone_in(work.fate.undoing, frame)
    ]
    rows += [
        _undone_work(work.undoing, None, work.sha[:12], work.title, WorkFate("undone", work.landed_at))
        for work in before
    ]
    return sorted(rows, key=lambda row: (row.at, row.commit), reverse=True)


def _undone_in(undoing: Undoing, frame: ReportFrame) -> bool:
    return (frame.since is None or undoing.at >= frame.since.timestamp()) and undoing.at <= frame.as_of.timestamp()


def _undone_work(undoing: Undoing, iteration: int | None, commit: str, title: str, fate: WorkFate) -> UndoneWork:
    return UndoneWork(
        iteration=iteration, commit=commit, title=title, landed_at=_moment(fate.at), state=fate.state,
        by=undoing.sha[:12], at=datetime.fromtimestamp(undoing.at, UTC), by_subject=undoing.subject, why=undoing.why,
        after_days=undoing.after_days,
    )  # fmt: skip


def _claim(work: _Looked, pair: IntegrityObservation) -> BrokenClaim:
    return BrokenClaim(
        iteration=work.iteration.iteration, title=title_of(work.iteration), role=pair.role, signal=pair.signal,
        claimed=round_shown(pair.claimed.sub_score), observed=round_shown(pair.observed.sub_score),
        fact=pair.observed.detail,
    )  # fmt: skip


def _cost(looked: Sequence[_Looked]) -> CostPerChange:
    known = [(work, cost) for work in looked if (cost := work.iteration.facts.cost_usd) is not None]
    unknown = [work.iteration.facts.why_no_cost or "no tokens were counted" for work in looked
               if work.iteration.facts.cost_usd is None]  # fmt: skip
    amounts: dict[str, float] = {}
    counts: dict[str, int] = {}
    for work, cost in known:
        session = work.iteration.record.agent.session_id or f"iteration {work.iteration.iteration}"
        amounts[session] = amounts.get(session, 0.0) + cost
        counts[session] = counts.get(session, 0) + work.standing
    per_change = ratio_of_sums(list(amounts.values()), list(counts.values()))
    reason = per_change.reason if known else "no iteration's cost is known"
    if known and per_change.value is None:
        reason = "nothing of it landed and stands"
    return CostPerChange(
        total_usd=round_shown(sum(amounts.values())), n_known=len(known), n_unknown=len(unknown),
        n_standing=sum(counts.values()), per_change_usd=round_shown(per_change.value),
        confidence_interval_95=None if per_change.interval is None
        else (round_shown(per_change.interval[0]), round_shown(per_change.interval[1])),
        reason=reason, why_unknown=dict(Counter(unknown).most_common()),
    )  # fmt: skip


# --- what stands out -----


def stands_out(iteration: ScoredIteration, fate: WorkFate) -> list[str]:
    """Why an iteration deserves a look, the weightiest reason first; empty if nothing stands out."""
    shown = "landed" if fate.undoing or fate.state == "not landed" else ""
    return [*_of_fate(fate), *_of_evidence(iteration, besides=shown)]


def _of_fate(fate: WorkFate) -> Iterator[str]:
    if fate.undoing and fate.state in LANDED_STATES:
        days = fate.undoing.after_days
        yield f"{fate.state} by {fate.undoing.sha[:12]} after {counted(days, 'day') if days else 'less than a day'}"
    elif fate.state == "not landed":
        yield "did not land"


def _of_evidence(iteration: ScoredIteration, besides: str) -> Iterator[str]:
    broken = [pair for pair in iteration.signals.integrity if pair.comparable and pair.delta < -SAME]
    for pair in broken:
        if pair.signal == besides:
            continue
        claimed, observed = pair.claimed.sub_score, pair.observed.sub_score
        yield f"{pair.role} claimed {pair.signal} {claimed:.2f}, observed {observed:.2f}"
    tests = next((row for row in iteration.score.breakdown if row.present and row.signal == "tests"), None)
    if tests is not None and tests.sub_score < 1 - SAME and all(pair.signal != "tests" for pair in broken):
        yield f"tests failed: {tests.detail}"
    score = iteration.score
    if score.scored and not score.provisional and score.band == _POOR:
        yield f"scored {score.value:.3f}, {score.band}"


def _worth_a_look(looked: Sequence[_Looked]) -> list[WorthALook]:
    costs = [cost for work in looked if (cost := work.iteration.facts.cost_usd)]
    usual = median(costs) if len(costs) >= _FEWEST_COSTS else None
    rows = []
    for work in looked:
        reasons = [*stands_out(work.iteration, work.fate), *_dear(work, usual)]
        if reasons:
            rows.append((len(list(_of_fate(work.fate))), len(reasons), work, reasons))
    ordered = sorted(rows, key=lambda row: (-row[0], -row[1], _newest_first(row[2])))
    return [
        WorthALook(
            iteration=work.iteration.iteration, commit=_commit(work), title=title_of(work.iteration), reasons=reasons
        )
        for _, _, work, reasons in ordered
    ]


def _dear(work: _Looked, usual: float | None) -> Iterator[str]:
    cost = work.iteration.facts.cost_usd
    if usual and cost is not None and cost > _DEAR * usual:
        yield f"cost ${cost:.2f}, {cost / usual:.0f} times the median"


def narrowed(scored: OutcomeReport, only: Literal["interesting", "reverted"] | None) -> OutcomeReport:
    """The report with the iterations that stand out, or whose work was taken back, alone."""
    if only is None:
        return scored
    looked = [_Looked(work, scored.fates.get(work.iteration, _NOT_KNOWN)) for work in scored.iterations]
    kept = [work.iteration for work in looked if _is_wanted(work, only)]
    return replace(scored, iterations=tuple(kept))


def _is_wanted(work: _Looked, only: Literal["interesting", "reverted"]) -> bool:
    if only == "reverted":
        return work.fate.undoing is not None and work.fate.state in LANDED_STATES
    return bool(stands_out(work.iteration, work.fate))


# --- groups -----


def groups_of(scored: OutcomeReport, by: ReportBy) -> list[WorkGroup]:
    """The iterations of a report by author, agent, model or folder."""
    return _groups([_Looked(work, scored.fates.get(work.iteration, _NOT_KNOWN)) for work in scored.iterations], by)


def _groups(looked: Sequence[_Looked], by: ReportBy) -> list[WorkGroup]:
    """Groups of changes; a change counts for each of its authors or folders."""
    members: dict[str, list[_Looked]] = {}
    for work in looked:
        for name in group_names(work.iteration, work.fate, by):
            members.setdefault(name, []).append(work)
    groups = [_group(name, of_group) for name, of_group in members.items()]
    return sorted(groups, key=lambda group: (-group.n, group.name))


def group_names(iteration: ScoredIteration, fate: WorkFate, by: ReportBy) -> Sequence[str]:
    if by == "agent":
        return [iteration.facts.agent or "no agent named"]
    if by == "model":
        return [iteration.facts.model or "no model named"]
    if by == "author":
        return fate.authors or ["not known"]
    return fate.folders or ["no files"]


def _group(name: str, looked: Sequence[_Looked]) -> WorkGroup:
    landed = [work for work in looked if work.fate.state in LANDED_STATES]
    undone = sum(work.fate.state in _TAKEN_BACK for work in landed)
    firm = headline([work.iteration.score for work in looked], looked[0].iteration.score.rubric_version)
    costs = [work.iteration.facts.cost_usd for work in looked]
    known = [cost for cost in costs if cost is not None]
    return WorkGroup(
        name=name, n=len(looked), n_landed=len(landed), n_undone=undone,
        undone_share=round_shown(undone / len(landed)) if landed else None,
        undone_ci_95=_share_ends(undone, len(landed)), mean=round_shown(firm.mean), n_firm=firm.n,
        cost_usd=round_shown(sum(known)) if len(known) == len(costs) else None,
    )  # fmt: skip
