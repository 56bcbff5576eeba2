"""The application in this process, with whatever a test adds to it, spoken to over HTTP."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest

from conftest import free_port
from contract.caller import LOOPBACK
from gnomon.server.app import create_app
from gnomon.server.connection import Server, configured
from gnomon.server.house import build
from gnomon.settings import Settings
from gnomon.store.engine import open_store

KEY = "the-admin-key"


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., httpx2.Client]]:
    """Starts the application with these additions in this process, and gives a client of it."""
    running: list[tuple[Server, threading.Thread, httpx2.Client]] = []
    settings = Settings(home=tmp_path, database_url=f"sqlite:///{tmp_path / 'gnomon.db'}", admin_key=KEY)
    store = open_store(settings.database_url)

    def start(host: str = "127.0.0.1", changed: dict[str, Any] | None = None, **more: Any) -> httpx2.Client:
        """`host` is where it believes to listen, `changed` are settings of its own."""
        house = build(replace(settings, **(changed or {})), store, host)
        config, port = configured(create_app(house, **{"static": tmp_path / "nothing-built", **more})), free_port()
        config.host, config.port = "127.0.0.1", port
        server = Server(config, lambda: None)
        thread = threading.Thread(target=server.run)
        thread.start()
        while not server.started:
            thread.join(0.01)
            assert thread.is_alive(), "the server did not start"
        client = httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=30, **LOOPBACK)
        running.append((server, thread, client))
        return client

    yield start
    for server, thread, client in running:
        client.close()
        server.should_exit = True
        thread.join(20)
    store.close()
