"""Scenarios and runs of agents, for people. Their leaderboard is in leaderboard.py, a scenario's day in day.py."""

import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gnomon.cli.show.pen import draw, line, parts
from gnomon.cli.show.progress import progress
from gnomon.report.text.drawing import axis, clean, interval, number, table, whisker
from gnomon.shorten import counted
from gnomon.stats.interval import wilson

if TYPE_CHECKING:
    from gnomon.bench.batch import Progress
    from gnomon.bench.family import Defect, Hint, ScenarioKind, TextView, Verified
    from gnomon.model.bench import RunScore
    from gnomon.model.benchitems import BenchmarkItems
    from gnomon.scorers.rubric import RubricOpinion
    from gnomon.service.bench.benchmark import BenchmarkRuns
    from gnomon.service.bench.push import Pushed
    from gnomon.service.bench.scoring import FileScore, ScoredRun

_LISTED = 20
_EVIDENCE = 8
_ROWS = 40


@contextmanager
def running(*, quiet: bool = False) -> "Iterator[tuple[Callable[[int], None], Callable[[Progress], None]]]":
    """Progress over runs, with steps and money so far: what to call with the number of runs, and with each progress."""
    with progress("running", quiet=quiet) as report:

        def tell(now: "Progress") -> None:
            report(now.done, details=f"{counted(now.steps, 'step')}, {now.cost_usd:.4f} USD")

        yield lambda runs: report(0, runs), tell


# --- scenarios -----


def families(described: Sequence[Mapping[str, Any]]) -> None:
    for family in described:
        line(f"{family['family']}: {family['summary']}")
        line(f"  success: {family['success']}")
        line(f"  metrics: {', '.join(family['metrics'])}")
        settings = [f"{name} ({about['default']})" for name, about in family["settings"].items()]
        line(f"  settings: {', '.join(settings) or 'none'}")
        line(f"  reference agents: {', '.join(family['reference_agents'])}")


def kinds(scenario_kinds: "Sequence[ScenarioKind]") -> None:
    more = list(dict.fromkeys(name for kind in scenario_kinds for name in kind.model_extra or ()))
    rows = table("kind", *more, "what happens")
    for kind in scenario_kinds:
        extra = kind.model_extra or {}
        rows.add_row(clean(kind.name), *(_cell(extra.get(name)) for name in more), clean(kind.summary))
    draw(rows)


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value is None else clean(str(value))


def written(scenarios: Sequence[Mapping[str, Any]]) -> None:
    for scenario in scenarios[:_LISTED]:
        line(f"{clean(scenario['path'])}: content hash {scenario['content_hash'][:12]}…")
    if len(scenarios) > _LISTED:
        line(f"and {len(scenarios) - _LISTED} more")


def verified(result: "Verified") -> None:
    for text in result.lines():
        line(clean(text))
    for note in result.notes:
        line(f"note: {clean(note)}")


def scenario_lines(view: "TextView") -> None:
    line(clean(view.scenario_id))
    for text in view.lines:
        line(f"  {clean(text)}")


def lint_results(
    package: str, hints: "Mapping[str, Sequence[Hint]]", defects: "Mapping[str, Sequence[Defect]]"
) -> None:
    """Hints and defects by scenario. Where there are none, that is one line."""
    about = next(iter(hints)) if len(hints) == 1 else f"{package}, {counted(len(hints), 'scenario')}"
    if not any(hints.values()):
        line(f"{clean(about)}: nothing that an agent sees hints at what is tested.")
    for scenario_id, scenario_hints in hints.items():
        if scenario_hints:
            _hints(scenario_hints, scenario_id if len(hints) > 1 else None)
    count = sum(map(len, defects.values()))
    if count:
        rows = table("scenario", "defect", "where", "what is wrong")
        for scenario_id, scenario_defects in defects.items():
            for defect in scenario_defects:
                rows.add_row(clean(scenario_id), defect.rule, clean(defect.where), clean(defect.message))
        draw(rows)
        line(f"{counted(count, 'defect')}; until they are mended, the benchmark measures something else.")


