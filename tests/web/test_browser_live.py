"""A real browser has a page open while others store, below a path, and while the server restarts."""

import os
from pathlib import Path

import pytest

from conftest import Server, start_server
from contract.caller import Api, span
from prefixproxy import PrefixProxy
from web import browser

pytestmark = pytest.mark.skipif(
    os.environ.get("GNOMON_BROWSER_TESTS") == "skip", reason="GNOMON_BROWSER_TESTS=skip: THE PAGE IS NOT TESTED"
)


def test_an_open_page_shows_what_arrives(tmp_path: Path, walker: browser.Walker) -> None:
    proxy = PrefixProxy()
    servers: list[Server] = []

    def start() -> None:
        url = f"sqlite:///{tmp_path / 'gnomon.db'}"
        servers.append(start_server(url, tmp_path / f"home-{len(servers)}", GNOMON_PUBLIC_URL=proxy.url))
        proxy.target = servers[-1].url

    proxy.own["/start"] = start
    proxy.own["/stop"] = lambda: servers[-1].stop()
    start()
    try:
        root = Api(servers[0].http, servers[0].admin_key, "live")
        for number in range(100):
            root.trace(span(f"root-{number}", f"trace-{number}", name=f"earlier-{number}"))
        experiment = root.measured(root.questions(3), [1, 0, 1])
        key = root.make("/keys", {"role": "write", "project_id": root.project})["key"]
        settings = {
            "url": proxy.url, "key": key, "readKey": key, "project": root.project, "facts": {"experiment": experiment},
            "results": str(browser.RESULTS),
        }  # fmt: skip
        walker.walk("arriving/live", settings)
    finally:
        servers[-1].stop()
        proxy.shutdown()
