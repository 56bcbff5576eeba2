"""Planning: how many items and trials a difference takes, from measured variance where there is any.

`variance` measures a stored experiment, `table_variance` a table of scores, `plan` does the sums. What is not
measured is taken from the cautious side, and said: without a second agent its items are taken to have nothing to
do with the first one's (correlation 0), and without any scores everything is the toss of a coin.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite

from gnomon.errors import InvalidInput, Refused
from gnomon.interop.resulttables import LongTable
from gnomon.model.nearest import did_you_mean
from gnomon.model.plan import Plan, Reach, Variance, VarianceOfScores
from gnomon.service.call import Call
from gnomon.service.experiments import experiments
from gnomon.shorten import counted, list_some
from gnomon.stats.describe import round_shown
from gnomon.stats.plan import (
    Components,
    DifferenceSpread,
    ItemScores,
    UnitCosts,
    components,
    difference_variance,
    gains,
    items_needed,
    smallest_effect,
    whole_items,
)
from gnomon.store import aggregates
from gnomon.store.components import item_components
from gnomon.store.rows import ExperimentTableRow

COIN_TOSS = 0.25
FEW_ITEMS = 30
ITEMS = (50, 100, 200, 500, 1000, 2000)
TRIALS = (1, 2, 4, 8)
_NEGATIVE = {
    "between_negative": "the variance between items is estimated below zero, taken as zero",
    "within_negative": "the variance within items is estimated below zero, taken as zero",
    "judge_negative": "the judge's variance is estimated below zero, taken as zero",
}
_ItemsOf = Mapping[str, ItemScores]


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """What a plan is asked for. Trials and votes that are not said are as measured, else 1."""

    effect: float
    power: float = 0.8
    alpha: float = 0.05
    trials: int | None = None
    votes: int | None = None
    correlation: float | None = None
    """Between the two agents' items, where only one of them is measured."""
    costs: UnitCosts = field(default_factory=UnitCosts)
    between: float | None = None
    """The variance of item-level differences, where it is known and nothing is measured."""
    within: float | None = None
    """The variance that one run adds, likewise."""

    def __post_init__(self) -> None:
        for name in ("between", "within"):
            value = getattr(self, name)
            if value is not None and not 0 <= value <= 1:
                raise InvalidInput.of(name, f"{name} is {value}; the variance of scores in [0, 1] is from 0 to 1")
        if self.within is not None and self.between is None:
            raise InvalidInput.of("between", "between is not given; the variance within items needs it beside")
        for name in ("trials", "votes"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise InvalidInput.of(name, f"{name} is {value}; it must be a whole number from 1 up")
        if self.correlation is not None and not -1 <= self.correlation <= 1:
            message = f"correlation is {self.correlation}; it must be between -1 and 1, like 0.5"
            raise InvalidInput.of("correlation", message)


# Measuring


def variance(call: Call, id: str, scorer_name: str, against: str | None = None) -> Variance:
    """The variance of a scorer in a stored experiment, or in two over the same dataset."""
    row = experiments.row(call, id)
    base = _stored(call, row, scorer_name)
    if against is None:
        return _measured(base, None)
    other = experiments.row(call, against)
    if row.dataset_id != other.dataset_id or row.project_id != other.project_id:
        raise Refused("the two experiments run over different datasets", code="INCOMPATIBLE_EXPERIMENTS")
    return _measured(base, _stored(call, other, scorer_name))


def table_variance(table: LongTable, agent: str | None = None, against: str | None = None) -> Variance:
    """Estimate the variance of one or two agents from a table of scores. A single agent need not be named."""
    known = list(dict.fromkeys(table.agents))
    if agent is None and len(known) > 1:
        raise InvalidInput.of("agent", f"{table.source} has {len(known)} agents; name one: {list_some(known, 5)}")
    for name in (agent, against):
        if name is not None and name not in known:
            raise InvalidInput.of("agent", f"{table.source} has no agent {name!r}; it has {list_some(known, 5)}")
    return _measured(_tabled(table, agent or known[0]), None if against is None else _tabled(table, against))


def _stored(call: Call, row: ExperimentTableRow, scorer_name: str) -> _ItemsOf:
    components = item_components(call.db, row.id, scorer_name)
    if not components:
        known = aggregates.scorer_names(call.db, row.id)
        hint = f"the scorers here are {', '.join(known) or 'none'}"
        near = hint if scorer_name in known else did_you_mean(scorer_name, known, hint)
        raise Refused(f"{row.name} has no numbers of {scorer_name!r}; {near}")
    return {item: ItemScores(*sums) for item, sums in components.items()}


def _tabled(table: LongTable, agent: str) -> _ItemsOf:
    runs: dict[str, list[list[float]]] = {}
    for row_agent, item, value in zip(table.agents, table.items, table.values, strict=True):
        if row_agent == agent and value is not None:
            runs.setdefault(item, []).append([value])
    return {item: ItemScores.of(scores) for item, scores in runs.items()}


def _measured(base: _ItemsOf, other: _ItemsOf | None) -> Variance:
    if other is None:
        components = _taken_apart(base)
        return Variance(
            base=_noun(components), against=None, differences=None, paired_items=None, notes=_remarks([components])
        )
    pairs = [(base[item], other[item]) for item in sorted(base.keys() & other.keys())]
    base_components, two = _taken_apart(base), _taken_apart(other)
    differences = difference_variance(pairs, base_components, two)
    if differences is None:
        raise Refused(f"the two have {len(pairs)} scored items in common; a comparison takes two")
    notes = _remarks([base_components, two])
    if differences < 0:
        notes.append("item-level differences vary by no more than runs do, so their variance is taken as zero")
    return Variance(
        base=_noun(base_components), against=_noun(two), differences=round_shown(max(differences, 0.0)),
        paired_items=len(pairs), notes=notes,
    )  # fmt: skip


def _taken_apart(scores: _ItemsOf) -> Components:
    if len(scores) < 2:
        raise Refused(f"there are scores of {counted(len(scores), 'item')}; variance between items takes two")
    return components(scores.values())


def _noun(components: Components) -> VarianceOfScores:
    return VarianceOfScores(
        items=components.items,
        trials=round_shown(components.trials),
        votes=round_shown(components.votes),
        between_items=round_shown(components.between),
        within_items=round_shown(components.within),
        judge=round_shown(components.judge),
    )


def _remarks(measured: list[Components]) -> list[str]:
    notes = [_NEGATIVE[flag] for components in measured for flag in components.flags]
    if any(components.within is None for components in measured):
        notes.append("no item has several runs, so what runs add cannot be told from items: both are one number here")
    if any(components.judge is None for components in measured):
        notes.append("no run has several scores of this scorer, so the judge's part is in the other numbers")
    return list(dict.fromkeys(notes))


# Planning


def plan(options: PlanOptions, variances: Variance | None = None) -> Plan:
    spread, assumed = _spread(options, variances)
    trials, votes = _as_measured(variances)
    trials, votes = options.trials or trials, options.votes or votes
    variance = spread.at(trials, votes)
    if variance <= 0:
        raise Refused("the measured scores never differ, so no plan follows from them; measure others")
    items = whole_items(items_needed(options.effect, variance, options.power, options.alpha))
    notes = [*([] if variances is None else variances.notes), *assumed]
    if variances is not None and (variances.paired_items or variances.base.items) < FEW_ITEMS:
        notes.append(f"fewer than {FEW_ITEMS} items were measured, so these variances are rough")
    if items < FEW_ITEMS:
        notes.append(f"below {FEW_ITEMS} items this formula is a little too hopeful; take a few more")
    known = {**_known(variances), **({"trials": True} if variances is None and options.within is not None else {})}
    relative = _relative(gains(spread, trials, votes, options.costs), known)
    return Plan(
        effect=options.effect, power=options.power, alpha=options.alpha, items=items, trials=trials, votes=votes,
        variance=variances, differences=round_shown(spread.items), runs=round_shown(spread.runs),
        judge=round_shown(spread.votes), now=_now(options, variances, spread),
        grid=_grid(options, spread, votes, trials, known), gains=relative, advice=_advice(relative), notes=notes,
    )  # fmt: skip


def _spread(options: PlanOptions, variances: Variance | None) -> tuple[DifferenceSpread, list[str]]:
    """The variance of an item's difference, and what was assumed for it."""
    if variances is not None and variances.against is not None and variances.differences is not None:
        if options.correlation is not None:
            message = "the correlation is measured where two agents are given; leave it out"
            raise InvalidInput.of("correlation", message)
        sides = (variances.base, variances.against)
        runs, judge = (sum(getattr(side, name) or 0.0 for side in sides) for name in ("within_items", "judge"))
        return DifferenceSpread(variances.differences, runs, judge), []
    unrelated = 2 * (1 - (options.correlation or 0.0))
    related = f"the other agent is taken to vary as much, its items correlated {options.correlation or 0:g} with these"
    if variances is None and options.between is not None:
        note = "the variances are as given" + ("" if options.within is not None else "; none within items was given")
        return DifferenceSpread(options.between, 2 * (options.within or 0.0), 0.0), [note]
    if variances is None:
        coin = "nothing is measured: every score is taken as the toss of a coin, the worst there is for 0 or 1"
        return DifferenceSpread(COIN_TOSS * unrelated, 0.0, 0.0), [coin, related]
    variance_of_scores = variances.base
    spread = DifferenceSpread(
        variance_of_scores.between_items * unrelated,
        2 * (variance_of_scores.within_items or 0.0),
        2 * (variance_of_scores.judge or 0.0),
    )
    return spread, [f"{related}; a second one measures it"]


def _known(variances: Variance | None) -> dict[str, bool]:
    """Whether it is known what more trials and more votes do."""
    sides = [] if variances is None else [side for side in (variances.base, variances.against) if side is not None]
    return {
        "trials": bool(sides) and all(side.within_items is not None for side in sides),
        "votes": bool(sides) and all(side.judge is not None for side in sides),
    }


def _now(options: PlanOptions, variances: Variance | None, spread: DifferenceSpread) -> Reach | None:
    if variances is None:
        return None
    trials, votes = _as_measured(variances)
    return _reach(options, variances.paired_items or variances.base.items, trials, spread.at(trials, votes))


def _as_measured(variances: Variance | None) -> tuple[int, int]:
    return (1, 1) if variances is None else (max(1, round(variances.base.trials)), max(1, round(variances.base.votes)))


def _grid(
    options: PlanOptions, spread: DifferenceSpread, votes: int, trials: int, known: Mapping[str, bool]
) -> list[Reach]:
    columns = sorted({*TRIALS, trials}) if known["trials"] else [trials]
    return [_reach(options, items, k, spread.at(k, votes)) for items in ITEMS for k in columns]


def _reach(options: PlanOptions, items: int, trials: int, variance: float) -> Reach:
    effect = smallest_effect(items, variance, options.power, options.alpha)
    return Reach(items=items, trials=trials, effect=round_shown(effect))


def _relative(variances: Mapping[str, float], known: Mapping[str, bool]) -> dict[str, float | None]:
    items = variances["items"]
    ratios = {name: variances[name] / items if items else 0.0 for name in ("trials", "votes")}
    return {"items": 1.0, **{name: round_shown(ratios[name]) if known[name] else None for name in ratios}}


def _advice(relative: Mapping[str, float | None]) -> str:
    known = {name: gain for name, gain in relative.items() if gain is not None}
    best = max(known, key=lambda name: known[name])
    others = [f"{_times(known[best], gain)} as more {name}" for name, gain in known.items() if name != best]
    message = f"The next dollar helps most as more {best}: {', '.join(others)}." if others else "More items help."
    unknown = [f"more {name}" for name, gain in relative.items() if gain is None]
    return f"{message} What {' and '.join(unknown)} would do is not known." if unknown else message


def _times(best: float, gain: float) -> str:
    ratio = best / gain if gain else float("inf")
    return f"{ratio:.3g} times as much" if isfinite(ratio) and ratio < 1000 else "far more"