def _hints(hints: "Sequence[Hint]", heading: str | None) -> None:
    if heading is not None:
        line(f"{clean(heading)}:")
    rows = table("seen in", "where", "word", "around it")
    for hint in hints[: 5 * _LISTED]:
        rows.add_row(hint.surface, clean(hint.where), clean(hint.word), clean(hint.excerpt))
    draw(rows)
    line(f"{len(hints)} hints at what is tested; reword them, or the benchmark measures reading.")


# --- runs -----


def ran(result: "BenchmarkRuns") -> None:
    states = Counter(outcome.state for outcome in result.outcomes)
    line(f"{counted(len(result.outcomes), 'run')}: {', '.join(f'{count} {state}' for state, count in states.items())}")
    _success_table(result.out, result.scored)
    for note in result.notes:
        line(f"note: {clean(note)}")
    out = clean(str(result.out))
    line(f"they are in {out}; who is ahead: gnomon bench leaderboard {out}")


def folder_scores(
    out: Path,
    scored: "Sequence[ScoredRun]",
    opinions: "Sequence[RubricOpinion]",
    notes: Sequence[str],
    *,
    written: bool,
) -> None:
    line(f"{counted(len(scored), 'run')} below {clean(str(out))}")
    _success_table(out, scored)
    reasons = Counter(run.score.reason or "" for run in scored if not run.score.scorable)
    for reason, count in reasons.most_common(_LISTED):
        line(f"not scored: {count} ({clean(reason)})")
    if opinions:
        _opinions(opinions)
    for note in notes:
        line(f"note: {clean(note)}")
    if written:
        beside = "score.json, what the judge says in judge.json," if opinions else "score.json"
        line(f"each score is in {beside} beside its transcript")


def _success_table(out: Path, scored: "Sequence[ScoredRun]") -> None:
    """Success by agent and scenario, which are the folders' names."""
    groups: dict[tuple[str, str], list[RunScore]] = {}
    for entry in scored:
        groups.setdefault((entry.folder.parent.parent.name, entry.score.scenario_id), []).append(entry.score)
    rows = table("agent", "scenario", "success", "95 % interval", axis("0", "1"), "runs", right=("success", "runs"))
    for (agent, scenario), runs in sorted(groups.items())[:_ROWS]:
        known = [run.success for run in runs if run.success is not None]
        mean = sum(known) / len(known) if known else None
        around = wilson(sum(known), len(known)) if known else None
        ends = None if around is None else (around.low, around.high)
        runs_told = f"{len(known)}" if len(known) == len(runs) else f"{len(known)} of {len(runs)}"
        rows.add_row(clean(agent), clean(scenario), number(mean), interval(ends), whisker(mean, ends, 0, 1), runs_told)
    if groups:
        draw(rows)
    if len(groups) > _ROWS:
        line(f"and {len(groups) - _ROWS} more; gnomon bench leaderboard {clean(str(out))} --details shows all")


def file_scores(name: str, scores: "Sequence[FileScore]", written: Sequence[Path]) -> None:
    if len(scores) == 1 and scores[0].run is not None:
        _run(scores[0].run)
        if scores[0].opinion is not None:
            _opinions([scores[0].opinion])
    else:
        _calls(name, scores)
    for path in written:
        line(f"written: {clean(str(path))}")


