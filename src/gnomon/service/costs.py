"""What spans cost: tokens times the price that held when they began. A price that nobody states is unknown."""

from gnomon.llm.prices import Tokens, price_of
from gnomon.service import prices
from gnomon.service.call import Call


class Costs:
    """Costs in one project. Its own prices are read once, when the first span with tokens comes."""

    def __init__(self, call: Call, project_id: str) -> None:
        self._call, self._project_id = call, project_id
        self._own: object = None

    def of(self, model: str | None, provider: str | None, tokens: Tokens, started_ms: int) -> float | None:
        """US dollars for a model call; None when the model has no price."""
        if model is None:
            return None
        if self._own is None:
            self._own = prices.own(self._call, self._project_id)
        price = price_of(model, self._own)  # type: ignore[arg-type]
        return None if price is None else price.cost(tokens)
