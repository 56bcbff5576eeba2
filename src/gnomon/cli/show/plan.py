"""Plans for people: what it takes, what is there now, and a table of what more would show."""

from typing import TYPE_CHECKING

from gnomon.cli.show.pen import draw, line
from gnomon.report.text.drawing import clean, number, table
from gnomon.shorten import counted

if TYPE_CHECKING:
    from gnomon.model.plan import Plan, VarianceOfScores


def planned(plan: "Plan") -> None:
    size = f"{counted(plan.items, 'item')} × {counted(plan.trials, 'trial')}"
    size += f" × {counted(plan.votes, 'vote')}" if plan.votes > 1 else ""
    line(f"To see a difference of {plan.effect:g} (power {plan.power:g}, level {plan.alpha:g}): {size}")
    if plan.variance is not None:
        sides = [side for side in (plan.variance.base, plan.variance.against) if side is not None]
        _variances(sides)
    if plan.now is not None:
        now = f"{counted(plan.now.items, 'item')} × {counted(plan.now.trials, 'trial')}"
        line(f"The smallest difference that {now} show is {plan.now.effect:.3f}.")
    _grid(plan)
    line(plan.advice)
    for note in plan.notes:
        line(f"note: {clean(note)}")


def _variances(sides: "list[VarianceOfScores]") -> None:
    names = ("variance", "between items", "within items", "judge")
    rows = table(*names, right=names[1:])
    for name, side in zip(("measured", "against"), sides, strict=False):
        rows.add_row(name, number(side.between_items), number(side.within_items), number(side.judge))
    draw(rows)


def _grid(plan: "Plan") -> None:
    trials = sorted({reach.trials for reach in plan.grid})
    names = ["items", *(counted(count, "trial") for count in trials)]
    rows = table(*names, right=names)
    reached = {(reach.items, reach.trials): reach.effect for reach in plan.grid}
    for items in sorted({reach.items for reach in plan.grid}):
        rows.add_row(f"{items:,}", *(number(reached[items, count]) for count in trials))
    line("The smallest difference that would be seen:")
    draw(rows)