def _run(score: "RunScore") -> None:
    from gnomon.bench.families import by_name

    line(f"{clean(score.scenario_id)}, run {clean(score.run_id)}")
    if not score.scorable:
        line(f"not scored: {clean(score.reason or '')}")
        return
    first, *others = by_name(score.family).describe(score)
    line(f"{'success' if score.success else 'no success'}: {clean(first)}")
    for text in others:
        line(clean(text))
    if score.flags:
        line(f"flags: {', '.join(score.flags)}")
    around = wilson(float(bool(score.success)), 1)
    line(f"A single run says little: the success rate may be anything from {around.low:.3f} to {around.high:.3f}.")
    rows = table("claim", "step", "turn", "call", "what shows it", right=("step", "turn", "call"))
    for evidence in score.evidence[:_EVIDENCE]:
        numbers = ["–" if number is None else str(number) for number in (evidence.turn, evidence.call)]
        rows.add_row(evidence.claim, str(evidence.step_id), *numbers, clean(evidence.excerpt))
    if score.evidence:
        draw(rows)
    if len(score.evidence) > _EVIDENCE:
        line(f"and {len(score.evidence) - _EVIDENCE} more pieces of evidence (--json has all)")


def _calls(name: str, scores: "Sequence[FileScore]") -> None:
    from gnomon.service.bench.scoring import measured

    line(f"{clean(name)}: {counted(len(scores), 'transcript')}")
    rows = table("task", "run", "calls made", "tool calls", "judge", "reported", right=("calls made",))
    for file_score in scores[: 5 * _LISTED]:
        fields = {} if file_score.calls is None else measured(file_score.calls)
        value = f"{round(fields['value'], 3)}" if "value" in fields else str(fields.get("reason", "–"))
        opinion = file_score.opinion
        overall = "–" if opinion is None or opinion.output is None else f"{opinion.output.overall_score:g}"
        by_others = file_score.transcript.metadata.get("reported") or {}
        reported = ", ".join(f"{name} {value}" for name, value in by_others.items())
        n_calls = str(len(file_score.transcript.calls()))
        task, run = clean(file_score.transcript.scenario_id), clean(file_score.transcript.run_id)
        rows.add_row(task, run, n_calls, clean(value), overall, clean(reported or "–"))
    draw(rows)
    if len(scores) > 5 * _LISTED:
        line(f"{5 * _LISTED} of {len(scores):,} transcripts shown; --json has all")
    for opinion in (file_score.opinion for file_score in scores):
        if opinion is not None and opinion.output is None:
            line(f"no opinion: {clean(opinion.reason or '')}: {clean(opinion.evidence or '')[:200]}")
            break


def _opinions(opinions: "Sequence[RubricOpinion]") -> None:
    from gnomon.bench.aggregate import judged

    outputs = [opinion.output for opinion in opinions if opinion.output is not None]
    line(f"judged: {len(outputs)} of {counted(len(opinions), 'run')}")
    if outputs:
        rows = table("dimension", "mean", "95 % interval", axis("0", "10"), right=("mean",))
        for name, metric in judged(outputs).items():
            ends = metric.confidence_interval_95
            rows.add_row(clean(name), number(metric.mean), interval(ends), whisker(metric.mean, ends, 0, 10))
        draw(rows)
    for reason, count in Counter(rated.reason for rated in opinions if rated.output is None).items():
        line(f"no opinion: {count} ({clean(reason or '')})")
    for flag, count in Counter(flag for rated in opinions for flag in rated.flags).items():
        line(f"{flag}: {count} of {len(opinions)}")


def pushed(sent: "Pushed", flags: Mapping[str, str | None]) -> None:
    """What was sent. `flags` are those that find it again."""
    left_out = f", {sent.left_out} left out" if sent.left_out else ""
    sent_there = f"{counted(sent.pushed, 'run')} sent to the project {clean(sent.project_id)}"
    line(f"{sent_there}, {sent.known} were there already{left_out}")
    for name in sent.experiments:
        line(f"  experiment {clean(name)}")
    for note in sent.notes[:_LISTED]:
        line(f"note: {clean(note)}")
    words = ["--dataset", sent.dataset, "--scorer", "success"]
    words += [word for flag, value in flags.items() if value for word in (flag, value)]
    line(f"who is ahead: gnomon leaderboard {clean(shlex.join(words))}")


def benchmark_items(report: "BenchmarkItems", most: int) -> None:
    from gnomon.report.text.benchitems import benchmark_items as text

    parts(text(report, most))
