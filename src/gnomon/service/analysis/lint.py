"""Check a table of published results for impossible figures, and explain them in plain words.

A table of reported numbers (agent, n, mean, …) is asked whether such numbers can exist; a table of scores is asked
whether its agents were measured by the same yardstick. An *error* cannot be right as it stands, a *warning* needs
an answer from the authors, a *note* is good to know. Nothing is corrected, and nothing is stored.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import fsum
from pathlib import Path
from typing import Literal

from gnomon.errors import InvalidInput
from gnomon.interop.columns import ColumnNames
from gnomon.interop.resulttables import LongTable, Preferences, Reported, ReportedRow, duplicates, parse_table
from gnomon.shorten import counted, list_some
from gnomon.stats import plausible
from gnomon.stats.missing import missing_bracket
from gnomon.stats.plausible import Printed

Severity = Literal["error", "warning", "note"]
_ORDER = {"error": 0, "warning": 1, "note": 2}
_SHOWN = 5
_MOST_OF_A_KIND = 50


@dataclass(frozen=True, slots=True)
class LintFinding:
    severity: Severity
    code: str
    message: str
    agent: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Lint:
    source: str
    unit: str
    """What the findings' `line` counts: lines, or rows."""
    rows: int
    findings: tuple[LintFinding, ...]
    """Errors first, then in the order of the table."""

    @property
    def errors(self) -> int:
        return sum(finding.severity == "error" for finding in self.findings)


@dataclass(frozen=True, slots=True)
class KnownScores:
    """What is known of the scores behind reported numbers."""

    binary: bool = False
    trials: int = 1
    """Each of the n is the mean of so many scores of 0 or 1."""
    scale: int | None = None
    """Scores are whole marks from 0 to this, and means are printed on that scale."""
    percent: bool = False

    def __post_init__(self) -> None:
        for field in ("trials", "scale"):
            value = getattr(self, field)
            if value is not None and not 1 <= value <= 10**6:
                raise InvalidInput.of(field, f"{field} is {value}; it must be a whole number from 1 to 1,000,000")
        if self.scale is not None and (self.binary or self.percent or self.trials > 1):
            raise InvalidInput.of("scale", "a scale is for whole marks; leave out binary, trials and percent")

    @property
    def steps(self) -> int | None:
        """Steps between 0 and 1 that one score can take. None: unknown, it may be any number."""
        return self.scale or (self.trials if self.binary or self.trials > 1 else None)


NOTHING_DECLARED = KnownScores()


def lint_file(
    path: Path,
    declared: KnownScores = NOTHING_DECLARED,
    columns: ColumnNames | None = None,
    *,
    skip_bad_lines: bool = False,
) -> Lint:
    table = parse_table(path, columns=columns, skip_bad_lines=skip_bad_lines)
    if isinstance(table, Preferences):
        raise InvalidInput(f"{path.name} holds preferences; lint reads agent,n,mean or agent,item,trial,value")
    findings = list(_of_reported(table, declared) if isinstance(table, Reported) else _of_scores(table))
    findings += [LintFinding("note", "table", note) for note in table.notes]
    findings.sort(key=lambda finding: _ORDER[finding.severity])
    rows = len(table.rows) if isinstance(table, Reported) else len(table.values)
    return Lint(table.source, table.unit, rows, tuple(findings))


# Reported numbers


def _of_reported(table: Reported, declared: KnownScores) -> Iterator[LintFinding]:
    top = _top(table, declared)
    if top == 100 and not declared.percent:
        yield LintFinding("note", "percent", "most means are above 1, so all numbers but n are read as percent")
    for row in table.rows:
        for severity, code, message in _Row(row, top, declared.steps).problems():
            yield LintFinding(severity, code, message, row.agent, row.line)
    yield from _same_n(table)
    yield from _repeated(table)


def _top(table: Reported, declared: KnownScores) -> int:
    if declared.scale is not None:
        return declared.scale
    plain = [Printed.read(row.mean).value for row in table.rows]
    return 100 if declared.percent or 2 * sum(value > 1 for value in plain) > len(plain) else 1


TableProblem = tuple[Severity, str, str]


