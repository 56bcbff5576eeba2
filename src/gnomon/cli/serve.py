"""`gnomon serve`: API and pages in one process, jobs in its child."""

import contextlib
import gc
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gnomon.cli import show
from gnomon.cli.flags import as_json, at_public_url, in_browser, of_database, on_host
from gnomon.errors import GnomonError, StoreTrouble
from gnomon.extras import install_command
from gnomon.settings import DEFAULT_PORT, Settings, from_environment

if TYPE_CHECKING:  # --help needs none of them
    from gnomon.server.appstate import AppState
    from gnomon.server.guardedprotocol import Server
    from gnomon.service.access.keys import AdminKey
    from gnomon.store.engine import Store

at_port = click.option(
    "--port",
    default=DEFAULT_PORT,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="Port to listen on; 0 picks a free one.",
)
STOP_SECONDS = 25.0
COMPUTE_SECONDS = 4.0
"""How long a score that a request waits for may still take when the server is to stop."""
LOOK_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Started:
    """What a server says of itself once it listens."""

    url: str
    admin: "AdminKey"
    login_url: str | None
    """Logs a browser in once, as the admin key; None when this database has no such key."""
    otlp_grpc: str | None = None
    """The address for OTLP over gRPC."""


Greet = Callable[[Started], None]


@click.command()
@on_host
@at_port
@of_database
@click.option("--no-worker", is_flag=True, help="Run no worker here; leave jobs to other processes.")
@click.option(
    "--otlp-grpc", type=click.IntRange(0, 65535), metavar="PORT",
    help="Also receive OpenTelemetry spans and log records over gRPC on this port; 0 picks a free one.",
)  # fmt: skip
@at_public_url
@in_browser
@as_json
def serve(
    host: str, port: int, db: str | None, no_worker: bool, otlp_grpc: int | None, public_url: str | None,
    open_browser: bool, as_json: bool,
) -> None:  # fmt: skip
    """Start the server. It stops on SIGTERM or Ctrl-C, after finishing the work it accepted."""
    settings = from_environment().with_database(db).with_public_url(public_url)

    def greet(started: Started) -> None:
        admin = started.admin
        if as_json:
            shown_key = admin.secret if admin.is_new else None
            made_at = None if admin.made_at is None else admin.made_at.isoformat()
            about_key = {"admin_key_file": str(key_file(settings)), "admin_key_made_elsewhere_at": made_at}
            about_server = {"url": started.url, "login_url": started.login_url, "otlp_grpc": started.otlp_grpc}
            show.json_line({**about_server, "admin_key": shown_key, **about_key})
        else:
            show.listening(started.url, admin, key_file(settings), started.otlp_grpc)
            show.login_link(started.login_url)
        if open_browser:
            show_in_browser(started.login_url or started.url)

    run(settings, host, port, greet, worker=not no_worker, otlp_grpc=otlp_grpc)


def run(
    settings: Settings, host: str, port: int, greet: Greet, *, worker: bool = True, otlp_grpc: int | None = None
) -> None:
    """Listen first, so that a port in use is refused before anything else is done."""
    _check_installed()

    from gnomon.server import logs
    from gnomon.server.app import create_app
    from gnomon.server.appstate import build
    from gnomon.server.grpc import check_installed
    from gnomon.server.guardedprotocol import Server, configured
    from gnomon.server.otlp import grpc_endpoint
    from gnomon.service.jobs.jobs import work_is_open
    from gnomon.store.engine import Connecting, open_store

    logs.set_up(settings.log_level)
    with contextlib.ExitStack() as opened:
        listening = _listen(host, port)
        opened.callback(listening.close)
        if otlp_grpc is not None:
            check_installed()
            _listen(host, otlp_grpc, "--otlp-grpc").close()
        connecting = Connecting(settings.database_pool, settings.database_prepare)
        store = open_store(settings.database_url, connecting=connecting)
        opened.callback(store.close)
        app_state = build(settings, store, host)
        grpc = None if otlp_grpc is None else grpc_endpoint(app_state, host, otlp_grpc)
        # After the database and the ports: a key that is shown once must not be made by a start that fails.
        admin = the_admin_key(settings, store)
        app = create_app(app_state)
        if grpc is not None:
            grpc.start()
            opened.callback(grpc.stop, STOP_SECONDS)
        child = ChildWorker(settings, partial(work_is_open, store)) if worker else None
        if child is not None:
            app_state.work_arrived = child
            opened.callback(child.stop)
        server = Server(configured(app), partial(_wind_down, app_state, child))
        _stop_on_signals(server)
        url = _url(host, listening.getsockname()[1])
        greet(Started(url, admin, _login_url(app_state, admin, url), None if grpc is None else _url(host, grpc.port)))
        _settle_memory()
        server.run(sockets=[listening])


def check_can_serve(host: str, port: int) -> None:
    """Refuse at once what a start would be refused for, before a command does long work that the server is to show."""
    _check_installed()
    _listen(host, port).close()


def _check_installed() -> None:
    try:
        import uvicorn  # noqa: F401
    except ImportError:
        raise StoreTrouble(f"the server needs the extra `server`; run: {install_command('server')}") from None


def _wind_down(app_state: "AppState", child: "ChildWorker | None") -> None:
    """After a signal to stop: event streams, which have no end of their own, end; the worker stops as well, and scores
    that take long are broken off."""
    app_state.feed.close()
    if child is not None:
        child.tell_to_stop()
    time.sleep(COMPUTE_SECONDS)
    app_state.lane.close()


