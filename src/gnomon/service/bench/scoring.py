"""Transcripts to scores: one file, or all runs of a folder; written beside the transcript unless told otherwise.

Runs of a benchmark are scored by their scenario. Transcripts of other people's formats have none: they are scored by
the tool calls that were expected. A judge may be asked about either.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from gnomon.atomicfile import open_atomically
from gnomon.bench.families import check_settings, load, settings_of
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
from gnomon.service.bench.foreignresults import results_only
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
_NO_CALLS = {"mode": "exact"}
"""How an empty list of expected calls is meant: the agent should call nothing."""


@dataclass(frozen=True)
class FileScore:
    """One transcript of a file. `run` is for benchmarks, `calls` and `carried` for everything else."""

    transcript: Transcript
    run: RunScore | None = None
    calls: Measurement | None = None
    scenario: Scenario | None = None
    opinion: RubricOpinion | None = None

    @property
    def carried(self) -> Mapping[str, float | str]:
        """The scores that the file itself has of this run."""
        reported: Mapping[str, float | str] = self.transcript.metadata.get("reported") or {}
        return reported

    @property
    def scored(self) -> bool:
        by_rules = isinstance(self.calls, Scored) or bool(self.carried) if self.run is None else self.run.scorable
        return by_rules or (self.opinion is not None and self.opinion.state == "scored")


# --- one file -----


def score_file(
    path: Path, scenario: Path | None = None, scenarios: Sequence[Path] = (), *, kind: str | None = None,
    expect: Path | None = None, settings: Settings | None = None, judged: bool = False,
) -> list[FileScore]:  # fmt: skip
    """The transcripts of a file with their scores by rules. `judged`: a judge will have its say, rules need not."""
    if kind == OURS or (kind is None and is_run(path)):
        if expect is not None:
            words = "--expect is for transcripts of other tools; a run of `gnomon bench` is scored by its scenario"
            raise InvalidInput.of("expect", words)
        return [_benchmark(path, scenario, scenarios, settings)]
    if scenario is not None:
        words = f"{path} is not a transcript of a scenario, so --scenario does not help; give --expect or --judge"
        raise InvalidInput.of("scenario", words)
    if kind is None and (results := results_only(path)) is not None:
        if expect is not None or judged:
            words = f"{path} holds results without conversations, so --expect and --judge cannot be used"
            raise InvalidInput.of("expect" if expect else "judge", f"{words}; leave them out")
        return [FileScore(transcript) for transcript in results]
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
    file_scores = [FileScore(transcript, calls=_calls(transcript, scorer)) for transcript in transcripts]
    if not judged and all(isinstance(score.calls, Absent) and not score.carried for score in file_scores):
        words = f"{name} carries no scores and no expected tool calls; give --expect FILE, or ask a --judge"
        raise InvalidInput.of("expect", words)
    return file_scores


def is_run(path: Path) -> bool:
    """Whether a file is a benchmark's transcript, ours or in the first published format. A broken one may be."""
    try:
        with path.open("rb") as file:
            head = file.readline(1 << 20)
            value = _decoded(head)
            if isinstance(value, dict) and value.get("type") == "header":
                return True
            if (isinstance(value, dict) and path.suffix == ".jsonl") or path.stat().st_size > LARGEST:
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


def _benchmark(path: Path, package: Path | None, folders: Sequence[Path], settings: Settings | None) -> FileScore:
    transcript = read_transcript(path)
    scenario = _picked(package, transcript, str(path)) if package else Packages(folders).find(
        transcript.scenario_id, recorded_scenario(path.parent / CONFIG)
    )  # fmt: skip
    if isinstance(scenario, str):
        raise Refused(f"{path}: {scenario}")
    return _by_scenario(transcript, scenario, settings)


def _picked(package: Path, transcript: Transcript, name: str) -> Scenario:
    """The scenario of a package that a transcript is a run of."""
    scenarios = {scenario.scenario_id: scenario for scenario in load(package)}
    if transcript.scenario_id not in scenarios:
        known_ids = ", ".join(map(repr, sorted(scenarios)[:3]))
        words = f"{name} is a run of {transcript.scenario_id!r}, and --scenario is {known_ids}"
        raise InvalidInput.of("scenario", f"{words}; name the package that was run")
    return scenarios[transcript.scenario_id]


def _by_scenario(transcript: Transcript, scenario: Scenario, settings: Settings | None) -> FileScore:
    return FileScore(transcript, run=scenario.score(transcript, settings), scenario=scenario)


def _expected(path: Path) -> ToolCalls:
    """A list of calls, or an object with the whole configuration of `tool_calls`."""
    try:
        value = msgspec.json.decode(path.read_bytes())
        # Faults of the expected calls themselves are refused here, once, and not per transcript.
        return _rule(value if isinstance(value, dict) else {"expected": value, **(_NO_CALLS if value == [] else {})})
    except OSError as bad:
        words = f"{bad.strerror or bad}; name a JSON file with a list of calls"
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as bad:
        words = f"is not JSON ({bad}); name a file with a list of calls"
    except InvalidInput as bad:
        words = bad.message
    raise InvalidInput.of("expect", f"--expect {path}: {words}")


