"""Whose model a name means, whether this installation may ask it, and which family it is of.

A name is `provider/model`, or a model alone. All of it is decided from the name and the operator's
environment before anything is loaded or sent, and no name can choose a host: hosts come from the environment.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from typing import Literal, get_args

from gnomon.extras import install_command
from gnomon.shorten import shorten

ALLOWED = "GNOMON_JUDGE_PROVIDERS"
TRANSPORT = "GNOMON_JUDGE_TRANSPORT"
TransportName = Literal["openai", "litellm"]
_PACKAGES: Mapping[TransportName, tuple[str, ...]] = {"openai": ("aiohttp",), "litellm": ("litellm", "instructor")}
BASE_URL = "OPENAI_BASE_URL"

KEYS: Mapping[str, tuple[str, ...]] = {
    "openai": ("OPENAI_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY",),
    "azure": ("AZURE_API_KEY",),
    "cerebras": ("CEREBRAS_API_KEY",),
    "cohere": ("COHERE_API_KEY", "CO_API_KEY"),
    "deepseek": ("DEEPSEEK_API_KEY",),
    "fireworks_ai": ("FIREWORKS_API_KEY", "FIREWORKS_AI_API_KEY"),
    "gemini": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "groq": ("GROQ_API_KEY",),
    "hosted_vllm": ("HOSTED_VLLM_API_BASE",),
    "mistral": ("MISTRAL_API_KEY",),
    "ollama": ("OLLAMA_API_BASE",),
    "openrouter": ("OPENROUTER_API_KEY",),
    "perplexity": ("PERPLEXITYAI_API_KEY",),
    "together_ai": ("TOGETHERAI_API_KEY", "TOGETHER_API_KEY"),
    "xai": ("XAI_API_KEY",),
}
"""Provider → the variables of which one makes it available. Others can be listed in GNOMON_JUDGE_PROVIDERS."""

_OWNERS = (
    (r"gpt|chatgpt|o[1-9]|davinci|text-embedding", "openai", "openai"),
    (r"claude", "anthropic", "anthropic"),
    (r"gemini", "gemini", "google"),
    (r"gemma|palm", None, "google"),
    (r"mistral|ministral|mixtral|codestral|magistral|pixtral|devstral|open-mistral", "mistral", "mistral"),
    (r"command|c4ai|aya", "cohere", "cohere"),
    (r"deepseek", "deepseek", "deepseek"),
    (r"grok", "xai", "xai"),
    (r"sonar", "perplexity", "perplexity"),
    (r"llama|meta-llama", None, "meta"),
    (r"qwen|qwq", None, "alibaba"),
    (r"phi", None, "microsoft"),
    (r"nova|titan", None, "amazon"),
    (r"kimi|moonshot", None, "moonshot"),
    (r"glm", None, "zhipu"),
)
"""How a bare name begins, which provider it goes to (None: several serve it), and whose model it is."""

_BARE = [(re.compile(rf"(?:{names})(?![a-z])"), provider) for names, provider, _ in _OWNERS]
_MADE_BY = [(re.compile(rf"(?:^|[^a-z])(?:{names})(?![a-z])"), maker) for names, _, maker in _OWNERS]
_FAMILY_OF_PROVIDER = {"gemini": "google", "vertex_ai": "google", "azure": "openai", "bedrock": "amazon"}

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@+-]*(?:/[A-Za-z0-9][A-Za-z0-9._:@+-]*)*")
LONGEST_NAME = 200


def why_not(model: str, environ: Mapping[str, str]) -> str | None:
    """Why this model cannot be asked here, in a sentence with the remedy; None when it can."""
    shown = repr(shorten(model, 80))
    if len(model) > LONGEST_NAME or not _NAME.fullmatch(model) or ".." in model:
        return f"model {shown} is not the name of a model; write provider/model, as in openai/gpt-4o, and no address"
    if (resolved := resolve(model, environ)) is None:
        return f"model {shown} does not say whose it is; write provider/model, or set {BASE_URL} for the server"
    provider, _ = resolved
    if (forced := environ.get(TRANSPORT)) and forced.lower() not in ("auto", *get_args(TransportName)):
        return f"{TRANSPORT} is {forced[:20]!r}; it is auto, openai or litellm"
    if transport_name(provider, environ) == "openai" and endpoint(provider, environ) is None:
        return f"model {shown} is {provider}'s, which does not speak OpenAI's protocol; set {TRANSPORT} to auto"
    hint = _hint_at_own_server(model, provider, environ)
    if listed := _listed(environ):
        if provider in listed:
            return None
        return f"model {shown} is {provider}'s, which the server may not ask; add {provider} to {ALLOWED}{hint}"
    if provider not in KEYS:
        return f"model {shown} is {provider}'s, which the server may not ask; list {provider} in {ALLOWED}{hint}"
    if any(environ.get(name) for name in variables(provider)):
        return None
    needed = " or ".join(variables(provider))
    return f"model {shown} is {provider}'s, for which there is no key here; set {needed}{hint}"


def _hint_at_own_server(model: str, provider: str, environ: Mapping[str, str]) -> str:
    """A server of one's own may have models with a slash in their names (meta-llama/…)."""
    if provider == "openai" or not environ.get(BASE_URL):
        return ""
    return f", or write openai/{model[:80]} for a model of this name at {BASE_URL}"


