"""What every endpoint declares, and what may stand beside the API: files for everybody, other ways to sign in."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.requests import HTTPConnection

from conftest import free_port
from contract.caller import LOOPBACK, Refusal
from contract.routes import NOBODY, ROUTES
from gnomon.errors import Unauthorized
from gnomon.model.access import Principal
from gnomon.server.app import ROUTERS, create_app
from gnomon.server.connection import Server, configured
from gnomon.server.endpoints import Endpoint, Endpoints, is_api, needs, public, static_files
from gnomon.server.house import build
from gnomon.settings import Settings
from gnomon.store.engine import open_store

KEY = "the-admin-key"
AUTHORIZED = {"Authorization": f"Bearer {KEY}"}


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., httpx2.Client]]:
    """Starts the application with these additions in this process, and gives a client of it."""
    running: list[tuple[Server, threading.Thread, httpx2.Client]] = []
    settings = Settings(home=tmp_path, database_url=f"sqlite:///{tmp_path / 'gnomon.db'}", admin_key=KEY)
    store = open_store(settings.database_url)

    def start(**more: Any) -> httpx2.Client:
        config, port = configured(create_app(build(settings, store), **more)), free_port()
        config.host, config.port = "127.0.0.1", port
        server = Server(config, lambda: None)
        thread = threading.Thread(target=server.run)
        thread.start()
        while not server.started:
            thread.join(0.01)
            assert thread.is_alive(), "the server did not start"
        client = httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=30, **LOOPBACK)
        running.append((server, thread, client))
        return client

    yield start
    for server, thread, client in running:
        client.close()
        server.should_exit = True
        thread.join(20)
    store.close()


def api_endpoints() -> list[Endpoint]:
    routes = [route for module in ROUTERS for route in module.router.routes]
    return [Endpoint.of(route) for route in routes if isinstance(route, APIRoute)]


# --- rules ---


def test_every_route_declares_its_rules_at_its_function():
    """No endpoint has a role, or none, by default."""
    for endpoint in api_endpoints():
        assert is_api(endpoint.route.path)
        assert endpoint.rules.role in ("read", "write", "admin"), endpoint.route.path


def test_a_route_that_declares_none_keeps_the_server_from_starting():
    router = APIRouter()
    router.get("/v1/forgotten")(lambda: None)
    (route,) = router.routes
    assert isinstance(route, APIRoute)
    with pytest.raises(TypeError, match="/v1/forgotten declares no rules"):
        Endpoint.of(route)


def test_roles_are_those_of_the_contract():
    """Reading needs `read`, writing `write`, whatever is about keys `admin`."""
    declared = {(*endpoint.methods, endpoint.route.path): endpoint.rules.role for endpoint in api_endpoints()}
    expected = {
        (method, path): "admin" if path.startswith("/v1/keys") else "read" if method == "GET" else "write"
        for method, path in declared
    }
    assert declared == expected


def test_only_the_import_and_the_export_of_items_are_streamed():
    streamed = [endpoint.route.path for endpoint in api_endpoints() if endpoint.rules.body == "streamed"]
    assert streamed == ["/v1/datasets/{id}/items/import", "/v1/datasets/{id}/items/export"]


RANK = {"read": 0, "write": 1, "admin": 2}


@pytest.mark.parametrize("role", RANK)
@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_call_is_forbidden_exactly_to_keys_below_its_role(root, role, database):
    """All operations of the contract, by all roles."""
    caller = root.with_key(role)
    for route in ROUTES:
        answer = caller.call(**route.about(NOBODY))
        below = RANK[role] < RANK[route.role] or (route.method, route.path) == ("POST", "/projects")
        assert (answer.status_code == 403) is below, (role, route.method, route.path, answer.text)


def test_a_request_is_matched_once(serve, monkeypatch):
    """The endpoint that was looked up serves the request: no router looks again."""
    matched: list[str] = []
    original = APIRoute.matches

    def counted(route: APIRoute, scope: Any) -> Any:
        match = original(route, scope)
        if match[1]:
            matched.append(route.path)
        return match

    monkeypatch.setattr(APIRoute, "matches", counted)
    client = serve()
    assert client.get("/v1/datasets/x/items", headers=AUTHORIZED).status_code == 404
    assert matched == ["/v1/datasets/{id}/items"]


def test_the_first_match_serves_and_a_parameter_in_the_first_parts_is_refused():
    router = APIRouter()

    @router.get("/{anything}")
    @public(body="unread")
    def anything() -> None: ...

    (route,) = router.routes
    assert isinstance(route, APIRoute)
    with pytest.raises(ValueError, match="first two parts"):
        Endpoints.of([Endpoint.of(route)])


def test_a_public_endpoint_of_the_api_needs_no_key_and_its_body_is_bounded(serve):
    """Where signing in will stand: below /v1, but before there is a key."""
    router = APIRouter()

    @router.post("/v1/open")
    @public(body="whole")
    def open_to_all() -> dict[str, bool]:
        return {"open": True}

    @router.post("/v1/closed")
    @needs("write")
    def closed() -> dict[str, bool]:
        return {"open": False}

    client = serve(more=[Endpoint.of(route) for route in router.routes if isinstance(route, APIRoute)])
    assert client.post("/v1/open").json() == {"open": True}
    assert Refusal.of(client.post("/v1/open", content=b" " * 33_000_000)).said == (413, "PAYLOAD_TOO_LARGE")
    assert Refusal.of(client.post("/v1/open?limits=1")).said == (400, "INVALID_REQUEST")
    assert Refusal.of(client.post("/v1/closed")).said == (401, "UNAUTHORIZED")
    assert Refusal.of(client.put("/v1/open")).said == (401, "UNAUTHORIZED")
    assert Refusal.of(client.put("/v1/open", headers=AUTHORIZED)).said == (405, "METHOD_NOT_ALLOWED")


# --- files ---


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<p>home</p>")
    (folder / "assets" / "app.css").write_text("p {}")
    (tmp_path / "secret").write_text("not for you")
    return folder


def test_files_are_served_to_everybody_with_the_guards_of_every_answer(serve, site):
    client = serve(more=[static_files("/app", site)])
    page, style = client.get("/app/"), client.get("/app/assets/app.css")
    assert (page.status_code, page.text, style.text) == (200, "<p>home</p>", "p {}")
    assert style.headers["content-type"].startswith("text/css")
    for answer in (page, style):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-request-id"]
    head = client.head("/app/assets/app.css")
    assert (head.status_code, head.content, head.headers["content-length"]) == (200, b"", "4")
    seen = client.get("/app/assets/app.css", headers={"If-None-Match": style.headers["etag"]})
    assert seen.status_code == 304


@pytest.mark.parametrize(
    "path",
    ["/app/nowhere.css", "/app/assets", "/app/../secret", "/app/%2e%2e/secret", "/app/..%2fsecret", "/app/%00",
     "/app//etc/passwd", "/app/" + "x" * 5000, "/application", "/app2/"],
)  # fmt: skip
def test_what_is_no_file_is_not_found_in_the_usual_envelope(serve, site, path):
    client = serve(more=[static_files("/app", site)])
    assert Refusal.of(client.get(path)).said == (404, "NOT_FOUND")


def test_files_are_only_read(serve, site):
    client = serve(more=[static_files("/app", site)])
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        answer = client.request(method, "/app/index.html")
        assert Refusal.of(answer).said == (405, "METHOD_NOT_ALLOWED")
        assert answer.headers["allow"] == "GET, HEAD"


def test_files_at_the_root_hide_no_page_and_nothing_of_the_api(serve, site):
    client = serve(more=[static_files("", site)])
    assert client.get("/assets/app.css").status_code == 200
    assert client.get("/healthz").json() == {"status": "ok"}
    assert Refusal.of(client.get("/v1/index.html")).said == (401, "UNAUTHORIZED")
    assert Refusal.of(client.get("/v1/index.html", headers=AUTHORIZED)).said == (404, "NOT_FOUND")


# --- other ways to say who is calling ---


@dataclass(frozen=True)
class SessionCookie:
    """A second scheme, as one object."""

    challenge: str | None = None
    remedy: str = "sign in"

    async def authenticate(self, request: HTTPConnection) -> Principal | None:
        session = request.cookies.get("session")
        if session is None:
            return None
        if session != "valid":
            raise Unauthorized("this session has ended; sign in again")
        return Principal("session-1", "read")


def test_a_cookie_is_a_second_scheme_beside_the_keys(serve):
    client = serve(authenticators=[SessionCookie()])
    cookie = {"Cookie": "session=valid"}
    assert client.get("/v1/projects", headers=cookie).status_code == 200
    assert client.get("/v1/projects", headers=AUTHORIZED).status_code == 200
    assert Refusal.of(client.post("/v1/datasets", json={}, headers=cookie)).said == (403, "FORBIDDEN")
    ended = client.get("/v1/projects", headers={"Cookie": "session=other"})
    assert Refusal.of(ended).message == "this session has ended; sign in again"
    nothing = client.get("/v1/projects")
    assert Refusal.of(nothing).said == (401, "UNAUTHORIZED")
    assert nothing.headers["www-authenticate"] == "Bearer"


def test_the_first_scheme_with_credentials_decides(serve):
    client = serve(authenticators=[SessionCookie()])
    wrong_key = {"Authorization": "Bearer wrong", "Cookie": "session=valid"}
    assert Refusal.of(client.get("/v1/projects", headers=wrong_key)).said == (401, "UNAUTHORIZED")
    right_key = {**AUTHORIZED, "Cookie": "session=other"}
    assert client.get("/v1/projects", headers=right_key).status_code == 200
    no_key = {"Authorization": "Basic abc", "Cookie": "session=valid"}
    assert client.get("/v1/projects", headers=no_key).status_code == 200


def test_without_a_second_scheme_a_cookie_is_nothing(serve):
    assert serve().get("/v1/projects", headers={"Cookie": "session=valid"}).status_code == 401
