"""A real browser walks through the page of a real server with the demo in it.

The walks are in `web/test/browser/*.spec.ts`; each reports its problems, and any console error, policy report or
request to another host is one.
"""

import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from conftest import Server, _wait_until_ready, free_port
from contract.caller import LOOPBACK, Api
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
    home, port, key = tmp_path_factory.mktemp("demo"), free_port(), "admin-" + secrets.token_hex(16)
    environment = {**os.environ, "GNOMON_HOME": str(home), "GNOMON_ADMIN_KEY": key}
    log = home / "server.log"
    with log.open("wb") as written:
        process = subprocess.Popen(
            [sys.executable, "-m", "gnomon", "demo", "--port", str(port)],
            env=environment, stdout=written, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
    url = f"http://127.0.0.1:{port}"
    server = Server(url, key, httpx2.Client(base_url=url, timeout=60, **LOOPBACK), process, log)
    _wait_until_ready(server)
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


def test_the_page_is_built_from_its_sources() -> None:
    root = Path(__file__).parents[2]
    assert browser.hatch_build.is_current(root), "run: make web"
