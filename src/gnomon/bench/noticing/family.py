"""The family plugin: a day as a scenario that can be run and scored, and the family that reads such packages."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from gnomon.bench.family import Defect, Hint, JudgeMaterial, RunSetup, Scenario, ScenarioKind, read_settings
from gnomon.bench.noticing import reference
from gnomon.bench.noticing.answer_key import key_of
from gnomon.bench.noticing.days import day_view
from gnomon.bench.noticing.generate import generate, kinds
from gnomon.bench.noticing.heuristic import DEFAULT_WINDOW, SCORER_VERSION, score_run
from gnomon.bench.noticing.hints import find_hints
from gnomon.bench.noticing.judging import judge_material
from gnomon.bench.noticing.metrics import METRICS
from gnomon.bench.noticing.package import FAMILY, DayPackage, VerifiedDay, load, verify, write
from gnomon.bench.noticing.prompt import prompt_hash, wording
from gnomon.bench.noticing.result import ScoringResult
from gnomon.bench.noticing.soundness import BEATS
from gnomon.bench.noticing.world import DayWorld
from gnomon.bench.packagefiles import CODE, package_hash
from gnomon.bench.protocol import Agent
from gnomon.errors import InvalidInput, Refused
from gnomon.model import jsonvalue
from gnomon.model.bench import FamilyMetrics, RunScore
from gnomon.model.day import DayView
from gnomon.model.transcript import Transcript
from gnomon.scorers.rubric import ScoringRubric, read_rubric

MEMORY = "memory"
RUBRIC = "rubric.yaml"
_GENERATED = {"name", "summary", "carrier", "domain", "gradual", "control"}
_OPTIONS = ("tier", "date")


class NoticingSettings(BaseModel):
    """What a run of a day can be given besides the settings of every run."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    window: int = Field(
        default=DEFAULT_WINDOW,
        ge=0,
        description="Beats to run after the onset",
        validation_alias=AliasChoices("window", "max_post_crisis_heartbeats"),
    )
    action_log_window: int = Field(default=20, ge=0, description="Actions that are shown to the agent")


@dataclass(frozen=True)
class DayScenario:
    """One day. Everything that it does is in the module that the method names."""

    day: DayPackage

    @property
    def family(self) -> "NoticingFamily":
        return NOTICING

    @property
    def scenario_id(self) -> str:
        return self.day.package.scenario_id

    @property
    def path(self) -> Path | None:
        return self.day.path

    @property
    def notes(self) -> Sequence[str]:
        return self.day.notes

    @property
    def content_hash(self) -> str:
        return self.day.package.manifest.content_hash

    @property
    def package_hash(self) -> str:
        path = self.day.path
        return package_hash(path) if path else self.day.package.manifest.package_hash or ""

    @property
    def fingerprint(self) -> Mapping[str, Any]:
        package = self.day.package
        tools = [tool.model_dump(mode="json") for tool in package.tool_definitions]
        return {
            "tools_hash": hashlib.sha256(jsonvalue.canonical(tools).encode()).hexdigest(),
            "prompt_hash": prompt_hash(package),
            "seed": package.seed,
        }

    @property
    def tags(self) -> Mapping[str, str]:
        package = self.day.package
        return {"crisis_type": package.crisis_type, "noise_tier": package.noise_tier}

    def open(self, setup: RunSetup) -> DayWorld:
        settings = read_settings(NOTICING, setup.config.settings)
        assert isinstance(settings, NoticingSettings)  # it is this family's
        planned = planned_beats(self.day, settings.window, setup.max_steps, setup.start_step)
        remarks = _short_window(self.day, settings.window)
        return DayWorld(self.day, setup.folder / MEMORY, setup.user, settings.action_log_window, planned, remarks)

    def score(self, transcript: Transcript, settings: Mapping[str, Any] | None = None) -> RunScore:
        return score_run(self.day, transcript, window=_window(settings or {}))

    def judge_material(self, transcript: Transcript, score: RunScore) -> JudgeMaterial:
        return judge_material(transcript, key_of(self.day), score)

    def reference_agent(self, name: str, run_number: int) -> Agent:
        return reference.make(name, run_number)

    def view(self) -> DayView:
        return day_view(self.day)


def _window(settings: Mapping[str, Any]) -> int | None:
    """The window that a caller wants to score with; None: the run's own."""
    checked = read_settings(NOTICING, settings)
    assert isinstance(checked, NoticingSettings)
    return checked.window if "window" in checked.model_fields_set else None


def planned_beats(day: DayPackage, window: int, max_steps: int | None = None, start_step: int = 0) -> list[int]:
    """Which beats a whole run has, by their place in the day: up to the onset, and the window after it."""
    package = day.package
    beats = [(index, beat.heartbeat_id) for index, beat in enumerate(package.heartbeats)]
    after = [index for index, id in beats if not package.is_control and id > package.crisis_heartbeat_id]
    beyond = set(after[window:])
    planned = [index for index, id in beats if id >= start_step and index not in beyond][:max_steps]
    if not planned:
        words = f"start_step {start_step} leaves nothing to run; {package.scenario_id} has {len(beats)} beats"
        raise InvalidInput.of("start_step", words)
    return planned


