"""A real browser walks through the page of a real server with the demo in it.

The walks are in `web/test/browser/*.spec.ts`; each reports its problems, and any console error, policy report or
request to another host is one.
"""

import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conftest import Server, start_gnomon, start_server
from contract.caller import Api
from prefixproxy import PrefixProxy
from web import browser, hostile

pytestmark = pytest.mark.skipif(
    os.environ.get("GNOMON_BROWSER_TESTS") == "skip", reason="GNOMON_BROWSER_TESTS=skip: THE PAGE IS NOT TESTED"
)
PICTURES = ("compare", "trace")
"""Of the README; GNOMON_RENEW_PICTURES=1 renews them."""
SPECS = sorted(file.name.removesuffix(".spec.ts") for file in (browser.WEB / "test" / "browser").glob("*.spec.ts"))


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """`gnomon demo`, as a user starts it."""
    home, key = tmp_path_factory.mktemp("demo"), "admin-" + secrets.token_hex(16)
    server = start_gnomon(["demo"], {**os.environ, "GNOMON_HOME": str(home), "GNOMON_ADMIN_KEY": key}, home)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def settings(demo: Server) -> dict[str, Any]:
    browser.install_packages()
    api = Api(demo.http, demo.admin_key, "support-demo")
    unfriendly = Api(demo.http, demo.admin_key, hostile.PROJECT)
    return {
        "url": demo.url,
        "key": demo.admin_key,
        "readKey": api.with_key("read").key,
        "project": api.project,
        "facts": {**_experiments(api), **hostile.fill(unfriendly)},
        "results": str(browser.RESULTS),
        "browser": browser.find_browser(),
    }


def _experiments(api: Api) -> dict[str, str]:
    """The demo's two versions, by name."""
    return {row["name"]: row["id"] for row in api.items("/experiments", project_id=api.project)}


@pytest.mark.parametrize("spec", SPECS)
def test_the_page(spec: str, settings: dict[str, Any]) -> None:
    reports = browser.run_spec(spec, settings)
    assert reports, f"{spec} ran no test"
    for report in reports:
        print(f"{report.name}: {report.seconds} s {report.figures or ''}")
    problems = [f"{report.name}: {problem}" for report in reports for problem in report.problems]
    assert not problems, "\n".join(problems[:40])
    if spec == "pictures" and os.environ.get("GNOMON_RENEW_PICTURES"):
        for name in PICTURES:
            shutil.copy(browser.RESULTS / f"picture-{name}.png", browser.ROOT / "docs" / "pictures" / f"{name}.png")


def test_the_page_below_a_path(tmp_path: Path) -> None:
    """Behind a proxy that serves it as https://example.org/gnomon/."""
    browser.install_packages()
    proxy = PrefixProxy()
    server = start_server(f"sqlite:///{tmp_path / 'gnomon.db'}", tmp_path, GNOMON_PUBLIC_URL=proxy.url)
    try:
        proxy.target = server.url
        api = Api(server.http, server.admin_key, "below")
        api.post("/datasets", {"project_id": api.project, "name": "capitals"})
        settings = {
            "url": proxy.url, "key": server.admin_key, "readKey": server.admin_key, "project": api.project,
            "facts": {"code": api.post("/session/codes").json()["code"]}, "results": str(browser.RESULTS),
            "browser": browser.find_browser(),
        }  # fmt: skip
        reports = browser.run_spec("below/path", settings)
        assert reports
        assert not [problem for report in reports for problem in report.problems]
    finally:
        server.stop()
        proxy.shutdown()
        proxy.server_close()


def test_the_page_is_built_from_its_sources() -> None:
    root = Path(__file__).parents[2]
    assert browser.hatch_build.is_current(root), "run: make web"
