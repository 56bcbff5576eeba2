"""The page at `/docs`: a reference of the HTTP API, made from the OpenAPI document and readable without a network.

Everything is in the page but for one small script, which searches and copies; without it the page is complete too.
"""

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gnomon.report import apischema
from gnomon.report.apischema import Field, Schema, TypePart
from gnomon.report.policy import served_policy
from gnomon.report.rendering import FOLDER, render, stylesheet

SCRIPT = "reference.js"
"""The name of the page's script, which the server gives below `/docs/`."""
_CODE = re.compile("`([^`]+)`")
_JSON = "application/json"
_LINE = 96
_TAGS = (
    "traces", "conversations", "datasets", "experiments", "scores", "leaderboard", "judges", "calibration", "jobs",
    "rules", "review", "outcomes", "projects", "overview", "keys", "session",
)  # fmt: skip
_ORDER = {tag: index for index, tag in enumerate(_TAGS)}
"""In the order in which users meet them; tags that are not named here come after them."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A stretch of prose; what stood between backticks is code."""

    text: str
    is_code: bool


Paragraph = list[Phrase]


@dataclass(frozen=True, slots=True)
class ApiBody:
    """What is sent, in one media type."""

    media: str
    description: list[Paragraph]
    fields: list[Field]
    example: str | None


@dataclass(frozen=True, slots=True)
class ApiAnswer:
    """An answer that is no refusal."""

    status: str
    description: list[Paragraph]
    type: list[TypePart]
    example: str | None


@dataclass(frozen=True, slots=True)
class ApiRefusal:
    status: str
    description: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one address."""

    id: str
    verb: str
    path: str
    name: str
    summary: Paragraph
    description: list[Paragraph]
    role: str | None
    """The least role of a key that may call it; None for everybody, without a key."""
    parameters: list[tuple[str, list[Field]]]
    """Where they stand (path, query, header) → the parameters."""
    bodies: list[ApiBody]
    answers: list[ApiAnswer]
    refusals: list[ApiRefusal]
    curl: str
    search: str


@dataclass(frozen=True, slots=True)
class Group:
    """Operations on one subject."""

    id: str
    name: str
    operations: list[Operation]


@dataclass(frozen=True, slots=True)
class NamedSchema:
    """A noun of the API."""

    id: str
    name: str
    description: list[Paragraph]
    fields: list[Field]
    type: list[TypePart]


def page(document: Mapping[str, Any], url: str) -> str:
    """The reference of the API that the server at `url` speaks."""
    schemas = document["components"]["schemas"]
    return render(
        "api.html",
        title="Gnomon API",
        version=document["info"]["version"],
        about=paragraphs(document["info"].get("description", "")),
        url=url.rstrip("/"),
        groups=_groups(document, schemas),
        schemas=[_schema(name, schema) for name, schema in sorted(schemas.items())],
        script=f"docs/{SCRIPT}",
        words=words,
    )


def policy() -> str:
    """The policy to send with the page: its style is known by its hash, its script is a file of the same server."""
    return served_policy(stylesheet(), with_scripts=True)


def script() -> str:
    """The page's script."""
    return (FOLDER / SCRIPT).read_text(encoding="utf-8")


def _groups(document: Mapping[str, Any], schemas: Mapping[str, Schema]) -> list[Group]:
    by_tag: dict[str, list[Operation]] = {}
    for path, operations in document["paths"].items():
        for verb, operation in operations.items():
            tag = (operation.get("tags") or ["other"])[0]
            by_tag.setdefault(tag, []).append(_operation(verb, path, operation, schemas))
    ordered = sorted(by_tag.items(), key=lambda group: (_ORDER.get(group[0], len(_ORDER)), group[0]))
    return [Group(f"group-{_slug(tag)}", tag.capitalize(), listed) for tag, listed in ordered]


def _operation(verb: str, path: str, operation: Mapping[str, Any], schemas: Mapping[str, Schema]) -> Operation:
    prose = paragraphs(operation.get("description") or "")
    name = operation.get("summary", "")
    contents = operation.get("requestBody", {}).get("content", {})
    parameters = list(_parameters(operation))
    answers, refusals = _answers(operation["responses"], schemas)
    return Operation(
        id=_slug(f"{verb} {path}"),
        verb=verb.upper(),
        path=path,
        name=name,
        summary=first_sentence(prose[0]) if prose else [Phrase(name, False)],
        description=prose,
        role=operation.get("x-gnomon-role"),
        parameters=parameters,
        bodies=[_body(media, content, schemas) for media, content in contents.items()],
        answers=answers,
        refusals=refusals,
        curl=_curl(verb, path, operation, schemas),
        search=_searched(verb, path, operation),
    )


def _parameters(operation: Mapping[str, Any]) -> Iterator[tuple[str, list[Field]]]:
    for where in ("path", "query", "header"):
        parameters = [parameter for parameter in operation.get("parameters", ()) if parameter["in"] == where]
        if parameters:
            yield where, [
                apischema.field(
                    parameter["name"], parameter.get("schema", {}), parameter.get("required", False),
                    parameter.get("description", ""),
                )
                for parameter in parameters
            ]  # fmt: skip


