"""Writes the generated pages of docs from the code: `python docs/generate.py`. A test compares the files with it."""

import dataclasses
import importlib
import inspect
import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from inspect import Parameter
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin

HERE = Path(__file__).parent
PUBLIC = {
    "Evaluate": "evaluate aevaluate rescore Eval dataset DatasetHandle decided EvaluationStopped configure",
    "Tasks": "model http command",
    "Scorers": "scorer Scored Absent Sample exact_match contains contains_all contains_any one_of regex similarity f1 "
    "numeric choice json_match json_schema tool_calls llm_judge rubric",
    "Results": "EvaluationResult experiment compare ComparisonResult gate leaderboard LeaderboardResult aggregate",
    "Benchmarks of agents": "run_benchmark score_runs rank_runs BenchmarkRuns",
    "Tracing": "trace span current_span score instrument flush",
    "Clients": "Client AsyncClient",
}
"""Heading → public names below it, in the order of the page."""
RETURNED = {
    "Results": [
        "gnomon.sdk.result.Failure",
        "gnomon.sdk.comparing.RegressedItem",
        "gnomon.service.analysis.gates.GateResults",
    ],
    "Tracing": ["gnomon.sdk.spans.ActiveSpan"],
}
"""Classes that are no public names, since nobody makes them by hand, and are worth knowing."""


def pages() -> dict[str, str]:
    """Path below docs → text."""
    return {
        "reference/http-api.md": _api(),
        "reference/python-client-methods.md": _client(),
        "tracing/conventions.md": _conventions(),
        "reference/python.md": _python(),
        "deploy/settings.md": _settings(),
        "reference/suite.schema.json": _suite_schema(),
    }


def _suite_schema() -> str:
    from gnomon.model.suite import suite_schema

    return json.dumps(suite_schema(), indent=2) + "\n"


API = """# The HTTP API

Made from the OpenAPI document that every server gives at `/openapi.json`. The server's page `/docs` shows the same with
all fields, examples, the role that a key needs, and commands to copy.

Every call needs `Authorization: Bearer <key>`. Every refusal is `{{"error": {{"code", "message", "details"}}}}`.
Lists are `{{"items", "next_cursor", "limit"}}`; the first page of one that takes `count=estimate` also says `total`,
counted up to 10,000, and `total_capped`. What else holds for all calls:
[HTTP conventions](http-conventions.md).

In the column *gives*, the usual answer comes first. Every call may be refused with {always}.
The column *refuses* lists the other refusals of a call: {others}.
An import is streamed: it is too large only as gzip that inflates to more than 100 times its size. An address that is
not listed answers 404, a method that it does not have 405, a query parameter that is not listed 400.

| call | takes | gives | refuses | what it does |
|---|---|---|---|---|
"""


def _api() -> str:
    from gnomon.server.app import openapi
    from gnomon.server.requestcontext import ALWAYS, REFUSALS

    def said(codes: Iterable[int]) -> str:
        return ", ".join(f"{code} ({REFUSALS[code]})" for code in codes)

    document = openapi()
    others = said(sorted(REFUSALS.keys() - set(ALWAYS)))
    lines = API.format(always=said(ALWAYS), others=others).splitlines()
    for path, operations in document["paths"].items():
        for verb, operation in operations.items():
            refuses = ", ".join(code for code in operation["responses"] if code >= "400" and int(code) not in ALWAYS)
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


def _gives(operation: dict[str, Any]) -> str:
    """The usual success with its noun, which the document has first; after it the other answers that are no refusal."""
    answers = operation["responses"].items()
    return ", ".join(f"{code} {_noun(answer)}" for code, answer in answers if code < "400")


def _noun(answer: dict[str, Any]) -> str:
    media, content = next(iter(answer["content"].items()))
    schema = content.get("schema", {})
    if "$ref" not in schema:
        return "`null`" if schema.get("type") == "null" else media
    name = str(schema["$ref"]).rpartition("/")[2]
    return name.replace("CountedPage_", "page of ").replace("Page_", "page of ").rstrip("_")


def _words(operation: dict[str, Any]) -> str:
    return " ".join((operation.get("description") or operation.get("summary", "")).split())