class _Row:
    """One agent's numbers, on a scale from 0 to 1."""

    def __init__(self, row: ReportedRow, top: int, steps: int | None) -> None:
        def printed(text: str | None) -> Printed | None:
            return None if text is None else Printed.read(text, top)

        self.n, self.top, self.steps = row.n, top, steps
        self.mean = Printed.read(row.mean, top)
        self.sd, self.se = printed(row.sd), printed(row.se)
        self.low, self.high = printed(row.ci_low), printed(row.ci_high)

    def problems(self) -> Iterator[TableProblem]:
        if not 0 <= self.mean.value <= 1:
            yield "error", "mean_outside", f"mean {self.mean.text} is outside 0 to {self.top}; ask for the scale"
            return
        yield from self._of_mean()
        if self.sd is not None:
            yield from self._of_deviation(self.sd)
        if self.se is not None:
            yield from self._of_error(self.se)
        if self.low is not None and self.high is not None:
            yield from self._of_interval(self.low, self.high)

    def _of_mean(self) -> Iterator[TableProblem]:
        steps = self.steps or 1
        if plausible.possible_counts(self.mean, self.n, steps):
            return
        near = " and ".join(f"{c}/{self.n * steps} = {self._shown(c)}" for c in self._neighbours(steps))
        steps_text = "no whole number of passes" if steps == 1 else f"no whole number of steps of 1/{steps}"
        message = f"mean {self.mean.text}: {steps_text} over n = {self.n} gives it (nearest are {near})"
        ask = "ask how many were scored and whether each is itself a mean of several trials"
        if self.steps is None:
            yield "warning", "mean_impossible_if_binary", f"if scores are 0 or 1, {message}; {ask}"
        else:
            yield "error", "mean_impossible", f"{message}; {ask}"

    def _neighbours(self, steps: int) -> list[int]:
        return [c for c in plausible.nearest_counts(self.mean, self.n, steps) if 0 <= c <= self.n * steps]

    def _shown(self, count: int) -> str:
        share = Fraction(count, self.n * (self.steps or 1)) * (100 if self.mean.text.endswith("%") else self.top)
        decimals = len(self.mean.text.rstrip("% ").partition(".")[2])
        return f"{float(share):.{min(decimals + 1, 9)}f}"

    def _of_deviation(self, sd: Printed) -> Iterator[TableProblem]:
        most = plausible.greatest_deviation(self.mean, self.n)
        ask = "ask whether it is of these scores, and which n it is over"
        if sd.value < 0:
            yield "error", "sd_negative", f"sd {sd.text} is below 0; ask for the numbers again"
        elif most is None:
            yield "warning", "sd_of_one", f"sd {sd.text} is given for n = 1, which has none; ask which n it is over"
        elif plausible.deviation_too_large(sd, self.mean, self.n):
            message = f"sd {sd.text} is impossible: scores from 0 to {self.top} with mean {self.mean.text}"
            yield "error", "sd_impossible", f"{message} have at most {most * self.top:.3g}; {ask}"
        elif self.steps and not self._impossible() and not self._fits(sd, self.steps):
            message = f"sd {sd.text} is impossible: no n = {self.n} scores in steps of 1/{self.steps}"
            yield "error", "sd_impossible", f"{message} have it together with mean {self.mean.text}; {ask}"

    def _impossible(self) -> bool:
        return not plausible.possible_counts(self.mean, self.n, self.steps or 1)

    def _fits(self, sd: Printed, steps: int) -> bool:
        return plausible.possible_deviation(sd, self.mean, self.n, steps)

    def _of_error(self, se: Printed) -> Iterator[TableProblem]:
        if se.value < 0:
            yield "error", "se_negative", f"se {se.text} is below 0; ask for the numbers again"
        elif self.n == 1:
            yield "warning", "se_of_one", f"se {se.text} is given for n = 1, which shows none; ask how it was made"
        elif se.value == 0 and 0 < self.mean.value < 1 and not plausible.zero_hides_error(se, self.mean, self.n):
            severity: Severity = "error" if self.steps == 1 else "warning"
            message = f"se {se.text} would need all n = {self.n} scores to be exactly {self.mean.text}"
            yield severity, "se_zero", f"{message}; ask how it was computed"
        elif plausible.error_too_large(se, self.mean, self.n):
            most = (plausible.greatest_deviation(self.mean, self.n) or 0) / self.n**0.5
            message = f"se {se.text} is impossible: n = {self.n} scores from 0 to {self.top} with mean {self.mean.text}"
            ask = "ask whether it is an sd, or n counts scores that are not independent"
            yield "error", "se_impossible", f"{message} give at most {most * self.top:.3g}; {ask}"
        elif self.sd is not None and not plausible.errors_agree(se, self.sd, self.n):
            message = f"se {se.text} is not sd {self.sd.text} over the root of n = {self.n}"
            yield "warning", "se_and_sd", f"{message}; ask whether it was clustered, or which of the three is wrong"

    def _of_interval(self, low: Printed, high: Printed) -> Iterator[TableProblem]:
        ends = f"interval {low.text} to {high.text}"
        if low.value > high.value:
            yield "error", "interval_reversed", f"{ends} ends before it begins; ask which end is which"
            return
        if low.high < 0 or high.low > 1:
            message = f"{ends} leaves 0 to {self.top}, where no mean can be"
            yield "error", "interval_outside", f"{message}; ask for one that fits shares (Wilson, or a bootstrap)"
        if self.mean.high < low.low or self.mean.low > high.high:
            message = f"{ends} does not contain its mean {self.mean.text}"
            yield "error", "interval_without_mean", f"{message}; ask whether it belongs to this row"
        elif low.value == high.value:
            if not plausible.zero_hides_interval(low, self.mean, self.n):
                message = f"{ends} has no width, and n = {self.n} cannot make anyone certain"
                yield "error", "interval_zero_width", f"{message}; ask how it was computed"
        elif not (plausible.is_symmetric(low, self.mean, high) or self._method(low, high)):
            message = f"{ends} is lopsided about {self.mean.text} in a way that Wilson, Clopper-Pearson and Jeffreys"
            yield "note", "interval_lopsided", f"{message} are not for n = {self.n}; ask which method it is"

    def _method(self, low: Printed, high: Printed) -> str | None:
        return plausible.matching_method(low, self.mean, high, self.n)


