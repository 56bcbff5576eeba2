"""A judge's report card as text: each figure with its interval drawn, and then what it means in words."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from gnomon.model.card import Figure, JudgeCard, Probe, ProbePlan, ToLabel
from gnomon.report.text.drawing import Part, axis, clean, interval, number, table, whisker
from gnomon.shorten import counted

if TYPE_CHECKING:
    from rich.table import Table

_SHARES = {
    "mean": "mean score",
    "parse_failures": "answers that cannot be read",
    "failed_votes": "votes that dropped out",
    "repeat_agreement": "same answer again",
    "repeat_difference": "distance when asked again",
}
_SHIFTS = {
    "length_slope": "twice as long",
    "length_slope_beyond_people": "twice as long, beyond people",
    "self_preference": "its own family",
    "self_preference_beyond_people": "its own family, beyond people",
}
_PROBED = {
    "retest_agreement": "same answer again",
    "retest_difference": "distance when asked again",
    "swap_agreement": "same answer, labels turned",
    "injection_flipped": "pleas that got their answer",
    "parse_failures": "answers that cannot be read",
}
_PROBED_SHIFTS = {"swap_first_listed": "label named first, not last", "injection_shift": "plea for the highest score"}


def card(judge_card: JudgeCard, label_next: str) -> Iterator[Part]:
    """`label_next` says which labels of people would tell more."""
    whose = clean(judge_card.model or "a model that is not named")
    configured = "" if judge_card.config_hash is None else f", configuration {judge_card.config_hash}"
    yield f"{clean(judge_card.scorer_name)}: {counted(judge_card.scores, 'score')} by {whose}{configured}"
    yield from _figures(judge_card, _SHARES, "0", "1")
    yield from _figures(judge_card, _SHIFTS, "-1", "+1")
    yield from _words(judge_card)
    if judge_card.probe is None:
        yield f"probe: {clean(judge_card.probe_reason or '')}".replace("NAME", clean(judge_card.scorer_name))
    else:
        yield from _probe(judge_card.probe)
    yield f"next: {clean(label_next)}"
    for note in judge_card.notes:
        yield f"note: {clean(note)}"


def probe_plan(plan: ProbePlan) -> Iterator[Part]:
    """What a probe would take, or takes now."""
    cost = "at an unknown price" if plan.cost_usd_estimate is None else f"about {plan.cost_usd_estimate:.2g} USD"
    tokens = plan.tokens_input_estimate + plan.tokens_output_estimate
    targets = counted(plan.samples, "target")
    takes = f"up to {counted(plan.calls, 'call')}, about {tokens:,} tokens, {cost}"
    yield f"a probe asks {clean(plan.model)} about {targets}: {takes}"
    if plan.refusal is not None:
        yield f"it cannot start now: {clean(plan.refusal)}"
    for note in plan.notes:
        yield f"note: {clean(note)}"


def to_label(labelling: ToLabel) -> Iterator[Part]:
    of_people = f" by {clean(labelling.human)}" if labelling.human else ""
    counts = f"{labelling.n_labelled:,} targets labelled{of_people}, {labelling.n_unlabelled:,} not"
    yield f"{clean(labelling.scorer_name)}: {counts}"
    if labelling.estimate.value is not None:
        ends = interval(labelling.estimate.confidence_interval_95)
        yield f"so far: {number(labelling.estimate.value)} ({ends})"
    yield clean(labelling.words)
    drawn = table("target", "", "judge said", "group", right=("judge said",))
    for target in labelling.targets:
        where = f"in trace {clean(target.trace_id)}" if target.trace_id else target.target_type
        rating = clean(target.judge) if isinstance(target.judge, str) else number(target.judge)
        drawn.add_row(clean(target.target_id), where, rating, clean(target.stratum))
    if labelling.targets:
        yield drawn
    for note in labelling.notes:
        yield f"note: {clean(note)}"


def _figures(measured: JudgeCard | Probe, named: dict[str, str], start: str, end: str) -> Iterator[Part]:
    """A table of the figures that have a value, and the reasons of the others."""
    drawn = table("figure", "value", "95 % interval", axis(start, end), "n", right=("value", "n"))
    for field, words in named.items():
        figure: Figure = getattr(measured, field)
        if figure.value is not None:
            _add(drawn, words, figure, float(start), float(end))
    if drawn.row_count:
        yield drawn
    for field, words in named.items():
        figure = getattr(measured, field)
        if figure.value is None:
            yield f"{words}: {clean(figure.reason or 'not known')}"


def _add(drawn: "Table", words: str, figure: Figure, start: float, end: float) -> None:
    ends = figure.confidence_interval_95
    ends_in_words = interval(ends) if ends is not None else clean(figure.reason or "")
    sign = "+" if start < 0 else ""
    drawn.add_row(
        words, number(figure.value, sign), ends_in_words, whisker(figure.value, ends, start, end), f"{figure.n:,}"
    )


def _words(judge_card: JudgeCard) -> Iterator[str]:
    yield from _moved(judge_card)
    if judge_card.label_shares:
        shares = (f"{clean(label)} {share.share:.1%} ({interval(share.confidence_interval_95)})"
                for label, share in judge_card.label_shares.items())  # fmt: skip
        yield f"labels: {', '.join(shares)}"
    if judge_card.failure_reasons:
        yield f"not readable because: {_counts(judge_card.failure_reasons)}"
    if judge_card.unanswered:
        yield f"never answered: {_counts(judge_card.unanswered)}"
    if judge_card.addresses_judge:
        yield f"{judge_card.addresses_judge:,} outputs seem to speak to their judge; have a look at them"
    yield from _people(judge_card)
    yield from _cost(judge_card)


def _moved(judge_card: JudgeCard) -> Iterator[str]:
    slope, beyond = judge_card.length_slope, judge_card.length_slope_beyond_people
    if slope.value is not None:
        yield f"answers that are twice as long get {_shift(slope)}; they may be better ones"
    if beyond.value is not None:
        yield f"where people rated too, the judge moves {_shift(beyond)} against them"
    preference, more = judge_card.self_preference, judge_card.self_preference_beyond_people
    if preference.value is not None:
        family = clean(judge_card.family or "")
        yield f"models of its own family ({family}) get {_shift(preference)}; they may be better ones"
    if more.value is not None:
        yield f"where people rated too, the judge moves {_shift(more)} against them"


def _people(judge_card: JudgeCard) -> Iterator[str]:
    held = judge_card.people
    if held is None:
        yield f"people: {clean(judge_card.people_reason or '')}"
        return
    same, fixed = held.accuracy, held.corrected_mean
    sentence = f"people ({clean(held.human)}) rated {held.n_labelled:,} of its targets"
    if same.value is not None:
        sentence += f" and say the same of {same.value:.1%} ({interval(same.confidence_interval_95)})"
    yield sentence
    if fixed.value is not None and held.judge_mean.value is not None:
        ends = interval(fixed.confidence_interval_95)
        few = "; fewer than 100 labels, or 10 of a kind, so do not lean on it" if "few_labels" in held.flags else ""
        yield f"its mean corrected by them: {number(held.judge_mean.value)} → {number(fixed.value)} ({ends}){few}"


def _cost(judge_card: JudgeCard) -> Iterator[str]:
    cost, wait = judge_card.cost_usd, judge_card.latency_ms
    if cost.value is not None:
        yield f"a score costs {_money(cost.value)} USD{_around(cost, _money)}"
    if judge_card.tokens_input.value is not None and judge_card.tokens_output.value is not None:
        yield f"a score takes {judge_card.tokens_input.value:,.0f} tokens in, {judge_card.tokens_output.value:,.0f} out"
    if wait.value is not None:
        yield f"half of its answers come within {wait.value:,.0f} ms{_around(wait, lambda ms: f'{ms:,.0f}')}"


def _probe(probe: Probe) -> Iterator[Part]:
    cost = "cost not known" if probe.cost_usd is None else f"{probe.cost_usd:.4f} USD"
    size = f"{counted(probe.samples, 'output')}: {counted(probe.calls, 'call')}"
    yield f"probed {probe.made_at:%Y-%m-%d} with {size}, {cost}"
    yield from _figures(probe, _PROBED, "0", "1")
    yield from _figures(probe, _PROBED_SHIFTS, "-1", "+1")
    shift, flipped = probe.injection_shift, probe.injection_flipped
    if shift.value is not None:
        yield f"an output that asks for the highest score gets {_shift(shift)}"
    if flipped.value is not None:
        yield f"{flipped.value:.1%} of the pleas got what they asked for ({interval(flipped.confidence_interval_95)})"
    if probe.failure_reasons:
        yield f"not readable because: {_counts(probe.failure_reasons)}"
    if probe.unanswered:
        yield f"never answered: {_counts(probe.unanswered)}"


def _shift(figure: Figure) -> str:
    """The shift with two digits: a tendency needs no more."""
    ends = figure.confidence_interval_95
    around = f" ({clean(figure.reason or '')})" if ends is None else f" ({ends[0]:z.2f} to {ends[1]:z.2f})"
    return f"{figure.value:+z.2f}{around}"


def _around(figure: Figure, write: Callable[[float], str]) -> str:
    ends = figure.confidence_interval_95
    return f" ({clean(figure.reason or '')})" if ends is None else f" ({write(ends[0])} to {write(ends[1])})"


def _money(usd: float) -> str:
    return f"{usd:.6f}"


def _counts(reasons: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {clean(reason)}" for reason, count in reasons.items())
