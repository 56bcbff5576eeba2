"""Starts that cannot work: one clear line on stderr, exit code 3, and nothing is touched."""

import ctypes
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

import preloaded
from faults.victim import PATIENCE, environment, free_port
from gnomon.store.engine import open_store

CANNOT_RUN = 3


@pytest.fixture
def refused(tmp_path: Path) -> Callable[..., str]:
    """Start a server that must refuse to start; give what it said."""

    def start(url: str, **more: object) -> str:
        words = ("-m", "gnomon", "serve", "--port", str(more.pop("port", None) or free_port()))
        command = [sys.executable, *words] if "preexec_fn" in more else preloaded.command(*words)
        own = environment(url, tmp_path / "home")
        done = subprocess.run(command, env=own, capture_output=True, text=True, timeout=PATIENCE, **more)
        assert done.returncode == CANNOT_RUN, done.stderr
        assert done.stdout == ""
        assert done.stderr.startswith("gnomon: ")
        assert done.stderr.count("\n") == 1, done.stderr
        return done.stderr

    return start


def test_a_file_that_is_no_database(refused, tmp_path):
    file = tmp_path / "letter.txt"
    file.write_bytes(b"Dear Ada, " * 1000)
    assert "not a database" in refused(f"sqlite:///{file}")
    assert file.read_bytes() == b"Dear Ada, " * 1000


def test_a_database_that_was_cut_short(refused, tmp_path):
    file = tmp_path / "gnomon.db"
    open_store(f"sqlite:///{file}").close()
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    assert "malformed" in refused(f"sqlite:///{file}")


def test_a_folder_in_place_of_a_database(refused, tmp_path):
    assert f"{tmp_path} is a directory" in refused(f"sqlite:///{tmp_path}")


def test_a_folder_that_cannot_be_made(refused, tmp_path):
    (tmp_path / "file").write_text("")
    assert "cannot make the folder" in refused(f"sqlite:///{tmp_path}/file/gnomon.db")


def test_a_file_that_may_not_be_written(refused, tmp_path):
    folder = tmp_path / "theirs"
    folder.mkdir()
    file = folder / "gnomon.db"
    open_store(f"sqlite:///{file}").close()
    file.chmod(0o444)
    folder.chmod(0o555)
    try:
        assert "read-only" in refused(f"sqlite:///{file}", preexec_fn=_obey_file_modes)
    except subprocess.SubprocessError:
        pytest.skip("this root may not give up its rights, and modes do not bind it")
    finally:
        folder.chmod(0o755)


def _obey_file_modes() -> None:
    """Runs in the new process: root gives up the right to write what modes forbid."""
    drop_from_bounding_set, override_file_modes = 24, 1
    if os.geteuid() == 0 and ctypes.CDLL(None).prctl(drop_from_bounding_set, override_file_modes, 0, 0, 0):
        raise PermissionError


def test_a_database_of_a_newer_gnomon(database, refused, tmp_path, new_url):
    store = open_store(new_url)
    store.write(lambda db: db.exec_driver_sql("INSERT INTO gnomon_schema (version) VALUES (9999)"))
    tables = sa.inspect(store.engine).get_table_names()
    store.close()
    said = refused(new_url)
    assert "9999" in said
    assert "upgrade Gnomon" in said
    again = open_store(new_url, upgrade=False)
    assert sa.inspect(again.engine).get_table_names() == tables
    again.close()


def test_a_postgresql_that_is_not_there(refused):
    said = refused(f"postgresql://nobody@127.0.0.1:{free_port()}/gnomon")
    assert "does not answer" in said


def test_a_port_in_use(refused, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        taken.listen()
        assert f"cannot listen on 127.0.0.1:{port}" in refused(f"sqlite:///{tmp_path}/gnomon.db", port=port)
    assert not (tmp_path / "gnomon.db").exists()
