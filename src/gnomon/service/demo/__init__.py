"""A small project to look around in: a support desk's questions, answered by two versions of a prompt.

Everything goes through the services that real data goes through, at times in the past, so that the pages and
numbers are what they would be. The same seed and the same `now` give the same content.
"""

from dataclasses import dataclass
from random import Random

from gnomon.errors import NotFound, Refused
from gnomon.model.moment import to_ms
from gnomon.model.trace import ProjectDraft
from gnomon.service.access import projects
from gnomon.service.call import Call
from gnomon.service.clock import Clock
from gnomon.service.demo import iterations
from gnomon.service.demo.context import ADMIN, DAY, PROJECT, SECOND, Context, PastClock
from gnomon.service.demo.judges import make_judges
from gnomon.service.demo.nightly import (
    make_candidate,
    make_hard_dataset,
    make_hard_experiments,
    make_nights,
    make_running,
)
from gnomon.service.demo.oddtraces import make_odd_traces
from gnomon.service.demo.probed import make_probe
from gnomon.service.demo.questions import VERSIONS, chances, questions
from gnomon.service.demo.questionsets import SupportQuestions, make_chat_turns
from gnomon.service.demo.reviews import make_reviews, make_verdicts
from gnomon.service.demo.talks import make_talks
from gnomon.service.demo.traffic import make_traffic
from gnomon.service.demo.versions import TRIALS, make_versions
from gnomon.service.demo.watching import cancel_a_job
from gnomon.service.experiments import experiments
from gnomon.service.jobs import jobs
from gnomon.service.outcome import outcomes
from gnomon.store.engine import Store
from gnomon.store.pages import Slice

__all__ = ["PROJECT", "SEED", "TRIALS", "VERSIONS", "Demo", "fill", "questions"]

SEED = 7


@dataclass(frozen=True, slots=True)
class Demo:
    """Where to find what was made."""

    project_id: str
    base_id: str
    other_id: str
    made: bool
    """False when it was there already."""


def fill(store: Store, now_ms: int, seed: int = SEED) -> Demo:
    """Make the project, in one transaction; leave it alone when it is there. Its scoring jobs are done at the end."""
    known = store.read(lambda db: _find(Call(db, ADMIN, Clock())))
    if known is not None:
        return known
    demo = store.write(lambda db: _make(Context(db, now_ms, seed)))
    _work(store, now_ms)
    return demo


def _make(context: Context) -> Demo:
    projects.create(context.at(14 * DAY), ProjectDraft(id=PROJECT, name="Support desk (demo)"))
    random = Random(context.seed)
    chance = chances(random, len(list(questions())))
    dataset_questions = make_nights(context, SupportQuestions(context), chance.v1)
    base_id, other_id = make_versions(context, random, dataset_questions, chance)
    candidate_id = make_candidate(context, dataset_questions, chance.v1)
    make_running(context, dataset_questions, chance.v2)
    hard_id = make_hard_dataset(context)
    production = make_traffic(context, chance)
    make_odd_traces(context)
    make_chat_turns(context, make_talks(context))
    graded = make_judges(context, production, candidate_id)
    make_probe(context)
    make_reviews(context, production, graded, hard_id)
    make_verdicts(context, candidate_id)
    make_hard_experiments(context, hard_id)
    cancel_a_job(context, base_id)
    outcomes.push(context.at(0), iterations.outcomes(PROJECT, context.now, Random(SEED)))
    return Demo(PROJECT, base_id, other_id, made=True)


def _work(store: Store, now_ms: int) -> None:
    """End the open jobs, each soon after it was made. A crash before this leaves them to the next server."""
    clock = PastClock(now_ms - 14 * DAY)
    worker = jobs.Worker(store, clock)
    for due in store.read(lambda db: _open_jobs(Call(db, ADMIN, clock))):
        clock.ms = max(clock.ms, due + 2 * SECOND)
        worker.run_one()


def _open_jobs(call: Call) -> list[int]:
    """When those were made that a worker is to do."""
    queued = jobs.all_of(call, PROJECT, "queued", Slice(1_000)).items
    return sorted(to_ms(job.created_at) for job in queued)


def _find(call: Call) -> Demo | None:
    try:
        projects.get(call, PROJECT)
    except NotFound:
        return None
    try:
        named = [
            experiments.all_of(call, PROJECT, Slice(1), experiments.ExperimentFilter(name=name)) for name in VERSIONS
        ]
        base, other = (page.items[0] for page in named)
    except IndexError:
        message = f"this database has a project {PROJECT!r} without the demo in it; name another file with --db"
        raise Refused(message) from None
    return Demo(PROJECT, base.id, other.id, made=False)
