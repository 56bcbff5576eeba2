"""The application in this process, with whatever a test adds to it, spoken to over HTTP."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest

from conftest import START_SECONDS, free_port
from contract.caller import LOOPBACK
from databases import new_sqlite_with_schema
from gnomon.server.app import create_app
from gnomon.server.appstate import build
from gnomon.server.guardedprotocol import Server, configured
from gnomon.settings import Settings
from gnomon.store.engine import open_store

KEY = "the-admin-key"


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., httpx2.Client]]:
    """Starts the application with these additions in this process, and gives a client of it."""
    running: list[tuple[Server, threading.Thread, httpx2.Client]] = []
    settings = Settings(home=tmp_path, database_url=new_sqlite_with_schema(tmp_path / "gnomon.db"), admin_key=KEY)
    store = open_store(settings.database_url)

    def start(host: str = "127.0.0.1", changed: dict[str, Any] | None = None, **more: Any) -> httpx2.Client:
        """`host` is where it believes to listen, `changed` are settings of its own."""
        app_state = build(replace(settings, **(changed or {})), store, host)
        config, port = configured(create_app(app_state, **{"static": tmp_path / "nothing-built", **more})), free_port()
        config.host, config.port = "127.0.0.1", port
        server = Server(config, lambda: None)
        thread = threading.Thread(target=server.run)
        thread.start()
        while not server.started:
            thread.join(0.01)
            assert thread.is_alive(), "the server did not start"
        client = httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=START_SECONDS, **LOOPBACK)
        running.append((server, thread, client))
        return client

    yield start
    for server, thread, client in running:
        client.close()
        server.should_exit = True
        thread.join(START_SECONDS)
    store.close()
