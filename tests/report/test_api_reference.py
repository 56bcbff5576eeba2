"""The API reference: every operation and object of the OpenAPI document, with examples that the schemas allow."""

import copy
import re
from typing import Any

import jsonschema
import pytest

from gnomon.report import apidoc, apischema
from gnomon.server.app import openapi
from gnomon.server.examples import EXAMPLES
from report.pages import BIDI, CONTROL, IMAGE, SCRIPT, Tags, check_colours

URL = "http://127.0.0.1:8080/"
DOCUMENT = openapi()
SCHEMAS = DOCUMENT["components"]["schemas"]
OPERATIONS = [(verb, path, one) for path, all in DOCUMENT["paths"].items() for verb, one in all.items()]
PAGE = apidoc.page(DOCUMENT, URL)


def check_example(value: Any, schema: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator({**schema, "components": DOCUMENT["components"]}).validate(value)


def section(verb: str, path: str) -> str:
    """The part of the page about one operation."""
    id = re.sub(r"[^a-z0-9]+", "-", f"{verb} {path}".lower()).strip("-")
    return PAGE.partition(f'<details class="operation" id="{id}"')[2].partition('<details class="operation"')[0]


def test_the_page_is_well_formed_and_links_lead_somewhere():
    tags = Tags(PAGE).found
    check_colours(PAGE)
    ids = [attributes["id"] for _, attributes in tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    targets = {str(attributes["href"]) for tag, attributes in tags if tag == "a"}
    assert {target[1:] for target in targets if target.startswith("#")} <= set(ids)
    assert {target for target in targets if not target.startswith("#")} == {"./", "openapi.json"}


def test_every_operation_says_who_may_call_it_and_how():
    for verb, path, operation in OPERATIONS:
        text = section(verb, path)
        role = operation["x-gnomon-role"]
        assert (f"the role <b>{role}</b>" if role else "Needs no key.") in text, (verb, path)
        assert "$GNOMON_URL/v1/" in text
        for status in operation["responses"]:
            assert status in text
        for parameter in operation.get("parameters", ()):
            assert f"<code>{parameter['name']}</code>" in text


def test_a_command_can_be_pasted_into_a_shell():
    text = section("post", "/v1/experiments/{id}/runs")
    assert "curl -s -X POST &#34;$GNOMON_URL/v1/experiments/EXPERIMENT_ID/runs&#34; \\\n" in text
    assert "-H &#34;Authorization: Bearer $GNOMON_API_KEY&#34;" in text
    assert "Authorization" not in section("post", "/v1/session")


def test_the_usual_success_comes_first():
    for verb, path, status in (
        ("post", "/v1/scores", "201"),
        ("post", "/v1/experiments/{id}/score", "202"),
        ("post", "/v1/traces", "200"),
    ):
        assert next(iter(DOCUMENT["paths"][path][verb]["responses"])) == status


@pytest.mark.parametrize(("verb", "path"), EXAMPLES)
def test_a_written_example_is_what_the_operation_takes(verb: str, path: str):
    content = DOCUMENT["paths"][path][verb]["requestBody"]["content"]["application/json"]
    check_example(content["example"], content["schema"])


def test_a_made_example_is_what_its_schema_allows():
    for schema in SCHEMAS.values():
        check_example(apischema.example(schema, SCHEMAS), schema)
    for _, _, operation in OPERATIONS:
        for content in operation.get("requestBody", {}).get("content", {}).values():
            if content["schema"].get("properties"):
                check_example(apischema.example(content["schema"], SCHEMAS, only_required=True), content["schema"])


def test_text_of_the_document_stays_text():
    hostile = copy.deepcopy(DOCUMENT)
    said = SCRIPT + IMAGE + BIDI + CONTROL
    hostile["info"] = {"version": said, "description": said}
    operation = hostile["paths"]["/v1/scores"]["post"]
    operation |= {"summary": said, "description": said, "tags": [said], "x-gnomon-role": said}
    operation["responses"]["201"]["description"] = operation["responses"]["400"]["description"] = said
    operation["requestBody"]["content"]["application/json"]["example"] = {said: said}
    hostile["components"]["schemas"]["Score"] |= {"description": said}
    hostile["components"]["schemas"]["Score"]["properties"]["value"] = {"const": said, "description": said}
    page = apidoc.page(hostile, f"http://{said}/")
    assert re.findall(r"<script[^>]*>", page) == ['<script src="docs/reference.js" defer>']
    assert "<img" not in page
    assert not re.search("[\x00-\x08\x0e-\x1f\u202a-\u202e\u2066-\u2069]", page)
    Tags(page)
