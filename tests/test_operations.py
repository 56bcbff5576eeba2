"""The clients and the protocol against the OpenAPI document of a server: nothing is missing, nothing is invented.

Spec: `Client` and `AsyncClient` cover every operation of the OpenAPI document, typed in and out.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from pydantic import BaseModel

from contract.document import Document
from gnomon.client import AsyncClient, Client
from gnomon.client.binding import listing, operation
from gnomon.client.operations import Operations
from gnomon.client.requests import ListRequest, Request
from gnomon.model.backend import Backend
from gnomon.model.drift import DriftOptions
from gnomon.model.experiment import RunDraft
from gnomon.model.iterationgroups import (
    IterationComparisonOptions,
    IterationOptions,
    IterationSummaryOptions,
    IterationThresholdOptions,
)
from gnomon.model.iterationviews import IterationTrendOptions
from gnomon.model.leaderboard import LeaderboardOptions
from gnomon.model.score import ScoreDraft
from gnomon.model.stopping import StoppingDraft
from gnomon.model.trace import SpanDraft
from gnomon.service.embedded import Embedded

NOW = datetime(2026, 2, 21, tzinfo=UTC)
PAGED = {"limit", "cursor"}
OF_PAGES = {*PAGED, "count"}
"""What is asked of a page; clients follow a list to its end."""
EXAMPLES: dict[Any, Any] = {
    str: "x",
    bytes: b"x",
    int: 1,
    float: 0.5,
    bool: True,
    datetime: NOW,
    Mapping[str, str]: {"user": "u1"},
    RunDraft: RunDraft(dataset_item_id="i", output="x"),
    ScoreDraft: ScoreDraft(target_id="t", target_type="run", scorer_name="s", value=1.0),
    SpanDraft: SpanDraft(id="s", trace_id="t", name="step", start_time=NOW),
    StoppingDraft: StoppingDraft(scorer_name="s", kind="gate", text="s >= 0.5", outcome="passed", items=1, max_items=2),
    DriftOptions: DriftOptions(scorer_name="s", config_hash="c", reference="a..b", by="model", until="d"),
    LeaderboardOptions: LeaderboardOptions(missing="zero", k=1, pass_threshold=0.5, min_effect=0.5, interval="wilson"),
}
_WHICH = dict.fromkeys(IterationOptions.model_fields, "x")
_READ = {**_WHICH, "cluster_by": "task", "missing": "zero", "interval": "wilson"}
EXAMPLES |= {
    IterationOptions: IterationOptions(**_WHICH),
    IterationTrendOptions: IterationTrendOptions(**_WHICH, provisional=True, before=9, limit=5),
    IterationSummaryOptions: IterationSummaryOptions(**_READ),
    IterationThresholdOptions: IterationThresholdOptions(**_READ, comparison="gt", bound="ci", min_n=2),
    IterationComparisonOptions: IterationComparisonOptions(
        **_WHICH, a="x", b="y", cluster_by="task", scorer_name="s", min_effect=0.5
    ),
}
OF_BROWSERS = {("POST", "/v1/session"), ("DELETE", "/v1/session"), ("GET", "/v1/events")}
"""A cookie is nothing to a program, which sends its key with every call; events have no end, and tell an open page when
to ask again."""

BUILDERS: dict[str, Callable[..., Any]] = {
    name: described.build for name, described in vars(Operations).items() if hasattr(described, "build")
}


def sample(kind: Any) -> Any:
    """Something of this type to give a method."""
    if NoneType in get_args(kind):
        kind = next(one for one in get_args(kind) if one is not NoneType)
    if kind in EXAMPLES:
        return EXAMPLES[kind]
    if get_origin(kind) is Literal:
        return get_args(kind)[0]
    if get_origin(kind) is Iterable:
        return [sample(get_args(kind)[0])]
    assert issubclass(kind, BaseModel)
    return kind.model_construct()


def requested(name: str) -> Request[Any]:
    """The request that a method makes when everything is given."""
    build = BUILDERS[name]
    hints = get_type_hints(build)
    given = {parameter: sample(hints[parameter]) for parameter in list(inspect.signature(build).parameters)[1:]}
    made = build(None, **given)
    return made.page("c") if isinstance(made, ListRequest) else made


@pytest.fixture(scope="module")
def served(server_on) -> dict[str, Any]:
    found: dict[str, Any] = server_on("sqlite").http.get("/openapi.json").json()
    return found


@pytest.fixture(scope="module")
def used(served) -> dict[str, tuple[str, str]]:
    """Method → the operation that it uses."""
    document = Document.of(served)
    found = {}
    for name in BUILDERS:
        request = requested(name)
        operation = document.operation(request.method, f"/v1{request.path}")
        assert operation is not None, f"{name} asks for {request.method} {request.path}, which no server has"
        found[name] = (operation.method, operation.path)
    return found


def methods(cls: type) -> set[str]:
    members = inspect.getmembers(cls, lambda member: callable(member) or hasattr(member, "build"))
    return {name for name, _ in members if not name.startswith("_")}


def test_every_operation_has_a_method_and_every_method_an_operation(served, used):
    there = {(verb.upper(), path) for path, operations in served["paths"].items() for verb in operations}
    assert there == set(used.values()) | OF_BROWSERS


def test_protocol_and_implementations_have_the_same_methods():
    own = set(BUILDERS)
    assert methods(Backend) == own | {"close"}
    assert methods(Embedded) == own | {"close"}
    assert methods(Client) == own | {"close", "send", "pages"}
    assert methods(AsyncClient) == own | {"aclose", "send", "pages"}


@pytest.mark.parametrize("name", sorted(BUILDERS))
def test_a_method_has_the_same_parameters_everywhere(name):
    def parameters(function: Any) -> list[tuple[str, Any, Any]]:
        found = list(inspect.signature(function).parameters.values())
        return [(one.name, one.kind, one.default) for one in found if one.name != "self"]

    assert parameters(BUILDERS[name]) == parameters(getattr(Backend, name)) == parameters(getattr(Embedded, name))


@pytest.mark.parametrize("name", sorted(BUILDERS))
def test_a_method_says_what_it_does(name):
    assert getattr(Client, name).__doc__


def test_every_query_parameter_can_be_given(served, used):
    """`score_…` and `preview_…` share an operation: `dry_run` is what makes the difference. So do `experiments` and
    `experiment_rows` (`include`), `runs` and `lean_runs` (`fields`), `trace` and `trace_skeleton` (`spans`), `datasets`
    and `dataset_rows`, `items` and `lean_items`."""
    given: dict[tuple[str, str], set[str]] = {}
    for name, asked in used.items():
        given.setdefault(asked, set()).update(requested(name).query)
    for (method, path), names in given.items():
        listed = served["paths"][path][method.lower()].get("parameters", [])
        known = {one["name"] for one in listed if one["in"] == "query"}
        free = {one for one in names if one.startswith("metadata.")}
        assert names - free == known - OF_PAGES | (known & PAGED), f"{method} {path}"
        assert not free or path in ("/v1/traces", "/v1/traces/facets", "/v1/experiments")


def test_an_option_that_is_left_out_is_not_sent(used):
    """A missing option means the server's default."""
    for name, build in BUILDERS.items():
        hints, needed = get_type_hints(build), inspect.signature(build).parameters
        required = [one for one in list(needed)[1:] if needed[one].default is inspect.Parameter.empty]
        made = build(None, **{one: sample(hints[one]) for one in required})
        sent = set(made.query) - {"dry_run", "include", "fields", "spans"}
        assert sent <= set(required), name


def test_the_lists_of_the_document_are_the_lists_of_the_clients(served, used):
    """Whatever has a cursor is an iterator that follows it."""
    paged = {name for name in BUILDERS if set(requested(name).query) >= PAGED}
    for name, (method, path) in used.items():
        listed = {one["name"] for one in served["paths"][path][method.lower()].get("parameters", [])}
        assert (name in paged) == ("cursor" in listed), name
        assert isinstance(vars(Operations)[name], listing if name in paged else operation)
