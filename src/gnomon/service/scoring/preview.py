"""What a scoring would cost, estimated before it starts: nothing is stored and no model is asked.

Targets are walked through as the job would walk. Prompts are rendered for some of them, evenly picked; what an answer
is long and costs is taken from the project's own past calls, or else from the project's own prices or the price table.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Generic, Literal, TypeVar

from gnomon.llm.prices import OwnPrices, Tokens, price_of
from gnomon.llm.spent import total
from gnomon.model.budget import Budget, ScorerPreview, ScoringPreview
from gnomon.model.experiment import ScoreExperimentDraft
from gnomon.model.moment import to_ms
from gnomon.model.rule import RuleDraft, RulePreview, RuleTarget, ScoreSpansDraft, is_sampled, matcher
from gnomon.scorers import Absent, ModelScorer
from gnomon.scorers.asking import Prompt
from gnomon.service.call import Call, project_in_scope
from gnomon.service.experiments import experiments
from gnomon.service.judges import budgets, judging, prices
from gnomon.service.scoring import spanjobs
from gnomon.service.scoring.scoring import Planned
from gnomon.service.scoring.targets import Target, conversation_target, run_targets, span_target, trace_target
from gnomon.store import jobs, models, scores
from gnomon.store import preview as store
from gnomon.store.pages import Slice
from gnomon.store.spanstore import SpanKey, TraceFilter, TraceWithRoot

MOST_RENDERED = 200
CHARACTERS_A_TOKEN = 4
ASSUMED_OUTPUT_TOKENS = 150
"""Per score that an answer holds."""
RULE_DAYS = 7
SHOWN_TRACES = 10
MOST_LOOKED_AT = 50_000
"""Spans that the preview of a rule looks at, the newest traces first."""
_STEP = 2000
_TRACES = 500
_MOST_WHOLE = 20
_MARKER = "0" * 32

K = TypeVar("K")


def of_experiment(
    call: Call, id: str, draft: ScoreExperimentDraft, plans: Sequence[Planned] | None = None
) -> ScoringPreview:
    """What `jobs.score_experiment` would take."""
    plans = plans or spanjobs.plan_all(draft.scorers)
    row = experiments.row(call, id)
    judging.refuse_unavailable(plans)
    those = _Targets(row.project_id, _run_ids(call, id), _known_runs(call), lambda ids: _runs(call, ids))
    return _preview(call, those, plans, only_missing=draft.only_missing, no_cache=draft.no_cache)


def of_spans(call: Call, draft: ScoreSpansDraft, plans: Sequence[Planned] | None = None) -> ScoringPreview:
    """What `spanjobs.accept` would take."""
    plans = plans or spanjobs.plan_all(draft.scorers)
    project_id = project_in_scope(call.principal, draft.project_id)
    judging.refuse_unavailable(plans)

    def load(keys: Sequence[SpanKey]) -> list[Target]:
        return [span_target(row) for row in call.spans.at(call.db, project_id, keys)]

    def known(planned: Planned, keys: Sequence[SpanKey]) -> set[SpanKey]:
        return spanjobs.known_spans(call, project_id, planned, keys)

    those = _Targets(project_id, _span_keys(call, project_id, draft), known, load)
    return _preview(call, those, plans, only_missing=draft.only_missing, no_cache=draft.no_cache)


def of_rule(call: Call, draft: RuleDraft, planned: Planned | None = None) -> RulePreview:
    """What a rule would have matched in the last days, and what scoring that would have taken."""
    planned = planned or spanjobs.plan_scorer(draft.scorer)
    project_id = project_in_scope(call.principal, draft.project_id)
    judging.refuse_unavailable([planned])
    since = call.clock.now() - timedelta(days=RULE_DAYS)
    seen = _recent(call, project_id, draft, since)
    sample = [target for target in seen.targets if is_sampled(spanjobs.SAME_SAMPLE, *target, draft.sampling_rate)]
    load = _loader(call, project_id, draft.target) if isinstance(planned.scorer, ModelScorer) else lambda _: []
    those = _Targets(project_id, iter([sample]), lambda _planned, _keys: set(), load)
    # What is asked for the first time costs; earlier answers on these very spans do not make new spans cheaper.
    preview = _preview(call, those, [planned], only_missing=False, no_cache=True)
    notes = list(preview.notes)
    if not seen.complete:
        notes.append(f"only the newest {seen.traces:,} traces were looked at: all figures are of these")
    cost, days = preview.by_scorer[0].cost_usd_estimate, _days(call, seen, since)
    return RulePreview(
        since=since, days=RULE_DAYS, looked_at_spans=seen.spans, complete=seen.complete, matched_spans=seen.matched,
        targets=len(seen.targets), sampled=len(sample), sample_trace_ids=seen.trace_ids[:SHOWN_TRACES],
        scoring=preview.by_scorer[0], cost_usd_per_day_estimate=None if cost is None else cost / days,
        budget_left_usd=preview.budget_left_usd, notes=notes,
    )  # fmt: skip


@dataclass(slots=True)
class _Recent:
    """What a rule's filter says of the newest traces."""

    traces: int = 0
    spans: int = 0
    matched: int = 0
    targets: dict[SpanKey, None] = field(default_factory=dict)
    """In order; of a trace or conversation its id alone."""
    trace_ids: list[str] = field(default_factory=list)
    complete: bool = True
    oldest: datetime | None = None


