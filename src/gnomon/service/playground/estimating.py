"""What a playground run would take, estimated before it begins: nothing is stored and no model is asked."""

import math
from collections.abc import Sequence

from gnomon.errors import InvalidInput
from gnomon.llm.prices import OwnPrices, Tokens, price_of
from gnomon.llm.spent import total
from gnomon.model.budget import Budget, ScorerPreview
from gnomon.model.playground import CandidateDraft, CandidatePreview, PlaygroundDraft, PlaygroundPreview
from gnomon.scorers import Absent, ModelScorer, Sample
from gnomon.service.call import Call
from gnomon.service.judges import budgets, prices
from gnomon.service.playground.accepting import ChosenItems, cannot_ask, check, choose, filled
from gnomon.service.scoring.preview import CHARACTERS_A_TOKEN, QuestionsAhead, estimated_cost, estimated_tokens
from gnomon.service.scoring.scoring import Planned
from gnomon.shorten import counted
from gnomon.store.rows import DatasetItemRow

ASSUMED_ANSWER_TOKENS = 300
_LIMITS = ("max_completion_tokens", "max_tokens")
_MARKER = "0" * 32


def preview(call: Call, draft: PlaygroundDraft, plans: Sequence[Planned] | None = None) -> PlaygroundPreview:
    """Calls, tokens and US dollars of each candidate and each judge."""
    plans = check(draft) if plans is None else plans
    chosen = choose(call, draft)
    project_id = chosen.dataset.project_id
    own, notes = prices.own(call, project_id), list[str]()
    candidates = [
        _of_candidate(candidate, "ABCD"[number], chosen.items, draft.trials, own, notes)
        for number, candidate in enumerate(draft.candidates)
    ]
    answers = sum(candidate.calls for candidate in candidates)
    by_scorer = [_of_scorer(call, project_id, planned, chosen, draft, answers, notes) for planned in plans]
    cost = total(
        [
            *(estimate.cost_usd_estimate for estimate in candidates),
            *(estimate.cost_usd_estimate for estimate in by_scorer),
        ]
    )
    budget = budgets.of(call, project_id)
    notes += _beyond_budget(budget, candidates, by_scorer, cost, own)
    return PlaygroundPreview(
        items=len(chosen.items), trials=draft.trials, calls=answers, candidates=candidates, by_scorer=by_scorer,
        cost_usd_estimate=cost, budget_left_usd=budget.left_usd, notes=notes,
    )  # fmt: skip


def _of_candidate(
    candidate: CandidateDraft, letter: str, items: Sequence[DatasetItemRow], trials: int, own: OwnPrices,
    notes: list[str],
) -> CandidatePreview:  # fmt: skip
    sizes, reasons = list[int](), dict[str, int]()
    for item in items:
        try:
            characters = sum(len(message["content"]) for message in filled(candidate.messages, item))
            sizes.append(math.ceil(characters / CHARACTERS_A_TOKEN))
        except InvalidInput as bad:
            reasons[bad.message] = reasons.get(bad.message, 0) + 1
    for reason, times in reasons.items():
        notes.append(f"{letter}: {times:,} of {counted(len(items), 'item')} will fail: {reason}")
    calls, tokens_input = len(sizes) * trials, sum(sizes) * trials
    tokens_output = calls * _answer_tokens(candidate, letter, notes)
    price, cost = price_of(candidate.model, own), None
    if price is not None:
        cost = price.rates_at(tokens_input / calls).cost(Tokens(tokens_input, tokens_output)) if calls else 0.0
    else:
        notes.append(f"{letter}: nothing here says what {candidate.model} costs, so its cost is not known")
    return CandidatePreview(
        model=candidate.model, cannot_ask=cannot_ask(candidate.model), calls=calls,
        tokens_input_estimate=tokens_input, tokens_output_estimate=tokens_output, cost_usd_estimate=cost,
    )  # fmt: skip


def _answer_tokens(candidate: CandidateDraft, letter: str, notes: list[str]) -> int:
    for name in _LIMITS:
        limit = (candidate.params or {}).get(name)
        if isinstance(limit, int) and limit > 0:
            notes.append(f"{letter}: {limit:,} output tokens each are assumed, which is its {name}")
            return limit
    notes.append(f"{letter}: {ASSUMED_ANSWER_TOKENS} output tokens each are assumed; set max_tokens to bound them")
    return ASSUMED_ANSWER_TOKENS


def _of_scorer(
    call: Call, project_id: str, planned: Planned, chosen: ChosenItems, draft: PlaygroundDraft, answers: int,
    notes: list[str],
) -> ScorerPreview:  # fmt: skip
    """A judge is asked about answers that are not there yet: each is taken to be as long as assumed."""
    judge = planned.scorer if isinstance(planned.scorer, ModelScorer) else None
    name, calls = planned.draft.scorer_name, QuestionsAhead()
    if judge is not None:
        calls = _judge_calls(judge, chosen.items, answers)
        if not calls.calls:
            notes.append(f"{name}: there is nothing to ask it about these items")
    output, cost, source = (
        (0, 0.0, None) if judge is None or not calls.calls else estimated_cost(call, project_id, judge, calls, notes)
    )
    return ScorerPreview(
        scorer_name=name, model=None if judge is None else judge.model, to_score=answers, already_scored=0, cached=0,
        calls=calls.calls, tokens_input_estimate=calls.tokens_input, tokens_output_estimate=output,
        cost_usd_estimate=cost, estimate_from=source,
    )  # fmt: skip


def _judge_calls(judge: ModelScorer, items: Sequence[DatasetItemRow], answers: int) -> QuestionsAhead:
    answer = "x" * (ASSUMED_ANSWER_TOKENS * CHARACTERS_A_TOKEN)
    lengths = []
    for item in items:
        prompt = judge.render(Sample(item.input, answer, item.expected_output), _MARKER)
        if not isinstance(prompt, Absent):
            lengths.append(estimated_tokens(prompt))
    an_item = answers / len(items)
    calls = round(len(lengths) * an_item * judge.samples)
    return QuestionsAhead(calls, 0, round(sum(lengths) * an_item * judge.samples))


def _beyond_budget(
    budget: Budget, candidates: Sequence[CandidatePreview], by_scorer: Sequence[ScorerPreview], cost: float | None,
    own: OwnPrices,
) -> list[str]:  # fmt: skip
    models = {estimate.model for estimate in candidates} | {
        estimate.model for estimate in by_scorer if estimate.model is not None
    }
    notes = []
    if budget.usd_per_day is not None:
        notes += [
            f"{budgets.price_unknown(budget.project_id, model)}: as it is, it will not be asked"
            for model in sorted(models)
            if price_of(model, own) is None
        ]
    tokens = sum(estimate.tokens_input_estimate + estimate.tokens_output_estimate for estimate in candidates)
    tokens += sum(estimate.tokens_input_estimate + estimate.tokens_output_estimate for estimate in by_scorer)
    stops = "it stops there; raise the budget, or take fewer items"
    if budget.left_usd is not None and cost is not None and cost > budget.left_usd:
        notes.append(f"today's budget has {budget.left_usd:.4g} USD left and this would take about {cost:.4g}: {stops}")
    if budget.left_tokens is not None and tokens > budget.left_tokens:
        notes.append(
            f"today's budget has {budget.left_tokens:,} tokens left and this would take about {tokens:,}: {stops}"
        )
    return notes
