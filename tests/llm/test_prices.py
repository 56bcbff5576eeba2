"""What a call costs, by our own arithmetic over LiteLLM's price table, held against LiteLLM's own figures."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.llm import litellm_transport, prices
from gnomon.llm.prices import MOST_TOKENS, Price, Rates, Tokens, price_of

pytestmark = [pytest.mark.xdist_group("llm"), pytest.mark.filterwarnings("ignore:.*`ReadOnly` qualifier")]

CALLS = [
    Tokens(1000, 100, cached=300, reasoning=50),
    Tokens(150_000, 100),
    Tokens(250_000, 70, cached=1000),
    Tokens(600_000, 70, cached=1000, reasoning=20),
]
ODD: dict[str, Callable[[str, dict[str, Any]], bool]] = {
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
    litellm = litellm_transport.load()
    compared, skipped = 0, Counter[str]()
    for number, (key, raw) in enumerate(prices._table().items()):
        row = msgspec.json.decode(raw)
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
        assert price is not None, key
        for tokens in _calls(row, price):
            assert price.cost(tokens) == pytest.approx(theirs(litellm, provider, name, tokens), rel=1e-9), (key, tokens)
            compared += 1
    assert compared > 1000
    assert sum(skipped.values()) < 100, skipped


def _calls(row: dict[str, Any], price: Price) -> list[Tokens]:
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
    own = {"gpt-4o": Price.per_million(1, 2), "groq/llama-3": Price.per_million(3, 4)}
    assert price_of("openai/gpt-4o", own) == price_of("gpt-4o", own) == own["gpt-4o"]
    assert price_of("groq/llama-3", own) == own["groq/llama-3"]
    assert price_of("openai/llama-3", own) is None, "another provider's"
    assert price_of("groq/gpt-4o", own) is None, "another provider's"


def test_at_a_server_of_ones_own_a_bare_name_is_that_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    own = {"llama-3": Price.per_million(1, 2)}
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
    assert prices._read(row, "openai") is None


def test_without_litellm_no_price_is_known_and_reading_prices_does_not_load_it() -> None:
    code = (
        "import sys\nfrom gnomon.llm.prices import price_of\n"
        "print(price_of('gpt-4o') is not None, 'litellm' in sys.modules)\n"
    )
    gone = (
        "import sys\nsys.modules['litellm'] = None\nfrom gnomon.llm.prices import price_of\nprint(price_of('gpt-4o'))\n"
    )
    environment = {name: value for name, value in os.environ.items() if name != "OPENAI_BASE_URL"}
    for source, shown in ((code, "True False\n"), (gone, "None\n")):
        done = subprocess.run(
            [sys.executable, "-c", source], env=environment, capture_output=True, text=True, timeout=60
        )
        assert done.stdout == shown, done.stderr
