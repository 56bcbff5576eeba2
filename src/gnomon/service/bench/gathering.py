"""Runs of a benchmark on disk, gathered for a leaderboard: each with its score, its judge's opinion and its cost.

A score that is missing, older than its transcript or by another version of the rules is made again from the
transcript and the scenario. What cannot be read or scored is still a run: it is excluded by name, with the reason.
Nothing is written here.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
from pydantic import BaseModel, ValidationError

from gnomon.bench.families import by_name, check_settings, is_package, load, settings_of
from gnomon.bench.family import Scenario
from gnomon.bench.transcripts import NAME, read_transcript
from gnomon.errors import GnomonError, InvalidInput, Refused
from gnomon.model.bench import JudgeOutput, RunScore
from gnomon.model.firstformat import step_config, step_line
from gnomon.model.transcript import RecordedConfig, RunEnd, RunHeader
from gnomon.scorers.rubric import RubricOpinion
from gnomon.service.bench.leaderboard import Ran

CONFIG = "run_config.json"
SCORE = "score.json"
JUDGE = "judge.json"
_SINGLE = "transcript.json"
Kind = TypeVar("Kind", bound=BaseModel)


class Gathered(NamedTuple):
    runs: list[Ran]
    notes: list[str]


Settings = Mapping[str, Any]
"""Settings of a family to score with, in place of those that a run was made with."""


def read_runs(out: Path, scenarios: Sequence[Path] = (), settings: Settings | None = None) -> Gathered:
    """Every run below `out`. `scenarios` are packages, or folders of packages: without its package a run that has no
    score cannot be scored."""
    if not out.is_dir():
        raise InvalidInput(f"{out} is not a folder; name the one that `gnomon bench run --out` wrote to")
    check_settings(settings or {})
    notes: list[str] = []
    packages = Packages(scenarios)
    runs = [_read(out, folder, packages, settings or {}, notes) for folder in run_folders(out, notes)]
    if not runs:
        raise Refused(f"there is no run below {out}; make one with `gnomon bench run`", code="NO_RUNS")
    return Gathered(runs, notes)


def run_folders(folder: Path, notes: list[str]) -> Iterator[Path]:
    """Folders with a transcript, in order. A folder without any is reported in `notes`."""
    if transcript_in(folder) is not None:
        yield folder
        return
    inside = sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))
    if not inside:
        notes.append(f"{folder} is not a run: it has no {NAME}")
    for path in inside:
        yield from run_folders(path, notes)


def holds_runs(folder: Path) -> bool:
    """Whether there is a run at a folder or anywhere below."""
    return folder.is_dir() and next(run_folders(folder, []), None) is not None


def transcript_in(folder: Path) -> Path | None:
    """Ours, or one in the first published format."""
    return next((folder / name for name in (NAME, _SINGLE) if (folder / name).is_file()), None)


def recorded_scenario(config: Path) -> str | None:
    """The scenario's path, as the record beside the run's transcript has it."""
    path = _json(config).get("scenario_path")
    return path if isinstance(path, str) and path else None


def recorded_id(folder: Path) -> str:
    """What a run is called where its transcript cannot be asked; no two runs share it."""
    run_id = _json(folder / CONFIG).get("run_id")
    return run_id if isinstance(run_id, str) and run_id.strip() else "/".join(folder.parts[-3:])


class Packages:
    """Scenarios by name. A package is loaded once, and only when a run asks for it."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = folders
        self._loaded: dict[Path, dict[str, Scenario] | str] = {}

    def find(self, scenario_id: str, recorded: str | None = None) -> Scenario | str:
        """The scenario, or why there is none."""
        for folder in self._candidates(scenario_id, recorded):
            if is_package(folder):
                package = self._load(folder)
                if isinstance(package, str):
                    return package
                if scenario_id in package:
                    return package[scenario_id]
        return f"the package {scenario_id!r} was not found; name the folder that it is in with --scenarios"

    def _candidates(self, scenario_id: str, recorded: str | None) -> Iterator[Path]:
        """Folders named after the scenario, packages that were given, where the run had it from, then all others."""
        yield from (folder / scenario_id for folder in self._folders)
        yield from (folder for folder in self._folders if is_package(folder))
        if recorded is not None:
            yield Path(recorded)
        for folder in self._folders:
            if folder.is_dir() and not is_package(folder):
                yield from sorted(inside for inside in folder.iterdir() if inside.is_dir())

    def _load(self, folder: Path) -> dict[str, Scenario] | str:
        if folder not in self._loaded:
            try:
                self._loaded[folder] = {scenario.scenario_id: scenario for scenario in load(folder)}
            except GnomonError as bad:
                self._loaded[folder] = f"{folder} cannot be used: {bad.message}"
        return self._loaded[folder]


# --- one run -----


