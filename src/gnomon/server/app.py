"""The application: routes, refusals, and a true OpenAPI document."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from starlette.responses import Response
from starlette.types import ASGIApp

from gnomon._version import __version__
from gnomon.errors import StoreTrouble
from gnomon.report import apidoc, welcome
from gnomon.server import errors
from gnomon.server.authentication import Authenticator, BearerKeys
from gnomon.server.desk import REFUSALS, WRITING, show
from gnomon.server.endpoints import Endpoint, Endpoints, public
from gnomon.server.frontdesk import FrontDesk
from gnomon.server.house import House
from gnomon.server.routes import (
    calibration,
    conversations,
    datasets,
    experiments,
    ingest,
    jobs,
    judges,
    keys,
    leaderboard,
    outcomes,
    overview,
    plan,
    projects,
    review,
    rules,
    scores,
    session,
    traces,
)
from gnomon.server.sessions import CookieSessions
from gnomon.server.strictness import APPLIED, IGNORED
from gnomon.server.web import STATIC, Site, conditional, etag, web_endpoint
from gnomon.service import health

# Tried in this order, so the busiest come first.
ROUTERS = (
    ingest, scores, experiments, datasets, traces, review, projects, leaderboard, keys, jobs, calibration, plan, rules,
    judges, outcomes, conversations, session, overview,
)  # fmt: skip


def create_app(
    house: House,
    *,
    static: Path = STATIC,
    more: Sequence[Endpoint] = (),
    authenticators: Sequence[Authenticator] = (),
) -> ASGIApp:
    """The whole server.

    `static` is the folder of the built web application, `more` are endpoints beside the API, `authenticators` those
    that are asked after keys and sessions.
    """
    pages, site = APIRouter(), Site(static)
    _add_root_pages(pages, house, site)
    routes = [*_api_routes(), *(route for route in pages.routes if isinstance(route, APIRoute))]
    sessions = CookieSessions(house.origins, house.recall_session, house.find_session)
    return FrontDesk(
        Endpoints.of([*map(Endpoint.of, routes), *more, web_endpoint(site)]),
        [BearerKeys(house.recall, house.identify), sessions, *authenticators],
        {"house": house},
        house.origins,
        house.settings.max_body_bytes,
    )


def _api_routes() -> list[APIRoute]:
    return [route for module in ROUTERS for route in module.router.routes if isinstance(route, APIRoute)]


def _add_root_pages(pages: APIRouter, house: House, site: Site) -> None:
    document: dict[str, Any] = {}

    def the_document() -> dict[str, Any]:
        if not document:
            document.update(openapi())
        return document

    @pages.get("/healthz", include_in_schema=False)
    @public(body="unread", any_host=True)
    async def healthz() -> Response:
        return show({"status": "ok"})

    @pages.get("/readyz", include_in_schema=False)
    @public(body="unread", any_host=True)
    def readyz() -> Response:
        try:
            house.store.read(health.check)
        except StoreTrouble as trouble:
            return errors.envelope(503, "NOT_READY", trouble.message)
        return show({"status": "ready", "version": __version__})

    @pages.get("/openapi.json", include_in_schema=False)
    @public(body="unread")
    def openapi_json(request: Request) -> Response:
        body = bytes(show(the_document()).body)
        headers = {"Content-Type": "application/json", "Cache-Control": "no-cache", "ETag": etag(body)}
        return conditional(request.headers, body, headers)

    @pages.get("/docs", include_in_schema=False)
    @public(body="unread")
    def docs(request: Request) -> Response:
        return _plain_page(request, apidoc.page(the_document()), apidoc.POLICY)

    @pages.get("/", include_in_schema=False)
    @public(body="unread")
    def home(request: Request) -> Response:
        if site.is_built:
            return site.page(request)
        return _plain_page(request, welcome.page(__version__, str(request.base_url)), welcome.POLICY)

    @pages.get("/login", include_in_schema=False)
    @public(body="unread")
    def login(request: Request) -> Response:
        """Where login links lead, also when the page was not built."""
        return home(request)


def _plain_page(request: Request, page: str, policy: str) -> Response:
    body = page.encode()
    headers = {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy": policy,
        "Cache-Control": "no-cache",
        "ETag": etag(body),
    }
    return conditional(request.headers, body, headers)


def openapi() -> dict[str, Any]:
    """FastAPI's document, with the bodies that `Desk.body` reads and the key that every call needs."""
    found = get_openapi(title="Gnomon", version=__version__, routes=_api_routes(), description=_ABOUT)
    schemas = found.setdefault("components", {}).setdefault("schemas", {})
    for operations in found["paths"].values():
        for verb, operation in operations.items():
            for content in operation.get("requestBody", {}).get("content", {}).values():
                schemas.update(content["schema"].pop("$defs", {}))
            if "requestBody" in operation:
                _describe_strictness(operation)
            operation["responses"] = _with_front_desk(verb, operation["responses"])
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    found["components"]["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
    found["security"] = [{"key": []}]
    return found


def _describe_strictness(operation: dict[str, Any]) -> None:
    """What holds for every body: unknown fields are ignored and named, or refused on request."""
    operation.setdefault("parameters", []).append(_PREFER)
    for status, answer in operation["responses"].items():
        if int(status) < 300:
            answer["headers"] = _STRICTNESS_HEADERS


def _with_front_desk(verb: str, responses: dict[str, Any]) -> dict[str, Any]:
    """Add what is answered before a route is reached; take out what FastAPI would answer and we do not."""
    if "HTTPValidationError" in str(responses.get("422")):
        del responses["422"]
    codes = () if verb == "get" else (*WRITING, 422) if verb == "post" else WRITING
    for code in codes:
        responses.setdefault(str(code), {**responses["401"], "description": REFUSALS[code]})
    return dict(sorted(responses.items()))


_PREFER = {
    "name": "Prefer",
    "in": "header",
    "required": False,
    "schema": {"type": "string"},
    "description": "`handling=strict` refuses a body with unknown fields (400) instead of ignoring them",
}
_STRICTNESS_HEADERS = {
    IGNORED: {
        "description": "Fields of the body that are not known and were ignored: up to 20 paths, then `+N`",
        "schema": {"type": "string"},
    },
    APPLIED: {"description": "`handling=strict` when the caller preferred it", "schema": {"type": "string"}},
}
_ABOUT = """Scores of what AI applications and agents did. Every failure is
`{"error": {"code", "message", "details"}}`; lists are `{"items", "next_cursor", "limit"}`.
An address that is not listed here answers 404, a method that it does not have 405.
A request that comes too slowly answers 408, one with too large a head 431. A call without a key to a name that is not
the server's answers 421, one with a session cookie that does not come from the server's own page 403 (`CSRF`).
Query parameters that are not listed are refused with 400. Unknown fields of a body are ignored and named in the header
`Gnomon-Ignored`. Null for an optional field is as absent. A body may come with `Content-Encoding: gzip`, and
large answers to GET leave so with `Accept-Encoding: gzip`."""
