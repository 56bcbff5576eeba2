"""A running demo for the walks through its page, made once per file of tests."""

import os
import secrets
from collections.abc import Iterator
from typing import Any

import pytest

from conftest import Server, start_gnomon
from contract.caller import Api
from databases import copy_of_demo
from web import browser, hostile, ranked


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """`gnomon demo`, as a user starts it the second time."""
    home, key = tmp_path_factory.mktemp("demo"), "admin-" + secrets.token_hex(16)
    copy_of_demo(home)
    server = start_gnomon(["demo"], {**os.environ, "GNOMON_HOME": str(home), "GNOMON_ADMIN_KEY": key}, home)
    yield server
    server.stop()


@pytest.fixture(scope="session")
def walker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browser.Walker]:
    """The browser of this process."""
    walker = browser.Walker(tmp_path_factory.mktemp("walker") / "errors.txt")
    yield walker
    walker.close()


@pytest.fixture(scope="module")
def settings(demo: Server, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    api = Api(demo.http, demo.admin_key, "support-demo")
    unfriendly = Api(demo.http, demo.admin_key, hostile.PROJECT)
    research = ranked.fill(Api(demo.http, demo.admin_key, ranked.PROJECT))
    research |= ranked.write_broad_page(tmp_path_factory.mktemp("files"))
    return {
        "url": demo.url,
        "key": demo.admin_key,
        "readKey": api.with_key("read").key,
        "project": api.project,
        "facts": {**_experiments(api), **_iteration(api), **hostile.fill(unfriendly), **research},
        "results": str(browser.RESULTS),
    }


def _experiments(api: Api) -> dict[str, str]:
    """The demo's two versions, by name."""
    return {row["name"]: row["id"] for row in api.items("/experiments", project_id=api.project)}


def _iteration(api: Api) -> dict[str, str]:
    """The newest iteration whose work has landed; its session gets a trace."""
    points = api.read("/iterations/trend", project_id=api.project)["iterations"]
    landed = next(point for point in reversed(points) if not point["provisional"])
    times = {"start_time": "2026-06-01T10:00:00Z", "end_time": "2026-06-01T10:00:01Z"}
    span = {"id": "a", "trace_id": "coding-session", "name": "turn", "metadata": {"session.id": landed["session_id"]}}
    assert api.post("/traces/ingest", {"project_id": api.project, "spans": [{**span, **times}]}).status_code == 201
    score = {"target_type": "iteration", "target_id": landed["id"], "scorer_name": "human_label", "value": 0.5}
    assert api.post("/scores", score | {"source": "human", "rationale": "works, hard to read"}).status_code == 201
    return {"iteration": landed["id"]}