def _short_window(day: DayPackage, window: int) -> list[str]:
    """A day can end before the window does; whoever reads the run is told."""
    package = day.package
    beats_after = sum(beat.heartbeat_id > package.crisis_heartbeat_id for beat in package.heartbeats)
    if package.is_control or beats_after >= window:
        return []
    return [f"the day has {beats_after} beats after the onset, {window} were asked for"]


class DayGenerator:
    """Draws days from a seed."""

    def kinds(self, folder: Path | None = None) -> list[ScenarioKind]:
        return [
            ScenarioKind.model_validate(kind.model_dump(mode="json", include=_GENERATED))
            for kind in kinds(folder).values()
        ]

    def generate(
        self, kind: str, seed: int, out: Path, options: Mapping[str, str], folder: Path | None = None
    ) -> DayScenario:
        for name in options:
            if name not in _OPTIONS:
                raise InvalidInput.of(name, f"option {name} is not known to {FAMILY}; it takes {', '.join(_OPTIONS)}")
        if "tier" not in options:
            raise InvalidInput.of("tier", "a day needs a tier; give T1, T2, T3 or T4")
        package, key = generate(kind, options["tier"], seed, options.get("date"), folder)
        return DayScenario(load(write(package, key, out / package.scenario_id)))


class NoticingFamily:
    name = FAMILY
    summary = "Does an assistant that is sent updates about a person's day notice that something is wrong, and act?"
    dataset_name = "agent days"
    metrics: FamilyMetrics = METRICS
    scorer_version = SCORER_VERSION
    settings: type[BaseModel] = NoticingSettings
    reference_agents: Sequence[str] = reference.NAMES
    generator = DayGenerator()
    examples: Path | None = None

    def recognises(self, folder: Path) -> bool:
        """The first published packages name no family."""
        return (folder / BEATS).exists() or (folder / "scenario.json").exists()

    def load(self, folder: Path) -> list[DayScenario]:
        return [DayScenario(load(folder))]

    def verify(self, folder: Path) -> VerifiedDay:
        return verify(folder)

    def seal(self, folder: Path) -> VerifiedDay:
        raise Refused(f"{folder}: days are sealed when they are generated; generate it again", code=CODE)

    def lint(self, scenario: Scenario) -> list[Hint]:
        assert isinstance(scenario, DayScenario)  # this family loaded it
        return find_hints(scenario.day, wording(scenario.day.package))

    def defects(self, scenario: Scenario) -> list[Defect]:
        """None: days are drawn so that what is tested can be noticed."""
        return []

    def rubric(self) -> ScoringRubric:
        return _rubric()

    def cautions(self, scores: Sequence[RunScore]) -> Iterator[str]:
        quiet = {score.scenario_id for score in scores if is_quiet(score)}
        if scores and not quiet:
            yield "every day has an anomaly: an agent that always raises an alarm after the onset looks no worse for it"
        elif scores and quiet == {score.scenario_id for score in scores}:
            yield "no day has an anomaly: an agent that never acts looks perfect"

    def describe(self, score: RunScore) -> list[str]:
        return described(score)


@lru_cache(maxsize=1)
def _rubric() -> ScoringRubric:
    return read_rubric(files("gnomon.bench.noticing").joinpath(RUBRIC).read_bytes(), RUBRIC)


def is_quiet(score: RunScore) -> bool:
    """Whether the run was of a day on which nothing called for action."""
    return score.scorable and score.metrics["detection"].is_absent


# --- in words -----

_DID = {
    "called_911": "it called an emergency number",
    "contacted_someone": "it told somebody",
    "both": "it called an emergency number and told somebody",
}


def described(score: RunScore) -> list[str]:
    result = ScoringResult.model_validate(score.result)
    alarms = score.value("false_alarms")
    if is_quiet(score):
        return [f"{_count(alarms, 'alarm') if alarms else 'no alarm'} on a day that called for none"]
    noticed = "in its memory" if result.detection_in_memory else "in words or deeds"
    return [
        _what_it_did(score, result, alarms),
        f"noticed: {f'yes, {noticed}' if result.detection else 'no'}; false alarms: {alarms}",
    ]


def _what_it_did(score: RunScore, result: ScoringResult, alarms: int) -> str:
    if result.time_to_action is None:
        beats = _count(score.settings["window"], "beat")
        return f"it called nobody and told nobody in the {beats} after the onset"
    when = f"{_count(result.time_to_action, 'beat')} after the onset"
    before = f", after {_count(alarms, 'alarm')} too early" if alarms else ""
    return f"{_DID[result.action_type]} {when}{before}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


NOTICING = NoticingFamily()
