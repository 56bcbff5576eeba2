"""A judge asked about runs of a benchmark: the rubric, what rules found, and the record of what happened.

Opinions are `judge.json` beside each transcript. What rules found stands, whatever the judge says of it.
"""

import asyncio
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path

from gnomon.bench.family import Family, JudgeMaterial, Scenario
from gnomon.bench.story import whole_story
from gnomon.errors import GnomonError
from gnomon.llm.ask import ask_structured
from gnomon.llm.session import AskingSession
from gnomon.model.bench import RunScore
from gnomon.model.transcript import Transcript
from gnomon.scorers.protocol import Sample
from gnomon.scorers.rubric import RubricOpinion, ScoringRubric, read_rubric
from gnomon.scorers.rubricjudge import RubricJudge
from gnomon.service.judges.opinion import CONCURRENCY, AskModel, judge_by, load_rubric, opinion

GENERAL = "rubric.yaml"

Run = tuple[Transcript, Scenario | None, RunScore | None]
JudgeOf = Callable[[Scenario | None], RubricJudge]
"""Who judges runs of a scenario; None stands for transcripts of other people's formats."""


def rubric_of(path: Path | None, family: Family | None = None) -> ScoringRubric:
    """A rubric file, else the one of the family, else one for any agent's work."""
    if path is not None:
        return load_rubric(path)
    if family is not None:
        return family.rubric()
    return read_rubric(files("gnomon.bench").joinpath(GENERAL).read_bytes(), GENERAL)


def judges(path: Path | None, model: str, *, passes: int = 1, temperature: float | None = None) -> JudgeOf:
    """One judge per rubric: the file's for every run, else each family's own."""
    judges_by_family: dict[str, RubricJudge] = {}

    def judge_of(scenario: Scenario | None) -> RubricJudge:
        family = None if scenario is None else scenario.family
        name = "" if path is not None or family is None else family.name
        if name not in judges_by_family:
            judges_by_family[name] = judge_by(rubric_of(path, family), model, passes=passes, temperature=temperature)
        return judges_by_family[name]

    if path is not None:
        judge_of(None)  # a file that cannot be used is refused now
    return judge_of


def material(transcript: Transcript, scenario: Scenario | None, score: RunScore | None) -> JudgeMaterial:
    """The material for the judge. Without a scenario it is the whole conversation."""
    if scenario is None or score is None:
        return JudgeMaterial(Sample(transcript.metadata.get("instruction"), whole_story(transcript)), [])
    return scenario.judge_material(transcript, score)


async def judge_run(
    judge: RubricJudge, transcript: Transcript, scenario: Scenario | None, score: RunScore | None, *,
    ask: AskModel = ask_structured, session: AskingSession | None = None,
) -> RubricOpinion:  # fmt: skip
    sample, known = material(transcript, scenario, score)
    return await opinion(judge, sample, known, ask=ask, session=session)


async def judge_runs(
    judge_of: JudgeOf, runs: Sequence[Callable[[], Run]], *, session: AskingSession | None = None,
    on_done: Callable[[int, RubricOpinion], None] = lambda index, run_opinion: None, ask: AskModel = ask_structured,
) -> list[RubricOpinion]:  # fmt: skip
    """Every run's opinion, in order; `on_done` gets each as soon as it is there, since it was paid for.

    A run is read when its turn comes: transcripts are large.
    """
    session = session or AskingSession(concurrency=CONCURRENCY)
    in_memory = asyncio.Semaphore(session.concurrency or CONCURRENCY)

    async def judge_one(index: int) -> RubricOpinion:
        async with in_memory:
            try:
                transcript, scenario, score = runs[index]()
            except GnomonError as bad:  # it has gone meanwhile; the others are asked about all the same
                run_opinion = RubricOpinion(state="failed", reason=bad.message)
            else:
                judge = judge_of(scenario)
                run_opinion = await judge_run(judge, transcript, scenario, score, ask=ask, session=session)
        on_done(index, run_opinion)
        return run_opinion

    return await asyncio.gather(*(judge_one(index) for index in range(len(runs))))
