"""Experiments and runs: make, fill, complete, read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from gnomon.errors import Conflict, InvalidInput, NotFound, Problem, Refused
from gnomon.model.experiment import Experiment, ExperimentDraft, RunsAccepted, Status
from gnomon.model.hold import Hold, HoldDraft
from gnomon.model.jsonvalue import JsonValue, dump
from gnomon.model.metrics import ExperimentMetric, Metrics, MetricsDraft
from gnomon.model.moment import iso
from gnomon.model.problems import refusal_of
from gnomon.model.quickrun import ArrivedRun
from gnomon.model.score import JsonObject
from gnomon.model.stopping import Stopping, StoppingDraft
from gnomon.model.trace import Deleted
from gnomon.scorers import Sample
from gnomon.service.call import Call, Listing, listing, project_in_scope, visible
from gnomon.service.clock import created_ms
from gnomon.service.judges import judging
from gnomon.service.scoring import attach, scoring
from gnomon.service.scoring.measuring import ScoreToCompute
from gnomon.service.scoring.scoring import Planned
from gnomon.service.scoring.targets import Target
from gnomon.service.traces.searching import Effort, search
from gnomon.store import datasets, removals, reviews, scores
from gnomon.store import experiments as store
from gnomon.store.datasets import KnownItem
from gnomon.store.experiments import ExperimentChanges, NewAttempt, RunKey
from gnomon.store.pages import PageKey, Slice
from gnomon.store.rows import ExperimentTableRow, StoredRun

_EFFORT = Effort(rows=500, most=5_000)


@dataclass(frozen=True, slots=True)
class ExperimentFilter:
    """Which experiments of a project are wanted; None leaves a question out."""

    dataset_id: str | None = None
    name: str | None = None
    status: Status | None = None
    q: str | None = None
    """A text in the name."""
    metadata: tuple[tuple[str, str], ...] = ()
    """Pairs of key, or path of keys, and value as text."""


ALL = ExperimentFilter()


def create(call: Call, draft: ExperimentDraft) -> Experiment:
    project_id = project_in_scope(call.principal, draft.project_id)
    dataset = datasets.get(call.db, draft.dataset_id)
    if dataset is None or dataset.project_id != project_id:
        raise NotFound(f"dataset {draft.dataset_id!r} does not exist in project {project_id!r}")
    row = ExperimentTableRow(
        id=call.clock.new_id(), project_id=project_id, name=draft.name, dataset_id=dataset.id,
        dataset_version=dataset.version, trials=draft.trials, auto_complete=int(draft.auto_complete), status="created",
        metadata=draft.metadata, run_count=0, failed_run_count=0, pinned_run_count=0,
        expected_run_count=dataset.item_count * draft.trials, repeated_scorers=None, threshold_result=None,
        created_at=call.clock.now(), completed_at=None, stopping=None, metrics=None, holder=None, held_until=None,
    )  # fmt: skip
    store.add(call.db, row)
    return noun(row)


def row(call: Call, id: str, *, lock: bool = False) -> ExperimentTableRow:
    return visible(call.principal, store.get(call.db, id, lock=lock), f"experiment {id!r}")


def get(call: Call, id: str) -> Experiment:
    return noun(row(call, id))


def all_of(call: Call, project_id: str | None, page: Slice, only: ExperimentFilter = ALL) -> Listing[Experiment]:
    listing = rows(call, project_id, page, only)
    return Listing([noun(row) for row in listing.items], listing.next_key)


def rows(call: Call, project_id: str | None, page: Slice, only: ExperimentFilter) -> Listing[ExperimentTableRow]:
    """A page of experiments as they are stored."""
    project = project_in_scope(call.principal, project_id)

    def read(part: Slice) -> list[ExperimentTableRow]:
        return store.page(
            call.db, project, part, dataset_id=only.dataset_id, name=only.name, status=only.status
        )  # fmt: skip

    def key(row: ExperimentTableRow) -> PageKey:
        return (row.id,)

    if only.q is None and not only.metadata:
        return listing(read(page), page, lambda row: row, key)
    return search(page, read, key, lambda rows: [_matches(row, only) for row in rows], _EFFORT)


def _matches(row: ExperimentTableRow, only: ExperimentFilter) -> bool:
    if only.q is not None and only.q.casefold() not in row.name.casefold():
        return False
    return all(_has(row.metadata or {}, path, value) for path, value in only.metadata)


def _has(metadata: JsonObject, path: str, value: str) -> bool:
    """Whether there is this value, under that very key or at the end of that path of keys."""
    if path in metadata and _written(metadata[path]) == value:
        return True
    first, _, rest = path.partition(".")
    inner = metadata.get(first)
    return bool(rest) and isinstance(inner, dict) and _has(inner, rest, value)


def _written(value: JsonValue) -> str:
    return value if isinstance(value, str) else dump(value)


def complete(call: Call, id: str, stopping: StoppingDraft | None = None) -> Experiment:
    """Take no more runs. `stopping` says that it could end before all items were run, and how that stood."""
    experiment = row(call, id, lock=True)
    if experiment.status == "completed":
        raise Refused(f"experiment {id!r} is completed already", code="EXPERIMENT_COMPLETED")
    changes: ExperimentChanges = {"status": "completed", "completed_at": call.clock.now()}
    if stopping is not None:
        _refuse_foreign(call, experiment, stopping.against)
        changes["stopping"] = stopping.model_dump(mode="json")
    store.change(call.db, id, **changes)
    return get(call, id)


def delete(call: Call, id: str) -> Deleted:
    """Delete an experiment with its runs, their scores, its jobs and its gates. Traces of its runs stay."""
    row(call, id, lock=True)
    removals.remove_experiments(call.db, [id], call.clock.now())
    return Deleted(id=id)


def _refuse_foreign(call: Call, experiment: ExperimentTableRow, against: str | None) -> None:
    if against is not None and row(call, against).dataset_id != experiment.dataset_id:
        words = f"experiment {against!r} runs over another dataset, so there is no difference from it"
        raise Refused(words, code="INCOMPATIBLE_EXPERIMENTS")


def stopping(row: ExperimentTableRow) -> Stopping | None:
    return None if row.stopping is None else Stopping(**row.stopping)


def set_metrics(call: Call, id: str, draft: MetricsDraft) -> Metrics:
    """Replace all metrics of the experiment, whatever its status."""
    row(call, id, lock=True)
    store.change(call.db, id, metrics={name: metric.model_dump(mode="json") for name, metric in draft.metrics.items()})
    return Metrics(experiment_id=id, metrics=metrics(row(call, id)))


def metrics(row: ExperimentTableRow) -> dict[str, ExperimentMetric]:
    stored = row.metrics or {}
    return {name: ExperimentMetric(**stored[name]) for name in sorted(stored)}


def hold(call: Call, id: str, draft: HoldDraft) -> Hold:
    """Hold the experiment for a limited time, or release it. Refused while another process holds it."""
    experiment, now = row(call, id, lock=True), call.clock.now()
    other = experiment.holder if experiment.holder != draft.holder else None
    if (
        other is not None
        and experiment.held_until is not None
        and experiment.held_until > now
        and draft.instead_of != other
    ):
        words = f"experiment {id!r} is held by {other!r} until {iso(experiment.held_until)}; wait, or begin another one"
        # The holder is a field of its own: a caller on the same machine can check whether that process still lives.
        raise Conflict(words, code="HELD", problems=[Problem("holder", "HELD", other)])
    holder, until = (draft.holder, now + timedelta(seconds=draft.seconds)) if draft.seconds else (None, None)
    store.change(call.db, id, holder=holder, held_until=until)
    return Hold(holder=holder, held_until=until)


RunPlans = Sequence[Sequence[Planned]]


def add_runs(
    call: Call, id: str, drafts: Sequence[ArrivedRun], plans: RunPlans | None = None, *, replace_failed: bool = False,
    job_id: str | None = None,
) -> RunsAccepted:  # fmt: skip
    """Store a batch of runs with their inline scores (`plan_scores`), all of it or nothing.

    With a `job_id`, judges among the scores are parts of that job.
    """
    plans = plan_scores(drafts) if plans is None else plans
    experiment = _locked(call, id, drafts) if replace_failed else row(call, id, lock=True)
    known = _known_items(call, experiment, drafts, plans)
    failed = _failed_before(call, id, drafts, replace_failed)
    _refuse_impossible(experiment, drafts, known, failed)
    judging.refuse_unavailable([plan for planned in plans for plan in planned])
    new_ids = call.clock.new_ids(len(drafts))
    ids = (
        [failed.get(_key(draft), new_id) for draft, new_id in zip(drafts, new_ids, strict=True)] if failed else new_ids
    )
    work = _work(experiment, ids, drafts, plans, known) if any(plans) else []
    scoring.need(call, work)
    created_at = created_ms(new_ids[0])  # ids that are made together share their millisecond
    rows = [_row(run_id, experiment, draft, created_at) for run_id, draft in zip(ids, drafts, strict=True)]
    store.add_runs(call.db, _replaced(call, rows, set(failed.values())) if failed else rows)
    _count(call, experiment, drafts, known, failed)
    job_ids = attach.job_ids(attach.carry_out(call, work, fresh=True, job_id=job_id)) if work else []
    return RunsAccepted(accepted=len(ids), run_ids=ids, job_ids=job_ids)


def questions(call: Call, id: str, drafts: Sequence[ArrivedRun], plans: RunPlans) -> Sequence[ScoreToCompute]:
    """The scores that `add_runs` will need, to compute before its transaction; empty where it will refuse."""
    experiment = store.get(call.db, id)
    if experiment is None or not call.principal.sees(experiment.project_id) or not _computes(plans):
        return []
    known = _known_items(call, experiment, drafts, plans)
    return scoring.questions(_work(experiment, [""] * len(drafts), drafts, plans, known))


def plan_scores(drafts: Sequence[ArrivedRun]) -> RunPlans:
    """The inline scores of each run, or a refusal that names every bad one."""
    plans: list[list[Planned]] = []
    problems: list[Problem] = []
    planner = scoring.Planner()
    for index, draft in enumerate(drafts):
        planned, bad = scoring.plan_inline(draft.scores, index, planner) if draft.scores else ([], [])
        plans.append(planned)
        problems += bad
    if problems:
        raise refusal_of(problems, InvalidInput, batch="runs")
    return plans


def _key(draft: ArrivedRun) -> RunKey:
    return (draft.dataset_item_id, draft.trial)


def _locked(call: Call, id: str, drafts: Sequence[ArrivedRun]) -> ExperimentTableRow:
    """The experiment, held until the end of the transaction, and with it the runs that may be replaced."""
    row(call, id)
    # Runs before the experiment, as whoever attaches scores holds them: in two orders each would wait for the other.
    store.runs_at(call.db, id, {_key(draft) for draft in drafts}, lock=True)
    return row(call, id, lock=True)


def _failed_before(call: Call, id: str, drafts: Sequence[ArrivedRun], replace_failed: bool) -> dict[RunKey, str]:
    """The failed runs to replace, by item and trial. A trial that any other run has is refused."""
    keys = [_key(draft) for draft in drafts]
    unique_keys = set(keys)
    runs = store.runs_at(call.db, id, unique_keys, lock=replace_failed)
    failed = {key: run.id for key, run in runs.items() if replace_failed and run.failed and key in unique_keys}
    taken = runs.keys() - failed.keys()
    if len(unique_keys) == len(keys) and taken.isdisjoint(unique_keys):
        return failed
    problems = []
    for index, key in enumerate(keys):
        if key in taken:
            words = f"item {key[0]!r} has a run for trial {key[1]} already"
            problems.append(Problem("trial", "DUPLICATE_RUN", words, index))
        taken.add(key)
    if problems:
        raise refusal_of(problems, Conflict, batch="runs")
    return failed


def _replaced(call: Call, runs: Sequence[StoredRun], failed: set[str]) -> list[StoredRun]:
    """Put new results into those runs that failed before; return the others, which are new."""
    again = [NewAttempt(run.output, run.error, run.trace_id, run.id) for run in runs if run.id in failed]
    store.replace_runs(call.db, again)
    scores.forget_runs(call.db, failed)  # what was said of the former results is not true of these
    reviews.forget_runs(call.db, failed)
    return [run for run in runs if run.id not in failed]


def _refuse_impossible(
    experiment: ExperimentTableRow,
    drafts: Sequence[ArrivedRun],
    known: Mapping[str, KnownItem],
    failed: dict[RunKey, str],
) -> None:
    if experiment.status == "completed" and len(failed) < len(drafts):
        only = "it takes no new runs, only replacements of failed ones" if failed else "it takes no more runs"
        raise Refused(f"experiment {experiment.id!r} is completed; {only}", code="EXPERIMENT_COMPLETED")
    problems = []
    for index, draft in enumerate(drafts):
        if draft.dataset_item_id not in known:
            words = f"item {draft.dataset_item_id!r} does not belong to the experiment's dataset"
            problems.append(Problem("dataset_item_id", "INVALID_DATASET_ITEM", words, index))
        elif draft.trial >= experiment.trials:
            words = f"trial is {draft.trial}; this experiment has the trials 0 to {experiment.trials - 1}"
            problems.append(Problem("trial", "INVALID_TRIAL", words, index))
    if problems:
        raise refusal_of(problems, Refused, batch="runs")


def _count(
    call: Call,
    experiment: ExperimentTableRow,
    drafts: Sequence[ArrivedRun],
    known: Mapping[str, KnownItem],
    failed: dict[RunKey, str],
) -> None:
    """Keep the experiment's counters, start it with its first run and complete it with its last."""
    new = [draft for draft in drafts if _key(draft) not in failed] if failed else drafts
    pinned = experiment.pinned_run_count + sum(known[draft.dataset_item_id].pinned for draft in new)
    errors = sum(draft.error is not None for draft in drafts)
    changes: ExperimentChanges = {
        "run_count": experiment.run_count + len(new),
        "failed_run_count": experiment.failed_run_count + errors - len(failed),
        "pinned_run_count": pinned,
    }
    if experiment.status != "completed":
        changes["status"] = "running"
        if experiment.auto_complete and 0 < experiment.expected_run_count <= pinned:
            changes["status"], changes["completed_at"] = "completed", call.clock.now()
    store.change(call.db, experiment.id, **changes)


