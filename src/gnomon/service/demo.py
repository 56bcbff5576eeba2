"""A small project to look around in: a support desk's questions, answered by two versions of a prompt.

Everything goes through the services that real data goes through, at times in the past, so that the pages and
numbers are what they would be. The same seed and the same `now` give the same content. Version 2 is better
than version 1, but not everywhere; some runs failed, some scores are missing, some traces wait for review. A coding
agent works on the desk's own code (demo_outcomes.py).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from gnomon.errors import NotFound, Refused
from gnomon.model.access import Principal
from gnomon.model.dataset import DatasetDraft, ItemDraft
from gnomon.model.experiment import (
    ExperimentDraft,
    RunDraft,
    RunError,
    ScoreExperimentDraft,
    ThresholdDraft,
)
from gnomon.model.moment import from_ms
from gnomon.model.review import AnnotationDraft
from gnomon.model.score import InlineScoreDraft, ScorerSpec
from gnomon.model.trace import ProjectDraft, SpanDraft, SpanError
from gnomon.service import datasets, demo_outcomes, experiments, gate, ingest, jobs, outcomes, projects, review
from gnomon.service.call import Call
from gnomon.service.clock import Clock
from gnomon.service.measuring import AtOnce
from gnomon.store.engine import Store, Transaction
from gnomon.store.pages import Slice

PROJECT = "support-demo"
VERSIONS = ("answers-v1", "answers-v2")
TRIALS = 5
SEED = 7

_SECOND, _MINUTE, _HOUR, _DAY = 1_000, 60_000, 3_600_000, 86_400_000
_ADMIN = Principal("demo", "admin")


@dataclass(frozen=True, slots=True)
class Demo:
    """Where to find what was made."""

    project_id: str
    base_id: str
    other_id: str
    made: bool
    """False when it was there already."""


def fill(store: Store, now_ms: int, seed: int = SEED) -> Demo:
    """Make the project, in one transaction; leave it alone when it is there. A scoring job is done at the end."""
    known = store.read(lambda db: _find(Call(db, _ADMIN, Clock())))
    if known is not None:
        return known
    made = store.write(lambda db: _Maker(db, now_ms, Random(seed)).make())
    # A crash before this leaves an open job, which the next server finishes.
    worker = jobs.Worker(store, PastClock(now_ms - 5 * _DAY + _HOUR))
    while worker.run_one():
        pass
    return made


class PastClock(Clock):
    """A clock that stands still until it is moved on."""

    def __init__(self, ms: int) -> None:
        super().__init__()
        self.ms = ms

    def now_ms(self) -> int:
        return self.ms


def _find(call: Call) -> Demo | None:
    try:
        projects.get(call, PROJECT)
    except NotFound:
        return None
    try:
        named = [experiments.all_of(call, PROJECT, Slice(1), experiments.Filter(name=name)) for name in VERSIONS]
        base, other = (page.items[0] for page in named)
    except IndexError:
        message = f"this database has a project {PROJECT!r} without the demo in it; name another file with --db"
        raise Refused(message) from None
    return Demo(PROJECT, base.id, other.id, made=False)


# --- what customers ask -----


@dataclass(frozen=True, slots=True)
class Question:
    topic: str
    asked: str
    says: str
    """The answer's sentence, with a place for the fact."""
    right: str | None
    """The fact; None when there is no one right answer."""
    wrong: str

    def answer(self, fact: str) -> str:
        return self.says.format(fact)


