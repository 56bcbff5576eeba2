"""A project's own prices of models: they come before the price table, and price what is in no table."""

from datetime import date

from gnomon.llm.prices import DatedPrices, OwnPrices, TokenPrice
from gnomon.model.prices import ModelPrice, Prices, PricesDraft
from gnomon.service.access import projects
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
    rows = [
        ModelPriceRow(
            project_id, **price.model_dump(exclude={"since"}), updated_at=now,
            since="" if price.since is None else price.since.isoformat(),
        )
        for price in draft.prices
    ]  # fmt: skip
    models.set_prices(call.db, project_id, rows)
    return _noun(call, project_id)


def own(call: Call, project_id: str) -> OwnPrices:
    """Model → its prices in this project, as `llm.prices.price_of` takes them."""
    rows: dict[str, list[tuple[date | None, TokenPrice]]] = {}
    for row in models.prices(call.db, project_id):
        price = TokenPrice.per_million(
            row.input_usd_per_million, row.output_usd_per_million, row.cached_input_usd_per_million
        )
        rows.setdefault(row.model, []).append((_day(row), price))
    return {model: DatedPrices.since(dated) for model, dated in rows.items()}


def _day(row: ModelPriceRow) -> date | None:
    return date.fromisoformat(row.since) if row.since else None


def _noun(call: Call, project_id: str) -> Prices:
    return Prices(
        project_id=project_id,
        prices=[
            ModelPrice(
                model=row.model,
                input_usd_per_million=row.input_usd_per_million,
                output_usd_per_million=row.output_usd_per_million,
                cached_input_usd_per_million=row.cached_input_usd_per_million,
                since=_day(row),
            )
            for row in models.prices(call.db, project_id)
        ],
    )
