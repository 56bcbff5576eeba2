"""Evaluations that `gnomon eval` ran or would run, for people and for programs."""

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gnomon.cli.show.experiments import page
from gnomon.cli.show.pen import line, parts, problem
from gnomon.report.text.drawing import clean
from gnomon.shorten import counted

if TYPE_CHECKING:
    from gnomon.report.evaluation import EvalReport
    from gnomon.service.evaluation.suites.preview import EvalPreview
    from gnomon.service.evaluation.suites.starting import FirstSuite

_CHANGED = re.compile(r"\[-.*?-\]|\{\+.*?\+\}")
"""A word that is gone, or new."""


def eval_report(report: "EvalReport", url: str | None) -> None:
    """Scores, what changed, and a line per gate."""
    from gnomon.report.text import experiments as text

    if report.evaluation is not None:
        parts(text.evaluation(report.evaluation))
    else:
        line(clean(report.name))
    if report.comparison is not None and report.base is not None:
        line()
        parts(text.comparison(report.comparison, _base_name(report), report.name))
        worse_items(report)
    if report.no_base is not None:
        line(f"nothing to compare with: {clean(report.no_base)}")
    if report.gates:
        line()
    for gate in report.gates:
        line(text.gate(gate))
    if report.problem is not None:
        cannot_run(report.problem)
    page(url)


def cannot_run(problem: str) -> None:
    line(f"CANNOT RUN: {clean(problem)}")


def worse_items(report: "EvalReport") -> None:
    """The items that lost most, with what changed in their outputs: in a terminal, gone is red and new is green."""
    from gnomon.report.text.items import worse_items as item_lines

    colored = sys.stdout.isatty()
    for text in item_lines(report.worse, report.worse_count):
        line(_CHANGED.sub(_colored, text) if colored else text)


def _colored(change: re.Match[str]) -> str:
    import click

    return click.style(change[0], fg="red" if change[0].startswith("[-") else "green")


def worse_json(report: "EvalReport") -> list[dict[str, Any]]:
    return [{"scorer_name": worse.scorer_name, **worse.item.model_dump(mode="json")} for worse in report.worse]


def _base_name(report: "EvalReport") -> str:
    base = report.base
    assert base is not None
    git = ((base.metadata or {}).get("gnomon") or {}).get("git") or {}
    commit = git.get("commit")
    return f"{base.name} at {str(commit)[:7]}" if commit else base.name


def eval_json(report: "EvalReport", url: str | None) -> dict[str, Any]:
    """The same for programs."""
    evaluation, experiment, base = report.evaluation, report.experiment, report.base
    return {
        "name": report.name,
        "experiment_id": None if experiment is None else experiment.id,
        "url": url,
        "problem": report.problem,
        "gates": [gate.model_dump(mode="json") for gate in report.gates],
        "against_id": None if base is None else base.id,
        "no_base": report.no_base,
        "summary": None if evaluation is None else evaluation.summary.model_dump(mode="json"),
        "comparison": None if report.comparison is None else report.comparison.model_dump(mode="json"),
        "worse": worse_json(report),
        "share_url": None if report.link is None else report.link.url,
        "notes": [] if evaluation is None else list(evaluation.notes),
    }


def eval_preview(preview: "EvalPreview") -> None:
    line(f"{clean(preview.name)} ({clean(preview.source)})")
    some = "" if preview.items == preview.all_items else f"{preview.items:,} of "
    size = f"{counted(preview.trials, 'trial')} = {counted(preview.runs, 'run')}"
    line(f"  data: {some}{counted(preview.all_items, 'item')} of {clean(preview.dataset)} × {size}")
    line(f"  task: {clean(preview.task)}")
    line(f"  scorers: {', '.join(map(clean, preview.scorers)) or 'none'}")
    calls = ", ".join(f"{count:,} of {clean(model)}" for model, count in preview.calls_by_model.items())
    line(f"  model calls by Gnomon: {calls or 'none'}")
    usd = "" if preview.cost_usd is None else f"${preview.cost_usd:.4f}, "
    line(f"  expected cost: {usd}{clean(preview.cost_words)}")
    line(f"  gates: {'; '.join(map(clean, preview.gates)) or 'none'}")
    if preview.against is not None:
        line(f"  against: {clean(preview.against)}")
    for note in preview.notes:
        line(f"  note: {clean(note)}")


def first_suite(suite: "FirstSuite", path: Path) -> None:
    for guess in suite.guesses:
        line(clean(guess))
    line(f"wrote {clean(str(path))} for {counted(suite.items, 'item')}; run it: gnomon eval {clean(str(path))}")


def skipped_files(files: Mapping[str, str]) -> None:
    """Report skipped files on stderr, since results go to stdout."""

    for path, why in files.items():
        problem(f"skipped {path}: {why}")
