"""Shares: a link shows one view of its own objects, read only, until it ends; and no other endpoint answers to it."""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import pytest

from conftest import Server
from contract.caller import LOOPBACK, Api, Refusal, expect, span
from contract.test_outcomes import iteration as iteration_draft
from contract.test_outcomes import push

OWN_PAGE = {"Sec-Fetch-Site": "same-origin", "X-Gnomon": "1"}


@dataclass(frozen=True)
class Opened:
    """A browser with a share open, as the page that shows it speaks."""

    http: httpx2.Client
    share: dict[str, Any]

    def call(self, method: str, path: str, **more: Any) -> httpx2.Response:
        headers = {**OWN_PAGE, "X-Gnomon-Share": self.share["id"]}
        return self.http.request(method, f"/v1{path}", headers=headers, **more)

    def get(self, path: str) -> httpx2.Response:
        return self.call("GET", path)


_ADDRESSES = itertools.count(2)


@pytest.fixture
def browser(server: Server) -> Iterator[httpx2.Client]:
    """A browser at an address of its own, since failed logins are counted by address."""
    own = httpx2.HTTPTransport(local_address=f"127.0.7.{next(_ADDRESSES)}", verify=False)
    with httpx2.Client(base_url=server.url, timeout=600, transport=own, **LOOPBACK) as http:
        yield http


def open_share(browser: httpx2.Client, api: Api, path: str, **fields: Any) -> Opened:
    share = api.make("/shares", {"path": path, **fields})
    token = share["url_path"].removeprefix("/share#token=")
    answer = browser.post("/v1/session", json={"share": token}, headers=OWN_PAGE)
    assert answer.status_code == 201, answer.text
    return Opened(browser, share)


@dataclass(frozen=True)
class Two:
    """Two of everything that a share can be bound to: `first` is shared, `second` lies beside it."""

    first: dict[str, str]
    second: dict[str, str]


def everything(api: Api, iteration: int) -> dict[str, str]:
    """One object of every kind, and a second experiment to compare with."""
    dataset = api.questions(2)
    base, other = api.measured(dataset, [0, 1]), api.measured(dataset, [1, 1])
    trace = api.trace(span(id=f"root-{iteration}", trace_id=f"trace-{iteration}"))
    push(api, iteration_draft(iteration, 0.5))
    iterations = api.items("/iterations", project_id=api.project)
    return {
        "experiment": base,
        "other": other,
        "dataset": dataset.id,
        "item": dataset.item_ids[0],
        "run": api.ids(f"/experiments/{base}/runs")[0],
        "trace": trace,
        "span": f"root-{iteration}",
        "iteration": next(row["id"] for row in iterations if row["iteration"] == iteration),
        "annotation": api.annotation(trace)["id"],
        "project": api.project,
    }


@pytest.fixture
def two(api: Api) -> Two:
    return Two(everything(api, 1), everything(api, 2))


VIEWS = {
    "compare": "/projects/{project}/compare/{experiment}/{other}?scorer=quality",
    "experiment": "/projects/{project}/experiments/{experiment}",
    "trace": "/projects/{project}/traces/{trace}",
    "iteration": "/projects/{project}/iterations/{iteration}",
    "leaderboard": "/projects/{project}/leaderboard?dataset={dataset}",
}
# What each may ask, and nothing else: the endpoint, and an address of it about the share's own objects.
OF_EXPERIMENT = "/experiments/{id}"
COMPARED = "/experiments/{id}/compare/{other}"
ALLOWED: dict[str, dict[str, str]] = {
    "compare": {
        COMPARED: "/experiments/{experiment}/compare/{other}?items=none",
        f"{COMPARED}/items": "/experiments/{experiment}/compare/{other}/items?scorer_name=quality",
        f"{COMPARED}/points": "/experiments/{experiment}/compare/{other}/points?scorer_name=quality",
    },
    "experiment": {
        f"{OF_EXPERIMENT}/runs": "/experiments/{experiment}/runs?fields=lean",
        f"{OF_EXPERIMENT}/summary": "/experiments/{experiment}/summary",
        f"{OF_EXPERIMENT}/histogram": "/experiments/{experiment}/histogram?scorer_name=quality",
        f"{OF_EXPERIMENT}/threshold": (
            "/experiments/{experiment}/threshold?scorer_name=quality&metric=mean&threshold=0.5"
        ),
        "/runs/{id}": "/runs/{run}",
    },
    "trace": {
        "/traces/{id}": "/traces/{trace}?spans=skeleton",
        "/traces/{id}/spans/{span_id}": "/traces/{trace}/spans/{span}",
        "/traces/{id}/scores": "/traces/{trace}/scores",
        "/traces/{id}/find": "/traces/{trace}/find?q=x",
        "/annotations": "/annotations?trace_id={trace}",
    },
    "iteration": {
        "/iterations/{id}": "/iterations/{iteration}",
        "/scores": "/scores?target_id={iteration}&target_type=iteration",
    },
    "leaderboard": {
        "/leaderboard": "/leaderboard?dataset_id={dataset}&scorer_name=quality",
        "/scorers": "/scorers?dataset_id={dataset}",
    },
}


