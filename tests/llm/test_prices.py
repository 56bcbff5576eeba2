"""What a call costs, by our own arithmetic over the table that is shipped, held against LiteLLM's own figures."""

import os
import runpy
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.llm import litellm_transport, prices, pricetable
from gnomon.llm.prices import MOST_TOKENS, DatedPrices, Rates, TokenPrice, Tokens, cost_of, price_of

pytestmark = pytest.mark.filterwarnings("ignore:.*`ReadOnly` qualifier")

MAKER = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "make_prices.py"))
CALLS = [
    Tokens(1000, 100, cached=300, reasoning=50),
    Tokens(150_000, 100),
    Tokens(250_000, 70, cached=1000),
    Tokens(600_000, 70, cached=1000, reasoning=20),
]
ODD: dict[str, Callable[[str, dict[str, Any]], bool]] = {
    "speech, which has other prices": lambda key, row: "output_cost_per_audio_token" in row,
    "rates by the hour": lambda key, row: "off_peak_pricing" in row,
    "prices per second, page or request": lambda key, row: not {"input_cost_per_token", "tiered_pricing"} & row.keys(),
    "a class of sizes, not a model": lambda key, row: "together-ai-" in key,
    "found by LiteLLM under another provider's name": lambda key, row: key.startswith(
        ("vertex_ai/xai/", "vertex_ai/openai/")
    ),
}
"""What is not compared, and why LiteLLM's figure is another."""
ASKED_AS = {"bedrock_converse": "bedrock"}


def theirs(litellm: Any, provider: str, name: str, tokens: Tokens) -> float | None:
    from litellm.types.utils import CompletionTokensDetailsWrapper, ModelResponse, PromptTokensDetailsWrapper, Usage

    usage = Usage(
        prompt_tokens=tokens.input,
        completion_tokens=tokens.output,
        total_tokens=tokens.input + tokens.output,
        prompt_tokens_details=PromptTokensDetailsWrapper(cached_tokens=tokens.cached) if tokens.cached else None,
        completion_tokens_details=(
            CompletionTokensDetailsWrapper(reasoning_tokens=tokens.reasoning) if tokens.reasoning else None
        ),
    )
    response = ModelResponse(model=name, usage=usage)
    cost: float = litellm.completion_cost(completion_response=response, model=name, custom_llm_provider=provider)
    return cost


def test_our_figures_are_litellms_over_its_table() -> None:
    """Cost is computed by our code for both transports, and agrees with LiteLLM's own for the models it lists."""
    _skip_if_another_litellm_is_installed()
    litellm = litellm_transport.load()
    compared, skipped = 0, Counter[str]()
    for number, (key, row) in enumerate(MAKER["litellm_table"]().items()):
        # LiteLLM takes its time; a third of the plain rows, and all with something special about them.
        if number % 3 and not (
            set(row) & {"tiered_pricing", "output_cost_per_reasoning_token"} or "_above_" in str(row)
        ):
            continue
        if row.get("mode") not in ("chat", "completion", "embedding"):
            continue
        if odd := next((why for why, is_odd in ODD.items() if is_odd(key, row)), None):
            skipped[odd] += 1
            continue
        listed = row["litellm_provider"]
        provider = ASKED_AS.get(listed, listed.partition("_ai-")[0] + "_ai" if "_ai-" in listed else listed)
        name = key.removeprefix(f"{provider}/")
        price = price_of(f"{provider}/{name}")
        if price is None and theirs(litellm, provider, name, CALLS[0]) == 0:
            skipped["a price of 0, which may mean that LiteLLM does not know it"] += 1
            continue
        assert price is not None, key
        for tokens in _calls(row, price):
            assert price.cost(tokens) == pytest.approx(theirs(litellm, provider, name, tokens), rel=1e-9), (key, tokens)
            compared += 1
    assert compared > 1000
    assert sum(skipped.values()) < 150, skipped


