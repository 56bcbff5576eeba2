"""Score spans in a job: those that a rule matched when they arrived, and stored ones.

A job is a row that says what to score; `next_piece` scores the next few hundred spans of it and says how far it came.
jobs.py writes that down in the same transaction, so a job whose worker died goes on where it stopped. Rules are
measured on the way, judges become jobs of their own that belong to this one.
"""

from collections import Counter
from collections.abc import Sequence

from gnomon.errors import InvalidInput
from gnomon.model.job import JobAccepted
from gnomon.model.rule import PastSpanFilter, ScoreSpansDraft, is_sampled, matcher
from gnomon.model.score import InlineScoreDraft, JsonObject, ScorerSpec
from gnomon.scorers import Absent, Failed, Sample, is_builtin, unknown_scorer
from gnomon.service.call import Call, project_in_scope
from gnomon.service.jobs.pieces import Piece, position, span_key_of
from gnomon.service.judges import judging
from gnomon.service.scoring import attach, scoring
from gnomon.service.scoring.attach import QueuedJob
from gnomon.service.scoring.scoring import Planned
from gnomon.service.scoring.targets import NO_ROOT, Target, conversation_target, span_target, trace_target
from gnomon.store import jobs, scores
from gnomon.store.jobs import NewJob
from gnomon.store.rows import JobRow, SpanRow
from gnomon.store.spanstore import SpanKey

KIND = "score_spans"
MOST_WHOLE = 20
"""Whole traces and conversations in one piece: each may be large."""
SAME_SAMPLE = ""
"""The seed of every scoring of past spans: at the same rate, two judges see the same spans."""


def plan_all(specs: Sequence[ScorerSpec]) -> list[Planned]:
    plans = [plan_scorer(spec, f"scorers[{number}].") for number, spec in enumerate(specs)]
    if clash := scoring.doubled_name(plans):
        raise InvalidInput.of("scorers", clash)
    return plans


def plan_scorer(spec: ScorerSpec, path: str = "") -> Planned:
    """Check a scorer that is to run by itself, where no value can be sent instead. `path` leads to it in the body."""
    if not is_builtin(spec.scorer or spec.scorer_name):
        field = "scorer" if spec.scorer else "scorer_name"
        words = unknown_scorer(spec.scorer or spec.scorer_name)
        raise InvalidInput.of(f"{path}{field}", words)
    return scoring.plan(as_draft(spec))


def accept(call: Call, draft: ScoreSpansDraft, plans: Sequence[Planned] | None = None) -> JobAccepted:
    """Accept built-in scorers to run over a project's spans."""
    plans = plans or plan_all(draft.scorers)
    project_id = project_in_scope(call.principal, draft.project_id)
    judging.refuse_unavailable(plans)
    payload = draft.model_dump(mode="json", exclude={"project_id"})
    total = call.spans.count(call.db, project_id) * len(draft.scorers)
    job = new_job(call, project_id, payload, total)
    jobs.add(call.db, [job])
    return JobAccepted(job_id=job.id)


def new_job(call: Call, project_id: str, payload: JsonObject, total: int, scorer_name: str | None = None) -> NewJob:
    return NewJob(
        id=call.clock.new_id(), project_id=project_id, kind=KIND, payload=payload, total=total,
        created_at=call.clock.now(), scorer_name=scorer_name,
    )  # fmt: skip


def next_piece(call: Call, job: JobRow, plans: Sequence[Planned], most: int) -> Piece:
    """Score the next spans of a job, at most so many."""
    if "targets" in job.payload:
        return _whole(call, job, plans, most)
    return _matched(call, job, plans, most) if "spans" in job.payload else _past(call, job, plans, most)


def _whole(call: Call, job: JobRow, plans: Sequence[Planned], most: int) -> Piece:
    """The next piece of the traces or conversations that a rule found quiet."""
    payload, start = job.payload, int(job.position or 0)
    ids: list[str] = payload["targets"][start : start + min(most, MOST_WHOLE)]
    counts: Counter[str] = Counter()
    for id in ids:
        target = _whole_target(call, job, id)
        if target is None:
            counts["gone"] += len(plans)
            continue
        for planned in plans:
            counts[_score_whole(call, job, target, planned)] += 1
    end = start + len(ids)
    return Piece(+counts, str(end), end >= len(payload["targets"]))


def _whole_target(call: Call, job: JobRow, id: str) -> Target | Absent | None:
    if job.payload["target"] == "conversation":
        return conversation_target(call, job.project_id, id)
    target = trace_target(call, job.project_id, id)
    if target is None and call.spans.heads(call.db, job.project_id, [id]):
        return Absent(id)
    return target


def _score_whole(call: Call, job: JobRow, target: Target | Absent, planned: Planned) -> str:
    if isinstance(target, Absent):  # the state stands under the trace's own id, since there is no root to put it on
        rootless = Target(job.project_id, "span", target.reason, Sample(), trace_id=target.reason)
        scoring.set_state(call, [(rootless, planned, job.id)], "absent", NO_ROOT)
        return "absent"
    name, hashed = planned.draft.scorer_name, planned.config_hash or ""
    if target.type == "conversation":
        known = scores.known_targets(call.db, job.project_id, target.type, [target.id], name, hashed)
    else:
        known = {id for _, id in known_spans(call, job.project_id, planned, [(target.trace_id or "", target.id)])}
    if target.id in known:
        return "skipped"
    (result,) = attach.carry_out(call, [(target, planned)], job_id=job.id)
    return "queued" if isinstance(result, QueuedJob) else became(result)


