"""Prepares pages and runs them."""

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

from conftest import start_server
from databases import copy_of_demo, new_sqlite_with_schema
from gnomon import Client
from gnomon.model.access import KeyDraft
from gnomon.testing import LoopbackModel
from pages import prepared
from pages.blocks import PYTHON, RUN, Block, blocks_of, name_of, pages, steps_of
from pages.table import ADMIN, ENDS, NEEDS, NOT_RUN, Needs
from pages.walk import PAGE_PORT, Walk, environment_for, programs, stays

PAGES = [page for page in pages() if any(block.language in RUN for block in blocks_of(page))]


def commands() -> Iterator[tuple[Block, str]]:
    """Every command of every page, and every block of Python as a whole."""
    for page in PAGES:
        for block in blocks_of(page):
            if block.language in PYTHON:
                yield block, block.text
            elif block.language in RUN:
                for step in steps_of(block):
                    yield block, step.typed


def needs_of(page: Path) -> Needs:
    """Pages that speak of a server have one, also those that nobody listed, unless they start it themselves."""
    asks = re.search(r"gn\.(Async)?Client\(\)|\$GNOMON_URL|[\"']GNOMON_URL", page.read_text("utf-8"))
    serves = any(
        stays(step.typed) for block in blocks_of(page) if block.language in RUN - PYTHON for step in steps_of(block)
    )
    return NEEDS.get(name_of(page)) or Needs(key=ADMIN if asks and not serves else None)


class PageRunner:
    """Prepares pages and runs them."""

    def __init__(self, folder: Path, new_postgresql: Callable[[], str]) -> None:
        self.folder, self.new_postgresql = folder, new_postgresql
        self.demo: Path | None = None

    def run(self, page: Path, own: Path | None = None) -> Walk:
        """The page, after it was run: in a place of its own, or where others were run before."""
        own = own or self.folder / name_of(page).replace("/", "-")
        folder, home = own / "folder", own / "home"
        for place in (folder, home):
            place.mkdir(parents=True, exist_ok=True)
        needs = needs_of(page)
        with ExitStack() as opened:
            environment = environment_for(home, programs(own / "bin"))
            walk = Walk(page, folder, environment, NOT_RUN.get(name_of(page), {}), ENDS.get(name_of(page), {}))
            if needs.model is not None:
                environment |= opened.enter_context(LoopbackModel(needs.model)).environment()
            if needs.demo:
                for place in (folder, home / ".gnomon"):
                    shutil.copytree(self._demo(), place, dirs_exist_ok=True)
            if needs.key is not None:
                self._serve(walk, own / "server", opened)
            if needs.postgresql is not None:
                walk.stands_for[needs.postgresql] = self.new_postgresql()
            for address in needs.receivers:
                walk.stands_for[address] = opened.enter_context(prepared.otlp_receiver())
            if needs.prepare is not None:
                needs.prepare(walk)
            walk.run()
        return walk

    def _demo(self) -> Path:
        """A folder with the demo in it, once for all pages."""
        if self.demo is None:
            self.demo = self.folder / "demo"
            self.demo.mkdir()
            copy_of_demo(self.demo)
        return self.demo

    def _serve(self, walk: Walk, home: Path, opened: ExitStack) -> None:
        home.mkdir()
        models = {name: value for name, value in walk.environment.items() if name.startswith(("OPENAI_", "NO_PROXY"))}
        server = start_server(new_sqlite_with_schema(home / "gnomon.db"), home, **models)
        opened.callback(server.stop)
        role, project = needs_of(walk.page).key or ADMIN
        key = server.admin_key
        if (role, project) != ADMIN:
            with Client(server.url, server.admin_key) as client:
                key = client.create_key(KeyDraft(role=role, project_id=project)).key or key
        walk.stands_for[PAGE_PORT] = server.url.removeprefix("http://")
        walk.environment |= {"GNOMON_URL": server.url, "GNOMON_API_KEY": key}