def resolve(model: str, environ: Mapping[str, str]) -> tuple[str, str] | None:
    """The provider that a model's name goes to, and the name there; None when nothing says so."""
    head, slash, rest = model.partition("/")
    if slash:  # a provider always, known or not: a name meant for one must not be sent to another
        return head.lower(), rest
    if environ.get(BASE_URL):
        return "openai", model
    return next(((owner, model) for names, owner in _BARE if owner and names.match(model.lower())), None)


def variables(provider: str) -> tuple[str, ...]:
    """The environment's variables that make a provider available."""
    return (*KEYS.get(provider, ()), *((BASE_URL,) if provider == "openai" else ()))


# --- how it is asked -----

OPENAI_URL = "https://api.openai.com/v1"
NO_KEY = "none"
"""Sent to a server of one's own that wants no key."""
_MORE_HEADERS = {"OPENAI_ORGANIZATION": "OpenAI-Organization", "OPENAI_ORG_ID": "OpenAI-Organization",
                 "OPENAI_PROJECT_ID": "OpenAI-Project"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ModelEndpoint:
    """An address that speaks OpenAI's protocol."""

    base_url: str
    key: str = field(repr=False)
    headers: Mapping[str, str] = field(default_factory=dict)


def endpoint(provider: str, environ: Mapping[str, str]) -> ModelEndpoint | None:
    """Where a provider speaks OpenAI's protocol; None for one that does not, or speaks it in its own way.

    Addresses, keys and variables are those of LiteLLM 1.106 (`llms/openai/common_utils.py`, `get_openai_credentials`;
    `llms/hosted_vllm/chat/transformation.py`). Others that are nearly OpenAI's (Groq, Mistral, DeepSeek …) are left
    to LiteLLM, which mends their requests for structured answers and tools.
    """
    if provider == "openai":
        base_url = environ.get(BASE_URL) or environ.get("OPENAI_API_BASE") or OPENAI_URL
        headers = {header: environ[name] for name, header in _MORE_HEADERS.items() if environ.get(name)}
        return ModelEndpoint(base_url.rstrip("/"), environ.get("OPENAI_API_KEY") or NO_KEY, headers)
    if provider == "hosted_vllm" and (base_url := environ.get("HOSTED_VLLM_API_BASE", "")):
        return ModelEndpoint(base_url.rstrip("/"), environ.get("HOSTED_VLLM_API_KEY") or NO_KEY)
    return None


def transport_name(provider: str, environ: Mapping[str, str]) -> TransportName:
    """Which transport asks this provider: the direct one wherever it can, unless the operator says otherwise."""
    forced = (environ.get(TRANSPORT) or "auto").lower()
    for name in get_args(TransportName):
        if forced == name:
            return name  # type: ignore[no-any-return]
    return "openai" if endpoint(provider, environ) is not None else "litellm"


def not_installed(model: str, environ: Mapping[str, str]) -> str | None:
    """Which packages asking this model needs and are not there, with the remedy; None when nothing is missing."""
    address = resolve(model, environ)
    transport: TransportName = "litellm" if address is None else transport_name(address[0], environ)
    missing = [package for package in _PACKAGES[transport] if not _is_installed(package)]
    if not missing:
        return None
    return f"asking {model!r} needs {' and '.join(missing)}, not installed here; run: {install_command('judge')}"


@cache
def _is_installed(package: str) -> bool:
    return find_spec(package) is not None


def _listed(environ: Mapping[str, str]) -> list[str]:
    return [name.strip().lower() for name in environ.get(ALLOWED, "").split(",") if name.strip()]


def family(model: str) -> str:
    """Who made a model, wherever it is served: a judge may prefer its own family's answers."""
    *before, name = model.strip().lower().split("/")
    for names, maker in _MADE_BY:
        if names.search(name):
            return maker
    if not before:
        return name or "unknown"
    return _FAMILY_OF_PROVIDER.get(before[-1], before[-1])
