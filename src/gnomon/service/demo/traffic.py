"""What customers asked in the last two weeks: busy by day, quiet by night, some of it answered wrongly or not at all.

Since a few days the search finds old help pages. Answers sound as before and stand on less: `grounded` has drifted.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from gnomon.service.demo import agentturns, answering
from gnomon.service.demo.agentturns import MODELS, AgentTurn
from gnomon.service.demo.answering import FAILURES, STALE, Exchange, drawn_grounded
from gnomon.service.demo.context import DAY, HOUR, MINUTE, Context
from gnomon.service.demo.questions import V1, V2, Answered, Chances, DemoQuestion, answer, questions
from gnomon.service.demo.versions import V2_AGE
from gnomon.service.demo.watching import RULE_AGE, make_rules

DAYS = 14
_A_DAY = 28
_BY_HOUR = (1, 1, 1, 1, 1, 2, 4, 7, 10, 12, 12, 11, 9, 10, 11, 11, 10, 9, 8, 7, 5, 4, 2, 1)
"""How busy each hour of the desk's day is."""
_HOUR_NOW = 17
"""The desk's hour when the demo is made. Its clock goes by that, so that the content is the same at any time of day."""
_STALE_SINCE, _STALE_NOW = 6 * DAY, 1.3
"""Since when the search finds old pages, and how fast that grew to all questions."""
_BY_CHAT = 0.3
"""The share of the questions that the chat agent answers; its spans are OpenTelemetry's."""


@dataclass(frozen=True, slots=True)
class ProductionAnswer:
    """One production trace, and whether it was any good."""

    at: int
    trace_id: str
    root_id: str
    question: DemoQuestion
    answered: Answered
    failed: bool

    @property
    def suspicious(self) -> bool:
        return self.failed or not self.answered.right


def make_traffic(context: Context, chances: Chances) -> list[ProductionAnswer]:
    """The traces, the oldest first. Rules score those that come after them."""
    random, demo_questions = context.random("traffic"), list(questions())
    maker = _Traffic(context, random)
    answers, watched = [], False
    for number, at in enumerate(_moments(context.now, random)):
        if not watched and context.now - at < RULE_AGE:
            watched = True
            make_rules(context)
        index = random.randrange(len(demo_questions))
        newer = context.now - at < V2_AGE
        version, chance = (V2, chances.v2[index]) if newer else (V1, chances.v1[index])
        answered = answer(random, demo_questions[index], version, chance)
        question, failed = demo_questions[index], random.random() < 0.07
        if random.random() < _BY_CHAT:
            ids = maker.by_chat(at, question, answered, number, failed)
        else:
            failure = random.choice(FAILURES) if failed else None
            about = maker.about(number, "production")
            ids = answering.send(
                context.at(context.now - at), random,
                Exchange(at, question, version, answered, about, failure, answering.mixed_models(random),
                         stale=maker.stale(at)),
            )  # fmt: skip
        answers.append(ProductionAnswer(at, *ids, question, answered, failed))
    return answers


def _moments(now: int, random: Random) -> Iterator[int]:
    """When questions come: more by day than by night, each day in order."""
    for back in range(DAYS, 0, -1):
        ages = [10 * MINUTE + random.randrange(DAY - 20 * MINUTE) for _ in range(8 * _A_DAY)]
        weights = [_BY_HOUR[(_HOUR_NOW - age // HOUR) % 24] for age in ages]
        drawn = random.choices(ages, weights, k=_A_DAY)
        yield from (now - (back - 1) * DAY - age for age in sorted(drawn, reverse=True))


class _Traffic:
    def __init__(self, context: Context, random: Random) -> None:
        self._context, self._random = context, random

    def stale(self, at: int) -> bool:
        """Whether the search found old pages for this question."""
        fresh = (self._context.now - at) / _STALE_SINCE
        return self._random.random() < _STALE_NOW * (1 - fresh)

    def about(self, number: int, source: str) -> dict[str, str]:
        """The user who asked. Now and then two questions in a row are of one session."""
        about = {"source": source, "tier": self._random.choice(["free", "team"])}
        pair = number // 2
        customer = f"customer-{(pair * 7) % 60 + 1}" if pair % 4 == 0 else f"customer-{self._random.randint(1, 60)}"
        about["user.id"] = customer
        if pair % 4 == 0:
            about["session.id"] = f"session-{pair + 1000}"
        return about

    def by_chat(
        self, at: int, question: DemoQuestion, answered: Answered, number: int, failed: bool
    ) -> tuple[str, str]:
        grounded = drawn_grounded(self._random, answered) * (STALE if self.stale(at) else 1.0)
        models = list(MODELS)
        turn = AgentTurn(
            at, question, answered, self._random.choices(models, (6, 3, 2, 1))[0], self.about(number, "chat"),
            failed=failed, grounded=round(grounded, 2),
        )  # fmt: skip
        return agentturns.send(self._context.at(self._context.now - at), self._random, turn)