def _skip_if_another_litellm_is_installed() -> None:
    if version("litellm") != pricetable.table().version:
        pytest.skip(f"the table is of LiteLLM {pricetable.table().version}, and {version('litellm')} is installed here")


def test_every_price_of_the_installed_litellm_is_in_the_shipped_table_and_no_other_is_listed() -> None:
    _skip_if_another_litellm_is_installed()
    theirs = MAKER["prices"](MAKER["litellm_table"]())
    rows = MAKER["read_rows"](pricetable.FILE)
    assert {key for key, row in rows.items() if row.listed_until is None} == theirs.keys()
    for (provider, name), price in theirs.items():
        listed = pricetable.listed(provider, name)
        assert listed is not None
        assert MAKER["row"](listed.prices[-1]).rates == MAKER["row"](price).rates, (provider, name)
        assert _without_fast(listed.prices[-1]) == _as_written(price), (provider, name)
    assert len(theirs) > 3000


def _without_fast(price: TokenPrice | None) -> Any:
    assert price is not None
    return (price.rates, price.long, tuple(one for one in price.services if one[0] not in pricetable.SERVICES))


def _as_written(price: TokenPrice) -> Any:
    """LiteLLM's price, without the errors in the last place that some of its figures have."""
    return _without_fast(pricetable._price(MAKER["row"](price)))


def _calls(row: dict[str, Any], price: TokenPrice) -> list[Tokens]:
    """Lengths matter only where the table has prices for long prompts."""
    if row["mode"] == "embedding":
        return [Tokens(1000)]
    return CALLS if price.long else CALLS[:1]


@pytest.mark.parametrize(
    ("model", "input", "output"),
    [
        ("gpt-4o-mini", 0.15, 0.60),
        ("openai/gpt-4o-mini", 0.15, 0.60),
        ("OpenAI/gpt-4o-mini", 0.15, 0.60),
        ("openai/GPT-4o-mini", 0.15, 0.60),
        ("openai/gpt-4o-mini-2099-01-31", 0.15, 0.60),
    ],
)
def test_a_model_is_found_by_its_names(model: str, input: float, output: float) -> None:
    price = price_of(model)
    assert price is not None
    assert price.cost(Tokens(1_000_000)) == pytest.approx(input)
    assert price.cost(Tokens(0, 1_000_000)) == pytest.approx(output)


