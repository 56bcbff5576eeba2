"""Names: whose they are, whether this environment allows them, and that none of them chooses a host."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.extras import install_command
from gnomon.llm.providers import KEYS, ModelEndpoint, endpoint, family, not_installed, resolve, transport_name, why_not
from gnomon.settings import from_environment

OPENAI = {"OPENAI_API_KEY": "k"}
LOCAL = {"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}


@pytest.mark.parametrize("provider", KEYS)
def test_a_provider_is_available_when_its_variable_is_set_and_only_then(provider: str) -> None:
    for variable in KEYS[provider]:
        assert why_not(f"{provider}/some-model", {variable: "k"}) is None
    reason = why_not(f"{provider}/some-model", {})
    assert reason is not None
    assert all(variable in reason for variable in KEYS[provider])


def test_a_base_url_makes_openai_available_without_a_key() -> None:
    assert why_not("openai/anything", LOCAL) is None


@pytest.mark.parametrize(
    ("model", "provider"),
    [
        ("gpt-4o", "openai"),
        ("o3-mini", "openai"),
        ("o1", "openai"),
        ("claude-3-5-sonnet-20241022", "anthropic"),
        ("gemini-2.0-flash", "gemini"),
        ("mistral-large-latest", "mistral"),
        ("command-r-plus", "cohere"),
        ("deepseek-chat", "deepseek"),
        ("grok-3", "xai"),
    ],
)
def test_a_bare_name_goes_to_its_maker_and_with_a_base_url_there(model: str, provider: str) -> None:
    assert resolve(model, {}) == (provider, model)
    assert resolve(model, LOCAL) == ("openai", model)
    assert why_not(model, {KEYS[provider][0]: "k"}) is None


@pytest.mark.parametrize(
    ("model", "environ", "found"),
    [
        ("openai/gpt-4o", {}, ("openai", "gpt-4o")),
        ("OpenAI/gpt-4o", {}, ("openai", "gpt-4o")),
        ("openrouter/anthropic/claude-3", {}, ("openrouter", "anthropic/claude-3")),
        ("openai/openai/gpt-oss-20b", LOCAL, ("openai", "openai/gpt-oss-20b")),
        ("meta-llama/Llama-3.1-8B", LOCAL, ("meta-llama", "Llama-3.1-8B")),
        ("openai/meta-llama/Llama-3.1-8B", LOCAL, ("openai", "meta-llama/Llama-3.1-8B")),
        ("anthropic/claude-3", LOCAL, ("anthropic", "claude-3")),
        ("bedrock/x", LOCAL | {"GNOMON_JUDGE_PROVIDERS": "bedrock"}, ("bedrock", "x")),
        ("llama-3", {}, None),
        ("octopus", {}, None),
    ],
)
def test_the_part_before_the_first_slash_is_a_provider(model, environ, found) -> None:
    assert resolve(model, environ) == found


@pytest.mark.parametrize(
    ("model", "environ", "says"),
    [
        ("gpt-4o", {}, "set OPENAI_API_KEY or OPENAI_BASE_URL"),
        ("octopus", {}, "write provider/model, or set OPENAI_BASE_URL"),
        ("bedrock/claude", OPENAI, "list bedrock in GNOMON_JUDGE_PROVIDERS"),
        ("gpt-4o", OPENAI | {"GNOMON_JUDGE_PROVIDERS": "anthropic, groq"}, "add openai to GNOMON_JUDGE_PROVIDERS"),
        ("local", LOCAL | {"GNOMON_JUDGE_PROVIDERS": "anthropic"}, "add openai to GNOMON_JUDGE_PROVIDERS"),
        ("", OPENAI, "write provider/model"),
        ("nonsense/x", LOCAL, "or write openai/nonsense/x for a model of this name at OPENAI_BASE_URL"),
        ("groq/llama-3", LOCAL, "set GROQ_API_KEY, or write openai/groq/llama-3"),
    ],
)
def test_the_reason_is_one_sentence_that_names_the_model_and_the_variable(model, environ, says) -> None:
    reason = why_not(model, environ)
    assert reason is not None
    assert says in reason
    assert repr(model) in reason
    assert "\n" not in reason


def test_listed_providers_are_allowed_without_a_key_variable_that_we_know() -> None:
    assert why_not("bedrock/claude", {"GNOMON_JUDGE_PROVIDERS": " Bedrock ,openai"}) is None


@pytest.mark.parametrize(
    "model",
    [
        "http://evil.example/v1",
        "openai/http://evil.example/v1",
        "huggingface/https://evil.example",
        "openai//evil.example/v1",
        "//evil.example",
        "gemini/../../v1/files",
        "gpt-4o?api_base=x",
        "gpt-4o#x",
        "gpt-4o x",
        "gpt-4o\n",
        "gpt-4o\\x",
        "openai/",
        "/gpt-4o",
        "gpt-4o\x00",
        "ｇpt-4o",
        "x" * 201,
    ],
)
def test_a_name_that_is_not_one_is_refused_whatever_is_allowed(model: str) -> None:
    everything = {"GNOMON_JUDGE_PROVIDERS": "openai,huggingface,gemini", "OPENAI_API_KEY": "k", **LOCAL}
    reason = why_not(model, everything)
    assert reason is not None
    assert len(reason) < 400


@given(st.text(max_size=60) | st.from_regex(r"[a-z/:.@%?#-]{1,30}", fullmatch=True))
def test_no_accepted_name_holds_an_address(model: str) -> None:
    if why_not(model, LOCAL | {"GNOMON_JUDGE_PROVIDERS": "openai,http,https"}) is None:
        assert re.fullmatch(r"[A-Za-z0-9._:@+/-]+", model)
        assert "//" not in model
        assert ".." not in model


@pytest.mark.parametrize(
    ("model", "maker"),
    [
        ("gpt-4o", "openai"),
        ("openai/gpt-4o", "openai"),
        ("azure/gpt-4o", "openai"),
        ("o3", "openai"),
        ("openrouter/anthropic/claude-3.5-sonnet", "anthropic"),
        ("bedrock/anthropic.claude-3-haiku-20240307-v1:0", "anthropic"),
        ("vertex_ai/gemini-1.5-pro", "google"),
        ("gemini/gemma-2-9b", "google"),
        ("groq/llama-3.1-70b", "meta"),
        ("meta-llama/Meta-Llama-3-8B", "meta"),
        ("mixtral-8x7b", "mistral"),
        ("together_ai/Qwen/Qwen2.5-72B", "alibaba"),
        ("azure/my-deployment", "openai"),
        ("acme/tuned-7b", "acme"),
        ("octopus", "octopus"),
        ("", "unknown"),
    ],
)
def test_a_family_is_who_made_the_model_wherever_it_is_served(model: str, maker: str) -> None:
    assert family(model) == maker


@pytest.mark.parametrize(
    ("provider", "environ", "expected"),
    [
        ("openai", {"OPENAI_API_KEY": "k"}, ModelEndpoint("https://api.openai.com/v1", "k")),
        ("openai", {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1/"}, ModelEndpoint("http://127.0.0.1:9/v1", "none")),
        ("openai", {"OPENAI_API_BASE": "http://a/v1", "OPENAI_API_KEY": "k"}, ModelEndpoint("http://a/v1", "k")),
        ("openai", {"OPENAI_API_KEY": "k", "OPENAI_ORG_ID": "o", "OPENAI_PROJECT_ID": "p"},
         ModelEndpoint("https://api.openai.com/v1", "k", {"OpenAI-Organization": "o", "OpenAI-Project": "p"})),
        ("hosted_vllm", {"HOSTED_VLLM_API_BASE": "http://b/v1"}, ModelEndpoint("http://b/v1", "none")),
        ("hosted_vllm", {"HOSTED_VLLM_API_BASE": "http://b", "HOSTED_VLLM_API_KEY": "k"},
         ModelEndpoint("http://b", "k")),
        ("hosted_vllm", {}, None),
        ("anthropic", {"ANTHROPIC_API_KEY": "k"}, None),
        ("groq", {"GROQ_API_KEY": "k"}, None),
    ],
    ids=str,
)  # fmt: skip
def test_an_address_and_its_key_come_from_the_environment_alone(
    provider: str, environ: dict[str, str], expected: ModelEndpoint | None
) -> None:
    assert endpoint(provider, environ) == expected
    assert transport_name(provider, environ) == ("litellm" if expected is None else "openai")
    assert transport_name(provider, environ | {"GNOMON_JUDGE_TRANSPORT": "litellm"}) == "litellm"


def test_no_key_is_shown_with_an_endpoint() -> None:
    assert "secret" not in repr(endpoint("openai", {"OPENAI_API_KEY": "secret"}))


def test_a_provider_that_does_not_speak_openais_protocol_cannot_be_forced_to() -> None:
    forced = {"ANTHROPIC_API_KEY": "k", "GNOMON_JUDGE_TRANSPORT": "openai"}
    assert "set GNOMON_JUDGE_TRANSPORT to auto" in (why_not("claude-3-5-haiku", forced) or "")


def test_a_transport_that_is_none_is_refused_when_a_process_starts() -> None:
    assert from_environment({"GNOMON_JUDGE_TRANSPORT": "LiteLLM"}).judge_transport == "litellm"
    with pytest.raises(InvalidInput, match="GNOMON_JUDGE_TRANSPORT is 'pigeon'; it is auto, openai or litellm"):
        from_environment({"GNOMON_JUDGE_TRANSPORT": "pigeon"})


@pytest.mark.parametrize(
    ("model", "without", "named"),
    [
        ("openai/gpt-4o", "litellm", None),
        ("openai/gpt-4o", "aiohttp", "aiohttp"),
        ("anthropic/claude-3-5-haiku", "litellm", "litellm"),
        ("anthropic/claude-3-5-haiku", "aiohttp", None),
    ],
)
def test_only_the_packages_that_asking_this_model_takes_must_be_there(
    model: str, without: str, named: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gnomon.llm.providers._is_installed", lambda package: package != without)
    reason = not_installed(model, {"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k"})
    if named is None:
        assert reason is None
    else:
        assert reason == f"asking {model!r} needs {named}, not installed here; run: {install_command('judge')}"
