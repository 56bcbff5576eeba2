"""A real browser walks through the playground of a real server, whose models are one on loopback."""

import os
from pathlib import Path

import pytest

from conftest import start_server
from contract.caller import Api
from gnomon.testing import LoopbackModel
from web import browser

pytestmark = pytest.mark.skipif(
    os.environ.get("GNOMON_BROWSER_TESTS") == "skip", reason="GNOMON_BROWSER_TESTS=skip: THE PAGE IS NOT TESTED"
)
CITIES = ["Paris", "Rome", "Oslo", "Bern", "Kyiv", "Lima", "Cairo", "Quito", "Delhi", "Tokyo", "Accra", "Dakar"]


def test_the_playground(tmp_path: Path, walker: browser.Walker) -> None:
    """The model says what it is asked."""
    with LoopbackModel(lambda asked: asked.prompt) as model:
        server = start_server(f"sqlite:///{tmp_path / 'gnomon.db'}", tmp_path, **model.environment())
        try:
            api = Api(server.http, server.admin_key, "played")
            dataset = api.post("/datasets", {"project_id": api.project, "name": "cities"}).json()["id"]
            items = [{"input": {"city": name}, "expected_output": name} for name in CITIES]
            assert api.call("PUT", f"/datasets/{dataset}/items", {"items": items}).status_code == 200
            settings = {
                "url": server.url, "key": server.admin_key, "readKey": api.with_key("read").key, "facts": {},
                "project": api.project, "results": str(browser.RESULTS),
            }  # fmt: skip
            walker.walk("asking/playground", settings)
        finally:
            server.stop()
