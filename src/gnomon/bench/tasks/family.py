"""The family plugin: a task as a scenario that can be run and scored, and the family that reads such packages."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from gnomon.bench.family import Defect, Hint, JudgeMaterial, RunSetup, Scenario, TextView, read_settings
from gnomon.bench.protocol import Agent
from gnomon.bench.story import findings, whole_story
from gnomon.bench.tasks import reference
from gnomon.bench.tasks.lint import find_defects, find_hints
from gnomon.bench.tasks.metrics import METRICS
from gnomon.bench.tasks.nouns import FAMILY
from gnomon.bench.tasks.package import Task, TaskPackage, VerifiedTasks, is_task_package, load, seal, verify
from gnomon.bench.tasks.playing import TaskWorld
from gnomon.bench.tasks.runscore import score_run
from gnomon.bench.tasks.scoring import SCORER_VERSION
from gnomon.bench.tasks.showing import task_lines
from gnomon.model import jsonvalue
from gnomon.model.bench import FamilyMetrics, RunScore
from gnomon.model.transcript import Transcript
from gnomon.scorers.protocol import Sample
from gnomon.scorers.rubric import ScoringRubric, read_rubric
from gnomon.shorten import counted

RUBRIC = "rubric.yaml"


class TaskSettings(BaseModel):
    """There are none: all that decides a run is in its task."""

    model_config = ConfigDict(frozen=True, extra="forbid")


@dataclass(frozen=True)
class TaskScenario:
    """One task. Everything that it does is in the module that the method names."""

    task: Task

    @property
    def family(self) -> "TasksFamily":
        return TASKS

    @property
    def scenario_id(self) -> str:
        return self.task.scenario_id

    @property
    def path(self) -> Path | None:
        return self.task.package.path

    @property
    def notes(self) -> Sequence[str]:
        return self.task.package.notes

    @property
    def content_hash(self) -> str:
        return self.task.content_hash

    @property
    def package_hash(self) -> str:
        return self.task.package.package_hash

    @property
    def fingerprint(self) -> Mapping[str, Any]:
        offered = [tool.offered() for tool in self.task.tools.values()]
        policy = self.task.package.about.policy
        return {
            "tools_hash": hashlib.sha256(jsonvalue.canonical(offered).encode()).hexdigest(),
            "prompt_hash": hashlib.sha256(policy.encode()).hexdigest(),
        }

    @property
    def tags(self) -> Mapping[str, str]:
        return {"package": self.task.package.name, "task": self.task.task_id}

    def open(self, setup: RunSetup) -> TaskWorld:
        read_settings(TASKS, setup.config.settings)
        return TaskWorld(self.task, setup.config.user_sim_model, setup.user)

    def score(self, transcript: Transcript, settings: Mapping[str, Any] | None = None) -> RunScore:
        read_settings(TASKS, settings or {})
        return score_run(self.task, transcript)

    def judge_material(self, transcript: Transcript, score: RunScore) -> JudgeMaterial:
        about = {"rules": self.task.package.about.policy, "what it tests": self.task.file.summary}
        return JudgeMaterial(Sample(about, whole_story(transcript)), findings(_facts(score)))

    def reference_agent(self, name: str, run_number: int) -> Agent:
        return reference.make(name, self.task, run_number)

    def view(self) -> TextView:
        return TextView(scenario_id=self.scenario_id, lines=task_lines(self.task))


def _facts(score: RunScore) -> dict[str, tuple[bool | float | str, str]]:
    if not score.scorable:
        return {}
    return {
        "success": (bool(score.success), "The records ended up as they should, and all rules of the task were kept"),
        "state_match": (float(score.value("state_match")), "Share of the records that are as they should be"),
        "forbidden_calls": (float(score.value("forbidden_calls")), "Forbidden calls that it made"),
        "tool_errors": (float(score.value("tool_errors")), "Calls that came back as an error"),
    }


class TasksFamily:
    name = FAMILY
    summary = "Does an assistant with tools leave the records as the user's wish and the rules demand?"
    dataset_name = "agent tasks"
    metrics: FamilyMetrics = METRICS
    scorer_version = SCORER_VERSION
    settings: type[BaseModel] = TaskSettings
    reference_agents: Sequence[str] = reference.NAMES
    generator = None

    @property
    def examples(self) -> Path:
        return Path(str(files("gnomon.bench.tasks").joinpath("examples")))

    def recognises(self, folder: Path) -> bool:
        return is_task_package(folder)

    def load(self, folder: Path) -> list[TaskScenario]:
        return scenarios(load(folder))

    def verify(self, folder: Path) -> VerifiedTasks:
        return verify(folder)

    def seal(self, folder: Path) -> VerifiedTasks:
        seal(folder)
        return verify(folder)

    def lint(self, scenario: Scenario) -> list[Hint]:
        assert isinstance(scenario, TaskScenario)  # this family loaded it
        return find_hints(scenario.task)

    def defects(self, scenario: Scenario) -> list[Defect]:
        assert isinstance(scenario, TaskScenario)
        return find_defects(scenario.task)

    def rubric(self) -> ScoringRubric:
        return _rubric()

    def cautions(self, scores: Sequence[RunScore]) -> Iterator[str]:
        limited = {score.run_id for score in scores if "tool_limit" in score.flags}
        if limited:
            stopped = f"{len(limited)} of {counted(len(scores), 'run')} were stopped while the agent still called tools"
            yield f"{stopped}; a higher --max-tool-turns may change the order"

    def describe(self, score: RunScore) -> list[str]:
        failures = (score.result or {}).get("failures", [])
        counts = [_count(score.value(name), noun) for name, noun in _EFFORT.items()]
        if score.success:
            return ["everything is as expected", ", ".join(counts)]
        return [f"{_count(len(failures), 'thing')} not as expected", *failures, ", ".join(counts)]


_EFFORT = {"tool_calls": "tool call", "tool_errors": "tool error", "steps": "step"}


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def scenarios(package: TaskPackage) -> list[TaskScenario]:
    return [TaskScenario(task) for task in package.all_tasks()]


@lru_cache(maxsize=1)
def _rubric() -> ScoringRubric:
    return read_rubric(files("gnomon.bench.tasks").joinpath(RUBRIC).read_bytes(), RUBRIC)


TASKS = TasksFamily()
