"""Two judges whose answers are recorded here, so that no model is asked.

A judge's jobs are accepted, claimed and settled by the same functions as a worker's; only what the model would have
said comes from this file. One judge grades production answers from 1 to 5 with three votes; the other one puts the
candidate's answers into three classes, until the day's budget is spent.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from random import Random
from typing import Any

from gnomon.llm.answer import Answer
from gnomon.llm.prices import Tokens, cost_of, price_of
from gnomon.model.budget import BudgetDraft
from gnomon.model.score import InlineScoreDraft
from gnomon.scorers import Absent, Failed, ModelScorer, build, config_hash
from gnomon.service.call import Call
from gnomon.service.demo.context import DAY, HOUR, MINUTE, PROJECT, Context, PastClock
from gnomon.service.demo.questions import DODGE, Answered
from gnomon.service.demo.traffic import ProductionAnswer
from gnomon.service.experiments import runs
from gnomon.service.jobs.worker import Votes, settled
from gnomon.service.judges import budgets, judging
from gnomon.service.judges.judging import ReadyJob, Settled
from gnomon.service.scoring.scoring import Planned
from gnomon.service.scoring.targets import Target, run_targets, span_target
from gnomon.store import experiments as run_store
from gnomon.store import jobs as job_store
from gnomon.store.jobs import JudgeJob
from gnomon.store.pages import Slice

GRADES, CLASSES = "answers_question", "fact_verdict"
SMALL_BUDGET, BUDGET = 0.008, 0.1
"""US dollars per day: at first, and after a day on which that did not reach."""
CLASSIFIED_AGE = 3 * DAY + 33 * MINUTE
_OWNER = "demo"
_DAYS = 10
_A_DAY, _ON_A_SHARED_DAY = 28, 8
"""How many production answers are graded; fewer on the day whose budget has to do for the candidate too."""
_TOGETHER = 4
_GRADES_CONFIG: dict[str, Any] = {
    "model": "openai/gpt-4o-mini", "temperature": 0.0, "samples": 3, "reading": "last_number",
    "score_range": {"min": 1, "max": 5},
    "prompt_template": "A customer asked:\n{{input}}\nThe desk answered:\n{{output}}\n"
    "How well is the question answered, from 1 (not at all) to 5 (fully)? Say why, then `Grade: N`.",
}  # fmt: skip
_CLASSES_CONFIG: dict[str, Any] = {
    "model": "anthropic/claude-haiku-4-5",
    "temperature": 0.0,
    "score_extraction": "label",
    "labels": ["right", "partly", "wrong"],
    "prompt_template": "Question: {{input}}\nAnswer: {{output}}\nFact: {{expected_output}}\n"
    "Does the answer say the fact? Answer right, partly or wrong.",
}
_SAID: Mapping[int, Sequence[str]] = {
    1: ("The customer is sent away without an answer.", "Nothing of the question is answered."),
    2: ("The answer names a figure that does not fit the question.", "It is polite, but hardly helps."),
    3: ("It answers, but leaves open what it stands on.", "Half of what was asked is there."),
    4: ("A direct answer, a source would be better still.", "Clear and to the point."),
    5: ("It answers exactly what was asked.", "Complete, short and friendly."),
}
_UNREADABLE = "I would have to see the help page before I can grade this."
_CLASSED = {
    "right": "right", "partly": "It is partly there: the figure is named without its unit, so partly.",
    "wrong": "The fact is missing: wrong.",
}  # fmt: skip
_UNCLASSED = "Either right or wrong, depending on how one reads it."
_NO_ANSWER = Failed("timeout: no answer within 60 s, three times")


def make_judges(context: Context, production: Sequence[ProductionAnswer], candidate_id: str) -> list[ProductionAnswer]:
    """The judges' scores; the production answers that one of them graded."""
    budgets.put(context.at(11 * DAY), PROJECT, BudgetDraft(usd_per_day=SMALL_BUDGET))
    grader = _Grader(context)
    graded = []
    for back in range(_DAYS, -1, -1):
        if back == 2:
            budgets.put(context.at(2 * DAY + HOUR), PROJECT, BudgetDraft(usd_per_day=BUDGET))
        graded += grader.day(back, production)
        if back == CLASSIFIED_AGE // DAY:
            _classify(context, candidate_id)
    return graded


