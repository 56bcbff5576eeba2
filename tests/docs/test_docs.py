"""The documents are true: their Python runs, their links lead somewhere, the reference is the code's."""

import os
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import gnomon
from conftest import Server
from gnomon.llm.providers import KEYS, variables

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
PRINTED = re.compile(
    r"^```python\n(?:(?!^```).)*^```\n(?:<!-- fmt: on -->\n)?\n```text\n(.*?)^```", re.MULTILINE | re.DOTALL
)
"""What a block of Python prints, where the page shows it."""
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("page", [page for page in PAGES if PYTHON.search(page.read_text("utf-8"))], ids=named)
def test_the_python_of_a_page_runs_from_top_to_bottom(
    page: Path, tmp_path: Path, server_on: Callable[[str], Server]
) -> None:
    """In a folder of its own, on a store of its own (clients: with a server), and it prints what the page shows."""
    text, script = page.read_text("utf-8"), tmp_path / "page.py"
    script.write_text("\n".join(PYTHON.findall(text)), encoding="utf-8")
    foreign = ("GNOMON_", "OPENAI_", "ANTHROPIC_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    environment["GNOMON_HOME"] = str(tmp_path / "home")
    if "gn.Client()" in text:
        server = server_on("sqlite")
        environment |= {"GNOMON_URL": server.url, "GNOMON_API_KEY": server.admin_key}
    done = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr[-2000:]
    printed = without_durations(done.stdout)
    for shown in PRINTED.findall(text):
        assert without_durations(shown) in printed, f"{named(page)} shows other words; now they are:\n{done.stdout}"


def without_durations(text: str) -> str:
    return re.sub(r"in [\d.,]+ s$", "in … s", text, flags=re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_to_files_that_are_there(page: Path) -> None:
    for target in LINK.findall(page.read_text("utf-8")):
        assert (page.parent / target).exists(), f"{named(page)} links to {target}"


def test_the_reference_is_what_the_code_says() -> None:
    generator = runpy.run_path(str(ROOT / "docs" / "generate.py"))
    for name, text in generator["pages"]().items():
        written = (ROOT / "docs" / "reference" / name).read_text("utf-8")
        assert written == text, f"docs/reference/{name} is old; run: python docs/generate.py"


def test_the_reference_names_every_status_that_a_call_may_answer() -> None:
    """The contract names 200, 201 and 202 beside the refusals: `POST /v1/scores` answers all three."""
    written = (ROOT / "docs" / "reference" / "api.md").read_text("utf-8")
    (row,) = [line for line in written.splitlines() if line.startswith("| `POST /v1/scores` |")]
    assert "| 200 `null`, 201 Score, 202 JobAccepted | 403, 409, 422, 501 |" in row
    for status in ("400", "401", "404", "413", "500", "405"):
        assert status in written.partition("| call |")[0]


@pytest.mark.parametrize("page", ["concepts/judge.md", "reference/api.md"])
def test_the_documents_say_which_model_judges_and_who_asks_it(page: str) -> None:
    """An implementation must document which model it uses for llm_judge and which approach it supports."""
    written = " ".join((ROOT / "docs" / page).read_text("utf-8").split())
    for approach in ("Caller-executed", "Platform-executed"):
        assert approach in written
    for model in ("There is no default model", "provider/model", "GNOMON_JUDGE_PROVIDERS", "OPENAI_BASE_URL"):
        assert model in written


def test_the_providers_of_judges_are_those_of_the_code() -> None:
    table = re.compile(r"^\| `(\w+)` \| ((?:`[A-Z_]+`(?: or )?)+) \|$", re.MULTILINE)
    written = dict(table.findall((ROOT / "docs" / "concepts" / "judge.md").read_text("utf-8")))
    assert written == {name: " or ".join(f"`{key}`" for key in variables(name)) for name in KEYS}


def test_the_readme_begins_with_ten_lines_which_are_an_example_too() -> None:
    """Get started in ten lines: the first block of code of the README."""
    readme = (ROOT / "README.md").read_text("utf-8")
    example = (ROOT / "examples" / "capitals.py").read_text("utf-8").replace("  # fmt: skip", "")
    first = re.search(r"^```(\w*)\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    assert first is not None
    assert (first[1], first[2]) == ("python", example.partition('"""\n\n')[2])


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_names_of_the_package_in_a_page_are_public(page: Path) -> None:
    names = set(re.findall(r"\bgn\.(\w+)", page.read_text("utf-8")))
    assert names <= {*gnomon.__all__}, f"{named(page)} names what is not there"


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) < 150
