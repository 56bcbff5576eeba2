"""Prices of models as instrumentations name them, in `gen_ai.response.model` and `gen_ai.provider.name`."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.llm.prices import DatedPrices, TokenPrice, price_of
from gnomon.llm.reported import price_of_reported

AT = datetime(2026, 10, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("model", "provider", "listed"),
    [
        ("gpt-4o-2024-08-06", "openai", "openai/gpt-4o-2024-08-06"),
        ("gpt-4o-2099-08-06", "openai", "openai/gpt-4o"),
        ("gpt-4o-mini", "openai.chat", "openai/gpt-4o-mini"),
        ("GPT-4o-mini", "OpenAI", "openai/gpt-4o-mini"),
        ("openai/gpt-4o", "openai", "openai/gpt-4o"),
        ("ft:gpt-4o-mini-2024-07-18:acme::abc", "openai", "openai/ft:gpt-4o-mini-2024-07-18"),
        ("gpt-4o", None, "openai/gpt-4o"),
        ("gpt-4o", "Langchain", "openai/gpt-4o"),
        ("gpt-4o", "_OTHER", "openai/gpt-4o"),
        ("gpt-4o-2024-08-06", "azure.ai.openai", "azure/gpt-4o-2024-08-06"),
        ("gpt-4o", "az.ai.openai", "azure/gpt-4o"),
        ("azure/gpt-4o", None, "azure/gpt-4o"),
        ("claude-sonnet-4-20250514", "anthropic", "anthropic/claude-sonnet-4-20250514"),
        ("claude-sonnet-4-5-20250929", "anthropic.messages", "anthropic/claude-sonnet-4-5"),
        ("claude-sonnet-4@20250514", "gcp.vertex_ai", "vertex_ai/claude-sonnet-4@20250514"),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "aws.bedrock",
         "bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0"),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", None,
         "bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0"),
        ("arn:aws:bedrock:us-east-1::foundation-model/amazon.nova-lite-v1:0", "aws_bedrock",
         "bedrock/amazon.nova-lite-v1:0"),
        ("models/gemini-2.5-flash", "gcp.gemini", "gemini/gemini-2.5-flash"),
        ("publishers/google/models/gemini-2.5-flash", "gcp.vertex_ai", "vertex_ai/gemini-2.5-flash"),
        ("gemini-2.5-pro", "gcp.gen_ai", "gemini/gemini-2.5-pro"),
        ("mistral-large-latest", "mistral_ai", "mistral/mistral-large-latest"),
        ("openai/gpt-oss-120b", "groq", "groq/openai/gpt-oss-120b"),
        ("deepseek-chat", "deepseek", "deepseek/deepseek-chat"),
        ("grok-4.3", "x_ai", "xai/grok-4.3"),
        ("command-r-08-2024", "cohere", "cohere/command-r-08-2024"),
        ("gpt-3.5-turbo-instruct", "openai", "text-completion-openai/gpt-3.5-turbo-instruct"),
    ],
)  # fmt: skip
def test_a_model_is_found_as_instrumentations_name_it(model: str, provider: str | None, listed: str) -> None:
    price = price_of_reported(model, provider, at=AT)
    assert price is not None
    assert price == price_of(listed, at=AT)


@pytest.mark.parametrize(
    ("model", "provider"),
    [
        ("octopus", None), ("octopus", "openai"), ("gpt-4o", "my-gateway"), ("meta-llama/Llama-3", None), ("", None),
        ("", "openai"), ("llama-3.3-70b", None), ("accounts/fireworks/models/x", "openai"), ("/", "/"),
        ("gpt-4o", "groq"), ("m" * 10_000, "openai"), ("gpt-4o", "p" * 10_000),
    ],
)  # fmt: skip
def test_what_is_not_known_for_certain_has_no_price(model: str, provider: str | None) -> None:
    assert price_of_reported(model, provider) is None


def test_a_span_is_not_priced_by_the_environment_of_its_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    price = price_of_reported("claude-sonnet-4-5", None)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert price_of_reported("claude-sonnet-4-5", None) == price
    assert price is not None
    assert price_of_reported("deepseek-chat", None) == price_of_reported("deepseek-chat", "deepseek")


OWN = TokenPrice.per_million(7, 8)


@pytest.mark.parametrize(
    ("stated", "model", "provider"),
    [
        ("gpt-4o", "gpt-4o", "openai"), ("gpt-4o", "gpt-4o-2024-08-06", "openai"), ("openai/gpt-4o", "gpt-4o", None),
        ("openai/gpt-4o", "gpt-4o-2024-08-06", "openai"), ("azure/my-deployment", "my-deployment", "azure.ai.openai"),
        ("my-llama", "my-llama", "openai"), ("my-llama", "my-llama", None), ("acme/my-llama", "my-llama", "acme"),
        ("meta-llama/Llama-3", "meta-llama/Llama-3", "openai"), ("bedrock/amazon.nova-lite-v1:0",
         "arn:aws:bedrock:us-east-1::foundation-model/amazon.nova-lite-v1:0", "aws.bedrock"),
    ],
)  # fmt: skip
def test_a_price_of_the_project_goes_first_however_the_span_names_the_model(
    stated: str, model: str, provider: str | None
) -> None:
    assert price_of_reported(model, provider, {stated: OWN}) == OWN


@pytest.mark.parametrize(
    ("stated", "model", "provider"),
    [("gpt-4o", "gpt-4o", "azure"), ("openai/gpt-4o", "gpt-4o", "azure"), ("groq/llama", "llama", "openai")],
)
def test_a_price_of_the_project_does_not_hold_for_another_provider(
    stated: str, model: str, provider: str | None
) -> None:
    assert price_of_reported(model, provider, {stated: OWN}) == price_of_reported(model, provider)


def test_a_dated_name_goes_before_its_base_among_the_projects_prices() -> None:
    own = {"gpt-4o": TokenPrice.per_million(1, 1), "gpt-4o-2024-08-06": OWN}
    assert price_of_reported("gpt-4o-2024-08-06", "openai", own) == OWN


def test_a_span_is_priced_by_its_own_day() -> None:
    past = price_of_reported("o3", "openai", at=datetime(2025, 5, 1, tzinfo=UTC))
    assert past == price_of("openai/o3", at=datetime(2025, 5, 1, tzinfo=UTC)) != price_of("openai/o3")
    own = {"o3": DatedPrices.since([(date(2025, 5, 2), OWN)])}
    assert price_of_reported("o3", "openai", own, datetime(2025, 5, 1, tzinfo=UTC)) == past
    assert price_of_reported("o3", "openai", own, datetime(2025, 5, 2, tzinfo=UTC)) == OWN


@given(st.text(max_size=300), st.none() | st.text(max_size=50))
def test_any_text_is_a_name_that_may_be_asked_for(model: str, provider: str | None) -> None:
    price = price_of_reported(model, provider, {"x": OWN})
    assert price is None or price.rates.input >= 0
