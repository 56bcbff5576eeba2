"""pydantic-evals: `Dataset.evaluate_sync`. It stores nothing; the report is in memory."""

from dataclasses import dataclass

from common import contains, report
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import Evaluator, EvaluatorContext


@dataclass
class ExactMatch(Evaluator[str, str, None]):
    def evaluate(self, ctx: EvaluatorContext[str, str, None]) -> float:
        return float(ctx.output == ctx.expected_output)


@dataclass
class Contains(Evaluator[str, str, None]):
    def evaluate(self, ctx: EvaluatorContext[str, str, None]) -> float:
        return contains(ctx.output, ctx.expected_output or "")


def task(input: str) -> str:
    return input


def evaluate(items: list[dict[str, str]]) -> float:
    cases = [Case(inputs=item["input"], expected_output=item["expected_output"]) for item in items]
    dataset = Dataset(name="bench", cases=cases, evaluators=[ExactMatch(), Contains()])
    found = dataset.evaluate_sync(task, progress=False, max_concurrency=16).averages()
    assert found is not None
    return float(found.scores["ExactMatch"])


if __name__ == "__main__":
    report("pydantic-evals", evaluate)