def _recent(call: Call, project_id: str, draft: RuleDraft, since: datetime) -> _Recent:
    """Look through the newest traces, until there are no more or enough spans were looked at."""
    is_meant, seen, after = matcher(draft.filter), _Recent(), None
    while True:
        page = Slice(_TRACES, after)
        rows = call.spans.page(call.db, project_id, TraceFilter(after=since), page, ()).rows
        heads: dict[str, TraceWithRoot] = {}
        for row in rows[:_TRACES]:
            if seen.spans + row.span_count > MOST_LOOKED_AT and seen.traces:
                seen.complete = False
                break
            heads[row.id] = row
            seen.spans, seen.traces, seen.oldest = seen.spans + row.span_count, seen.traces + 1, row.created_at
        if heads:
            _match(call, project_id, draft, is_meant, heads, seen)
        if not seen.complete or len(rows) <= _TRACES:
            return seen
        after = (to_ms(rows[_TRACES - 1].created_at), rows[_TRACES - 1].id)


def _match(
    call: Call, project_id: str, draft: RuleDraft, is_meant: Callable[[Any], bool],
    heads: Mapping[str, TraceWithRoot], seen: _Recent,
) -> None:  # fmt: skip
    matching: dict[str, list[str]] = {}
    for span in call.spans.to_filter(call.db, project_id, heads):
        if is_meant(span):
            matching.setdefault(span.trace_id, []).append(span.id)
    for trace_id, head in heads.items():
        ids = matching.get(trace_id)
        if ids is None:
            continue
        seen.matched += len(ids)
        seen.trace_ids.append(trace_id)
        if draft.target == "span":
            seen.targets.update(dict.fromkeys((trace_id, id) for id in sorted(ids)))
        elif draft.target == "trace":
            seen.targets[trace_id, ""] = None
        elif head.conversation_id is not None:
            seen.targets[head.conversation_id, ""] = None


