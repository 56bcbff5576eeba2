"""Every answer tells a browser the same few rules, and every page keeps to them."""

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

import pytest

from contract.routes import NOBODY, ROUTES, name
from contract.test_outcomes import iteration, push

GUARDS = {
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}
ROOT_PAGES = ["/", "/docs", "/openapi.json", "/healthz", "/readyz"]

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


def guards(answer) -> dict[str, list[str]]:
    """Each once: a browser that meets two policies keeps to both, and a proxy may drop one."""
    return {name: answer.headers.get_list(name) for name in GUARDS}


EXPECTED = {name: [value] for name, value in GUARDS.items()}


def has_guards(answer) -> bool:
    """A page brings a policy of its own, and everything else is as for JSON."""
    is_page = answer.headers["content-type"].startswith("text/html")
    (policy,) = answer.headers.get_list("content-security-policy")
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    return guards(answer) == ({**EXPECTED, "content-security-policy": [policy]} if is_page else EXPECTED)


@pytest.mark.parametrize("route", ROUTES, ids=name)
def test_every_call_answers_with_them_whether_it_is_let_in_or_not(api, server, route):
    about = route.about(NOBODY)
    for answer in (api.call(**about), server.http.request(about["method"], f"/v1{about['path']}")):
        assert has_guards(answer)
        assert answer.headers.get_list("cache-control") == ["no-store"]
        assert "access-control-allow-origin" not in answer.headers
        kind = answer.headers["content-type"]
        assert kind == "application/json" or (kind.startswith("text/html") and "/page" in route.path)


@pytest.mark.parametrize("path", [*ROOT_PAGES, "/nowhere", "/v1", "/v1/nowhere", "/docs/"])
def test_so_does_everything_outside_the_contract(server, path):
    for method in ("GET", "HEAD", "POST", "OPTIONS"):
        assert has_guards(server.http.request(method, path)), method


def test_a_body_that_is_too_large_is_refused_with_them(api):
    assert guards(api.call("POST", "/datasets", content=b"x" * 33_000_000)) == EXPECTED


class _Tags(HTMLParser):
    """What in a page would run or fetch something."""

    def __init__(self) -> None:
        super().__init__()
        self.wrong: list[str] = []
        self.policy = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        if tag == "meta" and given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"] or ""
        if tag in ("script", "link", "iframe", "object", "embed", "img", "form", "base", "audio", "video", "use"):
            self.wrong.append(tag)
        self.wrong += [
            f"{tag} {name}" for name in given if name.startswith("on") or name in ("src", "srcset", "action")
        ]


def page_is_quiet(answer) -> None:
    """What it says in itself, and the policy that comes with it: its one style is known by its hash."""
    text, seen = answer.text, _Tags()
    seen.feed(text)
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    hashed = b64encode(sha256(style.encode()).digest()).decode()
    assert f"script-src 'none'; style-src 'sha256-{hashed}';" in answer.headers["content-security-policy"]
    assert seen.wrong == []
    assert seen.policy
    assert not re.search(r"url\(|@import", text)


def test_the_api_reference_runs_only_its_own_script_and_fetches_nothing_else(server):
    """It works without a network: everything is in the page but one script of the same server."""
    answer = server.http.get("/docs")
    assert answer.headers["content-type"].startswith("text/html")
    policy = answer.headers["content-security-policy"]
    assert "unsafe-inline" not in policy
    assert "script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; style-src 'sha256-" in policy
    assert re.findall(r"<script[^>]*>", answer.text) == ['<script src="docs/reference.js" defer>']
    assert not re.search(r"<(link|img|iframe)|url\(|@import| style=| on\w+=", answer.text)
    script = server.http.get("/docs/reference.js")
    assert (script.status_code, script.headers["content-type"]) == (200, "text/javascript; charset=utf-8")
    assert not re.search(r"innerHTML|insertAdjacentHTML|eval\(|https?:", script.text)


def test_the_page_of_outcomes_runs_nothing_and_fetches_nothing_with_something_in_it(api):
    push(api, iteration(1), iteration(2, 0.4), source="<script src=//evil.example>")
    answer = api.get("/outcomes/page")
    assert "&lt;script src=//evil.example&gt;" in answer.text
    page_is_quiet(answer)
