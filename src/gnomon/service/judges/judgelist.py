"""A project's judges, each with its agreement with people, its failures and its cost."""

from collections.abc import Sequence

from gnomon.errors import Refused
from gnomon.model.calibration import Calibration
from gnomon.model.card import AgreementMeasure, Judge, JudgeAgreement
from gnomon.model.moment import to_ms
from gnomon.service.call import Call, Listing, listing, project_in_scope
from gnomon.service.judges.calibration import Ratings, compared, ratings
from gnomon.service.judges.cards import NO_PEOPLE, asked_as_model, failures_by_kind
from gnomon.store import cards as store
from gnomon.store.pages import Slice

_MOST_PEOPLE = 10
_MEASURES: dict[str, AgreementMeasure] = {
    "binary": "cohen_kappa", "labels": "cohen_kappa", "grades": "weighted_kappa_quadratic",
    "numbers": "krippendorff_alpha",
}  # fmt: skip


def all_of(call: Call, project_id: str | None, page: Slice) -> Listing[Judge]:
    """The judges that have scores, the last used first."""
    scope = project_in_scope(call.principal, project_id)

    def key(judge: store.JudgeInUse) -> tuple[int, str, str]:
        return to_ms(judge.last_used), judge.scorer_name, judge.config_hash

    rows = sorted(store.judges(call.db, scope), key=key, reverse=True)
    if page.after is not None:
        rows = [row for row in rows if key(row) < page.after]
    rows = rows[: page.limit + 1]
    people = _people(call, scope) if rows else []
    work = store.judge_work(call.db, scope) if rows else []
    return listing(rows, page, lambda row: _judge(call, scope, row, people, work), key)


def _people(call: Call, project_id: str) -> list[Ratings]:
    return [ratings(call, project_id, name) for name in store.people(call.db, project_id)[:_MOST_PEOPLE]]


def _judge(
    call: Call, project_id: str, row: store.JudgeInUse, people: Sequence[Ratings], work: Sequence[store.JudgeWork]
) -> Judge:
    name, model = asked_as_model(call, project_id, row.scorer_name, row.config_hash)
    judge_jobs = [jobs for jobs in work if (jobs.scorer_name, jobs.config_hash) == (name, row.config_hash)]
    failed = [store.FailureCount(jobs.reason, jobs.read, jobs.n) for jobs in judge_jobs if jobs.status == "failed"]
    unread, unanswered = failures_by_kind(failed)
    costs = [jobs.cost_usd for jobs in judge_jobs if jobs.cost_usd is not None]
    agreement, reason = _agreement(call, project_id, row, people)
    return Judge(
        scorer_name=row.scorer_name, config_hash=row.config_hash, scores=row.scores, last_used=row.last_used,
        model=model, agreement=agreement, agreement_reason=reason, answered=row.scores + unread.total(),
        unreadable=unread.total(), unanswered=unanswered.total(), cost_usd=sum(costs) if costs else None,
        unpriced=sum(jobs.n - jobs.priced for jobs in judge_jobs if jobs.status == "done"),
    )  # fmt: skip


def _agreement(
    call: Call, project_id: str, row: store.JudgeInUse, people: Sequence[Ratings]
) -> tuple[JudgeAgreement | None, str | None]:
    """Agreement with the people who rated most of the judge's targets, or why there is none."""
    if not people:
        return None, NO_PEOPLE
    judge = ratings(call, project_id, row.scorer_name, row.config_hash)
    shared = [(len(human.by_target.keys() & judge.by_target.keys()), human) for human in people]
    most, human = max(shared, key=lambda pair: pair[0])
    if not most:
        return None, NO_PEOPLE
    try:
        held = compared(judge, human, row.config_hash)
    except Refused as refused:
        return None, refused.message
    return _noun(held), None


def _noun(held: Calibration) -> JudgeAgreement:
    measure = _MEASURES[held.scale]
    return JudgeAgreement(
        human=held.human, n_labelled=held.n_labelled, raw=held.accuracy, chance_corrected=getattr(held, measure),
        measure=measure,
    )  # fmt: skip
