"""Scorers run between two tries of a transaction, never inside one.

What is to be scored often comes from the store, so a transaction has to begin before it is known. It then asks for
measurements (`Measured.of`); when they are not there it is undone (`NotMeasured`), the scorers run with no lock held,
and it begins again. That try reads everything once more: what has changed meanwhile is measured again, and what has not
is stored. Where it is known beforehand what will be asked, that is measured ahead, and the first try is the last.
"""

import logging
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple, TypeVar

from gnomon.errors import Busy, GnomonError
from gnomon.scorers import Absent, Failed, RuleScorer, Sample, Scored
from gnomon.scorers.cost import INLINE, JOB, Bound, Meter, metered
from gnomon.store.engine import Store, Transaction

log = logging.getLogger("gnomon.scoring")

T = TypeVar("T")
Measured = float | str | Absent | Failed

_CHEAP = 1_000_000
"""Steps that a request may take while others take theirs: about ten milliseconds."""
_MOST_WAITING = 8
_LOOK_SECONDS = 0.1
_USUAL_SECONDS = sys.getswitchinterval()
_EAGER_SECONDS = 0.0005
"""After so long the interpreter takes the processor from a thread that computes, for one that answers."""


class ScoreToCompute(NamedTuple):
    """One score to compute. A run that failed has an error, and no score."""

    scorer: RuleScorer
    sample: Sample
    error: str | None


class NotMeasured(Exception):
    """The transaction needs these measurements before it can be carried out."""

    def __init__(self, questions: Sequence[ScoreToCompute]) -> None:
        super().__init__("scorers have to run first")
        self.questions = questions


class KnownMeasurements:
    """What is known so far, in the order in which a transaction asks for it."""

    def __init__(self) -> None:
        self._known: list[tuple[ScoreToCompute, Measured]] = []
        self._next = 0
        self._agreed = 0

    def of(self, questions: Sequence[ScoreToCompute]) -> list[Measured]:
        known = self._known[self._next : self._next + len(questions)]
        if len(known) < len(questions) or not _all_equal([question for question, _ in known], questions):
            raise NotMeasured(questions)
        self._next += len(questions)
        return [result for _, result in known]

    def peek(self, questions: Sequence[ScoreToCompute]) -> None:
        """Like `of`, for a transaction that will ask the same again."""
        self.of(questions)
        self._next -= len(questions)
        self._agreed = len(questions)

    def peeked(self, count: int) -> list[Measured] | None:
        """What so many questions found that were peeked at just before; they need not be compared once more."""
        if not 0 < count == self._agreed:
            return None
        self._agreed = 0
        self._next += count
        return [result for _, result in self._known[self._next - count : self._next]]

    def from_start(self) -> "KnownMeasurements":
        """For the next try."""
        self._next = self._agreed = 0
        return self

    def learn(self, questions: Sequence[ScoreToCompute], results: Sequence[Measured]) -> None:
        """What the last try asked for in vain. What it did not get to may be out of date."""
        self._known[self._next :] = zip(questions, results, strict=True)


def _all_equal(left: Sequence[ScoreToCompute], right: Sequence[ScoreToCompute]) -> bool:
    """Scores of one target share its sample, which may be large: each pair is compared once."""
    compared: set[tuple[int, int]] = set()
    for score_to_compute, other in zip(left, right, strict=True):
        pair = (id(score_to_compute.sample), id(other.sample))
        if pair not in compared:
            if score_to_compute.sample != other.sample:
                return False
            compared.add(pair)
        if (
            score_to_compute.scorer is not other.scorer and score_to_compute.scorer != other.scorer
        ) or score_to_compute.error != other.error:
            return False
    return True


AnswerQuestions = Callable[[Sequence[ScoreToCompute]], list[Measured]]
Ahead = Callable[[Transaction], Sequence[ScoreToCompute]]
"""Reads what a transaction will probably ask; it refuses nothing, which is the transaction's own to do."""


def write(
    store: Store,
    work: Callable[[Transaction, KnownMeasurements], T],
    answer: AnswerQuestions,
    ahead: Ahead | None = None,
) -> T:
    """Run `work` durably, with the scorers it needs run before. With `ahead`, its first try has what it needs."""
    measured = KnownMeasurements()
    if ahead is not None and (questions := store.read(ahead)):
        measured.learn(questions, answer(questions))
    while True:
        try:
            return store.write(lambda db: work(db, measured.from_start()))
        except NotMeasured as needed:
            measured.learn(needed.questions, answer(needed.questions))


def at_once(questions: Sequence[ScoreToCompute], on_spend: Callable[[int], None] | None = None) -> list[Measured]:
    """Every score with the bound of a job: for workers and commands, where no request waits."""
    results = []
    with metered(Meter(JOB, on_spend)) as meter:
        for question in questions:
            meter.renew()
            results.append(measure_one(question))
    return results


def measure_one(question: ScoreToCompute) -> Measured:
    """Compute one score; its cost counts against the bound of the current block."""
    if question.error is not None:
        return Failed(f"the run failed: {question.error}")
    try:
        result = question.scorer.score(question.sample)
    except GnomonError:
        raise
    except Exception as fault:  # a scorer that breaks on one sample must not take the batch with it
        log.exception("scorer %s broke", question.scorer.name)
        return Failed(f"the scorer broke: {type(fault).__name__}")
    return result.value if isinstance(result, Scored) else result


class AtOnce(KnownMeasurements):
    """Scorers run inside the transaction: for one that no request waits for, such as that of the demo."""

    def of(self, questions: Sequence[ScoreToCompute]) -> list[Measured]:
        return at_once(questions)

    def peek(self, questions: Sequence[ScoreToCompute]) -> None:
        pass

    def peeked(self, count: int) -> list[Measured] | None:
        return None


class Lane:
    """Where the costly scores of a process are computed: one request at a time, and a short queue.

    More at a time would finish no sooner, since they share one interpreter with everything else that it answers.
    """

    def __init__(self) -> None:
        self._computing = threading.Lock()
        self._counting = threading.Lock()
        self._waiting = 0
        self._closed = False

    def close(self) -> None:
        """The process is to end: what is being computed is broken off."""
        self._closed = True

    def answer(self, questions: Sequence[ScoreToCompute]) -> list[Measured]:
        """All scores of one request, within its bound."""
        with self.metered(INLINE):
            return [measure_one(question) for question in questions]

    @contextmanager
    def metered(self, bound: Bound) -> Iterator[Meter]:
        """Count what scorers spend in this block; a costly block waits until no other is computed."""
        inside = False

        def on_spend(spent: int) -> None:
            nonlocal inside
            if self._closed:
                raise Busy("the server is stopping; nothing was stored. Retry in a moment")
            if spent > _CHEAP and not inside:
                self._enter()
                inside = True
                sys.setswitchinterval(_EAGER_SECONDS)

        try:
            with metered(Meter(bound, on_spend)) as meter:
                yield meter
        finally:
            if inside:
                sys.setswitchinterval(_USUAL_SECONDS)
                self._computing.release()

    def _enter(self) -> None:
        with self._counting:
            if self._waiting >= _MOST_WAITING:
                raise Busy(
                    f"{_MOST_WAITING} requests wait for costly scores already; nothing was stored. Retry in a moment,"
                    " or score by a job (POST /v1/experiments/{id}/score)"
                )
            self._waiting += 1
        try:
            while not self._computing.acquire(timeout=_LOOK_SECONDS):
                if self._closed:
                    raise Busy("the server is stopping; nothing was stored. Retry in a moment")
        finally:
            with self._counting:
                self._waiting -= 1
