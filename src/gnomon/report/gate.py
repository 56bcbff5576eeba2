"""What gates decided, for a pull request (Markdown) and for a build server (JUnit XML).

Deciding is the service's work, and writing the text to a file is the command's. Names come from outside and may hold
anything: nothing in them can break the table or the XML, or show something that is not there.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal
from xml.etree import ElementTree

from gnomon.model.experiment import Bound, Comparison, ThresholdResult
from gnomon.model.gates import GateDecision, GateMetric, GateResult
from gnomon.report.visible import visible

_MARKS: dict[GateDecision, str] = {"pass": "✓", "fail": "✗", "undecided": "?", "cannot": "!"}
_SAID: dict[GateDecision, str] = {
    "pass": "passed",
    "fail": "failed",
    "undecided": "undecided",
    "cannot": "impossible to decide",
}
_SIGNS: dict[Comparison, str] = {"gte": ">=", "gt": ">", "lte": "<=", "lt": "<"}
_HELD: dict[Comparison, str] = {"gte": "at least", "gt": "above", "lte": "at most", "lt": "below"}
_MISSED: dict[Comparison, str] = {"gte": "below", "gt": "at most", "lte": "above", "lt": "at least"}

# An underscore inside a word is just that; elsewhere it would slant the text. "www." would become a link.
_MARKUP = re.compile(r"[\\`*\[\]<|&~@:$]|(?<!\w)_|_(?!\w)|(?<=www)\.", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """One bar and what came of it: `interval` is of the metric, `bound` which of the two was held against it."""

    experiment: str
    scorer_name: str
    metric: GateMetric | Literal["difference"]
    k: int | None
    comparison: Comparison
    threshold: float
    actual_value: float | None
    interval: tuple[float, float] | None
    bound: Bound
    decision: GateDecision
    reason: str | None
    n: int
    min_n: int
    against: str | None = None
    """The name of the experiment that a difference is from."""
    margin: float | None = None
    wants_better: bool = False
    """Whether a difference has to be an improvement; otherwise it must not be a loss."""

    @classmethod
    def of(cls, experiment: str, result: ThresholdResult, reason: str | None) -> "Gate":
        return cls(
            experiment=experiment, scorer_name=result.scorer_name, metric=result.metric, k=result.k,
            comparison=result.comparison, threshold=result.threshold, actual_value=result.actual_value,
            interval=result.confidence_interval_95, bound=result.bound, decision=result.decision, reason=reason,
            n=result.n or 0, min_n=result.min_n,
        )  # fmt: skip

    @classmethod
    def of_result(cls, result: GateResult) -> "Gate":
        """The result of a gate in words, which includes its reason."""
        return cls(
            experiment=result.experiment, scorer_name=result.scorer_name, metric=result.metric, k=result.k,
            comparison=result.comparison or "gt", threshold=result.threshold or 0.0, actual_value=result.value,
            interval=result.confidence_interval_95, bound="ci", decision=result.decision, reason=result.words,
            n=result.n or 0, min_n=0, against=result.against, margin=result.margin,
            wants_better=result.against is not None and result.comparison == "gt",
        )  # fmt: skip

    @classmethod
    def of_problem(cls, experiment: str, problem: str) -> "Gate":
        """An evaluation that could not be run has no gate of its own to fail."""
        return cls(
            experiment=experiment, scorer_name="", metric="mean", k=None, comparison="gte", threshold=0.0,
            actual_value=None, interval=None, bound="ci", decision="cannot", reason=problem, n=0, min_n=0,
        )  # fmt: skip

    @property
    def metric_name(self) -> str:
        names = {"pass_at_k": f"pass@{self.k}", "pass_pow_k": f"pass^{self.k}", "point": "mean"}
        return names.get(self.metric, self.metric)

    @property
    def bar(self) -> str:
        if self.against is not None:
            margin = "" if self.margin is None else f" by {self.margin:.12g}"
            return f"{'better' if self.wants_better else 'not worse'} than {self.against}{margin}"
        return f"{_SIGNS[self.comparison]} {self.threshold:.12g}"

    @property
    def words(self) -> str:
        """Why, in a few words: the reason that was given, else what the numbers say."""
        bar = f"{self.threshold:.12g}"
        if self.reason is not None:
            return self.reason
        if self.actual_value is None:
            return "there is no value"
        if self.decision == "undecided":
            return f"n is {self.n}, under {self.min_n}" if self.n < self.min_n else f"the interval reaches across {bar}"
        subject = "the whole interval is" if self.bound == "ci" else f"{self.shown(self.actual_value)} is"
        return f"{subject} {(_HELD if self.decision == 'pass' else _MISSED)[self.comparison]} {bar}"

    def shown(self, value: float) -> str:
        """Three decimals, or as many as keep the value on its own side of the bar."""
        sign = "+" if self.metric == "difference" else ""
        short = f"{value:{sign}z.3f}"
        bar, seen = self.threshold, float(short)
        return short if (seen < bar, seen > bar) == (value < bar, value > bar) else f"{value:{sign}z.12g}"

    @property
    def interval_shown(self) -> str:
        return "none" if self.interval is None else " to ".join(map(self.shown, self.interval))


def markdown(results: Sequence[Gate]) -> str:
    """One line that says how it went, and a table with a row for each gate."""
    if not results:
        return "**Gates**: none were asked for.\n"
    lines = [
        f"**Gates**: {_tally(results)}.",
        "",
        "| experiment | scorer | metric | value | 95 % interval | bar | decision |",
        "|---|---|---|---:|---|---|---|",
        *map(_row, results),
    ]
    return "\n".join(lines) + "\n"


def junit(results: Sequence[Gate], name: str = "gnomon gate") -> str:
    """A test suite with a case for each gate. Undecided is skipped: neither a success nor a failure; what could not be
    decided at all is an error."""
    count = Counter(gate.decision for gate in results)
    suite = ElementTree.Element(
        "testsuite", name=visible(name), tests=str(len(results)), failures=str(count["fail"]),
        errors=str(count["cannot"]),
        skipped=str(count["undecided"]),
    )  # fmt: skip
    for gate in results:
        about = f"{gate.scorer_name} {gate.metric_name} {gate.bar}" if gate.scorer_name else "run"
        case = ElementTree.SubElement(suite, "testcase", classname=visible(gate.experiment), name=visible(about))
        value = "no value" if gate.actual_value is None else gate.shown(gate.actual_value)
        text = visible(f"{gate.words} (value: {value}, 95 % interval: {gate.interval_shown}, n: {gate.n})")
        if gate.decision == "fail":
            ElementTree.SubElement(case, "failure", message=text, type="gate")
        elif gate.decision == "cannot":
            ElementTree.SubElement(case, "error", message=text, type="gate")
        elif gate.decision == "undecided":
            ElementTree.SubElement(case, "skipped", message=text)
        else:
            ElementTree.SubElement(case, "system-out").text = text
    ElementTree.indent(suite)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(suite, encoding="unicode")}\n'


def _tally(results: Iterable[Gate]) -> str:
    count = Counter(gate.decision for gate in results)
    return ", ".join(f"{count[decision]} {word}" for decision, word in _SAID.items() if count[decision])


def _row(gate: Gate) -> str:
    cells = (
        plain(gate.experiment),
        plain(gate.scorer_name),
        plain(gate.metric_name),
        "none" if gate.actual_value is None else gate.shown(gate.actual_value),
        gate.interval_shown,
        plain(gate.bar),
        f"{_MARKS[gate.decision]} {gate.decision}: {plain(gate.words)}",
    )
    return f"| {' | '.join(cells)} |"


def plain(text: str) -> str:
    """Text that Markdown shows as it is: a character reference never counts as markup."""
    return _MARKUP.sub(lambda match: f"&#{ord(match[0])};", visible(text))
