"""Experiments beside the two versions: a nightly one, a candidate, one that is running, five on hard questions."""

from collections.abc import Sequence
from random import Random

from gnomon.model.dataset import DatasetDraft, DatasetItem, ItemDraft
from gnomon.model.experiment import ExperimentDraft, RunDraft, RunError, ThresholdDraft
from gnomon.model.score import InlineScoreDraft
from gnomon.service.analysis import gate
from gnomon.service.demo import answering
from gnomon.service.demo.context import DAY, HOUR, MINUTE, PROJECT, SECOND, Context, PastClock
from gnomon.service.demo.questions import CONCISE, TIMEOUT, V1, V2, DemoQuestion, Version, answer, questions, survey
from gnomon.service.demo.questionsets import HARD, DatasetQuestions, SupportQuestions
from gnomon.service.experiments import datasets, experiments
from gnomon.store.pages import Slice

NIGHTLY = "answers-nightly"
NIGHTS = (13, 12, 10, 8, 6, 4, 2)
_UNDECIDED, _FAILING = 2, 8
"""The nights whose gates were not decided, and not passed."""
CONCISE_AGE = 3 * DAY + 2 * HOUR
RUNNING = "answers-short"


# --- the nightly run -----


def make_nights(context: Context, dataset: SupportQuestions, chances: Sequence[float]) -> DatasetQuestions:
    """One trial of every question that the dataset had in that night. The questions as they are in the end."""
    random, by_question = (
        context.random("nightly"),
        dict(zip((question.asked for question in questions()), chances, strict=True)),
    )
    dataset_questions = None
    for night in NIGHTS:
        age = night * DAY + 9 * HOUR if night < NIGHTS[0] else night * DAY
        dataset_questions = dataset.at(age)
        better = 0.12 * (NIGHTS[0] - night) / NIGHTS[0]
        nightly = [min(0.97, by_question.get(question.asked, 0.4) + better) for question in dataset_questions.questions]
        id = _experiment(context, random, PastClock(context.now - age), dataset_questions, V1, nightly, NIGHTLY)
        if night in (_UNDECIDED, _FAILING):
            bar = 0.6 if night == _UNDECIDED else 0.75
            draft = ThresholdDraft(scorer_name="contains", metric="mean", threshold=bar, bound="ci")
            gate.check(context.at(age - HOUR), id, draft)
    assert dataset_questions is not None
    return dataset_questions


def make_candidate(context: Context, dataset_questions: DatasetQuestions, chances: Sequence[float]) -> str:
    """A third prompt, whose answers a judge looked at (judges.py)."""
    clock = PastClock(context.now - CONCISE_AGE)
    lower = [0.85 * chance for chance in chances]
    return _experiment(context, context.random("candidate"), clock, dataset_questions, CONCISE, lower, CONCISE.name)


def _experiment(
    context: Context, random: Random, clock: PastClock, dataset_questions: DatasetQuestions, version: Version,
    chances: Sequence[float], name: str,
) -> str:  # fmt: skip
    call = context.call(clock)
    about = {"prompt": version.prompt, "model": "gpt-4o-mini"}
    draft = ExperimentDraft(project_id=PROJECT, name=name, dataset_id=dataset_questions.dataset_id, metadata=about)
    id = experiments.create(call, draft).id
    broken = set(random.sample(range(len(chances)), min(version.failures, 2)))
    runs = []
    for index, (item_id, question) in enumerate(
        zip(dataset_questions.item_ids, dataset_questions.questions, strict=True)
    ):
        runs.append(_run(random, item_id, question, version, chances[index], failed=index in broken))
    clock.ms += 4 * MINUTE
    experiments.add_runs(call, id, runs)
    clock.ms += 30 * SECOND
    experiments.complete(call, id)
    return id


def _run(
    random: Random, item_id: str, question: DemoQuestion, version: Version, chance: float, *, trial: int = 0,
    failed: bool = False,
) -> RunDraft:  # fmt: skip
    if failed:
        error = RunError(message=TIMEOUT, type="TimeoutError")
        return RunDraft(dataset_item_id=item_id, trial=trial, error=error)
    answered = answer(random, question, version, chance)
    scores = [*survey(random, version, answered), InlineScoreDraft(scorer_name="contains")]
    return RunDraft(dataset_item_id=item_id, trial=trial, output=answered.text, scores=scores)


# --- one that is running -----


def make_running(context: Context, dataset_questions: DatasetQuestions, chances: Sequence[float]) -> None:
    """Begun a while ago, with a good third of its runs."""
    random, clock = context.random("running"), PastClock(context.now - 25 * MINUTE)
    call = context.call(clock)
    about = {"prompt": "Answer in one short sentence.", "model": "claude-haiku-4-5"}
    draft = ExperimentDraft(
        project_id=PROJECT, name=RUNNING, dataset_id=dataset_questions.dataset_id, trials=2, metadata=about
    )
    id = experiments.create(call, draft).id
    runs = [
        _run(random, item_id, question, V2, chance)
        for item_id, question, chance in zip(
            dataset_questions.item_ids, dataset_questions.questions, chances, strict=True
        )
    ]
    for start in range(0, 30, 10):
        clock.ms += 6 * MINUTE
        experiments.add_runs(call, id, runs[start : start + 10])


