"""Items that got worse, as lines: input, expected output, and what changed between the two outputs."""

from collections.abc import Iterator, Sequence

from gnomon.model.comparison import ComparedItem, ComparedTrial
from gnomon.report.evaluation import WorseItem
from gnomon.report.text.drawing import clean, number
from gnomon.report.text.values import cut, difference, line_difference, written

_LONGEST_VALUE = 600


def headline(worse: WorseItem) -> str:
    """The scorer, and both scores of the item."""
    return f"{worse.scorer_name} {number(worse.item.base_score)} → {number(worse.item.other_score)}"


def title(shown: int, count: int) -> str:
    """What is listed: all items that got worse, or those that lost most."""
    items = "item" if shown == 1 else f"{shown:,} items"
    return (
        f"The {items} that got worse" if shown >= count else f"The {items} that lost most, of {count:,} that got worse"
    )


def worse_items(worse: Sequence[WorseItem], count: int) -> Iterator[str]:
    """The items for a terminal; `count` is how many got worse in all."""
    if not worse:
        return
    yield f"{title(len(worse), count)}:"
    for worse_item in worse:
        yield f"- {clean(headline(worse_item))}"
        yield from (f"    {line}".rstrip() for line in item_lines(worse_item.item))


def item_lines(item: ComparedItem) -> Iterator[str]:
    """What changed in the output, word by word, for a terminal."""
    yield from _question(item)
    for before, after in _outputs(item):
        change = difference(before.output, after.output, _LONGEST_VALUE)
        same = f"{_value(after.output)} (as before)"
        yield from _labelled("output", same if change is None else cut(change, 2 * _LONGEST_VALUE))


def diff_lines(item: ComparedItem) -> Iterator[str]:
    """What changed in the output, line by line, for a code block of the kind `diff`."""
    yield from (f" {line}" for line in _question(item))
    for before, after in _outputs(item):
        change = line_difference(before.output, after.output, _LONGEST_VALUE)
        if change is None:
            yield from (f" {line}" for line in _labelled("output", f"{_value(after.output)} (as before)"))
        else:
            yield " output:"
            yield from cut(change, 2 * _LONGEST_VALUE).split("\n")


def _question(item: ComparedItem) -> Iterator[str]:
    yield from _labelled("input", _value(item.input))
    if item.expected_output is not None:
        yield from _labelled("expected", _value(item.expected_output))


def _outputs(item: ComparedItem) -> Iterator[tuple[ComparedTrial, ComparedTrial]]:
    """The best trial before and the worst one after, where there are outputs."""
    before = max(item.base, key=lambda trial: -1.0 if trial.score is None else trial.score, default=None)
    after = min(item.other, key=lambda trial: 2.0 if trial.score is None else trial.score, default=None)
    if before is not None and after is not None and not (_has_no_output(before) and _has_no_output(after)):
        yield before, after


def _has_no_output(trial: ComparedTrial) -> bool:
    """Whether the run was imported from a file that has no outputs."""
    return isinstance(trial.output, dict) and trial.output.keys() == {"gnomon.absent"}


def _value(value: object) -> str:
    return cut(written(value), _LONGEST_VALUE)


def _labelled(label: str, text: str) -> Iterator[str]:
    """The lines of a longer text are indented, so that none of them passes for a label."""
    first, *rest = text.split("\n")
    yield f"{label}: {first}".rstrip()
    yield from (f"  {line}" for line in rest)
