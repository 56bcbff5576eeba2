"""Gates in words: `exact_match >= 0.8`, `helpful.ci_low >= 0.6`, `exact_match not worse than main by 0.02`.

The same words everywhere: commands, `gn.gate`, results, tests, suites and the rule that ends an evaluation. A gate is
`SCORER[.METRIC] OP NUMBER` or `SCORER not worse than EXPERIMENT [by MARGIN]`. Names may hold dots and spaces: the
longest known scorer name wins. A name that would still be misread is written in double quotes, as a JSON string.
"""

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, NoReturn, get_args

from pydantic import Field

from gnomon.errors import InvalidInput
from gnomon.model.aggregate import Interval
from gnomon.model.experiment import Comparison
from gnomon.model.fields import Noun
from gnomon.model.nearest import did_you_mean

GateMetric = Literal["mean", "point", "min", "max", "ci_low", "pass_at_k", "pass_pow_k"]
"""`mean` is decided by its interval, `point` is the mean itself."""
GateDecision = Literal["pass", "fail", "undecided", "cannot"]
"""`cannot`: there is nothing to decide on, since everything failed."""

FORM = "write SCORER >= NUMBER, or SCORER not worse than EXPERIMENT by MARGIN"
_METRICS: tuple[GateMetric, ...] = get_args(GateMetric)
_BY_NAME: dict[str, GateMetric] = {metric: metric for metric in _METRICS}
_WITH_K = ("pass_at_k", "pass_pow_k")
_SIGNS: dict[Comparison, str] = {"gte": ">=", "gt": ">", "lte": "<=", "lt": "<"}
_COMPARISONS: dict[str, Comparison] = {sign: comparison for comparison, sign in _SIGNS.items()}
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_NOT_WORSE = re.compile(r"\s+not\s+worse\s+than\s+(?P<experiment>\S.*)", re.DOTALL)
_MARGIN = re.compile(rf"(?P<experiment>.*\S)\s+by\s+(?P<margin>{_NUMBER})", re.DOTALL)
_BAR = re.compile(
    rf"(?:\.(?P<metric>{'|'.join(_METRICS)})(?:\(\s*(?P<k>\d{{1,9}})\s*\))?)?"
    rf"\s*(?<![<>=!])(?P<sign>>=|<=|>|<)\s*(?P<number>{_NUMBER})"
)
_SIGN_LIKE = re.compile(r"[<>=!]+")


@dataclass(frozen=True, slots=True)
class BarGate:
    """A gate that compares a metric of one scorer with a threshold.

    >>> str(BarGate("exact_match", "gte", 0.8))
    'exact_match >= 0.8'
    """

    scorer_name: str
    comparison: Comparison
    threshold: float
    metric: GateMetric = "mean"
    k: int | None = None

    def __str__(self) -> str:
        metric = "" if self.metric == "mean" else f".{self.metric_words}"
        tail = f"{metric} {_SIGNS[self.comparison]} {_shown(self.threshold)}"
        return _unmistakable(self, f"{self.scorer_name}{tail}", f"{_quoted(self.scorer_name)}{tail}")

    @property
    def metric_words(self) -> str:
        return self.metric if self.k is None else f"{self.metric}({self.k})"


@dataclass(frozen=True, slots=True)
class NotWorseGate:
    """A scorer's mean against that of another experiment, item by item.

    >>> str(NotWorseGate("exact_match", "main", 0.02))
    'exact_match not worse than main by 0.02'
    """

    scorer_name: str
    experiment: str
    margin: float | None = None
    """How much worse is still good enough; None: only a difference that is certain fails."""

    def __str__(self) -> str:
        margin = "" if self.margin is None else f" by {_shown(self.margin)}"
        plain = f"{self.scorer_name} not worse than {self.experiment}{margin}"
        return _unmistakable(
            self, plain, f"{_quoted(self.scorer_name)} not worse than {_quoted(self.experiment)}{margin}"
        )


