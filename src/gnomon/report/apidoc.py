"""The page at `/docs`: the OpenAPI document as plain HTML, readable without a network."""

import json
import re
from html import escape
from typing import Any

from gnomon.report.policy import POLICY_TAG, served_policy

_STYLE = """
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 62rem; margin: 2rem auto; padding: 0 1.25rem; }
details { border: 1px solid #8886; border-radius: 6px; margin: 0.4rem 0; padding: 0.4rem 0.8rem; }
summary { cursor: pointer; } code, pre { font: 0.85rem/1.45 ui-monospace, monospace; }
pre { overflow-x: auto; } b.verb { display: inline-block; width: 4.5rem; }
table { border-collapse: collapse; } td, th { text-align: left; padding: 0.1rem 1rem 0.1rem 0; vertical-align: top; }
"""
POLICY = served_policy(_STYLE)


def page(document: dict[str, Any]) -> str:
    """Every call with its parameters, body and answers, folded; nouns at the end."""
    by_tag: dict[str, list[str]] = {}
    for path, operations in document["paths"].items():
        for verb, operation in operations.items():
            tag = (operation.get("tags") or ["other"])[0]
            by_tag.setdefault(tag, []).append(_operation(verb, path, operation))
    calls = "".join(f"<h2>{escape(tag)}</h2>{''.join(rows)}" for tag, rows in by_tag.items())
    nouns = "".join(_noun(name, schema) for name, schema in sorted(document["components"]["schemas"].items()))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">{POLICY_TAG}<title>Gnomon API</title>'
        f"<style>{_STYLE}</style></head><body><h1>Gnomon API {escape(document['info']['version'])}</h1>"
        f"<p>{_prose(document['info'].get('description', ''))}</p>{calls}<h2>Nouns</h2>{nouns}</body></html>"
    )


def _operation(verb: str, path: str, operation: dict[str, Any]) -> str:
    words = operation.get("description") or operation.get("summary", "")
    parameters = "".join(
        f"<tr><td><code>{escape(p['name'])}</code></td><td>{escape(p['in'])}</td>"
        f"<td>{escape(_kind(p.get('schema', {})))}</td><td>{_prose(p.get('description', ''))}</td></tr>"
        for p in operation.get("parameters", [])
    )
    body = "".join(
        f"<p>Body, <code>{escape(media)}</code>:</p>"
        f"<pre>{escape(json.dumps(_brief(content['schema']), indent=1))}</pre>"
        for media, content in operation.get("requestBody", {}).get("content", {}).items()
    )
    answers = ", ".join(
        f"{code} {escape(given.get('description', ''))}" for code, given in operation["responses"].items()
    )
    return (
        f'<details><summary><b class="verb">{verb.upper()}</b> <code>{escape(path)}</code> {_prose(words)}</summary>'
        f"<table>{parameters}</table>{body}<p>Answers: {answers}</p></details>"
    )


def _prose(text: str) -> str:
    """Words, with what stands between backticks set as code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


def _noun(name: str, schema: dict[str, Any]) -> str:
    text = escape(json.dumps(schema, indent=1, ensure_ascii=False))
    return f'<details id="{escape(name)}"><summary><code>{escape(name)}</code></summary><pre>{text}</pre></details>'


def _brief(schema: dict[str, Any]) -> dict[str, Any]:
    return {
        key: value for key, value in schema.items() if key in ("title", "type", "required", "properties", "description")
    }


def _kind(schema: dict[str, Any]) -> str:
    if "anyOf" in schema:
        return " | ".join(_kind(option) for option in schema["anyOf"])
    return str(schema.get("type", schema.get("$ref", "any").rpartition("/")[2]))
