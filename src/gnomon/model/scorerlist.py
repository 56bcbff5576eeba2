"""The scorers that have scores in a project."""

from typing import Literal

from pydantic import Field

from gnomon.model.fields import Noun
from gnomon.model.moment import Moment
from gnomon.model.score import TargetType

ScoreKind = Literal["numbers", "labels", "mixed"]


class ScorerInUse(Noun):
    """A scorer by name, over all of its configurations."""

    name: str
    target_types: list[TargetType] = Field(description="What its scores are about")
    gives: ScoreKind
    n: int = Field(description="Scores")
    last_used: Moment = Field(
        description="The latest of: when the newest experiment with its scores was made, the day on which the newest "
        "span with a number of it began, and when its newest other score was made"
    )
    is_judge: bool = Field(description="Some of its scores come from a model that was asked here")
    is_human: bool = Field(description="Some of its scores come from people")
