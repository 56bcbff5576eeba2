"""What a family of benchmarks is: everything that the runner, the aggregation and the reports do not know themselves.

A *family* reads a format of packages. A package holds one *scenario* or several. A scenario opens a *world* for each
run: the steps that are played to an agent and the tools that answer it. When a run has ended, the scenario scores its
transcript into `success` and the family's named metrics. `families.py` lists the families that come along.

    family = family_of(folder)                        # families.py, by the package's files
    for scenario in family.load(folder):
        world = scenario.open(RunSetup(...))          # runner.py plays it, step by step
        score = scenario.score(transcript)            # a RunScore, by rules alone

Nothing here asks an agent or a model, and nothing is written but what a world keeps in the folder of its run.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gnomon.bench.protocol import Agent, AskedCall, Tool
from gnomon.bench.usersim import UserSim
from gnomon.errors import InvalidInput
from gnomon.model.bench import FamilyMetrics, RunScore
from gnomon.model.day import DayView
from gnomon.model.fields import Noun
from gnomon.model.tools import Data
from gnomon.model.transcript import MemoryOp, RunConfig, Step, ToolCall, Transcript, UserSimInteraction
from gnomon.scorers.protocol import Sample
from gnomon.scorers.rubric import Finding, ScoringRubric


class StepInput(NamedTuple):
    """What begins a step: a message to the agent."""

    step_id: int
    message: str
    timestamp: str = ""
    """Simulated time, where the world has one."""


class StepRecord(NamedTuple):
    """What a world saw in a step besides the calls of tools."""

    memory_ops: Sequence[MemoryOp] = ()
    user_sim_interactions: Sequence[UserSimInteraction] = ()


@dataclass(frozen=True, slots=True)
class RunSetup:
    """What a world is opened with."""

    config: RunConfig
    folder: Path
    """The run's own folder; it exists."""
    user: UserSim | None = None
    """Speaks for the user; None: nobody does."""
    max_steps: int | None = None
    start_step: int = 0


class ToolTable(Protocol):
    """The tools of a world: as they are offered, and under which names."""

    @property
    def offered(self) -> Sequence[Tool]: ...

    def name(self, called: str) -> str:
        """Which tool an agent means; a name that no tool has is returned as it is."""

    def wire(self, name: str) -> str:
        """A tool's name as providers take it: letters, digits, _ and -."""


class World(Protocol):
    """The environment of one run. Its state follows from the steps that a transcript records."""

    @property
    def system_prompt(self) -> str: ...

    @property
    def toolbox(self) -> ToolTable: ...

    @property
    def keeps_context(self) -> bool:
        """Whether a step goes on with the conversation of the steps before; if not, each begins a new one."""

    @property
    def last_round(self) -> str:
        """The message to an agent that has used up the rounds of tool calls of a step."""

    @property
    def planned_steps(self) -> int | None:
        """The number of steps of a complete run; None if it depends on the agent."""

    async def begin(self, done: Sequence[Step]) -> StepInput | None:
        """The step after those that are done, or None when the run is over. May raise `UserSimFailed`."""

    async def call(self, call: AskedCall, refusal: str | None = None) -> ToolCall:
        """Do what an agent asks for, unless `refusal` says why not. Never raises because of what was asked."""

    def end(self) -> StepRecord:
        """Close the step."""

    def replay(self, step: Step) -> None:
        """Restore the state after a recorded step, without calling agent or user. Steps come in order."""

    def memory(self) -> dict[str, str]:
        """The agent's memory files at this moment: key → content."""

    def remarks(self) -> Sequence[str]:
        """What is recorded with the end of every run of this world: a day that is too short for its settings, …"""

    def state(self) -> Any:
        """The world as JSON, kept with the end of a run; None where there is nothing to keep."""


class JudgeMaterial(NamedTuple):
    """What a judge sees of a run, and the facts that it receives and cannot change."""

    sample: Sample
    findings: list[Finding]


class TextView(Noun):
    """A scenario for the people who make or check it, in lines of text."""

    scenario_id: str
    lines: list[str]


