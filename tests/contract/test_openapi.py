"""The OpenAPI document is true: no undocumented status, no crash, no answer that breaks its schema."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from contract.document import Document
from contract.routes import ROUTES

HERE = Path(__file__).parent
SECONDS = 3600

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


def test_a_property_based_client_finds_no_untruth_in_the_document(server, tmp_path):
    command = [Path(sys.executable).with_name("st"), "--config-file", HERE / "schemathesis.toml", "--no-color", "run"]
    more = [f"{server.url}/openapi.json", "--header", f"Authorization: Bearer {server.admin_key}"]
    path = os.pathsep.join([str(HERE.parent), os.environ.get("PYTHONPATH", "")])
    found = subprocess.run(
        [*command, *more],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert found.returncode == 0, found.stdout + found.stderr


def test_every_call_of_the_contract_is_documented(server):
    paths = server.http.get("/openapi.json").json()["paths"]
    documented = {(method.upper(), generic(path)) for path, methods in paths.items() for method in methods}
    assert {(route.method, "/v1" + generic(route.path.split("?")[0])) for route in ROUTES} <= documented


def test_no_two_nouns_have_the_same_name(server):
    """The document would tell them apart by their modules, and every generated client with it."""
    text = server.http.get("/openapi.json").text
    assert set(re.findall(r"gnomon__\w+", text)) == set()


def test_an_address_allows_the_methods_of_all_paths_that_it_fits(server):
    """`/traces/score` is also the address of a trace that is named "score"."""
    document = Document.of(server.http.get("/openapi.json").json())
    for address in {operation.path for operation in document.operations}:
        answer = server.http.options(address, headers={"Authorization": f"Bearer {server.admin_key}"})
        fit = {operation.method for operation in document.operations if operation.is_meant(operation.method, address)}
        assert (answer.status_code, set(answer.headers["allow"].split(", "))) == (405, fit), address


def test_a_score_may_be_absent_made_or_left_to_a_judge(server):
    """200 with null when there is nothing to score, 201 with the score, 202 with the job of a judge."""
    answers = server.http.get("/openapi.json").json()["paths"]["/v1/scores"]["post"]["responses"]
    schemas = {status: answers[status]["content"]["application/json"]["schema"] for status in ("200", "201", "202")}
    assert schemas["200"] == {"type": "null"}
    assert [schemas[status]["$ref"].rpartition("/")[2] for status in ("201", "202")] == ["Score", "JobAccepted"]


def test_the_document_says_which_model_judges_and_who_asks_it(server):
    """An implementation must document which model it uses for llm_judge and which approach it supports."""
    described = server.http.get("/openapi.json").json()["paths"]["/v1/scores"]["post"]["description"]
    for said in ("Caller-executed", "Platform-executed", "no default model", "provider/model"):
        assert said in described


def generic(path: str) -> str:
    """A path with its parameters' names blanked."""
    return "/".join("{}" if part.startswith("{") else part for part in path.split("/"))