def _matched(call: Call, job: JobRow, plans: Sequence[Planned], most: int) -> Piece:
    """The next piece of the spans that a rule matched when they came in."""
    payload, start = job.payload, int(job.position or 0)
    keys: list[SpanKey] = [(trace_id, id) for trace_id, id in payload["spans"][start : start + most]]
    rows = call.spans.at(call.db, job.project_id, keys, lock=True)
    rate = payload["sampling_rate"]
    sample = [row for row in rows if is_sampled(payload["rule_id"], row.trace_id, row.id, rate)]
    counts = Counter(gone=len(keys) - len(rows), sampled_out=len(rows) - len(sample))
    counts.update(_score(call, job, plans, sample))
    if len(sample) < len(rows):
        kept = {(row.trace_id, row.id) for row in sample}
        left_out = [row for row in rows if (row.trace_id, row.id) not in kept]
        _say_sampled_out(call, job, plans, left_out, f"the rule scores {rate:g} of the spans that it matches")
    end = start + len(keys)
    is_last = end >= len(payload["spans"])
    if is_last:  # lists of jobs read whole rows, and nobody needs the keys any more
        jobs.change(call.db, job.id, payload={**payload, "spans": []})
    return Piece(+counts, str(end), is_last)


def _past(call: Call, job: JobRow, plans: Sequence[Planned], most: int) -> Piece:
    """The next piece of the project's spans that match the filter."""
    payload, scorers = job.payload, len(job.payload["scorers"])
    window = call.spans.walk(call.db, job.project_id, span_key_of(job.position), most)
    is_meant = matcher(PastSpanFilter.model_validate(payload["filter"]))
    matching = [(row.trace_id, row.id) for row in window if is_meant(row)]
    sample = [key for key in matching if is_sampled(SAME_SAMPLE, *key, payload["sampling_rate"])]
    rows = call.spans.at(call.db, job.project_id, sample, lock=True) if sample else []
    counts = Counter(
        filtered_out=(len(window) - len(matching)) * scorers,
        sampled_out=(len(matching) - len(sample)) * scorers,
        gone=(len(sample) - len(rows)) * scorers,
    )
    counts.update(_score(call, job, plans, rows))
    return Piece(+counts, position(window[-1]) if window else job.position or "", len(window) < most)


def _score(call: Call, job: JobRow, plans: Sequence[Planned], rows: Sequence[SpanRow]) -> Counter[str]:
    """What became of these spans, by each of the job's scorers."""
    counts: Counter[str] = Counter()
    targets = {(row.trace_id, row.id): span_target(row) for row in rows}
    for planned in plans:
        known = known_spans(call, job.project_id, planned, list(targets)) if job.payload["only_missing"] else set()
        work = [(target, planned) for key, target in targets.items() if key not in known]
        results = attach.carry_out(call, work, job_id=job.id, no_cache=job.payload["no_cache"])
        counts.update(became(result) for result in results if not isinstance(result, QueuedJob))
        counts["skipped"] += len(known)
    return counts


def _say_sampled_out(call: Call, job: JobRow, plans: Sequence[Planned], rows: Sequence[SpanRow], reason: str) -> None:
    targets = {(row.trace_id, row.id): span_target(row) for row in rows}
    for planned in plans:
        known = known_spans(call, job.project_id, planned, list(targets))
        left_out = [(target, planned, job.id) for key, target in targets.items() if key not in known]
        scoring.set_state(call, left_out, "sampled_out", reason)


def known_spans(call: Call, project_id: str, planned: Planned, keys: Sequence[SpanKey]) -> set[SpanKey]:
    """Which of these spans need no score: they have one of that name, or a judge is about to give it."""
    if not keys:
        return set()
    known = call.spans.known(call.db, project_id, planned.draft.scorer_name, planned.config_hash or "", keys)
    return known & set(keys)


def plans_of(job: JobRow) -> list[Planned]:
    """The job's scorers. Scores that a rule makes say which one."""
    rule_id, target = job.payload.get("rule_id"), job.payload.get("target")
    metadata = None if rule_id is None else {"rule_id": rule_id}
    if target is not None:
        metadata = {**(metadata or {}), scoring.WHOLE: target}
    return [scoring.plan(as_draft(ScorerSpec(**value), metadata)) for value in job.payload["scorers"]]


def as_draft(spec: ScorerSpec, metadata: JsonObject | None = None) -> InlineScoreDraft:
    return InlineScoreDraft(scorer_name=spec.scorer_name, scorer=spec.scorer, config=spec.config, metadata=metadata)


_BECAME: dict[type, str] = {Absent: "absent", Failed: "failed", QueuedJob: "queued"}


def became(result: attach.ScoreOutcome) -> str:
    return _BECAME.get(type(result), "scored")
