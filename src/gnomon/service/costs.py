"""What spans cost: tokens times the price that held when they began. A price that nobody states is unknown."""

from gnomon.llm.prices import OwnPrices, Tokens, cost_of
from gnomon.llm.reported import price_of_reported
from gnomon.model.moment import from_ms
from gnomon.service import prices
from gnomon.service.call import Call


class Costs:
    """Costs in one project. Its own prices are read once, when the first span with tokens comes."""

    def __init__(self, call: Call, project_id: str) -> None:
        self._call, self._project_id = call, project_id
        self._own: OwnPrices | None = None

    def of(self, model: str | None, provider: str | None, tokens: Tokens, started_ms: int) -> float | None:
        """US dollars for a model call; None when the model has no known price."""
        if model is None:
            return None
        if self._own is None:
            self._own = prices.own(self._call, self._project_id)
        return cost_of(tokens, price_of_reported(model, provider, self._own, from_ms(started_ms)))
