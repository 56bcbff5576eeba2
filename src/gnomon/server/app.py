"""The application: routes, error answers, and an accurate OpenAPI document."""

from collections.abc import Sequence
from functools import lru_cache
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
from gnomon.server.appstate import AppState
from gnomon.server.authentication import Authenticator, BearerKeys
from gnomon.server.endpoints import Endpoint, Endpoints, public
from gnomon.server.examples import EXAMPLES
from gnomon.server.gateway import Gateway
from gnomon.server.requestcontext import REFUSALS, show
from gnomon.server.routes import (
    calibration,
    conversations,
    datasets,
    events,
    experiments,
    ingest,
    jobs,
    judges,
    keys,
    leaderboard,
    outcomes,
    overview,
    plan,
    playground,
    projects,
    queue,
    review,
    rules,
    scores,
    session,
    shares,
    traces,
)
from gnomon.server.sessions import CookieSessions, OpenedShares
from gnomon.server.strictness import APPLIED, IGNORED
from gnomon.server.web import STATIC, THEMES, Site, conditional, etag, web_endpoint, with_theme
from gnomon.service.upkeep import health

# Tried in this order, so the busiest come first.
ROUTERS = (
    ingest, scores, experiments, datasets, traces, queue, review, projects, leaderboard, keys, jobs, calibration, plan,
    rules, judges, outcomes, conversations, session, shares, overview, playground,
    events,
)  # fmt: skip


def create_app(
    app_state: AppState,
    *,
    static: Path = STATIC,
    more: Sequence[Endpoint] = (),
    authenticators: Sequence[Authenticator] = (),
) -> ASGIApp:
    """The whole server.

    `static` is the folder of the built web application, `more` are endpoints beside the API, `authenticators` those
    that are asked after keys and sessions.
    """
    pages, site = APIRouter(), Site(static, app_state.origins.base_path)
    _add_root_pages(pages, app_state, site)
    routes = [*_api_routes(), *(route for route in pages.routes if isinstance(route, APIRoute))]
    shared = OpenedShares(app_state.origins, app_state.recall_share, app_state.find_share)
    sessions = CookieSessions(app_state.origins, app_state.recall_session, app_state.find_session)
    return Gateway(
        Endpoints.of([*map(Endpoint.of, routes), *more, web_endpoint(site)]),
        [BearerKeys(app_state.recall, app_state.identify), shared, sessions, *authenticators],
        {"app_state": app_state},
        app_state.origins,
        app_state.settings.max_body_bytes,
    )


def _api_routes() -> list[APIRoute]:
    return [route for module in ROUTERS for route in module.router.routes if isinstance(route, APIRoute)]