@dataclass(frozen=True, slots=True)
class BetterGate:
    """A scorer's mean has to be certainly better than that of another experiment, item by item.

    >>> str(BetterGate("exact_match", "main"))
    'exact_match better than main'
    """

    scorer_name: str
    experiment: str

    def __str__(self) -> str:
        return f"{self.scorer_name} better than {self.experiment}"


ParsedGate = BarGate | NotWorseGate
DifferenceGate = NotWorseGate | BetterGate
"""What compares two experiments. One that asks for an improvement is named by a flag, never in words."""


class GateResult(Noun):
    """One gate and what came of it."""

    text: str
    decision: GateDecision
    words: str = Field(description="Why, for people")
    experiment_id: str
    experiment: str = Field(description="Its name")
    scorer_name: str
    metric: GateMetric | Literal["difference"]
    k: int | None = None
    comparison: Comparison | None = Field(
        default=None, description="Of a difference: `gt` where it has to be better, else null"
    )
    threshold: float | None = Field(default=None, description="The bar; of a difference with a margin, −margin")
    value: float | None = Field(default=None, description="Of the metric, or the paired difference")
    confidence_interval_95: Interval | None = None
    ci_method: str | None = None
    n: int | None = Field(default=None, description="Items behind the value")
    against_id: str | None = Field(default=None, description="The experiment that a difference is from")
    against: str | None = Field(default=None, description="Its name")
    margin: float | None = None
    flags: list[str] = Field(default_factory=list)


def parse_gate(text: str, known: Collection[str] | None = None) -> ParsedGate:
    """Read a gate. `known` are the scorers that there are; None checks only the form, before anything has run.

    >>> parse_gate("exact_match.pass_at_k(3) >= 0.9")
    BarGate(scorer_name='exact_match', comparison='gte', threshold=0.9, metric='pass_at_k', k=3)
    >>> parse_gate("exact_match not worse than main by 0.02")
    NotWorseGate(scorer_name='exact_match', experiment='main', margin=0.02)
    """
    if not text.strip():
        raise InvalidInput.of("gate", f"a gate is empty; {FORM}")
    gate = _read(text.strip(), known)
    if gate is None:
        _refuse(text, known)
    if known is not None and gate.scorer_name not in known:
        raise _wrong(text, _no_scorer(gate.scorer_name, known))
    _check(text, gate)
    return gate


def _read(text: str, known: Collection[str] | None) -> ParsedGate | None:
    quoted = _leading_quoted(text)
    if quoted is not None:
        return _with_tail(*quoted)
    if known is not None:
        longest_first = sorted((name for name in known if text.startswith(name)), key=len, reverse=True)
        return next((gate for name in longest_first if (gate := _with_tail(name, text[len(name) :]))), None)
    # Of several places where a scorer's name may end, the first before "not worse than", else the last.
    compared = re.search(r"\s+not\s+worse\s+than\s", text)
    if compared is not None and compared.start():
        return _with_tail(text[: compared.start()], text[compared.start() :])
    ends = [match for match in _BAR.finditer(text) if match.end() == len(text) and text[: match.start()].strip()]
    return _with_tail(text[: ends[0].start()].rstrip(), ends[0].group()) if ends else None


def _with_tail(scorer_name: str, tail: str) -> ParsedGate | None:
    """The gate of this scorer, from what follows its name."""
    bar = _BAR.fullmatch(tail)
    if bar is not None:
        k = None if bar["k"] is None else int(bar["k"])
        return BarGate(
            scorer_name, _COMPARISONS[bar["sign"]], float(bar["number"]), _BY_NAME[bar["metric"] or "mean"], k
        )
    compared = _NOT_WORSE.fullmatch(tail)
    if compared is None:
        return None
    name, rest = _leading_quoted(compared["experiment"]) or (None, "")
    if name is not None:
        margin = _MARGIN.fullmatch(f"x{rest}")
        if rest.strip() and (margin is None or margin["experiment"] != "x"):
            return None
    else:
        margin = _MARGIN.fullmatch(compared["experiment"])
        name = compared["experiment"] if margin is None else margin["experiment"]
    return NotWorseGate(scorer_name, name, None if margin is None else float(margin["margin"]))


