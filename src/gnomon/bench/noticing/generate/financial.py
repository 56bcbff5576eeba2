"""Accounts and prices: small purchases that go with what the person does, and markets that wander."""

from gnomon.bench.noticing.generate.chance import Stream
from gnomon.bench.noticing.generate.fields import Row, tidy
from gnomon.bench.noticing.generate.schedule import Day, ScheduleBlock
from gnomon.bench.noticing.generate.worlds import Setting

_SHARES = (("HLDN", 24150), ("BRKW", 4180), ("TSLO", 11875), ("QVEX", 1960), ("ARMD", 36740))
_COINS = (("BTC", 9_215_000), ("ETH", 318_000))
_OPENS, _CLOSES = 9 * 60 + 30, 16 * 60
# activity: shop, cheapest and dearest in cents, category, chance per mille
_SPENDING = {
    "drive": ("coffee", 420, 780, "coffee", 550),
    "lunch": ("lunch", 1250, 2480, "restaurants", 1000),
    "shopping": ("grocery", 3900, 9800, "groceries", 1000),
    "working": ("online", 990, 4200, "shopping", 350),
    "working_home": ("online", 990, 4200, "shopping", 350),
    "exercise": ("coffee", 260, 520, "snacks", 200),
    "at_home": ("grocery", 1400, 3600, "groceries", 300),
}


def rows(seed: int, day: Day, setting: Setting) -> list[Row]:
    draw = Stream(seed, "financial")
    symbol = setting.world.currency
    bought = {beat: item for block in day.blocks for beat, item in _purchases(draw, block, setting)}
    recent = [_transaction(*item) for item in _yesterday(draw, setting)]
    balance, budget = draw.whole(390_000, 720_000), draw.whole(20, 32) * 10_000
    spent = draw.whole(budget // 5, budget // 2)
    shares = [price * draw.real(0.9, 1.1) for _, price in _SHARES]
    coins = [price * draw.real(0.9, 1.1) for _, price in _COINS]
    pending = [(setting.world.shops["fuel"], draw.whole(2900, 5900)), ("Streamhouse", 1599)]
    booked = draw.whole(30, 55)
    readings: list[Row] = []
    for beat, time in enumerate(day.times):
        if beat in bought:
            recent = [*recent, _transaction(*bought[beat])][-3:]
            balance += bought[beat][1]
            spent -= min(bought[beat][1], 0)
        opened = _OPENS <= 60 * time.hour + time.minute < _CLOSES
        moves = [draw.bell(0.0008) for _ in shares]
        if opened:
            shares = [price * (1 + move) for price, move in zip(shares, moves, strict=True)]
        coins = [price * (1 + draw.bell(0.002)) for price in coins]
        readings.append(
            {
                "last_3_transactions": recent,
                "account_balance": balance / 100,
                "pending_charges": [
                    {"merchant": name, "amount": cents / 100} for name, cents in pending[0 if beat < booked else 1 :]
                ],
                "stock_watchlist": _prices(_SHARES, shares),
                "crypto_prices": _prices(_COINS, coins),
                "spending_vs_budget": f"{symbol}{spent // 1000 * 10:,} of {symbol}{budget // 100:,} monthly budget"
                f" ({100 * spent // budget}%)",
            }
        )
    return [tidy("financial", row) for row in readings]


_Item = tuple[str, int, str]
"""Who, cents, category."""


def _transaction(counterparty: str, cents: int, category: str) -> Row:
    return {"counterparty": counterparty, "amount": cents / 100, "category": category}


def _prices(listed: tuple[tuple[str, int], ...], cents: list[float]) -> list[Row]:
    return [{"symbol": name, "price": round(now) / 100} for (name, _), now in zip(listed, cents, strict=True)]


def _purchases(draw: Stream, block: ScheduleBlock, setting: Setting) -> list[tuple[int, _Item]]:
    """At most one purchase per block, so that no two fall on a beat."""
    shop, cheap, dear, category, chance = _SPENDING.get(block.activity, ("coffee", 300, 600, "coffee", 0))
    cents, beat, happens = draw.whole(cheap, dear), draw.whole(block.start, block.end - 1), draw.chance(chance)
    return [(beat, (setting.world.shops[shop], -cents, category))] if happens else []


def _yesterday(draw: Stream, setting: Setting) -> list[_Item]:
    shops = setting.world.shops
    return [
        (shops["grocery"], -draw.whole(2900, 8600), "groceries"),
        (shops["pharmacy"], -draw.whole(600, 2400), "personal care"),
        draw.pick([(shops["refund"], draw.whole(1900, 5900), "refund"), (shops["online"], -2250, "shopping")]),
    ]