@pytest.mark.parametrize("kind", VIEWS)
def test_a_share_answers_about_its_own_objects(browser, api, two, kind):
    opened = open_share(browser, api, VIEWS[kind].format(**two.first))
    for address in ALLOWED[kind].values():
        expect(200, opened.get(address.format(**two.first)))


@pytest.mark.parametrize("kind", VIEWS)
def test_it_says_nothing_of_objects_beside_them(browser, api, two, kind):
    opened = open_share(browser, api, VIEWS[kind].format(**two.first))
    for address in ALLOWED[kind].values():
        answer = opened.get(address.format(**two.second))
        # A run names its experiment only where it is stored, so a run of another is as if it were not there.
        assert answer.status_code == (404 if address == "/runs/{run}" else 403), (address, answer.text)


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)  # what it may ask is decided before it is looked up
@pytest.mark.parametrize("kind", VIEWS)
def test_no_other_endpoint_answers(browser, api, two, kind):
    """All operations of the server's own document, with the ids of what is shared."""
    opened = open_share(browser, api, VIEWS[kind].format(**two.first))
    paths = browser.get("/openapi.json").json()["paths"]
    operations = [(method.upper(), path) for path, operations in paths.items() for method in operations]
    assert len(operations) > 120
    open_to_all = {("POST", "/v1/session"), ("GET", "/v1/session")}
    allowed = {("GET", f"/v1{path}") for path in ALLOWED[kind]}
    before = api.stored()
    for method, path in operations:
        if (method, path) in open_to_all | allowed:
            continue
        for ids in _guesses(path, two.first):
            answer = opened.call(method, path.removeprefix("/v1").format(**ids))
            assert answer.status_code == 403, (method, path, ids, answer.text)
    assert api.stored() == before


def _guesses(path: str, ids: dict[str, str]) -> Iterator[dict[str, str]]:
    """The parameters of a path, with each of the share's ids in turn."""
    names = re.findall(r"{(\w+)}", path)
    if "{" not in path:
        yield {}
        return
    for value in dict.fromkeys(ids.values()):
        yield dict.fromkeys(names, value) | {"other": ids["other"], "span_id": ids["span"], "item_id": ids["item"]}


def test_an_object_in_a_query_is_named_once_and_nothing_else_counts(browser, api, two):
    trace = open_share(browser, api, VIEWS["trace"].format(**two.first))
    for query in (
        "", "?trace_id={0}&trace_id={1}", "?trace_id={1}&trace_id={0}", "?annotator={0}", "?run_id={0}",
        "?trace_id=", "?Trace_id={0}", "?trace_id={0}&trace_id={0}",
    ):  # fmt: skip
        address = "/annotations" + query.format(two.first["trace"], two.second["trace"])
        assert trace.get(address).status_code == 403, address
    iteration = open_share(browser, api, VIEWS["iteration"].format(**two.first))
    own = two.first["iteration"]
    for query in (f"target_id={own}", f"target_id={own}&target_type=run", "target_type=iteration"):
        assert iteration.get(f"/scores?{query}").status_code == 403, query


def test_a_comparison_is_the_same_seen_from_the_other_side(browser, api, two):
    opened = open_share(browser, api, VIEWS["compare"].format(**two.first))
    expect(200, opened.get(f"/experiments/{two.first['other']}/compare/{two.first['experiment']}?items=none"))
    assert opened.get(f"/experiments/{two.first['other']}/summary").status_code == 403


# --- the link -----


def test_a_share_says_what_it_shows_and_until_when(browser, api, two):
    path = VIEWS["compare"].format(**two.first)
    opened = open_share(browser, api, path, expires_in_days=3)
    session = expect(200, opened.get("/session"))
    assert session["share"] == {"id": opened.share["id"], "kind": "compare", "path": path}
    assert session["role"] == "read"
    until = datetime.fromisoformat(session["expires_at"])
    assert timedelta(days=2.9) < until - datetime.now(UTC) < timedelta(days=3)


def test_it_is_listed_without_its_token_and_revoked(browser, api, two):
    opened = open_share(browser, api, VIEWS["trace"].format(**two.first))
    own = f"/traces/{two.first['trace']}?spans=skeleton"
    expect(200, opened.get(own))
    (listed,) = api.items("/shares", project_id=api.project)
    assert listed == {name: value for name, value in opened.share.items() if name != "url_path"}
    expect(200, api.delete(f"/shares/{listed['id']}"))
    refused = Refusal.of(opened.get(own))
    assert refused.said == (401, "UNAUTHORIZED")
    assert "was revoked" in refused.message
    assert api.items("/shares", project_id=api.project) == []
    token = opened.share["url_path"].removeprefix("/share#token=")
    again = browser.post("/v1/session", json={"share": token}, headers=OWN_PAGE)
    assert Refusal.of(again).said == (401, "UNAUTHORIZED")


