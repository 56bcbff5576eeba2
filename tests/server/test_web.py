"""The built web application: its page for any address, its assets, and what stays as it is."""

import gzip
import os
from pathlib import Path

import pytest

from contract.caller import Refusal

HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
INDEX = '<!doctype html><html lang="en"><head><title>Gnomon</title></head><body></body></html>'
SCRIPT = "export const words = 1;\n" * 100
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
KEY = {"Authorization": "Bearer the-admin-key"}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(INDEX)
    (folder / "favicon.svg").write_text("<svg/>")
    (folder / "assets" / "index-1a2b.js").write_text(SCRIPT)
    (folder / "assets" / "index-1a2b.js.gz").write_bytes(gzip.compress(SCRIPT.encode(), 9))
    (folder / "assets" / "index-3c4d.css").write_text("p {}\n" * 500)
    (folder / ".hidden").write_text("not for you")
    (tmp_path / "secret").write_text("not for you")
    return folder


# --- the page ---


@pytest.mark.parametrize(
    "path", ["/", "/login", "/login?next=%2F", "/projects/p", "/projects/p/experiments/a%2Fb?scorer=x", "/index.html"]
)
def test_any_address_that_a_browser_opens_shows_the_page(serve, site, path):
    answer = serve(static=site).get(path, headers=HTML)
    assert (answer.status_code, answer.text) == (200, INDEX)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"


def test_the_page_comes_with_its_guards(serve, site):
    client = serve(static=site)
    for path in ("/", "/projects/p", "/assets/index-1a2b.js"):
        headers = client.get(path, headers=HTML).headers
        assert headers.get_list("content-security-policy") == [POLICY]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["permissions-policy"] == "camera=(), microphone=(), geolocation=()"


@pytest.mark.parametrize(
    "path", ["/projects/p", "/assets/nowhere.js", "/docs/more", "/healthz/more", "/openapi.json/x", "/favicon.png"]
)
def test_what_is_no_page_and_no_file_is_not_found_in_the_usual_envelope(serve, site, path):
    client = serve(static=site)
    assert Refusal.of(client.get(path)).said == (404, "NOT_FOUND")
    if path.split("/")[1] in ("assets", "docs", "healthz", "openapi.json"):
        assert Refusal.of(client.get(path, headers=HTML)).said == (404, "NOT_FOUND")


def test_the_page_hides_nothing_of_the_api(serve, site):
    client = serve(static=site)
    assert Refusal.of(client.get("/v1/index.html", headers=HTML)).said == (401, "UNAUTHORIZED")
    assert Refusal.of(client.get("/v1/nowhere", headers={**HTML, **KEY})).said == (404, "NOT_FOUND")
    assert client.get("/healthz", headers=HTML).json() == {"status": "ok"}
    assert client.get("/openapi.json", headers=HTML).json()["info"]["title"] == "Gnomon"
    assert "Gnomon API" in client.get("/docs", headers=HTML).text
    chosen = client.get("/docs", headers={**HTML, "Cookie": "theme=dark"})
    assert '<html lang="en" class="gnomon-page" data-theme="dark">' in chosen.text


def test_only_reading_is_answered_with_the_page(serve, site):
    client = serve(static=site)
    for method in ("POST", "PUT", "DELETE"):
        assert Refusal.of(client.request(method, "/projects/p", headers=HTML)).said == (404, "NOT_FOUND")
        refused = client.request(method, "/assets/index-1a2b.js", headers=HTML)
        assert Refusal.of(refused).said == (405, "METHOD_NOT_ALLOWED")
        assert refused.headers["allow"] == "GET, HEAD"
    head = client.head("/projects/p", headers=HTML)
    assert (head.status_code, head.content) == (200, b"")


@pytest.mark.parametrize(
    ("cookie", "root"),
    [
        ("theme=dark", '<html lang="en" data-theme="dark">'),
        ("a=b; theme=light", '<html lang="en" data-theme="light">'),
        ('theme="><script>', '<html lang="en">'),
        ("theme=", '<html lang="en">'),
    ],
)
def test_the_theme_that_a_reader_chose_is_in_the_page_from_the_start(serve, site, cookie, root):
    answer = serve(static=site).get("/", headers={**HTML, "Cookie": cookie})
    assert root in answer.text
    assert "Cookie" in answer.headers["vary"]


