"""The admin key belongs to the database: made once, by whichever server comes first, and good at all of them."""

import re
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest

from contract.caller import LOOPBACK
from faults.victim import Victim, eventually

HOSTS = 3


class Host(Victim):
    """A server with a home of its own and no key in its environment."""

    def environment(self) -> dict[str, str]:
        own = super().environment()
        del own["GNOMON_ADMIN_KEY"]
        return own

    @property
    def key_file(self) -> Path:
        return self.home / "admin.key"

    def accepts(self, key: str) -> bool:
        asked = {"Authorization": f"Bearer {key}"}
        answer = httpx2.get(f"http://127.0.0.1:{self.port}/v1/keys", headers=asked, **LOOPBACK)
        assert answer.status_code in (200, 401)
        return answer.status_code == 200


@pytest.fixture
def host(new_url: str, tmp_path: Path):
    made: list[Host] = []

    def make() -> Host:
        made.append(Host(new_url, tmp_path / f"host-{len(made)}", ("--no-worker",)))
        return made[-1]

    yield make
    for each in made:
        each.clear_away()


def test_hosts_that_start_at_once_have_one_key_and_all_take_it(host: Callable[[], Host]):
    hosts = [host().launch() for _ in range(HOSTS)]
    for each in hosts:
        each.await_ready()
    makers = [each for each in hosts if each.key_file.exists()]
    assert len(makers) == 1
    key = makers[0].key_file.read_text().strip()
    assert all(each.accepts(key) for each in hosts)
    for each in hosts:
        said = each.log.read_text()
        assert (key in said) == (each in makers), "it is shown once, by its maker"
        if each not in makers:
            assert re.search(r"The admin key of this database was made at \S+ \S+ UTC by another server; use it", said)
            assert "gnomon key create --role admin" in said


def test_keys_of_an_earlier_version_go_on_working_at_every_host(host: Callable[[], Host]):
    """Each home has made a key of its own then, and none of them is in the database."""
    hosts = [host() for _ in range(2)]
    for number, each in enumerate(hosts):
        each.home.mkdir(parents=True)
        each.key_file.write_text(f"gn_of-host-{number}\n")
        each.start()
    for each in hosts:
        assert each.accepts("gn_of-host-0")
        assert each.accepts("gn_of-host-1")
        assert "admin key" not in each.log.read_text()


def test_a_key_that_was_replaced_and_revoked_is_refused_by_all_and_stays_so(host: Callable[[], Host]):
    one, two = host().start(), host().start()
    old = one.key_file.read_text().strip()
    with httpx2.Client(base_url=f"http://127.0.0.1:{two.port}/v1", **LOOPBACK) as http:
        asked = {"Authorization": f"Bearer {old}"}
        (known,) = http.get("/keys", headers=asked).json()["items"]
        new = http.post("/keys", json={"role": "admin"}, headers=asked).json()["key"]
        assert http.delete(f"/keys/{known['id']}", headers=asked).status_code == 200
    for each in (one, two):
        eventually(lambda each=each: not each.accepts(old), "the revoked key to be refused")
        assert each.accepts(new)
    one.stop()
    one.start()
    assert not one.accepts(old), "a start must not bring a revoked key back"
    assert one.accepts(new)
    assert f"The admin key in {one.key_file} was revoked" in one.log.read_text()


def test_a_key_of_the_environment_is_good_besides_and_belongs_to_that_server(host: Callable[[], Host], victim):
    maker = host().start()
    key = maker.key_file.read_text().strip()
    other: Victim = victim(maker.database_url, "--no-worker").start()
    with other.api() as api:
        assert [row["role"] for row in api.items("/keys")] == ["admin"]
    assert not maker.accepts("fault-tests-key")
    answer = httpx2.get(
        f"http://127.0.0.1:{other.port}/v1/keys", headers={"Authorization": f"Bearer {key}"}, **LOOPBACK
    )
    assert answer.status_code == 200
    assert not (other.home / "admin.key").exists()
