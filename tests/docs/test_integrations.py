"""Every page about an integration is found from the index, and says what was tried."""

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "integrations"
INDEX = FOLDER / "README.md"
PAGES = sorted(page for page in FOLDER.glob("*.md") if page != INDEX)
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def sections(page: Path) -> dict[str, str]:
    """Heading → what stands below it."""
    prose = FENCED.sub("", page.read_text("utf-8"))
    parts = re.split(r"^## (.+)$", prose, flags=re.MULTILINE)[1:]
    return {title: text.strip() for title, text in zip(parts[::2], parts[1::2], strict=True)}


def test_there_are_pages() -> None:
    assert len(PAGES) >= 10


def test_the_index_has_a_row_for_every_page_and_no_other() -> None:
    linked = re.findall(r"^\| \[[^]]+\]\(([\w-]+\.md)\)", INDEX.read_text("utf-8"), re.MULTILINE)
    assert sorted(linked) == [page.name for page in PAGES]


@pytest.mark.parametrize("page", [INDEX, *PAGES], ids=lambda page: page.name)
def test_a_page_ends_with_what_was_tried(page: Path) -> None:
    found = sections(page)
    assert [*found][-1] == "What was tried"
    assert found["What was tried"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_was_tried_names_versions_and_what_was_not(page: Path) -> None:
    tried = sections(page)["What was tried"]
    if "**Not run here.**" in tried:
        return
    assert re.search(r"\d+\.\d+", tried), "name the versions"
    assert "- Seen: " in tried
    assert "- Not tried: " in tried


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_names_no_key_and_only_loopback(page: Path) -> None:
    text = page.read_text("utf-8")
    assert not re.search(r"gn_[\w-]{20,}|sk-[\w-]{10,}", text)
    assert set(re.findall(r"https?://([\w.]+)", text)) <= {"127.0.0.1"}