def _same_n(table: Reported) -> Iterator[LintFinding]:
    by_n: dict[int, dict[str, None]] = {}
    for row in table.rows:
        by_n.setdefault(row.n, {})[row.agent] = None
    if len(by_n) > 1:
        listed = "; ".join(f"n = {n} for {list_some(list(agents), _SHOWN)}" for n, agents in sorted(by_n.items()))
        ask = "ask which items were left out for whom, and why"
        yield LintFinding("warning", "n_differs", f"agents were not measured on the same number: {listed}; {ask}")


def _repeated(table: Reported) -> Iterator[LintFinding]:
    first: dict[str, ReportedRow] = {}
    for row in table.rows:
        before = first.setdefault(row.agent, row)
        if before is row:
            continue
        same = (row.n, row.mean, row.se, row.sd) == (before.n, before.mean, before.se, before.sd)
        if same:
            message = f"{row.agent} stands here again, as on {table.unit} {before.line}; keep one of them"
            yield LintFinding("error", "row_repeated", message, row.agent, row.line)
        else:
            message = f"{row.agent} has other numbers on {table.unit} {before.line}; ask which are meant"
            yield LintFinding("warning", "agent_repeated", message, row.agent, row.line)


# Scores


ScoresByAgent = dict[str, dict[str, list[float | None]]]
"""Agent → item → its scores, None where one is missing."""


def _of_scores(table: LongTable) -> Iterator[LintFinding]:
    scores: ScoresByAgent = {}
    for agent, item, value in zip(table.agents, table.items, table.values, strict=True):
        scores.setdefault(agent, {}).setdefault(item, []).append(value)
    yield from _scored_twice(table)
    yield from _differs(scores, "items", lambda items: str(len(items)))
    yield from _differs(scores, "trials an item", _span_of_trials)
    everything = {item for items in scores.values() for item in items}
    common = set.intersection(*(set(items) for items in scores.values()))
    for agent, items in scores.items():
        yield from _left_out(agent, items, everything, common)
        yield from _uneven(agent, items)
        yield from _missing(agent, items)
        yield from _constant(agent, items)