def _client() -> str:
    from gnomon.client.operations import Operations

    lines = [
        "# The Python client",
        "",
        "Methods of `gnomon.Client` and of `gnomon.AsyncClient` ([how to use them](python-clients.md)), and of the",
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
        stars = "*" if one.kind is one.VAR_POSITIONAL else ""
        star = star or bool(stars)
        names.append(f"{stars}{one.name}" if one.default is one.empty else f"{one.name}=…")
    return ", ".join(names)


def _answer(build: Callable[..., Any]) -> str:
    from gnomon.client.requests import ListRequest

    gives = inspect.signature(build).return_annotation
    noun = get_args(gives)[0]
    nouns = " or ".join("None" if one is NoneType else one.__name__ for one in get_args(noun) or [noun])
    return f"a list of {nouns}" if get_origin(gives) is ListRequest else nouns


def _python() -> str:
    import gnomon

    listed = " ".join(PUBLIC.values()).split()
    if missing := sorted({*gnomon.__all__, *listed} - ({*gnomon.__all__} & {*listed}) - {"__version__"}):
        raise SystemExit(f"docs/generate.py and gnomon.__all__ do not agree about {', '.join(missing)}")
    lines = [
        "# Python reference",
        "<!-- fmt: off -->",
        "",
        "All public names, from their docstrings. `import gnomon as gn` stands before every example; a test runs",
        "all of them. How they fit together: [evaluate](../experiments/evaluate.md), [trace](../tracing/trace.md),",
        "[clients](python-clients.md), whose methods are on [a page of their own](python-client-methods.md).",
    ]
    for heading, names in PUBLIC.items():
        lines += ["", f"## {heading}", ""]
        lines += [" · ".join(f"[`{name}`](#gn{name.lower()})" for name in names.split())]
        for name in names.split():
            value = getattr(importlib.import_module(gnomon._WHERE[name]), name)
            lines += ["", f"### gn.{name}", "", *_described(value, f"gn.{name}")]
        for path in RETURNED.get(heading, ()):
            module, _, name = path.rpartition(".")
            lines += ["", f"### {name}", "", *_described(getattr(importlib.import_module(module), name), None)]
    return "\n".join(lines) + "\n"


def _described(value: Any, call: str | None) -> Iterator[str]:
    """Signature, docstring, and what a class has."""
    made_by_hand = not inspect.isclass(value) or dataclasses.is_dataclass(value)
    if call is not None and made_by_hand:
        yield from ["```", _signature(value, call), "```", ""]
    yield from _prose(value.__doc__)
    if inspect.isclass(value) and not hasattr(value, "create_project") and (members := list(_members(value, call))):
        yield from ["", *members]


def _signature(value: Any, call: str) -> str:
    signature = inspect.signature(value)
    shown, star = [], False
    for one in signature.parameters.values():
        if one.kind is Parameter.KEYWORD_ONLY and not star:
            shown.append("*")
            star = True
        star = star or one.kind is Parameter.VAR_POSITIONAL
        shown.append(_parameter(one))
        if one.kind is Parameter.POSITIONAL_ONLY:
            shown.append("/")
    gives = "" if inspect.isclass(value) else f" -> {_type(signature.return_annotation)}"
    line = f"{call}({', '.join(shown)}){gives}"
    if len(line) <= 100:
        return line
    return "\n".join([f"{call}(", *(f"    {one}," for one in shown), f"){gives}"])


def _parameter(one: Parameter) -> str:
    stars = {Parameter.VAR_POSITIONAL: "*", Parameter.VAR_KEYWORD: "**"}.get(one.kind, "")
    kind = "" if one.annotation is one.empty else f": {_type(one.annotation)}"
    # The repr of a function holds its address, which is another one with every run.
    default = "" if one.default is one.empty else " = …" if callable(one.default) else f" = {one.default!r}"
    return f"{stars}{one.name}{kind}{default}"


def _type(annotation: Any) -> str:
    """Without the modules that names come from."""
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return re.sub(r"Optional\[(.+)\]", r"\1 | None", re.sub(r"\b(?:\w+\.)+(?=\w)", "", text))


def _prose(doc: str | None) -> Iterator[str]:
    """A docstring as Markdown: its examples stand in blocks of their own."""
    inside = False
    for line in inspect.cleandoc(doc or "").splitlines():
        begins = line.startswith(">>>")
        if begins and not inside:
            yield "```pycon"
        elif inside and not line:
            yield "```"
        inside = begins or (inside and bool(line))
        yield line
    if inside:
        yield "```"


def _members(value: type, call: str | None) -> Iterator[str]:
    """Fields, properties and methods, each with what its docstring says first."""
    if dataclasses.is_dataclass(value) and call is None:
        fields = ", ".join(f"`{field.name}`" for field in dataclasses.fields(value))
        yield f"- fields: {fields}"
    for name, member in vars(value).items():
        if name.startswith("_") or not (inspect.isfunction(member) or isinstance(member, property | cached_property)):
            continue
        call = f"({_given(member)})" if inspect.isfunction(member) else ""
        words = " ".join(inspect.cleandoc(member.__doc__ or "").partition("\n\n")[0].split())
        yield f"- `.{name}{call}`" + (f": {words}" if words else "")


CONVENTIONS = """# Conventions of OpenTelemetry spans

Generated from the tables by which Gnomon reads spans. A span may follow several conventions at once. If two of them
could fill a field, the convention that comes first on this page is used, and within a table the first row.

- A model call's `input` is a list of messages `{"role", "content", "tool_calls": [{"id", "name", "arguments"}],
  "tool_call_id"}` with the roles system, user, assistant and tool. Its `output` is the text where the answer is only
  text, else such a message; several answers are a list. A key without content is left out.
- A tool's `input` are its arguments, its `output` is its result. Other spans show what their convention calls input and
  output: objects and lists if the value is clearly JSON, else text.
- `tokens` are counted at model calls and embeddings only: spans around them repeat them. `tokens.input` includes tokens
  that were read from a cache (`tokens.cached`) or written to it (`tokens.written`), `tokens.output` those of reasoning.
  A convention may report them separately. They are then added, if the reported total includes them or if there are
  more of them than input tokens.
- Two instrumentations of one call make two spans, and both count: turn one of them off. Anthropic's own client makes
  spans as soon as there is a provider, also beside those of an instrumentation.
- A span without a `gen_ai.conversation.id` belongs to the conversation named by its session id.
- A span whose operation no row gives is a model call if it has a model or tokens.
- Attributes without a field become `metadata`, with lists and maps as JSON text; the attribute that names the span's
  operation is one of them. If Gnomon's own attribute fills a field, other attributes for it become metadata too.
- A name that ends in a dot means a numbered list: `llm.input_messages.0.message.role` and so on.
"""
FIELD_WORDS = {
    "system": "input, first message",
    "tool_calls": "output, tool calls",
    "tokens": "all tokens",
    "tokens_uncached": "tokens.input, with cached and written ones added",
    "tokens_total": "whether cached tokens are in `tokens.input`",
}
EVENTS = """
## Events

Messages may also come as events of a span, or as log records that belong to it; attributes win. Read are these events,
with a message in their attributes, in their body, or as JSON text in `gen_ai.event.content`:

{names}

`tool.output` and the log record `assistant_response` are Claude Code's.

`gen_ai.evaluation.result` is a score of the span (`gen_ai.evaluation.name`, `.score.value` in [0, 1] or `.score.label`,
`.explanation`). A value on another scale is not guessed at: the result is left out and counted. `exception` is the
span's error.
"""


def _conventions() -> str:
    from gnomon.interop.conventions import CONVENTIONS as TABLES
    from gnomon.interop.conventions.events import NAMES

    lines = CONVENTIONS.splitlines()
    for table in TABLES:
        scopes = " and ".join(f"`{scope}`" for scope in table.scopes)
        only = [f"Only in spans whose scope's name begins with {scopes}.", ""] if scopes else []
        lines += ["", f"## {table.title}", "", f"Source: {table.source}", "", *only]
        lines += ["| attribute | field | what is read |", "|---|---|---|"]
        for row in table.rows:
            field = FIELD_WORDS.get(row.field, row.field.replace("tokens_", "tokens."))
            words = inspect.cleandoc(row.read.__doc__ or "").partition("\n")[0].partition(". ")[0].rstrip(".")
            lines.append(f"| `{row.attribute}` | {field} | {words} |")
        for attribute, meanings in table.operations.items():
            said = ", ".join(f"`{value}`: {operation}" for value, operation in meanings.items())
            lines.append(f"| `{attribute}` | operation | {said} |")
        for attribute, operation in table.signs.items():
            lines.append(f"| `{attribute}` | operation | {operation}, unless another attribute gives it |")
    names = "\n".join(f"- `{name}`" for name in sorted(NAMES))
    return "\n".join([*lines, *EVENTS.format(names=names).splitlines()]) + "\n"


_WHICH_MODELS = """\
## Which models can be asked

Judges and the [playground](../get-started/web/playground.md) ask the models of the providers that the environment of
the server names; its workers need the same environment.

- A provider's key makes its models available: `OPENAI_API_KEY`, `ANTHROPIC_API_KEY`, …
  ([all of them](../scorers/llm-judge.md)).
- `OPENAI_BASE_URL` is the address of any server that speaks OpenAI's protocol. Names without a provider then go there.
- `GNOMON_JUDGE_PROVIDERS` narrows that to a list, or adds providers that are asked without a key.

`GET /v1/playground/models` says which providers can be asked and why not others. Requests name models only: a field
with an address or a key is refused.
"""


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
    return "\n".join(lines) + "\n\n" + _WHICH_MODELS


if __name__ == "__main__":
    for name, text in pages().items():
        (HERE / name).write_text(text, encoding="utf-8")
