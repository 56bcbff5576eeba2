"""What spans cost: tokens times the price that held when they began. Without a price the cost is unknown."""

from gnomon.llm.prices import OwnPrices, TokenPrice, Tokens, cost_of
from gnomon.llm.reported import price_of_reported
from gnomon.model.moment import from_ms
from gnomon.service.call import Call
from gnomon.service.judges import prices

_DAY_MS = 86_400_000


class SpanCosts:
    """Costs in one project. Its own prices are read once, when the first span with tokens comes."""

    def __init__(self, call: Call, project_id: str) -> None:
        self._call, self._project_id = call, project_id
        self._own: OwnPrices | None = None
        self._known: dict[tuple[str, str | None, int], TokenPrice | None] = {}
        """Prices by model, provider and day: they change at midnight, and a batch has few of them."""

    def of(self, model: str | None, provider: str | None, tokens: Tokens, started_ms: int) -> float | None:
        """US dollars for a model call; None when the model has no known price."""
        if model is None:
            return None
        key = (model, provider, started_ms // _DAY_MS)
        if key not in self._known:
            self._known[key] = self._price(model, provider, started_ms)
        return cost_of(tokens, self._known[key])

    def _price(self, model: str, provider: str | None, started_ms: int) -> TokenPrice | None:
        if self._own is None:
            self._own = prices.own(self._call, self._project_id)
        return price_of_reported(model, provider, self._own, from_ms(started_ms))
