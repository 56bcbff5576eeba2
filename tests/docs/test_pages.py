"""The documentation is true: every command and every block of Python of every page runs as it is printed.

A page is run from top to bottom in a folder of its own, on a store or a server of its own, and prints what it shows.
What a page needs before its commands, and which commands cannot run here and why, stands in `tests/pages/table.py`.
Everything else runs, so a new page needs no line there.

Renew the outputs on pages after a change that is meant: run this test with GNOMON_RENEW_GOLDEN=1.
"""

import importlib.util
import os
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from pages.blocks import ROOT, blocks_of, hides_commands, name_of, pages
from pages.runner import PAGES, PageRunner, commands
from pages.table import ENDS, NEEDS, NOT_RUN
from pages.walk import Walk


@pytest.fixture(scope="session")
def runner(tmp_path_factory: pytest.TempPathFactory, new_postgresql: Callable[[], str]) -> PageRunner:
    return PageRunner(tmp_path_factory.mktemp("pages"), new_postgresql)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_runs_from_top_to_bottom_and_prints_what_it_shows(page: Path, runner: PageRunner) -> None:
    walk = runner.run(page)
    if os.environ.get("GNOMON_RENEW_GOLDEN"):
        renew(walk)
    assert not walk.faults, "\n\n".join(walk.faults)


def test_python_that_is_not_run_is_listed_with_the_reason() -> None:
    for block, text in commands():
        is_listed = any(text.startswith(beginning) for beginning in NOT_RUN.get(block.page, {}))
        if block.language == "py":
            assert is_listed, (
                f"{block.name}: {text.splitlines()[0]!r} neither runs nor is listed: write ```python, or list it"
            )


def test_what_is_listed_is_still_on_its_page() -> None:
    for table in (NOT_RUN, ENDS):
        for page, listed in table.items():
            typed = [text for block, text in commands() if block.page == page]
            for beginning in listed:
                assert any(text.startswith(beginning) for text in typed), f"{page} no longer has {beginning!r}"
    assert NEEDS.keys() <= {name_of(page) for page in PAGES}


def test_commands_stand_in_blocks_that_say_so() -> None:
    hidden = [block.name for page in pages() for block in blocks_of(page) if hides_commands(block)]
    assert not hidden, f"commands that neither run nor are listed: write ```sh or ```console: {', '.join(hidden)}"


def test_a_page_that_uses_the_demo_says_how_to_make_it() -> None:
    for page, needs in NEEDS.items():
        text = (ROOT / page).read_text("utf-8")
        if needs.demo and "--db demo.db" in text:
            assert "gnomon demo --no-serve --db demo.db" in text, page


def renew(walk: Walk) -> None:
    """Write what was printed into the page."""
    text = walk.page.read_text("utf-8")
    for block in reversed(blocks_of(walk.page)):
        renewed = walk.renewed.get(block.number, block.text)
        text = text[: block.start] + renewed + text[block.start + len(block.text) :]
    walk.page.write_text(text, encoding="utf-8")


def test_what_is_installed_and_made_is_there() -> None:
    """Of commands that nobody runs here at least this: extras of the package, targets of make, modules and scripts."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for page in pages():
        text = page.read_text("utf-8")
        for names in re.findall(r"(?:gnomon|'\.)\[([a-z,]+)\]", text):
            assert set(names.split(",")) <= extras.keys(), f"{name_of(page)} names the extra {names}"
        for target in re.findall(r"(?:^|`)make ([a-z-]+)", text, re.MULTILINE):
            assert target in targets, f"{name_of(page)} names the target {target}"
        for module in re.findall(r"python -m (bench[\w.]*)", text):
            assert importlib.util.find_spec(module), f"{name_of(page)} names the module {module}"
        for script in re.findall(r"^node (tools/\S+)", text, re.MULTILINE):
            assert (ROOT / "web" / script).exists(), f"{name_of(page)} names the script {script}"
