"""The page comes with the package: built when its sources changed, carried by wheel and sdist, left out on request."""

import shutil
import tarfile
import zipfile
from pathlib import Path

import pytest
from hatchling.build import build_editable, build_sdist, build_wheel

from web.browser import ROOT, hatch_build

PAGE = "gnomon/server/static/index.html"


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A small tree with sources of a page, and a page that was built from them."""
    (tmp_path / "web" / "src").mkdir(parents=True)
    (tmp_path / "web" / "src" / "main.tsx").write_text("one")
    static = tmp_path / "src" / "gnomon" / "server" / "static"
    static.mkdir(parents=True)
    (static / "built-from.txt").write_text(hatch_build.fingerprint(tmp_path))
    return tmp_path


def test_a_page_is_current_until_a_source_changes(sources: Path) -> None:
    assert hatch_build.is_current(sources)
    (sources / "web" / "src" / "main.tsx").write_text("two")
    assert not hatch_build.is_current(sources)


def test_a_new_or_renamed_source_is_a_change(sources: Path) -> None:
    (sources / "web" / "src" / "main.tsx").rename(sources / "web" / "src" / "other.tsx")
    assert not hatch_build.is_current(sources)


def test_tests_and_installed_packages_are_no_sources(sources: Path) -> None:
    for folder in ("node_modules", "test", "tools"):
        (sources / "web" / folder).mkdir()
        (sources / "web" / folder / "file.js").write_text("x")
    assert hatch_build.is_current(sources)


def test_without_sources_there_is_nothing_to_build(sources: Path) -> None:
    shutil.rmtree(sources / "web")
    assert hatch_build.is_current(sources)


def test_node_is_only_asked_for_when_the_page_has_to_be_built(sources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hook = hatch_build.CustomBuildHook(str(sources), {}, None, None, "", "")  # type: ignore[arg-type]
    assert hook.dependencies() == []
    (sources / "web" / "src" / "main.tsx").write_text("two")
    assert hook.dependencies() == [hatch_build.NODE]
    monkeypatch.setenv("GNOMON_WEB", "skip")
    assert hook.dependencies() == []


@pytest.fixture
def in_the_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    if not hatch_build.is_current(ROOT):
        pytest.fail("the page is not built from its sources; run: make web")
    monkeypatch.chdir(ROOT)


@pytest.mark.usefixtures("in_the_tree")
def test_a_wheel_carries_the_page_with_compressed_copies(tmp_path: Path) -> None:
    wheel = zipfile.ZipFile(tmp_path / build_wheel(str(tmp_path)))
    names = set(wheel.namelist())
    assert PAGE in names
    scripts = {name for name in names if name.startswith("gnomon/server/static/assets/") and name.endswith(".js")}
    assert {f"{name}.gz" for name in scripts if wheel.getinfo(name).file_size >= 1_000} <= names
    assert not any("node_modules" in name or name.startswith("web/") for name in names)


@pytest.mark.usefixtures("in_the_tree")
def test_an_sdist_carries_the_page_and_its_sources(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / build_sdist(str(tmp_path))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {
        f"src/{PAGE}",
        "src/gnomon/server/static/built-from.txt",
        "web/src/main.tsx",
        "web/package-lock.json",
    } <= names
    assert not any("node_modules" in name or name.startswith("web/test-results") for name in names)


@pytest.mark.usefixtures("in_the_tree")
def test_an_editable_install_needs_no_second_build(tmp_path: Path) -> None:
    before = (ROOT / "src" / PAGE).stat().st_mtime_ns
    build_editable(str(tmp_path))
    assert (ROOT / "src" / PAGE).stat().st_mtime_ns == before


@pytest.mark.parametrize("lock", ["web", "web/tools", "web/test/chromium"])
def test_a_lock_file_names_hashes_and_no_addresses(lock: str) -> None:
    text = (ROOT / lock / "package-lock.json").read_text()
    assert '"integrity"' in text
    assert '"resolved"' not in text
    assert "://" not in text, "leave the `funding` fields out; npm does not need them"