class _RunRecord(NamedTuple):
    """What a run says of itself."""

    about: Mapping[str, Any]
    header: RunHeader | None
    end: RunEnd | None

    def named(self, field: str, folder: Path) -> str:
        """Name a run by its transcript, else by the record beside it, else by its folder."""
        name = getattr(self.header, field, None) or self.about.get(field)
        return name if isinstance(name, str) and name.strip() else folder.name


def _read(out: Path, folder: Path, packages: Packages, settings: Settings, notes: list[str]) -> Ran:
    transcript = transcript_in(folder)
    assert transcript is not None  # only such folders are asked for
    record = _RunRecord(_json(folder / CONFIG), *_first_and_last(transcript))
    scenario_id = record.named("scenario_id", folder.parent)
    package = packages.find(scenario_id, recorded_scenario(folder / CONFIG))
    score = _fresh_score(folder, transcript, settings)
    if score is None or (not score.scorable and not isinstance(package, str)):
        family = record.header.family if record.header else ""
        score = _scored(transcript, package, settings, unscorable(scenario_id, recorded_id(folder), "", family))
    opinion = _opinion(folder / JUDGE)
    if opinion is not None and opinion.output is None:
        notes.append(f"{folder} has no opinion of a judge: {opinion.reason}")
    number = record.header.run_number if record.header else record.about.get("run_number")
    return Ran(
        agent_id=record.named("agent_id", folder.parent.parent),
        scenario_id=scenario_id,
        run_number=number if isinstance(number, int) else 0,
        path=folder.relative_to(out),
        run_score=score,
        judge=None if opinion is None else opinion.output,
        rubric_hash=None if opinion is None else opinion.rubric_hash,
        cost_usd=None if record.end is None else record.end.cost_usd,
        tokens=None if record.end is None else record.end.usage,
        latency_ms=None if record.end is None else record.end.latency_ms,
        content_hash=record.header.content_hash if record.header else "",
        tags={} if isinstance(package, str) else dict(package.tags),
        config=_config(record),
    )


def _first_and_last(transcript: Path) -> tuple[RunHeader | None, RunEnd | None]:
    """A transcript's first and last line: whoever has a score does not read the steps in between."""
    content = transcript.read_bytes().rstrip()
    first, last = content[: content.find(b"\n")], content[content.rfind(b"\n") + 1 :]
    return _line(first, "header", RunHeader), _line(last, "end", RunEnd)


def _line(line: bytes, kind: str, noun: type[Kind]) -> Kind | None:
    try:
        line_object = msgspec.json.decode(line)
        if not isinstance(line_object, dict) or line_object.get("type") != kind:
            return None
        return noun.model_validate(step_line(kind, line_object)[1])
    except (msgspec.DecodeError, ValidationError, RecursionError):
        return None


def _fresh_score(folder: Path, transcript: Path, settings: Settings) -> RunScore | None:
    """The score beside a transcript, if it is of this transcript, by these rules and with these settings."""
    path = folder / SCORE
    if not path.is_file() or path.stat().st_mtime_ns < transcript.stat().st_mtime_ns:
        return None
    try:
        score = RunScore.model_validate_json(path.read_bytes())
    except ValidationError:
        return None
    same = all(score.settings.get(name, value) == value for name, value in settings.items())
    return score if same and score.scorer_version == _version(score.family) else None


def _version(family: str) -> int | None:
    try:
        return by_name(family).scorer_version
    except InvalidInput:
        return None


def _scored(transcript: Path, package: Scenario | str, settings: Settings, otherwise: RunScore) -> RunScore:
    """The run's score, or `otherwise` with the reason why it has none."""
    if isinstance(package, str):
        return otherwise.model_copy(update={"reason": f"it has no score, and {package}"})
    try:
        return package.score(read_transcript(transcript), settings_of(package.family, settings))
    except GnomonError as bad:
        return otherwise.model_copy(update={"reason": bad.message})


def unscorable(scenario_id: str, run_id: str, reason: str, family: str = "") -> RunScore:
    """A run of which nothing is known but why."""
    return RunScore(
        family=family, scenario_id=scenario_id, run_id=run_id, scorable=False, reason=reason, success=None,
        scorer_version=0,
    )  # fmt: skip


def _opinion(path: Path) -> RubricOpinion | None:
    """A judge's opinion: as we write it, or as a bare JudgeOutput."""
    if not path.is_file():
        return None
    document = _json(path)
    for kind in (RubricOpinion, JudgeOutput):
        try:
            opinion = kind.model_validate(document)
        except ValidationError:
            continue
        return opinion if isinstance(opinion, RubricOpinion) else RubricOpinion(state="scored", output=opinion)
    return RubricOpinion(state="failed", reason=f"{path.name} cannot be read")


def _config(record: _RunRecord) -> RecordedConfig | None:
    if record.header is not None:
        return record.header.run_config
    try:
        return RecordedConfig.model_validate(step_config(record.about.get("run_config")))
    except ValidationError:
        return None


def _json(path: Path) -> dict[str, Any]:
    try:
        document = msgspec.json.decode(path.read_bytes())
    except (OSError, msgspec.DecodeError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}
