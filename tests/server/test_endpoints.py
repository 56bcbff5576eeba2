"""What every endpoint declares, and what may stand beside the API: files for everybody, other ways to sign in."""

from dataclasses import dataclass
from typing import Any

import pytest
from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.requests import HTTPConnection

from contract.caller import Refusal
from contract.routes import NOBODY, ROUTES
from gnomon.errors import Unauthorized
from gnomon.model.access import Principal
from gnomon.server.app import ROUTERS
from gnomon.server.endpoints import Endpoint, Endpoints, is_api, needs, public

AUTHORIZED = {"Authorization": "Bearer the-admin-key"}


def api_endpoints() -> list[Endpoint]:
    routes = [route for module in ROUTERS for route in module.router.routes]
    return [Endpoint.of(route) for route in routes if isinstance(route, APIRoute)]


# --- rules ---


def test_every_route_declares_its_rules_at_its_function():
    """No endpoint has a role, or none, by default."""
    for endpoint in api_endpoints():
        assert is_api(endpoint.route.path)
        is_login = (endpoint.methods, endpoint.route.path) == ({"POST"}, "/v1/session")
        assert endpoint.rules.role in ((None,) if is_login else ("read", "write", "admin")), endpoint.route.path


def test_a_route_that_declares_none_keeps_the_server_from_starting():
    router = APIRouter()
    router.get("/v1/forgotten")(lambda: None)
    (route,) = router.routes
    assert isinstance(route, APIRoute)
    with pytest.raises(TypeError, match="/v1/forgotten declares no rules"):
        Endpoint.of(route)


def test_roles_are_those_of_the_contract():
    """Reading needs `read`, writing `write`, keys and the end of a project `admin`, one's own session any key."""
    declared = {(*endpoint.methods, endpoint.route.path): endpoint.rules.role for endpoint in api_endpoints()}
    expected = {
        (method, path): "admin" if path.startswith("/v1/keys") else "read" if method == "GET" else "write"
        for method, path in declared
        if not path.startswith("/v1/session/") and path != "/v1/session"
    }
    expected |= dict.fromkeys([("DELETE", "/v1/projects/{id}"), ("POST", "/v1/review-links")], "admin")
    own = {("POST", "/v1/session"): None}
    own |= dict.fromkeys([("GET", "/v1/session"), ("DELETE", "/v1/session"), ("POST", "/v1/session/codes")], "read")
    assert declared == {**expected, **own}


def test_what_a_reviewer_may_call_is_this_list():
    allowed = {(*endpoint.methods, endpoint.route.path) for endpoint in api_endpoints() if endpoint.rules.reviewer}
    card = "/v1/queue/{target_type}/{target_id}"
    assert allowed == {
        ("GET", "/v1/queue"), ("GET", "/v1/queue/counts"), ("GET", "/v1/queue/next"), ("GET", card),
        ("POST", "/v1/queue/next"),
        ("POST", f"{card}/claim"), ("DELETE", f"{card}/claim"), ("GET", "/v1/annotations"), ("POST", "/v1/annotations"),
        ("GET", "/v1/annotations/{id}"), ("PUT", "/v1/annotations/{id}"), ("DELETE", "/v1/annotations/{id}"),
        ("GET", "/v1/projects/{id}/review-settings"), ("GET", "/v1/session"), ("DELETE", "/v1/session"),
    }  # fmt: skip


def test_only_the_import_is_streamed():
    streamed = [endpoint.route.path for endpoint in api_endpoints() if endpoint.rules.body == "streamed"]
    assert streamed == ["/v1/datasets/{id}/items/import"]


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
