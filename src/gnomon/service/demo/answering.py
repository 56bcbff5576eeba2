"""One question answered by the support desk, as the spans that its program sends."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from gnomon.model.moment import from_ms
from gnomon.model.score import InlineScoreDraft
from gnomon.model.trace import SpanDraft, SpanError
from gnomon.service.call import Call
from gnomon.service.demo.context import PROJECT, SECOND
from gnomon.service.demo.questions import TIMEOUT, Answered, DemoQuestion, Version
from gnomon.service.traces import ingest

USUAL = ("gpt-4o-mini", "gpt-4o-mini", "claude-haiku-4-5")
UNPRICED = "desk-llm-7b"
"""A model of one's own, whose price nobody states."""
STALE = 0.25
"""How much of an answer's ground is left when the help pages are old."""
_MIXED = (*USUAL, "gemini-2.5-flash", UNPRICED)


def stack(file: str, function: str, line: str, error: SpanError) -> str:
    """The stack as Python prints it."""
    return (
        "Traceback (most recent call last):\n"
        f'  File "support_desk/{file}.py", line 84, in {function}\n    {line}\n'
        '  File "support_desk/transport.py", line 31, in send\n    raise failure\n'
        f"{error.type}: {error.message}"
    )


def _failure(message: str, type: str, file: str, function: str, line: str) -> SpanError:
    error = SpanError(message=message, type=type)
    return error.model_copy(update={"stack": stack(file, function, line, error)})


FAILURES = (
    _failure(TIMEOUT, "TimeoutError", "writing", "write_answer", "reply = await model.ask(prompt)"),
    _failure(
        "429: the model takes 60 requests a minute; retry after 12 s", "RateLimitError", "writing", "write_answer",
        "reply = await model.ask(prompt)",
    ),
    _failure(
        "the answer is cut at 256 tokens and is not JSON", "ValueError", "writing", "read_answer",
        "return json.loads(reply.text)",
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question, what was answered to it, and when."""

    ended: int
    question: DemoQuestion
    version: Version
    answered: Answered
    about: Mapping[str, str]
    failure: SpanError | None = None
    models: Sequence[str] = USUAL
    stale: bool = False
    """Whether the help pages that were searched are old, so that the answer stands on little."""
    scored: bool = True
    """Whether its spans have scores. In an experiment runs have them."""


def send(call: Call, random: Random, exchange: Exchange) -> tuple[str, str]:
    """Store its trace; the ids of the trace and of its root span."""
    spans = answer_spans(random, exchange)
    ingest.ingest(call, PROJECT, dict(enumerate(spans)))
    return spans[0].trace_id, spans[0].id


def answer_spans(random: Random, exchange: Exchange) -> list[SpanDraft]:
    """The root, a search of the help pages, and the model that writes the answer."""
    question, answered, failure = exchange.question, exchange.answered, exchange.failure
    trace_id = f"{random.getrandbits(128):032x}"
    root, looking, writing = (f"{random.getrandbits(64):016x}" for _ in range(3))
    searched = random.randint(20, 140)
    wrote = 30 * SECOND if failure else random.randint(400, 2_600)
    start = exchange.ended - searched - wrote - 15
    output = None if failure else answered.text
    grounded = drawn_grounded(random, answered)
    return [
        SpanDraft(
            id=root, trace_id=trace_id, name="answer", input=question.asked, output=output, error=failure,
            start_time=from_ms(start), end_time=from_ms(exchange.ended),
            metadata={"prompt": exchange.version.name, "topic": question.topic, **exchange.about},
            scores=[_holds_fact(question)] if exchange.scored else None,
        ),
        SpanDraft(
            id=looking, trace_id=trace_id, parent_span_id=root, name="search help pages", input=question.asked,
            output=[f"help/{question.topic}#{index}" for index in range(1, 4)],
            start_time=from_ms(start + 5), end_time=from_ms(start + 5 + searched), metadata={"pages": 3},
        ),
        SpanDraft(
            id=writing, trace_id=trace_id, parent_span_id=root, name="write answer", output=output, error=failure,
            input={"prompt": exchange.version.prompt, "question": question.asked},
            start_time=from_ms(start + 10 + searched), end_time=from_ms(exchange.ended - 5),
            model=random.choice(exchange.models), tokens_input=random.randint(240, 900),
            tokens_output=None if failure else len(answered.text.split()) * 2,
            scores=[_grounded(grounded, exchange)] if exchange.scored and not failure else None,
        ),
    ]  # fmt: skip


def _holds_fact(question: DemoQuestion) -> InlineScoreDraft:
    """Whether the answer has the fact of the help pages in it."""
    return InlineScoreDraft(scorer_name="holds_fact", scorer="contains", config={"expected_output": question.right})


def drawn_grounded(random: Random, answered: Answered) -> float:
    """How much of an answer the pages say that were found; it may be wrong all the same."""
    return round(random.uniform(0.75, 1.0) if answered.right else random.uniform(0.55, 0.95), 2)


def _grounded(grounded: float, exchange: Exchange) -> InlineScoreDraft:
    value = round(grounded * STALE, 2) if exchange.stale else grounded
    return InlineScoreDraft(scorer_name="grounded", value=value)


def mixed_models(random: Random) -> Sequence[str]:
    """Three models to choose from, now and then with a rarer one among them."""
    return USUAL if random.random() < 0.6 else random.sample(_MIXED, 3)
