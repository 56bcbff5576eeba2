"""What Gnomon keeps for itself can be read by its owner only, whatever the umask says."""

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cli.conftest import running
from cli.test_outcome import new_repo
from gnomon.cli.main import main

pytestmark = pytest.mark.usefixtures("umask")


@pytest.fixture(params=["000", "077"])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    wanted = int(str(request.param), 8)
    before = os.umask(wanted)
    yield wanted
    os.umask(before)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.startswith("GNOMON_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GNOMON_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path / "home"


Run = Callable[..., str]


@pytest.fixture
def gnomon(home: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    """Run a command that succeeds; what it says."""

    def run(*words: object) -> str:
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([str(word) for word in words])
        said = capfd.readouterr()
        assert not ended.value.code, said.err
        return said.out

    return run


def modes(folder: Path) -> dict[str, int]:
    return {
        str(path.relative_to(folder)): stat.S_IMODE(path.stat().st_mode)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_the_database_its_log_files_and_the_admin_key_are_the_owners_alone(home: Path) -> None:
    with running("serve"):
        assert modes(home) == dict.fromkeys(["admin.key", "gnomon.db", "gnomon.db-shm", "gnomon.db-wal"], 0o600)


def test_so_is_a_backup_also_over_a_file_that_others_could_read(gnomon: Run, home: Path, tmp_path: Path) -> None:
    gnomon("db", "upgrade")
    copy = tmp_path / "copy.db"
    copy.write_bytes(b"old")
    copy.chmod(0o666)
    gnomon("db", "backup", copy, "--overwrite")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600


def test_so_is_a_database_behind_a_link_that_leads_nowhere_yet(gnomon: Run, home: Path, tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "real.db")
    gnomon("db", "upgrade", "--db", tmp_path / "link.db")
    assert stat.S_IMODE((tmp_path / "real.db").stat().st_mode) == 0o600


def test_caches_are_the_owners_alone_and_scores_beside_a_log_follow_the_umask(
    gnomon: Run, home: Path, tmp_path: Path, umask: int
) -> None:
    """A log is shared by whoever works on the repository; what is remembered of it is not."""
    repo = new_repo(tmp_path / "repo")
    repo.entry(1, commit=repo.head())
    repo.entry(2)
    sessions = tmp_path / "sessions"
    sessions.mkdir()
    (sessions / "s.jsonl").write_text('{"type": "user", "timestamp": "2026-05-04T08:00:00Z"}\n', encoding="utf-8")
    gnomon("outcome", "score", "--repo", repo.root, "--transcripts", sessions)
    kept = modes(home)
    assert kept
    assert set(kept.values()) == {0o600}
    written = {mode for name, mode in modes(repo.log).items() if name.endswith("score.yaml")}
    assert written == {0o666 & ~umask}


def test_a_score_keeps_the_mode_that_its_file_has(gnomon: Run, home: Path, tmp_path: Path) -> None:
    repo = new_repo(tmp_path / "repo")
    repo.entry(1, commit=repo.head())
    gnomon("outcome", "score", "--repo", repo.root)
    [score] = repo.log.glob("iter-1.score.yaml")
    score.chmod(0o640)
    gnomon("outcome", "score", "--repo", repo.root)
    assert stat.S_IMODE(score.stat().st_mode) == 0o640


def test_doctor_tells_of_files_that_others_can_read_and_leaves_them_as_they_are(gnomon: Run, home: Path) -> None:
    """A database that a group shares on purpose must not be taken from it."""
    gnomon("db", "upgrade")
    (home / "admin.key").write_text("key\n", encoding="utf-8")
    (home / "admin.key").chmod(0o644)
    assert f"chmod 600 {home / 'admin.key'}" in " ".join(gnomon("doctor").split())
    (home / "gnomon.db").chmod(0o660)
    told = " ".join(gnomon("doctor").split())
    assert "others on this machine may read or write" in told
    assert modes(home)["gnomon.db"] == 0o660
    for path in home.iterdir():
        path.chmod(0o600)
    assert "only you can read" in gnomon("doctor")
