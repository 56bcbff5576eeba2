"""A server behind a proxy that serves it below a path: https://example.org/gnomon/ instead of a host of its own."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import httpx2
import pytest

from conftest import Server, start_server
from contract.caller import LOOPBACK
from gnomon.cli.main import main
from gnomon.client import Client
from gnomon.errors import InvalidInput
from gnomon.model.dataset import DatasetDraft
from gnomon.model.experiment import ExperimentDraft
from gnomon.server.sessions import Cookie
from gnomon.settings import from_environment
from prefixproxy import BASE, PrefixProxy


@dataclass(frozen=True)
class Proxied:
    url: str
    server: Server

    def get(self, address: str, **options: Any) -> httpx2.Response:
        return httpx2.get(urljoin(f"{self.url}/", address), **LOOPBACK, **options)

    @property
    def login_url(self) -> str:
        line = next(line for line in self.server.log.read_text().splitlines() if "login_url" in line)
        return str(json.loads(line)["login_url"])


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxied]:
    proxy, home = PrefixProxy(), tmp_path_factory.mktemp("below")
    url = f"sqlite:///{home / 'gnomon.db'}"
    server = start_server(url, home, "--json", GNOMON_PUBLIC_URL=f"{proxy.url}/")
    proxy.target = server.url
    yield Proxied(proxy.url, server)
    server.stop()
    proxy.shutdown()
    proxy.server_close()


def addresses(page: str) -> list[str]:
    return [address for address in re.findall(r'(?:src|href)="([^"#]+)"', page) if not address.startswith("data:")]


@pytest.mark.parametrize("path", ["", "login", "projects/p/experiments/e"])
def test_the_pages_files_are_found_from_any_address(proxied: Proxied, path: str) -> None:
    page = proxied.get(path, headers={"Accept": "text/html"})
    assert page.status_code == 200
    if "/assets/" not in page.text:
        pytest.skip("the web page is not built (make web): ITS ADDRESSES WERE NOT TESTED")
    assert f'data-base="{BASE}"' in page.text
    for address in addresses(page.text):
        found = proxied.get(urljoin(str(page.url), address))
        assert (found.status_code, address.startswith(f"{BASE}/")) == (200, True), address


def test_scripts_name_each_other_relative_to_themselves(proxied: Proxied) -> None:
    page = proxied.get("", headers={"Accept": "text/html"})
    scripts = [address for address in addresses(page.text) if address.endswith(".js")]
    if not scripts:
        pytest.skip("the web page is not built (make web): ITS ADDRESSES WERE NOT TESTED")
    for script in scripts:
        assert not re.search(r'(?:from|import\()\s*["`]/', proxied.get(script).text)
        assert '"/assets/' not in proxied.get(script).text


def test_the_printed_link_logs_in_and_its_cookie_is_for_the_path_only(proxied: Proxied) -> None:
    assert proxied.login_url.startswith(f"{proxied.url}/login#code=")
    code = proxied.login_url.partition("#code=")[2]
    begun = httpx2.post(f"{proxied.url}/v1/session", json={"code": code}, **LOOPBACK)
    assert begun.status_code == 201
    assert f"Path={BASE}/;" in begun.headers["set-cookie"]
    token = begun.headers["set-cookie"].partition(";")[0]
    assert proxied.get("v1/session", headers={"Cookie": token}).json()["role"] == "admin"


def test_the_api_reference_and_its_document_know_the_path(proxied: Proxied) -> None:
    page = proxied.get("docs")
    assert page.status_code == 200
    assert f"GNOMON_URL={proxied.url}" in page.text
    for address in addresses(page.text):
        assert proxied.get(urljoin(str(page.url), address), headers={"Accept": "text/html, */*"}).status_code == 200
    assert proxied.get("openapi.json").json()["servers"] == [{"url": BASE}]


def test_a_proxy_that_does_not_cut_the_path_off_is_understood_too(proxied: Proxied) -> None:
    for path in ("/healthz", "/v1/session"):
        key = {"Authorization": f"Bearer {proxied.server.admin_key}"}
        assert httpx2.get(proxied.server.url + BASE + path, headers=key, **LOOPBACK).status_code == 200
    assert httpx2.get(f"{proxied.server.url}{BASE}", headers={"Accept": "text/html"}, **LOOPBACK).status_code == 200
    assert httpx2.get(f"{proxied.server.url}{BASE}x/v1/session", **LOOPBACK).status_code == 404


def test_a_client_and_the_links_of_commands_keep_the_path(proxied: Proxied, capfd: pytest.CaptureFixture[str]) -> None:
    with Client(f"{proxied.url}/", proxied.server.admin_key) as client:
        dataset = client.create_dataset(DatasetDraft(project_id="p", name="d"))
        made = client.create_experiment(ExperimentDraft(project_id="p", name="e", dataset_id=dataset.id))
    with pytest.raises(SystemExit):
        main(["summary", made.id, "--url", f"{proxied.url}/", "--key", proxied.server.admin_key])
    assert f"{proxied.url}/projects/p/experiments/{made.id}" in capfd.readouterr().out


def test_over_https_the_cookie_below_a_path_has_the_name_that_allows_one() -> None:
    assert Cookie(is_https=True).set("t", 60).startswith("__Host-gnomon_session=t; Path=/;")
    assert Cookie(is_https=True, base_path=BASE).set("t", 60).startswith(f"__Secure-gnomon_session=t; Path={BASE}/;")


@pytest.mark.parametrize("url", ["https://x/a b", "https://x/a?b", "https://x/../y", "https://x/v1", "https://x/a//b"])
def test_a_path_that_cannot_be_one_is_refused(url: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="GNOMON_PUBLIC_URL"):
        from_environment({"GNOMON_PUBLIC_URL": url, "GNOMON_HOME": str(tmp_path)})
