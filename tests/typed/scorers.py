"""What type checkers see of scorers. mypy reads this file; nothing runs it."""

import gnomon as gn
from gnomon.model.score import ScorerSpec
from gnomon.service.evaluation.binding import FunctionScorer


def scorers_are_specifications() -> list[ScorerSpec]:
    return [gn.exact_match(case_sensitive=False), gn.llm_judge("openai/judge", "{{input}} {{output}}", labels=["a"])]


@gn.scorer
def brief(output: str) -> bool:
    return len(output) < 80


@gn.scorer(name="style", version="2")
def look(output: str) -> dict[str, gn.Scored | gn.Absent]:
    return {"tone": gn.Scored(0.5, rationale="half"), "date": gn.Absent("no date")}


def decorated_functions_are_scorers() -> list[FunctionScorer]:
    return [brief, look]


def wrong_types_are_noticed() -> None:
    gn.exact_match(case_sensitive="no")  # type: ignore[arg-type]
    gn.tool_calls(mode="some")  # type: ignore[arg-type]
    gn.rubric("file.yaml")  # type: ignore[call-arg]