class _Grader:
    """Grades production answers once a day."""

    def __init__(self, context: Context) -> None:
        self._context, self._random = context, context.random("grader")
        self._planned = _plan(GRADES, _GRADES_CONFIG)

    def day(self, back: int, production: Sequence[ProductionAnswer]) -> list[ProductionAnswer]:
        clock = PastClock(self._context.now - back * DAY - 35 * MINUTE)
        new = [answer for answer in production if clock.ms - DAY < answer.at <= clock.ms - MINUTE]
        most = _ON_A_SHARED_DAY if back == CLASSIFIED_AGE // DAY else _A_DAY
        chosen = self._random.sample(new, min(most, len(new)))
        call = self._context.call(clock)
        by_id = {answer.root_id: answer for answer in chosen}
        rows = call.spans.by_id(call.db, {(PROJECT, answer.trace_id, answer.root_id) for answer in chosen})
        targets = [span_target(rows[PROJECT, answer.trace_id, answer.root_id]) for answer in chosen]

        def votes(target: Target) -> list[str] | Failed:
            return self._votes(by_id[target.id])

        _judge(call, clock, self._planned, targets, votes)
        return [answer for answer in chosen if not answer.failed]

    def _votes(self, answer: ProductionAnswer) -> list[str] | Failed:
        """Three votes, mostly the same; some cannot be read, and some calls failed."""
        random, draw = self._random, self._random.random()
        if draw < 0.02:
            return _NO_ANSWER
        if draw < 0.05:
            return [_UNREADABLE] * 3
        grade = _opinion(random, answer.answered)
        votes = [graded_text(random, grade) for _ in range(3)]
        if draw < 0.12:
            votes[random.randrange(3)] = _UNREADABLE
        return votes


def _opinion(random: Random, answered: Answered) -> int:
    """The grade that the judge is inclined to. Wrong figures please it more than they please people."""
    if answered.right:
        return random.choices([4, 5], (1, 7))[0]
    return 2 if answered.text == DODGE else random.choices([2, 3, 4], (5, 4, 1))[0]


def graded_text(random: Random, grade: int) -> str:
    """How the judge says a grade; now and then it says the next one."""
    if random.random() < 0.1:
        grade = min(5, max(1, grade + random.choice([-1, 1])))
    return f"{random.choice(_SAID[grade])} Grade: {grade}"


def _classify(context: Context, experiment_id: str) -> None:
    """Classify the candidate's answers after that day's grades; the last ones exceed the day's budget."""
    clock = PastClock(context.now - CLASSIFIED_AGE)
    call, random = context.call(clock), context.random("classifier")
    ids = [run.id for run in runs.all_of(call, experiment_id, Slice(200)).items]
    loaded = {target.id: target for target in run_targets(call, run_store.runs_by_id(call.db, ids))}
    targets = [loaded[id] for id in ids]

    def votes(target: Target) -> list[str]:
        if random.random() < 0.06:
            return [_UNCLASSED]
        right = str(target.sample.expected_output) in str(target.sample.output)
        label = random.choices(["right", "partly", "wrong"], (9, 1, 0.4) if right else (1, 1.5, 7))[0]
        return [_CLASSED[label]]

    _judge(call, clock, _plan(CLASSES, _CLASSES_CONFIG), targets, votes)


# --- as a worker does -----


def _plan(scorer_name: str, config: dict[str, Any]) -> Planned:
    """Not by `scoring.plan`, which refuses a judge whose model cannot be asked here: nobody asks it."""
    scorer = build("llm_judge", config)
    return Planned(
        InlineScoreDraft(scorer_name=scorer_name, scorer="llm_judge", config=config), scorer, config_hash(scorer)
    )


def _judge(
    call: Call, clock: PastClock, planned: Planned, targets: Sequence[Target],
    votes: Callable[[Target], list[str] | Failed],
) -> None:  # fmt: skip
    """Accept a job per target and end the jobs a few at a time, as a worker does within the budget."""
    accepted = judging.accept(call, [(target, planned) for target in targets])
    by_job = {id: target for id, target in zip(accepted, targets, strict=True) if isinstance(id, str)}
    while True:
        clock.ms += 1_500
        jobs = job_store.claim_judge_jobs(
            call.db, _OWNER, call.clock.now(), (judging.KIND,), most=_TOGETHER, lease=timedelta(minutes=1)
        )
        if not jobs:
            return
        judging.settle(call, _OWNER, [_ended(call, job, by_job[job.id], planned, votes) for job in jobs])


def _ended(
    call: Call, job: JudgeJob, target: Target, planned: Planned, votes: Callable[[Target], list[str] | Failed]
) -> Settled:
    assert isinstance(planned.scorer, ModelScorer)
    if refusal := budgets.refusal(call, PROJECT, planned.scorer.model, {}):
        return Settled(job, target, planned, Failed(refusal))
    texts = votes(target)
    if isinstance(texts, Failed):
        return Settled(job, target, planned, texts)
    prompt = planned.scorer.render(target.sample, "recorded")
    assert not isinstance(prompt, Absent), "a job is accepted only where there is something to ask"
    keys = judging.vote_keys(PROJECT, planned.scorer, prompt)
    question = ReadyJob(job, target, planned, planned.scorer, prompt, keys, {}, {})
    recorded = Votes(question)
    for key, text in zip(keys, texts, strict=True):
        recorded.keep(key, recorded_answer(planned.scorer.model, prompt.text, text))
    return settled(question, recorded)


def recorded_answer(model: str, prompt: str, text: str) -> Answer:
    """The answer, with what it would have cost."""
    tokens = Tokens(len(prompt) // 4 + 120, len(text) // 4 + 8)
    cost = cost_of(tokens, price_of(model))
    return Answer(text, model, tokens.input, tokens.output, cost, 380.0 + 4 * len(text))