class Scenario(Protocol):
    """One scenario of a package. Its family made it, so its methods know what it is."""

    @property
    def family(self) -> "Family": ...

    @property
    def scenario_id(self) -> str:
        """Unique, and safe as the name of a folder."""

    @property
    def path(self) -> Path | None:
        """The package's folder; None for one that was never on disk."""

    @property
    def content_hash(self) -> str:
        """The hash of what is played: runs with different hashes are runs of different scenarios."""

    @property
    def package_hash(self) -> str:
        """Over the files of the package; empty where there is none."""

    @property
    def fingerprint(self) -> Mapping[str, Any]:
        """What else decides a run, as JSON: `tools_hash`, `prompt_hash`, `seed`, … No run is resumed under another."""

    @property
    def tags(self) -> Mapping[str, str]:
        """Tags for reports, and for the metadata of a pushed dataset's item."""

    @property
    def notes(self) -> Sequence[str]:
        """What is unusual about the package."""

    def open(self, setup: RunSetup) -> World:
        """A new world for one run. Settings that make no sense are an `InvalidInput`; nothing else is wrong by now."""

    def score(self, transcript: Transcript, settings: Mapping[str, Any] | None = None) -> RunScore:
        """A run's score, by rules; the same bytes every time. `settings` override those of the run."""

    def judge_material(self, transcript: Transcript, score: RunScore) -> JudgeMaterial: ...

    def reference_agent(self, name: str, run_number: int) -> Agent:
        """An agent whose results are known in advance; `unknown_reference` (reference.py) for a name that none has."""

    def view(self) -> DayView | TextView: ...


class Hint(NamedTuple):
    """A word that an agent can see and that hints at what is tested."""

    surface: str
    where: str
    word: str
    excerpt: str


class Defect(NamedTuple):
    """What makes a scenario unfit to measure anything, besides hints: it cannot be solved, or is solved by nothing."""

    rule: str
    where: str
    message: str


class Verified(BaseModel):
    """What a package is, without giving away what is tested. A family adds fields."""

    model_config = ConfigDict(frozen=True)

    family: str = Field(description="Family of the benchmark")
    notes: list[str] = Field(description="What is unusual")

    def lines(self) -> list[str]:
        """The same for people, without the notes."""
        return []


class ScenarioKind(Data):
    """A kind of scenario that can be generated. A family adds fields."""

    name: str
    summary: str


class Generator(Protocol):
    """Makes packages from a seed: the same arguments, the same bytes."""

    def kinds(self, folder: Path | None = None) -> Sequence[ScenarioKind]:
        """The kinds that can be generated; `folder` contains user-defined kinds."""

    def generate(
        self, kind: str, seed: int, out: Path, options: Mapping[str, str], folder: Path | None = None
    ) -> Scenario:
        """Write a package below `out`. An option that is not known is an `InvalidInput`."""


def read_settings(family: "Family", values: Mapping[str, Any]) -> BaseModel:
    """A family's settings, checked; what is wrong with them is one line that names setting, value and family."""
    try:
        return family.settings.model_validate(dict(values))
    except ValidationError as bad:
        first = bad.errors()[0]
        name = ".".join(map(str, first["loc"]))
        known = ", ".join(family.settings.model_fields) or "no settings"
        words = f"{first['msg'][:1].lower()}{first['msg'][1:]}; the family {family.name} takes {known}"
        raise InvalidInput.of(f"settings.{name}", f"setting {name} {first['input']!r:.60}: {words}") from None


class Family(Protocol):
    """A plugin: one format of packages, and everything that depends on it."""

    @property
    def name(self) -> str:
        """The family's name in packages, transcripts and scores."""

    @property
    def summary(self) -> str:
        """What it measures, in a sentence."""

    @property
    def dataset_name(self) -> str:
        """The dataset that its scenarios go to when runs are sent to a server, unless the caller names another."""

    @property
    def metrics(self) -> FamilyMetrics: ...

    @property
    def scorer_version(self) -> int:
        """Raised by every change that moves a score."""

    @property
    def settings(self) -> type[BaseModel]:
        """What `RunConfig.settings` may hold; unknown keys are refused."""

    @property
    def reference_agents(self) -> Sequence[str]:
        """Names of the reference agents, for messages and help."""

    @property
    def generator(self) -> Generator | None: ...

    def recognises(self, folder: Path) -> bool:
        """Whether a folder's files are a package of this family, whole or broken. Asked when no file names a family."""

    def load(self, folder: Path) -> Sequence[Scenario]:
        """The scenarios of a package, checked. Whatever is wrong with it is one `Refused` that names file and field."""

    def verify(self, folder: Path) -> Verified: ...

    @property
    def examples(self) -> Path | None:
        """A folder of the included example packages, to run or to copy."""

    def seal(self, folder: Path) -> Verified:
        """Write the hashes of a package as it is now. `Refused` where packages are only ever written as a whole."""

    def lint(self, scenario: Scenario) -> Sequence[Hint]:
        """Everything that an agent sees and that hints at what is tested."""

    def defects(self, scenario: Scenario) -> Sequence[Defect]:
        """What else makes a scenario unfit to measure anything."""

    def rubric(self) -> ScoringRubric:
        """The default rubric of a judge."""

    def cautions(self, scores: Sequence[RunScore]) -> Iterator[str]:
        """Warnings for the reader of a leaderboard over these runs, in sentences."""

    def describe(self, score: RunScore) -> list[str]:
        """A scored run in a line or two, for people."""
