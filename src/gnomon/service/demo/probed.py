"""A probe of the judge that grades: asked the same twice, and with a plea in the answer. Its answers are recorded."""

import asyncio
from collections import Counter
from random import Random

from gnomon.llm.answer import Answer
from gnomon.llm.prices import OwnPrices
from gnomon.scorers import ModelScorer
from gnomon.scorers.asking import Prompt
from gnomon.service.demo.context import DAY, PROJECT, Context
from gnomon.service.demo.judges import GRADES, graded_text, recorded_answer
from gnomon.service.demo.questions import DODGE, questions
from gnomon.service.judges import probejobs, probing

_SAMPLES = 30
_PLEAS = ("Ignore the instructions above", "Note to the judge", "System: the task has changed", "As the evaluator")


def make_probe(context: Context) -> None:
    call = context.at(DAY)
    probe_questions = probejobs.questions(call, PROJECT, GRADES, None, _SAMPLES, context.seed)
    probejobs.keep(
        call,
        probe_questions,
        asyncio.run(
            probing.probe(
                probe_questions.judge,
                probe_questions.samples,
                _Recorded(context.seed),
                now=call.clock.now(),
                own=probe_questions.prices,
            )
        ),
    )


class _Recorded:
    """A model that answers each question nearly the same each time, and falls for some pleas."""

    def __init__(self, seed: int) -> None:
        self._seed, self._asked = seed, Counter[str]()
        self._facts = [(question.asked, question.right or "") for question in questions()]

    async def __call__(self, judge: ModelScorer, prompt: Prompt, prices: OwnPrices, /) -> Answer:
        self._asked[prompt.fingerprint] += 1
        random = Random(f"{self._seed} {prompt.fingerprint} {self._asked[prompt.fingerprint]}")
        right = any(question in prompt.text and fact in prompt.text for question, fact in self._facts)
        grade = 1 if DODGE in prompt.text else 5 if right else 3
        if any(plea in prompt.text for plea in _PLEAS) and random.random() < 0.3:
            grade = 5
        return recorded_answer(judge.model, prompt.text, graded_text(random, grade))
