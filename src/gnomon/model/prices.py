"""A project's own prices of models."""

from collections import Counter
from datetime import date
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

from gnomon.model.fields import Draft, Noun

MOST_PRICES = 1000
UsdPerMillion = Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)]


def _as_day(value: Any) -> Any:
    if isinstance(value, str):
        try:
            return date.fromisoformat(value)
        except ValueError:
            raise ValueError(f"{value[:30]!r} is not a date; write it as YYYY-MM-DD") from None
    return value


Day = Annotated[date, BeforeValidator(_as_day)]
ModelName = Annotated[
    str, StringConstraints(max_length=200, pattern=r"^[A-Za-z0-9][A-Za-z0-9._:@+-]*(/[A-Za-z0-9][A-Za-z0-9._:@+-]*)*$")
]


class ModelPriceDraft(Draft):
    model: ModelName = Field(description="As judges name it: `openai/gpt-4o`, or the model alone")
    input_usd_per_million: UsdPerMillion = Field(description="US dollars for a million tokens of input")
    output_usd_per_million: UsdPerMillion = Field(description="US dollars for a million tokens of output")
    cached_input_usd_per_million: UsdPerMillion | None = Field(
        default=None, description="Of input that the provider had cached; as other input when left out"
    )
    since: Day | None = Field(
        default=None, description="The day (UTC) from which on it holds; always when left out. A model may have several"
    )


def _each_model_once(prices: list[ModelPriceDraft]) -> list[ModelPriceDraft]:
    for (model, since), times in Counter((price.model, price.since) for price in prices).items():
        if times > 1:
            when = "" if since is None else f" since {since}"
            raise ValueError(f"model {model!r} is there {times} times{when}; give each model one price at a time")
    return prices


class PricesDraft(Draft):
    """The whole list: a model that is left out has no price of its own any more."""

    prices: Annotated[list[ModelPriceDraft], Field(max_length=MOST_PRICES), AfterValidator(_each_model_once)]


class ModelPrice(Noun):
    model: str
    input_usd_per_million: float
    output_usd_per_million: float
    cached_input_usd_per_million: float | None = Field(description="Null: as other input")
    since: date | None = Field(default=None, description="Null: always")


class Prices(Noun):
    project_id: str
    prices: list[ModelPrice] = Field(description="By the name of the model")