def _body(media: str, content: Mapping[str, Any], schemas: Mapping[str, Schema]) -> ApiBody:
    schema = content["schema"]
    known = apischema.fields(schema)
    shown = _pretty(_sent(content, schemas)) if known else None
    return ApiBody(media, paragraphs(schema.get("description", "")), known, shown)


def _sent(content: Mapping[str, Any], schemas: Mapping[str, Schema]) -> Any:
    """An example of a body: the one that the document has, else what must be given."""
    if "example" in content:
        return content["example"]
    return apischema.example(content["schema"], schemas, only_required=True)


def _answers(responses: Mapping[str, Any], schemas: Mapping[str, Schema]) -> tuple[list[ApiAnswer], list[ApiRefusal]]:
    answers, refusals = [], []
    for status, response in responses.items():
        if status >= "400":
            refusals.append(ApiRefusal(status, response.get("description", "")))
            continue
        meaning = response.get("description", "")
        media, content = _first_content(response)
        answers.append(
            ApiAnswer(
                status,
                paragraphs("" if meaning == "Successful Response" else meaning),
                list(apischema.type_name(content["schema"])) if content.get("schema") else [TypePart(media)],
                _answer_example(media, content, schemas),
            )
        )
    return answers, refusals


def _first_content(owner: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """The media type that a body or an answer has first, with its schema; empty where there is none."""
    for media, content in owner.get("content", {}).items():
        return media, content
    return "", {}


def _answer_example(media: str, content: Mapping[str, Any], schemas: Mapping[str, Schema]) -> str | None:
    if media != _JSON or not content.get("schema"):
        return None
    return _pretty(apischema.example(content["schema"], schemas))


def _schema(name: str, schema: Schema) -> NamedSchema:
    return NamedSchema(
        id=f"schema-{name}",
        name=apischema.readable(name),
        description=paragraphs(schema.get("description", "")),
        fields=apischema.fields(schema),
        type=list(apischema.type_name(schema)),
    )


def _curl(verb: str, path: str, operation: Mapping[str, Any], schemas: Mapping[str, Schema]) -> str:
    """A command to copy. GNOMON_URL and GNOMON_API_KEY are those that our own commands read."""
    required = [p["name"] for p in operation.get("parameters", ()) if p["in"] == "query" and p.get("required")]
    query = "&".join(f"{name}={name.upper()}" for name in required)
    lines = [f'curl -s "$GNOMON_URL{_with_placeholders(path)}{"?" + query if query else ""}"']
    if verb != "get":
        lines[0] = lines[0].replace("curl -s", f"curl -s -X {verb.upper()}", 1)
    if operation.get("x-gnomon-role") is not None:
        lines.append('-H "Authorization: Bearer $GNOMON_API_KEY"')
    media, content = _first_content(operation.get("requestBody", {}))
    if media:
        lines.append(f'-H "Content-Type: {media}"')
        has_fields = media == _JSON and content["schema"].get("properties")
        lines.append(f"-d {shlex.quote(_pretty(_sent(content, schemas)))}" if has_fields else "--data-binary @FILE")
    return " \\\n  ".join(lines)


def _with_placeholders(path: str) -> str:
    """`/v1/experiments/{id}` → `/v1/experiments/EXPERIMENT_ID`."""
    parts = path.split("/")
    for index, part in enumerate(parts):
        if part == "{id}":
            parts[index] = f"{parts[index - 1].rstrip('s')}_ID".upper()
        elif part.startswith("{"):
            parts[index] = part.strip("{}").upper()
    return "/".join(parts)


def _searched(verb: str, path: str, operation: Mapping[str, Any]) -> str:
    """The words that a search looks through."""
    names = [parameter["name"] for parameter in operation.get("parameters", ())]
    contents = operation.get("requestBody", {}).get("content", {}).values()
    names += [name for content in contents for name in content["schema"].get("properties", {})]
    listed = [verb, path, operation.get("summary", ""), operation.get("description", ""), *names]
    return " ".join(" ".join(listed).replace("`", "").lower().split())


def paragraphs(text: str) -> list[Paragraph]:
    """Prose with blank lines between its paragraphs and code between backticks."""
    return [words(part) for part in re.split(r"\n\s*\n", text.strip()) if part.strip()]


def words(text: str) -> Paragraph:
    """One paragraph."""
    pieces = _CODE.split(" ".join(text.split()))
    return [Phrase(piece, index % 2 == 1) for index, piece in enumerate(pieces) if piece]


def first_sentence(paragraph: Paragraph) -> Paragraph:
    """The text up to the first full stop that is not in code."""
    sentence: Paragraph = []
    for part in paragraph:
        head, stop, _ = part.text.partition(". ")
        if stop and not part.is_code:
            return [*sentence, Phrase(head, False)]
        sentence.append(part)
    last = sentence[-1]
    return [*sentence[:-1], Phrase(last.text if last.is_code else last.text.removesuffix("."), last.is_code)]


def _pretty(value: Any) -> str:
    """JSON, on one line where it is short."""
    line = json.dumps(value, ensure_ascii=False)
    return line if len(line) <= _LINE else json.dumps(value, ensure_ascii=False, indent=2)


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