@pytest.mark.parametrize("model", ["openai/loopback-1", "nobody/gpt-4o", "groq/gpt-4o", "octopus", "", "sample_spec"])
def test_a_model_that_is_not_listed_has_no_price_which_is_not_a_price_of_0(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    assert price_of(model) is None


def test_a_price_of_ones_own_goes_first_however_the_model_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    own = {"gpt-4o": TokenPrice.per_million(1, 2), "groq/llama-3": TokenPrice.per_million(3, 4)}
    assert price_of("openai/gpt-4o", own) == price_of("gpt-4o", own) == own["gpt-4o"]
    assert price_of("groq/llama-3", own) == own["groq/llama-3"]
    assert price_of("openai/llama-3", own) is None, "another provider's"
    assert price_of("groq/gpt-4o", own) is None, "another provider's"


def test_at_a_server_of_ones_own_a_bare_name_is_that_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    own = {"llama-3": TokenPrice.per_million(1, 2)}
    assert price_of("openai/llama-3", own) == own["llama-3"]


def test_a_service_tier_has_its_price() -> None:
    price = price_of("gpt-4o")
    assert price is not None
    usual = price.cost(Tokens(1000, 100))
    assert price.cost(Tokens(1000, 100), "priority") > usual
    assert price.cost(Tokens(1000, 100), "default") == price.cost(Tokens(1000, 100), "unheard of") == usual


counts = st.integers(0, MOST_TOKENS)
rates = st.floats(0, prices.MOST_USD_PER_TOKEN)
some_rates = st.builds(Rates, rates, rates, st.none() | rates, st.none() | rates, st.none() | rates)


@given(some_rates, st.builds(Tokens, counts, counts, counts, counts, counts))
def test_a_cost_is_finite_and_never_negative_whatever_is_counted(some: Rates, tokens: Tokens) -> None:
    assert 0 <= some.cost(tokens) <= 2 * MOST_TOKENS * prices.MOST_USD_PER_TOKEN * 1.01


@given(some_rates, st.builds(Tokens, counts, counts))
def test_tokens_that_are_neither_cached_nor_reasoned_cost_the_plain_rates(some: Rates, tokens: Tokens) -> None:
    assert some.cost(tokens) == pytest.approx(tokens.input * some.input + tokens.output * some.output)


@pytest.mark.parametrize(
    "row",
    [{}, {"input_cost_per_token": -1}, {"input_cost_per_token": "1e-6"}, {"input_cost_per_token": True},
     {"input_cost_per_token": 2}, {"tiered_pricing": "x"}, {"tiered_pricing": [{"range": [0]}]},
     {"tiered_pricing": [1]}],
    ids=str,
)  # fmt: skip
def test_a_row_that_makes_no_sense_is_no_price(row: dict[str, Any]) -> None:
    assert MAKER["read"](row, "openai") is None


def test_prices_are_known_without_litellm_and_reading_them_does_not_load_it() -> None:
    code = (
        "import sys\nfrom gnomon.llm.prices import price_of\n"
        "print(price_of('gpt-4o') is not None, 'litellm' in sys.modules)\n"
    )
    environment = {name: value for name, value in os.environ.items() if name != "OPENAI_BASE_URL"}
    for source in (code, f"import sys\nsys.modules['litellm'] = None\ndel sys.modules['litellm']\n{code}"):
        done = subprocess.run([sys.executable, "-c", source], env=environment, capture_output=True, text=True)
        assert done.stdout == "True False\n", done.stderr


# --- prices in time -----

JUNE, JULY = datetime(2025, 6, 1, tzinfo=UTC), datetime(2025, 7, 1, tzinfo=UTC)


def test_a_call_is_priced_by_what_held_on_its_day() -> None:
    past, now = price_of("openai/o3", at=datetime(2025, 5, 1, tzinfo=UTC)), price_of("openai/o3")
    assert past is not None
    assert now is not None
    assert past.cost(Tokens(1_000_000)) == pytest.approx(10)
    assert now.cost(Tokens(1_000_000)) == pytest.approx(2)


def test_what_is_no_longer_listed_keeps_its_last_price() -> None:
    gone = [key for key, row in MAKER["read_rows"](pricetable.FILE).items() if row.listed_until is not None]
    assert gone
    assert all((listed := pricetable.listed(*key)) is not None and listed.at() is not None for key in gone)


def test_prices_of_ones_own_have_days_and_before_the_first_the_table_holds() -> None:
    cheap, dear = TokenPrice.per_million(1, 2), TokenPrice.per_million(3, 4)
    own = {"gpt-4o": DatedPrices.since([(date(2025, 7, 1), dear), (date(2025, 6, 1), cheap)])}
    assert price_of("gpt-4o", own, JUNE - timedelta(seconds=1)) == price_of("gpt-4o", at=JUNE)
    assert price_of("gpt-4o", own, JUNE) == price_of("gpt-4o", own, JULY - timedelta(seconds=1)) == cheap
    assert price_of("gpt-4o", own, JULY) == price_of("gpt-4o", own) == dear


def test_a_day_begins_in_utc_wherever_the_moment_was_written_down() -> None:
    prices = DatedPrices.since([(None, TokenPrice.per_million(1, 1)), (date(2025, 7, 1), TokenPrice.per_million(2, 2))])
    before = datetime(2025, 7, 1, 1, tzinfo=timezone(timedelta(hours=2)))
    assert prices.at(before) == prices.at(datetime(2025, 6, 30, 23)) == prices.prices[0]
    assert prices.at(datetime(2025, 7, 1)) == prices.prices[1]


days = st.dates(date(2000, 1, 1), date(2100, 1, 1))


@given(st.dictionaries(st.none() | days, rates, min_size=1), days)
def test_the_price_of_a_day_is_the_latest_that_had_begun(rows: dict[date | None, float], day: date) -> None:
    prices = DatedPrices.since((since, TokenPrice(Rates(rate, rate))) for since, rate in rows.items())
    begun = [since for since in rows if since is None or since <= day]
    expected = None if not begun else TokenPrice(Rates(*[rows[max(begun, key=lambda since: since or date.min)]] * 2))
    assert prices.at(datetime(day.year, day.month, day.day, 12, tzinfo=UTC)) == expected


# --- renewing the table -----


def test_the_shipped_table_is_small_and_says_where_it_is_from() -> None:
    table = pricetable.table()
    assert pricetable.FILE.stat().st_size < 400_000
    assert table.source.startswith("LiteLLM")
    assert table.date >= date(2026, 10, 21)


def merged(*tables: dict[tuple[str, str], TokenPrice]) -> Any:
    rows: Any = {}
    for month, table in enumerate(tables, 1):
        rows = MAKER["merged"](rows, table, date(2026, month, 1))
    return rows


KEY = ("openai", "m")
ONE, TWO = TokenPrice.per_million(1, 2), TokenPrice.per_million(2, 2)


def test_a_changed_price_keeps_the_one_before_until_that_day(tmp_path: Path) -> None:
    file = tmp_path / "table.json"
    file.write_text(MAKER["text"](merged({KEY: ONE}, {KEY: ONE}, {KEY: TWO}), "9.9", date(2026, 3, 1)))
    row = MAKER["read_rows"](file)[KEY]
    prices = pricetable._read(row)
    assert prices == DatedPrices((ONE, TWO), (datetime(2026, 3, 1, tzinfo=UTC),))


def test_the_file_says_the_same_after_it_was_read_and_written_again() -> None:
    table = pricetable.table()
    written = MAKER["text"](MAKER["read_rows"](pricetable.FILE), table.version, table.date)
    assert written == pricetable.FILE.read_text("utf-8")


def test_reading_the_same_table_once_more_changes_nothing() -> None:
    rows = MAKER["read_rows"](pricetable.FILE)
    now = {key: pricetable._read(row).prices[-1] for key, row in rows.items() if row.listed_until is None}
    without_fast = {key: TokenPrice(*_without_fast(price)) for key, price in now.items()}
    assert MAKER["merged"](rows, without_fast, date(2099, 1, 1)) == rows


@pytest.mark.parametrize(
    "later",
    [TokenPrice.per_million(1, 2, 0.1), TokenPrice.per_million(100, 200)],
    ids=["more is stated", "a slip is mended"],
)
def test_what_is_only_stated_better_is_taken_to_have_held_before(later: TokenPrice) -> None:
    assert merged({KEY: ONE}, {KEY: later})[KEY].past == []


def test_a_model_that_is_left_out_for_a_while_keeps_its_price() -> None:
    assert merged({KEY: ONE}, {})[KEY].listed_until == date(2026, 2, 1)
    assert merged({KEY: ONE}, {}, {})[KEY].listed_until == date(2026, 2, 1)
    assert merged({KEY: ONE}, {}, {KEY: ONE})[KEY] == MAKER["row"](ONE)


# --- sums -----


def test_a_cost_is_not_known_where_tokens_or_price_are_not() -> None:
    assert cost_of(None, ONE) is None
    assert cost_of(Tokens(1), None) is None
    assert cost_of(Tokens(1_000_000, 1_000_000), ONE) == pytest.approx(3)
    assert cost_of(Tokens(0), ONE) == 0.0
