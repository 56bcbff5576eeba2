"""What type checkers see of traced functions. mypy reads this file; nothing runs it."""

from collections.abc import AsyncIterator, Callable, Iterator
from typing import assert_type

import gnomon as gn
from gnomon.sdk.runtraces import RunTraces
from gnomon.sdk.spans import ActiveSpan
from gnomon.service.evaluation.traced import Tracing


@gn.trace
def answer(question: str, *, limit: int = 3) -> str:
    return question[:limit]


@gn.trace(name="look up", metadata={"source": "wiki"}, redact=lambda value: value)
async def look_up(term: str) -> dict[str, int]:
    return {term: 1}


@gn.trace
def chunks(text: str) -> Iterator[str]:
    yield text


@gn.trace
async def parts(text: str) -> AsyncIterator[str]:
    yield text


class Agent:
    @gn.trace
    def run(self, goal: str) -> int:
        return len(goal)

    @gn.trace
    @staticmethod
    def make(size: int) -> "Agent":
        return Agent()

    @classmethod
    @gn.trace
    def named(cls, name: str) -> "Agent":
        return cls()


async def traced_functions_keep_their_types(agent: Agent) -> None:
    assert_type(answer("where", limit=2), str)
    assert_type(await look_up("Rome"), dict[str, int])
    assert_type(chunks("a"), Iterator[str])
    assert_type(parts("a"), AsyncIterator[str])
    assert_type(agent.run("go"), int)
    assert_type(Agent.make(3), Agent)
    assert_type(Agent.named("a"), Agent)
    function: Callable[[str], str] = answer
    function("where")


async def spans_are_typed() -> None:
    with gn.span("a", input=1) as span:
        assert_type(span, ActiveSpan)
    async with gn.span("b", metadata={"k": 1}) as span:
        span.score("helpful", gn.Scored(0.5))
    assert_type(gn.current_span(), ActiveSpan)
    assert_type(gn.flush(timeout=3), bool)
    assert_type(gn.instrument(), list[str])


def the_traces_of_runs_are_what_an_evaluation_needs(traces: RunTraces) -> Tracing:
    return traces


def wrong_calls_are_noticed(agent: Agent) -> None:
    answer(3)  # type: ignore[arg-type]
    answer("a", depth=1)  # type: ignore[call-arg]
    agent.run()  # type: ignore[call-arg]
    gn.trace(name=3)  # type: ignore[call-overload]
    gn.span()  # type: ignore[call-arg]
    gn.score("helpful")  # type: ignore[call-arg]
