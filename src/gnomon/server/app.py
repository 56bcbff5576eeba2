"""The application: routes, refusals, and a true OpenAPI document."""

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp

from gnomon._version import __version__
from gnomon.errors import GnomonError, StoreTrouble
from gnomon.report import apidoc, welcome
from gnomon.server import errors
from gnomon.server.desk import REFUSALS, WRITING, show
from gnomon.server.frontdesk import FrontDesk
from gnomon.server.house import House
from gnomon.server.routes import (
    calibration,
    datasets,
    experiments,
    ingest,
    jobs,
    judges,
    keys,
    leaderboard,
    outcomes,
    plan,
    projects,
    review,
    rules,
    scores,
    traces,
)
from gnomon.service import health

# Tried in this order, so the busiest come first.
ROUTERS = (
    ingest, scores, experiments, datasets, traces, review, projects, leaderboard, keys, jobs, calibration, plan, rules,
    judges, outcomes,
)  # fmt: skip


def create_app(house: House) -> ASGIApp:
    api = FastAPI(
        title="Gnomon", version=__version__, docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False
    )
    api.state.house = house
    for routes in ROUTERS:
        api.include_router(routes.router)
    _add_root_pages(api, house)
    api.add_exception_handler(GnomonError, _refused)
    api.add_exception_handler(RequestValidationError, _refused)
    api.add_exception_handler(Exception, _crashed)
    own = [route for module in ROUTERS for route in module.router.routes]
    known = [route for route in (*own, *api.routes) if isinstance(route, APIRoute)]
    return FrontDesk(api, known, house.recall, house.identify, house.settings.max_body_bytes)


async def _refused(_: Request, refusal: Exception) -> Response:
    if isinstance(refusal, RequestValidationError):
        return errors.answer(errors.from_pydantic(refusal))
    assert isinstance(refusal, GnomonError)
    return errors.answer(refusal)


async def _crashed(request: Request, _: Exception) -> Response:
    return errors.crashed(request.state.request_id)


def _add_root_pages(api: FastAPI, house: House) -> None:
    document: dict[str, Any] = {}

    def the_document() -> dict[str, Any]:
        if not document:
            document.update(openapi(api))
        return document

    @api.get("/healthz", include_in_schema=False)
    async def healthz() -> Response:
        return show({"status": "ok"})

    @api.get("/readyz", include_in_schema=False)
    def readyz() -> Response:
        try:
            house.store.read(health.check)
        except StoreTrouble as trouble:
            return errors.envelope(503, "NOT_READY", trouble.message)
        return show({"status": "ready", "version": __version__})

    @api.get("/openapi.json", include_in_schema=False)
    def openapi_json() -> Response:
        return show(the_document())

    @api.get("/docs", include_in_schema=False)
    def docs() -> Response:
        return HTMLResponse(apidoc.page(the_document()))

    @api.get("/", include_in_schema=False)
    def home(request: Request) -> Response:
        return HTMLResponse(welcome.page(__version__, str(request.base_url)))


def openapi(api: FastAPI) -> dict[str, Any]:
    """FastAPI's document, with the bodies that `Desk.body` reads and the key that every call needs."""
    found = get_openapi(title=api.title, version=api.version, routes=api.routes, description=_ABOUT)
    schemas = found.setdefault("components", {}).setdefault("schemas", {})
    for operations in found["paths"].values():
        for verb, operation in operations.items():
            for content in operation.get("requestBody", {}).get("content", {}).values():
                schemas.update(content["schema"].pop("$defs", {}))
            operation["responses"] = _with_front_desk(verb, operation["responses"])
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    found["components"]["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
    found["security"] = [{"key": []}]
    return found


def _with_front_desk(verb: str, responses: dict[str, Any]) -> dict[str, Any]:
    """Add what is answered before a route is reached; take out what FastAPI would answer and we do not."""
    if "HTTPValidationError" in str(responses.get("422")):
        del responses["422"]
    codes = () if verb == "get" else (*WRITING, 422) if verb == "post" else WRITING
    for code in codes:
        responses.setdefault(str(code), {**responses["401"], "description": REFUSALS[code]})
    return dict(sorted(responses.items()))


_ABOUT = """Scores of what AI applications and agents did. Every failure is
`{"error": {"code", "message", "details"}}`; lists are `{"items", "next_cursor", "limit"}`.
An address that is not listed here answers 404, a method that it does not have 405.
A request that comes too slowly answers 408, one with too large a head 431."""