def _add_root_pages(pages: APIRouter, app_state: AppState, site: Site) -> None:
    document: dict[str, Any] = {}

    def the_document() -> dict[str, Any]:
        if not document:
            document.update(openapi())
            if base_path := app_state.origins.base_path:
                document["servers"] = [{"url": base_path}]
        return document

    @lru_cache(maxsize=4)
    def reference(url: str) -> str:
        return apidoc.page(the_document(), url)

    def address(request: Request) -> str:
        """The server's address as the caller knows it: a request does not show a path that a proxy cuts off."""
        return app_state.origins.public_url or "" if app_state.origins.base_path else str(request.base_url)

    @pages.get("/healthz", include_in_schema=False)
    @public(body="unread", any_host=True)
    async def healthz() -> Response:
        return show({"status": "ok"})

    @pages.get("/readyz", include_in_schema=False)
    @public(body="unread", any_host=True)
    def readyz() -> Response:
        try:
            app_state.store.read(health.check)
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
        return _plain_page(request, reference(address(request)), apidoc.policy())

    @pages.get(f"/docs/{apidoc.SCRIPT}", include_in_schema=False)
    @public(body="unread")
    def docs_script(request: Request) -> Response:
        body = apidoc.script().encode()
        headers = {"Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "no-cache", "ETag": etag(body)}
        return conditional(request.headers, body, headers)

    @pages.get("/", include_in_schema=False)
    @public(body="unread")
    def home(request: Request) -> Response:
        if site.is_built:
            return site.page(request)
        return _plain_page(request, welcome.page(__version__, address(request)), welcome.policy())

    @pages.get("/login", include_in_schema=False)
    @public(body="unread")
    def login(request: Request) -> Response:
        """Where login links lead, also when the page was not built."""
        return home(request)


def _plain_page(request: Request, page: str, policy: str) -> Response:
    """A page of `report`, in the theme that the reader chose in the web application."""
    theme = request.cookies.get("theme")
    body = with_theme(page.encode(), theme) if theme in THEMES else page.encode()
    headers = {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy": policy,
        "Cache-Control": "no-cache",
        "ETag": etag(body),
        "Vary": "Cookie",
    }
    return conditional(request.headers, body, headers)


def openapi() -> dict[str, Any]:
    """FastAPI's document, with the bodies that `RequestContext.body` reads and the key that every call needs."""
    document = get_openapi(title="Gnomon", version=__version__, routes=_api_routes(), description=_ABOUT)
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    routes = {(route.path_format, method.lower()): route for route in _api_routes() for method in route.methods or ()}
    for path, operations in document["paths"].items():
        for verb, operation in operations.items():
            route = routes[path, verb]
            operation["x-gnomon-role"] = Endpoint.of(route).rules.role
            for content in operation.get("requestBody", {}).get("content", {}).values():
                schemas.update(content["schema"].pop("$defs", {}))
            if "requestBody" in operation:
                _describe_strictness(operation)
            _add_example(verb, path, operation)
            operation["responses"] = _with_gateway_refusals(verb, operation["responses"], route.status_code or 200)
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    document["components"]["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
    document["security"] = [{"key": []}]
    return document


def _describe_strictness(operation: dict[str, Any]) -> None:
    """What holds for every body: unknown fields are ignored and named, or refused on request."""
    operation.setdefault("parameters", []).append(_PREFER)
    for status, answer in operation["responses"].items():
        if int(status) < 300:
            answer["headers"] = _STRICTNESS_HEADERS


def _add_example(verb: str, path: str, operation: dict[str, Any]) -> None:
    if (verb, path) in EXAMPLES:
        operation["requestBody"]["content"]["application/json"]["example"] = EXAMPLES[verb, path]


def _with_gateway_refusals(verb: str, responses: dict[str, Any], usual: int) -> dict[str, Any]:
    """Add what is answered before a route is reached; take out what FastAPI would answer and we do not.

    The usual success comes first, then all others by their number.
    """
    if "HTTPValidationError" in str(responses.get("422")):
        del responses["422"]
    # 422: an Idempotency-Key that was used with another body
    codes = (403, 422) if verb == "post" else (403,)
    for code in codes:
        responses.setdefault(str(code), {**responses["401"], "description": REFUSALS[code]})
    return dict(sorted(responses.items(), key=lambda answer: (answer[0] != str(usual), answer[0])))


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
_ABOUT = """Scores of what AI applications and agents did. Every call needs the header `Authorization: Bearer KEY`,
unless it says otherwise.

Every refusal is `{"error": {"code", "message", "details"}}`. Lists are `{"items", "next_cursor", "limit"}`; the next
page is asked for with `cursor`.

Query parameters that are not listed are refused with 400. Unknown fields of a body are ignored, and the header
`Gnomon-Ignored` of the answer names them. Null for an optional field means the same as leaving it out. A body may be
compressed (`Content-Encoding: gzip`); large answers to GET are compressed for callers with `Accept-Encoding: gzip`.

Any call may also be answered by 404 (no such address), 405 (no such method at this address), 408 (the request came too
slowly), 421 (a host name that is not the server's, without a key), 431 (headers too large), or 403 `CSRF` (a session
cookie from another site's page)."""
