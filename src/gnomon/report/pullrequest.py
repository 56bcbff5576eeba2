"""What `gnomon eval`, `compare` and `gate` found, as Markdown for a comment on a pull request.

What got better, what got worse, what cannot be told, and the items that lost most with a diff of their outputs. Inputs
and outputs are written by strangers: they stand in code blocks that they cannot end, names stand as plain text.
"""

import re
from collections.abc import Iterator, Sequence

from gnomon.model.experiment import Experiment, ScorerComparison, ScorerSummary, Verdict
from gnomon.model.gates import GateDecision
from gnomon.report.evaluation import EvalReport
from gnomon.report.gate import Gate, markdown, plain
from gnomon.report.text.drawing import interval, number, shortened
from gnomon.report.text.items import diff_lines, headline, title
from gnomon.shorten import counted

_LONGEST_WORDS = 300
_LONGEST = 60_000
"""Characters; a comment on GitHub may have 65,536."""
_SHOWN_ERRORS = 3
_SECTIONS: dict[str, tuple[Verdict, ...]] = {
    "Worse": ("regressed",),
    "Better": ("improved",),
    "Cannot be told": ("inconclusive",),
    "The same": ("equivalent",),
}
_HEADLINES: dict[GateDecision, str] = {
    "cannot": "! cannot be decided",
    "fail": "✗ failed",
    "undecided": "? undecided",
    "pass": "✓ passed",
}


def pull_request(reports: Sequence[EvalReport], whole: str = "`gnomon eval --html` shows all of it") -> str:
    """One section per evaluation. What does not fit into a comment is left out from the end, and said with `whole`."""
    text = "\n".join(line for report in reports for line in [*_section(report), ""])
    if len(text) <= _LONGEST:
        return text
    kept = text[:_LONGEST].rpartition("\n#### ")[0] or text[:_LONGEST].rpartition("\n\n")[0]
    return f"{kept}\n\n(The rest is too long for a comment; {whole}.)\n"


def _section(report: EvalReport) -> Iterator[str]:
    yield f"### {plain(report.name)}: {_headline(report)}"
    yield ""
    if report.problem is not None:
        yield f"{plain(shortened(report.problem, _LONGEST_WORDS))}"
        yield ""
    if report.link is not None:
        noun = "experiment" if report.base is None else "comparison"
        yield f"[Look at the {noun}]({report.link.url}) ({report.link.words})"
        yield ""
    if report.evaluation is not None:
        yield from _figures(report)
    if report.gates:
        yield markdown([Gate.of_result(gate) for gate in report.gates])
    yield from _changes(report)
    yield from _worst(report)


def _headline(report: EvalReport) -> str:
    if report.problem is not None:
        return "! cannot run"
    decisions = {gate.decision for gate in report.gates}
    rest = "no gates" if report.base is None else f"compared with {plain(report.base.name)}"
    return next((words for decision, words in _HEADLINES.items() if decision in decisions), rest)


def _figures(report: EvalReport) -> Iterator[str]:
    evaluation = report.evaluation
    assert evaluation is not None
    summary = evaluation.summary
    yield f"{counted(summary.run_count, 'run')}, {summary.failed_run_count:,} failed.{_origin(report.experiment)}"
    for group in evaluation.errors[:_SHOWN_ERRORS]:
        yield f"- {plain(group.words)}: {plain(shortened(group.example, _LONGEST_WORDS))}"
    yield ""
    yield "| scorer | mean | 95 % interval | scored | failed | absent |"
    yield "|---|---:|---|---:|---:|---:|"
    for name, scores in summary.scores_by_scorer.items():
        yield _figures_row(name, scores)
    yield ""


def _figures_row(name: str, scores: ScorerSummary) -> str:
    cells = [
        plain(name), number(scores.mean), interval(scores.confidence_interval_95), f"{scores.n_scored:,}",
        f"{scores.n_failed:,}", f"{scores.n_absent:,}",
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def _origin(experiment: Experiment | None) -> str:
    """The commit that was evaluated."""
    commit = _commit(experiment)
    return f" Commit {commit}." if commit else ""


def _commit(experiment: Experiment | None) -> str | None:
    origin = (experiment.metadata or {}).get("gnomon") if experiment is not None else None
    git = origin.get("git") if isinstance(origin, dict) else None
    if not isinstance(git, dict) or not re.fullmatch("[0-9a-f]{7,64}", str(git.get("commit"))):
        return None
    return f"{str(git['commit'])[:7]}{' with local changes' if git.get('dirty') else ''}"


def _changes(report: EvalReport) -> Iterator[str]:
    if report.no_base is not None:
        yield f"Nothing to compare with: {plain(report.no_base)}"
        yield ""
    if report.comparison is None or report.base is None:
        return
    commit = _commit(report.base)
    yield f"**Compared with {plain(report.base.name)}**{f' at commit {commit}' if commit else ''}:"
    yield ""
    for heading, verdicts in _SECTIONS.items():
        of_this = [scorer for scorer in report.comparison.scorer_comparisons if scorer.verdict in verdicts]
        for scorer in of_this:
            yield f"- **{heading}**: {_change(scorer)}"
    if not report.comparison.scorer_comparisons:
        yield "- neither has scores"
    yield ""


def _change(scorer: ScorerComparison) -> str:
    better = counted(scorer.improved_count, "item")
    counts = f"{better} better, {scorer.regressed_count:,} worse, {scorer.unchanged_count:,} the same"
    means = f"{number(scorer.base_mean)} → {number(scorer.compare_mean)}"
    ends = f"{number(scorer.paired_delta, '+')}, 95 % interval {interval(scorer.delta_ci_95)}"
    return f"{plain(scorer.scorer_name)} {means} ({ends}; {counts}). {plain(scorer.words)}"


def _worst(report: EvalReport) -> Iterator[str]:
    if not report.worse:
        return
    yield f"<details><summary>{title(len(report.worse), report.worse_count)}</summary>"
    yield ""
    for worse in report.worse:
        yield f"#### {plain(headline(worse))}"
        yield ""
        yield from fenced(diff_lines(worse.item))
        yield ""
    yield "</details>"
    yield ""


def fenced(lines: Iterator[str]) -> Iterator[str]:
    """The text as a code block, with a fence that is longer than any in the text."""
    body = list(lines)
    longest = max((len(run) for line in body for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    yield f"{fence}diff"
    yield from body
    yield fence
