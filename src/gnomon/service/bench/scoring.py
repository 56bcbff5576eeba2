"""Transcripts to scores: one file, or all runs of a folder; written beside the transcript unless told otherwise.

Runs of a benchmark are scored by their scenario. Transcripts of other people's formats have none: they are scored by
the tool calls that were expected. A judge may be asked about either.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from gnomon.bench.families import load
from gnomon.bench.family import Scenario
from gnomon.bench.transcripts import LARGEST, read_transcript
from gnomon.errors import GnomonError, InvalidInput, Refused
from gnomon.interop.spans import from_trace
from gnomon.interop.trajectories import read_any
from gnomon.llm.ask import ask_structured
from gnomon.llm.session import AskingSession
from gnomon.model.bench import RunScore
from gnomon.model.firstformat import is_first_format
from gnomon.model.trace import Trace
from gnomon.model.transcript import Transcript
from gnomon.scorers import build
from gnomon.scorers.protocol import Absent, Failed, Measurement, Sample, Scored
from gnomon.scorers.rubric import RubricOpinion
from gnomon.scorers.tool_calls import ToolCalls
from gnomon.service.bench.gathering import (
    CONFIG,
    JUDGE,
    SCORE,
    Packages,
    Settings,
    recorded_id,
    recorded_scenario,
    run_folders,
    transcript_in,
    unscorable,
)
from gnomon.service.bench.judge import JudgeOf, judge_runs
from gnomon.service.judges.opinion import CONCURRENCY, AskModel

OURS = "gnomon"


@dataclass(frozen=True)
class FileScore:
    """One transcript of a file. `run` is for benchmarks, `calls` for everything else."""

    transcript: Transcript
    run: RunScore | None = None
    calls: Measurement | None = None
    scenario: Scenario | None = None
    opinion: RubricOpinion | None = None

    @property
    def scored(self) -> bool:
        by_rules = isinstance(self.calls, Scored) if self.run is None else self.run.scorable
        return by_rules or (self.opinion is not None and self.opinion.state == "scored")


# --- one file -----


def score_file(
    path: Path, scenario: Path | None = None, scenarios: Sequence[Path] = (), *, kind: str | None = None,
    expect: Path | None = None, settings: Settings | None = None, judged: bool = False,
) -> list[FileScore]:  # fmt: skip
    """The transcripts of a file with their scores by rules. `judged`: a judge will have its say, rules need not."""
    if kind == OURS or (kind is None and is_run(path)):
        if expect is not None:
            words = "--expect is for other people's transcripts; a run is scored by its scenario"
            raise InvalidInput.of("expect", words)
        return [_benchmark(path, scenario, scenarios, settings)]
    if scenario is not None:
        words = f"{path} is no transcript of a scenario, so --scenario does not help; give --expect or --judge"
        raise InvalidInput.of("scenario", words)
    return _by_calls(str(path), read_any(path, kind), expect, judged)


def score_trace(
    trace: Trace, scenario: Path | None = None, *, expect: Path | None = None, settings: Settings | None = None,
    judged: bool = False,
) -> list[FileScore]:  # fmt: skip
    """A stored trace: by its scenario where that is named, else as other people's transcripts."""
    transcript = from_trace(trace)
    if scenario is None:
        return _by_calls(f"trace {trace.id}", [transcript], expect, judged)
    return [_by_scenario(transcript, _picked(scenario, transcript, f"trace {trace.id}"), settings)]


def _by_calls(name: str, transcripts: Sequence[Transcript], expect: Path | None, judged: bool) -> list[FileScore]:
    scorer = _rule({}) if expect is None else _expected(expect)
    found = [FileScore(one, calls=_calls(one, scorer)) for one in transcripts]
    if not judged and all(isinstance(one.calls, Absent) for one in found):
        words = f"{name} does not say which tool calls were expected; give --expect FILE, or ask a --judge"
        raise InvalidInput.of("expect", words)
    return found


