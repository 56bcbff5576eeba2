"""A real browser walks through the page of a real server with the demo in it.

The walks are in `web/test/browser/*.spec.ts`; each reports its problems, and any console error, policy report or
request to another host is one.
"""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from conftest import start_server
from contract.caller import Api
from prefixproxy import PrefixProxy
from web import browser

pytestmark = pytest.mark.skipif(
    os.environ.get("GNOMON_BROWSER_TESTS") == "skip", reason="GNOMON_BROWSER_TESTS=skip: THE PAGE IS NOT TESTED"
)
PICTURES = ("compare", "trace")
"""Of the README; GNOMON_RENEW_PICTURES=1 renews them."""


@pytest.mark.parametrize("spec", sorted(browser.specs() - browser.OF_ONE_AUDIENCE))
def test_the_page(spec: str, settings: dict[str, Any], walker: browser.Walker) -> None:
    walker.walk(spec, settings)
    if spec == "pictures" and os.environ.get("GNOMON_RENEW_PICTURES"):
        for name in PICTURES:
            shutil.copy(browser.RESULTS / f"picture-{name}.png", browser.ROOT / "docs" / "pictures" / f"{name}.png")


def test_the_page_below_a_path(tmp_path: Path, walker: browser.Walker) -> None:
    """Behind a proxy that serves it as https://example.org/gnomon/."""
    proxy = PrefixProxy()
    server = start_server(f"sqlite:///{tmp_path / 'gnomon.db'}", tmp_path, GNOMON_PUBLIC_URL=proxy.url)
    try:
        proxy.target = server.url
        api = Api(server.http, server.admin_key, "below")
        api.post("/datasets", {"project_id": api.project, "name": "capitals"})
        settings = {
            "url": proxy.url, "key": server.admin_key, "readKey": server.admin_key, "project": api.project,
            "facts": {"code": api.post("/session/codes").json()["code"]}, "results": str(browser.RESULTS),
        }  # fmt: skip
        walker.walk("below/path", settings)
    finally:
        server.stop()
        proxy.shutdown()
        proxy.server_close()


def test_the_page_is_built_from_its_sources() -> None:
    root = Path(__file__).parents[2]
    assert browser.hatch_build.is_current(root), "run: make web"
