"""A project's own prices of models: they come before the price table, and price what is in no table."""

from collections.abc import Mapping

from gnomon.llm.prices import Price
from gnomon.model.prices import ModelPrice, Prices, PricesDraft
from gnomon.service import projects
from gnomon.service.call import Call
from gnomon.store import models
from gnomon.store.rows import ModelPriceRow


def get(call: Call, project_id: str) -> Prices:
    projects.get(call, project_id)
    return _noun(call, project_id)


def put(call: Call, project_id: str, draft: PricesDraft) -> Prices:
    """Replace the whole list. It holds from the next call to a model on."""
    projects.get(call, project_id)
    now = call.clock.now()
    rows = [ModelPriceRow(project_id, **price.model_dump(), updated_at=now) for price in draft.prices]
    models.set_prices(call.db, project_id, rows)
    return _noun(call, project_id)


def own(call: Call, project_id: str) -> Mapping[str, Price]:
    """Model → its price in this project, as `llm.prices.price_of` takes them."""
    return {
        row.model: Price.per_million(
            row.input_usd_per_million, row.output_usd_per_million, row.cached_input_usd_per_million
        )
        for row in models.prices(call.db, project_id)
    }


def _noun(call: Call, project_id: str) -> Prices:
    return Prices(
        project_id=project_id,
        prices=[
            ModelPrice(
                model=row.model,
                input_usd_per_million=row.input_usd_per_million,
                output_usd_per_million=row.output_usd_per_million,
                cached_input_usd_per_million=row.cached_input_usd_per_million,
            )
            for row in models.prices(call.db, project_id)
        ],
    )
