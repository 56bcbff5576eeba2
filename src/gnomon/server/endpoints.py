"""What every endpoint declares, and the one table in which the endpoint of a request is looked up.

Who may call an endpoint and how its body is read stand at the endpoint, never in its address. An endpoint that
declares nothing keeps the server from starting, so that none is open by accident.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar
from urllib.parse import parse_qsl

from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute, Match
from starlette.types import Scope

from gnomon.model.access import Principal, Role
from gnomon.model.share import SharedView

F = TypeVar("F", bound=Callable[..., Any])
BodyReading = Literal["whole", "streamed", "unread"]
"""`whole`: read, bounded and inflated before the endpoint runs; `streamed`: inflated while the endpoint reads it."""

Protocol = Literal["json", "otlp"]
"""In which form bodies come and refusals leave: our own JSON, or OpenTelemetry's protocol."""

SharedRule = Callable[[SharedView, Mapping[str, str], Mapping[str, tuple[str, ...]]], bool]
"""Whether a share shows what an address names: by the share, the parameters of the path, and those of the query."""

_DECLARED = "gnomon_rules"


@dataclass(frozen=True, slots=True)
class Rules:
    """Conditions that are checked before an endpoint is reached."""

    role: Role | None
    """The least role that may call it; None for everybody, without a key."""
    body: BodyReading
    query_prefixes: tuple[str, ...] = ()
    """Query parameters that begin so are known too, whatever follows."""
    also: Callable[[Principal], None] | None = None
    """A further condition on the caller; raises `Forbidden`."""
    speaks: Protocol = "json"
    any_host: bool = False
    """Whether it answers whatever the request's Host is, as probes of a container's health need it."""
    reviewer: bool = False
    """Whether a key of the role reviewer may call it, which no other role's place in their order decides."""

    shared: SharedRule | None = None
    """When the caller of a share may call it; None for never. Nothing else decides about such a caller."""

    def admit(self, principal: Principal, scope: Scope) -> bool:
        """`scope` is the request with the parameters of its path."""
        if principal.share is not None:
            return self.shared is not None and self._is_shared(principal.share, self.shared, scope)
        return self.role is None or (self.reviewer if principal.is_reviewer else principal.may(self.role))

    @staticmethod
    def _is_shared(view: SharedView, rule: SharedRule, scope: Scope) -> bool:
        values: dict[str, tuple[str, ...]] = {}
        for name, value in parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True):
            values[name] = (*values.get(name, ()), value)
        return scope["method"] == "GET" and rule(view, scope["path_params"], values)


# Below /v1 also what is not there is only told to callers with a key, after the limit of a body.
_NOWHERE_IN_API, _NOWHERE = Rules("read", "whole"), Rules(None, "unread")


def needs(
    role: Role,
    *,
    body: BodyReading = "whole",
    query_prefixes: tuple[str, ...] = (),
    also: Callable[[Principal], None] | None = None,
    speaks: Protocol = "json",
    reviewer: bool = False,
    shared: SharedRule | None = None,
) -> Callable[[F], F]:
    """Declare that an endpoint needs a key with this role or a higher one.

    `reviewer`: or one of that role; `shared`: or the caller of a share, when that rule says so (`sharing.py`).
    """
    return _declare(Rules(role, body, query_prefixes, also, speaks, reviewer=reviewer, shared=shared))


def public(*, body: BodyReading, any_host: bool = False) -> Callable[[F], F]:
    """Declare an endpoint that needs no key."""
    return _declare(Rules(None, body, any_host=any_host))


def _declare(rules: Rules) -> Callable[[F], F]:
    def declare(function: F) -> F:
        setattr(function, _DECLARED, rules)
        return function

    return declare


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A route with its rules. `query` is None where any query parameter goes."""

    route: BaseRoute
    rules: Rules
    methods: frozenset[str]
    query: frozenset[str] | None = None

    @classmethod
    def of(cls, route: APIRoute) -> "Endpoint":
        rules = getattr(route.endpoint, _DECLARED, None)
        if not isinstance(rules, Rules):
            raise TypeError(f"{route.path} declares no rules; put @needs(role) or @public(body=...) on its function")
        query = frozenset(_query_names(route.dependant)) if is_api(route.path) else None
        return cls(route, rules, frozenset(route.methods or ()), query)

    def knows(self, parameter: str) -> bool:
        return self.query is None or parameter in self.query or parameter.startswith(self.rules.query_prefixes)


def _query_names(dependant: Dependant) -> Iterator[str]:
    yield from (parameter.alias for parameter in dependant.query_params)
    for inner in dependant.dependencies:
        yield from _query_names(inner)


def is_api(path: str) -> bool:
    return path == "/v1" or path.startswith("/v1/")


@dataclass(frozen=True, slots=True)
class Resolved:
    """Result of routing: an endpoint with its path parameters, or none, and then the methods of that address."""

    endpoint: Endpoint | None
    rules: Rules
    scope: Scope
    allowed: frozenset[str] = frozenset()


@dataclass
class Endpoints:
    """All endpoints, looked up once per request; the first that matches serves it.

    Routes lie by the first two parts of their address, so that a request is tried against a few of them. What stands
    beside them comes after all of them, and nothing below /v1 is a file.
    """

    _by_start: dict[str, list[Endpoint]] = field(default_factory=dict)
    _beside: list[Endpoint] = field(default_factory=list)

    @classmethod
    def of(cls, endpoints: Iterable[Endpoint]) -> "Endpoints":
        table = cls()
        for endpoint in endpoints:
            if not isinstance(endpoint.route, APIRoute):
                table._beside.append(endpoint)
                continue
            start = _start(endpoint.route.path)
            if "{" in start:
                raise ValueError(f"{endpoint.route.path}: the first two parts of an address hold no parameter")
            table._by_start.setdefault(start, []).append(endpoint)
        return table

    def resolve(self, scope: Scope) -> Resolved:
        path: str = scope["path"]
        candidates = self._by_start.get(_start(path), [])
        if not is_api(path):
            candidates = [*candidates, *self._beside]
        allowed: frozenset[str] = frozenset()
        for endpoint in candidates:
            match, child_scope = endpoint.route.matches(scope)
            if match is Match.NONE:
                continue
            if scope["method"] in endpoint.methods:
                return Resolved(endpoint, endpoint.rules, child_scope)
            allowed |= endpoint.methods
        return Resolved(None, _NOWHERE_IN_API if is_api(path) else _NOWHERE, {}, allowed)


def _start(path: str) -> str:
    return "/".join(path.split("/", 3)[:3])
