"""The documents are true: their links lead somewhere, the reference is the code's. Commands: `test_pages.py`."""

import re
import runpy
from pathlib import Path

import pytest

import gnomon
from gnomon.llm.providers import KEYS, variables

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_to_files_that_are_there(page: Path) -> None:
    for target in LINK.findall(page.read_text("utf-8")):
        assert (page.parent / target).exists(), f"{named(page)} links to {target}"


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_to_a_heading_find_it(page: Path) -> None:
    for file, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)", page.read_text("utf-8")):
        target = page.parent / file if file else page
        if target.suffix == ".md":
            assert anchor in anchors(target), f"{named(page)} links to {file}#{anchor}"


def anchors(page: Path) -> set[str]:
    """The names that headings get: lower case, blanks as hyphens, other signs left out."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    plain = [re.sub(r"\]\([^)]*\)", "", heading) for heading in headings]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in plain}


def test_the_index_leads_to_every_page() -> None:
    """Directly, or through the index of a folder."""
    docs = ROOT / "docs"
    seen, waiting = set(), [docs / "README.md"]
    while waiting:
        page = waiting.pop()
        if page not in seen:
            seen.add(page)
            links = LINK.findall(page.read_text("utf-8")) if page.name == "README.md" else ()
            waiting += [(page.parent / link).resolve() for link in links if link.endswith(".md")]
    assert not {*docs.rglob("*.md")} - seen


def test_the_index_has_the_sections_in_the_order_of_what_a_user_wants() -> None:
    headings = re.findall(r"^## (.+)$", (ROOT / "docs" / "README.md").read_text("utf-8"), re.MULTILINE)
    assert headings == [
        "Get started", "Tracing", "Datasets and experiments", "Scorers and judges", "Compare and gate", "Human review",
        "Coding agents", "Agent benchmarks", "Integrations", "Deploy and operate", "Python reference",
        "HTTP reference", "Concepts",
    ]  # fmt: skip


def test_the_reference_is_what_the_code_says() -> None:
    generator = runpy.run_path(str(ROOT / "docs" / "generate.py"))
    for name, text in generator["pages"]().items():
        written = (ROOT / "docs" / name).read_text("utf-8")
        assert written == text, f"docs/{name} is old; run: python docs/generate.py"


def test_the_reference_names_every_status_that_a_call_may_answer() -> None:
    """The contract names 200, 201 and 202 beside the refusals: `POST /v1/scores` answers all three."""
    written = (ROOT / "docs" / "reference" / "http-api.md").read_text("utf-8")
    (row,) = [line for line in written.splitlines() if line.startswith("| `POST /v1/scores` |")]
    assert "| 201 Score, 200 `null`, 202 JobAccepted | 409, 422, 501 |" in row
    for status in ("400", "401", "403", "404", "413", "500", "405"):
        assert status in written.partition("| call |")[0]


@pytest.mark.parametrize("page", ["scorers/llm-judge.md", "reference/http-api.md"])
def test_the_documents_say_which_model_judges_and_who_asks_it(page: str) -> None:
    """An implementation must document which model it uses for llm_judge and which approach it supports."""
    written = " ".join((ROOT / "docs" / page).read_text("utf-8").split())
    for approach in ("Caller-executed", "Platform-executed"):
        assert approach in written
    for model in ("There is no default model", "provider/model", "GNOMON_JUDGE_PROVIDERS", "OPENAI_BASE_URL"):
        assert model in written


def test_the_providers_of_judges_are_those_of_the_code() -> None:
    table = re.compile(r"^\| `(\w+)` \| ((?:`[A-Z_]+`(?: or )?)+) \|$", re.MULTILINE)
    written = dict(table.findall((ROOT / "docs" / "scorers" / "llm-judge.md").read_text("utf-8")))
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
