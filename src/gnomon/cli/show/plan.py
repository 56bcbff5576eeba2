"""Plans for people: what it takes, what is there now, and a table of what more would show."""

from typing import TYPE_CHECKING

from gnomon.cli.show.pen import draw, line
from gnomon.report.text.drawing import clean, number, table

if TYPE_CHECKING:
    from gnomon.model.plan import Plan, VarianceOfScores


def planned(found: "Plan") -> None:
    size = f"{found.items:,} items × {_counted(found.trials, 'trial')}"
    size += f" × {_counted(found.votes, 'vote')}" if found.votes > 1 else ""
    line(f"To see a difference of {found.effect:g} (power {found.power:g}, level {found.alpha:g}): {size}")
    if found.variance is not None:
        sides = [side for side in (found.variance.base, found.variance.against) if side is not None]
        _variances(sides)
    if found.now is not None:
        now = f"{found.now.items:,} items × {_counted(found.now.trials, 'trial')}"
        line(f"The smallest difference that {now} show is {found.now.effect:.3f}.")
    _grid(found)
    line(found.advice)
    for note in found.notes:
        line(f"note: {clean(note)}")


def _variances(sides: "list[VarianceOfScores]") -> None:
    names = ("variance", "between items", "within items", "judge")
    rows = table(*names, right=names[1:])
    for name, side in zip(("measured", "against"), sides, strict=False):
        rows.add_row(name, number(side.between_items), number(side.within_items), number(side.judge))
    draw(rows)


def _grid(found: "Plan") -> None:
    trials = sorted({one.trials for one in found.grid})
    names = ["items", *(_counted(count, "trial") for count in trials)]
    rows = table(*names, right=names)
    reached = {(one.items, one.trials): one.effect for one in found.grid}
    for items in sorted({one.items for one in found.grid}):
        rows.add_row(f"{items:,}", *(number(reached[items, count]) for count in trials))
    line("The smallest difference that would be seen:")
    draw(rows)


def _counted(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"
