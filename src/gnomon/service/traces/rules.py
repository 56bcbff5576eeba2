"""Rules: which new spans are scored, by what, and how many of them.

A rule costs ingest one look at each span and one job for the whole batch. Sampling and scoring happen in that job
(spanjobs.py), in a worker, so a batch is accepted as fast with a judge behind it as with a regular expression.
"""

from collections.abc import Collection, Iterable
from datetime import timedelta

from gnomon.errors import Conflict
from gnomon.model.quickspan import ArrivedSpan
from gnomon.model.rule import Rule, RuleChange, RuleDraft, RuleTarget, SpanFilter, is_sampled, matcher
from gnomon.model.score import ScorerSpec
from gnomon.model.trace import Deleted
from gnomon.service.call import Call, Listing, listing, project_for_writing, project_in_scope, visible
from gnomon.service.judges import judging
from gnomon.service.scoring import spanjobs
from gnomon.service.scoring.scoring import Planned
from gnomon.store import jobs, quiet
from gnomon.store import rules as store
from gnomon.store.pages import Slice
from gnomon.store.rows import ScoringRuleRow
from gnomon.store.rules import RuleChanges
from gnomon.store.spanstore import SpanToFilter

QUIET: dict[RuleTarget, timedelta] = {"trace": timedelta(seconds=60), "conversation": timedelta(minutes=30)}
"""How long nothing must have come before a whole trace or conversation is scored."""
MOST_RELEASED = 500


def create(call: Call, draft: RuleDraft, planned: Planned | None = None) -> Rule:
    planned = planned or spanjobs.plan_scorer(draft.scorer)
    project_id = project_for_writing(call, draft.project_id)
    judging.refuse_unavailable([planned])
    _refuse_taken(call, project_id, draft.name)
    now = call.clock.now()
    row = ScoringRuleRow(
        id=call.clock.new_id(), project_id=project_id, name=draft.name, span_filter=draft.filter.model_dump(),
        scorer=draft.scorer.model_dump(), sampling_rate=draft.sampling_rate, enabled=int(draft.enabled),
        created_at=now, updated_at=now, target=draft.target,
    )  # fmt: skip
    store.add(call.db, row)
    return _noun(row)


def get(call: Call, id: str) -> Rule:
    return _noun(visible(call.principal, store.get(call.db, id), f"rule {id!r}"))


def all_of(call: Call, project_id: str | None, page: Slice) -> Listing[Rule]:
    rows = store.page(call.db, project_in_scope(call.principal, project_id), page)
    return listing(rows, page, _noun, lambda row: (row.id,))


def change(call: Call, id: str, rule_change: RuleChange) -> Rule:
    row = visible(call.principal, store.get(call.db, id, lock=True), f"rule {id!r}")
    changes: RuleChanges = {"updated_at": call.clock.now()}
    if rule_change.name is not None:
        if rule_change.name != row.name:
            _refuse_taken(call, row.project_id, rule_change.name)
        changes["name"] = rule_change.name
    if rule_change.sampling_rate is not None:
        changes["sampling_rate"] = rule_change.sampling_rate
    if rule_change.enabled is not None:
        changes["enabled"] = int(rule_change.enabled)
    store.change(call.db, id, **changes)
    return get(call, id)


def delete(call: Call, id: str) -> Deleted:
    """Delete a rule. Its scores stay, and what it matched before is still scored."""
    visible(call.principal, store.get(call.db, id), f"rule {id!r}")
    store.remove(call.db, id)
    quiet.forget_rule(call.db, id)
    return Deleted(id=id)


def enqueue(call: Call, project_id: str, arrived: Iterable[ArrivedSpan | SpanToFilter]) -> list[str]:
    """One job for each rule that matches spans of this batch; their ids."""
    rows = []
    enabled = store.enabled(call.db, project_id)
    arrived = list(arrived) if enabled else []
    for rule in enabled:
        is_meant = matcher(SpanFilter.model_validate(rule.span_filter))
        keys = [(span.trace_id, span.id) for span in arrived if is_meant(span)]
        if rule.target != "span":
            _wait_for_quiet(call, rule, {trace_id for trace_id, _ in keys})
        elif keys:
            payload = {
                "rule_id": rule.id, "scorers": [rule.scorer], "sampling_rate": rule.sampling_rate,
                "only_missing": True, "no_cache": False, "spans": keys,
            }  # fmt: skip
            name = rule.scorer["scorer_name"]
            rows.append(spanjobs.new_job(call, project_id, payload, len(keys), scorer_name=name))
    jobs.add(call.db, rows)
    return [row.id for row in rows]


def _wait_for_quiet(call: Call, rule: ScoringRuleRow, trace_ids: Collection[str]) -> None:
    """Traces, or the conversations that they belong to, are scored when nothing has come to them for a while."""
    if rule.target == "trace":
        targets = set(trace_ids)
    else:
        heads = call.spans.heads(call.db, rule.project_id, trace_ids).values() if trace_ids else ()
        targets = {head.conversation_id for head in heads if head.conversation_id is not None}
    sample = [id for id in targets if is_sampled(rule.id, id, "", rule.sampling_rate)]
    quiet.note(call.db, rule.id, rule.project_id, sample, call.clock.now() + QUIET[rule.target])


def release_quiet(call: Call) -> list[str]:
    """Make jobs of the traces and conversations that are due; their ids."""
    due: dict[str, list[str]] = {}
    for row in quiet.take_due(call.db, call.clock.now(), MOST_RELEASED):
        due.setdefault(row.rule_id, []).append(row.target_id)
    jobs_made = []
    for rule_id, targets in sorted(due.items()):
        rule = store.get(call.db, rule_id)
        if rule is None or not rule.enabled:
            continue
        payload = {
            "rule_id": rule.id, "scorers": [rule.scorer], "sampling_rate": 1.0, "only_missing": True,
            "no_cache": False, "target": rule.target, "targets": targets,
        }  # fmt: skip
        name = rule.scorer["scorer_name"]
        jobs_made.append(spanjobs.new_job(call, rule.project_id, payload, len(targets), scorer_name=name))
    jobs.add(call.db, jobs_made)
    return [job.id for job in jobs_made]


def _refuse_taken(call: Call, project_id: str, name: str) -> None:
    if store.by_name(call.db, project_id, name) is not None:
        raise Conflict(f"project {project_id!r} has a rule named {name!r} already; choose another name")


def _noun(row: ScoringRuleRow) -> Rule:
    return Rule(
        id=row.id, project_id=row.project_id, name=row.name, target=row.target,
        filter=SpanFilter.model_validate(row.span_filter),
        scorer=ScorerSpec.model_validate(row.scorer), sampling_rate=row.sampling_rate, enabled=bool(row.enabled),
        created_at=row.created_at, updated_at=row.updated_at,
    )  # fmt: skip