_RETURNS = [
    ("shoes", "30 days", "45 days"), ("headphones", "14 days", "21 days"), ("a mattress", "100 nights", "60 nights"),
    ("swimwear", "7 days", "10 days"), ("a winter coat", "60 days", "90 days"), ("a desk lamp", "28 days", "35 days"),
    ("a gift card", "5 days", "12 days"), ("a backpack", "90 days", "20 days"), ("a blender", "21 days", "40 days"),
    ("a refurbished phone", "10 days", "25 days"),
]  # fmt: skip
_DELIVERY = [
    ("Austria", "3 working days", "6 working days"), ("Belgium", "2 working days", "5 working days"),
    ("Canada", "9 working days", "14 working days"), ("Finland", "5 working days", "8 working days"),
    ("Japan", "11 working days", "6 working days"), ("Portugal", "4 working days", "7 working days"),
    ("Mexico", "12 working days", "8 working days"), ("Norway", "6 working days", "3 working days"),
    ("Spain", "4 working days", "9 working days"), ("the island of Malta", "8 working days", "5 working days"),
]  # fmt: skip
_PLANS = [
    ("seats come with the Starter plan", "3 seats", "5 seats"),
    ("seats come with the Team plan", "25 seats", "20 seats"),
    ("projects does the Starter plan allow", "2 projects", "5 projects"),
    ("projects does the Team plan allow", "40 projects", "25 projects"),
    ("gigabytes of storage does the Team plan have", "200 GB", "150 GB"),
    ("exports a day can I make on the Starter plan", "10 exports", "50 exports"),
    ("days is the free trial", "14 days", "30 days"),
    ("months of history does the Team plan keep", "24 months", "12 months"),
    ("guests may I invite on the Team plan", "50 guests", "15 guests"),
    ("alerts can I set on the Starter plan", "6 alerts", "20 alerts"),
]  # fmt: skip
_SETTINGS = [
    ("change my password", "Account > Security", "Account > Profile"),
    ("download an invoice", "Billing > Invoices", "Account > Documents"),
    ("add a team member", "Team > Members", "Account > Sharing"),
    ("cancel my subscription", "Billing > Plan", "Account > Security"),
    ("switch off e-mails", "Account > Notifications", "Billing > Plan"),
    ("change the card on file", "Billing > Payment", "Account > Profile"),
    ("set a delivery address", "Orders > Addresses", "Account > Profile"),
    ("see past orders", "Orders > History", "Billing > Invoices"),
]  # fmt: skip
_OPEN = [
    ("I am thinking of leaving for another shop. What would you say to me?", "We would be sorry to see you go. {}"),
    ("Which of your plans do you like best yourself?", "It depends on the size of your team. {}"),
]


def questions() -> Iterator[Question]:
    for thing, right, wrong in _RETURNS:
        asked = f"How long do I have to return {thing}?"
        yield Question("returns", asked, f"You can return {thing} within {{}} of delivery.", right, wrong)
    for country, right, wrong in _DELIVERY:
        asked = f"How long does delivery to {country} take?"
        yield Question("delivery", asked, f"Delivery to {country} takes {{}}.", right, wrong)
    for what, right, wrong in _PLANS:
        yield Question("plans", f"How many {what}?", "That is {}, and you can change it at any time.", right, wrong)
    for what, right, wrong in _SETTINGS:
        yield Question("settings", f"Where do I {what}?", f"To {what}, open {{}} and follow the steps.", right, wrong)
    for asked, says in _OPEN:
        yield Question("open", asked, says, None, "Please see our terms.")


# --- what the two versions answer -----


@dataclass(frozen=True, slots=True)
class Version:
    """How one prompt version behaves."""

    name: str
    prompt: str
    opening: str
    tones: dict[str, float]
    helpful: float
    failures: int


_BEHAVIOUR = (
    Version(
        VERSIONS[0], "Answer the customer's question in one sentence.", "",
        {"neutral": 0.6, "curt": 0.3, "friendly": 0.1}, 0.74, 6,
    ),
    Version(
        VERSIONS[1], "Look the answer up, then answer kindly and exactly.", "Happy to help! ",
        {"friendly": 0.7, "neutral": 0.25, "curt": 0.05}, 0.83, 3,
    ),
)  # fmt: skip
_DODGE = "I am not sure; please write to our team."
_TIMEOUT = "the model did not answer within 30 s"
_WORSE_IN_V2 = {4, 13, 27}
"""Places of the questions that the second prompt spoils."""


@dataclass(frozen=True, slots=True)
class Answered:
    text: str
    right: bool