# --- hard questions -----

_ALWAYS, _NEVER = (5, 6, 7), (0, 1)
_HARD = [
    ("May I return shoes that I wore once?", "You may {}.", "not return worn shoes", "return them within 30 days"),
    ("Do the 30 days count from the order or from delivery?", "They count {}.", "from delivery", "from the order"),
    ("Is the 14th day still inside of 14 days?", "The 14th day {}.", "is inside", "is outside"),
    ("Does the Starter plan keep history at all?", "It keeps {}.", "1 month", "24 months"),
    ("Who may see invoices besides me?", "{} may see them.", "Every admin", "Every guest"),
    ("How many days does delivery to Austria take?", "It takes {}.", "3 working days", "6 working days"),
    ("How many seats has the Starter plan?", "It has {}.", "3 seats", "5 seats"),
    ("Where do I see past orders?", "Open {}.", "Orders > History", "Billing > Invoices"),
    ("Can I pay a Team plan by invoice?", "{}.", "Yes, yearly", "No, never"),
    ("Is Malta part of the EU delivery zone?", "It {}.", "has its own zone", "is in the EU zone"),
]
AGENTS = (
    ("hard-nano", "gpt-4.1-nano", 0.25), ("hard-mini", "gpt-4o-mini", 0.4), ("hard-flash", "gemini-2.5-flash", 0.5),
    ("hard-haiku", "claude-haiku-4-5", 0.6), ("hard-large", "gpt-4.1", 0.75),
)  # fmt: skip
_HARD_TRIALS = 3


def make_hard_dataset(context: Context) -> str:
    """Questions that go wrong; reviewers add more (reviews.py), and one was withdrawn."""
    words = "Questions that were answered wrongly; reviewers add to them"
    draft = DatasetDraft(project_id=PROJECT, name=HARD, description=words)
    id = datasets.create(context.at(8 * DAY), draft).id
    drafts = [
        ItemDraft(
            key=f"hard-{index + 1:02}", input=question, expected_output=right, metadata={"source": "hand-written"}
        )
        for index, (question, _, right, _) in enumerate(_HARD)
    ]
    datasets.import_items(context.at(8 * DAY - HOUR), id, iter(drafts), len(drafts))
    withdrawn = ItemDraft(key="hard-99", input="Is there a shop in Lisbon?", expected_output="No")
    added = datasets.add_item(context.at(7 * DAY), id, withdrawn)
    datasets.delete_item(context.at(7 * DAY - 5 * HOUR), id, added.id)
    return id


def make_hard_experiments(context: Context, dataset_id: str) -> None:
    """Five models, three times each. Some questions are solved by all of them, and two by none."""
    items = datasets.items(context.at(2 * DAY), dataset_id, None, Slice(200)).items
    for index, (name, model, skill) in enumerate(AGENTS):
        random, clock = context.random(name), PastClock(context.now - 44 * HOUR + index * HOUR)
        call = context.call(clock)
        draft = ExperimentDraft(
            project_id=PROJECT, name=name, dataset_id=dataset_id, trials=_HARD_TRIALS,
            metadata={"agent": name, "model": model},
        )  # fmt: skip
        id = experiments.create(call, draft).id
        for trial in range(_HARD_TRIALS):
            clock.ms += 2 * MINUTE
            experiments.add_runs(
                call, id, [_hard_run(context, random, clock, item, trial, model, skill) for item in items]
            )
        experiments.complete(call, id)


def _hard_run(
    context: Context, random: Random, clock: PastClock, item: DatasetItem, trial: int, model: str, skill: float
) -> RunDraft:
    question, index = _hard_question(item)
    chance = 1.0 if index in _ALWAYS else 0.0 if index in _NEVER else skill
    answered = answer(random, question, V1, chance)
    exchange = answering.Exchange(
        clock.ms, question, V1, answered, {"source": "experiment"}, models=[model], scored=False
    )
    trace_id = answering.send(context.call(clock), random, exchange)[0] if trial == 0 else None
    scores = [InlineScoreDraft(scorer_name="contains")]
    return RunDraft(dataset_item_id=item.id, trial=trial, output=answered.text, trace_id=trace_id, scores=scores)


def _hard_question(item: DatasetItem) -> tuple[DemoQuestion, int | None]:
    """The question that an item is, and its place among those that were written by hand."""
    for index, (question, says, right, wrong) in enumerate(_HARD):
        if item.input == question:
            return DemoQuestion("hard", question, says, right, wrong), index
    question = item.input if isinstance(item.input, str) else item.input[-1]["content"]
    return DemoQuestion("hard", question, "{}", str(item.expected_output), "Our help pages do not say."), None