def _computes(plans: RunPlans) -> bool:
    return any(plan.scorer is not None for planned in plans for plan in planned)


def _known_items(
    call: Call, experiment: ExperimentTableRow, drafts: Sequence[ArrivedRun], plans: RunPlans
) -> dict[str, KnownItem]:
    """The items of the batch that the dataset has, with their content where a scorer looks at it."""
    ids = {draft.dataset_item_id for draft in drafts}
    version = experiment.dataset_version
    return datasets.items_known(call.db, experiment.dataset_id, ids, version, with_content=_computes(plans))


def _work(
    experiment: ExperimentTableRow,
    ids: Sequence[str],
    drafts: Sequence[ArrivedRun],
    plans: RunPlans,
    known: Mapping[str, KnownItem],
) -> list[tuple[Target, Planned]]:
    """The inline scores of all runs."""
    project_id, experiment_id, work = experiment.project_id, experiment.id, []
    for run_id, draft, planned in zip(ids, drafts, plans, strict=True):
        if planned:
            item_id, error = draft.dataset_item_id, draft.error
            item = known.get(item_id)
            sample = (
                Sample(None, draft.output) if item is None else Sample(item.input, draft.output, item.expected_output)
            )
            target = Target(  # by position, which takes half the time of names
                project_id,
                "run",
                run_id,
                sample,
                None,
                experiment_id,
                item_id,
                None if error is None else error.message,
            )
            work += [(target, plan) for plan in planned]
    return work


def _row(id: str, experiment: ExperimentTableRow, draft: ArrivedRun, created_at: int) -> StoredRun:
    return StoredRun(  # by position, which takes half the time of names
        id,
        experiment.project_id,
        experiment.id,
        draft.dataset_item_id,
        draft.trial,
        None if draft.output is None else dump(draft.output),
        None if draft.error is None else draft.error.model_dump_json(),
        draft.trace_id,
        created_at,
        1,
    )


def noun(row: ExperimentTableRow) -> Experiment:
    return Experiment(
        id=row.id, project_id=row.project_id, name=row.name, dataset_id=row.dataset_id,
        dataset_version=row.dataset_version, trials=row.trials, auto_complete=bool(row.auto_complete),
        status=row.status, run_count=row.run_count, metadata=row.metadata, created_at=row.created_at,
        completed_at=row.completed_at, stopping=stopping(row),
    )  # fmt: skip
