"""One call to a judge's model, as workers, probes and commands make it."""

from collections.abc import Awaitable
from dataclasses import replace
from typing import Any, Protocol

from gnomon.llm.ask import Answer, ask, ask_structured
from gnomon.llm.prices import OwnPrices
from gnomon.model.jsonvalue import canonical
from gnomon.scorers import ModelScorer
from gnomon.scorers.asking import Prompt


class Ask(Protocol):
    """One call to a judge's model; `prices` are the project's own, which go before the price table's."""

    def __call__(self, judge: ModelScorer, prompt: Prompt, prices: OwnPrices, /) -> Awaitable[Answer]: ...


async def ask_judge(judge: ModelScorer, prompt: Prompt, prices: OwnPrices, /, *, timeout: float = 60.0) -> Answer:
    """Ask the judge's model: for text, or for the fields of a structured answer, which are kept as JSON."""
    how: dict[str, Any] = {
        "system": prompt.system, "temperature": judge.temperature, "timeout": timeout, "prices": prices,
    }  # fmt: skip
    if judge.shape is None:
        return await ask(judge.model, prompt.text, **how)
    model, answer = await ask_structured(judge.model, prompt.text, judge.shape, **how)
    return replace(answer, text=canonical(model.model_dump(mode="json")))
