"""A judge's report card as text: each figure with its interval drawn, and then what it means in words."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from gnomon.model.card import Figure, JudgeCard, Probe, ToLabel
from gnomon.report.text.drawing import Part, axis, clean, interval, number, table, whisker

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


def card(found: JudgeCard, label_next: str) -> Iterator[Part]:
    """`label_next` says which labels of people would tell more."""
    whose = clean(found.model or "a model that is not named")
    configured = "" if found.config_hash is None else f", configuration {found.config_hash}"
    yield f"{clean(found.scorer_name)}: {found.scores:,} scores by {whose}{configured}"
    yield from _figures(found, _SHARES, "0", "1")
    yield from _figures(found, _SHIFTS, "-1", "+1")
    yield from _words(found)
    if found.probe is None:
        yield f"probe: {clean(found.probe_reason or '')}".replace("NAME", clean(found.scorer_name))
    else:
        yield from _probe(found.probe)
    yield f"next: {clean(label_next)}"
    for note in found.notes:
        yield f"note: {clean(note)}"


def to_label(found: ToLabel) -> Iterator[Part]:
    of_people = f" by {clean(found.human)}" if found.human else ""
    yield f"{clean(found.scorer_name)}: {found.n_labelled:,} targets labelled{of_people}, {found.n_unlabelled:,} not"
    if found.estimate.value is not None:
        ends = interval(found.estimate.confidence_interval_95)
        yield f"so far: {number(found.estimate.value)} ({ends})"
    yield clean(found.words)
    drawn = table("target", "", "judge said", "group", right=("judge said",))
    for one in found.targets:
        where = f"in trace {clean(one.trace_id)}" if one.trace_id else one.target_type
        said = clean(one.judge) if isinstance(one.judge, str) else number(one.judge)
        drawn.add_row(clean(one.target_id), where, said, clean(one.stratum))
    if found.targets:
        yield drawn
    for note in found.notes:
        yield f"note: {clean(note)}"


def _figures(found: JudgeCard | Probe, named: dict[str, str], start: str, end: str) -> Iterator[Part]:
    """Those that have a value as a table, the others with their reasons."""
    drawn = table("figure", "value", "95 % interval", axis(start, end), "n", right=("value", "n"))
    for field, words in named.items():
        one: Figure = getattr(found, field)
        if one.value is not None:
            _add(drawn, words, one, float(start), float(end))
    if drawn.row_count:
        yield drawn
    for field, words in named.items():
        one = getattr(found, field)
        if one.value is None:
            yield f"{words}: {clean(one.reason or 'not known')}"


def _add(drawn: "Table", words: str, one: Figure, start: float, end: float) -> None:
    ends = one.confidence_interval_95
    told = interval(ends) if ends is not None else clean(one.reason or "")
    sign = "+" if start < 0 else ""
    drawn.add_row(words, number(one.value, sign), told, whisker(one.value, ends, start, end), f"{one.n:,}")


def _words(found: JudgeCard) -> Iterator[str]:
    yield from _moved(found)
    if found.label_shares:
        told = (f"{clean(label)} {one.share:.1%} ({interval(one.confidence_interval_95)})"
                for label, one in found.label_shares.items())  # fmt: skip
        yield f"labels: {', '.join(told)}"
    if found.failure_reasons:
        yield f"not readable because: {_counts(found.failure_reasons)}"
    if found.unanswered:
        yield f"never answered: {_counts(found.unanswered)}"
    if found.addresses_judge:
        yield f"{found.addresses_judge:,} outputs seem to speak to their judge; have a look at them"
    yield from _people(found)
    yield from _cost(found)


def _moved(found: JudgeCard) -> Iterator[str]:
    slope, beyond = found.length_slope, found.length_slope_beyond_people
    if slope.value is not None:
        yield f"answers that are twice as long get {_shift(slope)}; they may be better ones"
    if beyond.value is not None:
        yield f"where people rated too, the judge moves {_shift(beyond)} against them"
    own, more = found.self_preference, found.self_preference_beyond_people
    if own.value is not None:
        yield f"models of its own family ({clean(found.family or '')}) get {_shift(own)}; they may be better ones"
    if more.value is not None:
        yield f"where people rated too, the judge moves {_shift(more)} against them"


def _people(found: JudgeCard) -> Iterator[str]:
    held = found.people
    if held is None:
        yield f"people: {clean(found.people_reason or '')}"
        return
    same, fixed = held.accuracy, held.corrected_mean
    told = f"people ({clean(held.human)}) rated {held.n_labelled:,} of its targets"
    if same.value is not None:
        told += f" and say the same of {same.value:.1%} ({interval(same.confidence_interval_95)})"
    yield told
    if fixed.value is not None and held.judge_mean.value is not None:
        ends = interval(fixed.confidence_interval_95)
        few = "; fewer than 100 labels, or 10 of a kind, so do not lean on it" if "few_labels" in held.flags else ""
        yield f"its mean corrected by them: {number(held.judge_mean.value)} → {number(fixed.value)} ({ends}){few}"


def _cost(found: JudgeCard) -> Iterator[str]:
    cost, wait = found.cost_usd, found.latency_ms
    if cost.value is not None:
        yield f"a score costs {_money(cost.value)} USD{_around(cost, _money)}"
    if found.tokens_input.value is not None and found.tokens_output.value is not None:
        yield f"a score takes {found.tokens_input.value:,.0f} tokens in, {found.tokens_output.value:,.0f} out"
    if wait.value is not None:
        yield f"half of its answers come within {wait.value:,.0f} ms{_around(wait, lambda ms: f'{ms:,.0f}')}"


def _probe(found: Probe) -> Iterator[Part]:
    cost = "cost not known" if found.cost_usd is None else f"{found.cost_usd:.4f} USD"
    yield f"probed {found.made_at:%Y-%m-%d} with {found.samples:,} outputs: {found.calls:,} calls, {cost}"
    yield from _figures(found, _PROBED, "0", "1")
    yield from _figures(found, _PROBED_SHIFTS, "-1", "+1")
    shift, flipped = found.injection_shift, found.injection_flipped
    if shift.value is not None:
        yield f"an output that asks for the highest score gets {_shift(shift)}"
    if flipped.value is not None:
        yield f"{flipped.value:.1%} of the pleas got what they asked for ({interval(flipped.confidence_interval_95)})"
    if found.failure_reasons:
        yield f"not readable because: {_counts(found.failure_reasons)}"
    if found.unanswered:
        yield f"never answered: {_counts(found.unanswered)}"


def _shift(one: Figure) -> str:
    """With two digits, as nobody needs more of a tendency."""
    ends = one.confidence_interval_95
    around = f" ({clean(one.reason or '')})" if ends is None else f" ({ends[0]:.2f} to {ends[1]:.2f})"
    return f"{one.value:+.2f}{around}"


def _around(one: Figure, write: Callable[[float], str]) -> str:
    ends = one.confidence_interval_95
    return "" if ends is None else f" ({write(ends[0])} to {write(ends[1])})"


def _money(usd: float) -> str:
    return f"{usd:.6f}"


def _counts(reasons: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {clean(reason)}" for reason, count in reasons.items())