def is_run(path: Path) -> bool:
    """Whether a file is a benchmark's transcript, ours or in the first published format. A broken one may be."""
    try:
        with path.open("rb") as file:
            head = file.readline(1 << 20)
            found = _decoded(head)
            if isinstance(found, dict) and found.get("type") == "header":
                return True
            if (isinstance(found, dict) and path.suffix == ".jsonl") or path.stat().st_size > LARGEST:
                return False
            whole = _decoded(head + file.read())
    except OSError as bad:
        raise Refused(f"{path}: {bad.strerror or bad}; name a transcript that can be read") from None
    return is_first_format(whole)


def _decoded(text: bytes) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None


def _benchmark(path: Path, package: Path | None, places: Sequence[Path], settings: Settings | None) -> FileScore:
    transcript = read_transcript(path)
    scenario = _picked(package, transcript, str(path)) if package else Packages(places).find(
        transcript.scenario_id, recorded_scenario(path.parent / CONFIG)
    )  # fmt: skip
    if isinstance(scenario, str):
        raise Refused(f"{path}: {scenario}")
    return _by_scenario(transcript, scenario, settings)


def _picked(package: Path, transcript: Transcript, name: str) -> Scenario:
    """The scenario of a package that a transcript is a run of."""
    scenarios = {scenario.scenario_id: scenario for scenario in load(package)}
    if transcript.scenario_id not in scenarios:
        there = ", ".join(map(repr, sorted(scenarios)[:3]))
        words = f"{name} is a run of {transcript.scenario_id!r}, and --scenario is {there}"
        raise InvalidInput.of("scenario", f"{words}; name the package that was run")
    return scenarios[transcript.scenario_id]


def _by_scenario(transcript: Transcript, scenario: Scenario, settings: Settings | None) -> FileScore:
    return FileScore(transcript, run=scenario.score(transcript, settings), scenario=scenario)


def _expected(path: Path) -> ToolCalls:
    """A list of calls, or an object with the whole configuration of `tool_calls`."""
    try:
        found = msgspec.json.decode(path.read_bytes())
        # Whatever is wrong with the calls themselves is said here, once, and not transcript by transcript.
        return _rule(found if isinstance(found, dict) else {"expected": found})
    except OSError as bad:
        words = f"{bad.strerror or bad}; name a JSON file with a list of calls"
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as bad:
        words = f"is not JSON ({bad}); name a file with a list of calls"
    except InvalidInput as bad:
        words = bad.message
    raise InvalidInput.of("expect", f"--expect {path}: {words}")


def _rule(config: dict[str, Any]) -> ToolCalls:
    made = build("tool_calls", config)
    assert isinstance(made, ToolCalls)  # by its name
    return made


def _calls(transcript: Transcript, scorer: ToolCalls) -> Measurement:
    expected = transcript.metadata.get("expected_tool_calls")
    return scorer.score(Sample(output=transcript, expected_output=expected))


def measured(found: Measurement) -> dict[str, Any]:
    """A measurement as JSON: its state, and a value or a reason."""
    if isinstance(found, Scored):
        return {"state": "scored", "value": found.value}
    state = "absent" if isinstance(found, Absent) else "failed"
    evidence = {"evidence": found.evidence} if isinstance(found, Failed) and found.evidence else {}
    return {"state": state, "reason": found.reason, **evidence}


def write_beside(path: Path, found: Sequence[FileScore]) -> list[Path]:
    """The score of a run beside its transcript. Files of other people hold many runs, and get nothing beside them."""
    # A file of another name may have neighbours, whose scores must not fall on each other.
    begin = "" if path == transcript_in(path.parent) else f"{path.stem}."
    written = []
    for one in found:
        for name, noun in ((SCORE, one.run), (JUDGE, one.opinion if one.run else None)):
            if noun is not None:
                written.append(path.parent / f"{begin}{name}")
                _write(written[-1], noun.model_dump_json(indent=2) + "\n")
    return written


# --- a folder of runs -----


