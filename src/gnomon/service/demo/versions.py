"""The two experiments that the guide compares: the desk's questions, five times each, by two versions of the prompt."""

from random import Random

from gnomon.model.experiment import ExperimentDraft, RunDraft, RunError, ScoreExperimentDraft, ThresholdDraft
from gnomon.model.score import InlineScoreDraft, ScorerSpec
from gnomon.service.analysis import gate
from gnomon.service.demo import answering
from gnomon.service.demo.context import DAY, HOUR, MINUTE, PROJECT, Context, PastClock
from gnomon.service.demo.questions import TIMEOUT, V1, V2, Chances, Version, answer, survey
from gnomon.service.demo.questionsets import DatasetQuestions
from gnomon.service.experiments import experiments
from gnomon.service.jobs import jobs

TRIALS = 5
V1_AGE, V2_AGE = 5 * DAY, 30 * HOUR


def make_versions(context: Context, random: Random, questions: DatasetQuestions, chances: Chances) -> tuple[str, str]:
    """Both experiments. The numbers of `random` are these two's alone: the guide shows what comes of them."""
    maker = _Versions(context, random, questions)
    base_id = maker.experiment(PastClock(context.now - V1_AGE), V1, chances.v1)
    return base_id, maker.experiment(PastClock(context.now - V2_AGE), V2, chances.v2)


class _Versions:
    def __init__(self, context: Context, random: Random, questions: DatasetQuestions) -> None:
        self._context, self._random, self._dataset_questions = context, random, questions

    def experiment(self, clock: PastClock, version: Version, chances: list[float]) -> str:
        call, count = self._context.call(clock), len(self._dataset_questions.questions)
        draft = ExperimentDraft(
            project_id=PROJECT, name=version.name, dataset_id=self._dataset_questions.dataset_id, trials=TRIALS,
            metadata={"prompt": version.prompt, "model": "gpt-4o-mini"},
        )  # fmt: skip
        row = experiments.create(call, draft)
        broken = set(self._random.sample(range(count * TRIALS), version.failures))
        for trial in range(TRIALS):
            clock.ms += 3 * MINUTE
            runs = []
            for index in range(count):
                failed = trial * count + index in broken
                traced = version is V2 and trial == 0 and index < 12 and not failed
                runs.append(self._run(clock, version, index, trial, chances[index], failed=failed, traced=traced))
            experiments.add_runs(call, row.id, runs)
        clock.ms += 10 * MINUTE
        experiments.complete(call, row.id)
        if version is V1:  # its answers were collected before anybody thought of a rule for them
            jobs.score_experiment(call, row.id, ScoreExperimentDraft(scorers=[ScorerSpec(scorer_name="contains")]))
        else:
            gate.check(call, row.id, ThresholdDraft(scorer_name="contains", metric="mean", threshold=0.7))
        return row.id

    def _run(
        self, clock: PastClock, version: Version, index: int, trial: int, chance: float, *, failed: bool, traced: bool
    ) -> RunDraft:
        item_id, question = self._dataset_questions.item_ids[index], self._dataset_questions.questions[index]
        if failed:
            error = RunError(message=TIMEOUT, type="TimeoutError")
            return RunDraft(dataset_item_id=item_id, trial=trial, error=error)
        answered = answer(self._random, question, version, chance)
        trace_id = None
        if traced:
            exchange = answering.Exchange(clock.ms, question, version, answered, {"source": "experiment"}, scored=False)
            trace_id, _ = answering.send(self._context.call(clock), self._random, exchange)
        scores = survey(self._random, version, answered)
        if version is V2:
            scores.append(InlineScoreDraft(scorer_name="contains"))
        return RunDraft(dataset_item_id=item_id, trial=trial, output=answered.text, trace_id=trace_id, scores=scores)
