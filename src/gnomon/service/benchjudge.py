"""A judge asked about runs of a benchmark: the rubric, what rules found, and the record of what happened.

Opinions are `judge.json` beside each transcript. What rules found stands, whatever the judge says of it.
"""

import asyncio
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path

from gnomon.bench.story import findings, story, whole_story
from gnomon.errors import GnomonError
from gnomon.llm.ask import ask_structured
from gnomon.llm.session import AskingSession
from gnomon.model.bench import RunScore
from gnomon.model.scenario import AnswerKey
from gnomon.model.transcript import Transcript
from gnomon.scorers.protocol import Sample
from gnomon.scorers.rubric import Rubric, RubricOpinion, read_rubric
from gnomon.scorers.rubricjudge import RubricJudge
from gnomon.service.opinion import CONCURRENCY, Ask, load_rubric, opinion

DEFAULT = "noticing.yaml"

Run = tuple[Transcript, AnswerKey | None, RunScore | None]


def rubric_of(path: Path | None) -> Rubric:
    """A rubric file, or the one that comes along: communication, verification, escalation."""
    if path is not None:
        return load_rubric(path)
    return read_rubric(files("gnomon.bench").joinpath("rubrics", DEFAULT).read_bytes(), DEFAULT)


def sample(transcript: Transcript, key: AnswerKey | None, score: RunScore | None) -> Sample:
    """What the judge is shown: what it was about, and the story. Without a key the whole conversation."""
    if key is None or score is None:
        return Sample(transcript.metadata.get("instruction"), whole_story(transcript))
    onset = key.onset_heartbeat_id
    about = {
        "what happened": "nothing that called for action" if onset is None else key.kind.replace("_", " "),
        "begins at update": onset,
        "updates that count after it": score.window,
    }
    alarms = [one.heartbeat_id for one in score.evidence if one.claim == "false_alarm"]
    return Sample(about, story(transcript, onset, score.window, alarms))


async def judge_run(
    judge: RubricJudge, transcript: Transcript, key: AnswerKey | None, score: RunScore | None, *,
    ask: Ask = ask_structured, session: AskingSession | None = None,
) -> RubricOpinion:  # fmt: skip
    known = findings(score) if score else []
    return await opinion(judge, sample(transcript, key, score), known, ask=ask, session=session)


async def judge_runs(
    judge: RubricJudge, runs: Sequence[Callable[[], Run]], *, session: AskingSession | None = None,
    on_done: Callable[[int, RubricOpinion], None] = lambda place, one: None, ask: Ask = ask_structured,
) -> list[RubricOpinion]:  # fmt: skip
    """Every run's opinion, in order; `on_done` gets each as soon as it is there, since it was paid for.

    A run is read when its turn comes: transcripts are large.
    """
    session = session or AskingSession(concurrency=CONCURRENCY)
    in_memory = asyncio.Semaphore(session.concurrency or CONCURRENCY)

    async def one(place: int) -> RubricOpinion:
        async with in_memory:
            try:
                transcript, key, score = runs[place]()
            except GnomonError as bad:  # it has gone meanwhile; the others are asked about all the same
                found = RubricOpinion(
                    state="failed", reason=bad.message, model=judge.model, rubric_hash=judge.rubric.content_hash
                )
            else:
                found = await judge_run(judge, transcript, key, score, ask=ask, session=session)
        on_done(place, found)
        return found

    return await asyncio.gather(*(one(place) for place in range(len(runs))))
