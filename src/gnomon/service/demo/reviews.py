"""What two reviewers did: they annotated and scored a random part of the judged answers, and the worst of the others.

Scores are given to the random part alone, so that a judge's mean can be corrected by them.
"""

from collections.abc import Sequence
from typing import Any

from gnomon.model.experiment import Run
from gnomon.model.review import AnnotationDraft, AnnotationScoreDraft, ReviewSettingsDraft, ToItemDraft
from gnomon.model.score import ScoreDraft
from gnomon.service.demo.context import DAY, HOUR, MINUTE, PROJECT, Context
from gnomon.service.demo.judges import CLASSIFIED_AGE
from gnomon.service.demo.questions import DODGE
from gnomon.service.demo.traffic import ProductionAnswer
from gnomon.service.experiments import runs
from gnomon.service.review import annotations, queue, settings
from gnomon.service.scoring import attach
from gnomon.store.pages import Slice

REVIEWERS = ("reviewer-a", "reviewer-b")
QUALITY, VERDICT = "human_quality", "human_verdict"
_SCORED, _KEPT_IN_QUEUE = 42, 6
_SUSPICIOUS_SINCE = 7 * DAY


def make_reviews(
    context: Context, production: Sequence[ProductionAnswer], graded: Sequence[ProductionAnswer], hard_id: str
) -> None:
    # Labels count as what the judge is measured against, and not as one more score beside it.
    settings.put(context.at(_SUSPICIOUS_SINCE), PROJECT, ReviewSettingsDraft(scorer_name=QUALITY))
    random = context.random("reviews")
    chosen = sorted(
        random.sample(list(graded), min(_SCORED, len(graded))), key=lambda production_answer: production_answer.at
    )
    for index, answer in enumerate(chosen):
        _score(context, answer, index)
        if index < len(chosen) - _KEPT_IN_QUEUE:
            queue.dequeue_trace(context.at(_age(context, answer, 5 * HOUR)), answer.trace_id, PROJECT)
    seen = {production_answer.trace_id for production_answer in chosen}
    since = context.now - _SUSPICIOUS_SINCE
    waiting = [
        production_answer
        for production_answer in production
        if production_answer.suspicious and production_answer.at > since and production_answer.trace_id not in seen
    ]
    _annotate_worst(context, waiting, hard_id)


def _age(context: Context, answer: ProductionAnswer, later: int) -> int:
    """How long ago it was so long after an answer; at least a minute."""
    return max(context.now - answer.at - later, MINUTE)


# --- scores for calibration -----


def _score(context: Context, answer: ProductionAnswer, index: int) -> None:
    """One reviewer grades and labels it, and for every third one the other reviewer too."""
    queue.enqueue_trace(context.at(_age(context, answer, HOUR)), answer.trace_id, PROJECT, "a random sample")
    for reviewer in REVIEWERS if index % 3 == 0 else (REVIEWERS[index % 2],):
        call = context.at(_age(context, answer, 3 * HOUR))
        value = _grade(answer, reviewer, index)
        graded = AnnotationScoreDraft(scorer_name=QUALITY, value=value)
        annotations.annotate(call, _annotation_of(answer, reviewer).model_copy(update={"scores": [graded]}))


def _grade(answer: ProductionAnswer, reviewer: str, index: int) -> float:
    """People are harder on wrong facts than the judge; the second reviewer is a little kinder."""
    grade = 1.0 if answer.answered.right else 0.25 if answer.answered.text == DODGE or index % 2 else 0.5
    if index % 8 == 1:
        grade -= 0.25
    if reviewer == REVIEWERS[1] and index % 4 == 0:
        grade += 0.25
    return min(1.0, max(0.0, grade))


def _annotation_of(answer: ProductionAnswer, reviewer: str) -> AnnotationDraft:
    label = "correct" if answer.answered.right else "incomplete" if answer.answered.text == DODGE else "hallucination"
    about: dict[str, Any] = {"project_id": PROJECT, "trace_id": answer.trace_id, "annotator": reviewer, "score": False}
    if answer.failed:
        return AnnotationDraft(**about, label="other", notes="The customer got no answer at all.")
    if answer.answered.right:
        return AnnotationDraft(**about, label=label)
    right = answer.question.right
    correction = None if right is None else answer.question.answer(right)
    return AnnotationDraft(**about, label=label, correction=correction, notes="Not what our help pages say.")


# --- the worst wait -----


def _annotate_worst(context: Context, waiting: Sequence[ProductionAnswer], hard_id: str) -> None:
    """All of them are in the queue; the longest waiting quarter is annotated, three of those became dataset items."""
    for answer in waiting:
        call = context.at(_age(context, answer, 10 * MINUTE))
        queue.enqueue_trace(call, answer.trace_id, PROJECT, "to check the judge against people")
    done = waiting[: max(1, len(waiting) // 4)]
    kept = 0
    for index, answer in enumerate(done):
        call = context.at(_age(context, answer, 6 * HOUR))
        annotation = annotations.annotate(call, _annotation_of(answer, REVIEWERS[index % 2]))
        if annotation.correction is not None and kept < 3:
            annotations.to_dataset_item(call, annotation.id, ToItemDraft(dataset_id=hard_id))
            kept += 1


# --- labels for the judge of the candidate -----


def make_verdicts(context: Context, candidate_id: str) -> None:
    """Two thirds of the candidate's answers, put into the judge's classes by people."""
    random = context.random("verdicts")
    answered = [run for run in runs.all_of(context.at(0), candidate_id, Slice(200)).items if run.output is not None]
    for index, run in enumerate(random.sample(answered, len(answered) * 2 // 3)):
        draft = ScoreDraft(
            target_id=run.id, target_type="run", scorer_name=VERDICT, value=_verdict(run, random.random()),
            source="human", metadata={"annotator": REVIEWERS[index % 2]},
        )  # fmt: skip
        attach.attach_one(context.at(CLASSIFIED_AGE - 5 * HOUR), draft)


def _verdict(run: Run, draw: float) -> str:
    right = run.expected_output is None or str(run.expected_output) in str(run.output)
    return "partly" if draw < 0.1 else "right" if right else "wrong"