class ChildWorker:
    """`gnomon worker` as a child of the server: started when there is work, woken through its stdin, ended with the
    server, started again if it dies. A server that only answers has no child."""

    def __init__(self, settings: Settings, work_is_open: Callable[[], bool]) -> None:
        # In the environment, not on the command line: a database URL may hold a password.
        self._environment = {**os.environ, "GNOMON_DATABASE_URL": settings.database_url}
        self._work_is_open = work_is_open
        self._stopping, self._needed = threading.Event(), threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._changing = threading.Lock()
        threading.Thread(target=self._watch, name="gnomon-worker-watch", daemon=True).start()

    def set(self) -> None:
        """There is work. A worker that is just being started finds it by itself."""
        self._needed.set()
        process = self._process
        if process is not None and process.stdin is not None:
            with contextlib.suppress(OSError, ValueError):
                process.stdin.write(b"\n")
                process.stdin.flush()

    def tell_to_stop(self) -> "subprocess.Popen[bytes] | None":
        self._stopping.set()
        self._needed.set()
        with self._changing:
            process = self._process
        if process is not None:
            process.terminate()
        return process

    def stop(self) -> None:
        process = self.tell_to_stop()
        if process is None:
            return
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()

    def _watch(self) -> None:
        # Others may leave work in the same database: a server that died, a command that wrote into it.
        while not self._needed.is_set() and not self._seen_work():
            self._needed.wait(LOOK_SECONDS)
        pause = 1.0
        while (process := self._started()) is not None:
            began = time.monotonic()
            process.wait()
            pause = 1.0 if time.monotonic() - began > 60 else min(30.0, pause * 2)
            if self._stopping.wait(pause):
                return

    def _seen_work(self) -> bool:
        try:
            return self._work_is_open()
        except GnomonError:  # the database is away; requests answer with the error
            return False

    def _started(self) -> "subprocess.Popen[bytes] | None":
        command = [sys.executable, "-m", "gnomon", "worker", "--child"]
        with self._changing:
            if self._stopping.is_set():
                return None
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=self._environment
            )
            return self._process


def _settle_memory() -> None:
    """Take what start-up made out of the garbage collector's rounds, and make them rarer.

    A batch of spans is some 12,000 objects; with Python's defaults every batch would pay for a walk through all
    imported modules.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def key_file(settings: Settings) -> Path:
    return settings.home / "admin.key"


def the_admin_key(settings: Settings, store: "Store") -> "AdminKey":
    """The configured key, the one in this home, the database's, or a new one."""
    from gnomon.model.access import Principal
    from gnomon.service.access.keys import AdminKey, admin_key, new_secret
    from gnomon.service.call import Call
    from gnomon.service.clock import Clock

    if settings.admin_key is not None:
        return AdminKey(settings.admin_key)
    path, fresh, principal, clock = key_file(settings), new_secret(), Principal("serve", "admin"), Clock()
    kept, keep = partial(_stored_key, path), partial(_store_key, path)
    try:
        return store.write(lambda db: admin_key(Call(db, principal, clock), kept, keep, fresh))
    except OSError as fault:
        raise StoreTrouble(
            f"cannot store the admin key in {path}: {fault.strerror}; set GNOMON_HOME to a folder that can be"
            " written, or GNOMON_ADMIN_KEY to a key"
        ) from None


def _login_url(app_state: "AppState", admin: "AdminKey", url: str) -> str | None:
    """A link that logs a browser in as the admin key, without showing that key. What is in it works once."""
    from gnomon.errors import NotFound
    from gnomon.model.access import Principal
    from gnomon.service.access.websessions import admin_code
    from gnomon.service.call import Call

    server_key = app_state.server_key
    try:
        login_code = app_state.store.write(
            lambda db: admin_code(Call(db, Principal("serve", "admin"), app_state.clock), server_key, admin.secret)
        )
    except NotFound:
        return None
    reachable = re.sub(r"^http://(0\.0\.0\.0|\[::\]):", "http://127.0.0.1:", url)
    return login_link(app_state.settings.public_url or reachable, login_code.code)


def login_link(url: str, code: str) -> str:
    """The code is in the fragment, which browsers never send, so that it is in no log."""
    return f"{url.rstrip('/')}/login#code={code}"


def show_in_browser(url: str) -> None:
    import webbrowser

    # Some browsers are waited for until they are closed.
    threading.Thread(target=webbrowser.open, args=(url,), name="gnomon-browser", daemon=True).start()


def _store_key(path: Path, key: str) -> None:
    """Create the key file in one step, readable by its owner only."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".admin.key.")  # made with mode 600
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(key + "\n")
        os.link(draft, path)
    finally:
        os.unlink(draft)


def _stored_key(path: Path) -> str | None:
    if not path.exists():
        return None
    key = path.read_text(encoding="utf-8").strip()
    if not key:
        raise StoreTrouble(f"{path} is empty; delete it to get a new admin key, or set GNOMON_ADMIN_KEY")
    return key


def _listen(host: str, port: int, flag: str = "--port") -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(2048)
    except (OSError, UnicodeError) as fault:
        listening.close()
        why = getattr(fault, "strerror", None) or "no such address"
        raise StoreTrouble(f"cannot listen on {host}:{port}: {why}; choose another {flag} or --host") from None
    return listening


def _url(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _stop_on_signals(server: "Server") -> None:
    """Hear a signal that comes before the server listens to signals itself, and outlive the one that it raises once
    more when it is done: we still have a store to close."""

    def stop(*_: object) -> None:
        server.should_exit = True

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