def _loader(call: Call, project_id: str, target: RuleTarget) -> Callable[[Sequence[SpanKey]], list[Target]]:
    """Reads targets to render prompts of; of whole traces and conversations a few, since each may be large."""

    def load(keys: Sequence[SpanKey]) -> list[Target]:
        if target == "span":
            return [span_target(row) for row in call.spans.at(call.db, project_id, keys)]
        read = trace_target if target == "trace" else conversation_target
        some = keys[:: max(1, len(keys) // _MOST_WHOLE)]
        return [loaded for id, _ in some if (loaded := read(call, project_id, id)) is not None]

    return load


def _days(call: Call, seen: _Recent, since: datetime) -> float:
    """How many days the traces that were looked at came in."""
    begin = since if seen.complete or seen.oldest is None else seen.oldest
    return max((call.clock.now() - begin) / timedelta(days=1), 1 / 24)


@dataclass(frozen=True, slots=True)
class _Targets(Generic[K]):
    """The targets of a scoring: their keys some at a time, which of them need no score, and what they hold."""

    project_id: str
    keys: Iterator[Sequence[K]]
    known: Callable[[Planned, Sequence[K]], set[K]]
    load: Callable[[Sequence[K]], list[Target]]


@dataclass(slots=True)
class EvenSample(Generic[K]):
    """A sample of up to 200 targets that come one by one, equally far apart, however many there will be."""

    kept: list[K] = field(default_factory=list)
    seen: int = 0
    _stride: int = 1

    def add(self, target: K) -> None:
        if self.seen % self._stride == 0:
            self.kept.append(target)
            if len(self.kept) > MOST_RENDERED:
                self.kept, self._stride = self.kept[::2], self._stride * 2
        self.seen += 1


def _preview(
    call: Call, those: _Targets[K], plans: Sequence[Planned], *, only_missing: bool, no_cache: bool
) -> ScoringPreview:
    targets, to_score = 0, [EvenSample[K]() for _ in plans]
    for keys in those.keys:
        targets += len(keys)
        for planned, sample in zip(plans, to_score, strict=True):
            known = those.known(planned, keys) if only_missing else set()
            for key in keys:
                if key not in known:
                    sample.add(key)
    notes: list[str] = []
    by_scorer = []
    for planned, sample in zip(plans, to_score, strict=True):
        calls = _count_questions(
            call, planned, those.load(sample.kept) if sample.kept else [], sample.seen, no_cache, notes
        )
        by_scorer.append(_preview_of(call, those.project_id, planned, calls, targets - sample.seen, sample.seen, notes))
    cost = total(preview.cost_usd_estimate for preview in by_scorer)
    budget = budgets.of(call, those.project_id)
    notes += _over(budget, by_scorer, cost, prices.own(call, those.project_id))
    return ScoringPreview(
        targets=targets,
        by_scorer=by_scorer,
        cost_usd_estimate=cost,
        budget_left_usd=budget.left_usd,
        notes=notes,
    )


@dataclass(frozen=True, slots=True)
class QuestionsAhead:
    """What a judge would be asked, over all its targets."""

    calls: int = 0
    cached: int = 0
    tokens_input: int = 0


def _count_questions(
    call: Call, planned: Planned, some: Sequence[Target], all_of_them: int, no_cache: bool, notes: list[str]
) -> QuestionsAhead:
    judge, name = planned.scorer, planned.draft.scorer_name
    if not isinstance(judge, ModelScorer) or not some:
        return QuestionsAhead()
    nothing: Counter[str] = Counter()
    sizes: dict[str, int] = {}
    votes: list[str] = []
    for target in some:
        prompt = Absent("the run failed") if target.error is not None else judge.render(target.sample, _MARKER)
        if isinstance(prompt, Absent):
            nothing[prompt.reason] += 1
            continue
        keys = judging.vote_keys(target.project_id, judge, prompt)
        sizes.update(dict.fromkeys(keys, estimated_tokens(prompt)))
        votes += keys
    known = {} if no_cache else models.answers(call.db, set(votes))
    new = [key for key in votes if key not in known]
    scale = all_of_them / len(some)
    if scale > 1:
        notes.append(f"{name}: estimated from {len(some):,} of {all_of_them:,} targets")
    for reason, times in nothing.most_common():
        notes.append(f"{name}: {round(times * scale):,} of {all_of_them:,} targets are not asked about: {reason}")
    total = sum(sizes[key] for key in new)
    return QuestionsAhead(round(len(new) * scale), round((len(votes) - len(new)) * scale), round(total * scale))


def _preview_of(
    call: Call, project_id: str, planned: Planned, calls: QuestionsAhead, already: int, to_score: int, notes: list[str]
) -> ScorerPreview:
    judge = planned.scorer if isinstance(planned.scorer, ModelScorer) else None
    output, cost, source = (0, 0.0, None) if judge is None or not calls.calls else estimated_cost(
        call, project_id, judge, calls, notes
    )  # fmt: skip
    return ScorerPreview(
        scorer_name=planned.draft.scorer_name,
        model=None if judge is None else judge.model,
        to_score=to_score,
        already_scored=already,
        cached=calls.cached,
        calls=calls.calls,
        tokens_input_estimate=calls.tokens_input,
        tokens_output_estimate=output,
        cost_usd_estimate=cost,
        estimate_from=source,
    )


def estimated_tokens(prompt: Prompt) -> int:
    return math.ceil((len(prompt.text) + len(prompt.system or "")) / CHARACTERS_A_TOKEN)


PriceSource = Literal["past calls", "price list"]


def estimated_cost(
    call: Call, project_id: str, judge: ModelScorer, calls: QuestionsAhead, notes: list[str]
) -> tuple[int, float | None, PriceSource | None]:
    """Output tokens, US dollars, and where the price comes from."""
    model, assumed = judge.model, ASSUMED_OUTPUT_TOKENS * (1 + len(judge.parts))
    past = store.past_calls(call.db, project_id, model)
    tokens_per_call = assumed if past.tokens_output is None else float(past.tokens_output)
    if not past.calls:
        words = f"no earlier answer of {model} is kept in this project: {assumed:,} output tokens each"
        notes.append(f"{words} are assumed")
    output = round(tokens_per_call * calls.calls)
    if past.priced_tokens and past.usd is not None:
        return output, past.usd / float(past.priced_tokens) * (calls.tokens_input + output), "past calls"
    price = price_of(model, prices.own(call, project_id))
    if price is not None:
        rates = price.rates_at(calls.tokens_input / calls.calls)
        return output, rates.cost(Tokens(calls.tokens_input, output)), "price list"
    notes.append(f"nothing here says what {model} costs, so the cost is not known")
    return output, None, None


def _over(budget: Budget, by_scorer: Sequence[ScorerPreview], cost: float | None, own: OwnPrices) -> Iterator[str]:
    models = sorted({preview.model for preview in by_scorer if preview.model is not None and preview.calls})
    if budget.usd_per_day is not None:
        yield from (
            f"{budgets.price_unknown(budget.project_id, model)}: as it is, all its calls fail"
            for model in models
            if price_of(model, own) is None
        )
    tokens = sum(preview.tokens_input_estimate + preview.tokens_output_estimate for preview in by_scorer)
    if budget.left_usd is not None and cost is not None and cost > budget.left_usd:
        yield (
            f"today's budget has {budget.left_usd:.4g} USD left and this would take about {cost:.4g}: calls beyond it"
            " fail; raise the budget, or score fewer"
        )
    if budget.left_tokens is not None and tokens > budget.left_tokens:
        yield (
            f"today's budget has {budget.left_tokens:,} tokens left and this would take about {tokens:,}: calls beyond"
            " it fail; raise the budget, or score fewer"
        )


# --- targets -----


def _run_ids(call: Call, experiment_id: str) -> Iterator[Sequence[str]]:
    position = ""
    while ids := store.run_ids_after(call.db, experiment_id, position, _STEP):
        yield ids
        position = ids[-1]


def _known_runs(call: Call) -> Callable[[Planned, Sequence[str]], set[str]]:
    def known(planned: Planned, ids: Sequence[str]) -> set[str]:
        name = planned.draft.scorer_name
        open_ids = jobs.open_targets(call.db, name, planned.config_hash or "", ids)
        return scores.runs_scored_by(call.db, name, ids) | open_ids

    return known


def _runs(call: Call, ids: Sequence[str]) -> list[Target]:
    return run_targets(call, store.runs_at(call.db, ids))


def _span_keys(call: Call, project_id: str, draft: ScoreSpansDraft) -> Iterator[Sequence[SpanKey]]:
    is_meant, after = matcher(draft.filter), None
    while rows := call.spans.walk(call.db, project_id, after, _STEP):
        matching = [(row.trace_id, row.id) for row in rows if is_meant(row)]
        yield [key for key in matching if is_sampled(spanjobs.SAME_SAMPLE, *key, draft.sampling_rate)]
        after = (rows[-1].trace_id, rows[-1].id)
