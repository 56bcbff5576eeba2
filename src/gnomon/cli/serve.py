"""`gnomon serve`: API, pages and jobs in one process."""

import gc
import logging
import os
import socket
from pathlib import Path

import click

from gnomon.cli import show
from gnomon.errors import StoreTrouble
from gnomon.settings import DEFAULT_PORT, Settings, from_environment


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", default=DEFAULT_PORT, show_default=True, type=click.IntRange(0, 65535), help="0 picks a free one."
)
@click.option("--db", default=None, help="Database file or URL (default: GNOMON_DATABASE_URL).")
@click.option("--no-worker", is_flag=True, help="Leave jobs to other processes.")
def serve(host: str, port: int, db: str | None, no_worker: bool) -> None:
    """Start the server."""
    run(from_environment().with_database(db), host, port, worker=not no_worker)


def run(settings: Settings, host: str, port: int, *, worker: bool = True) -> None:
    """Listen first, so that a port in use is said before anything is touched."""
    import uvicorn

    from gnomon.server.app import create_app
    from gnomon.server.house import build
    from gnomon.store.engine import open_store

    _set_up_logs(settings.log_level)
    listening = _listen(host, port)
    admin_key, is_new = the_admin_key(settings)
    store = open_store(settings.database_url)
    try:
        app = create_app(build(settings, store, admin_key), worker=worker)
        url = _url(host, listening.getsockname()[1])
        config = uvicorn.Config(
            app, log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=30, lifespan="auto"
        )
        show.line(f"Gnomon listens on {url}")
        if is_new:
            show.line(f"admin key (shown once, kept in {settings.home / 'admin.key'}): {admin_key}")
        _settle_memory()
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        store.close()


def _settle_memory() -> None:
    """Take what start-up made out of the garbage collector's rounds, and make them rarer.

    A batch of spans is some 12,000 objects; with Python's defaults every batch would pay for a walk through all
    imported modules.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def the_admin_key(settings: Settings) -> tuple[str, bool]:
    """The configured key, the stored one, or a new one; and whether it is new."""
    from gnomon.service.keys import new_secret

    if settings.admin_key is not None:
        return settings.admin_key, False
    path = settings.home / "admin.key"
    settings.home.mkdir(parents=True, exist_ok=True)
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            key = new_secret()
            file.write(key + "\n")
            return key, True
    except FileExistsError:
        return _stored_key(path), False


def _stored_key(path: Path) -> str:
    key = path.read_text(encoding="utf-8").strip()
    if not key:
        raise StoreTrouble(f"{path} is empty; delete it to get a new admin key, or set GNOMON_ADMIN_KEY")
    return key


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(2048)
    except OSError as fault:
        listening.close()
        raise StoreTrouble(f"cannot listen on {host}:{port}: {fault.strerror}; choose another --port") from None
    return listening


def _url(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _set_up_logs(level: str) -> None:
    logging.basicConfig(
        level=level.upper() if level.upper() in logging.getLevelNamesMapping() else "INFO",
        format="%(asctime)s %(levelname)s %(name)s %(message)s",
    )
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