def _scored_twice(table: LongTable) -> Iterator[LintFinding]:
    repeated = duplicates(table)
    for (agent, item, trial), lines in list(repeated.items())[:_MOST_OF_A_KIND]:
        where = ", ".join(map(str, lines[:-1]))
        message = f"item {item}, trial {trial} of {agent} is scored again, as on {table.unit} {where}"
        yield LintFinding(
            "error", "score_repeated", f"{message}; keep one, or number the trials apart", agent, lines[-1]
        )
    more = len(repeated) - _MOST_OF_A_KIND
    if more > 0:
        yield LintFinding("error", "score_repeated", f"{counted(more, 'more trial')} are scored more than once")


def _differs(
    scores: ScoresByAgent, noun: str, of: Callable[[dict[str, list[float | None]]], str]
) -> Iterator[LintFinding]:
    groups: dict[str, list[str]] = {}
    for agent, items in scores.items():
        groups.setdefault(of(items), []).append(agent)
    if len(groups) > 1:
        listed = "; ".join(
            f"{size} for {list_some(agents, _SHOWN)}" for size, agents in sorted(groups.items(), key=_by_size)
        )
        code = "items_differ" if noun == "items" else "trials_differ"
        message = f"agents were not measured on the same number of {noun}: {listed}; compare over what all have"
        yield LintFinding("warning", code, message)


def _by_size(group: tuple[str, list[str]]) -> tuple[int, str]:
    return len(group[0]), group[0]


def _span_of_trials(items: dict[str, list[float | None]]) -> str:
    least, most = min(map(len, items.values())), max(map(len, items.values()))
    return str(least) if least == most else f"{least} to {most}"


def _left_out(
    agent: str, items: dict[str, list[float | None]], everything: set[str], common: set[str]
) -> Iterator[LintFinding]:
    absent = sorted(everything - items.keys())
    if not absent:
        return
    message = f"{agent} has no row for {len(absent)} of {counted(len(everything), 'item')}: {list_some(absent, _SHOWN)}"
    over_all, over_common = _mean(items), _mean({item: items[item] for item in common})
    if over_all is not None and over_common is not None and f"{over_all:.3f}" != f"{over_common:.3f}":
        shared = counted(len(common), "item")
        message += f"; its mean is {over_all:.3f}, over the {shared} that all agents have {over_common:.3f}"
    yield LintFinding("warning", "items_left_out", f"{message}; ask why they are not there", agent)


def _uneven(agent: str, items: dict[str, list[float | None]]) -> Iterator[LintFinding]:
    least, most = min(map(len, items.values())), max(map(len, items.values()))
    if least < most:
        few = sorted(item for item, values in items.items() if len(values) < most)
        message = f"{agent} has {most} trials of some items and fewer of {len(few)}: {list_some(few, _SHOWN)}"
        yield LintFinding("warning", "trials_uneven", f"{message}; ask whether trials that failed were left out", agent)


def _missing(agent: str, items: dict[str, list[float | None]]) -> Iterator[LintFinding]:
    scored = _scored(items)
    gaps = sum(map(len, items.values())) - len(scored)
    if not gaps:
        return
    bracket = missing_bracket(fsum(scored), len(scored), gaps)
    message = f"{agent} has no value in {gaps} of {counted(gaps + len(scored), 'row')}"
    if scored and bracket is not None:
        mean = fsum(scored) / len(scored)
        message += (
            f"; its mean is {mean:.3f} without them, {bracket[0]:.3f} if all were 0, {bracket[1]:.3f} if all were 1"
        )
    yield LintFinding("warning", "values_missing", f"{message}; ask why they are missing", agent)


def _constant(agent: str, items: dict[str, list[float | None]]) -> Iterator[LintFinding]:
    scored = _scored(items)
    if len(scored) > 1 and min(scored) == max(scored):
        message = (
            f"all {len(scored)} values of {agent} are {scored[0]:g}; ask whether the scorer can tell anything apart"
        )
        yield LintFinding("warning", "values_identical", message, agent)


def _scored(items: dict[str, list[float | None]]) -> list[float]:
    return [value for values in items.values() for value in values if value is not None]


def _mean(items: dict[str, list[float | None]]) -> float | None:
    scored = _scored(items)
    return fsum(scored) / len(scored) if scored else None