def _leading_quoted(text: str) -> tuple[str, str] | None:
    """Split a quoted name at the start from the rest of the text."""
    if not text.startswith('"'):
        return None
    try:
        name, end = json.JSONDecoder().raw_decode(text)
    except ValueError:
        return None
    return (name, text[end:]) if name.strip() else None


def _check(text: str, gate: ParsedGate) -> None:
    if isinstance(gate, NotWorseGate):
        if gate.margin is not None and not 0 <= gate.margin < 1:
            raise _wrong(text, f"the margin {_shown(gate.margin)} is not a difference of means from 0 to below 1")
        return
    if not 0 <= gate.threshold <= 1:
        raise _wrong(text, f"{_shown(gate.threshold)} is outside [0, 1], where scores are; divide by your scale first")
    if gate.metric in _WITH_K and not gate.k:
        raise _wrong(text, f"{gate.metric} needs a number of trials, as in {gate.metric}(3)")
    if gate.metric not in _WITH_K and gate.k is not None:
        raise _wrong(text, f"{gate.metric} takes no number of trials; only {' and '.join(_WITH_K)} do")


def _refuse(text: str, known: Collection[str] | None) -> NoReturn:
    """Say what is wrong with a text that cannot be read."""
    compared = re.split(r"\s+not\s+worse\s+than\b", text.strip(), maxsplit=1)
    if len(compared) == 2 and not compared[1].strip():
        raise _wrong(text, "name the experiment after 'not worse than'")
    start = max((len(name) for name in known or () if text.strip().startswith(name)), default=0)
    sign = _SIGN_LIKE.search(text.strip(), start)
    if sign is None and len(compared) == 1:
        raise _wrong(text, f"it compares with nothing; {FORM}")
    left = compared[0] if sign is None or len(compared) == 2 else text.strip()[: sign.start()].strip()
    if sign is not None and len(compared) == 1:
        right = text.strip()[sign.end() :].strip()
        if sign.group() not in _COMPARISONS:
            raise _wrong(text, f"{sign.group()!r} is not a comparison; use >=, >, <= or <")
        if not re.fullmatch(_NUMBER, right):
            raise _wrong(text, f"{right!r} is not a number" if right else "there is no number to compare with")
    if not left:
        raise _wrong(text, "it names no scorer")
    raise _wrong(text, _unknown(left, known or ()))


def _unknown(left: str, known: Collection[str]) -> str:
    """Neither a known scorer nor one with a known metric: which of the two is probably misspelt."""
    owners = [name for name in known if left.startswith(f"{name}.")]
    if owners:
        metric = left[len(max(owners, key=len)) + 1 :]
        hint = did_you_mean(metric.partition("(")[0], _METRICS, f"the metrics are {', '.join(_METRICS)}")
        return f"there is no metric {metric!r}; {hint}"
    stem = next((left.removesuffix(f".{metric}") for metric in _METRICS if left.endswith(f".{metric}")), left)
    return _no_scorer(stem, known)


def _no_scorer(name: str, known: Collection[str]) -> str:
    hint = did_you_mean(name, known, f"the scorers here are {', '.join(sorted(known)) or 'none'}")
    return f"there is no scorer {name!r}; {hint}"


def _wrong(text: str, why: str) -> InvalidInput:
    return InvalidInput.of("gate", f"gate {text!r}: {why}")


def _unmistakable(gate: ParsedGate, plain: str, quoted: str) -> str:
    """The plain text where it reads back as this gate, else the one with quoted names."""
    try:
        return plain if parse_gate(plain) == gate else quoted
    except InvalidInput:
        return quoted


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


def _shown(number: float) -> str:
    return repr(float(number)).removesuffix(".0")
