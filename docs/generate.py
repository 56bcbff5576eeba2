"""Writes docs/reference from the code: `python docs/generate.py`. A test compares the files with it."""

import dataclasses
import inspect
from collections.abc import Callable, Iterable
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin

HERE = Path(__file__).parent / "reference"


def pages() -> dict[str, str]:
    """File name → text."""
    return {"api.md": _api(), "client.md": _client(), "settings.md": _settings()}


def _api() -> str:
    from gnomon.server.app import openapi
    from gnomon.server.desk import ALWAYS, REFUSALS

    def said(codes: Iterable[int]) -> str:
        return ", ".join(f"{code} ({REFUSALS[code]})" for code in codes)

    document = openapi()
    lines = [
        "# The HTTP API",
        "",
        "Made from the OpenAPI document that a server gives at `/openapi.json`; `/docs` shows it with all fields.",
        "Every call needs `Authorization: Bearer <key>`. Every failure is",
        '`{"error": {"code", "message", "details"}}`. Lists are `{"items", "next_cursor", "limit"}`.',
        "",
        f"Every call may be refused with {said(ALWAYS)};",
        "an import is streamed and only too large as gzip that inflates to more than 100 times its size. The column",
        "*refuses* lists what a call may answer besides:",
        f"{said(sorted(REFUSALS.keys() - set(ALWAYS)))}.",
        "An address that is not listed answers 404, a method that it does not have 405, a query parameter that is not",
        "listed 400. What holds for all bodies and answers is in [HTTP conventions](http.md).",
        "",
        "| call | takes | gives | refuses | what it does |",
        "|---|---|---|---|---|",
    ]
    for path, operations in document["paths"].items():
        for verb, operation in operations.items():
            refuses = ", ".join(code for code in _codes(operation) if code >= "400" and int(code) not in ALWAYS)
            cells = [f"`{verb.upper()} {path}`", _takes(operation), _gives(operation), refuses, _words(operation)]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _takes(operation: dict[str, Any]) -> str:
    body = [
        content["schema"].get("title") or media
        for media, content in operation.get("requestBody", {}).get("content", {}).items()
    ]
    query = [f"`{p['name']}`" for p in operation.get("parameters", []) if p["in"] == "query"]
    return " ".join(body) + ("; " if body and query else "") + ", ".join(query)


def _codes(operation: dict[str, Any]) -> list[str]:
    return sorted(operation["responses"])


def _gives(operation: dict[str, Any]) -> str:
    """Every answer that is no refusal, with its noun."""
    answers = operation["responses"]
    return ", ".join(f"{code} {_noun(answers[code])}" for code in _codes(operation) if code < "400")


def _noun(answer: dict[str, Any]) -> str:
    media, content = next(iter(answer["content"].items()))
    schema = content.get("schema", {})
    if "$ref" not in schema:
        return "`null`" if schema.get("type") == "null" else media
    return str(schema["$ref"]).rpartition("/")[2].replace("Page_", "page of ").rstrip("_")


def _words(operation: dict[str, Any]) -> str:
    return " ".join((operation.get("description") or operation.get("summary", "")).split())


def _client() -> str:
    from gnomon.client.operations import Operations

    lines = [
        "# The Python client",
        "",
        "Methods of `gnomon.Client` and of `gnomon.AsyncClient` ([how to use them](../guide/python.md)), and of the",
        "protocol `gnomon.model.backend.Backend`. A list is an iterator; with the async client, answers are awaited.",
        "",
        "| method | gives | what it does |",
        "|---|---|---|",
    ]
    for name, described in vars(Operations).items():
        if hasattr(described, "build"):
            words = " ".join(described.__doc__.split())
            lines.append(f"| `{name}({_given(described.build)})` | {_answer(described.build)} | {words} |")
    return "\n".join(lines) + "\n"


def _given(build: Callable[..., Any]) -> str:
    """The parameters by name; those that may be left out end with `=…`."""
    names, star = [], False
    for one in list(inspect.signature(build).parameters.values())[1:]:
        if one.kind is one.KEYWORD_ONLY and not star:
            names.append("*")
            star = True
        names.append(one.name if one.default is one.empty else f"{one.name}=…")
    return ", ".join(names)


def _answer(build: Callable[..., Any]) -> str:
    from gnomon.client.requests import ListRequest

    gives = inspect.signature(build).return_annotation
    noun = get_args(gives)[0]
    nouns = " or ".join("None" if one is NoneType else one.__name__ for one in get_args(noun) or [noun])
    return f"a list of {nouns}" if get_origin(gives) is ListRequest else nouns


def _settings() -> str:
    from gnomon.settings import Settings

    lines = [
        "# Settings",
        "",
        "Read once, from the environment. Flags of the commands override them.",
        "",
        "| variable | what it sets | default |",
        "|---|---|---|",
    ]
    defaults = {"home": "`~/.gnomon`", "database_url": "`sqlite:///` the file `gnomon.db` in GNOMON_HOME"}
    for field in dataclasses.fields(Settings):
        unset = "none" if field.default is None else f"`{field.default}`"
        lines.append(f"| `{field.metadata['env']}` | {field.metadata['help']} | {defaults.get(field.name, unset)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    HERE.mkdir(exist_ok=True)
    for name, text in pages().items():
        (HERE / name).write_text(text, encoding="utf-8")