@pytest.mark.parametrize("kind", ["compare", "experiment", "leaderboard", "trace"])
def test_it_ends_with_what_it_shows(browser, api, two, kind):
    share = api.make("/shares", {"path": VIEWS[kind].format(**two.first)})
    noun = {"compare": "experiments/{other}", "experiment": "experiments/{experiment}", "trace": "traces/{trace}"}
    if kind == "leaderboard":
        for experiment in (two.first["experiment"], two.first["other"]):
            expect(200, api.delete(f"/experiments/{experiment}"))
    expect(200, api.delete("/" + noun.get(kind, "datasets/{dataset}").format(**two.first)))
    token = share["url_path"].removeprefix("/share#token=")
    assert browser.post("/v1/session", json={"share": token}, headers=OWN_PAGE).status_code == 401


def test_it_ends_with_its_project(browser, root):
    api = root.with_key("admin")
    trace = api.trace()
    share = api.make("/shares", {"path": f"/projects/{api.project}/traces/{trace}"})
    expect(200, root.call("DELETE", f"/projects/{api.project}", params={"confirm": api.project}))
    token = share["url_path"].removeprefix("/share#token=")
    assert browser.post("/v1/session", json={"share": token}, headers=OWN_PAGE).status_code == 401


def test_beside_an_own_login_neither_ends_nor_widens_the_other(browser, api, two):
    expect(201, browser.post("/v1/session", json={"key": api.key}, headers=OWN_PAGE))
    opened = open_share(browser, api, VIEWS["trace"].format(**two.first))
    second = open_share(browser, api, VIEWS["trace"].format(**two.second))
    assert opened.get("/datasets").status_code == 403
    own = browser.get("/v1/session", headers=OWN_PAGE).json()
    assert (own["role"], own["share"]) == ("admin", None)
    expect(200, opened.get(f"/traces/{two.first['trace']}?spans=skeleton"))
    expect(200, second.get(f"/traces/{two.second['trace']}?spans=skeleton"))
    assert opened.get(f"/traces/{two.second['trace']}?spans=skeleton").status_code == 403
    no_cookie = browser.get("/v1/datasets", headers={**OWN_PAGE, "X-Gnomon-Share": "another"})
    assert Refusal.of(no_cookie).said == (401, "UNAUTHORIZED")


def test_its_token_is_no_key_and_no_login_code(browser, api, two):
    token = api.make("/shares", {"path": VIEWS["trace"].format(**two.first)})["url_path"].removeprefix("/share#token=")
    as_key = browser.get("/v1/datasets", headers={"Authorization": f"Bearer {token}"})
    assert Refusal.of(as_key).said == (401, "UNAUTHORIZED")
    for field in ("key", "code"):
        assert browser.post("/v1/session", json={field: token}, headers=OWN_PAGE).status_code == 401


# --- what is refused -----


@pytest.mark.parametrize(
    "path",
    ["", "/", "/projects/p", "/projects/p/traces", "/projects/p/settings", "https://evil.example/projects/p/traces/x",
     "//evil.example/projects/p/traces/x", "/projects/p/traces/x#token=y", "/projects/p/leaderboard",
     "/projects/p/leaderboard?dataset=a&dataset=b", "/projects/p/traces/x\n"],
)  # fmt: skip
def test_other_addresses_are_not_shared(api, path):
    refused = api.refusal("POST", "/shares", {"path": path})
    assert refused.said == (400, "INVALID_REQUEST")
    assert refused.errors[0]["field"] == "path"


@pytest.mark.parametrize("days", [0, 91, 1.5, "x"])
def test_a_link_ends_within_90_days(api, two, days):
    draft = {"path": VIEWS["trace"].format(**two.first), "expires_in_days": days}
    refused = api.refusal("POST", "/shares", draft)
    assert refused.said == (400, "INVALID_REQUEST")
    assert refused.errors[0]["field"] == "expires_in_days"


@pytest.mark.parametrize("kind", VIEWS)
def test_what_is_not_there_or_another_project_s_is_not_shared(api, root, two, kind):
    gone = VIEWS[kind].format(**{**two.first, **dict.fromkeys(["experiment", "trace", "iteration", "dataset"], "none")})
    assert api.refusal("POST", "/shares", {"path": gone}).said == (404, "NOT_FOUND")
    stranger = Api(root.http, root.key, "another-project").with_key("write")
    assert stranger.post("/shares", {"path": VIEWS[kind].format(**two.first)}).status_code == 404
    there = VIEWS[kind].format(**{**two.first, "project": "another-project"})
    assert stranger.post("/shares", {"path": there}).status_code == 404


def test_a_reading_key_makes_none(api, two):
    refused = api.refusal("POST", "/shares", {"path": VIEWS["trace"].format(**two.first)}, by=api.with_key("read"))
    assert refused.said == (403, "FORBIDDEN")