@dataclass(frozen=True)
class ScoredRun:
    """A run's folder and its score."""

    folder: Path
    score: RunScore


class ScoredRuns(NamedTuple):
    """The runs below a folder, and what in it was no run."""

    runs: list[ScoredRun]
    notes: list[str]


def score_below(
    out: Path, scenarios: Sequence[Path] = (), *, settings: Settings | None = None, write: bool = True,
    on_done: Callable[[int], None] = lambda done: None,
) -> ScoredRuns:  # fmt: skip
    """Score every run below a folder anew. One run at a time is in memory."""
    if not out.is_dir():
        raise InvalidInput.of("transcripts", f"{out} is not a folder; name one with runs in it")
    notes: list[str] = []
    folders = list(run_folders(out, notes))
    if not folders:
        raise Refused(f"there is no run below {out}; make one with `gnomon bench run`", code="NO_RUNS")
    scored = list(score_folders(folders, scenarios, settings=settings, write=write, on_done=on_done))
    return ScoredRuns(scored, notes)


def score_folders(
    folders: Sequence[Path], scenarios: Sequence[Path] = (), *, settings: Settings | None = None, write: bool = True,
    on_done: Callable[[int], None] = lambda done: None,
) -> Iterator[ScoredRun]:  # fmt: skip
    packages = Packages(scenarios)
    for number, folder in enumerate(folders, 1):
        found = _score_run(folder, packages, settings)
        if write:
            write_score(folder, found)
        on_done(number)
        yield ScoredRun(folder, found)


def _score_run(folder: Path, packages: Packages, settings: Settings | None) -> RunScore:
    name = folder.parent.name
    try:
        _, _, found = _opened(folder, packages, settings)
    except GnomonError as bad:
        return unscorable(name, recorded_id(folder), bad.message)
    return found


def _opened(folder: Path, packages: Packages, settings: Settings | None) -> tuple[Transcript, Scenario, RunScore]:
    path = transcript_in(folder)
    assert path is not None  # only such folders are asked for
    transcript = read_transcript(path)
    scenario = packages.find(transcript.scenario_id, recorded_scenario(folder / CONFIG))
    if isinstance(scenario, str):
        raise Refused(scenario)
    return transcript, scenario, scenario.score(transcript, settings)


def write_score(folder: Path, score: RunScore) -> None:
    _write(folder / SCORE, score.model_dump_json(indent=2) + "\n")


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as bad:
        raise Refused(f"cannot write {path}: {bad.strerror or bad}; free or allow it, or use --no-write") from None


# --- a judge's opinions -----


async def judge_files(found: Sequence[FileScore], judge_of: JudgeOf, concurrency: int = CONCURRENCY) -> list[FileScore]:
    asked = [lambda one=one: (one.transcript, one.scenario, one.run) for one in found]
    opinions = await judge_runs(judge_of, asked, session=AskingSession(concurrency=concurrency))
    return [replace(one, opinion=opinion) for one, opinion in zip(found, opinions, strict=True)]


async def judge_folders(
    folders: Sequence[Path], scenarios: Sequence[Path], judge_of: JudgeOf, *, concurrency: int = CONCURRENCY,
    settings: Settings | None = None, write: bool = True, on_done: Callable[[int], None] = lambda done: None,
    ask: AskModel = ask_structured,
) -> list[RubricOpinion]:  # fmt: skip
    """Opinions on runs, each written as soon as it is there: what was paid for is kept when something breaks."""
    packages = Packages(scenarios)
    done = 0

    def keep(place: int, opinion: RubricOpinion) -> None:
        nonlocal done
        if write:
            _write(folders[place] / JUDGE, opinion.model_dump_json(indent=2) + "\n")
        done += 1
        on_done(done)

    asked = [lambda folder=folder: _opened(folder, packages, settings) for folder in folders]
    return await judge_runs(judge_of, asked, session=AskingSession(concurrency=concurrency), on_done=keep, ask=ask)