def test_a_theme_that_is_in_the_page_is_replaced(serve, site):
    (site / "index.html").write_text("<!doctype html>\n<HTML data-theme='light' lang=en><body>")
    answer = serve(static=site).get("/", headers={**HTML, "Cookie": "theme=dark"})
    assert '<html lang=en data-theme="dark">' in answer.text


def test_a_page_that_did_not_change_is_not_sent_again(serve, site):
    client = serve(static=site)
    tag = client.get("/", headers=HTML).headers["etag"]
    known = {**HTML, "If-None-Match": f'"other", {tag}'}
    answer = client.get("/projects/p", headers=known)
    assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", tag)
    assert client.get("/", headers={**known, "Cookie": "theme=dark"}).status_code == 200


def test_a_page_that_is_built_anew_is_seen_by_a_running_server(serve, site):
    client = serve(static=site)
    client.get("/", headers=HTML)
    (site / "assets" / "index-1a2b.js").unlink()
    (site / "assets" / "index-5e6f.js").write_text("new")
    (site / "index.html").write_text(INDEX + "<!-- new -->")
    os.utime(site / "index.html", ns=(1, 1))
    assert "new" in client.get("/", headers=HTML).text
    assert client.get("/assets/index-5e6f.js").text == "new"
    assert client.get("/assets/index-1a2b.js").status_code == 404


# --- files ---


def test_an_asset_is_kept_for_good_and_other_files_are_asked_for_again(serve, site):
    client = serve(static=site)
    asset, icon = client.get("/assets/index-1a2b.js"), client.get("/favicon.svg")
    assert asset.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert asset.headers["content-type"] == "text/javascript; charset=utf-8"
    assert (icon.headers["cache-control"], icon.headers["content-type"]) == ("no-cache", "image/svg+xml")
    for answer in (asset, icon):
        assert client.get(answer.url.path, headers={"If-None-Match": answer.headers["etag"]}).status_code == 304


def test_the_compressed_file_beside_an_asset_is_sent_as_it_is(serve, site):
    client = serve(static=site)
    with client.stream("GET", "/assets/index-1a2b.js", headers={"Accept-Encoding": "br, gzip"}) as answer:
        assert b"".join(answer.iter_raw()) == (site / "assets" / "index-1a2b.js.gz").read_bytes()
        assert answer.headers["content-encoding"] == "gzip"
        assert answer.headers["vary"] == "Accept-Encoding"
    style = client.get("/assets/index-3c4d.css", headers={"Accept-Encoding": "gzip"})
    assert (style.headers["content-encoding"], style.text) == ("gzip", "p {}\n" * 500)
    for choice in ("identity", "gzip;q=0", "br"):
        plain = client.get("/assets/index-1a2b.js", headers={"Accept-Encoding": choice})
        assert "content-encoding" not in plain.headers
        assert plain.text == SCRIPT


@pytest.mark.parametrize(
    "path",
    ["/../secret", "/%2e%2e/secret", "/..%2fsecret", "/assets/../../secret", "/assets/%00", "//etc/passwd", "/.hidden",
     "/assets", "/assets/", "/assets/index-1a2b.js.gz", "/" + "x" * 5000],
)  # fmt: skip
def test_nothing_else_of_the_disk_is_reached(serve, site, path):
    assert Refusal.of(serve(static=site).get(path)).said == (404, "NOT_FOUND")


# --- not built ---


@pytest.mark.parametrize("path", ["/", "/login"])
def test_without_a_built_page_there_is_the_welcome_page_which_says_so(serve, path):
    answer = serve().get(path, headers=HTML)
    assert answer.status_code == 200
    assert "was not built" in answer.text
    assert "<code>make web</code>" in answer.text
    assert "'unsafe-inline'" not in answer.headers["content-security-policy"]


def test_without_a_built_page_other_addresses_are_not_found(serve):
    client = serve()
    for path in ("/projects/p", "/index.html", "/assets/x.js"):
        assert Refusal.of(client.get(path, headers=HTML)).said == (404, "NOT_FOUND")