def _rule(config: dict[str, Any]) -> ToolCalls:
    scorer = build("tool_calls", config)
    assert isinstance(scorer, ToolCalls)  # by its name
    return scorer


def _calls(transcript: Transcript, scorer: ToolCalls) -> Measurement:
    expected = transcript.metadata.get("expected_tool_calls")
    if expected == [] and scorer.expected_output is None:
        scorer = _rule(_NO_CALLS)
    return scorer.score(Sample(output=transcript, expected_output=expected))


def measured(measurement: Measurement) -> dict[str, Any]:
    """A measurement as JSON: its state, and a value or a reason."""
    if isinstance(measurement, Scored):
        return {"state": "scored", "value": measurement.value}
    state = "absent" if isinstance(measurement, Absent) else "failed"
    evidence = {"evidence": measurement.evidence} if isinstance(measurement, Failed) and measurement.evidence else {}
    return {"state": state, "reason": measurement.reason, **evidence}


def write_beside(path: Path, scores: Sequence[FileScore]) -> list[Path]:
    """The score of a run beside its transcript. Files of other people hold many runs, and get nothing beside them."""
    # A file of another name may have neighbours, whose scores must not fall on each other.
    begin = "" if path == transcript_in(path.parent) else f"{path.stem}."
    written = []
    for score in scores:
        for name, noun in ((SCORE, score.run), (JUDGE, score.opinion if score.run else None)):
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
    """The runs below a folder, and what in it was not a run."""

    runs: list[ScoredRun]
    notes: list[str]


def score_below(
    out: Path, scenarios: Sequence[Path] = (), *, settings: Settings | None = None, write: bool = True,
    on_done: Callable[[int], None] = lambda done: None,
) -> ScoredRuns:  # fmt: skip
    """Score every run below a folder anew. One run at a time is in memory."""
    if not out.is_dir():
        raise InvalidInput.of("transcripts", f"{out} is not a folder; name one with runs in it")
    check_settings(settings or {})
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
        score = _score_run(folder, packages, settings)
        if write:
            write_score(folder, score)
        on_done(number)
        yield ScoredRun(folder, score)


def _score_run(folder: Path, packages: Packages, settings: Settings | None) -> RunScore:
    name = folder.parent.name
    try:
        _, _, score = _opened(folder, packages, settings)
    except GnomonError as bad:
        return unscorable(name, recorded_id(folder), bad.message)
    return score


def _opened(folder: Path, packages: Packages, settings: Settings | None) -> tuple[Transcript, Scenario, RunScore]:
    path = transcript_in(folder)
    assert path is not None  # only such folders are asked for
    transcript = read_transcript(path)
    scenario = packages.find(transcript.scenario_id, recorded_scenario(folder / CONFIG))
    if isinstance(scenario, str):
        raise Refused(scenario)
    return transcript, scenario, scenario.score(transcript, settings_of(scenario.family, settings or {}))


def write_score(folder: Path, score: RunScore) -> None:
    _write(folder / SCORE, score.model_dump_json(indent=2) + "\n")


def _write(path: Path, text: str) -> None:
    try:
        with open_atomically(path) as file:
            file.write(text.encode())
    except OSError as bad:
        raise Refused(f"cannot write {path}: {bad.strerror or bad}; free or allow it, or use --no-write") from None


# --- a judge's opinions -----


async def judge_files(
    scores: Sequence[FileScore], judge_of: JudgeOf, concurrency: int = CONCURRENCY
) -> list[FileScore]:
    to_judge = [lambda score=score: (score.transcript, score.scenario, score.run) for score in scores]
    opinions = await judge_runs(judge_of, to_judge, session=AskingSession(concurrency=concurrency))
    return [replace(score, opinion=opinion) for score, opinion in zip(scores, opinions, strict=True)]


async def judge_folders(
    folders: Sequence[Path], scenarios: Sequence[Path], judge_of: JudgeOf, *, concurrency: int = CONCURRENCY,
    settings: Settings | None = None, write: bool = True, on_done: Callable[[int], None] = lambda done: None,
    ask: AskModel = ask_structured,
) -> list[RubricOpinion]:  # fmt: skip
    """Opinions on runs, each written as soon as it is there: what was paid for is kept when something breaks."""
    packages = Packages(scenarios)
    done = 0

    def keep(index: int, opinion: RubricOpinion) -> None:
        nonlocal done
        if write:
            _write(folders[index] / JUDGE, opinion.model_dump_json(indent=2) + "\n")
        done += 1
        on_done(done)

    to_judge = [lambda folder=folder: _opened(folder, packages, settings) for folder in folders]
    return await judge_runs(judge_of, to_judge, session=AskingSession(concurrency=concurrency), on_done=keep, ask=ask)