@dataclass(slots=True)
class _Maker:
    """Writes the whole project in one transaction."""

    db: Transaction
    now: int
    random: Random
    asked: list[Question] = field(default_factory=lambda: list(questions()))

    def make(self) -> Demo:
        dataset_id, items = self._dataset(PastClock(self.now - 8 * _DAY))
        ability = [self.random.betavariate(1.6, 1.3) for _ in self.asked]
        later = [chance * 0.3 if n in _WORSE_IN_V2 else min(0.97, chance + 0.3) for n, chance in enumerate(ability)]
        base_id = self._experiment(PastClock(self.now - 5 * _DAY), dataset_id, items, _BEHAVIOUR[0], ability)
        other_id = self._experiment(PastClock(self.now - 30 * _HOUR), dataset_id, items, _BEHAVIOUR[1], later)
        self._traffic(ability, later)
        outcomes.push(self._call(PastClock(self.now)), demo_outcomes.outcomes(PROJECT, self.now, Random(SEED)))
        return Demo(PROJECT, base_id, other_id, made=True)

    def _call(self, clock: PastClock) -> Call:
        return Call(self.db, _ADMIN, clock, AtOnce())

    def _dataset(self, clock: PastClock) -> tuple[str, list[str]]:
        call = self._call(clock)
        projects.create(call, ProjectDraft(id=PROJECT, name="Support desk (demo)"))
        words = "What customers ask, with the fact that a good answer holds"
        made = datasets.create(call, DatasetDraft(project_id=PROJECT, name="support-questions", description=words))
        drafts = [
            ItemDraft(input=one.asked, expected_output=one.right, metadata={"topic": one.topic}) for one in self.asked
        ]
        datasets.import_items(call, made.id, iter(drafts), len(drafts))
        listed = datasets.items(call, made.id, None, Slice(200)).items
        ids = {str(item.input): item.id for item in listed}
        return made.id, [ids[one.asked] for one in self.asked]

    # --- experiments -----

    def _experiment(
        self, clock: PastClock, dataset_id: str, items: list[str], version: Version, chances: list[float]
    ) -> str:
        call = self._call(clock)
        about = {"prompt": version.prompt, "model": "demo-model-a"}
        draft = ExperimentDraft(
            project_id=PROJECT, name=version.name, dataset_id=dataset_id, trials=TRIALS, metadata=about
        )
        made = experiments.create(call, draft)
        broken = set(self.random.sample(range(len(items) * TRIALS), version.failures))
        for trial in range(TRIALS):
            clock.ms += 3 * _MINUTE
            runs = []
            for n, item_id in enumerate(items):
                failed = trial * len(items) + n in broken
                traced = version is _BEHAVIOUR[1] and trial == 0 and n < 12 and not failed
                runs.append(self._run(clock, version, n, item_id, trial, chances[n], failed=failed, traced=traced))
            experiments.add_runs(call, made.id, runs)
        clock.ms += 10 * _MINUTE
        experiments.complete(call, made.id)
        if version is _BEHAVIOUR[0]:  # its answers were collected before anybody thought of a rule for them
            wanted = ScoreExperimentDraft(scorers=[ScorerSpec(scorer_name="contains")])
            jobs.score_experiment(call, made.id, wanted)
        else:
            gate.check(call, made.id, ThresholdDraft(scorer_name="contains", metric="mean", threshold=0.7))
        return made.id

    def _run(
        self, clock: PastClock, version: Version, n: int, item_id: str, trial: int, chance: float,
        *, failed: bool, traced: bool,
    ) -> RunDraft:  # fmt: skip
        if failed:
            error = RunError(message=_TIMEOUT, type="TimeoutError")
            return RunDraft(dataset_item_id=item_id, trial=trial, error=error)
        answered = self._answer(self.asked[n], version, chance)
        trace_id = self._trace(clock, n, version, answered, {"source": "experiment"}) if traced else None
        scores = self._scores(version, answered)
        if version is _BEHAVIOUR[1]:
            scores.append(InlineScoreDraft(scorer_name="contains"))
        return RunDraft(dataset_item_id=item_id, trial=trial, output=answered.text, trace_id=trace_id, scores=scores)

    def _answer(self, question: Question, version: Version, chance: float) -> Answered:
        right = self.random.random() < chance
        dodged = self.random.random() < 0.2
        if question.right is None:
            fact = "What would help you most?" if right else question.wrong
        else:
            fact = question.right if right else question.wrong
        return Answered(_DODGE if dodged and not right else version.opening + question.answer(fact), right)

    def _scores(self, version: Version, answered: Answered) -> list[InlineScoreDraft]:
        helpful = self.random.gauss(version.helpful if answered.right else version.helpful - 0.35, 0.09)
        (tone,) = self.random.choices(list(version.tones), list(version.tones.values()))
        scores = [InlineScoreDraft(scorer_name="tone", value=tone)]
        if self.random.random() > 0.04:  # some people close the form without answering
            value = round(min(1.0, max(0.0, helpful)), 2)
            scores.append(InlineScoreDraft(scorer_name="helpfulness", value=value))
        return scores

    # --- what happened in production -----

    def _traffic(self, before: list[float], after: list[float]) -> None:
        """48 traces of the last week, a quarter of them of the last day; the worst wait for review."""
        clock = PastClock(self.now - 7 * _DAY)
        ages = [self.random.randint(25 * _HOUR, 7 * _DAY - _HOUR) for _ in range(36)]
        ages += [self.random.randint(10 * _MINUTE, 23 * _HOUR) for _ in range(12)]
        suspicious: list[tuple[int, str, Question]] = []
        for age in sorted(ages, reverse=True):
            clock.ms = self.now - age
            n = self.random.randrange(len(self.asked))
            newer = age < 30 * _HOUR
            version, chance = (_BEHAVIOUR[1], after[n]) if newer else (_BEHAVIOUR[0], before[n])
            answered = self._answer(self.asked[n], version, chance)
            failed = self.random.random() < 0.08
            about = {"source": "production", "tier": self.random.choice(["free", "team"])}
            trace_id = self._trace(clock, n, version, answered, about, failed=failed)
            if failed or not answered.right:
                review.enqueue(self._call(clock), trace_id, PROJECT)
                suspicious.append((clock.ms, trace_id, self.asked[n]))
        self._reviews(suspicious)

    def _reviews(self, suspicious: list[tuple[int, str, Question]]) -> None:
        """The longest waiting are annotated, some of them twice."""
        clock = PastClock(self.now - 7 * _DAY)
        for place, (since, trace_id, question) in enumerate(suspicious[: max(1, len(suspicious) // 3)]):
            clock.ms = max(clock.ms, since + _HOUR)
            said = AnnotationDraft(
                project_id=PROJECT, trace_id=trace_id, annotator="reviewer-1", label="wrong",
                correction=question.right, notes="Not what our help pages say." if place % 2 else None,
            )  # fmt: skip
            review.annotate(self._call(clock), said)
            if place % 3 == 0:
                second = AnnotationDraft(
                    project_id=PROJECT, trace_id=trace_id, annotator="a new user", notes="This did not help me."
                )
                review.annotate(self._call(clock), second)

    def _trace(
        self, clock: PastClock, n: int, version: Version, answered: Answered, about: dict[str, Any],
        *, failed: bool = False,
    ) -> str:  # fmt: skip
        spans = self._spans(clock.ms, self.asked[n], version, answered, about, failed=failed)
        ingest.ingest(self._call(clock), PROJECT, dict(enumerate(spans)))
        return spans[0].trace_id

    def _spans(
        self, ended: int, question: Question, version: Version, answered: Answered, about: dict[str, Any],
        *, failed: bool,
    ) -> list[SpanDraft]:  # fmt: skip
        trace_id = f"{self.random.getrandbits(128):032x}"
        root, looking, writing = (f"{self.random.getrandbits(64):016x}" for _ in range(3))
        searched = self.random.randint(20, 140)
        wrote = 30 * _SECOND if failed else self.random.randint(400, 2_600)
        start = ended - searched - wrote - 15
        error = SpanError(message=_TIMEOUT, type="TimeoutError") if failed else None
        output = None if failed else answered.text
        grounded = round(self.random.uniform(0.7, 1.0) if answered.right else self.random.uniform(0.1, 0.6), 2)
        holds = {"expected_output": question.right}
        return [
            SpanDraft(
                id=root, trace_id=trace_id, name="answer", input=question.asked, output=output, error=error,
                start_time=from_ms(start), end_time=from_ms(ended),
                metadata={"prompt": version.name, "topic": question.topic, **about},
                scores=[InlineScoreDraft(scorer_name="holds_fact", scorer="contains", config=holds)],
            ),
            SpanDraft(
                id=looking, trace_id=trace_id, parent_span_id=root, name="search help pages", input=question.asked,
                output=[f"help/{question.topic}#{place}" for place in range(1, 4)],
                start_time=from_ms(start + 5), end_time=from_ms(start + 5 + searched), metadata={"pages": 3},
            ),
            SpanDraft(
                id=writing, trace_id=trace_id, parent_span_id=root, name="write answer", output=output, error=error,
                input={"prompt": version.prompt, "question": question.asked},
                start_time=from_ms(start + 10 + searched), end_time=from_ms(ended - 5),
                model=self.random.choice(["demo-model-a", "demo-model-a", "demo-model-b"]),
                tokens_input=self.random.randint(240, 900),
                tokens_output=None if failed else len(answered.text.split()) * 2,
                scores=None if failed else [InlineScoreDraft(scorer_name="grounded", value=grounded)],
            ),
        ]  # fmt: skip
