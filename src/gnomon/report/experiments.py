"""One or two experiments as a page: scores with their intervals, what failed and why, the worst items, and what
changed between the two.

Everything is in the file: it can be mailed, kept, or put on any web server. Figures and words are those of
`gnomon summary` and `gnomon compare`; outputs and messages come from outside and are escaped here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from gnomon.model.experiment import Experiment, ExperimentComparison, Run
from gnomon.model.jsonvalue import dump
from gnomon.model.moment import iso
from gnomon.report import notebook
from gnomon.report.evaluation import EvaluationReport
from gnomon.report.plots import Bar, whiskers
from gnomon.report.policy import POLICY_TAG
from gnomon.report.text.drawing import clean, interval, number, shortened

LONGEST_TEXT = 2000
"""Characters of an input or output that are shown."""
_STYLE = """
:root { color-scheme: light dark; --ink: #1c2127; --dim: #5f6b76; --grid: #dfe4e9; --paper: #fff; --mark: #0b62b8;
  --good: #15803d; --bad: #b91c1c; --box: #f5f7f9; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --dim: #98a4b0; --grid: #333b44; --paper: #14181c;
  --mark: #5aa9ff; --good: #4ade80; --bad: #f87171; --box: #1c2228; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 64rem; margin: 2rem auto; padding: 0 1.25rem 3rem; }
h1 { margin: 0 0 .2rem; overflow-wrap: anywhere; } h2 { margin: 2.4rem 0 .3rem; font-size: 1.25rem; }
h3 { margin: 1.4rem 0 .2rem; font-size: 1rem; overflow-wrap: anywhere; } p { margin: .2rem 0 .6rem; }
.dim { color: var(--dim); } .about p { margin: 0; } .wide { overflow-x: auto; } figure { margin: .4rem 0; }
.gnomon { padding: 0 !important; font-size: inherit !important; }
figure.plot svg { min-width: 40rem; }
figure.plot svg, svg.plot { display: block; font: 12px system-ui, sans-serif; max-width: 100%; height: auto; }
figure.plot text { fill: var(--ink); } figure.plot .number { text-anchor: end; font-variant-numeric: tabular-nums; }
figure.plot .middle { text-anchor: middle; } figure.plot .dim { fill: var(--dim); }
figure.plot .small { font-size: 11px; } figure.plot .grid { stroke: var(--grid); fill: none; }
figure.plot .whisker { stroke: var(--mark); stroke-width: 2; fill: none; }
figure.plot .dot { fill: var(--mark); stroke: var(--paper); stroke-width: 1.5; }
.case { border: 1px solid var(--grid); border-radius: 6px; padding: .5rem .8rem; margin: .6rem 0; }
.case > p { margin: 0 0 .3rem; } .good { color: var(--good); } .bad { color: var(--bad); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem .9rem; margin: 0; }
dt { color: var(--dim); } dd { margin: 0; min-width: 0; }
pre { font: 13px/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0;
  background: var(--box); border-radius: 4px; padding: .1rem .4rem; max-height: 16rem; overflow: auto; }
"""


@dataclass(frozen=True, slots=True)
class WorstRuns:
    """The lowest scores of one scorer."""

    scorer_name: str
    runs: Sequence[Run]


@dataclass(frozen=True, slots=True)
class ExperimentPart:
    """What the page says of one experiment."""

    experiment: Experiment
    dataset_name: str
    report: EvaluationReport
    failures: Sequence[Run]
    """The first runs that ended in an error."""
    worst: Sequence[WorstRuns]


@dataclass(frozen=True, slots=True)
class Regression:
    """An item whose mean score fell, with the trials that show it best."""

    scorer_name: str
    base_score: float
    other_score: float
    base: Run | None
    other: Run | None


@dataclass(frozen=True, slots=True)
class ComparisonPart:
    """How the second experiment differs from the first."""

    found: ExperimentComparison
    base_name: str
    other_name: str
    regressions: Sequence[Regression]
    """The largest falls first."""
    regressed_count: int


def page(parts: Sequence[ExperimentPart], comparison: ComparisonPart | None) -> str:
    """The whole page."""
    names = [clean(part.experiment.name) for part in parts]
    title = " → ".join(names)
    sections = [
        _about(parts),
        *([_compared(comparison)] if comparison else []),
        *(_experiment(part, len(parts) == 1) for part in parts),
    ]
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">{POLICY_TAG}<title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head>'
        f"<body><main><h1>{escape(title)}</h1>{''.join(sections)}</main></body></html>\n"
    )


def _about(parts: Sequence[ExperimentPart]) -> str:
    lines = "".join(f"<p>{escape(_origin(part))}</p>" for part in parts)
    return f'<div class="about dim">{lines}<p>Every interval is a 95 % interval.</p></div>'


def _origin(part: ExperimentPart) -> str:
    """Where its figures come from."""
    experiment = part.experiment
    told = f"{clean(experiment.name)}: dataset {clean(part.dataset_name)} (version {experiment.dataset_version}), "
    told += f"begun {iso(experiment.created_at)[:16].replace('T', ' ')} UTC"
    commit = _commit(experiment.metadata)
    return told + (f", commit {clean(commit)[:12]}" if commit else "")


def _commit(metadata: dict[str, Any] | None) -> str | None:
    about: Any = metadata
    for name in ("gnomon", "git", "commit"):
        about = about.get(name) if isinstance(about, dict) else None
    return about if isinstance(about, str) else None


# --- one experiment -----


def _experiment(part: ExperimentPart, alone: bool) -> str:
    name = "Scores" if alone else clean(part.experiment.name)
    return (
        f"<h2>{escape(name)}</h2>{notebook.evaluation(part.report)}{_plot(part.report)}"
        f"{_failures(part)}{''.join(_worst(one) for one in part.worst)}"
    )


def _plot(report: EvaluationReport) -> str:
    scored = [one for one in report.summary.scores_by_scorer.values() if one.mean is not None]
    if not scored:
        return ""
    bars = []
    for one in scored:
        ends = one.confidence_interval_95
        told = number(one.mean) if ends is None else f"{number(one.mean)}  ({interval(ends)})"
        bars.append(Bar(clean(one.scorer_name), one.mean, ends, told))
    drawn = whiskers(bars, 0, 1, (0, 0.2, 0.4, 0.6, 0.8, 1), "Means with their intervals")
    return f'<figure class="wide plot">{drawn}</figure>'


def _failures(part: ExperimentPart) -> str:
    count = part.report.summary.failed_run_count
    if not count:
        return ""
    shown = f", the first {len(part.failures)}" if count > len(part.failures) else ""
    cases = "".join(
        _case(
            f"{clean(run.error.type or 'error')}, trial {run.trial}" if run.error else "",
            [("input", run.input), ("message", run.error.message if run.error else None)],
            "bad",
        )
        for run in part.failures
    )
    return f"<h3>Failed runs ({count:,}{shown})</h3>{cases}"


def _worst(one: WorstRuns) -> str:
    if not one.runs:
        return ""
    cases = "".join(_worst_case(one.scorer_name, run) for run in one.runs)
    return f"<h3>Lowest scores by {escape(clean(one.scorer_name))}</h3>{cases}"


def _worst_case(scorer_name: str, run: Run) -> str:
    own = [score for score in run.scores if score.scorer_name == scorer_name and isinstance(score.value, float)]
    score = min(own, key=lambda score: score.value, default=None)
    if score is None:
        return ""
    fields = [("input", run.input), ("output", run.output), ("expected", run.expected_output)]
    return _case(f"{score.value:.3f}, trial {run.trial}", [*fields, ("why", score.rationale)], "bad")


# --- two experiments -----


def _compared(part: ComparisonPart) -> str:
    drawn = notebook.comparison(part.found, part.base_name, part.other_name)
    return f"<h2>Comparison</h2>{drawn}{_regressions(part)}"


def _regressions(part: ComparisonPart) -> str:
    if not part.regressions:
        return ""
    shown = f", the {len(part.regressions)} largest" if part.regressed_count > len(part.regressions) else ""
    cases = "".join(_regression(one, part) for one in part.regressions)
    return f"<h3>Items that got worse ({part.regressed_count:,}{shown})</h3>{cases}"


def _regression(one: Regression, part: ComparisonPart) -> str:
    change = f"{clean(one.scorer_name)} {one.base_score:.3f} → {one.other_score:.3f}"
    known = one.other or one.base
    return _case(
        change,
        [
            ("input", known.input if known else None),
            (clean(part.base_name), _answer(one.base)),
            (clean(part.other_name), _answer(one.other)),
            ("expected", known.expected_output if known else None),
        ],
        "bad",
    )


def _answer(run: Run | None) -> Any:
    if run is None:
        return None
    return run.output if run.error is None else f"{run.error.type or 'error'}: {run.error.message}"


def _case(title: str, fields: Iterable[tuple[str, Any]], kind: str) -> str:
    """One item: what was asked, answered and expected. What there is nothing of is left out."""
    told = "".join(
        f"<dt>{escape(name)}</dt><dd><pre>{escape(_shown(value))}</pre></dd>"
        for name, value in fields
        if value is not None
    )
    return f'<div class="case"><p class="{kind}">{escape(title)}</p><dl>{told}</dl></div>'


def _shown(value: Any) -> str:
    """A text as it is; anything else as JSON."""
    text = value if isinstance(value, str) else dump(value)
    return shortened(
        "".join(letter if letter.isprintable() or letter in "\n\t" else "�" for letter in text), LONGEST_TEXT
    )
