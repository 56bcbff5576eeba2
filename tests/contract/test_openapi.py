"""The OpenAPI document is true: no undocumented status, no crash, no answer that breaks its schema."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from contract.routes import ROUTES

HERE = Path(__file__).parent
SECONDS = 120

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


def generic(path: str) -> str:
    """A path with its parameters' names blanked."""
    return "/".join("{}" if part.startswith("{") else part for part in path.split("/"))
