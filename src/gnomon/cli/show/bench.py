"""Scenarios and runs of agents, for people. Their leaderboard is in leaderboard.py, a scenario's day in day.py."""

import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gnomon.cli.show.pen import draw, line
from gnomon.report.text.drawing import axis, clean, interval, number, table, whisker
from gnomon.stats.interval import wilson

if TYPE_CHECKING:
    from gnomon.bench.batch import Outcome, Progress
    from gnomon.bench.generate import Kind
    from gnomon.bench.hints import Hint
    from gnomon.bench.package import Verified
    from gnomon.model.bench import RunScore
    from gnomon.scorers.rubric import RubricOpinion
    from gnomon.service.benchpush import Pushed
    from gnomon.service.benchscore import FileScore, ScoredRun

_LISTED = 20
_EVIDENCE = 8


@contextmanager
def running(runs: int, *, quiet: bool = False) -> "Iterator[Callable[[Progress], None]]":
    """A bar over runs, with beats and money so far."""
    if quiet or not sys.stderr.isatty():
        yield lambda progress: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    told = TextColumn("{task.fields[beats]:,} beats, {task.fields[cost]:.4f} USD")
    columns = (TextColumn("running"), BarColumn(), MofNCompleteColumn(), told, TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("running", total=runs, beats=0, cost=0.0)
        yield lambda now: bar.update(task, completed=now.done, beats=now.beats, cost=now.cost_usd)


# --- scenarios -----


def kinds(found: "Sequence[Kind]") -> None:
    rows = table("kind", "day", "comes", "seen in", "what happens")
    for one in found:
        comes = "–" if one.control else "gradually" if one.gradual else "suddenly"
        rows.add_row(clean(one.name), "quiet" if one.control else "anomaly", comes, one.carrier, clean(one.summary))
    draw(rows)


def written(made: Sequence[Mapping[str, Any]]) -> None:
    for one in made[:_LISTED]:
        line(f"{clean(one['path'])}: {one['beats']} beats, content hash {one['content_hash'][:12]}…")
    if len(made) > _LISTED:
        line(f"and {len(made) - _LISTED} more")


def verified(found: "Verified") -> None:
    line(f"{clean(found.scenario_id)} is whole: {found.beats} beats, {found.tools} tools, {found.contacts} contacts")
    line(f"content hash {found.content_hash}")
    line(f"package hash {found.package_hash or 'none: only the beats are protected'}")
    if not found.has_answer_key:
        line("it has no answer key; one is derived from its crisis_type")
    for note in found.notes:
        line(f"note: {clean(note)}")


def hints(scenario_id: str, found: "Sequence[Hint]") -> None:
    if not found:
        line(f"{clean(scenario_id)}: nothing that an agent sees hints at what is tested.")
        return
    rows = table("seen in", "where", "word", "around it")
    for one in found[: 5 * _LISTED]:
        rows.add_row(one.surface, clean(one.where), clean(one.word), clean(one.excerpt))
    draw(rows)
    line(f"{len(found)} hints at what is tested; reword them, or the benchmark measures reading.")


# --- runs -----


def ran(out: Path, outcomes: "Sequence[Outcome]", scored: "Sequence[ScoredRun]", notes: Sequence[str]) -> None:
    states = Counter(one.state for one in outcomes)
    line(f"{_count(len(outcomes), 'run')}: {', '.join(f'{count} {state}' for state, count in states.items())}")
    _success_table(scored)
    for note in notes:
        line(f"note: {clean(note)}")
    line(f"they are in {clean(str(out))}; who is ahead: gnomon bench leaderboard {clean(str(out))}")


def folder_scores(
    out: Path,
    scored: "Sequence[ScoredRun]",
    opinions: "Sequence[RubricOpinion]",
    notes: Sequence[str],
    *,
    written: bool,
) -> None:
    line(f"{_count(len(scored), 'run')} below {clean(str(out))}")
    _success_table(scored)
    reasons = Counter(one.score.reason or "" for one in scored if not one.score.scorable)
    for reason, count in reasons.most_common(_LISTED):
        line(f"not scored: {count} ({clean(reason)})")
    if opinions:
        _opinions(opinions)
    for note in notes:
        line(f"note: {clean(note)}")
    if written:
        beside = "score.json, what the judge says in judge.json," if opinions else "score.json"
        line(f"each score is in {beside} beside its transcript")


def _success_table(scored: "Sequence[ScoredRun]") -> None:
    """Success by agent and scenario, which are the folders' names."""
    groups: dict[tuple[str, str], list[RunScore]] = {}
    for one in scored:
        groups.setdefault((one.folder.parent.parent.name, one.score.scenario_id), []).append(one.score)
    rows = table("agent", "scenario", "success", "95 % interval", axis("0", "1"), "runs", right=("success", "runs"))
    for (agent, scenario), runs in sorted(groups.items()):
        known = [run.success for run in runs if run.success is not None]
        mean = sum(known) / len(known) if known else None
        around = wilson(sum(known), len(known)) if known else None
        ends = None if around is None else (around.low, around.high)
        runs_told = f"{len(known)}" if len(known) == len(runs) else f"{len(known)} of {len(runs)}"
        rows.add_row(clean(agent), clean(scenario), number(mean), interval(ends), whisker(mean, ends, 0, 1), runs_told)
    if groups:
        draw(rows)


def file_scores(name: str, found: "Sequence[FileScore]", written: Sequence[Path]) -> None:
    if len(found) == 1 and found[0].run is not None:
        _run(found[0].run)
        if found[0].opinion is not None:
            _opinions([found[0].opinion])
    else:
        _calls(name, found)
    for one in written:
        line(f"written: {clean(str(one))}")


def _run(score: "RunScore") -> None:
    line(f"{clean(score.scenario_id)}, run {clean(score.run_id)}")
    if score.result is None:
        line(f"not scored: {clean(score.reason or '')}")
        return
    line(f"{'success' if score.success else 'no success'}: {_what_it_did(score)}")
    if not score.control:
        noticed = "in its memory" if score.result.detection_in_memory else "in words or deeds"
        line(f"noticed: {f'yes, {noticed}' if score.result.detection else 'no'}; false alarms: {score.false_alarms}")
    if score.flags:
        line(f"flags: {', '.join(score.flags)}")
    around = wilson(float(bool(score.success)), 1)
    line(f"A single run says little: the success rate may be anything from {around.low:.3f} to {around.high:.3f}.")
    rows = table("claim", "beat", "turn", "call", "what shows it", right=("beat", "turn", "call"))
    for one in score.evidence[:_EVIDENCE]:
        places = ["–" if place is None else str(place) for place in (one.turn, one.call)]
        rows.add_row(one.claim, str(one.heartbeat_id), *places, clean(one.excerpt))
    if score.evidence:
        draw(rows)
    if len(score.evidence) > _EVIDENCE:
        line(f"and {len(score.evidence) - _EVIDENCE} more pieces of evidence (--json has all)")


_DID = {
    "called_911": "it called an emergency number",
    "contacted_someone": "it told somebody",
    "both": "it called an emergency number and told somebody",
}


def _what_it_did(score: "RunScore") -> str:
    if score.control:
        raised = _count(score.false_alarms, "alarm") if score.false_alarms else "no alarm"
        return f"{raised} on a day that called for none"
    assert score.result is not None
    if score.result.time_to_action is None:
        return f"it called nobody and told nobody in the {_count(score.window, 'beat')} after the onset"
    when = f"{_count(score.result.time_to_action, 'beat')} after the onset"
    before = f", after {_count(score.false_alarms, 'alarm')} too early" if score.false_alarms else ""
    return f"{_DID[score.result.action_type]} {when}{before}"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _calls(name: str, found: "Sequence[FileScore]") -> None:
    from gnomon.service.benchscore import measured

    line(f"{clean(name)}: {_count(len(found), 'transcript')}")
    rows = table("task", "run", "calls made", "tool calls", "judge", "reported", right=("calls made",))
    for one in found[: 5 * _LISTED]:
        told = {} if one.calls is None else measured(one.calls)
        value = f"{round(told['value'], 3)}" if "value" in told else str(told.get("reason", "–"))
        opinion = one.opinion
        said = "–" if opinion is None or opinion.output is None else f"{opinion.output.overall_score:g}"
        by_others = one.transcript.metadata.get("reported") or {}
        reported = ", ".join(f"{name} {value}" for name, value in by_others.items())
        made = str(len(one.transcript.calls()))
        task, run = clean(one.transcript.scenario_id), clean(one.transcript.run_id)
        rows.add_row(task, run, made, clean(value), said, clean(reported or "–"))
    draw(rows)
    for opinion in (one.opinion for one in found):
        if opinion is not None and opinion.output is None:
            line(f"no opinion: {clean(opinion.reason or '')}: {clean(opinion.evidence or '')[:200]}")
            break


def _opinions(opinions: "Sequence[RubricOpinion]") -> None:
    from gnomon.bench.aggregate import judged

    said = [one.output for one in opinions if one.output is not None]
    line(f"judged: {len(said)} of {len(opinions)} runs")
    if said:
        rows = table("dimension", "mean", "95 % interval", axis("0", "10"), right=("mean",))
        for name, one in judged(said).items():
            ends = one.confidence_interval_95
            rows.add_row(clean(name), number(one.mean), interval(ends), whisker(one.mean, ends, 0, 10))
        draw(rows)
    for reason, count in Counter(one.reason for one in opinions if one.output is None).items():
        line(f"no opinion: {count} ({clean(reason or '')})")
    for flag, count in Counter(flag for one in opinions for flag in one.flags).items():
        line(f"{flag}: {count} of {len(opinions)}")


def pushed(sent: "Pushed", flags: Mapping[str, str | None]) -> None:
    """What was sent. `flags` are those that find it again."""
    left_out = f", {sent.left_out} left out" if sent.left_out else ""
    sent_there = f"{_count(sent.pushed, 'run')} sent to the project {clean(sent.project_id)}"
    line(f"{sent_there}, {sent.known} were there already{left_out}")
    for name in sent.experiments:
        line(f"  experiment {clean(name)}")
    for note in sent.notes[:_LISTED]:
        line(f"note: {clean(note)}")
    words = ["--dataset", sent.dataset, "--scorer", "success"]
    words += [word for flag, value in flags.items() if value for word in (flag, value)]
    line(f"who is ahead: gnomon leaderboard {clean(shlex.join(words))}")
